"""The contest scenarios/INFERENCE-2026: networks, solvers, and the answers they give.

Everything follows from the names of the networks, which are the seeds: the same files come out byte for
byte. ``generate`` writes networks, ``exact``, ``mean_field``, ``belief`` and ``gibbs`` are the solvers,
``contest`` runs them on all of it.

A solver is a function ``answer(problem, *, task, sweeps)`` that gives the text of an answer file, or None
where it has no answer. What a solver may spend is not measured
but counted, in sweeps over all variables or messages.
"""
