"""Discrete graphical models, their files in the UAI format, and exact inference.

A network is a product of non-negative tables over variables 0, 1, …. Computations use natural logarithms;
results are log10, as in the files of the inference competitions.

Exact inference is by variable elimination. The network becomes a tree of buckets, one for each variable: a
bucket holds the factors and messages with its variable, and passes on the rest after summing out or
maximising the variable. The largest table on the way determines the cost.

Source: UAI inference competition 2022, file formats; Dechter 1999, Bucket elimination: a unifying framework
for reasoning, AIJ 113.
"""

from __future__ import annotations

import heapq
import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from aslib_eval.errors import AslibError, Finding, Severity, place

Floats = NDArray[np.float64]
Evidence = Mapping[int, int]
LN10 = math.log(10)


@dataclass(frozen=True, eq=False)
class Factor:
    """A table over a few variables.

    scope: the variables, in the order of the axes. logs: natural logarithms of the values, -inf for 0.
    """

    scope: tuple[int, ...]
    logs: Floats


@dataclass(frozen=True, eq=False)
class Network:
    """Variables with their numbers of values, and the factors over them.

    cards: (n_variables,) number of values of each. observed: values of variables that are in no scope.
    """

    cards: tuple[int, ...]
    factors: tuple[Factor, ...]
    observed: Evidence = field(default_factory=dict)

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The unobserved variables, ascending."""
        return tuple(v for v in range(len(self.cards)) if v not in self.observed)


def network(cards: Sequence[int], tables: Iterable[tuple[Sequence[int], ArrayLike]]) -> Network:
    """A network of plain tables.

    tables: scope and values; the last variable of the scope changes fastest. An empty scope is a constant.
    """
    factors = []
    for scope, values in tables:
        numbers = np.asarray(values, float)
        if any(not 0 <= v < len(cards) for v in scope) or len(set(scope)) < len(scope):
            raise AslibError(f"the scope {tuple(scope)} does not fit {len(cards)} variables")
        if numbers.size != math.prod(cards[v] for v in scope):
            raise AslibError(f"{numbers.size} values do not fill the scope {tuple(scope)}")
        if not ((numbers >= 0) & np.isfinite(numbers)).all():
            raise AslibError(f"the table over {tuple(scope)} has a negative or infinite number, or nan")
        with np.errstate(divide="ignore"):
            logs = np.log(numbers).reshape([cards[v] for v in scope])
        factors.append(Factor(tuple(scope), logs))
    return Network(tuple(cards), tuple(factors))


def absorb(model: Network, *, evidence: Evidence) -> Network:
    """The network with more observed variables; variables observed before keep their values."""
    for v, value in evidence.items():
        if not (0 <= v < len(model.cards) and 0 <= value < model.cards[v]):
            raise AslibError(f"variable {v} has no value {value}")
    observed = {**evidence, **model.observed}
    if not evidence:
        return model
    factors = []
    for factor in model.factors:
        logs = np.asarray(factor.logs[tuple(observed.get(v, slice(None)) for v in factor.scope)])
        factors.append(Factor(tuple(v for v in factor.scope if v not in observed), logs))
    return Network(model.cards, tuple(factors), observed)


def log_likelihood(
    model: Network, *, assignment: Mapping[int, int], evidence: Evidence | None = None
) -> float:
    """log10 of the product of all factors at an assignment; evidence overrides it.

    assignment: a value for each unobserved variable. The order of the factors does not matter.

    Edge cases: -inf if a factor is 0.
    """
    model = absorb(model, evidence=evidence or {})
    whole = {**assignment, **model.observed}
    if missing := [v for v in model.free if v not in whole]:
        raise AslibError(f"variable {missing[0]} has no value")
    if any(not 0 <= whole[v] < model.cards[v] for v in model.free):
        raise AslibError("a variable has a value that does not exist")
    values = (f.logs[tuple(whole[v] for v in f.scope)] for f in model.factors)
    return math.fsum(values) / LN10


_WHOLE = re.compile(rb"[+-]?[0-9]+")
_NUMBER = re.compile(
    rb"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|inf(?:inity)?|nan)", re.IGNORECASE
)
_Read = TypeVar("_Read")
_SHOWN = 20  # characters of a word in a message


class FormatError(AslibError):
    """A file breaks its format on a line."""

    def __init__(self, message: str, file: str, line: int, hint: str = "") -> None:
        super().__init__(message, place(file, line), hint)
        self.file = file
        self.line = line

    def finding(self, code: str, severity: Severity = "error") -> Finding:
        """The same as a finding."""
        return Finding(code, severity, self.file, self.line, self.message, self.hint or "")


class Tokens:
    """The words of a file that are left to read; lines that begin with the word ``c`` are comments.

    start: the first word to read. Reading methods raise FormatError with the line.
    """

    def __init__(self, content: bytes, *, file: str, start: int = 0) -> None:
        self.content = _without_comments(content)
        self.file = file
        self.words = self.content.split()
        self.at = start
        self.findings: list[Finding] = []

    @property
    def left(self) -> int:
        """The number of words left."""
        return len(self.words) - self.at

    def line_of(self, word: int) -> int:
        """The line of a word, from 1."""
        seen = 0
        number = 1
        for line_number, line in enumerate(self.content.split(b"\n"), 1):
            count = len(line.split())
            seen += count
            if count:
                number = line_number
            if seen > word:
                break
        return number

    def fault(self, message: str, *, word: int | None = None, hint: str = "") -> FormatError:
        """An error about a word, by default the last one read."""
        at = self.at - 1 if word is None else word
        return FormatError(message, self.file, self.line_of(max(at, 0)), hint)

    def words_of(self, count: int, what: str) -> list[bytes]:
        """The next words."""
        if count > self.left:
            missing = f"ends before {what}: {self.left} of {count} words are there"
            raise self.fault(missing, word=len(self.words))
        found = self.words[self.at : self.at + count]
        self.at += count
        return found

    def whole(self, what: str, *, low: int = 0, below: int | None = None) -> int:
        """The next whole number."""
        (word,) = self.words_of(1, what)
        if not _WHOLE.fullmatch(word):
            raise self.fault(f"{what} is {shown(word)}, not a whole number")
        number = int(word[:_SHOWN])
        if number < low or (below is not None and number >= below):
            limit = f"{low} or more" if below is None else f"{low} to {below - 1}"
            raise self.fault(f"{what} is {shown(word)}, not {limit}")
        return number

    def numbers(self, count: int, what: str) -> list[float]:
        """The next numbers, which may be nan or infinite."""
        begin = self.at
        words = self.words_of(count, what)
        for at, word in enumerate(words, begin):
            if not _NUMBER.fullmatch(word):
                raise self.fault(f"{what}: {shown(word)} is not a number", word=at)
        return [float(word) for word in words]

    def pairs(self, count: int, what: str) -> dict[int, int]:
        """The next pairs of a variable and its value, without repetition."""
        found: dict[int, int] = {}
        for _ in range(count):
            variable = self.whole(f"a variable of {what}")
            if variable in found:
                raise self.fault(f"{what}: variable {variable} occurs twice")
            found[variable] = self.whole(f"{what}: the value of variable {variable}")
        return found

    def done(self, hint: str = "") -> None:
        """Require the end of the file."""
        if self.left:
            raise self.fault(f"{shown(self.words[self.at])} is one too many", word=self.at, hint=hint)


def parsed(
    read: Callable[[Tokens], _Read], content: bytes, file: str
) -> tuple[_Read | None, list[Finding]]:
    """The result of ``read``, None with an error; and all findings."""
    tokens = Tokens(content, file=file)
    try:
        found = read(tokens)
    except FormatError as error:
        return None, [*tokens.findings, error.finding("uai-format")]
    return None if any(f.severity == "error" for f in tokens.findings) else found, tokens.findings


def variables(tokens: Tokens, what: str, *, of: int | None) -> tuple[int, ...]:
    """A number of variables, then the variables, each once. of: number of variables of the network."""
    count = tokens.whole(f"the number of variables of {what}")
    found = []
    for _ in range(count):
        found.append(tokens.whole(f"a variable of {what}", below=of))
        if found.index(found[-1]) < len(found) - 1:
            raise tokens.fault(f"{what}: variable {found[-1]} occurs twice")
    return tuple(found)


def shown(word: bytes) -> str:
    """A word for messages, cut if it is long."""
    text = word.decode(errors="replace")
    return repr(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def _without_comments(content: bytes) -> bytes:
    if not re.search(rb"(?m)^c(?:\s|$)", content):
        return content
    return b"\n".join(b"" if line.split()[:1] == [b"c"] else line for line in content.split(b"\n"))


MOST_VALUES = 1_000_000  # of a variable
MOST_AXES = 32  # variables of a function
LISTED = 20  # most wrong values in findings
SUM = 1e-3  # the sum of a distribution may miss 1 by this


class FunctionTable(NamedTuple):
    """A function: its variables and its values; the last variable of the scope changes fastest."""

    scope: tuple[int, ...]
    values: Floats


class Model(NamedTuple):
    """A .uai file: numbers of values of the variables 0, 1, … and the functions."""

    kind: str
    cards: tuple[int, ...]
    tables: tuple[FunctionTable, ...]


def parse_model(content: bytes, *, file: str) -> tuple[Model | None, list[Finding]]:
    """A network; warnings where rows of a BAYES network do not sum to 1 (1e-3)."""
    return parsed(_model, content, file)


def _model(tokens: Tokens) -> Model:
    (word,) = tokens.words_of(1, "the kind of network")
    if (kind := word.decode(errors="replace")) not in {"MARKOV", "BAYES"}:
        raise tokens.fault(f"begins with {shown(word)}, not with MARKOV or BAYES")
    n = tokens.whole("the number of variables", low=1)
    if n > tokens.left:
        raise tokens.fault(f"{n} variables, but only {tokens.left} words follow")
    cards = tuple(
        tokens.whole(f"the values of variable {v}", low=1, below=MOST_VALUES + 1) for v in range(n)
    )
    count = tokens.whole("the number of functions")
    scopes = [variables(tokens, f"function {i}", of=len(cards)) for i in range(count)]
    tables = []
    for i, scope in enumerate(scopes):
        if len(scope) > MOST_AXES:
            hint = f"A function can have at most {MOST_AXES}."
            raise tokens.fault(f"function {i} has {len(scope)} variables", hint=hint)
        size = math.prod(cards[v] for v in scope)
        begin = tokens.at + 1
        if tokens.whole(f"the size of table {i}") != size:
            what = f"table {i} has {shown(tokens.words[begin - 1])} values, not {size}"
            raise tokens.fault(f"{what}, as its {len(scope)} variables need")
        values = np.array(tokens.numbers(size, f"table {i}"))
        tables.append(FunctionTable(scope, values))
        _judge(tokens, i, values, begin)
        if kind == "BAYES" and scope:
            _judge_rows(tokens, i, values.reshape(-1, cards[scope[-1]]), begin)
    tokens.done()
    return Model(kind, cards, tuple(tables))


def _judge(tokens: Tokens, table: int, values: Floats, begin: int) -> None:
    """Add findings on invalid values."""
    wrong = np.flatnonzero(~((values >= 0) & np.isfinite(values)))
    for at in wrong[: max(LISTED - len(tokens.findings), 0)].tolist():
        what = f"table {table} has the value {shown(tokens.words[begin + at])}"
        hint = "Values must be finite and at least 0."
        tokens.findings.append(tokens.fault(what, word=begin + at, hint=hint).finding("uai-value"))


def _judge_rows(tokens: Tokens, table: int, rows: Floats, begin: int) -> None:
    """Warn of a table of a Bayesian network with a row that is not a distribution."""
    off = np.flatnonzero(~(np.abs(rows.sum(axis=1) - 1) <= SUM))
    if off.size and len(tokens.findings) < LISTED:
        at = int(off[0])
        what = f"table {table} of a BAYES network: row {at + 1} sums to {rows[at].sum():g}"
        fault = tokens.fault(what, word=begin + at * rows.shape[1])
        tokens.findings.append(fault.finding("uai-rows", "warning"))


Graph = dict[int, set[int]]  # variable → those that share a factor with it
Scopes = frozenset[tuple[int, ...]]

_EASY, _HOPELESS = 16.0, 64.0  # other orders are tried if log2 of the largest table lies between
_SEEDS = 4
_MOST_FILLED = 1000  # most variables for an order by fill-in
_UNIT = 2.0**40  # logarithms become whole numbers of 1 / _UNIT, for exact sums


def elimination_order(model: Network, *, last: Collection[int] = ()) -> list[int]:
    """The free variables in an order of small tables, ``last`` at the end.

    The first order takes the variable with the smallest table each time, on ties the smallest number. If
    its largest table has more than 2^16 entries, other orders are tried: by number, two of a breadth-first
    search, by least fill-in, and with several seeds for ties. The order with the smallest largest table
    wins, then the fewest entries. The same network always has the same order.

    Source: Kjærulff 1990, Triangulation of graphs: algorithms giving small total state space; Cuthill,
    McKee 1969 for the breadth-first order.
    """
    cards = tuple((v, model.cards[v]) for v in model.free)
    return list(_best_order(cards, frozenset(f.scope for f in model.factors if f.scope), frozenset(last)))


def width(model: Network, *, evidence: Evidence | None = None) -> float:
    """log2 of the entries of the largest table of a greedy elimination: the smallest table first."""
    model = absorb(model, evidence=evidence or {})
    cards = {v: model.cards[v] for v in model.free}
    graph = _graph(cards, [f.scope for f in model.factors])
    return _cost(graph, cards, _least_table(graph, cards, last=(), rank={v: v for v in cards}))[0]


def largest_table(model: Network, order: Sequence[int]) -> tuple[int, int]:
    """Entries and variables of the largest table that the order needs; 1 and 0 without any."""
    graph = _graph(dict.fromkeys(order, 0), [f.scope for f in model.factors])
    scopes = ((v, *rest) for v, rest in _tables(graph, order))
    return max(((math.prod(model.cards[v] for v in found), len(found)) for found in scopes), default=(1, 0))


@lru_cache(maxsize=32)
def _best_order(
    cards: tuple[tuple[int, int], ...], scopes: Scopes, last: frozenset[int]
) -> tuple[int, ...]:
    """The best of all orders; each answer to a network asks for it."""
    values = dict(cards)
    graph = _graph(values, sorted(scopes))
    best = _least_table(graph, values, last=last, rank={v: v for v in values})
    least = _cost(graph, values, best)
    if _EASY < least[0] <= _HOPELESS:
        for order in _others(graph, values, last):
            if (cost := _cost(graph, values, order)) < least:
                best, least = order, cost
    return tuple(best)


def _others(graph: Graph, cards: Mapping[int, int], last: Collection[int]) -> Iterator[list[int]]:
    found = [sorted(graph), _breadth_first(graph)]
    found.append(found[1][::-1])
    for order in found:
        yield sorted(order, key=lambda v: v in last)
    for seed in range(_SEEDS):
        shuffled = np.random.default_rng(seed).permutation(len(graph)).tolist()
        rank = dict(zip(sorted(graph), shuffled, strict=True))
        yield _least_table(graph, cards, last=last, rank=rank)
        if len(graph) <= _MOST_FILLED:
            yield _least_fill(graph, last=last, rank=rank)


def _graph(cards: Mapping[int, int], scopes: Sequence[tuple[int, ...]]) -> Graph:
    graph: Graph = {v: set() for v in cards}
    for scope in scopes:
        for v in scope:
            graph[v].update(scope)
    for v, others in graph.items():
        others.discard(v)
    return graph


def _least_table(
    graph: Graph, cards: Mapping[int, int], *, last: Collection[int], rank: Mapping[int, int]
) -> list[int]:
    """Each time the variable whose table has the fewest entries, then by rank."""
    near = {v: set(others) for v, others in graph.items()}
    size = {v: round(math.log2(card) * _UNIT) for v, card in cards.items()}
    weight = {v: size[v] + sum(size[u] for u in near[v]) for v in near}
    queue = [(v in last, weight[v], rank[v], v) for v in near]
    heapq.heapify(queue)
    order: list[int] = []
    while queue:
        _, counted, _, v = heapq.heappop(queue)
        if v not in near or counted != weight[v]:
            continue
        order.append(v)
        around = near.pop(v)
        for u in around:
            new = around - near[u] - {u}
            near[u] |= new
            near[u].discard(v)
            before, weight[u] = weight[u], weight[u] + sum(size[w] for w in new)
            weight[u] -= size[v]
            if weight[u] != before:
                heapq.heappush(queue, (u in last, weight[u], rank[u], u))
    return order


def _least_fill(graph: Graph, *, last: Collection[int], rank: Mapping[int, int]) -> list[int]:
    """Each time the variable that joins the fewest others anew, then by rank."""
    near = {v: set(others) for v, others in graph.items()}
    fill = {v: _joins(near, v) for v in near}
    order: list[int] = []
    while near:
        v = min(near, key=lambda u: (u in last, fill[u], rank[u]))
        order.append(v)
        around = near.pop(v)
        for u in around:
            near[u] |= around - {u}
            near[u].discard(v)
        for u in around.union(*(near[u] for u in around)):
            fill[u] = _joins(near, u)
    return order


def _joins(near: Graph, v: int) -> int:
    """Twice the number of pairs of neighbours that are not neighbours of each other."""
    around = near[v]
    return sum(len(around) - 1 - len(around & near[u]) for u in around)


def _breadth_first(graph: Graph) -> list[int]:
    """Layer by layer from a variable at the rim, few neighbours first; on a grid the diagonals."""
    order: list[int] = []
    seen: set[int] = set()
    for start in sorted(graph, key=lambda v: (len(graph[v]), v)):
        if start not in seen:
            found = _layers(graph, _layers(graph, start)[-1])
            order += found
            seen.update(found)
    return order


def _layers(graph: Graph, start: int) -> list[int]:
    found, seen = [start], {start}
    for v in found:  # which grows
        new = sorted(graph[v] - seen, key=lambda u: (len(graph[u]), u))
        found += new
        seen.update(new)
    return found


def _cost(graph: Graph, cards: Mapping[int, int], order: Sequence[int]) -> tuple[float, float]:
    """log2 of the entries of the largest table, and the entries of all (relative)."""
    sizes = [sum(sorted(math.log2(cards[u]) for u in (v, *rest))) for v, rest in _tables(graph, order)]
    largest = round(max(sizes, default=0.0), 9)
    return largest, math.fsum(2.0 ** (size - largest) for size in sizes)


def _tables(graph: Graph, order: Sequence[int]) -> Iterator[tuple[int, set[int]]]:
    """Each variable with the others of its table."""
    place = {v: at for at, v in enumerate(order)}
    met = {v: {u for u in others if place[u] > place[v]} for v, others in graph.items()}
    for v in order:
        rest = met.pop(v)
        yield v, rest
        if rest:
            parent = min(rest, key=place.__getitem__)
            met[parent] |= rest - {parent}


LARGEST = 2**22  # entries of a table: 32 MiB
_SPELT_OUT = 2**60  # larger numbers are written as a power of 2


class TooLargeError(AslibError):
    """Elimination needs a larger table than allowed."""


@dataclass
class _Bucket:
    """The factors of a variable, and for each message the child that it came from."""

    variable: int
    parts: list[Factor] = field(default_factory=list)
    children: list[int | None] = field(default_factory=list)
    parent: int | None = None

    def add(self, part: Factor, child: int | None = None) -> None:
        self.parts.append(part)
        self.children.append(child)

    @property
    def scope(self) -> tuple[int, ...]:
        """The variable, then the other variables of its factors."""
        others = {v for part in self.parts for v in part.scope} - {self.variable}
        return (self.variable, *sorted(others))


def log_partition(model: Network, *, evidence: Evidence | None = None, largest: int = LARGEST) -> float:
    """log10 of the partition function, summed over the unobserved variables.

    Edge cases: -inf for impossible evidence; a variable without factors counts with its number of values.

    Raises:
        TooLargeError: a table of more than ``largest`` entries is needed.
    """
    model = _absorbed(model, evidence)
    _, total = _upward(model, elimination_order(model), maximised=(), largest=largest)
    return total / LN10


def marginals(model: Network, *, evidence: Evidence | None = None, largest: int = LARGEST) -> list[Floats]:
    """The distribution of every variable; of an observed one 1 at its value."""
    model = _absorbed(model, evidence)
    buckets, total = _upward(model, elimination_order(model), maximised=(), largest=largest)
    if total == -math.inf:
        raise AslibError("the evidence has probability 0, so marginals do not exist")
    found = {v: np.eye(model.cards[v])[x] for v, x in model.observed.items()}
    above: dict[int, Factor] = {}
    for at in reversed(range(len(buckets))):
        found[buckets[at].variable] = _downward(model, buckets, at, above)
    return [found[v] for v in range(len(model.cards))]


def most_probable(
    model: Network,
    *,
    query: Collection[int] | None = None,
    evidence: Evidence | None = None,
    largest: int = LARGEST,
) -> tuple[dict[int, int], float]:
    """The likeliest values of the query variables, with the others summed out, and their log10.

    query: default all unobserved variables (MAP); else marginal MAP.

    Edge cases: ties always give the same assignment; if nothing is possible, any with -inf.
    """
    model = absorb(model, evidence=evidence or {})
    asked = set(model.free if query is None else query)
    model = _absorbed(model, None)
    buckets, _ = _upward(model, elimination_order(model, last=asked), maximised=asked, largest=largest)
    chosen: dict[int, int] = {v: model.observed[v] for v in asked & set(model.observed)}
    for bucket in reversed(buckets):
        if bucket.variable in asked:
            joint = _product(model, bucket.scope, bucket.parts)
            at: tuple[Any, ...] = tuple(chosen[v] for v in bucket.scope[1:])
            chosen[bucket.variable] = int(joint[(slice(None), *at)].argmax())
    return chosen, log_marginal(model, assignment=chosen, largest=largest)


def log_marginal(
    model: Network, *, assignment: Evidence, evidence: Evidence | None = None, largest: int = LARGEST
) -> float:
    """log10 of the sum over variables without an assignment; evidence overrides the assignment."""
    model = _absorbed(model, evidence)
    if set(model.free) <= set(assignment):
        return log_likelihood(model, assignment=assignment)
    return log_partition(model, evidence=assignment, largest=largest)


def _absorbed(model: Network, evidence: Evidence | None) -> Network:
    """With the evidence; variables with one value count as observed."""
    single = {v: 0 for v in model.free if model.cards[v] == 1}
    return absorb(model, evidence={**single, **(evidence or {})})


def _upward(
    model: Network, order: Sequence[int], *, maximised: Collection[int], largest: int
) -> tuple[list[_Bucket], float]:
    """All buckets with their messages, and the natural log of the result."""
    entries, variables = largest_table(model, order)
    if entries > largest:
        shown = str(entries) if entries <= _SPELT_OUT else f"about 2^{math.log2(entries):.0f}"
        what = f"elimination needs a table of {shown} entries ({variables} variables)"
        raise TooLargeError(what, None, f"At most {largest} are allowed (largest).")
    place = {v: at for at, v in enumerate(order)}
    buckets = [_Bucket(v) for v in order]
    constants = []
    for factor in model.factors:
        if factor.scope:
            buckets[min(place[v] for v in factor.scope)].add(factor)
        else:
            constants.append(float(factor.logs))
    for at, bucket in enumerate(buckets):
        scope = bucket.scope
        joint = _product(model, scope, bucket.parts)
        left = joint.max(axis=0) if bucket.variable in maximised else _summed(joint, (0,))
        message = Factor(scope[1:], np.asarray(left))
        if message.scope:
            bucket.parent = min(place[v] for v in message.scope)
            buckets[bucket.parent].add(message, at)
        else:
            constants.append(float(message.logs))
    return buckets, math.fsum(constants)


def _downward(model: Network, buckets: Sequence[_Bucket], at: int, above: dict[int, Factor]) -> Floats:
    """The marginal of a bucket's variable; passes what lies above to its children."""
    bucket = buckets[at]
    scope = bucket.scope
    coming = [above[at]] if at in above else []
    joint = _product(model, scope, [*bucket.parts, *coming])
    if any(child is not None for child in bucket.children):
        rests = _all_but_each(model, scope, bucket.parts, _product(model, scope, coming))
        for part, child, rest in zip(bucket.parts, bucket.children, rests, strict=True):
            if child is not None:
                gone = tuple(i for i, v in enumerate(scope) if v not in part.scope)
                above[child] = Factor(tuple(v for v in scope if v in part.scope), _summed(rest, gone))
    logs = _summed(joint, tuple(range(1, joint.ndim)))
    likely = np.exp(logs - logs.max())
    return np.asarray(likely / likely.sum())


