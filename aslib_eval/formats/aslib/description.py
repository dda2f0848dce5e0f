"""description.txt: YAML nodes become a Description; ids stay the text they are.

Scalars are read from their raw text, never through YAML's own types, so that an algorithm named ``0123`` or
``yes`` keeps its name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from aslib_eval.errors import Finding, Severity

MISSING = {"", "?", "~", "null", "Null", "NULL", "NA"}
TRUE = {"yes", "true", "on", "y"}
FALSE = {"no", "false", "off", "n"}
Node = yaml.nodes.Node
# ASlib 1.0.1 writes "key: ?" for what is unknown, and YAML takes that for a key.
_UNKNOWN = re.compile(r"^([^#\n]*[:-][ \t]+)\?(?=[ \t\r]*(?:#.*)?$)", re.MULTILINE)
_LIMIT = 16 << 20
_DEPTH = 50


@dataclass
class Reader:
    """Reads nodes and collects what is wrong with them."""

    file: str
    nodes: dict[str, Node] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def report(
        self, node: Node | None, code: str, what: str, hint: str = "", *, severity: Severity = "error"
    ) -> None:
        """Add a finding at the node."""
        line = None if node is None else node.start_mark.line + 1
        self.findings.append(Finding(code, severity, self.file, line, what, hint))

    def text(self, node: Node) -> str:
        """The raw word of a scalar; reported and empty for anything else."""
        if isinstance(node, yaml.ScalarNode):
            return str(node.value)
        self.report(node, "yaml-type", "a list or mapping where one word is expected")
        return ""

    def texts(self, node: Node | None) -> tuple[str, ...]:
        """A list of words; a lone word counts as a list of one, missing as none."""
        if node is None:
            return ()
        if isinstance(node, yaml.SequenceNode):
            return tuple(self.text(item) for item in node.value)
        word = self.text(node)
        return () if word in MISSING else (word,)

    def pairs(self, node: Node | None) -> list[tuple[str, Node]]:
        """Key and node of a mapping, none if missing; repeated keys are reported."""
        if isinstance(node, yaml.MappingNode):
            keys = [self.text(key) for key, _ in node.value]
            seen: set[str] = set()
            for (key, _), name in zip(node.value, keys, strict=True):
                if name in seen:
                    self.report(key, "yaml-duplicate", f"key {name!r} occurs twice")
                seen.add(name)
            return [(k, v) for k, (_, v) in zip(keys, node.value, strict=True)]
        if node is not None and self.text(node) not in MISSING:
            self.report(node, "yaml-type", "a word where a mapping is expected")
        return []

    def number(self, key: str) -> float | None:
        """A finite number, None if missing or reported."""
        node = self.nodes.get(key)
        word = "" if node is None else self.text(node).strip()
        if word in MISSING:
            return None
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if math.isfinite(value):
            self._compare_with_yaml(node, key, value)
            return value
        hint = "Write a number, or '?' if it is unknown."
        self.report(node, "yaml-type", f"{key} {word!r} is not a number", hint)
        return None

    def _compare_with_yaml(self, node: Node | None, key: str, value: float) -> None:
        """Report a bare number that YAML 1.1 reads as another, 010 as 8."""
        if not isinstance(node, yaml.ScalarNode) or node.style:  # quoted is a word
            return
        meant = yaml.safe_load(node.value)
        if isinstance(meant, int | float) and meant != value:
            what = f"{key} {node.value} is read as {value:g},"
            what += f" but a YAML reader reads {meant:g}"
            hint = "Write the number without a leading 0."
            self.report(node, "yaml-number", what, hint, severity="warning")

    def boolean(self, node: Node, key: str) -> bool | None:
        """A truth value as YAML 1.1 writes it, None if missing or reported."""
        word = self.text(node).strip().lower()
        if word in TRUE | FALSE:
            return word in TRUE
        if word not in MISSING:
            self.report(node, "yaml-type", f"{key} {word!r} is neither true nor false")
        return None


def compose(content: bytes, reader: Reader) -> Node | None:
    """The root mapping of a document, None and a finding if there is none."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    what = ""
    line = 1
    try:
        text = _UNKNOWN.sub(r"\1'?'", content.decode("utf-8-sig"))
        if len(content) > _LIMIT or _depth(text, loader) > _DEPTH:
            what = "too large or too deeply nested for a description"
        root = None if what else yaml.compose(text, loader)
    except yaml.MarkedYAMLError as error:
        what = f"not YAML: {error.problem or error.context}"
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
    except (yaml.YAMLError, RecursionError) as error:
        what = f"not YAML: {' '.join(str(error).split())}"
    except UnicodeDecodeError as error:
        what = f"byte {content[error.start]:#04x} is not UTF-8 text"
        line = content.count(b"\n", 0, error.start) + 1
    if not what and isinstance(root, yaml.MappingNode):
        return root
    what = what or "no 'key: value' lines"
    hint = "See the ASlib format specification for description.txt."
    reader.findings.append(Finding("yaml", "error", reader.file, line, what, hint))
    return None


