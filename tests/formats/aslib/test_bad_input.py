"""Mutations of real files: the same meaning, or an error that names the file.

Nothing else may come of them: no other exception, no warning (pytest turns those into errors), no change to
the lake. What cannot be noticed is not tried: a cut inside the last number of a file, a number that becomes
another one, a sparse row (which ARFF
fills with zeros).
"""

from __future__ import annotations

import gzip
import hashlib
import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

import aslib_eval as ae

pytestmark = pytest.mark.slow

SCENARIOS = ("MIP-2016", "CPMP-2015", "CSP-Minizinc-Obj-2016", "OPENML-WEKA-2017")
FILES = {
    "MIP-2016": ("algorithm_runs", "cv", "feature_costs", "feature_values"),
    "CPMP-2015": ("algorithm_runs", "algorithm_runs_test", "feature_runstatus"),
    "CSP-Minizinc-Obj-2016": ("algorithm_runs", "cv", "feature_runstatus"),
    "OPENML-WEKA-2017": ("algorithm_runs", "cv", "feature_values"),
}
Mutation = Callable[[bytes, random.Random], bytes]
Meaning = dict[str, tuple[int, int]]


# --- what a file becomes -------------------------------------------------------------


def split(content: bytes) -> tuple[list[bytes], list[bytes]]:
    """Lines of the header with @DATA, and the rows; comments and blanks are gone."""
    lines = content.splitlines(keepends=True)
    at = next(n for n, x in enumerate(lines) if x.upper().startswith(b"@DATA"))
    rows = [x for x in lines[at + 1 :] if x.strip() and not x.startswith(b"%")]
    return lines[: at + 1], rows


def stripped(content: bytes) -> bytes:
    """The content without comments and blanks behind @DATA."""
    head, rows = split(content)
    return b"".join([*head, *rows])


Change = Callable[[list[bytes], random.Random], list[bytes]]


def in_rows(change: Change) -> Mutation:
    """A mutation of the rows."""

    def mutate(content: bytes, rng: random.Random) -> bytes:
        head, rows = split(content)
        return b"".join([*head, *change(rows, rng)])

    return mutate


def in_row(change: Change) -> Mutation:
    """A mutation of the cells of one row, in the middle of the file."""

    def changed(rows: list[bytes], rng: random.Random) -> list[bytes]:
        at = rng.randrange(1, len(rows) - 1)
        rows[at] = b",".join(change(rows[at].rstrip(b"\n").split(b","), rng)) + b"\n"
        return rows

    return in_rows(changed)


def cell(at: int, value: bytes) -> Mutation:
    """A mutation that puts the value in one cell."""
    return in_row(lambda cells, _: [*cells[:at], value, *cells[at:][1:]])


def in_attributes(change: Change) -> Mutation:
    """A mutation of the lines that declare the columns."""

    def mutate(content: bytes, rng: random.Random) -> bytes:
        head, rows = split(content)
        declared = [x for x in head if x.upper().startswith(b"@ATTRIBUTE")]
        first = head.index(declared[0])
        rest = [x for x in head[first:] if x not in declared]
        return b"".join([*head[:first], *change(declared, rng), *rest, *rows])

    return mutate


def declared(at: int, kind: bytes) -> Mutation:
    """A mutation that declares a column to be of another type."""

    def change(lines: list[bytes], _: random.Random) -> list[bytes]:
        name = lines[at].split()[1]
        lines[at] = b"@ATTRIBUTE " + name + b" " + kind + b"\n"
        return lines

    return in_attributes(change)


def cut_in_a_row(rows: list[bytes], rng: random.Random) -> list[bytes]:
    at = rng.randrange(len(rows))
    commas = [m.start() for m in re.finditer(b",", rows[at])]
    return [*rows[:at], rows[at][: rng.choice(commas)]]


def shuffled_cells(cells: list[bytes], rng: random.Random) -> list[bytes]:
    shuffled = rng.sample(cells, len(cells))
    return shuffled if shuffled[0] != cells[0] else cells[::-1]


def joined_rows(rows: list[bytes], rng: random.Random) -> list[bytes]:
    at = rng.randrange(len(rows) - 1)
    return [*rows[:at], rows[at].rstrip(b"\n"), *rows[at + 1 :]]


def with_row(rows: list[bytes], rng: random.Random, row: bytes) -> list[bytes]:
    at = rng.randrange(len(rows))
    return [*rows[:at], row, *rows[at:]]


