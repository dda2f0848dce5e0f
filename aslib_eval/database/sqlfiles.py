"""Find and parse the views, macros and paper tables of sql/, and say what a SELECT names.

Views are created in the order of what they read, whatever folder they are in. The files of the folder
``table`` are no views but queries over them; their headers also say how the table looks on paper. The named
SELECTs of ``sql/frame`` have a header like a view, but they create no relation, so users do not see them.
The view of a relation whose rows are TOML files is generated: its file says columns and defaults, and each
table of the files beside it is a row.

DuckDB's parser says which relations, functions and columns a SELECT names, without opening anything. For
SELECTs that are written as ours are, regular expressions say it a hundred times as fast.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache, partial
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any, Literal

from aslib_eval.database.protocol import TomlRow, complete, read_rows, require_columns, rows_select
from aslib_eval.errors import AslibError, os_errors
from aslib_eval.lake.schema import RELATIONS
from aslib_eval.lake.versions import digest
from aslib_eval.paths import Paths, as_paths, as_toml, read_text
from aslib_eval.plugins import Registry, leave_out, plug_ins
from aslib_eval.text import one_of


def reads(select: str) -> frozenset[str]:
    """The relations that a SELECT reads, by DuckDB's parser: nothing is opened.

    Names are in small letters, as SQL takes no heed of case. A SELECT that cannot be parsed reads nothing
    here; its error shows when it is run.
    """
    return parsed(select).relations


_NO_WORDS = re.compile(r"--.*|'[^']*'")
# What they begin with is looked for fast; what may not stand before it, then.
_READ = re.compile(
    r"(?:from|join)(?<!\w(?:from|join))(?<!\bdistinct from)"
    r"\s+([a-z]\w*)\b(?!\s*[.(])"
)
_NAMED = re.compile(
    r"(?:,|with(?<!\wwith)(?:\s+recursive)?)\s+([a-z]\w*)(?:\([^)]*\))?"
    r"\s+as\s+(?:(?:not\s+)?materialized\s+)?\("
)


def read_in(ours: str) -> frozenset[str]:
    """What ``reads`` says of a SELECT as ours are written, a hundred times as fast."""
    words = _NO_WORDS.sub("", ours)
    return frozenset(_READ.findall(words)).difference(_NAMED.findall(words))


@dataclass(frozen=True)
class SelectNames:
    """What the text of a SELECT names, in small letters: relations, functions, columns.

    known: whether DuckDB can say it, and the rows are not drawn at random.
    """

    relations: frozenset[str]
    functions: frozenset[str]
    columns: frozenset[str]
    known: bool


@lru_cache(maxsize=1024)
def parsed(select: str) -> SelectNames:
    """What a SELECT names; nothing where it cannot be parsed."""
    import duckdb

    try:
        sql = "select json_serialize_sql($1::varchar)"
        ((text,),) = bare_database().cursor().execute(sql, [select]).fetchall()
        tree = json.loads(text)
    except (UnicodeError, RecursionError, duckdb.Error):
        return SelectNames(frozenset(), frozenset(), frozenset(), known=False)
    nodes = list(_nodes(tree))
    functions = {node["function_name"] for node in nodes if "function_name" in node}
    references = (node for node in nodes if node.get("type") == "COLUMN_REF")
    return SelectNames(
        frozenset(_tables(tree)),
        frozenset(map(str.lower, functions)),
        frozenset(map(str.lower, {name for node in references for name in node["column_names"]})),
        known=not tree.get("error") and not any(node.get("sample") for node in nodes),
    )


@cache
def bare_database() -> Any:
    """A database for our SQL that asks of no data: each takes 14 ms to open."""
    import duckdb

    return duckdb.connect(config={"threads": 1, "enable_external_access": "false"})


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            left += node.values()
        elif isinstance(node, list):
            left += node


def _tables(node: Any, named: frozenset[str] = frozenset()) -> Iterator[str]:
    """Tables of a serialized SELECT, without the CTEs (named) in scope."""
    if isinstance(node, list):
        for child in node:
            yield from _tables(child, named)
    elif isinstance(node, dict):
        for cte in node.get("cte_map", {}).get("map", []):
            name = frozenset({cte["key"].lower()})
            itself = any(each.get("type") == "RECURSIVE_CTE_NODE" for each in _nodes(cte["value"]))
            yield from _tables(cte["value"], named | name if itself else named)
            named |= name
        if node.get("type") == "BASE_TABLE":
            table = node["table_name"].lower()
            if table not in named:
                yield table
        for name, child in node.items():
            if name != "cte_map":
                yield from _tables(child, named)


_PACKAGE = Path(__file__).parents[1]
_NAME = re.compile(r"[a-z_][a-z0-9_]*")
# A number before a subject, as earlier versions had them, is accepted and ignored.
_SUBJECT = re.compile(r"(?:\d\d_)?([a-z][a-z0-9_]*)")
_ENTRY = re.compile(r"([a-z_][a-z0-9_]*): (.+)")
_PARAMETER = re.compile(r"\$([a-z_][a-z0-9_]*)")
_AS_IN = re.compile(r"as in ([a-z_][a-z0-9_]*): (.+)")
_METRIC = re.compile(r"metric ([a-z_][a-z0-9_]*): (min|max), (\d) digits?, \"(.+?)\"(.*)")
_TAGS = ("key", "source", "metrics")
# Value of ``stored``: results of the view are built a scenario and protocol, and kept; of ``families``:
# there is a view of the same for each family of instances.
_STORED = _FAMILIES = "yes"
MACRO, TABLE, FRAME = "macro", "table", "frame"
# Value of ``rows``: they are the TOML files of the view's folder.
_TOML = "toml"
# The key of a view with one row for each solver of a scenario.
SOLVER = ("protocol", "scenario_id", "measure", "kind", "solver")
# What the key of a view of families has besides, and what its name ends with.
FAMILY = ("attribute", "family")
BY = "_by"
# Further entries in the header of a paper table (see tables.paper_table).
LAYOUT = (
    *("caption", "headings", "digits", "bold", "within"),
    *("rank", "mark", "signs", "over", "across", "foot", "hide", "compare"),
    *("blocks", "remarks"),
)


@dataclass(frozen=True)
class Metric:
    """A column of a view declared as a metric: its direction, digits and label.

    relation: the view that declares it. better: ``min`` or ``max``. digits: decimals that mean something.
    unit_bound: in the unit or on the scale of its scenario, so that it has no mean over scenarios.
    relative: depends on which other solvers are present. order_of: the metric that gives the same order.
    first: the metric that decides before it, where it only breaks ties (``column`` is its value then).
    ranked, swept: whether ranks and sweeps of definitions show it. meaning: of its column, in the header of
    its view. most: the largest value, where 0 is the least: a number or ``penalty``, ``in_cutoffs`` or as
    it is; None = unbounded.
    """

    name: str
    relation: str
    label: str
    better: Literal["min", "max"]
    digits: int
    unit_bound: bool = False
    relative: bool = False
    order_of: str | None = None
    column: str = ""
    first: str | None = None
    ranked: bool = True
    swept: bool = True
    meaning: str = ""
    most: str | None = None
    in_cutoffs: bool = False

    @property
    def lower_is_better(self) -> bool:
        """True if the smallest value is the best."""
        return self.better == "min"


@dataclass(frozen=True)
class SqlFile:
    """One view or macro: ``row`` is its grain, ``columns`` the meaning [unit] of each.

    ``metrics``: those that its header declares; ``also``: metrics declared by another view that this one
    has too, at its own grain. ``layout``: the layout entries in the header of a paper table. ``line``: the
    line of the file where ``sql`` begins. ``stored``: whether its results are built and kept: it is local
    to one scenario and protocol then. ``families``: whether there is a view of the same for each family of
    instances. ``in_toml``: whether the rows of a relation are TOML files; then ``text`` is the SELECT of
    its columns and their defaults, and ``more`` are the rows that a user adds to ours.
    """

    name: str
    subject: str
    path: Path
    row: str
    key: tuple[str, ...]
    columns: dict[str, str]
    source: str
    text: str
    metrics: tuple[Metric, ...] = ()
    also: tuple[str, ...] = ()
    layout: dict[str, str] = field(default_factory=dict)
    line: int = 1
    stored: bool = False
    families: bool = False
    in_toml: bool = False
    more: tuple[TomlRow, ...] = ()

    @property
    def rows(self) -> tuple[TomlRow, ...]:
        """The rows of a relation whose rows are TOML files: ours and those of plug-ins first."""
        return (*our_rows(self.name), *self.more)

    @cached_property
    def sql(self) -> str:
        """The SELECT of a view, or the statement that creates a macro."""
        return rows_select(self.text, self.rows, key=self.key[0]) if self.in_toml else self.text

    @property
    def defaults(self) -> str:
        """The SELECT of the defaults of a relation whose rows are TOML files; nothing for any other."""
        return self.text if self.in_toml else ""

    @property
    def is_macro(self) -> bool:
        """True if the file defines a macro rather than a view."""
        return self.subject == MACRO

    @property
    def parameters(self) -> frozenset[str]:
        """The parameters of a SELECT of ``frame``."""
        return frozenset(_PARAMETER.findall(self.text))

    @property
    def signature(self) -> str:
        """The name of a view, or of a macro with its parameters."""
        found = re.search(rf"\b{self.name}\s*\(([^)]*)\)", self.text)
        if not self.is_macro or found is None:
            return self.name
        return f"{self.name}({' '.join(found[1].split())})"

    @property
    def statement(self) -> str:
        """The statement that creates it."""
        return self.sql if self.is_macro else f"create view {self.name} as {self.sql}"

    @cached_property
    def reads(self) -> frozenset[str]:
        """The relations that a SELECT reads; see ``reads``."""
        is_ours = any(map(self.path.is_relative_to, (_PACKAGE, sql_dir())))
        return read_in(self.text) if is_ours else reads(self.text)

    def comments(self) -> list[str]:
        """Statements that turn the header of a view into comments on it."""
        return [] if self.is_macro else comments(self.name, self.row, self.columns)

    @property
    def explained(self) -> str:
        """The statements that create it, and comment on it."""
        return ";\n".join((self.statement, *self.comments()))


def sql_dir() -> Path:
    """The folder of the views that come with the package."""
    inside = _PACKAGE / "sql"
    return inside if inside.is_dir() else _PACKAGE.parent / "sql"


def _folder(_name: str, found: object) -> Path:
    """A folder of views of a plug-in: a path, or the package whose folder it is."""
    folder = next((Path(path) for path in getattr(found, "__path__", ())), found)
    if not isinstance(folder, Path):
        raise AslibError(f"is a {type(found).__name__}, not a folder of views")
    files, rows = _sql_of((folder,)), _toml_of((folder,))
    if not files and not rows:
        raise AslibError(f"leads to {folder}, which holds no view")
    if not folder.is_relative_to(_PACKAGE):  # one with a wrong file is left out as a whole
        for path in files:
            _our_file(path, folder)
        for path in rows:
            _our_rows(path)
    return folder


VIEWS: Registry[Path] = Registry("views", {}, _folder)


def our_folders() -> tuple[Path, ...]:
    """The folder of the views that come with the package, and those of plug-ins."""
    return _our_folders(tuple(sys.path))


@cache
def _our_folders(_searched: tuple[str, ...]) -> tuple[Path, ...]:
    if not plug_ins("views"):
        return (sql_dir(),)
    folders = [sql_dir()]
    taken = {*_names_in(sql_dir()), *(("", name) for name in _TABLES)}
    for name, folder in VIEWS.usable().items():
        both = sorted(_names_in(folder) & taken)
        if both and (plug_in := VIEWS.plug_in(name)):
            leave_out(plug_in.error(f"has a name that is taken, {both[0][1]}"))
        else:
            folders.append(folder)
            taken |= _names_in(folder)
    return tuple(folders)


def _names_in(folder: Path) -> set[tuple[str, str]]:
    """The names of a folder's files; paper tables and frames have theirs apart."""
    apart = {TABLE: TABLE, FRAME: FRAME}
    return {(apart.get(p.parent.name, ""), p.stem) for p in _sql_of((folder,))}


