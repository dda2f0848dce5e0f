"""The instances of SAT-PYSAT-2026: families, rows of parameters, seeds of each row."""

from __future__ import annotations

from . import circuits, graphs, parities, planning, proofs, uniform
from .instance import Family

FAMILIES = (
    Family(
        "ksat",
        uniform.ksat,
        (
            *((2, {"k": 3, "n": n, "ratio": 4.26}) for n in (160, 180, 200, 220)),
            (2, {"k": 3, "n": 260, "ratio": 4.1}),
            (2, {"k": 3, "n": 350, "ratio": 4.1}),
            (2, {"k": 3, "n": 500, "ratio": 4.0}),
            *((2, {"k": 5, "n": n, "ratio": 21.1}) for n in (45, 50, 60)),
            *((1, {"k": 7, "n": n, "ratio": 86.0}) for n in (32, 40)),
        ),
    ),
    Family(
        "hidden",
        uniform.hidden,
        tuple((2, {"n": n, "ratio": 4.3, "bias": 0.618}) for n in (200, 240, 280, 320)),
    ),
    Family(
        "community",
        uniform.community,
        (
            (3, {"n": 400, "ratio": 4.2, "parts": 6, "inside": 0.75}),
            (3, {"n": 600, "ratio": 4.1, "parts": 10, "inside": 0.75}),
            (2, {"n": 1000, "ratio": 4.0, "parts": 20, "inside": 0.75}),
        ),
    ),
    Family(
        "tseitin",
        parities.tseitin,
        (
            *((2, {"n": n, "degree": 3}) for n in (44, 50, 56, 62)),
            *((1, {"n": n, "degree": 4}) for n in (20, 22, 24, 26)),
            (1, {"n": 70, "degree": 3}),
        ),
    ),
    Family(
        "torus",
        parities.grid,
        tuple(
            (1, {"rows": r, "columns": c})
            for r, c in ((3, 8), (3, 16), (4, 5), (4, 8), (4, 12), (5, 5), (5, 6))
        ),
    ),
    Family(
        "disagreement",
        parities.minimal_disagreement,
        tuple(
            (2, {"n": n, "samples": 2 * n, "errors": n // 4, "wrong": n // 4})
            for n in (12, 14, 16, 18, 20)
        ),
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
        tuple((2, {"side": side}) for side in (8, 9, 10, 11, 12)),
    ),
    Family(
        "cardinality",
        proofs.subset_cardinality,
        (
            *((2, {"n": n, "extra": 1}) for n in (13, 14, 15, 16, 17)),
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
            *((1, {"n": n, "degree": 8}) for n in (40, 50, 60)),
        ),
    ),
    Family(
        "colouring",
        graphs.colouring,
        (
            (3, {"n": 150, "colours": 4, "degree": 8.4}),
            (2, {"n": 150, "colours": 4, "degree": 8.6}),
            (3, {"n": 200, "colours": 4, "degree": 8.5}),
            (3, {"n": 250, "colours": 4, "degree": 8.3}),
            (2, {"n": 500, "colours": 3, "degree": 4.6}),
            (2, {"n": 80, "colours": 5, "degree": 12.6}),
        ),
    ),
    Family(
        "clique",
        graphs.clique,
        (
            (2, {"n": 22, "size": 8, "percent": 60, "planted": False}),
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
            (2, {"lengths": lengths, "n": n})
            for lengths, n in (
                ((3, 9), 77),
                ((3, 10), 96),
                ((3, 10), 97),
                ((3, 11), 113),
                ((3, 12), 130),
                ((4, 6), 72),
                ((5, 5), 177),
                ((3, 3, 4), 50),
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
                (2, {"bits": b, "prime": False, "tree": t})
                for b, t in (
                    (17, False),
                    (18, True),
                    (19, False),
                    (20, True),
                    (21, False),
                    (22, True),
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
        (
            *(
                (2, {"bits": b, "terms": t})
                for b, t in ((12, 4), (16, 4), (32, 3), (8, 5), (10, 5))
            ),
            (1, {"bits": 12, "terms": 5}),
            (1, {"bits": 10, "terms": 6}),
        ),
    ),
    Family(
        "multipliers",
        circuits.multipliers,
        (
            *(
                (2, {"bits": b, "swapped": s})
                for b, s in ((5, False), (5, True), (6, False), (6, True))
            ),
            (1, {"bits": 7, "swapped": False}),
            (1, {"bits": 7, "swapped": True}),
        ),
    ),
    Family(
        "mixer",
        circuits.mixer,
        tuple(
            (2, {"bits": b, "rounds": r, "known": k})
            for b, r, k in ((10, 6, 0), (12, 6, 0), (10, 8, 2), (12, 8, 4), (16, 8, 12))
        ),
    ),
    Family(
        "generator",
        circuits.generator,
        tuple(
            (2, {"sizes": s, "output": o})
            for s, o in (
                ((6, 7, 8), 26),
                ((7, 8, 9), 28),
                ((7, 9, 10), 30),
                ((8, 9, 11), 32),
            )
        ),
    ),
    Family(
        "latin",
        planning.latin,
        tuple(
            (2, {"n": n, "holes": h})
            for n, h in (
                (30, 380),
                (36, 540),
                (38, 610),
                (40, 670),
                (42, 740),
            )
        ),
    ),
    Family(
        "langford",
        planning.langford,
        tuple((1, {"n": n}) for n in (8, 9, 10, 24, 32, 40)),
    ),
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
        (
            *(
                (2, {"rows": 3, "columns": 3, "walk": w, "steps": w})
                for w in (22, 24, 26)
            ),
            *(
                (2, {"rows": 3, "columns": 3, "walk": w, "steps": w - 2})
                for w in (24, 28)
            ),
            (1, {"rows": 3, "columns": 4, "walk": 24, "steps": 24}),
        ),
    ),
)