def inserted(what: bytes) -> Mutation:
    """A mutation that puts bytes somewhere into the rows, behind an id's start."""

    def change(rows: list[bytes], rng: random.Random) -> list[bytes]:
        at = rng.randrange(len(rows))
        return [*rows[:at], rows[at][:1] + what + rows[at][1:], *rows[at + 1 :]]

    return in_rows(change)


def whole(change: Callable[[bytes], bytes]) -> Mutation:
    """A mutation that needs no randomness."""
    return lambda content, _: change(content)


def head_of(content: bytes) -> bytes:
    return b"".join(split(content)[0])


SAME: dict[str, Mutation] = {
    "shuffled_rows": in_rows(lambda x, rng: rng.sample(x, len(x))),
    "bom": whole(lambda x: b"\xef\xbb\xbf" + x),
    "crlf": whole(lambda x: x.replace(b"\n", b"\r\n")),
    "cr": whole(lambda x: x.replace(b"\n", b"\r")),
    "no_last_newline": whole(lambda x: stripped(x).rstrip(b"\n")),
    "blank_lines": whole(lambda x: x.replace(b"\n", b"\n\n")),
    "a_million_blank_lines": whole(lambda x: x + b"\n" * 1_000_000),
    "long_comment": whole(lambda x: x + b"%" + b"x" * 5_000_000),
    "comment_in_utf8": whole(lambda x: "% é ∑ 你\n".encode() + x),
    "lower_case_keywords": whole(
        lambda x: x.replace(b"@ATTRIBUTE", b"@attribute").replace(b"@DATA", b"@data")
    ),
}

EITHER: dict[str, Mutation] = {
    "cut_in_a_row": in_rows(cut_in_a_row),
    "cut_between_rows": in_rows(lambda x, rng: x[: rng.randrange(1, len(x) - 1)]),
    "cut_the_start": lambda x, rng: x[rng.randrange(1, len(x)) :],
    "a_row_less": in_rows(lambda x, rng: rng.sample(x, len(x) - 1)),
    "a_row_twice": in_rows(lambda x, rng: with_row(x, rng, rng.choice(x))),
    "swapped_columns": in_attributes(lambda x, _: [x[1], x[0], *x[2:]]),
    "id_as_number": declared(0, b"NUMERIC"),
    "id_as_nominal": declared(0, b"{a, b}"),
    "count_as_integer": declared(1, b"INTEGER"),
    "spaces_around": in_row(lambda x, _: [b" " + c + b" " for c in x]),
    "quoted": in_row(lambda x, _: [b"'" + c + b"'" for c in x]),
    "tabs": whole(lambda x: head_of(x) + b"".join(split(x)[1]).replace(b",", b"\t")),
    "control_character": inserted(b"\x01"),
    "escape": inserted(b"\\x"),
    "percent": inserted(b"%"),
    "rows_twice": in_rows(lambda x, _: [*x, *x]),
}