def _sql_of(folders: Iterable[Path], subject: str = "*", *, suffix: str = "sql") -> list[Path]:
    """The files in folders laid out like sql/, by subject and name."""
    names = f"{subject}/*.{suffix}"
    found = (path for folder in folders for path in folder.glob(names))
    return sorted(found, key=lambda path: (path.parent.name, path.name))


# The TOML files with rows of relations.
_toml_of = partial(_sql_of, suffix="toml")


def find_sql(folders: Paths = ()) -> list[SqlFile]:
    """Our macros and views, each after what it reads, then the user's.

    Of ours those whose rows are TOML files have the user's rows, too.
    """
    ours, roots = _ours(our_folders()), as_paths(folders)
    if not roots:
        return [*ours]
    taken = {file.name: file for file in ours if file.path.exists()}
    theirs = [file for root in roots for file in _views_of(root, taken)]
    files = with_toml([*ours, *theirs], _toml_of(roots))
    theirs = files[len(ours) :]
    return [*files[: len(ours)], *by_lineage([*theirs, *of_families(theirs, beside=ours)])]


def with_toml(files: Sequence[SqlFile], paths: Sequence[Path]) -> list[SqlFile]:
    """Files with the rows in a user's TOML files, which are checked.

    Raises:
        ScenarioError: with all that is wrong in the files of a relation.
    """
    relations = {file.name: file for file in files if file.in_toml}
    more: dict[str, list[Path]] = {}
    for path in paths:
        if path.parent.name not in relations:
            what = f"no relation called {path.parent.name!r} has its rows in TOML"
            raise AslibError(what, str(path), one_of(path.parent.name, relations))
        more.setdefault(path.parent.name, []).append(path)
    changed = {}
    for name, file in relations.items():
        rows = [row for path in more.get(name, ()) for row in read_rows(path, read_text(path))]
        if rows:
            require_columns(rows, file.defaults, key=file.key[0])
            changed[name] = replace(file, more=(*file.more, *complete(rows, beside=file.rows)))
    return [changed.get(file.name, file) for file in files]


