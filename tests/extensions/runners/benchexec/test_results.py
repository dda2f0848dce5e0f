"""Results of BenchExec: a real run of it, and tiny files with every fault."""

from __future__ import annotations

import bz2
import gzip
import json
import re
import shutil
import time
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import aslib_eval as ae
from aslib_eval.cli import main
from aslib_eval.database.open_lake import open_lake
from aslib_eval.errors import ScenarioError
from aslib_eval.extensions.runners.benchexec_table import category_of
from aslib_eval.formats.registry import locate
from aslib_eval.linter import check_paths
from tests.conftest import opened, rows, write_scenario

# A run of BenchExec 3.35, without a word of the machine; TABLE is what its table-generator made.
NUMBERS = Path(__file__).parent / "numbers"
TABLE = NUMBERS / "numbers.table.csv"
RUNS = """
    select instance_id, repetition, algorithm, measure, value, runstatus
    from raw_run order by all
"""
STATISTIC = re.compile(
    r"\\StoreBenchExecResult\{Numbers\}\{(\w+)\}\{(\w+)\}\{(\w+)\}\{(\w*)\}"
    r"\{(Count|Sum)\}\{([\d.]+)\}%"
)


def lake_of(path: Path, into: Path, **choices: Any) -> Path:
    """The lake of what lies at a path."""
    (done,) = ae.import_scenarios([path], into=into, **choices)
    if done.error is not None:
        raise done.error
    return into


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lake_of(NUMBERS, tmp_path_factory.mktemp("numbers") / "lake")


# What BenchExec itself says of its run.


def statistics() -> dict[tuple[str, str, str, str], Decimal]:
    """(solver, column, category, Count or Sum) → value, as table-generator wrote it."""
    text = (NUMBERS / "numbers.table.statistics.tex").read_text()
    return {
        (f"Primality 1.0 {name.lower()}", column.lower(), category, kind): Decimal(value)
        for name, column, category, status, kind, value in STATISTIC.findall(text)
        if not status
    }


def test_counts_and_sums_are_those_of_table_generator(numbers: Path) -> None:
    found: Counter[tuple[str, str, str, str]] = Counter()
    for _, _, solver, measure, value, status in rows(opened(numbers), RUNS):
        number = Decimal(repr(value))
        number = number.scaleb(-6) if measure == "memory" else number  # there in MB
        for category in ["All", *(["Correct"] if status == "ok" else [])]:
            found[solver, measure, category, "Sum"] += number  # type: ignore[assignment]
            if measure == "cputime":
                found[solver, "status", category, "Count"] += 1
    theirs = statistics()
    wrong = {key: value for key, value in theirs.items() if key[2] == "Wrong"}
    ours = {key: Decimal(value) for key, value in found.items()}
    assert len(ours) == 3 * (2 + 2 * 3)
    assert ours == {k: v for k, v in theirs.items() if k[2] in ("All", "Correct")}
    counts = {key[0]: value for key, value in wrong.items() if key[1] == "status"}
    assert counts == {"Primality 1.0 trial": 0, "Primality 1.0 fermat": 2, "Primality 1.0 sieve": 0}
    told = [f.message for f in check_paths(NUMBERS) if f.code == "runs-wrong"]
    assert told == [
        (
            "Primality 1.0 fermat gave a wrong answer in 2 runs: not solved"
            " (tasks/small/n341.yml:prime, tasks/small/n561.yml:prime)"
        )
    ]


