"""How a scenario is replaced atomically: versions, one symlink, and leases.

::

    lake/run/scenario_id=X        -> ../.versions/scenario_id=X/current/run
    lake/X.json                   -> .versions/scenario_id=X/current/manifest.json
    lake/.versions/scenario_id=X/current -> v-4f1ck2j3   (the only thing that moves)

A version is written and synced under a name of its own (``new-…``, and ``v-…`` when
it is complete); renaming ``current`` then turns all relations and the manifest.
Whoever fills a version holds a shared lock on its folder, and the next writer removes unfinished ones that
nobody holds. Whoever reads holds one shared lock, however many scenarios: on the lake's folder, taken
before looking at what is current. A writer removes the versions that it finds replaced if nobody reads the
lake; else it leaves them to the next import. Versions without ``current`` are what a copy without links has
left, and are kept.
Whoever writes a scenario also holds the lock of its home folder from looking at the current version to
replacing it, so that no change made meanwhile is lost.
"""
