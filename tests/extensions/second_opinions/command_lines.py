"""The command lines of what ``compare`` shows beside its tests."""

from __future__ import annotations

OPTIONS = {"compare": {"--rope": ("--show bayes --rope 1", "--rope 500")}}
MODES = {"compare": ("--by ground_truth", "--show bayes --rope 1", "--versus rf")}