def test_the_files_say_limits_verdicts_families_and_options(numbers: Path) -> None:
    con = opened(numbers)
    about = """
        select scenario_id, measure, measure_type, maximize, cutoff, cutoff_memory,
            time_unit
        from raw_scenario order by measure_index
    """
    assert rows(con, about) == [
        ("numbers", "cputime", "runtime", False, 2.0, 3e8, "s"),
        ("numbers", "walltime", "runtime", False, 2.0, 3e8, "s"),
        ("numbers", "memory", "solution_quality", False, 2.0, 3e8, "s"),
    ]
    labels = """
        select attribute, value from raw_attribute
        where instance_id = 'tasks/squares/n49.yml:squarefree' order by all
    """
    assert rows(con, labels) == [
        ("family", "tasks/squares"),
        ("ground_truth", "false(square)"),
        ("property", "squarefree"),
    ]
    options = "select algorithm, configuration from raw_algorithm order by all"
    assert rows(con, options) == [(f"Primality 1.0 {name}", name) for name in ("fermat", "sieve", "trial")]
    zero = "select count(*) from raw_attribute where instance_id like '%n0.yml%'"
    assert rows(con, zero) == [(2,)]  # it has no expected verdict


def test_the_table_gives_the_runs_of_the_files(numbers: Path, tmp_path: Path) -> None:
    table = lake_of(TABLE, tmp_path / "lake", cutoff=2)
    for query in (
        RUNS,
        "select solver, par10, solved from solver_score order by all",
        "select * exclude scenario_id from raw_attribute order by all",
    ):
        assert open_lake(table).rows(query) == open_lake(numbers).rows(query)
    said = [f for f in check_paths(TABLE) if f.severity == "error"]
    assert [f.code for f in said] == ["runs-cutoff"]  # a table has no limits


def test_a_file_of_a_task_set_is_not_counted_twice() -> None:
    said = [f.message for f in check_paths(NUMBERS) if "counted once" in f.message]
    assert len(said) == 1
    assert said[0].startswith("3 runs also in ")


@pytest.mark.parametrize(
    ("by", "sizes"),
    [
        ("property", {"prime": 16, "squarefree": 3}),
        ("family", {"tasks/huge": 3, "tasks/large": 4, "tasks/small": 6, "tasks/squares": 6}),
    ],
)
def test_a_column_makes_several_scenarios(tmp_path: Path, by: str, sizes: dict[str, int]) -> None:
    done = ae.import_scenarios([NUMBERS], into=tmp_path / "lake", column=[f"scenario={by}"])
    found = {each.scenario_id: dict(each.rows).get("run") for each in done}
    assert found == {name: 9 * size for name, size in sizes.items()}


def test_wall_time_can_be_the_primary_measure(tmp_path: Path) -> None:
    lake = lake_of(NUMBERS, tmp_path, column=["time=walltime", "ignore=memory"])
    query = "select measure from raw_scenario order by measure_index"
    assert rows(opened(lake), query) == [("walltime",), ("cputime",)]


# Literal files.

HEAD = """\
<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE result
  PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 3.12//EN'
  'https://www.sosy-lab.org/benchexec/result-3.12.dtd'>
"""


def results(*runs: str, tool: str = "ant", **about: str) -> str:
    """A results file whose runs begin in line 6, a run a line."""
    given = {
        "benchmarkname": "b",
        "tool": tool,
        "version": "1",
        "name": "d",
        "starttime": "2026-01-01T00:00:00",
        "timelimit": "60s",
        **about,
    }
    root = " ".join(f'{name}="{value}"' for name, value in given.items())
    return f"{HEAD}<result {root}>\n" + "\n".join([*runs, "</result>\n"])


def run(
    task: str,
    status: str = "true",
    category: str = "correct",
    time: str = "1.5s",
    *,
    expected: str = "true",
    more: str = "",
) -> str:
    columns = {"status": status, "category": category, "cputime": time}
    written = "".join(
        f'<column title="{title}" value="{value}"/>' for title, value in columns.items() if value
    )
    verdict = f' properties="p" expectedVerdict="{expected}"' if expected else ""
    return f'<run name="{task}" files="[{task}]"{verdict}>{written}{more}</run>'


def put(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"x.results.{name}.xml").write_text(text)
    return folder