ERROR: dict[str, Mutation] = {
    "cut_in_the_header": lambda x, rng: x[: rng.randrange(len(head_of(x)) - 8)],
    "empty": whole(lambda _: b""),
    "a_newline": whole(lambda _: b"\n"),
    "header_alone": whole(head_of),
    "no_data_line": whole(lambda x: b"".join(split(x)[0][:-1] + split(x)[1])),
    "data_line_twice": whole(lambda x: x + b"@DATA\n"),
    "two_files": whole(lambda x: x + x),
    "random_bytes": lambda _, rng: rng.randbytes(10_000),
    "random_tail": lambda x, rng: x + b"\xff" + rng.randbytes(1_000),
    "gzipped": whole(lambda x: gzip.compress(x, mtime=0)),
    "utf_16": whole(lambda x: x.decode().encode("utf-16")),
    "utf_32": whole(lambda x: x.decode().encode("utf-32")),
    "latin_1": whole(lambda x: x + "% é\n".encode("latin-1")),
    "surrogate": inserted(b"\xed\xa0\x80"),
    "overlong": inserted(b"\xc0\xaf"),
    "nul": inserted(b"\0"),
    "all_nul": whole(lambda x: bytes(len(x))),
    "garbage_row": in_rows(lambda x, rng: with_row(x, rng, rng.randbytes(40).replace(b"%", b"") + b"\n")),
    "joined_rows": in_rows(joined_rows),
    "shuffled_cells": in_row(shuffled_cells),
    "a_cell_more": in_row(lambda x, _: [*x, b"1"]),
    "a_cell_less": in_row(lambda x, _: x[:-1]),
    "a_million_commas": whole(lambda x: stripped(x).rstrip(b"\n") + b"," * 1_000_000),
    "one_long_line": whole(lambda x: x + b"x" * 50_000_000),
    "semicolons": whole(lambda x: head_of(x) + b"".join(split(x)[1]).replace(b",", b";")),
    "open_quote": in_row(lambda x, _: [b"'" + x[0], *x[1:]]),
    "word_as_count": cell(1, b"one"),
    "fraction_as_count": cell(1, b"1.5"),
    "huge_count": cell(1, b"1e300"),
    "nan_as_count": cell(1, b"nan"),
    "no_count": cell(1, b"?"),
    "no_id": cell(0, b""),
    "unknown_id": cell(0, b"?"),
    "path_as_id": cell(0, b"../../x"),
    "sql_as_id": cell(0, b"'\\'; drop table run'"),
    "markup_as_id": cell(0, b"<script>"),
    "long_id": cell(0, b"i" * 1_000_000),
    "nonsense_at_the_end": cell(-1, b"nonsense"),
    "decimal_comma": cell(-1, b"1,5"),
    "hexadecimal": cell(-1, b"0x10"),
    "an_attribute_less": in_attributes(lambda x, _: x[1:]),
    "an_attribute_twice": in_attributes(lambda x, _: [x[0], *x]),
    "unknown_type": declared(1, b"FLOATING"),
    "no_type": declared(1, b""),
    "relational": declared(1, b"RELATIONAL"),
    "count_as_text": declared(1, b"STRING"),
    "count_as_nominal": declared(1, b"{a, b}"),
    "open_brace": declared(1, b"{a, b"),
    "another_column_name": in_attributes(lambda x, _: [b"@ATTRIBUTE other STRING\n", *x[1:]]),
}
MUTATIONS = {**SAME, **EITHER, **ERROR}
SLOW = {"one_long_line", "a_million_commas", "a_million_blank_lines", "long_id"}


def cases() -> list[tuple[str, str, str]]:
    """Every mutation on two files; which ones is drawn, the same every time."""
    rng = random.Random(11)  # noqa: S311
    places = [(name, file) for name in SCENARIOS for file in FILES[name]]
    return [
        (*place, mutation)
        for mutation in MUTATIONS
        for place in rng.sample(places, 1 if mutation in SLOW else 3)
    ]


# --- the folder, the lake and what stands in it --------------------------------------


