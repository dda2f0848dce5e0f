"""Tests, effects and planning on arrays: numpy and scipy, no files and no SQL.

The unit of replication is the instance (or the scenario): every array has one row, or one entry, for each
of them. Repeated runs and folds of one instance are summarised before they come here; the only test that
takes resampled estimates is ``corrected_resampled_t``.

``paired_differences`` comes first, as it undoes the noise of floating-point
subtraction that hides ties; then ``signed_rank``, ``paired_t`` or ``sign_test`` on one pair, ``friedman``
and a critical difference on all systems at once, ``adjust`` for several p, and
Cohen's d, A12 and shares of wins for how large a difference is.
"""
