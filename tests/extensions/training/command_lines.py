"""The command lines of ``train``."""

from __future__ import annotations

HANDED_OVER = {"train"}
ASKED = {"train": "sunny --scenario B-2026 --lake {copy}"}
SHOWN_NAMES = {"train sunny"}
IMPORTS = {"train": "asf"}
LIBRARIES = {
    (
        *("asf sklearn", "train rf"),
        *("train: asf and scikit-learn are not installed", "selectors"),
    ),
}