@pytest.fixture(scope="module")
def originals(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The real folders, and a lake of them."""
    home = tmp_path_factory.mktemp("originals")
    for name in SCENARIOS:
        shutil.copytree(shared / "aslib" / name, home / name)
    outcomes = ae.import_scenarios([home], into=home / "lake")
    assert [o.error for o in outcomes] == [None] * len(SCENARIOS)
    return home


@pytest.fixture(scope="module")
def meanings(originals: Path) -> dict[str, Meaning]:
    return {name: meaning(originals / "lake", name) for name in SCENARIOS}


def meaning(lake: Path, name: str) -> Meaning:
    """Rows and the sum of their hashes, relation by relation.

    Left out is what says where the rows came from: hashes, order of columns.
    """
    found = {}
    for path in sorted(lake.glob(f"*/scenario_id={name}/part-0.parquet")):
        relation = path.parent.parent.name
        out = {"scenario": "source_sha256", "feature": "position"}.get(relation)
        columns = f"* exclude ({out})" if out else "*"
        rows = f"select {columns} from read_parquet('{path}', hive_partitioning=false)"
        sql = f"select count(*), sum(hash(t)::hugeint)::varchar from ({rows}) t"
        ((count, total),) = duckdb.sql(sql).fetchall()
        found[relation] = (count, total)
    return {r: f for r, f in found.items() if r != "source"}


def digest(folder: Path) -> dict[str, str]:
    """Every path below the folder → its content."""
    found = {}
    for root, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = Path(root, name)
            content = path.read_bytes() if path.is_file() else b""
            found[str(path.relative_to(folder))] = hashlib.md5(content).hexdigest()  # noqa: S324
    return found


@pytest.fixture
def scratch(originals: Path, tmp_path: Path) -> Callable[[str], tuple[Path, Path]]:
    """A copy of a scenario's folder to spoil, and of the lake."""

    def make(name: str) -> tuple[Path, Path]:
        lake = tmp_path / "lake"
        shutil.copytree(originals / "lake", lake, symlinks=True)
        shutil.copytree(originals / name, tmp_path / name)
        return tmp_path / name, lake

    return make


def attempt(folder: Path, lake: Path) -> str | None:
    """Import; the error's text, which leaves the lake as it was, or None."""
    before = digest(lake)
    try:
        (outcome,) = ae.import_scenarios([folder], into=lake)
        error = outcome.error
    except ae.AslibError as refused:
        error = refused
    if error is None:
        return None
    assert digest(lake) == before
    return str(error)


# --- ARFF ----------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "file", "mutation"), cases())
def test_mutated_arff(
    name: str,
    file: str,
    mutation: str,
    scratch: Callable[[str], tuple[Path, Path]],
    meanings: dict[str, Meaning],
) -> None:
    folder, lake = scratch(name)
    path = folder / f"{file}.arff"
    rng = random.Random(f"{name} {file} {mutation}")  # noqa: S311
    path.write_bytes(MUTATIONS[mutation](path.read_bytes(), rng))
    error = attempt(folder, lake)
    if error is None:
        assert mutation not in ERROR
        assert meaning(lake, name) == meanings[name]
    else:
        assert mutation not in SAME
        assert re.search(rf"{re.escape(str(folder))}/\w+\.arff(:\d+)?: ", error)


# --- description.txt -----------------------------------------------------------------


BOMB = b"x: &a [1,1]\n" + b"".join(
    b"y%d: &%c [*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c,*%c]\n" % (n, 98 + n, *[97 + n] * 9) for n in range(20)
)


def blocks(content: bytes) -> list[bytes]:
    """The top-level keys of a description with what belongs to them."""
    return re.split(rb"(?m)^(?=[a-z])", content)[1:]


def without(key: bytes) -> Mutation:
    return whole(lambda x: b"".join(b for b in blocks(x) if not b.startswith(key + b":")))


def with_line(line: bytes) -> Mutation:
    return whole(lambda x: x.rstrip(b"\n") + b"\n" + line + b"\n")


def with_value(key: bytes, value: bytes) -> Mutation:
    def mutate(content: bytes, _: random.Random) -> bytes:
        line = key + b": " + value + b"\n"
        kept = [b for b in blocks(content) if not b.startswith(key + b":")]
        return b"".join([*kept, line])

    return mutate


def shuffled_blocks(content: bytes, rng: random.Random) -> bytes:
    if b"*id" in content:  # an alias must stay behind its anchor
        return content
    parts = [b.rstrip(b"\n") + b"\n" for b in blocks(content)]
    rng.shuffle(parts)
    return b"".join(parts)


DESCRIPTION_SAME: dict[str, Mutation] = {
    "shuffled_blocks": shuffled_blocks,
    "bom": SAME["bom"],
    "crlf": SAME["crlf"],
    "comments": whole(lambda x: "# é\n".encode() + x),
    "document_marks": whole(lambda x: b"---\n" + x.rstrip(b"\n") + b"\n...\n"),
    "unknown_key": with_line(b"unknown: 1"),
    "unknown_anchor": with_line(b"unknown: &a [*a]"),
    "unknown_python": with_line(b"unknown: !!python/object/apply:os.abort []"),
    "bomb": whole(lambda x: x.rstrip(b"\n") + b"\n" + BOMB),
    "number_in_quotes": with_line(b"unknown2: '1'"),
}
DESCRIPTION_ERROR: dict[str, Mutation] = {
    "empty": ERROR["empty"],
    "a_newline": ERROR["a_newline"],
    "random_bytes": ERROR["random_bytes"],
    "utf_16": ERROR["utf_16"],
    "latin_1": whole(lambda x: x + "# é\n".encode("latin-1")),
    "nul": whole(lambda x: x + b"a: \0\n"),
    "control": whole(lambda x: x + b"a: \x01\n"),
    "tabs": whole(lambda x: x.replace(b"\n  ", b"\n\t")),
    "binary": whole(lambda x: gzip.compress(x, mtime=0)),
    "list": whole(lambda _: b"- a\n- b\n"),
    "word": whole(lambda _: b"scenario\n"),
    "bomb_alone": whole(lambda _: BOMB),
    "deep_list": with_line(b"x: " + b"[" * 100_000),
    "deep_mapping": with_line(b"x: " + b"{a: " * 10_000 + b"}" * 10_000),
    "deep_closed": with_line(b"x: " + b"[" * 10_000 + b"]" * 10_000),
    "huge": whole(lambda x: x + b"x: " + b"y" * 50_000_000),
    "many_lines": whole(lambda x: x + b"".join(b"k: 1\n" for _ in range(3_000))),
    "two_documents": whole(lambda x: x + b"---\n" + x),
    "a_key_twice": with_line(b"scenario_id: B"),
    "unknown_alias": with_line(b"x: *nowhere"),
    "open_quote": with_line(b"x: 'abc"),
    "open_bracket": with_line(b"x: [abc"),
    "indent": with_line(b"   x: 1"),
    "merge_into_nothing": with_value(b"scenario_id", b"{<<: 1}"),
    "id_list": with_value(b"scenario_id", b"[a]"),
    "id_empty": with_value(b"scenario_id", b""),
    "id_null": with_value(b"scenario_id", b"null"),
    "id_blank": with_value(b"scenario_id", b"'  '"),
    "id_long": with_value(b"scenario_id", b"x" * 5_000),
    "id_surrogate": with_value(b"scenario_id", b'"\\uD800"'),
    "no_id": without(b"scenario_id"),
    "no_measures": without(b"performance_measures"),
    "no_maximize": without(b"maximize"),
    "no_type": without(b"performance_type"),
    "measures_more": with_value(b"performance_measures", b"[a, b, c]"),
    "measure_unknown": with_value(b"performance_type", b"[speed]"),
    "maximize_word": with_value(b"maximize", b"[perhaps]"),
    "maximize_number": with_value(b"maximize", b"[2]"),
    "cutoff_word": with_value(b"algorithm_cutoff_time", b"long"),
    "cutoff_list": with_value(b"algorithm_cutoff_time", b"[1]"),
    "cutoff_infinite": with_value(b"algorithm_cutoff_time", b".inf"),
    "cutoff_huge": with_value(b"algorithm_cutoff_time", b"1e999"),
    "steps_list": with_value(b"feature_steps", b"[a]"),
    "steps_word": with_value(b"feature_steps", b"a"),
    "step_word": with_value(b"feature_steps", b"{a: b}"),
    "features_mapping": with_value(b"features_deterministic", b"{a: b}"),
    "algorithms_list": with_value(b"metainfo_algorithms", b"[[a]]"),
    "complex_key": with_line(b"? [a, b]\n: c"),
}
DESCRIPTION = {**DESCRIPTION_SAME, **DESCRIPTION_ERROR}


def description_cases() -> list[tuple[str, str]]:
    rng = random.Random(12)  # noqa: S311
    return [(rng.choice(SCENARIOS), mutation) for mutation in DESCRIPTION]


@pytest.mark.parametrize(("name", "mutation"), description_cases())
def test_mutated_description(
    name: str, mutation: str, scratch: Callable[[str], tuple[Path, Path]], meanings: dict[str, Meaning]
) -> None:
    folder, lake = scratch(name)
    path = folder / "description.txt"
    rng = random.Random(mutation)  # noqa: S311
    path.write_bytes(DESCRIPTION[mutation](path.read_bytes(), rng))
    error = attempt(folder, lake)
    if error is None:
        assert mutation in DESCRIPTION_SAME
        assert meaning(lake, name) == meanings[name]
    else:
        assert mutation in DESCRIPTION_ERROR
        assert re.search(rf"{re.escape(str(folder))}/description\.txt(:\d+)?: ", error)


@pytest.mark.parametrize("seed", range(24))
def test_a_cut_description_is_remarked(
    seed: int, originals: Path, scratch: Callable[[str], tuple[Path, Path]], meanings: dict[str, Meaning]
) -> None:
    """YAML stays YAML when cut between lines; what is lost must be said."""
    name = SCENARIOS[seed % 4]
    folder, lake = scratch(name)
    path = folder / "description.txt"
    lines = path.read_bytes().splitlines(keepends=True)
    size = random.Random(seed).randrange(len(lines) - 1)  # noqa: S311
    path.write_bytes(b"".join(lines[:size]))
    (outcome,) = ae.import_scenarios([folder], into=lake)
    if outcome.error is None and meaning(lake, name) != meanings[name]:
        (whole,) = ae.import_scenarios([originals / name], into=lake)
        known = {(f.code, f.message) for f in whole.findings}
        assert {(f.code, f.message) for f in outcome.findings} - known
    else:
        assert outcome.error is None or "description.txt" in str(outcome.error)
