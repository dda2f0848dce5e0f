"""The command lines of ``train``."""

from __future__ import annotations

HANDED_OVER = {"audit", "train"}
ASKED = {"train": "sunny --scenario B-2026 --lake {copy}"}
SHOWN_NAMES = {"train sunny"}
IMPORTS = {"audit": "asf", "train": "asf"}
LIBRARIES = {
    (*("asf sklearn", "train rf"), *("train: asf and scikit-learn are not installed", "selectors"))
}