def said(path: Path, *codes: str, **choices: Any) -> list[str]:
    """``file:line: message`` of the findings of these codes, else of all errors."""
    return [
        f"{Path(f.file).name.removeprefix('x.results.')}:{f.line}: {f.message}"
        for f in check_paths(path, **choices)
        if (f.code in codes if codes else f.severity == "error")
    ]


def runs_of(folder: Path, **choices: Any) -> list[tuple[Any, ...]]:
    return rows(opened(lake_of(folder, folder.parent / "lake", **choices)), RUNS)


def test_every_category_and_status(tmp_path: Path) -> None:
    runs = [
        run("a"),
        run("b", "false", "wrong"),
        run("c", "unknown", "unknown"),
        run("d", "TIMEOUT", "error", "61.2s"),
        run("e", "TIMEOUT (true)", "error", "60.2s"),
        run("f", "OUT OF MEMORY", "error"),
        run("g", "OUT OF JAVA MEMORY", "error"),
        run("h", "SEGMENTATION FAULT", "error"),
        run("i", "done", "missing", expected=""),
        run("j", "true", "correct-unconfirmed"),
    ]
    folder = put(tmp_path / "r", ant=results(*runs))
    found = {row[0]: (row[4], row[5]) for row in runs_of(folder)}
    assert found == {
        "a": (1.5, "ok"),
        "b": (1.5, "wrong"),
        "c": (1.5, "other"),
        "d": (61.2, "timeout"),
        "e": (60.2, "timeout"),
        "f": (1.5, "memout"),
        "g": (1.5, "memout"),
        "h": (1.5, "crash"),
        "i": (1.5, "other"),
        "j": (1.5, "other"),
    }
    assert said(folder, "runs-wrong", "runs-unjudged", "runs-verdict") == [
        ("ant.xml:14: ant 1 d gave an answer that was not judged in 1 run: not solved (i)"),
        ("ant.xml:15: ant 1 d gave an answer that was not confirmed in 1 run: not solved (j)"),
        "ant.xml:7: ant 1 d gave a wrong answer in 1 run: not solved (b)",
    ]
    (folder / "scenario.toml").write_text('[status]\nmissing = "ok"\n')
    assert ("i", 1, "ant 1 d", "runtime", 1.5, "ok") in runs_of(folder)


@pytest.mark.parametrize(
    ("status", "expected", "category"),
    [
        ("true", "true", "correct"),
        ("false", "true", "wrong"),
        ("false(unreach-call)", "false", "correct"),
        ("false(unreach-call)", "false(unreach-call)", "correct"),
        ("false(valid-deref)", "false(unreach-call)", "unknown"),
        ("false(square)", "true(square)", "wrong"),
        ("true", "false(unreach-call)", "wrong"),
        ("true", "", "missing"),
        ("done", "true", "missing"),
        ("unknown", "true", "unknown"),
        ("TIMEOUT (true)", "true", "error"),
        ("true(x)", "true", "error"),
        ("false()", "false", "correct"),
        ("falsex", "false", "error"),
    ],
)
def test_a_category_is_decided_as_benchexec_does(status: str, expected: str, category: str) -> None:
    assert category_of(status, expected) == category


def test_machines_stand_behind_the_options(tmp_path: Path) -> None:
    def host(name: str, cpu: str, system: str = '<os name="L 5"/>') -> str:
        about = f'{system}<cpu model="{cpu}"/><ram size="1B"/>'
        return f'<systeminfo hostname="{name}">{about}</systeminfo>'

    hosts = [host("h1", "X"), host("h2", "X"), host("h3", "Y", ""), host("h1", "X")]
    files = {
        "one": results(*hosts, run("a"), options="-q"),
        "two": results(host("h4", ""), run("a"), tool="bee"),
        "three": results(run("a"), tool="cat"),
    }
    lake = lake_of(put(tmp_path / "s", **files), tmp_path / "lake")
    said = "select algorithm, configuration from raw_algorithm order by all"
    assert rows(opened(lake), said) == [
        ("ant 1 d", "-q; 2 hosts: X, L 5; 1 host: Y"),
        ("bee 1 d", "1 host: L 5"),
        ("cat 1 d", None),
    ]


