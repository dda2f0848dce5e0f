"""What is said of a description that is no YAML, or other than a key's value is."""

from __future__ import annotations

import pytest

from aslib_eval.formats.aslib.description import parse_description


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
    description, (found,) = parse_description(content, file="f")
    assert description is None
    assert (found.code, found.severity, found.line) == ("yaml", "error", line)
    assert found.message.startswith(said)
    assert found.hint == "See the ASlib format specification for description.txt."


WRONG = """\
scenario_id: S
performance_measures: [a, [b]]
performance_type: runtime
maximize: maybe
feature_steps: word
metainfo_algorithms: {a: {}, a: {}}
features_cutoff_time: soon
features_cutoff_memory: 010
default_steps: null
"""


def test_values_of_other_kinds_are_reported_where_they_stand() -> None:
    found, findings = parse_description(WRONG.encode(), file="f")
    assert found is None
    assert [f"{f.line}: {f.severity}: {f.message}" for f in findings] == [
        "2: error: a list or mapping where one word is expected",
        "4: error: maximize 'maybe' is neither true nor false",
        "2: error: performance_measures, performance_type and maximize have 2, 1 and 1 entries",
        "7: error: features_cutoff_time 'soon' is not a number",
        "8: warning: features_cutoff_memory 010 is read as 10, but a YAML reader reads 8",
        "6: error: key 'a' occurs twice",
        "5: error: a word where a mapping is expected",
    ]
