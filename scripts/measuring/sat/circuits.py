"""Arithmetic as circuits: factoring, equivalence of two designs, inverting a mixer."""

from __future__ import annotations

from collections.abc import Sequence

from .draw import Draw
from .formula import Formula

Word = list[int]  # literals, the lowest bit first


def add(f: Formula, a: Sequence[int], b: Sequence[int], carry: int) -> Word:
    """Ripple-carry sum with the carry out as its last bit."""
    total = []
    for x, y in zip(a, b, strict=True):
        total.append(f.xor3(x, y, carry))
        carry = f.majority(x, y, carry)
    return [*total, carry]


def add_prefix(f: Formula, a: Sequence[int], b: Sequence[int]) -> Word:
    """The same sum by carries that double their reach (Kogge and Stone, 1973)."""
    makes = [f.and_(x, y) for x, y in zip(a, b, strict=True)]
    half = passes = [f.xor(x, y) for x, y in zip(a, b, strict=True)]
    reach = 1
    while reach < len(a):
        made, passed = makes[:reach], passes[:reach]
        for i in range(reach, len(a)):
            made.append(f.or_(makes[i], f.and_(passes[i], makes[i - reach])))
            passed.append(f.and_(passes[i], passes[i - reach]))
        makes, passes, reach = made, passed, reach * 2
    return [half[0], *(f.xor(h, m) for h, m in zip(half[1:], makes, strict=False)), makes[-1]]


def multiply_rows(f: Formula, a: Sequence[int], b: Sequence[int]) -> Word:
    """Row by row: an array of ripple-carry adders."""
    zero = f.constant(value=False)
    total = [f.and_(x, b[0]) for x in a] + [zero]
    done = [total.pop(0)]
    for y in b[1:]:
        row = [f.and_(x, y) for x in a]
        total = add(f, total, row, zero)
        done.append(total.pop(0))
    return done + total


def multiply_columns(f: Formula, a: Sequence[int], b: Sequence[int]) -> Word:
    """Column by column: full adders until two bits are left (Dadda-like tree)."""
    width = len(a) + len(b)
    columns: list[Word] = [[] for _ in range(width + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            columns[i + j].append(f.and_(x, y))
    product = []
    for i in range(width):
        column = columns[i]
        while len(column) > 1:
            x, y, *rest = column
            if rest:
                z, *rest = rest
                column = [*rest, f.xor3(x, y, z)]
                columns[i + 1].append(f.majority(x, y, z))
            else:
                column = [f.xor(x, y)]
                columns[i + 1].append(f.and_(x, y))
        product += column or [f.constant(value=False)]
    return product


def equate(f: Formula, word: Sequence[int], number: int) -> None:
    """The word is the number."""
    for i, x in enumerate(word):
        f.add(x if number >> i & 1 else -x)


def differ(f: Formula, a: Sequence[int], b: Sequence[int]) -> None:
    """A miter: the words differ in some bit."""
    f.add(*(f.xor(x, y) for x, y in zip(a, b, strict=True)))


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))


def _prime(draw: Draw, bits: int) -> int:
    while True:
        n = draw.below(1 << (bits - 1)) | 1 << (bits - 1) | 1
        if _is_prime(n):
            return n


def factoring(draw: Draw, *, bits: int, prime: bool, tree: bool) -> Formula:
    """Factors of ``bits`` bits of a product of two primes, or of one prime: none."""
    number = _prime(draw, 2 * bits) if prime else _prime(draw, bits) * _prime(draw, bits)
    f = Formula()
    a, b = f.news(bits), f.news(bits)
    product = (multiply_columns if tree else multiply_rows)(f, a, b)
    equate(f, product, number)
    f.add(*a[1:])  # neither factor is 1
    f.add(*b[1:])
    return f.scrambled(draw)


def adders(draw: Draw, *, bits: int, terms: int) -> Formula:
    """The same sum of several words in two orders by two designs: unsatisfiable."""
    f = Formula()
    words = [f.news(bits) for _ in range(terms)]
    order = list(range(terms))
    draw.shuffle(order)
    zero = f.constant(value=False)
    one = words[0]
    for word in words[1:]:
        one = add(f, one, word, zero)[:bits]
    other = words[order[0]]
    for i in order[1:]:
        other = add_prefix(f, other, words[i])[:bits]
    differ(f, one, other)
    return f.scrambled(draw)