PACKERS = {"bz2": bz2.compress, "gz": gzip.compress, "": bytes}


@pytest.mark.parametrize("ending", list(PACKERS))
def test_packed_or_not(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"x.results.d.xml.{ending}".rstrip(".")
    path.write_bytes(PACKERS[ending](results(run("a"), run("b", time="2s")).encode()))
    lake = lake_of(path, tmp_path / "lake")
    assert [row[4] for row in rows(opened(lake), RUNS)] == [1.5, 2.0]


def test_a_second_execution_is_a_repetition(tmp_path: Path) -> None:
    later = results(run("a", time="2s"), starttime="2026-01-02T00:00:00")
    folder = put(tmp_path / "r", one=later, two=results(run("a", time="1s")))
    assert runs_of(folder) == [
        ("a", 1, "ant 1 d", "runtime", 1.0, "ok"),
        ("a", 2, "ant 1 d", "runtime", 2.0, "ok"),
    ]


def test_executions_with_the_same_values_are_two_if_they_began_twice(tmp_path: Path) -> None:
    again = results(run("a"), starttime="2026-01-02T00:00:00")
    folder = put(tmp_path / "r", one=results(run("a")), two=again)
    assert [row[1] for row in runs_of(folder)] == [1, 2]


def test_options_tell_algorithms_apart_that_have_one_name(tmp_path: Path) -> None:
    files = {"one": results(run("a"), options="-k 1"), "two": results(run("a"))}
    folder = put(tmp_path / "r", **files)
    assert [row[2] for row in runs_of(folder)] == ["ant 1 d [-k 1]", "ant 1 d []"]


def test_another_benchmark_tool_or_version_is_another_algorithm(tmp_path: Path) -> None:
    """Only what files say is the same is a repetition: these are four algorithms."""
    later = "2026-01-02T00:00:00"
    files = {
        "one": results(run("a"), benchmarkname="eager"),
        "two": results(run("a"), benchmarkname="lazy", starttime=later),
        "three": results(run("a"), benchmarkname="lazy", version="2", starttime=later),
        "four": results(run("a"), benchmarkname="lazy", tool="bee", starttime=later),
    }
    found = [row[1:3] for row in runs_of(put(tmp_path / "r", **files))]
    names = ["ant 1 eager d", "ant 1 lazy d", "ant 2 d", "bee 1 d"]
    assert found == [(1, name) for name in names]


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ('<column title="cputime" value="1.5s"/>', None),
        ('<column title="cputime" value="1.6s"/>', "'1.5s' and '1.6s'"),
        ('<column title="memory" value="7B"/><column title="memUsage" value="8"/>', "B"),
    ],
)
def test_a_column_that_comes_twice_is_one_if_it_is_equal(
    tmp_path: Path, more: str, error: str | None
) -> None:
    found = said(put(tmp_path / "r", one=results(run("a", more=more))))
    assert not found if error is None else error in found[0]


def test_memory_has_another_name_in_old_files(tmp_path: Path) -> None:
    old = run("a", more='<column title="memUsage" value="806817792"/>')
    folder = put(tmp_path / "r", one=results(old))
    assert ("a", 1, "ant 1 d", "memory", 806817792.0, "ok") in runs_of(folder)
    assert said(folder, "runs-others") == []


def test_results_in_nested_folders_are_one_scenario(tmp_path: Path) -> None:
    for where, tool in (("ant", "ant"), ("deep/er", "bee")):
        (tmp_path / "r" / where).mkdir(parents=True)
        put(tmp_path / "r" / where, d=results(run("/a"), tool=tool))
    (tmp_path / "r" / "__MACOSX").mkdir()
    assert [row[2] for row in runs_of(tmp_path / "r")] == ["ant 1 d", "bee 1 d"]
    # Beside other folders they are found as well; one with settings is its own.
    put(tmp_path / "docs")
    done = ae.import_scenarios([tmp_path], into=tmp_path / "other")
    assert [each.scenario_id for each in done if each.status == "imported"] == ["b"]
    (tmp_path / "r" / "ant" / "scenario.toml").write_text('scenario_id = "mine"')
    done = ae.import_scenarios([tmp_path / "r"], into=tmp_path / "third")
    assert [each.scenario_id for each in done] == ["mine", "b"]


