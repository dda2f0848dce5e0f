"""Find and parse sql/: a file is a view, its folder a layer, its header a contract.

The folder ``table`` is no layer: its files are queries over the views, whose headers
also say how the table looks on paper.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from aslib_eval.errors import AslibError
from aslib_eval.paths import Paths, as_paths

_NAME = re.compile(r"[a-z_][a-z0-9_]*")
_LAYER = re.compile(r"(\d\d)_([a-z0-9_]+)")
_ENTRY = re.compile(r"([a-z_][a-z0-9_]*): (.+)")
_TAGS = ("key", "source")
TABLE = "table"
# What the header of a paper table may say beside that (see tables.style).
LAYOUT = (
    *("caption", "headings", "digits", "bold", "within"),
    *("rank", "mark", "over", "across", "foot", "hide"),
)
_ABOVE = 100  # paper tables read every layer


@dataclass(frozen=True)
class SqlFile:
    """One view or macro: ``row`` is its grain, ``columns`` name → meaning [unit].

    ``layout``: what the header of a paper table says about its looks. ``line``: of the
    file, where ``sql`` begins.
    """

    name: str
    layer: int
    folder: str
    path: Path
    row: str
    key: tuple[str, ...]
    columns: dict[str, str]
    source: str
    sql: str
    layout: dict[str, str] = field(default_factory=dict)
    line: int = 1

    @property
    def is_macro(self) -> bool:
        """Whether the file defines a macro rather than a view."""
        return self.layer == 0

    @property
    def signature(self) -> str:
        """How to write it: a view's name, a macro's with its parameters."""
        found = re.search(rf"\b{self.name}\s*\(([^)]*)\)", self.sql)
        if not self.is_macro or found is None:
            return self.name
        return f"{self.name}({' '.join(found[1].split())})"

    @property
    def defines_macro(self) -> bool:
        """Whether the text begins as the definition of a macro called like the file."""
        words = rf"create\s+(or\s+replace\s+)?(macro|function)\s+{self.name}\s*\("
        return re.match(words, self.sql, re.IGNORECASE) is not None

    @property
    def statement(self) -> str:
        """The statement that creates it."""
        return self.sql if self.is_macro else f"create view {self.name} as {self.sql}"

    def comments(self) -> list[str]:
        """Statements that turn the header of a view into comments on it."""
        return [] if self.is_macro else comments(self.name, self.row, self.columns)


def sql_dir() -> Path:
    """The folder of the views that come with the package."""
    inside = Path(__file__).parent / "sql"
    return inside if inside.is_dir() else Path(__file__).parent.parent / "sql"


def find_sql(folders: Paths = ()) -> list[SqlFile]:
    """All macros and views in order of creation; the user's folders after ours.

    Raises AslibError for a folder that is not laid out like sql/, a file without a
    proper header, or a name that is taken.
    """
    found: dict[str, SqlFile] = {}
    for root in (sql_dir(), *as_paths(folders)):
        if not root.is_dir():
            raise AslibError("is not a folder", str(root), "Lay it out like sql/.")
        paths = [p for p in root.glob("*/*.sql") if _LAYER.fullmatch(p.parent.name)]
        if not paths and not (root / TABLE).is_dir():
            hint = "Lay it out like sql/: 60_solver/my_metric.sql."
            raise AslibError("holds no view", str(root), hint)
        for path in sorted(paths, key=lambda p: (p.parent.name, p.name)):
            file = parse_sql(path)
            if file.name in found:
                what = f"the name {file.name!r} is taken by {found[file.name].path}"
                raise AslibError(what, str(path), "Choose another file name.")
            found[file.name] = file
    return list(found.values())


def find_tables(folders: Paths = ()) -> dict[str, SqlFile]:
    """The paper tables by name: ours, then those of the user's folders.

    Raises AslibError for a file without a proper header, or a name that is taken.
    """
    found: dict[str, SqlFile] = {}
    for root in (sql_dir(), *as_paths(folders)):
        for path in sorted((root / TABLE).glob("*.sql")):
            file = parse_sql(path)
            if file.name in found:
                what = f"the name {file.name!r} is taken by {found[file.name].path}"
                raise AslibError(what, str(path), "Choose another file name.")
            found[file.name] = file
    return found


def parse_sql(path: Path) -> SqlFile:
    """One file. Raises AslibError if the header is not as DESIGN describes it."""
    layer = _LAYER.fullmatch(path.parent.name)
    on_paper = path.parent.name == TABLE
    if not (layer or on_paper) or not _NAME.fullmatch(path.stem):
        hint = "Put it in a folder such as 60_solver and name it like the view."
        raise AslibError("is not named like a view", str(path), hint)
    tags = (*_TAGS, *LAYOUT) if on_paper else _TAGS
    lines = _read(path).splitlines()
    size = next((i for i, x in enumerate(lines) if not x.startswith("--")), len(lines))
    first = next((i for i, x in enumerate(lines) if i >= size and x.strip()), size)
    header = [line.removeprefix("--").strip() for line in lines[:size]]
    entries = {m[1]: m[2] for line in header if (m := _ENTRY.fullmatch(line))}
    prose = [line for line in header if line and not _ENTRY.fullmatch(line)]
    file = SqlFile(
        name=path.stem,
        layer=int(layer[1]) if layer else _ABOVE,
        folder=path.parent.name,
        path=path,
        row=" ".join(prose),
        key=tuple(k.strip() for k in entries.get("key", "").split(",") if k.strip()),
        columns={k: v for k, v in entries.items() if k not in tags},
        source=entries.get("source", ""),
        sql="\n".join(lines[size:]).strip().rstrip(";"),
        line=first + 1,
        layout={k: v for k, v in entries.items() if k in tags and k not in _TAGS},
    )
    _require_contract(file)
    return file


def _read(path: Path) -> str:
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise AslibError("is no plain file", str(path), "Remove it.")
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise AslibError(f"cannot be read ({error.strerror})", str(path)) from None
    except UnicodeDecodeError:
        raise AslibError("is not UTF-8", str(path), "Save it as UTF-8.") from None


def _require_contract(file: SqlFile) -> None:
    where, hint = str(file.path), "See the header of any file in sql/60_solver."
    if not file.sql:
        raise AslibError("holds no statement", where, hint)
    if file.is_macro:
        return
    if not file.row.startswith("One row per "):
        raise AslibError("the header does not begin 'One row per'", where, hint)
    if not file.key or not set(file.key) <= set(file.columns):
        raise AslibError("the header has no 'key:' of documented columns", where, hint)


def comments(
    view: str, about: str, columns: Mapping[str, str], kind: str = "view"
) -> list[str]:
    """COMMENT ON statements for a view (or table) and its columns."""
    whole = f"comment on {kind} {view} is {quoted(about)}"
    parts = (
        f"comment on column {view}.{name} is {quoted(meaning)}"
        for name, meaning in columns.items()
    )
    return [whole, *parts]


def quoted(text: str) -> str:
    """A SQL string literal."""
    return "'" + text.replace("'", "''") + "'"
