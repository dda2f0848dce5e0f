"""Libraries that some commands alone need, and the extra that installs them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

from aslib_eval.errors import AslibError

# Extra → module → the package that brings it.
EXTRAS: Mapping[str, Mapping[str, str]] = {
    "figures": {"altair": "altair", "vl_convert": "vl-convert-python"},
    "fetch": {"pooch": "pooch"},
    "selectors": {"asf": "asf", "sklearn": "scikit-learn"},
}


def require_extra(extra: str, *, where: str | None = None) -> None:
    """Check that the libraries of an extra are installed, before the work for them.

    where: what needs them, such as a command.

    Raises:
        AslibError: one is not; it names the extra and the command that installs it.

    """
    missing = [
        package
        for module, package in EXTRAS[extra].items()
        if find_spec(module) is None
    ]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        hint = f"Install the extra {extra}, in a checkout: pip install '.[{extra}]'"
        raise AslibError(f"{' and '.join(missing)} {verb} not installed", where, hint)