@pytest.mark.parametrize("bomb", ["<!--{}-->", "<result x='{}'>", "<?x {}?>", "<!DOCTYPE r SYSTEM '{}'>"])
def test_a_tag_or_comment_without_end_is_refused_at_once(tmp_path: Path, bomb: str) -> None:
    text = bomb.format("x>" * (8 << 20))
    path = tmp_path / "x.results.d.xml.gz"
    path.write_bytes(gzip.compress(f"{text}<result/>".encode(), compresslevel=1))
    started = time.process_time()
    (found,) = said(tmp_path)
    assert "longer than 1 MiB" in found or "is not XML" in found
    assert time.process_time() - started < 40  # 16 MiB take minutes where they are read anew


def test_names_of_tasks_do_not_depend_on_where_the_files_lay(tmp_path: Path) -> None:
    files = {
        "one": results(run("../t/a.yml"), run("../t/./b.yml")),
        "two": results(run("../t/a.yml"), run("../t/b.yml"), tool="bee"),
    }
    assert [row[0] for row in runs_of(put(tmp_path / "r", **files))] == [*["t/a.yml"] * 2, *["t/b.yml"] * 2]


def test_files_of_old_versions(tmp_path: Path) -> None:
    runs = [
        run("a.smt2", "sat", expected=""),
        run("b.smt2", "ERROR", "error", expected=""),
        run("c.smt2", "sat", "missing", expected=""),
    ]
    text = results(*runs, timelimit="10 s", memlimit="100 MB").replace(HEAD, "")
    folder = put(tmp_path / "r", old=text)
    assert [row[5] for row in runs_of(folder)] == ["ok", "crash", "other"]
    con = opened(tmp_path / "lake")
    assert rows(con, "select cutoff, cutoff_memory from raw_scenario") == [(10.0, 1e8)]
    assert said(folder, "runs-verdict") == []
    put(folder, old=results(run("a", "TIMEOUT", expected=""), run("b", "false")))
    assert said(folder, "runs-verdict") == [
        "old.xml:6: 'TIMEOUT' is correct in the file, but should be error",
        "old.xml:7: 'false' is correct in the file, but should be wrong by the expected verdict 'true'",
    ]


# All findings in one pass.


def test_what_is_wrong_with_runs_is_told_at_once(tmp_path: Path) -> None:
    one = results(
        run("a"),
        run("a"),
        run("b", time="1.5"),
        run("c", time="1.5ms"),
        run("d", time="-1s"),
        run("e", category="corect"),
        run("f", time=""),
        run("g", status="", category="", time=""),
        run("h", time="1e999s"),
        '<run name="i"/>',
    )
    two = results(*map(run, "abcdefgh"), tool="bee")
    assert said(put(tmp_path / "r", one=one, two=two)) == [
        "one.xml:13: g has no status: the benchmark was interrupted",
        "one.xml:15: i has no status: the benchmark was interrupted",
        "one.xml:8: ant 1 d on b has the time '1.5 (without s)', which is not a number",
        "one.xml:9: ant 1 d on c has the time '1.5ms', which is not a number",
        "one.xml:14: ant 1 d on h has the time '1e999', which is not a number",
        "one.xml:10: ant 1 d on d is ok after -1",
        "one.xml:12: ant 1 d on f is ok, but its time is ''",
        "one.xml:11: cannot interpret the status 'corect: true' (1 run)",
    ]