def multipliers(draw: Draw, *, bits: int, swapped: bool) -> Formula:
    """Two designs of one product, perhaps of swapped factors: unsatisfiable."""
    f = Formula()
    a, b = f.news(bits), f.news(bits)
    one = multiply_rows(f, a, b)
    other = multiply_rows(f, b, a) if swapped else multiply_columns(f, a, b)
    differ(f, one, other)
    return f.scrambled(draw)


def mixer(draw: Draw, *, bits: int, rounds: int, known: int) -> Formula:
    """Invert a small hash of two words; ``known`` bits of its input are given.

    Rounds of add, rotate, xor and choose, and the input added in the end, without
    which every round could be undone.
    """
    f = Formula()
    zero = f.constant(value=False)
    start = f.news(bits), f.news(bits)
    secret = draw.below(1 << bits), draw.below(1 << bits)
    words, numbers = start, secret
    for _ in range(rounds):
        turn, key = 1 + draw.below(bits - 1), draw.below(1 << bits)
        words = _mixed(f, *words, turn, key)
        numbers = _mixed_number(*numbers, turn, key, bits)
    for i in range(2):
        total = add(f, words[i], start[i], zero)[:bits]
        equate(f, total, numbers[i] + secret[i])
    for i in draw.sample(2 * bits, known):
        literal, bit = start[i // bits][i % bits], secret[i // bits] >> i % bits & 1
        f.add(literal if bit else -literal)
    return f.scrambled(draw)


def _mixed(f: Formula, left: Word, right: Word, turn: int, key: int) -> tuple[Word, Word]:
    """One round on literals; ``_mixed_number`` is the same on numbers."""
    total = add(f, left, right, f.constant(value=False))[: len(left)]
    turned = right[turn:] + right[:turn]
    flipped = [-x if key >> i & 1 else x for i, x in enumerate(total)]
    fresh = [f.xor(x, y) for x, y in zip(turned, flipped, strict=True)]
    next_ = total[1:] + total[:1]
    chosen = [f.choose(*some) for some in zip(fresh, total, next_, strict=True)]
    return fresh, chosen


def _mixed_number(left: int, right: int, turn: int, key: int, bits: int) -> tuple[int, int]:
    def turned(number: int, by: int) -> int:
        return (number >> by | number << (bits - by)) & ((1 << bits) - 1)

    total = (left + right) & ((1 << bits) - 1)
    fresh = turned(right, turn) ^ total ^ key
    return fresh, (fresh & total) | (~fresh & turned(total, 1))


def generator(draw: Draw, *, sizes: tuple[int, ...], output: int) -> Formula:
    """The state of shift registers joined by a majority, from their output.

    Alternating clocks as in A5/1: a register steps if its middle bit is in the majority.
    """
    f = Formula()
    state = [f.news(n) for n in sizes]
    truth = [[draw.flip() for _ in range(n)] for n in sizes]
    taps = [sorted({0, *draw.sample(n, 2), n // 3}) for n in sizes]
    for _ in range(output):
        middle = f.majority(*(s[len(s) // 2] for s in state))
        vote = sum(t[len(t) // 2] for t in truth) > len(sizes) // 2
        for r in range(len(sizes)):
            clock = -f.xor(state[r][len(state[r]) // 2], middle)
            moves = truth[r][len(truth[r]) // 2] == vote
            fed = state[r][taps[r][0]]
            for tap in taps[r][1:]:
                fed = f.xor(fed, state[r][tap])
            bit = sum(truth[r][tap] for tap in taps[r]) % 2 == 1
            moved = [*state[r][1:], fed]
            state[r] = [f.choose(clock, m, s) for m, s in zip(moved, state[r], strict=True)]
            truth[r] = [*truth[r][1:], bit] if moves else truth[r]
        out = f.xor3(*(s[0] for s in state))
        f.add(out if sum(t[0] for t in truth) % 2 else -out)
    return f.scrambled(draw)
