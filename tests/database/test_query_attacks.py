"""Some 1,500 ways out of ``query``: none reads, writes, lists or loads anything."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

import aslib_eval as ae
from aslib_eval.database.open_lake import open_lake
from aslib_eval.database.query import select
from tests.conftest import ROOT

READERS = r"""
read_csv
read_csv_auto
read_json
read_json_auto
read_json_objects
read_json_objects_auto
read_ndjson
read_ndjson_auto
read_ndjson_objects
read_parquet
parquet_scan
parquet_metadata
parquet_schema
parquet_file_metadata
parquet_full_metadata
parquet_kv_metadata
read_text
read_blob
read_duckdb
glob
sniff_csv
read_single_csv_file
read_single_json_file
read_single_parquet_file
sqlite_scan
st_read
read_xlsx
read_avro
delta_scan
iceberg_scan
""".strip().splitlines()
PLACES = r"""
{o}/secret.csv
/etc/passwd
secret.csv
./secret.csv
{l}/../secret.csv
{l}/run/../../secret.csv
{l}/./../secret.csv
{l}//../secret.csv
{l}x/secret.csv
{l}/leads_out.csv
{l}/folder_out/secret.csv
{l}/folder_out/*
{l}/*/secret.csv
{l}/**/secret.csv
{o}/*
{o}/**
/**/passwd
{o}/fifo
/dev/stdin
/dev/zero
/dev/fd/0
/proc/self/environ
/proc/self/cwd/secret.csv
/proc/self/root/etc/passwd
file:{o}/secret.csv
file://{o}/secret.csv
FILE://{o}/secret.csv
.tmp/secret.csv
.tmp/*
{o}/.tmp/secret.csv
~/secret.csv
http://127.0.0.1:1/a.csv
https://127.0.0.1:1/a.parquet
s3://bucket/a.parquet
gcs://bucket/a.csv
hf://datasets/a/b.csv
azure://c/b.csv
ftp://127.0.0.1/a.csv
{o}/secret.csv?x=1
duckdb:{o}/secret.csv
sqlite:{o}/secret.csv
{l}%2f..%2fsecret.csv
{l}\..\secret.csv
{l}/‥/secret.csv
""".strip().splitlines()
REFUSED = r"""
insert into protocol default values
update protocol set penalty = 1
delete from protocol
copy (select 1) to '{o}/new.csv'
attach '{o}/new.duckdb' as n
load '{o}/x.duckdb_extension'
begin
vacuum
from '/etc/passwd'
from read_csv('{o}/secret.csv')
from read_csv('{l}/../secret.csv')
from read_csv('{l}/.versions/../../secret.csv')
from read_csv('{l}x/secret.csv')
from '{l}/leads_out.csv'
from read_text('{l}/folder_out/secret.csv')
from glob('{l}/folder_out/*')
from read_text('secret.csv')
from read_text('file:{o}/secret.csv')
from read_text(['{l}/TOY-2026.json', '{o}/secret.csv'])
from read_text('/proc/self/environ')
from parquet_metadata('{o}/secret.csv')
from sniff_csv('{o}/secret.csv')
select (select content from read_text('/etc/passwd'))
describe from read_csv('{o}/secret.csv')
from read_csv('http://localhost:1/a.csv')
from READERS
from os
with x as (copy protocol to '{l}/x') from x
with x as (copy protocol to '{l}/x') select 1
with x as materialized (copy protocol to '{l}/x') from x
with x as (copy protocol to '{l}/x' (format parquet)) from x
with x as (copy protocol to '{l}/x' (format parquet, partition_by (protocol))) from x
with x as (/**/CoPy/**/(from protocol)to'{l}/x') from x
(with x as (copy protocol to '{l}/x') from x)
with y as (with x as (copy protocol to '{l}/x') from x) from y
from (with x as (copy protocol to '{l}/x') from x)
select (with x as (copy protocol to '{l}/x') from x)
describe with x as (copy protocol to '{l}/x') from x
from query('with x as (copy protocol to ''{l}/x'') from x')
with x as (copy protocol to '{o}/x') from x
with x as (copy protocol to '/dev/stdout') from x
with x as (copy protocol from '{l}/x') from x
with x as (export database '{l}/x') from x
with x as (attach '{l}/x') from x
with x as (create table t as select 1) from x
with x as (set threads = 4) from x
with x as (checkpoint) from x
with x as (call pragma_version()) from x
with x as (insert into protocol default values returning *) from x
with x as materialized (delete from protocol returning *) from x
with x as (update protocol set penalty = 1 returning *) from x
with x as (truncate protocol) from x
from (insert into protocol default values returning *)
from (copy protocol to '{l}/x')
select (insert into protocol default values returning 1)
select * into outfile '{l}/x' from protocol
select * into x from protocol
from glob('{l}/**')
from glob('**')
from glob('')
select count(*) from glob('{l}/*'), protocol
from query('from gl' || 'ob(''{l}/*'')')
from read_text('')
from read_text(null)
from read_text(concat('/etc', '/passwd'))
from read_text((select '/etc/passwd'))
from read_text(getvariable('x'))
select (from read_text('/etc/passwd')).content
select list(content) from read_text(['/etc/passwd'])
select * from (values ('/etc/passwd')) p(f), read_text(f)
select * from (values ('/etc/passwd')) p(f), lateral read_text(p.f)
select * from (values ('/etc/passwd')) p(f), lateral (from read_text(f))
select list_transform(['/etc/passwd'], lambda x: (select content from read_text(x)))
with recursive r(f) as (select 'a' union all select content from read_text(f)) from r
values (1) union all (select 1 from read_text('/etc/passwd'))
from read_csv('{l}/*', union_by_name = true)
from read_duckdb('{l}/x.duckdb', table_name = 'x')
table '/etc/passwd'
from (table '{o}/secret.csv')
pivot '{o}/secret.csv' on a
unpivot '{o}/secret.csv' on a
summarize '{o}/secret.csv'
describe '{o}/secret.csv'
show '{o}/secret.csv'
from query('from read_text(''/etc/passwd'')')
from query('create table x as select 1')
from query('insert into protocol default values returning *')
from query('attach ''{o}/new.db'' as n')
from query('copy (select 1) to ''{l}/x''')
from query('select 1; copy (select 1) to ''{l}/x''')
from query('pragma database_list')
from query('set threads = 4')
from query_table('secret.csv')
from query_table(['protocol', '{o}/secret.csv'])
from json_execute_serialized_sql(json_serialize_sql('copy (select 1) to ''{l}/x'''))
from json_execute_serialized_sql(json_serialize_sql('from read_text(''/etc/passwd'')'))
pragma json_execute_serialized_sql(json_serialize_sql('select 1'))
explain select 1
explain analyze select 1
explain copy (select 1) to '{l}/x'
explain analyze copy (select 1) to '{l}/x'
explain export database '{l}/x'
explain analyze export database '{l}/x'
export database '{l}/x'
export database '{l}/x' (format parquet)
export database '{o}/x'
import database '{l}'
copy protocol to '{l}/x'
copy protocol to '{l}/x' (format parquet)
copy protocol from '{l}/TOY-2026.json'
copy database memory to memory
copy (from read_text('/etc/passwd')) to '{l}/x'
attach '{l}/new.db'
attach ':memory:' as m
attach 'http://127.0.0.1:1/x.db' as n
detach memory
create table x as select 1
create table x as from read_text('{o}/secret.csv')
create or replace temp view protocol as select 1
create or replace view raw_run as select 1
create or replace macro mean_of(x) as 1
create type t as enum ('a')
create sequence s
create schema s
create secret (type http)
create function f() as 1
create index i on protocol(protocol)
create trigger t after insert on protocol execute select 1
alter table protocol add column x int
alter view raw_run rename to r
drop view raw_run
drop table protocol
truncate protocol
merge into protocol using protocol p on false when not matched then insert
comment on table protocol is 'x'
use memory.main
set search_path = 'x'
set session threads = 9
set local threads = 9
set global enable_external_access = true
set allowed_directories = ['/']
set allowed_paths = ['/etc/passwd']
set memory_limit = '100GB'
set temp_directory = '{o}'
set variable x = 'y'
set lock_configuration = false
reset lock_configuration
reset threads
pragma threads = 4
pragma memory_limit = '1GB'
pragma import_database('{o}')
pragma copy_database('memory', 'x')
pragma enable_profiling = 'json'
pragma profile_output = '{l}/x'
pragma add_parquet_key('k', '0123456789112345')
call duckdb_settings()
call checkpoint()
call force_checkpoint()
call enable_logging(storage = 'file', storage_path = '{l}/x')
from enable_logging(storage = 'file', storage_path = '{l}/x')
from enable_logging('QueryLog')
from enable_profiling()
from enable_profiling(save_location = '{l}/x')
from enable_profiling(save_location = '{o}/x')
from disable_logging()
from force_checkpoint()
from create_external_resource('file', '{o}/x')
from register_external_resource('a', 'b')
from register_external_resource_type('a')
from deregister_external_resource('a')
from destroy_external_resource('a')
from duckdb_secrets()
from duckdb_extensions()
from which_secret('s3://x', 's3')
load json
install json
force install httpfs from 'http://127.0.0.1:1/'
load '{l}/x.duckdb_extension'
update extensions (httpfs)
vacuum analyze
analyze
checkpoint
force checkpoint
prepare p as copy (select 1) to '{l}/x'
prepare p as select 1
execute p(1)
execute immediate 'select 1'
deallocate p
declare c cursor for select 1
begin transaction
commit
rollback
commit; select 1
rollback; copy (select 1) to '{l}/x'
select 1; select 2
select 1; drop view raw_run
select 1 -- ;\n; select 2
/* select 1 */ copy protocol to '{l}/x'
;
-- nothing
select $1
select ?
select $name
select 1\0; drop view raw_run
from secret.csv
from "secret.csv"
from secret
from con
from frame
from outside
from sys.argv
from __main__.con
from python.frame
from arrow_scan(1, 2, 3)
from arrow_scan_dumb(1, 2, 3)
from arrow_scan(1::pointer, 2::pointer, 3::pointer)
from python_arrow_scan(1, 2, 3)
from python_map_function(1)
from python_map_function(1::pointer)
from pandas_scan(1)
from pandas_scan(1::pointer)
from seq_scan('protocol')
select getenv('HOME')
select "getenv"('HOME')
select system.main.getenv('HOME')
select env('HOME')
select system('id')
select set_config('threads', '4')
select read_text('/etc/passwd')
select pg_read_file('/etc/passwd')
select lo_import('/etc/passwd')
select load_extension('x')
select http_get('http://127.0.0.1:1')
from http_get('http://127.0.0.1:1')
from postgres_query('a', 'b')
from postgres_scan('', 'public', 't')
from mysql_query('a', 'b')
from sqlite_attach('{o}/x.db')
from load_aws_credentials()
from dbgen(sf = 1)
select st_geomfromtext('POINT(1 1)')
select add_parquet_key('k', '0123456789112345')
select nextval('s')
select error('x')
select interval 1 day
select [interval 1 day]
from test_all_types() limit 0
select union_value(a := 1)
select json_deserialize_sql(json_serialize_sql('copy protocol to x'))
""".strip().splitlines()
HARMLESS = r"""
select 'copy x to y', "copy" from (select 1 as "copy")
with copy as (select 1) from copy
select $$a; copy protocol to 'x'$$
select E'\x27; copy protocol to x'
;;select 1;;
select 1;-- x
select 1 /* ; */
from checkpoint()
from read_text([])
from duckdb_settings()
from duckdb_logs()
from duckdb_databases()
from duckdb_temporary_files()
from duckdb_external_resources()
from information_schema.tables
from sqlite_master
select write_log('x', log_type := 'QueryLog')
select parse_path('/etc/passwd')
select json_serialize_plan('from read_text(''/etc/passwd'')')
select current_setting('temp_directory'), current_setting('secret_directory')
from read_parquet('{l}/run/*/*.parquet', filename = true)
from read_csv('{l}/TOY-2026.json', store_rejects = true)
from sniff_csv('{l}/TOY-2026.json')
select printf('%n', 1), format('{}', 1)
""".strip().splitlines()


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with secrets and a pipe, a lake in it, and links out of the lake."""
    folder = tmp_path_factory.mktemp("outside")
    for name in ("", "lakex", ".tmp"):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "secret.csv").write_text("a,b\nhidden,2\n")
    os.mkfifo(folder / "fifo")
    ae.import_scenarios([ROOT / "scenarios" / "TOY-2026"], into=folder / "lake")
    (folder / "lake" / "leads_out.csv").symlink_to(folder / "secret.csv")
    (folder / "lake" / "folder_out").symlink_to(folder)
    return folder