def _depth(text: str, loader: Any) -> int:
    """Deepest nesting, up to just past the limit (composing recurses in C)."""
    depth = deepest = 0
    for event in yaml.parse(text, loader):
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        deepest = max(deepest, depth)
        if deepest > _DEPTH:
            break
    return deepest


TYPES = ("runtime", "solution_quality")


@dataclass(frozen=True)
class PerformanceMeasure:
    """A performance measure and the direction in which it is good."""

    name: str
    type: str
    maximize: bool

    def __str__(self) -> str:
        aim = "maximize" if self.maximize else "minimize"
        return f"{self.name} ({self.type}, {aim})"


@dataclass(frozen=True)
class FeatureStep:
    """A feature step with the features it provides and the steps it requires."""

    name: str
    provides: tuple[str, ...]
    requires: tuple[str, ...]

    def __str__(self) -> str:
        needs = f", requires {', '.join(self.requires)}" if self.requires else ""
        return f"{self.name} (provides {', '.join(self.provides)}{needs})"


@dataclass(frozen=True)
class AlgorithmInfo:
    """An entry of metainfo_algorithms; ``deterministic`` is None if not declared."""

    name: str
    configuration: str
    deterministic: bool | None


@dataclass(frozen=True)
class Description:
    """The contents of description.txt. Times are in the scenario's own unit.

    time_unit: which that is, None if not stated; the format has no key for it.
    """

    scenario_id: str
    measures: tuple[PerformanceMeasure, ...]
    numbers: Mapping[str, float | None]
    names: Mapping[str, tuple[str, ...]]
    algorithms: tuple[AlgorithmInfo, ...]
    steps: tuple[FeatureStep, ...]
    algorithm_steps: tuple[FeatureStep, ...]
    lines: Mapping[str, int]
    time_unit: str | None = None

    @property
    def cutoff(self) -> float | None:
        """algorithm_cutoff_time, None if unknown."""
        return self.numbers.get("algorithm_cutoff_time")


NUMBERS = (
    "algorithm_cutoff_time",
    "algorithm_cutoff_memory",
    "features_cutoff_time",
    "features_cutoff_memory",
    "algorithm_features_cutoff_time",
    "algorithm_features_cutoff_memory",
    "number_of_feature_steps",
)
NAMES = (
    "features_deterministic",
    "features_stochastic",
    "algorithm_features_deterministic",
    "algorithm_features_stochastic",
    "algorithms_deterministic",
    "algorithms_stochastic",
    "default_steps",
)
LISTS = ("performance_measures", "performance_type", "maximize")
BLOCKS = ("metainfo_algorithms", "feature_steps", "algorithm_feature_steps")
TIME_UNIT = "time_unit"
KEYS = ("scenario_id", TIME_UNIT, *LISTS, *NUMBERS, *NAMES, *BLOCKS)


