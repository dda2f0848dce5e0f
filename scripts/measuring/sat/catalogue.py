"""The instances of SAT-PYSAT-2026: families, rows of parameters, seeds of each row."""

from __future__ import annotations

from . import circuits, graphs, parities, planning, proofs, uniform
from .instance import Family

FAMILIES = (
    Family(
        "ksat",
        uniform.ksat,
        (
            *((1, {"k": 3, "n": n, "ratio": 4.26}) for n in (160, 180, 200)),
            (2, {"k": 3, "n": 220, "ratio": 4.26}),
            *((3, {"k": 3, "n": n, "ratio": 4.1}) for n in (350, 420)),
            (2, {"k": 3, "n": 600, "ratio": 4.1}),
            (3, {"k": 3, "n": 500, "ratio": 4.0}),
            (2, {"k": 5, "n": 50, "ratio": 21.1}),
            (2, {"k": 5, "n": 100, "ratio": 20.0}),
            *((1, {"k": 7, "n": n, "ratio": 86.0}) for n in (40,)),
        ),
    ),
    Family(
        "hidden",
        uniform.hidden,
        tuple(
            (seeds, {"n": n, "ratio": 4.3, "bias": 0.618})
            for seeds, n in ((1, 200), (1, 240), (2, 280), (3, 320), (2, 420))
        ),
    ),
    Family(
        "community",
        uniform.community,
        (
            (1, {"n": 400, "ratio": 4.2, "parts": 6, "inside": 0.75}),
            (3, {"n": 600, "ratio": 4.1, "parts": 10, "inside": 0.75}),
            (2, {"n": 1000, "ratio": 4.0, "parts": 20, "inside": 0.75}),
            (2, {"n": 2000, "ratio": 3.9, "parts": 40, "inside": 0.75}),
        ),
    ),
    Family(
        "tseitin",
        parities.tseitin,
        (
            *((1, {"n": n, "degree": 3}) for n in (44, 50, 56)),
            *((2, {"n": n, "degree": 3}) for n in (62, 70)),
            *((1, {"n": n, "degree": 4}) for n in (20, 22, 24)),
        ),
    ),
    Family(
        "torus",
        parities.grid,
        tuple(
            (1, {"rows": r, "columns": c}) for r, c in ((3, 8), (3, 16), (4, 5), (4, 8), (4, 12), (5, 5))
        ),
    ),
    Family(
        "disagreement",
        parities.minimal_disagreement,
        tuple((2, {"n": n, "samples": 2 * n, "errors": n // 4, "wrong": n // 4}) for n in (12, 16, 18, 20)),
    ),
    Family(
        "pigeons",
        proofs.pigeons,
        tuple(
            (1, {"holes": h, "extra": e, "functional": f, "onto": o})
            for h, e, f, o in (
                (7, 1, False, False),
                (8, 1, False, False),
                (8, 1, True, False),
                (8, 1, True, True),
                (8, 3, False, False),
                (9, 1, False, False),
                (10, 1, False, False),
            )
        ),
    ),
    Family(
        "dominoes",
        proofs.dominoes,
        (*((1, {"side": side}) for side in (8, 9, 10)), *((1, {"side": side}) for side in (11, 12))),
    ),
    Family(
        "cardinality",
        proofs.subset_cardinality,
        (
            *((1, {"n": n, "extra": 1}) for n in (13, 14)),
            *((2, {"n": n, "extra": 1}) for n in (15, 16, 17)),
            *((1, {"n": n, "extra": 0}) for n in (300, 500)),
        ),
    ),
    Family(
        "pebbling",
        proofs.pebbling,
        (
            *((1, {"height": h, "arity": 2}) for h in (60, 90, 120)),
            *((1, {"height": h, "arity": 3}) for h in (20, 25, 35, 45)),
        ),
    ),
    Family(
        "ordering",
        proofs.ordering,
        (
            *((1, {"n": n, "degree": 4}) for n in (40, 50, 60, 70)),
            *((1, {"n": n, "degree": 6}) for n in (40, 50, 60, 70, 80)),
            *((1, {"n": n, "degree": 8}) for n in (50, 60, 100)),
        ),
    ),
    Family(
        "colouring",
        graphs.colouring,
        tuple(
            (seeds, {"n": n, "colours": colours, "degree": degree})
            for seeds, n, colours, degree in (
                (1, 150, 4, 8.4),
                (2, 150, 4, 8.6),
                (4, 200, 4, 8.5),
                (4, 200, 4, 8.6),
                (1, 250, 4, 8.3),
                (4, 250, 4, 8.4),
                (1, 500, 3, 4.6),
                (1, 80, 5, 12.6),
            )
        ),
    ),
    Family(
        "clique",
        graphs.clique,
        (
            (1, {"n": 22, "size": 8, "percent": 60, "planted": False}),
            (2, {"n": 20, "size": 8, "percent": 60, "planted": False}),
            (2, {"n": 40, "size": 8, "percent": 40, "planted": False}),
            (1, {"n": 40, "size": 9, "percent": 45, "planted": False}),
            (2, {"n": 50, "size": 14, "percent": 60, "planted": True}),
        ),
    ),
    Family(
        "waerden",
        graphs.waerden,
        tuple(
            (seeds, {"lengths": lengths, "n": n})
            for seeds, lengths, n in (
                (1, (3, 9), 77),
                (1, (3, 10), 96),
                (3, (3, 11), 113),
                (3, (3, 12), 132),
                (3, (3, 13), 155),
                (1, (4, 6), 72),
                (2, (5, 5), 177),
                (1, (3, 3, 4), 50),
            )
        ),
    ),
    Family(
        "hamilton",
        graphs.hamilton,
        (
            *((1, {"n": n, "degree": 3}) for n in (30, 36, 42, 48, 54)),
            *((1, {"n": n, "degree": 4}) for n in (50, 60)),
        ),
    ),
    Family(
        "factoring",
        circuits.factoring,
        (
            *(
                (seeds, {"bits": b, "prime": False, "tree": t})
                for seeds, b, t in (
                    (1, 17, False),
                    (1, 18, True),
                    (1, 19, False),
                    (2, 20, True),
                    (3, 21, False),
                    (4, 22, True),
                    (2, 24, True),
                )
            ),
            *(
                (1, {"bits": b, "prime": True, "tree": t})
                for b, t in ((14, True), (15, False), (16, True), (17, True))
            ),
        ),
    ),
    Family(
        "adders",
        circuits.adders,
        tuple(
            (seeds, {"bits": b, "terms": t})
            for seeds, b, t in (
                (2, 12, 4),
                (1, 16, 4),
                (2, 32, 3),
                (1, 8, 5),
                (2, 10, 5),
                (1, 12, 5),
                (1, 10, 6),
            )
        ),
    ),
    Family(
        "multipliers",
        circuits.multipliers,
        tuple(
            (seeds, {"bits": b, "swapped": s})
            for seeds, b, s in ((1, 5, False), (1, 5, True), (2, 6, False), (1, 6, True), (1, 7, False))
        ),
    ),
    Family(
        "mixer",
        circuits.mixer,
        tuple(
            (seeds, {"bits": b, "rounds": r, "known": k})
            for seeds, b, r, k in (
                (1, 10, 6, 0),
                (2, 12, 6, 0),
                (3, 12, 8, 2),
                (3, 12, 8, 4),
                (3, 14, 8, 4),
                (2, 16, 8, 12),
            )
        ),
    ),
    Family(
        "generator",
        circuits.generator,
        tuple(
            (seeds, {"sizes": s, "output": o})
            for seeds, s, o in (
                (1, (7, 8, 9), 28),
                (2, (7, 9, 10), 30),
                (4, (8, 9, 11), 32),
                (4, (9, 10, 11), 34),
                (3, (9, 11, 12), 36),
            )
        ),
    ),
    Family(
        "latin",
        planning.latin,
        tuple(
            (seeds, {"n": n, "holes": h})
            for seeds, n, h in (
                (1, 30, 380),
                (1, 36, 540),
                (2, 38, 610),
                (2, 40, 670),
                (2, 42, 740),
                (2, 46, 890),
                (2, 50, 1060),
            )
        ),
    ),
    Family("langford", planning.langford, tuple((1, {"n": n}) for n in (8, 9, 10, 24, 32, 40, 48))),
    Family(
        "jobshop",
        planning.job_shop,
        tuple(
            (2, {"jobs": j, "machines": m, "longest": t, "slack": s})
            for j, m, t, s in (
                (8, 8, 12, 1.2),
                (10, 10, 12, 1.18),
                (10, 10, 12, 1.22),
                (12, 10, 12, 1.12),
                (15, 10, 12, 1.05),
            )
        ),
    ),
    Family(
        "sliding",
        planning.sliding,
        tuple(
            (seeds, {"rows": 3, "columns": c, "walk": w, "steps": t})
            for seeds, c, w, t in (
                (1, 3, 22, 22),
                (1, 3, 26, 26),
                (2, 3, 24, 22),
                (4, 4, 24, 24),
                (2, 4, 28, 28),
            )
        ),
    ),
)
