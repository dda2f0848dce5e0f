# ruff: noqa: ISC004 - a message an entry
"""What is said of a description that is no YAML, or other than a key's value is."""

from __future__ import annotations

import pytest

from aslib_eval.formats.aslib.description import Reader, compose


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"a: 1\n\xff: 2\n", 2, "byte 0xff is not UTF-8 text"),
        (b"a: 1\nb: [1\n", 3, "not YAML: "),
        (b"a: 1\nb: x: y\n", 2, "not YAML: mapping values are not allowed"),
        (b"- 1\n", 1, "no 'key: value' lines"),
        (b"a: " + b"[" * 200 + b"]" * 200, 1, "too large or too deeply nested"),
        (b"a: \x01\n", 1, "not YAML: "),
    ],
)
def test_no_yaml(content: bytes, line: int, said: str) -> None:
    reader = Reader("f")
    assert compose(content, reader) is None
    (found,) = reader.findings
    assert (found.code, found.severity, found.line) == ("yaml", "error", line)
    assert found.message.startswith(said)
    assert found.hint == "See the ASlib format specification for description.txt."


VALUES = """\
many: [1, [2], x]
map: {a: 1, a: 2}
word: 7
big: 010
none: null
flag: maybe
on: "Yes"
"""


def test_values_of_other_kinds_are_reported_where_they_stand() -> None:
    reader = Reader("f")
    root = compose(VALUES.encode(), reader)
    assert root is not None
    nodes = dict(reader.pairs(root))
    reader.nodes.update(nodes)
    assert reader.texts(nodes["many"]) == ("1", "", "x")
    assert [key for key, _ in reader.pairs(nodes["map"])] == ["a", "a"]
    assert (reader.pairs(nodes["word"]), reader.pairs(nodes["none"])) == ([], [])
    assert (reader.texts(nodes["none"]), reader.texts(nodes["word"])) == ((), ("7",))
    assert (reader.texts(None), reader.number("gone")) == ((), None)
    assert (reader.number("big"), reader.number("flag")) == (10, None)
    flags = [reader.boolean(nodes[key], key) for key in ("on", "flag", "none")]
    assert flags == [True, None, None]
    assert [f"{f.line}: {f.severity}: {f.message}. {f.hint}" for f in reader.findings] == [
        "1: error: a list or mapping where one word is expected. ",
        "2: error: key 'a' occurs twice. ",
        "3: error: a word where a mapping is expected. ",
        "4: warning: big 010 is read as 10, a YAML reader takes 8. Write the number "
        "without a leading 0.",
        "6: error: flag 'maybe' is not a number. Write a number, or '?' if it is unknown.",
        "6: error: flag 'maybe' is neither true nor false. ",
    ]  # fmt: skip