@pytest.fixture(scope="module")
def con(outside: Path) -> duckdb.DuckDBPyConnection:
    return open_lake(outside / "lake").connect(confined=True).con


@pytest.fixture(autouse=True)
def unchanged(outside: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No file comes or goes, in the lake, beside it or in the current folder."""
    monkeypatch.chdir(outside)
    before = listing(outside)
    yield
    assert listing(outside) == before


def listing(folder: Path) -> list[tuple[Path, int]]:
    return sorted((p, p.lstat().st_size) for p in folder.rglob("*"))


def filled(sql: str, outside: Path) -> str:
    text = sql.replace("{l}", f"{outside}/lake").replace("{o}", str(outside))
    return text.replace(r"\0", "\0").replace(r"\n", "\n")


def answer(con: duckdb.DuckDBPyConnection, sql: str) -> str:
    """The rows of a query, or its error, as text."""
    try:
        return str(select(con, sql).rows())
    except ae.AslibError as error:
        return str(error)


@pytest.mark.slow
@pytest.mark.parametrize("reader", [*READERS, "'", '"'])
def test_no_function_reads_outside(reader: str, outside: Path, con: duckdb.DuckDBPyConnection) -> None:
    """Nothing comes back: an error, or no row where a pattern matches nothing."""
    for place in PLACES:
        path = filled(place, outside)
        call = f"{reader}{path}{reader}" if len(reader) == 1 else f"{reader}('{path}')"
        shown = answer(con, f"from {call}")
        assert "hidden" not in shown
        assert "root:" not in shown
        assert (call, shown.startswith("query") or shown == "[]") == (call, True)


@pytest.mark.parametrize("sql", ["select '\udc80'", *REFUSED, "\uff53\uff45\uff4c\uff45\uff43\uff54 1"])
def test_is_refused(sql: str, outside: Path, con: duckdb.DuckDBPyConnection) -> None:
    frame = con.sql("select 1 as a").pl()
    with pytest.raises(ae.AslibError) as caught:
        select(con, filled(sql, outside))
    assert str(caught.value).startswith("query")
    assert "hidden" not in str(caught.value)
    assert select(con, "select count(*) from protocol").rows() == [(frame.height,)]


@pytest.mark.parametrize("sql", HARMLESS)
def test_is_harmless(sql: str, outside: Path, con: duckdb.DuckDBPyConnection) -> None:
    shown = str(select(con, filled(sql, outside)).rows())
    assert "hidden" not in shown
    assert "root:" not in shown
    assert str(Path.home()) not in shown
