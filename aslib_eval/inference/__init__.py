"""Contests of probabilistic inference: a folder of networks and answers, scored.

::

    contest.toml                       optional, see ``settings``
    networks/NAME.uai                  one instance each
    evidence/NAME.uai.evid             observed variables; none if it is absent
    queries/NAME.uai.query             variables of a marginal MAP (MMAP)
    tests/NAME.uai.test                test points (MLC): an instance NAME#1, … each
    answers/SOLVER/NAME.uai.TASK       what a solver said, for every limit
    answers/SOLVER/LIMIT/NAME.uai.TASK the same for one of several limits
    roles/best/NAME.uai.TASK           the truth, or the best answer known before
    roles/trivial/NAME.uai.TASK        what a trivial solver said

TASK is PR, MAR, MAP (or MPE), MMAP or MLC. All files but contest.toml are in the
formats of the competitions. Each task becomes a scenario of its own, NAME-TASK: its
algorithms are the solvers that answered at least once, its instances all networks that
can be asked the task, its primary measure the score of the competition, from 0 to 100.

What no solver gives is computed: the truth of PR and MAR and the optimum of MLC by
variable elimination, the trivial answers as ``metrics.trivial`` says. A network that
needs a larger table than contest.toml allows is left out, with a warning, unless
roles/best gives its truth.
"""
