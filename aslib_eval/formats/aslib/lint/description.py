"""description.txt: keys, measures, and features and steps that fit together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from itertools import pairwise

from aslib_eval.errors import Finding
from aslib_eval.formats.aslib.description import KEYS, Description, FeatureStep
from aslib_eval.formats.aslib.lint.reporting import PARTS, data_columns, new_finding, twice
from aslib_eval.formats.aslib.scenario import IDS, Scenario
from aslib_eval.formats.sources import TEXTS
from aslib_eval.text import list_names, plural

# description.txt with the lines of its words.

_KEY = re.compile(r"""^["']?([A-Za-z_]\w*)["']?[ \t]*:""", re.MULTILINE)


class DescriptionFile:
    """The contents of description.txt, and the line of each entry."""

    def __init__(self, scenario: Scenario, description: Description) -> None:
        self.scenario = scenario
        self.parsed = description
        self.file = scenario.file("description.txt")
        content = scenario.sources["description.txt"].content
        text = content.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
        self._starts = [(found[1], found.start()) for found in _KEY.finditer(text)]
        self._text = text

    def finding(self, code: str, key: str, what: str, *, word: str = "", hint: str = "") -> Finding:
        """A finding at a key, or at the word inside its block."""
        line = self.line(key, word)
        return new_finding(code, file=self.file, line=line, what=what, hint=hint)

    def block(self, key: str) -> tuple[int, list[str]]:
        """First line of a key and the lines up to the next key; 0 if it is absent."""
        ends = [start for _, start in self._starts[1:]] + [len(self._text)]
        for (name, start), end in zip(self._starts, ends, strict=True):
            if name == key:
                line = self._text.count("\n", 0, start) + 1
                return line, self._text[start:end].split("\n")
        return 0, []

    def line(self, key: str, word: str = "") -> int | None:
        """Line of the word in the block of the key, else of the key."""
        start, lines = self.block(key)
        if word:
            sought = re.compile(rf"""(?<![^\s'"\[,]){re.escape(word)}(?![^\s'"\],:])""")
            for number, line in enumerate(lines, start):
                if sought.search(line):
                    return number
        return start or None


# Which files are there, and which are called almost as they should be.

ARFF = tuple(f"{name}.arff" for name in IDS)
KNOWN = {*ARFF, *TEXTS}
_MEANT = {re.sub(r"[^a-z]", "", name): name for name in (*ARFF, "description.txt")}
_ALIKE = 0.9


def check_files(scenario: Scenario) -> Iterator[Finding]:
    """Absent files of the format, and files that it does not know."""
    if "description.txt" not in scenario.sources:
        yield new_finding(
            "description-missing",
            file=scenario.file("description.txt"),
            what="the file is missing",
            hint="It says what the measures mean: without it nothing can be scored.",
        )
    tables = [n for n in scenario.sources if n.lower().endswith((".csv", ".tsv"))]
    if tables and not any(name.endswith(".arff") for name in scenario.sources):
        runs = [name for name in tables if "feature" not in name.lower()]
        files = ", ".join(map(scenario.file, runs or tables))
        yield new_finding(
            "runs-empty",
            file=scenario.file("algorithm_runs.arff"),
            what="the file is missing, and so is every other .arff",
            hint=f"Import a table of runs by its own name; there is {files}.",
        )
    for name in scenario.missing:
        yield new_finding(
            "file-missing",
            file=scenario.file(name),
            what="the file is missing",
            hint="Without runs nothing is scored."
            if name == "algorithm_runs.arff"
            else "All else is read; what needs this file stays empty.",
        )
    for name in scenario.sources:
        if name not in KNOWN:
            yield from _unknown(scenario, name)


def _unknown(scenario: Scenario, name: str) -> Iterator[Finding]:
    meant = intention(name)
    if meant is not None and meant not in scenario.sources:
        yield new_finding(
            "file-misspelt",
            file=scenario.file(name),
            what=f"the file is not read; its name looks like {meant!r}",
            hint=f"If it is meant, rename it to {meant!r}.",
        )
    elif name.lower().endswith(".arff"):
        yield new_finding(
            "file-unknown",
            file=scenario.file(name),
            what="the file is not one of the format and is not read",
        )


def intention(name: str) -> str | None:
    """The file of the format that a name looks like, or None."""
    letters = re.sub(r"[^a-z]", "", name.lower())
    if letters in _MEANT:
        return _MEANT[letters]
    close = get_close_matches(letters, _MEANT, n=1, cutoff=_ALIKE)
    return _MEANT[close[0]] if close else None


_REQUIRED = (
    "algorithm_cutoff_time",
    "algorithm_cutoff_memory",
    "features_cutoff_time",
    "features_cutoff_memory",
    "number_of_feature_steps",
    "features_deterministic",
    "features_stochastic",
    "default_steps",
    "feature_steps",
    "metainfo_algorithms",
)


def check_description(scenario: Scenario) -> Iterator[Finding]:
    """The contents of description.txt, and how they fit the columns of the files."""
    if scenario.description is None:
        return
    file = DescriptionFile(scenario, scenario.description)
    yield from _keys(file)
    yield from _measures(file)
    yield from _steps(file)
    for prefix in ("", "algorithm_"):
        yield from _features(file, prefix)
        yield from _twice(file, prefix)
    yield from _order(file)


def _keys(file: DescriptionFile) -> Iterator[Finding]:
    lines = file.parsed.lines
    unknown = [key for key in lines if key not in KEYS]
    if unknown:
        what = f"not keys of the format, not read: {list_names(unknown)}"
        yield file.finding("key-unknown", unknown[0], what)
    missing = [key for key in _REQUIRED if key not in lines]
    if missing:
        yield file.finding("key-missing", "", f"not said: {list_names(missing)}")
    if file.parsed.scenario_id != file.scenario.folder:
        what = f"scenario_id {file.parsed.scenario_id!r} in folder "
        what += repr(file.scenario.folder)
        hint = "Both names find the scenario."
        yield file.finding("scenario-id-folder", "scenario_id", what, hint=hint)


def _measures(file: DescriptionFile) -> Iterator[Finding]:
    timed = [m for m in file.parsed.measures if m.type == "runtime"]
    cutoff = file.parsed.cutoff
    if timed and (cutoff is None or cutoff <= 0):
        present = "missing" if cutoff is None else f"{cutoff:g}"
        what = f"algorithm_cutoff_time is {present}, but {timed[0].name!r} is a runtime"
        hint = "PARk and everything made of it will be empty."
        yield file.finding("cutoff-missing", "algorithm_cutoff_time", what, hint=hint)
    wrong = [m.name for m in timed if m.maximize]
    if wrong:
        what = f"maximize is true for the runtime {list_names(wrong)}"
        yield file.finding("runtime-maximized", "maximize", what)


def _steps(file: DescriptionFile) -> Iterator[Finding]:
    steps, more = file.parsed.steps, file.parsed.algorithm_steps
    known = {step.name for step in (*steps, *more)}
    strange = [n for n in file.parsed.names["default_steps"] if n not in known]
    if strange:
        what = f"default_steps that are not feature steps: {list_names(strange)}"
        code = "default-step-unknown"
        yield file.finding(code, "default_steps", what, word=strange[0])
    number = file.parsed.numbers.get("number_of_feature_steps")
    if number is not None and number != len(steps):
        what = f"number_of_feature_steps is {number:g}, feature_steps has {len(steps)}"
        what += f" (and algorithm_feature_steps {len(more)})" if more else ""
        yield file.finding("step-count", "number_of_feature_steps", what)
    for key, part in (("feature_steps", steps), ("algorithm_feature_steps", more)):
        yield from _requires(file, key, part)


def _requires(file: DescriptionFile, key: str, steps: tuple[FeatureStep, ...]) -> Iterator[Finding]:
    needs = {step.name: step.requires for step in steps}
    for name, required in needs.items():
        strange = [other for other in required if other not in needs]
        if strange:
            what = f"step {name!r} requires {list_names(strange)}, not declared"
            yield file.finding("requires-unknown", key, what, word=name)
    while ready := [n for n, on in needs.items() if not any(o in needs for o in on)]:
        for name in ready:
            del needs[name]
    if needs:
        what = "steps that can never start, they wait for each other: "
        what += list_names(needs)
        yield file.finding("requires-cyclic", key, what, word=next(iter(needs)))


def _features(file: DescriptionFile, prefix: str) -> Iterator[Finding]:
    """Declared features, columns of the values, and what the steps provide."""
    keys = [f"{prefix}features_{kind}" for kind in ("deterministic", "stochastic")]
    declared = dict.fromkeys(n for key in keys for n in file.parsed.names[key])
    steps = file.parsed.algorithm_steps if prefix else file.parsed.steps
    provided = {name for step in steps for name in step.provides}
    block = f"{prefix}feature_steps"
    alone = [name for name in declared if name not in provided]
    if alone:
        what = f"{plural(len(alone), 'feature')} of no step: {list_names(alone)}"
        hint = "No step pays for them and none offers them to a selector."
        code = "feature-without-step"
        yield file.finding(code, keys[0], what, word=alone[0], hint=hint)
    yield from _provided(file, block, steps, declared)
    for part in ("",) if prefix else PARTS:
        yield from _columns(file, f"{prefix}feature_values{part}", [*declared], keys[0])


def _provided(
    file: DescriptionFile, block: str, steps: tuple[FeatureStep, ...], declared: Iterable[str]
) -> Iterator[Finding]:
    """Features of several steps, and of a step only."""
    several = twice(name for step in steps for name in step.provides)
    if several:
        what = f"{plural(len(several), 'feature')} provided by several steps: "
        what += list_names(several)
        hint = "Any of the steps yields them; do not count them twice."
        code = "feature-several-steps"
        yield file.finding(code, block, what, word=several[0], hint=hint)
    known = set(declared)
    provided = dict.fromkeys(name for step in steps for name in step.provides)
    strange = [name for name in provided if name not in known]
    if strange:
        what = f"provided by a step, but not declared: {list_names(strange)}"
        hint = "Are there several names on one line?"
        code = "step-feature-unknown"
        yield file.finding(code, block, what, word=strange[0], hint=hint)


def _columns(file: DescriptionFile, name: str, declared: list[str], key: str) -> Iterator[Finding]:
    table = file.scenario.tables.get(name)
    if table is None:
        return
    columns = data_columns(table, name)
    there, known = set(columns), set(declared)
    absent = [feature for feature in declared if feature not in there]
    if absent:
        what = f"{plural(len(absent), 'feature')} without a column in {name}.arff: "
        what += list_names(absent)
        yield file.finding("feature-no-column", key, what, word=absent[0])
    strange = [column for column in columns if column not in known]
    if strange:
        what = f"{plural(len(strange), 'column')} not declared as a feature: "
        what += list_names(strange)
        line = table.line_of(strange[0])
        yield new_finding("feature-undeclared", file=table.file, line=line, what=what)


def _twice(file: DescriptionFile, prefix: str) -> Iterator[Finding]:
    """Features declared twice, or provided twice by one step."""
    keys = [f"{prefix}features_{kind}" for kind in ("deterministic", "stochastic")]
    doubles = twice(name for key in keys for name in file.parsed.names[key])
    if doubles:
        what = f"declared twice: {list_names(doubles)}"
        yield file.finding("feature-listed-twice", keys[0], what, word=doubles[0])
    start, lines = file.block(f"{prefix}feature_steps")
    seen: set[str] = set()
    for number, line in enumerate(lines, start):
        item = line.lstrip()
        if not item.startswith("- "):
            seen.clear()
        elif item in seen:
            what = f"provided twice by one step: {item[2:].strip()!r}"
            code = "feature-listed-twice"
            yield new_finding(code, file=file.file, line=number, what=what)
        else:
            seen.add(item)


def _order(file: DescriptionFile) -> Iterator[Finding]:
    parsed = file.parsed
    features = (*parsed.names["features_deterministic"], *parsed.names["features_stochastic"])
    rest = {"algorithm_runs": [*(m.name for m in parsed.measures), "runstatus"], "feature_values": features}
    for name, table in file.scenario.tables.items():
        order = dict.fromkeys((*IDS[name], *rest.get(name.removesuffix("_test"), ())))
        rank = {column: at for at, column in enumerate(order)}
        present = [c for c in table.table.column_names if c in rank]
        wrong = [b for a, b in pairwise(present) if rank[a] > rank[b]]
        if wrong:
            what = f"column {wrong[0]!r} stands behind one that the format wants after it"
            line = table.line_of(wrong[0])
            hint = "Tools that go by position will mix columns up."
            code = "column-order"
            yield new_finding(code, file=table.file, line=line, what=what, hint=hint)
