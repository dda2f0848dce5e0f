"""Lay the documents out as pages, add the samples, and let Zensical build the site."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Files that lie outside docs, or are called otherwise as pages.
PAGES = {
    "README.md": "index.md",
    "docs/README.md": "documents.md",
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
SAMPLES = {
    "report": """\
# A sample report

What `aslib-eval report` writes of the scenarios that come along and of the selections
for them, a folder of plain files: [open it in full](report/index.html).
""",
    "board": """\
# A sample board

What `aslib-eval competition cup.toml tea-cup-2026.csv -o board.html` writes of the
invented Tea Cup of the [tutorial](../tutorials/solver-competition.md), one file:
[open it in full](board/index.html).
""",
}
FRAME = """
<iframe src="{name}/index.html" title="the sample" loading="lazy"
style="width: 100%; height: 80vh; border: 1px solid #8884; border-radius: 8px"></iframe>
"""
# What the README shows as a picture is opened on the site.
PICTURE = re.compile(r'<img src="pictures/closed-gaps\.svg"[^>]*>')
OPENED = "samples/report/index.html"


def main(arguments: list[str]) -> None:
    """Build the site into the folder that is named, as the folder of this version."""
    target = Path(arguments[0] if arguments else "site").resolve()
    folder_of_version = target / version(ROOT)
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        write_pages(stage / "pages")
        write_samples(stage / "pages/samples")
        shutil.copy(ROOT / "docs/zensical.toml", stage)
        program = Path(sys.executable).with_name("zensical")
        build = [program, "build", "--strict"]
        if subprocess.run(build, cwd=stage, check=False).returncode:
            sys.exit("The site is not built: mend what is said above.")
        shutil.rmtree(folder_of_version, ignore_errors=True)
        shutil.copytree(stage / "site", folder_of_version)
    write_versions(target)
    print(folder_of_version / "index.html")


def version(root: Path) -> str:
    """Read the version of a checkout."""
    source = (root / "aslib_eval/_version.py").read_text()
    return re.search(r'^__version__ = "(.+)"', source, re.MULTILINE)[1]


def write_pages(pages: Path) -> None:
    """Write every document as a page, and notebooks as Markdown with their outputs."""
    documents = [ROOT / name for name in PAGES]
    documents += [p for p in (ROOT / "docs").rglob("*") if p.is_file()]
    for path in documents:
        name = path.relative_to(ROOT).as_posix()
        page = pages / page_of(name)
        page.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            text = led_to_pages(path.read_text(), name)
            page.write_text(PICTURE.sub(rf'<a href="{OPENED}">\g<0></a>', text))
        elif path.suffix == ".ipynb":
            page.write_text(led_to_pages(markdown(path, page), name))
        elif path.suffix != ".toml":
            shutil.copy(path, page)


def page_of(name: str) -> str:
    """Name the page, from the root of the site, that a file of the checkout becomes."""
    page = PAGES.get(name, name.removeprefix("docs/"))
    return re.sub(r"\.ipynb$", ".md", page)


def markdown(notebook: Path, page: Path) -> str:
    """Give a notebook as Markdown; its pictures are written beside the page."""
    import nbformat
    from nbconvert import MarkdownExporter

    exporter = MarkdownExporter()
    folder = f"{page.stem}_files"
    text, resources = exporter.from_notebook_node(
        nbformat.read(notebook, as_version=4), {"unique_key": page.stem, "output_files_dir": folder}
    )
    for name, content in resources["outputs"].items():
        (page.parent / folder).mkdir(parents=True, exist_ok=True)
        (page.parent / name).write_bytes(content)
    return str(text)


def led_to_pages(text: str, name: str) -> str:
    """Let the links of a document lead to pages; to a file of the code they end."""
    here = Path(name).parent
    page = Path(page_of(name)).parent

    def led(link: re.Match[str]) -> str:
        before, label, target, anchor, end = link.groups()
        file = os.path.normpath(here / target)
        if not (ROOT / file).exists():  # Zensical says that it leads nowhere
            return link[0]
        if not file.startswith("docs/") and file not in PAGES:
            return label
        return f"{before}{os.path.relpath(page_of(file), page)}{anchor or ''}{end}"

    local = r"(?!\w+:|#)([^)#\s\"]+)(#[^)\s\"]*)?"
    text = re.sub(rf"(!?\[([^\]]*)\]\(){local}(\))", led, text)
    return re.sub(rf"(<img ()src=\"){local}(\")", led, text)


def write_samples(folder: Path) -> None:
    """Write a report of the scenarios that come along, and the tutorial's board."""
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as place:
        (folder / "board").mkdir()
        board = str(folder / "board/index.html")
        commands = [
            ["import", str(ROOT / "scenarios")],
            ["import-selection", str(ROOT / "scenarios/selections")],
            ["report", "-o", str(folder / "report")],
            ["competition", "cup.toml", "tea-cup-2026.csv", "-o", board],
        ]
        run_cells(ROOT / "docs/tutorials/solver-competition.ipynb", Path(place), "cup.toml")
        program = Path(sys.executable).with_name("aslib-eval")
        for command in commands:
            subprocess.run([program, *command], cwd=place, check=True)
    for name, page in SAMPLES.items():
        (folder / f"{name}.md").write_text(page + FRAME.format(name=name))


def run_cells(notebook: Path, folder: Path, until: str) -> None:
    """Run the cells of Python of a notebook in a folder until a file is there."""
    import nbformat

    names: dict[str, object] = {}
    with contextlib.chdir(folder):
        for cell in nbformat.read(notebook, as_version=4).cells:
            if cell.cell_type == "code" and not Path(until).exists():
                exec(cell.source, names)  # noqa: S102


def write_versions(site: Path) -> None:
    """Say which versions there are, the newest first, and lead to it."""
    names = [path.parent.name for path in site.glob("*/index.html")]
    names.sort(key=lambda name: [*map(int, re.findall(r"\d+", name))], reverse=True)
    aliases = [["latest"]] + [[]] * len(names)
    rows = [
        {"version": name, "title": name, "aliases": also}
        for name, also in zip(names, aliases, strict=False)
    ]
    (site / "versions.json").write_text(f"{json.dumps(rows, indent=1)}\n")
    lead = f'<meta http-equiv="refresh" content="0; url={names[0]}/index.html">'
    page = f"<!doctype html>\n<title>aslib-eval</title>\n{lead}\n"
    (site / "index.html").write_text(page)


if __name__ == "__main__":
    main(sys.argv[1:])
