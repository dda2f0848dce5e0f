"""The harness that measures this project's own scenarios.

A scenario plugs in as a module or package ``NAME`` beside this file that offers ``plan() -> Plan`` (see
``plan.py``; registered in ``__main__.NAMES``) and a list of pinned packages ``requirements-NAME.txt``. A
plan says

- ``jobs()``: the keys of all measurements in the order they are made, each a tuple of
  texts such as ``("run", instance, algorithm, "1")``. The order is random by a fixed seed, so that a
  journal that is cut short is a fair sample.
- ``limits(key)``: CPU, wall and memory limit of that measurement.
- ``work(key)``: called in the measuring process; loads what the measurement needs
  (outside the clock) and returns ``child(send)``. That function alone runs in a forked process of its own,
  under the limits, and tells what it finds with ``send(value)`` (anything that is JSON), as often as it
  likes: what was sent before a kill is kept.
- ``judge(key, sent, outcome)``: called afterwards in the measuring process; turns what
  was sent into what goes into the journal (checks the answer, leaves out the bulk).
- ``instances()``: (id, content) of every instance, for the hashes.
- ``assemble(journal)``: records → ``Folder`` (tables, texts and extra files).
- ``again(journal)``: keys to measure a second time once all is done (repeats), under
  other keys, e.g. ``("repeat", instance, algorithm, "1")``.
- ``recheck(folder)``: (key, what the committed folder says, compare) of a few runs.

``box.run`` starts the child and takes its CPU time, memory and exit from the operating system (``wait4``):
a child is forked from the loaded measuring process, so its clock starts at zero and no interpreter start or
import is in it. ``journal.Journal`` is an append-only file of JSON lines, one a measurement, flushed to the
disk one by one; killing the process at any time loses at most the run under way.
"""