@cache
def _ours(folders: tuple[Path, ...]) -> tuple[SqlFile, ...]:
    found: dict[str, SqlFile] = {}
    for path in (path for path in _sql_of(folders) if path.parent.name not in {TABLE, FRAME}):
        if path.stem in found:
            what = f"the name {path.stem!r} is taken by {found[path.stem].path}"
            raise AslibError(what, str(path), "Choose another file name.")
        found[path.stem] = _our_file(path, path.parents[1])
    files = [*found.values()]
    files += of_families(files)
    return tuple(by_lineage([*files, solver_value(files), solver_value(files, of_families=True)]))


def our_rows(relation: str) -> list[TomlRow]:
    """The rows that we and plug-ins have for a relation, as its view has them."""
    return _rows_in(our_folders(), relation)


@cache
def _rows_in(folders: tuple[Path, ...], relation: str) -> list[TomlRow]:
    return complete([r for path in _toml_of(folders, relation) for r in _our_rows(path)])


# Files of a plug-in are looked at when it is found, and again with all others.
@cache
def _our_file(path: Path, folder: Path) -> SqlFile:
    return parse_sql(path, of=folder)


@cache
def _our_rows(path: Path) -> tuple[TomlRow, ...]:
    return tuple(read_rows(path, read_text(path)))