def parse_description(content: bytes, *, file: str) -> tuple[Description | None, tuple[Finding, ...]]:
    """Read description.txt; the Description is None where errors were found."""
    reader = Reader(file)
    root = compose(content, reader)
    if root is None:
        return None, tuple(reader.findings)
    for key, _ in root.value:
        reader.lines[reader.text(key)] = key.start_mark.line + 1
    reader.nodes.update(reader.pairs(root))
    description = _description(reader)
    if any(f.severity == "error" for f in reader.findings):
        return None, tuple(reader.findings)
    return description, tuple(reader.findings)


def _description(reader: Reader) -> Description:
    nodes = reader.nodes
    names = {key: reader.texts(nodes.get(key)) for key in NAMES}
    scenario_id = reader.text(nodes["scenario_id"]) if "scenario_id" in nodes else ""
    if not scenario_id.strip() or scenario_id in MISSING:
        hint = "Add the line 'scenario_id: NAME'."
        reader.report(nodes.get("scenario_id"), "yaml-key", "no scenario_id", hint)
    return Description(
        scenario_id=scenario_id.strip(),
        measures=_measures(reader),
        numbers={key: reader.number(key) for key in NUMBERS},
        names={k: tuple(n for n in some if n not in MISSING) for k, some in names.items()},
        algorithms=_algorithms(reader),
        steps=_steps(reader, "feature_steps"),
        algorithm_steps=_steps(reader, "algorithm_feature_steps"),
        lines=reader.lines,
        time_unit=_time_unit(reader),
    )


def _time_unit(reader: Reader) -> str | None:
    node = reader.nodes.get(TIME_UNIT)
    unit = reader.text(node).strip() if node is not None else ""
    return None if unit in MISSING else unit


def _measures(reader: Reader) -> tuple[PerformanceMeasure, ...]:
    names, types = (reader.texts(reader.nodes.get(key)) for key in LISTS[:2])
    node = reader.nodes.get("maximize")
    lone = () if node is None else (node,)
    items = node.value if isinstance(node, yaml.SequenceNode) else lone
    flags = [reader.boolean(item, "maximize") for item in items]
    if not names or not len(names) == len(types) == len(flags):
        sizes = f"{len(names)}, {len(types)} and {len(flags)} entries"
        what = f"performance_measures, performance_type and maximize have {sizes}"
        hint = "Give each measure one type and one direction."
        where = reader.nodes.get("performance_measures")
        reader.report(where, "yaml-measures", what, hint)
        return ()
    for kind in types:
        if kind not in TYPES:
            what = f"performance_type {kind!r} is neither {TYPES[0]} nor {TYPES[1]}"
            reader.report(reader.nodes["performance_type"], "yaml-measures", what)
    for name in {name for name in names if names.count(name) > 1}:
        where = reader.nodes["performance_measures"]
        reader.report(where, "yaml-measures", f"measure {name!r} is listed twice")
    return tuple(map(PerformanceMeasure, names, types, (f is True for f in flags)))


def _algorithms(reader: Reader) -> tuple[AlgorithmInfo, ...]:
    found = []
    for name, node in reader.pairs(reader.nodes.get("metainfo_algorithms")):
        entry = dict(reader.pairs(node))
        flag_word = entry.get("deterministic")
        flag = None if flag_word is None else reader.boolean(flag_word, "deterministic")
        found.append(AlgorithmInfo(name, " ".join(reader.texts(entry.get("configuration"))), flag))
    return tuple(found)


def _steps(reader: Reader, key: str) -> tuple[FeatureStep, ...]:
    found = []
    for name, node in reader.pairs(reader.nodes.get(key)):
        entry = dict(reader.pairs(node))
        provides = tuple(dict.fromkeys(reader.texts(entry.get("provides"))))
        found.append(FeatureStep(name, provides, reader.texts(entry.get("requires"))))
    return tuple(found)
