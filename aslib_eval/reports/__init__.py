"""The HTML report: one self-contained page a scenario, and an index over all.

A page is ordered sections, one function each: ``ScenarioResults`` (what the lake says of one scenario under
one protocol) → ``Section`` (title, population, tables, charts). Tables are plain HTML, so that they are
there without JavaScript, for a screen reader and for a search. A chart is a specification of plain data,
which ``assets/chart.js`` draws.

Why not Vega: what a reader can change (k, unsolvable instances, the portfolio) changes every chart, so the
page needs the runs and the arithmetic itself. To draw them takes a few hundred lines more, against 900 kB a
page for a bundle that would still leave to us legends of 67 algorithms, axes with a place for zeros and
timeouts, and the keyboard. A specification holds values, never pixels or code, so anything else can draw it
too.
"""