def test_runs_that_are_missing_or_there_twice_are_told_at_once(tmp_path: Path) -> None:
    files = {"one": results(run("a"), run("a")), "two": results(*map(run, "aab"), tool="bee")}
    assert sorted(said(put(tmp_path / "r", **files))) == [
        "one.xml:7: x.results.one.xml:6 already has a run of 'ant 1 d' on 'a'; the rows are equal",
        "two.xml:7: x.results.two.xml:6 already has a run of 'bee 1 d' on 'a'; the rows are equal",
        "two.xml:8: ant 1 d has 0 of 1 runs on b",
    ]


def test_different_limits_are_a_finding(tmp_path: Path) -> None:
    files = {
        "one": results(run("a"), memlimit="1000B"),
        "two": results(run("a"), tool="bee", timelimit="900s", memlimit="2000B"),
    }
    folder = put(tmp_path / "r", **files)
    assert said(folder, "runs-cutoff", "runs-memory") == [
        (
            "two.xml:5: the time limit was 900 s for bee 1 d and 60 s for ant 1 d:"
            " their runs cannot be compared"
        ),
        "two.xml:5: the memory limits differ (1000B and 2000B), so no cutoff_memory is stored",
    ]
    assert said(folder, cutoff=100) == [
        "one.xml:5: the time limit of ant 1 d was 60 s, less than the cutoff 100"
    ]
    assert said(folder, cutoff=60) == []
    assert [row[4] for row in runs_of(folder, cutoff=50)] == [1.5, 1.5]


def test_an_execution_that_did_not_end(tmp_path: Path) -> None:
    folder = put(tmp_path / "r", one=results(run("a"), error="interrupted"))
    assert said(folder, "runs-incomplete") == ["one.xml:5: BenchExec calls this execution 'interrupted'"]
    put(folder, one=results(run("a"), '<run name="b"/>', error="incomplete"))
    (folder / "scenario.toml").write_text('[status]\nunfinished = "crash"\n')
    assert said(folder) == []


BOMB = (
    '<!DOCTYPE result [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>\n'
    '<result tool="&b;" benchmarkname="b"/>'
)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (BOMB, "1: contains an XML entity that BenchExec never writes"),
        (BOMB.replace("&", "&amp;"), "1: declares its own entities or elements"),
        (results(run("a", time="1&nbsp;5s")), "6: contains an XML entity that BenchExec never writes"),
        (results(run("a"))[:-12], "6: is not XML (unclosed token)"),
        (results(run("a")).replace("</run>", ""), "7: is not XML (mismatched tag)"),
        (results(run("a")) + "x", "8: is not XML (junk after document element)"),
        (HEAD + "<table/>", "5: is not a results file: its root is 'table'"),
        (HEAD + "<result/>", "5: is not a results file: it does not name the tool"),
        (results("<run/>"), "6: the run has no name"),
        (results('<sourcefile name="a"/>'), "6: is from a BenchExec before 1.0"),
        ("", "1: is not XML (no element found)"),
    ],
)
def test_a_file_that_cannot_be_read(tmp_path: Path, content: str, message: str) -> None:
    assert said(put(tmp_path / "r", bad=content, good=results(run("a")))) == [f"bad.xml:{message}"]


