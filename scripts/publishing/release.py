"""Check that what names the release agrees, then make every part of it in a folder."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import yaml

from publishing import site

RECIPE = "scripts/publishing/recipe.yaml"
# The names of packages in conda that are not those of their distributions.
CONDA = {"duckdb": "python-duckdb"}


def main(arguments: list[str]) -> None:
    """Make the release of the checkout in the folder that is named."""
    root = site.ROOT
    found = [*disagreements(root), *uncommitted(root)]
    if found:
        sys.exit("\n".join([*found, "Nothing is made."]))
    folder = Path(arguments[0] if arguments else "release").resolve()
    if folder.exists():
        sys.exit(f"{folder}: is there. Name another folder, or remove it.")
    making = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(making, ignore_errors=True)
    make(root, making)
    making.rename(folder)
    print(folder)


def make(root: Path, folder: Path) -> None:
    """Make the parts of the release; a part that cannot be made ends it."""
    # The bytes of the distributions say when they were committed, not when made.
    when = run("git", "-C", str(root), "log", "-1", "--format=%ct").strip()
    os.environ.setdefault("SOURCE_DATE_EPOCH", when)
    for place in ("dist", "again"):
        run(sys.executable, "-m", "build", "--outdir", str(folder / place), str(root))
    files = sorted((folder / "dist").iterdir())
    for file in files:
        if file.read_bytes() != (folder / "again" / file.name).read_bytes():
            sys.exit(f"{file.name}: other bytes when it is made again.")
    shutil.rmtree(folder / "again")
    run(sys.executable, "-m", "twine", "check", "--strict", *map(str, files))
    (source,) = (file for file in files if file.suffix == ".gz")
    (folder / "recipe.yaml").write_text(recipe(root, source))
    (folder / "zenodo.json").write_text(zenodo(root))
    site.main([str(folder / "site")])
    sums = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n"
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    ]
    (folder / "SHA256SUMS").write_text("".join(sums))


def disagreements(root: Path) -> Iterator[str]:
    """Say what does not agree with the version, or is not ready to be published."""
    version = site.version(root)
    changelog = (root / "CHANGELOG.md").read_text()
    heading = re.search(r"^## \[(.+?)\](?: - (\S+))?$", changelog, re.MULTILINE)
    date = heading[2] if heading[1] == version else None
    if date is None:
        line = changelog[: heading.start()].count("\n") + 1
        wanted = f"## [{version}] - YEAR-MONTH-DAY"
        yield f"CHANGELOG.md:{line}: is not {version} with its date. Write `{wanted}`."
    citation = yaml.safe_load((root / "CITATION.cff").read_text())
    if citation["version"] != version:
        said = citation["version"]
        yield f"CITATION.cff: version is {said}. Write `version: {version}`."
    released = str(citation.get("date-released", "missing"))
    if released != date:
        wanted = f"date-released: {date or 'YEAR-MONTH-DAY'}"
        yield f"CITATION.cff: date-released is {released}. Write `{wanted}`."
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    written = yaml.safe_load((root / RECIPE).read_text())
    needs = {need.replace(" ", "") for need in written["requirements"]["run"]}
    for need in [f"python{project['requires-python']}", *project["dependencies"]]:
        name = re.match(r"[\w-]+", need)[0]
        conda = need.replace(name, CONDA.get(name, name), 1)
        if conda not in needs:
            yield f"{RECIPE}: lacks `{conda}`. Add it below `run`."


def uncommitted(root: Path) -> Iterator[str]:
    """Name the files whose content is not that of the commit."""
    for line in run("git", "-C", str(root), "status", "--porcelain").splitlines():
        yield f"{line[3:]}: is not committed. Commit it, or put it away."


def recipe(root: Path, source: Path) -> str:
    """Give the recipe for conda of a source distribution."""
    text = (root / RECIPE).read_text()
    filled = {
        "VERSION": site.version(root),
        "SOURCE": f"dist/{source.name}",
        "SHA256": hashlib.sha256(source.read_bytes()).hexdigest(),
    }
    return re.sub("|".join(filled), lambda word: filled[word[0]], text)


def zenodo(root: Path) -> str:
    """Give what Zenodo asks of an upload, from the citation."""
    program = Path(sys.executable).with_name("cffconvert")
    citation = str(root / "CITATION.cff")
    run(str(program), "--validate", "-i", citation)
    asked = json.loads(run(str(program), "-f", "zenodo", "-i", citation))
    return json.dumps({"upload_type": "software", **asked}, indent=1) + "\n"


def run(*command: str) -> str:
    """Give what a command prints; one that fails ends the release with its words."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        words = " ".join(command)
        sys.exit(f"{words}\n{done.stdout}{done.stderr}\nThe release is not made.")
    return done.stdout


if __name__ == "__main__":
    main(sys.argv[1:])
