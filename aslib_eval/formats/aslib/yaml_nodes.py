"""YAML as nodes: raw words with their lines, and every mistake in one pass."""

from __future__ import annotations

import math
import re
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
            what += f" a YAML reader takes {meant:g}"
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