@cache
def keys(subject: str = "", folder: Path | None = None) -> Mapping[str, str]:
    """What columns of keys mean that a header does not explain, by sql/keys.toml.

    folder: of a plug-in, whose keys.toml says it for its own views.
    """
    found: dict[str, str] = {}
    for each in (folder, sql_dir()):
        known, of_frames = _glossary(each) if each else ({}, {})
        found |= known | of_frames if subject == FRAME else known
    return found


@cache
def _glossary(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """What the keys.toml of a folder says of columns; and of those of ``frame``."""
    file = folder / "keys.toml"
    text = read_text(file) if file.exists() else ""
    known = as_toml(text, file=str(file))
    of_frames: dict[str, str] = known.pop(FRAME, {})
    return known, of_frames


def _explained(columns: Mapping[str, str], key: Sequence[str], known: Mapping[str, str]) -> dict[str, str]:
    """The columns that a header explains, and those of its key that keys.toml does.

    Each of these stands behind the column before it in the key.
    """
    found = list(columns.items())
    for at, name in enumerate(key):
        if name not in columns and name in known:
            names = [column for column, _ in found]
            before = key[at - 1] if at else None
            place = names.index(before) + 1 if before in names else 0
            found.insert(place, (name, known[name]))
    return dict(found)


def version() -> str:
    """Hash of all our SQL and that of plug-ins, and of DuckDB's version."""
    return _version(our_folders())


@cache
def _version(folders: tuple[Path, ...]) -> str:
    paths = [file for file in (folder / "keys.toml" for folder in folders) if file.exists()]
    paths += [*_sql_of(folders), *_toml_of(folders)]
    texts = (f"{path.parent.name}/{path.name}\n".encode() + path.read_bytes() for path in paths)
    import duckdb

    return digest(duckdb.__version__, *texts)


# What is no view of sql/ and yet has a name in every database.
_TABLES = {
    "metric": "the declared metrics",
    "protocol": "the protocols",
    **{f"raw_{name}": "a relation of the lake" for name in RELATIONS},
}


def _views_of(root: Path, taken: dict[str, SqlFile]) -> list[SqlFile]:
    """The macros and views in a folder; adds their names to ``taken``."""
    with os_errors(root, "Name another folder."):
        if not root.is_dir():
            raise AslibError("is not a folder", str(root), "Lay it out like sql/.")
    inside = (p for p in root.glob("*/*.sql") if p.parent.name != TABLE)
    paths = [p for p in inside if _SUBJECT.fullmatch(p.parent.name)]
    if not paths and not (root / TABLE).is_dir() and not _toml_of((root,)):
        raise AslibError("holds no view", str(root), "Lay it out like sql/: solver/my_metric.sql.")
    found = []
    for path in sorted(paths, key=lambda p: (p.parent.name, p.name)):
        file = parse_sql(path)
        other = taken[file.name].path if file.name in taken else _TABLES.get(file.name)
        if other:
            raise AslibError(
                f"the name {file.name!r} is taken by {other}", str(path), "Choose another file name."
            )
        taken[file.name] = file
        found.append(file)
    return found


_MEASURE = re.compile(r"\bscenario_id, measure\b")


def of_families(files: Sequence[SqlFile], *, beside: Sequence[SqlFile] = ()) -> list[SqlFile]:
    """A view ``NAME_by`` for each view whose header says ``families: yes``.

    It is the same SELECT with the keys ``attribute`` and ``family`` behind ``measure``, over the views of
    families in the place of those that it reads. One with a row for each instance has it for each attribute
    of its scenario. So no formula stands in two places. beside: further files that are read.
    """
    named = {f.name for f in (*files, *beside) if f.families} | {"solver_value"}
    named |= {f.name.removesuffix(BY) for f in files if f.name.endswith(BY)}
    read = re.compile(rf"\b(from|join)(\s+)({'|'.join(sorted(named))})\b")
    keys = f"scenario_id, measure, {', '.join(FAMILY)}"
    found = []
    for file in (f for f in files if f.families):
        if "instance_id" in file.key:
            told = {name: f"i.{name}" for name in file.columns}
            told = {**_with_family(told), "attribute": "attribute", "family": _VALUE}
            sql = _FAMILIES_OF_INSTANCES.format(columns=", ".join(told.values()), view=file.name)
        else:
            sql = read.sub(rf"\1\2\3{BY}", _MEASURE.sub(keys, file.sql))
        grain = file.row.replace("measure", "measure, attribute, family", 1)
        at = file.key.index("measure") + 1
        found.append(
            replace(
                file,
                name=f"{file.name}{BY}",
                path=file.path.with_stem(f"{file.name}{BY}"),
                row=grain,
                key=(*file.key[:at], *FAMILY, *file.key[at:]),
                columns=_with_family(file.columns),
                text=sql,
                metrics=(),
                also=(),
                stored=False,
                families=False,
            )
        )
    return found


_VALUE = "coalesce(value, '') as family"
_FAMILIES_OF_INSTANCES = (
    "select {columns} from {view} as i"
    " inner join (select distinct scenario_id, attribute from raw_attribute)"
    " using (scenario_id)"
    " left join raw_attribute using (scenario_id, attribute, instance_id)"
)


def _with_family(columns: Mapping[str, str]) -> dict[str, str]:
    """The columns of a view with those of a family behind the measure."""
    told = list(columns.items())
    at = list(columns).index("measure") + 1
    return dict([*told[:at], *((name, keys()[name]) for name in FAMILY), *told[at:]])


def solver_value(files: Sequence[SqlFile], *, of_families: bool = False) -> SqlFile:
    """The view with a row for each solver and declared metric of one value a solver.

    of_families: for each family, of the views that there are of families.
    """
    parts = []
    there = {file.name for file in files}
    behind, more = (BY, FAMILY) if of_families else ("", ())
    key = (*SOLVER[:3], *more, *SOLVER[3:])
    for file in files:
        view = f"{file.name}{behind}"
        if file.metrics and set(file.key) == set(SOLVER) and view in there:
            names = ", ".join(m.name for m in file.metrics)
            values = ", ".join(f"{m.column}::double as {m.name}" for m in file.metrics)
            # Only names that the parser of headers has taken are spliced.
            parts.append(
                f"from (select {', '.join(key)}, {values} from {view})"  # noqa: S608
                f" unpivot include nulls (value for metric in ({names}))"
            )
    return SqlFile(
        name=f"solver_value{behind}",
        subject="solver",
        path=sql_dir() / "solver" / f"solver_value{behind}.sql",
        row=f"One row per {', '.join(('protocol, scenario, measure', *more))}, solver and metric.",
        key=(*key, "metric"),
        columns={
            **{name: keys()[name] for name in (*key, "metric")},
            "value": "value of the solver by this metric; null if the value is not defined",
        },
        source="",
        text=" union all ".join(parts),
    )


def by_lineage(files: Sequence[SqlFile]) -> list[SqlFile]:
    """Macros, then each view after those that it reads, else in the given order."""
    views = {file.name: file for file in files if not file.is_macro}
    order = TopologicalSorter({name: read & views.keys() for name, read in reads_of(files).items()})
    place = {name: at for at, name in enumerate(views)}
    try:
        order.prepare()
    except CycleError as error:
        circle = list(dict.fromkeys(error.args[1]))
        what = f"these views read each other in a circle: {', '.join(circle)}"
        last = views[max(circle, key=place.__getitem__)]
        raise AslibError(what, str(last.path), "Let one of them read less.") from None
    found = [file for file in files if file.is_macro]
    while order.is_active():
        ready = sorted(order.get_ready(), key=place.__getitem__)
        found += [views[name] for name in ready]
        order.done(*ready)
    return found


def reads_of(files: Iterable[SqlFile]) -> dict[str, frozenset[str]]:
    """The relations that each view among some files reads."""
    return {file.name: file.reads for file in files if not file.is_macro}


def find_tables(folders: Paths = ()) -> dict[str, SqlFile]:
    """The paper tables by name: ours, then those of the user's folders."""
    found: dict[str, SqlFile] = {}
    theirs = (path for root in as_paths(folders) for path in _sql_of((root,), TABLE))
    for path in (*_sql_of(our_folders(), TABLE), *theirs):
        file = parse_sql(path)
        if file.name in found:
            what = f"the name {file.name!r} is taken by {found[file.name].path}"
            raise AslibError(what, str(path), "Choose another file name.")
        found[file.name] = file
    return found


def parse_sql(path: Path, *, of: Path | None = None) -> SqlFile:
    """One file. of: the folder of a plug-in, whose keys.toml explains its columns."""
    subject = _SUBJECT.fullmatch(path.parent.name)
    if not subject or not _NAME.fullmatch(path.stem):
        hint = "Put it in a folder such as solver and name it like the view."
        raise AslibError("is not named like a view", str(path), hint)
    tags = (*_TAGS, *LAYOUT) if subject[1] == TABLE else _TAGS
    lines = read_text(path).splitlines()
    size = next((i for i, x in enumerate(lines) if not x.startswith("--")), len(lines))
    first = next((i for i, x in enumerate(lines) if i >= size and x.strip()), size)
    header = [line.removeprefix("--").strip() for line in lines[:size]]
    entries: dict[str, str] = {}
    declared, prose = list[str](), list[str]()
    for line in filter(None, header):
        if entry := _ENTRY.fullmatch(line):
            entries[entry[1]] = entry[2]
        elif same := _AS_IN.fullmatch(line):
            entries |= _as_in(same[1], _names(same[2]), path, of)
        elif not line.startswith("parameter "):  # what it means, for who reads the file
            (declared if line.startswith("metric ") else prose).append(line)
    # A user's column may be called stored, and then means something else.
    stored = entries.get("stored") == _STORED
    families = entries.get("families") == _FAMILIES
    key = _names(entries.get("key", ""))
    said = {"stored": stored, "families": families, "rows": entries.get("rows") == _TOML}
    columns = {k: v for k, v in entries.items() if k not in tags and not said.get(k)}
    file = SqlFile(
        name=path.stem,
        subject=subject[1],
        path=path,
        row=" ".join(prose),
        key=key,
        columns=_explained(columns, key, keys(subject[1], of)),
        source=entries.get("source", ""),
        text="\n".join(lines[size:]).strip().rstrip(";"),
        in_toml=entries.get("rows") == _TOML,
        metrics=tuple(_metric(line, path, entries) for line in declared),
        also=_names(entries.get("metrics", "")),
        line=first + 1,
        stored=stored,
        families=families,
        layout={k: v for k, v in entries.items() if k in tags and k not in _TAGS},
    )
    _require_contract(file)
    return file


def _as_in(view: str, names: Sequence[str], path: Path, of: Path | None) -> Mapping[str, str]:
    """Columns, or ``all``, that mean what they mean in a view of ours, or of the same plug-in."""
    folders = [folder for folder in (sql_dir(), of) if folder]
    found = [(file, folder) for folder in folders for file in folder.glob(f"*/{view}.sql")]
    views = [_our_file(*each).columns for each in found if each[0].parent.name not in {TABLE, FRAME}]
    columns = views[0] if views else {}
    if names == ("all",) and columns:
        return columns
    if unknown := [name for name in names if name not in columns]:
        what = f"there is no column {unknown[0]} in a view {view}"
        raise AslibError(what, str(path), "Describe the column here.")
    return {name: columns[name] for name in names}


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _metric(line: str, path: Path, entries: Mapping[str, str]) -> Metric:
    """Parse a line such as ``metric borda: max, 3 digits, "Borda", relative``."""
    found = _METRIC.fullmatch(line)
    hint = 'Write: metric my_metric: max, 3 digits, "my metric", relative.'
    if found is None:
        raise AslibError(f"{line!r} declares no metric", str(path), hint)
    name, better, digits, label, rest = found.groups()
    options: dict[str, Any] = {"column": name}
    for words in _names(rest):
        match words.split():
            case ["in", "the", "scenario's", "unit"]:
                options["unit_bound"] = True
            case ["relative" | "absolute" as kind]:
                options["relative"] = kind == "relative"
            case ["not", ("ranked" | "swept") as what]:
                options[what] = False
            case ["order", "of", other]:
                options["order_of"] = other
            case ["from", "0", "to", most, *unit] if unit in ([], ["cutoffs"]):
                options |= {"most": most, "in_cutoffs": bool(unit)}
            case [column, "after", first]:
                options |= {"column": column, "first": first}
            case _:
                raise AslibError(f"{words!r} says nothing of a metric", str(path), hint)
    if not re.fullmatch(r"\d+|penalty", options.get("most", "0")):
        raise AslibError(f"{options['most']!r} is no largest value", str(path), hint)
    options |= {"better": better, "meaning": entries.get(options["column"], "")}
    return Metric(name, path.stem, label, digits=int(digits), **options)


def _require_contract(file: SqlFile) -> None:
    where, hint = str(file.path), "See the header of any file in sql/solver."
    if not file.text:
        raise AslibError("holds no statement", where, hint)
    if file.is_macro:
        return
    if not file.row.startswith("One row per "):
        raise AslibError("the header does not begin 'One row per'", where, hint)
    if not file.key or not set(file.key) <= set(file.columns):
        raise AslibError("the header has no 'key:' of documented columns", where, hint)
    for name in (*(metric.column for metric in file.metrics), *file.also):
        if name not in file.columns:
            raise AslibError(f"the metric {name} is no column", where, hint)


def comments(view: str, about: str, columns: Mapping[str, str], kind: str = "view") -> list[str]:
    """COMMENT ON statements for a view (or table) and its columns."""
    of_columns = (f"comment on column {view}.{name} is {quoted(said)}" for name, said in columns.items())
    return [f"comment on {kind} {view} is {quoted(about)}", *of_columns]


def quoted(text: str) -> str:
    """A SQL string literal."""
    return "'" + text.replace("'", "''") + "'"


def all_quoted(texts: Iterable[str]) -> str:
    """String literals with commas: what stands in a list of SQL."""
    return ", ".join(map(quoted, texts))


def frame_file(name: str) -> SqlFile:
    """The SELECT of that name with its header."""
    folders = our_folders()
    folder = next((each for each in folders if (each / FRAME / f"{name}.sql").exists()), folders[0])
    return _our_file(folder / FRAME / f"{name}.sql", folder)
