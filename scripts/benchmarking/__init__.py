"""How long answers take against yardsticks of the same run, and how the cost grows.

The yardsticks are A, what asf takes merely to read the same folders (in process, imports excluded), and L,
what ``python -c "import duckdb, polars"`` takes. Everything else is a whole process: its time by the clock,
its user and system time, and the largest resident set of a process in it. Tasks take turns, and every round
begins with another one; a ratio is the median of the ratios of the rounds. A cold question is
asked after the results in the lake and the user's cache folder have been removed, a warm one after it has
been asked once; files stay in the system's page cache.

imports: the import against liac-arff, asf and a floor, all in one process.
answers: cold and warm questions over a folder of scenarios, and after one is replaced. workers: ``build``
with one job and with two.
report: the report, and again with nothing changed.
competitions: a made-up challenge from its file to a board, and the scores of pairs. routing: a made-up
table of 392,000 answers of language models, from its file to a page. growth: synthetic runs in 10, 100
and 1,000 scenarios, and in one scenario, with no more than 256 open files.
whole: the same questions about FOLDER itself, once, with as few open files.

processes: a command and what it took. kept: measurements in a file. synthetic: scenarios from a seed.
yardstick: asf, in a process of its own. tables: what came out, as Markdown and as a figure. This process
loads no library that is large: a child's largest resident set is never reported below that of the process
it was started from.
"""
