"""ERT of the archive of tests/extensions/optimisers/coco by cocopp 2.9.1.

``python coco_oracle.py exdata`` writes expected.json: lines [algorithm, function, dimension, target, ERT],
null where it was never reached.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

from cocopp import genericsettings, pproc

TARGETS = (10.0, 1.0, 0.1, 1e-3, 1e-8)

if __name__ == "__main__":
    genericsettings.verbose = False
    rows = []
    for folder in sorted(Path(sys.argv[1]).iterdir()):
        for data in pproc.DataSetList([str(folder)]):
            for target, ert in zip(TARGETS, data.detERT(TARGETS), strict=True):
                value = float(ert) if math.isfinite(ert) else None
                rows.append([data.algId, int(data.funcId), int(data.dim), target, value])
    with Path("expected.json").open("w") as file:
        file.write("[\n" + ",\n".join(map(json.dumps, rows)) + "\n]\n")
