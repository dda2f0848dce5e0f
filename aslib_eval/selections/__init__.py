"""Selections: read from files, validated against their scenario, stored in the lake."""

from __future__ import annotations

from aslib_eval.selections.importing import ImportedSelection as ImportedSelection
from aslib_eval.selections.importing import import_selections as import_selections
from aslib_eval.selections.store import remove_selection as remove_selection
from aslib_eval.selections.store import scenario_called as scenario_called
from aslib_eval.selections.store import store_folds as store_folds
from aslib_eval.selections.store import store_selection as store_selection
