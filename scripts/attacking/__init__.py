"""Attacks on every reader and every writer, repeatable from a seed.

``inputs`` damages one file of a small sample of each format and gives it to the command that reads it.
``kills`` ends every writer with SIGKILL at random moments. ``faults`` lets the n-th ``open``, ``read``,
``write``, ``fsync``, ``rename``, ``mkdir``, ``link``, ``symlink`` or ``unlink`` below the writer's folder
fail, for every n.

Every attempt runs in a forked child with limits of time and memory, in a folder of its own. A failure is a
traceback, a crash, a hang, an error that names no file, an exit code that no command has, a store that is
neither the old nor the new one, or something that is left over once the writer has run again.

samples: small inputs of all formats. mutations: what is done to them. writers: what is killed, and how its
result is read. shim: calls that fail. child: forked children.
"""

import os

# One thread a library: a child is forked without the others, and needs none.
for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "POLARS_MAX_THREADS"):
    os.environ.setdefault(_name, "1")
