"""description.txt: YAML in which every word is the same text to every reader.

Our reader takes scalars as they stand, YAML 1.1 and 1.2 convert some: a word is
left bare only where all three agree that it is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import polars as pl

from aslib_eval.readers.yaml_nodes import FALSE, MISSING, TRUE
from aslib_eval.writers.arff import number_text

Frames = Mapping[str, pl.DataFrame]

_BARE = re.compile(r"[A-Za-z][A-Za-z0-9_./+-]*")
_SPECIAL = {word.lower() for word in TRUE | FALSE | MISSING} | {"nan", "inf"}
_LAST_OF_FOUR_DIGITS = 0xFFFF
_LONG_KEY = 1000
_NUMBERS = {
    "algorithm_cutoff_time": "cutoff",
    "algorithm_cutoff_memory": "cutoff_memory",
    "features_cutoff_time": "features_cutoff_time",
    "features_cutoff_memory": "features_cutoff_memory",
}


def description_text(frames: Frames, scenario_id: str) -> str:
    """The description of a scenario; the frames are complete."""
    scenario = frames["scenario"]
    steps = frames["feature_step"]
    default = steps.filter("is_default")["step"].unique(maintain_order=True)
    lines = [
        f"scenario_id: {yaml_word(scenario_id)}",
        *_listed("performance_measures", scenario["measure"]),
        "maximize:",
        *(f"- {_flag(flag)}" for flag in scenario["maximize"]),
        *_listed("performance_type", scenario["measure_type"]),
        *(f"{k}: {yaml_number(scenario[c][0])}" for k, c in _NUMBERS.items()),
        *_features(frames["feature"]),
        *_algorithms(frames["algorithm"]),
        f"number_of_feature_steps: {steps.filter(of='instance').height}",
        *_listed("default_steps", default),
        *_steps(steps, "instance", "feature_steps"),
        *_steps(steps, "algorithm", "algorithm_feature_steps"),
    ]
    return "\n".join([*lines, ""])


def yaml_word(text: str) -> str:
    """A text as a YAML scalar on one line that no reader takes for anything else."""
    if _BARE.fullmatch(text) and text.lower() not in _SPECIAL:
        return text
    if text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code <= _LAST_OF_FOUR_DIGITS else f"\\U{code:08x}"


def yaml_number(value: float | None) -> str:
    """A number as YAML 1.1 knows it (an exponent wants a point); None is ``'?'``."""
    if value is None:
        return "'?'"
    text = number_text(value)
    return text if "." in text else text.replace("e", ".0e")


def _flag(value: bool) -> str:  # noqa: FBT001
    return "true" if value else "false"


def _listed(key: str, words: Iterable[str], indent: str = "") -> list[str]:
    items = [f"{indent}- {yaml_word(word)}" for word in words]
    return [f"{indent}{key}:", *items] if items else [f"{indent}{key}: []"]


def _key(name: str) -> str:
    """The key of an entry; YAML wants a mark before a long one."""
    word = yaml_word(name)
    return f"  {word}:" if len(word) < _LONG_KEY else f"  ? {word}\n  :"


def _features(features: pl.DataFrame) -> Iterable[str]:
    """Declared features; those of algorithms only where there are any."""
    for of, prefix in (("instance", ""), ("algorithm", "algorithm_")):
        group = features.filter(of=of)
        if prefix and group["deterministic"].null_count() == group.height:
            continue
        for flag, kind in ((True, "deterministic"), (False, "stochastic")):
            names = group.filter(pl.col("deterministic") == flag)["feature"]
            yield from _listed(f"{prefix}features_{kind}", names)


def _algorithms(algorithms: pl.DataFrame) -> Iterable[str]:
    """What is said of algorithms; of those not described, whether deterministic."""
    hidden = algorithms.filter(~pl.col("described"))
    for flag, kind in ((True, "deterministic"), (False, "stochastic")):
        names = hidden.filter(pl.col("deterministic") == flag)["algorithm"]
        if names.len():
            yield from _listed(f"algorithms_{kind}", names)
    yield "metainfo_algorithms:" + ("" if algorithms["described"].any() else " {}")
    for entry in algorithms.filter("described").iter_rows(named=True):
        yield _key(entry["described_as"])
        yield f"    configuration: {yaml_word(entry['configuration'])}"
        if entry["deterministic"] is not None:
            yield f"    deterministic: {_flag(entry['deterministic'])}"


def _steps(steps: pl.DataFrame, of: str, key: str) -> Iterable[str]:
    group = steps.filter(of=of)
    if group.height:
        yield f"{key}:"
    elif of == "instance":
        yield f"{key}: {{}}"
    for entry in group.iter_rows(named=True):
        yield _key(entry["step"])
        yield from _listed("provides", entry["provides"], "    ")
        if entry["requires"]:
            yield from _listed("requires", entry["requires"], "    ")
