"""How a scenario is replaced atomically: versions, one symlink, and leases.

::

    lake/run/scenario_id=X        -> ../.versions/scenario_id=X/current/run
    lake/X.json                   -> .versions/scenario_id=X/current/manifest.json
    lake/.versions/scenario_id=X/current -> 4f1c….k2j3   (the only thing that moves)

A version is written and synced under a name of its own (``new-…``, and ``v-…`` when
it is complete); renaming ``current`` then turns all relations and the manifest.
Whoever writes or reads a version holds a shared lock on its folder. The next writer
removes unfinished versions that nobody holds, and complete ones beside a current one;
versions without ``current`` are what a copy without links has left, and are kept.
Whoever writes a scenario also holds the lock of its home folder from looking at the
current version to replacing it, so that no change made meanwhile is lost.
"""
