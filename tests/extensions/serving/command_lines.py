"""The command lines of ``serve``, which only ends when told to, and ``--sql-page``."""

from __future__ import annotations

HANDED_OVER = {"serve", "report --sql-page"}
GIVEN = {"--sql-page": "--sql-page package.tgz"}
