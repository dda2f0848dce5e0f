"""TOML files of settings: every fault at once, with its line."""

from __future__ import annotations

import pytest

from aslib_eval.formats.sources import is_text, line_of, read_settings_file

KEYS = {"name": (is_text, "a text"), "limits": (lambda x: x == [1], "[1]")}


def said(text: bytes) -> list[tuple[int | None, str]]:
    _, wrong = read_settings_file(text, file="f.toml", code="c", keys=KEYS)
    assert {(f.code, f.severity, f.file) for f in wrong} <= {("c", "error", "f.toml")}
    return [(f.line, f.message) for f in wrong]


def test_right_values_are_read() -> None:
    read = read_settings_file(b'name = "x"', file="f", code="c", keys=KEYS)
    assert read == ({"name": "x"}, [])


def test_every_fault_is_found_with_its_line() -> None:
    assert said(b'limits = [2]\nname = " "\nnaem = "x"\n') == [
        (1, "limits must be [1]"),
        (2, "name must be a text"),
        (3, "unknown key 'naem'; there are name, limits"),
    ]


@pytest.mark.parametrize(
    ("text", "where", "what"),
    [(b"name", None, "is not TOML: "), (b"\nname = '\xff'", 2, "is not UTF-8 text")],
)
def test_what_is_not_toml(text: bytes, where: int | None, what: str) -> None:
    ((line, message),) = said(text)
    assert line == where
    assert message.startswith(what)


@pytest.mark.parametrize("line", ["key = 1", " key=1", '"key" = 1', "[key]", "[ key ]  # why"])
def test_lines_begin_with_their_key(line: str) -> None:
    assert line_of(f"# key = 0\nkeys = 1\n{line}\n".encode(), "key") == 3


def test_a_key_in_another_place_has_no_line() -> None:
    assert line_of(b"a = {key = 1}", "key") is None