def _product(model: Network, scope: Sequence[int], parts: Sequence[Factor]) -> Floats:
    """The sum of the logs of all parts over one scope."""
    joint = np.zeros([model.cards[v] for v in scope])
    place = {v: axis for axis, v in enumerate(scope)}
    for part in parts:
        axes = sorted(range(len(part.scope)), key=lambda i: place[part.scope[i]])
        shape = [1] * len(scope)
        for v in part.scope:
            shape[place[v]] = model.cards[v]
        joint += part.logs.transpose(axes).reshape(shape)
    return joint


def _all_but_each(
    model: Network, scope: Sequence[int], parts: Sequence[Factor], outside: Floats
) -> Iterator[Floats]:
    """For each part the sum of all others and ``outside``; halved, so few sums do."""
    if len(parts) == 1:
        yield outside
        return
    half = len(parts) // 2
    left, right = parts[:half], parts[half:]
    yield from _all_but_each(model, scope, left, outside + _product(model, scope, right))
    yield from _all_but_each(model, scope, right, outside + _product(model, scope, left))


def _summed(logs: Floats, axes: tuple[int, ...]) -> Floats:
    """Log of the sum of exp along the axes; -inf where all are."""
    top = logs.max(axis=axes, keepdims=True)
    top = np.where(np.isfinite(top), top, 0.0)
    with np.errstate(divide="ignore"):
        total = np.log(np.exp(logs - top).sum(axis=axes))
    return np.asarray(total + top.reshape(total.shape))