def test_a_document_type_is_never_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.socket", None)
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY a "leaked">')
    text = results(run("a")).replace("https://www.sosy-lab.org/benchexec/result-3.12.dtd", secret.as_uri())
    assert len(runs_of(put(tmp_path / "r", one=text))) == 1


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["bz2", "gz"])
def test_a_packed_file_that_is_damaged(tmp_path: Path, ending: str) -> None:
    pack = PACKERS[ending]
    packed = pack(results(*(run(f"t{n}", time=f"{n}s") for n in range(99))).encode())
    name = f"x.results.d.xml.{ending}"
    (tmp_path / name).write_bytes(packed[: len(packed) // 2])
    (cut,) = said(tmp_path)
    assert cut.endswith("is cut off and cannot be unpacked")
    (tmp_path / name).write_bytes(packed[:100] + b"?" + packed[101:])
    (damaged,) = said(tmp_path)
    assert "cannot be unpacked" in damaged
    (tmp_path / name).write_bytes(pack(bytes(100 << 20)))
    (bomb,) = said(tmp_path)
    assert bomb.endswith("cannot be unpacked (unpacked, it is larger than any results file)")


# Tables.

CSV = "tool\tant 1\tant 1\nrun set\td\td\nt/\tstatus\tcputime (s)\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (CSV, "1: has no row for a task"),
        (CSV + "a\ttrue\n", "4: has 2 cells instead of 3"),
        (CSV.replace("(s)", "(min)") + "a\ttrue\t1\n", "3: cputime is in min"),
        (CSV.replace("status", "host") + "a\tx\t1\n", "3: a run set has no column"),
        (CSV + "a\ttrue\t1\n", "None: the table has no categories and no expected verdicts"),
    ],
)
def test_a_table_that_cannot_be_read(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "b.table.csv"
    path.write_text(text)
    assert said(path, cutoff=60)[0].startswith(f"b.table.csv:{message}")


def test_a_table_with_a_category_needs_no_verdicts(tmp_path: Path) -> None:
    path = tmp_path / "b.table.csv"
    head = CSV.replace("cputime (s)", "category\tcputime (s)")
    head = head.replace("ant 1\tant 1", "ant 1\tant 1\tant 1").replace("d\td", "d\td\td")
    path.write_text(head + "a\ttrue\twrong\t1\nb\tfalse\tcorrect\t2\n")
    lake = lake_of(path, tmp_path / "lake", cutoff=60)
    assert rows(opened(lake), RUNS) == [
        ("t/a", 1, "ant 1 d", "runtime", 1.0, "wrong"),
        ("t/b", 1, "ant 1 d", "runtime", 2.0, "ok"),
    ]


def test_results_in_the_folder_of_a_scenario_are_not_runs_of_it(tmp_path: Path) -> None:
    folder = put(tmp_path / "S", e=results(run("a")))
    assert [each.format.name for each in locate(folder)] == ["benchexec"]
    write_scenario(folder, runs=[("i1", 1, "A", 1, "ok")])
    assert [each.format.name for each in locate(folder)] == ["aslib"]


def test_run_sets_of_two_tools_may_begin_with_other_columns(tmp_path: Path) -> None:
    path = tmp_path / "b.table.csv"
    tools = "tool" + "\tant 1" * 3 + "\tbee 1" * 3
    names = "t/\tstatus\tcategory\tcputime (s)\tcputime (s)\tstatus\tcategory"
    row = "a\ttrue\tcorrect\t1\t2\ttrue\tcorrect"
    path.write_text("\n".join([tools, "run set" + "\td" * 6, names, row, ""]))
    lake = lake_of(path, tmp_path / "lake", cutoff=60)
    found = [(row[2], row[4]) for row in rows(opened(lake), RUNS)]
    assert found == [("ant 1 d", 1), ("bee 1 d", 2)]


def test_run_sets_of_one_tool_and_name_are_two_executions(tmp_path: Path) -> None:
    path = tmp_path / "b.table.csv"
    names = "\tstatus\tcategory\tcputime (s)"
    head = ["tool" + "\tant 1" * 6, "run set" + "\td" * 6, "t/" + names * 2]
    row = "a\ttrue\tcorrect\t1\ttrue\tcorrect\t2"
    path.write_text("\n".join([*head, row, ""]))
    lake = lake_of(path, tmp_path / "lake", cutoff=60)
    assert [(row[1], row[4]) for row in rows(opened(lake), RUNS)] == [(1, 1), (2, 2)]


MEMORY = """tool\tant 1\tant 1\tant 1\tant 1\tant 1
run set\td\td\td\td\td
t/\tstatus\tcategory\tcputime (s)\t{}\tcputime (s)
a\ttrue\tcorrect\t1\t{}\t{}
"""


@pytest.mark.parametrize(
    ("title", "cell", "again", "found"),
    [
        ("memory", "128030000", "1", 128030000.0),
        ("memUsage", "128030000", "1", 128030000.0),
        ("memory (MB)", "128.03", "1", 128030000.0),
        ("memory (GiB)", "1", "1", "3: memory is in GiB"),
        ("memory", "1", "2", "4: the run has two values of cputime (s), '1' and '2'"),
    ],
)
def test_memory_without_a_unit_is_in_bytes_and_equal_columns_are_one(
    tmp_path: Path, title: str, cell: str, again: str, found: object
) -> None:
    path = tmp_path / "b.table.csv"
    path.write_text(MEMORY.format(title, cell, again))
    if isinstance(found, str):
        assert said(path, cutoff=60)[0] == f"b.table.csv:{found}"
        return
    lake = lake_of(path, tmp_path / "lake", cutoff=60)
    assert [row[3:5] for row in rows(opened(lake), RUNS)] == [("memory", found), ("runtime", 1.0)]


def test_tables_beside_results_are_not_read_as_well(tmp_path: Path) -> None:
    folder = put(tmp_path / "r", one=results(run("a")))
    shutil.copy(TABLE, folder)
    (done,) = ae.import_scenarios([folder], into=tmp_path / "lake")
    assert (done.status, done.scenario_id) == ("imported", "b")
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(TABLE, alone)
    shutil.copy(TABLE, alone / "numbers.diff.csv")
    with pytest.raises(ScenarioError, match="no cutoff is given"):
        lake_of(alone, tmp_path / "other")


def test_an_archive_of_results_or_of_a_table(tmp_path: Path) -> None:
    whole = shutil.make_archive(str(tmp_path / "whole"), "zip", NUMBERS)
    only = tmp_path / "only"
    only.mkdir()
    shutil.copy(TABLE, only)
    table = shutil.make_archive(str(tmp_path / "table"), "zip", only)
    lake = tmp_path / "lake"
    for path, choices in ((whole, {}), (table, {"cutoff": 2})):
        (done,) = ae.import_scenarios([path], into=lake, **choices)
        assert (done.status, done.scenario_id) == ("imported", "numbers")
        assert dict(done.rows)["run"] == 3 * 57


@pytest.mark.parametrize(("folder", "key"), [("benchexec15_twice", None), ("btor2c", "btor2c_esbmc")])
def test_real_files_have_the_numbers_of_their_owners(
    shared: Path, tmp_path: Path, folder: str, key: str | None
) -> None:
    real = shared / "competitions" / "real-files"
    lake = tmp_path / "lake"
    command = ["import", str(real / folder), "--lake", str(lake)]
    done = CliRunner().invoke(main, command, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    expected = json.loads((real / "expected.json").read_text())[key or folder]
    sql = """select algorithm, count(*) as n, count(*) filter (runstatus = 'ok'),
            avg(if(runstatus = 'ok', value, 2 * cutoff))
        from raw_run join raw_scenario using (scenario_id, measure)
        where measure in ('runtime', 'cputime') group by all order by all"""
    found = [[n, ok, par2] for _, n, ok, par2 in ae.query(sql, lake=lake).rows()]
    assert found == [pytest.approx(each) for each in expected.values()]


@pytest.mark.parametrize(("n", "more"), [(10, ""), (11, " and 1 more")])
def test_unjudged_answers_beyond_ten_are_counted(tmp_path: Path, n: int, more: str) -> None:
    runs = [run(f"t{at:02}", "done", "missing", expected="") for at in range(n)]
    (told,) = said(put(tmp_path / "r", ant=results(*runs)), "runs-unjudged")
    first_ten = ", ".join(f"t{at:02}" for at in range(10))
    assert told.endswith(f"in {n} runs: not solved ({first_ten}{more})")
