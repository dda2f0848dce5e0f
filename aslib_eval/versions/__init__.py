"""How a scenario is replaced as a whole: versions, one symlink, and leases.

::

    lake/run/scenario_id=X        -> ../.versions/scenario_id=X/current/run
    lake/X.json                   -> .versions/scenario_id=X/current/manifest.json
    lake/.versions/scenario_id=X/current -> 4f1c….k2j3   (the only thing that moves)

A version is written and synced under a name of its own (``new-…``, and ``v-…`` when
it is whole); renaming ``current`` then turns every relation and the manifest at once.
Whoever writes or reads a version holds a shared lock on its folder. The next writer
removes unfinished versions that nobody holds, and whole ones beside a current one;
versions without ``current`` are what a copy without links has left, and are kept.
Whoever writes a scenario also holds the lock of its home folder from looking at the
current version to replacing it, so that no change made meanwhile is lost.
"""

from __future__ import annotations

from aslib_eval.versions.examining import Damage as Damage
from aslib_eval.versions.examining import examine as examine
from aslib_eval.versions.leases import Lease as Lease
from aslib_eval.versions.leases import TooManyFilesError as TooManyFilesError
from aslib_eval.versions.leases import lease as lease
from aslib_eval.versions.leases import leased as leased
from aslib_eval.versions.leases import manifest as manifest
from aslib_eval.versions.leases import scenario_ids as scenario_ids
from aslib_eval.versions.manifests import SEAL as SEAL
from aslib_eval.versions.manifests import Manifest as Manifest
from aslib_eval.versions.places import partition as partition
from aslib_eval.versions.repairing import Repaired as Repaired
from aslib_eval.versions.repairing import repair as repair
from aslib_eval.versions.snapshots import snapshot as snapshot
from aslib_eval.versions.writing import Change as Change
from aslib_eval.versions.writing import amend as amend
from aslib_eval.versions.writing import clean as clean
from aslib_eval.versions.writing import replace as replace
from aslib_eval.versions.writing import write as write
