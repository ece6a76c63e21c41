# SPDX-License-Identifier: Apache-2.0
"""Theorems about distributions of an axis among the ranks of a communicator."""

import z3
from z3 import And, Implies, Int

from arithmetic import INT64, Integers
from contracts import DIVISOR
from execution import Cell, Loop, Pointer, Scalar, UnknownArray
from indices import LARGEST
from proof import theorem

DISTRIBUTION = "strew::mpi::distribution"
DIVIDES = "strew::detail::divisor"


@theorem(bounds="divisors 1 to 2^63 - 1, dividends 0 to 2^63 - 1")
def divisor(t):
    """quotient(n) of a divisor is n / by, rounded down; its factor fits in 64 bits and no product overflows 128 bits.
    Assumed: 1 <= by, 0 <= n."""
    s = t.session(Integers)
    inputs = s.integer("by", INT64), s.integer("n", INT64)
    by, n = s.numbers(*inputs)
    s.assume(1 <= by, 0 <= n)

    def call():
        made = Cell(s.call((f"{DIVIDES}::divisor", 1), inputs[0]))
        return s.call(f"{DIVIDES}::quotient", inputs[1], this=made)

    for path in s.paths(call):
        result = s.number(path.outcome)
        s.prove(path, "quotient", And(by * result <= n, n < by * result + by))


class Distributed:
    """A distribution of coordinates 0 to extent - 1 among ranks."""

    def __init__(self, t, kind, *more, may_be_empty=False):
        self.s = s = t.session(Integers, contracts=DIVISOR)
        self.arguments = [s.integer(name, INT64) for name in ("extent", "ranks", *more)]
        self.extent, self.ranks, *self.more = s.numbers(*self.arguments)
        s.assume(self.extent >= (0 if may_be_empty else 1), self.ranks >= 1)
        self.kind = kind

    def make(self):
        return Cell(self.s.call(f"{DISTRIBUTION}::{self.kind}", *self.arguments))


def prove_place(s, path, ranks, coordinate, place, local_extent, back):
    rank, local = s.numbers(place["rank"], place["local"])
    s.prove(path, "owner", And(0 <= rank, rank < ranks))
    s.prove(path, "local coordinate", And(0 <= local, local < s.number(local_extent)))
    s.prove(path, "global_index of its place", s.number(back) == coordinate)


def prove_places(of, lemmas):
    """That each coordinate has a place, which is its own."""
    s = of.s
    given = s.integer("coordinate", INT64)
    coordinate = s.number(given)
    s.assume(0 <= coordinate, coordinate < of.extent)

    def call():
        this = of.make()
        place = s.call(f"{DISTRIBUTION}::locate", given, this=this)
        local_extent = s.call(f"{DISTRIBUTION}::local_extent", place["rank"], this=this)
        return place, local_extent, s.call(f"{DISTRIBUTION}::global_index", place["rank"], place["local"], this=this)

    for path in s.paths(call):
        lemmas(s, path)
        prove_place(s, path, of.ranks, coordinate, *path.outcome)


def prove_coordinates(of, before, lemmas):
    """That each place has a coordinate, which is its own. `before` proves lemmas before global_index is called."""
    s = of.s
    inputs = s.integer("rank", INT64), s.integer("local", INT64)
    rank, local = s.numbers(*inputs)
    s.assume(0 <= rank, rank < of.ranks, 0 <= local)

    def call():
        this = of.make()
        count = s.call(f"{DISTRIBUTION}::local_extent", inputs[0], this=this)
        if not s.execution.decide(s.execution.arithmetic.compare("<", INT64, inputs[1].term, count.term)):
            return None
        before(s, this.value, *inputs)
        coordinate = s.call(f"{DISTRIBUTION}::global_index", *inputs, this=this)
        return coordinate, s.call(f"{DISTRIBUTION}::locate", coordinate, this=this)

    for path in s.paths(call):
        if path.outcome is None:
            continue
        coordinate, place = path.outcome
        lemmas(s, path, rank)
        s.prove(path, "coordinate", And(0 <= s.number(coordinate), s.number(coordinate) < of.extent))
        s.prove(path, "its place", And(s.number(place["rank"]) == rank, s.number(place["local"]) == local))


@theorem(bounds="extents 1 to 2^63 - 1, 1 to 2^63 - 1 ranks, all coordinates")
def block_places(t):
    """Of block(extent, ranks): locate returns a rank and a coordinate in [0, local_extent(rank)), of which global_index
    returns the coordinate, so different coordinates have different places. Nothing overflows. Assumed: 0 <= coordinate <
    extent."""
    prove_places(Distributed(t, "block"), lambda *_: None)


@theorem(bounds="extents 0 to 2^63 - 1, 1 to 2^63 - 1 ranks, all places")
def block_coordinates(t):
    """Of block(extent, ranks): global_index of each place is a coordinate in [0, extent), of which locate returns that place,
    so each place has one coordinate. Nothing overflows. Assumed: 0 <= rank < ranks, 0 <= local < local_extent(rank)."""
    prove_coordinates(Distributed(t, "block", may_be_empty=True), lambda *_: None, lambda *_: None)


@theorem(bounds="extents 1 to 2^63 - 1, 1 to 2^63 - 1 ranks, blocks of 1 to 2^63 - 1, all coordinates")
def block_cyclic_places(t):
    """The same as block_places of block_cyclic(extent, ranks, size). Assumed: size >= 1, 0 <= coordinate < extent."""

    def lemmas(s, path):
        # The block of the coordinate and its round, the whole blocks of the axis and their rounds, the local block.
        (_, size, number, inside), (_, ranks, round_, rank), (_, _, whole, tail), (_, _, rounds, rest), local = path.divisions
        s.lemma(path, "not behind the last block", number <= whole)
        s.lemma(path, "in the last block", Implies(number == whole, inside < tail))
        s.lemma(path, "rounds are in order", round_ <= rounds)
        s.lemma(path, "in the last round", Implies(And(number < whole, round_ == rounds), rank < rest))
        s.lemma(path, "a whole round before", Implies(round_ < rounds, round_ * size + size <= rounds * size))
        s.lemma(path, "local block", local[2] == round_)

    of = Distributed(t, "block_cyclic", "size")
    of.s.assume(of.more[0] >= 1)
    prove_places(of, lemmas)


@theorem(bounds="extents 0 to 2^63 - 1, 1 to 2^63 - 1 ranks, blocks of 1 to 2^63 - 1, all places")
def block_cyclic_coordinates(t):
    """The same as block_coordinates of block_cyclic(extent, ranks, size). Assumed: size >= 1, 0 <= rank < ranks, 0 <= local <
    local_extent(rank)."""

    def before(s, made, rank, local):
        """The block of the coordinate, round * ranks + rank, is a block of the axis, and the coordinate is inside of it."""
        extent, ranks, size = made["extent_"], made["ranks_"], made["cycle_"]
        (c, n, r), e = s.numbers(size, ranks, rank), s.number(extent)
        round_, inside = s.divide(local, size)
        whole, tail = s.divide(extent, size)
        rounds, rest = s.divide(Scalar(INT64, whole), ranks)
        number = round_ * n + r
        s.note("rounds are in order", round_ <= rounds)
        s.note("not in the last round", Implies(r > rest, round_ < rounds))
        s.note("a whole round before", Implies(round_ < rounds, round_ * n + n <= rounds * n))
        s.note("not behind the last block", number <= whole)
        s.note("in the last block", Implies(number == whole, inside < tail))
        s.note("whole blocks before", Implies(number < whole, number * c + c <= whole * c))
        s.note("the coordinate", And(0 <= number * c, number * c + inside < e))

    def lemmas(s, path, rank):
        (_, size, _, _), (_, ranks, _, _), (_, _, round_, inside), (_, _, number, rest), (_, _, again, owner) = path.divisions
        s.lemma(path, "block", And(number == round_ * ranks + rank, rest == inside))
        s.lemma(path, "round", And(again == round_, owner == rank))

    of = Distributed(t, "block_cyclic", "size", may_be_empty=True)
    of.s.assume(of.more[0] >= 1)
    prove_coordinates(of, before, lemmas)


class Blocks:
    """A distribution `blocks` with any offsets. low: the least offset that is assumed."""

    def __init__(self, t, loop, low):
        self.s = s = t.session(Integers, loops=[loop])
        self.offset = z3.Function("offset", z3.IntSort(), z3.IntSort())
        extent, ranks = s.integer("extent", INT64), s.integer("ranks", INT64)
        self.extent, self.ranks = s.numbers(extent, ranks)
        offsets = UnknownArray(self.offset, INT64, self.ranks + 1, low)
        kind = s.enumerator("strew::mpi::distribution::kind::blocks")
        made = s.struct(DISTRIBUTION, extent_=extent, ranks_=ranks, kind_=kind, offsets_=Pointer(offsets))
        self.this = Cell(made)


@theorem(bounds="any offsets of 64 bits, any number of ranks up to 2^63 - 2")
def valid_blocks(t):
    """is_valid accepts blocks(offsets) only if the offsets begin with 0 and ascend, so that none is negative. Assumed: the
    array has ranks + 1 offsets."""
    j = Int("any_rank")

    def holds(local):
        r = local("r")
        return [And(0 <= r, r <= of.ranks), Implies(And(0 <= j, j < r), of.offset(j) <= of.offset(j + 1))]

    loop = Loop(f"{DISTRIBUTION}::is_valid", 0, ("r",), holds, lambda local: of.ranks - local("r"))
    of = Blocks(t, loop, INT64.low)
    s = of.s
    s.assume(of.ranks < LARGEST, 0 <= j, j < of.ranks)
    for path in s.paths(lambda: s.call(f"{DISTRIBUTION}::is_valid", this=of.this)):
        result = s.number(path.outcome)
        s.prove(path, "ascending offsets", Implies(result, And(of.offset(0) == 0, of.offset(j) <= of.offset(j + 1))))
        s.prove(path, "extent and ranks", Implies(result, And(of.extent >= 0, of.ranks >= 1)))


@theorem(bounds="any offsets of 64 bits, any number of ranks up to 2^63 - 2, all coordinates")
def blocks_places(t):
    """The same as block_places of blocks(offsets), by a search that ends after at most `ranks` steps. Assumed: the
    distribution is valid: the first offset is 0, the last is the extent, none is negative; 0 <= coordinate < extent."""

    def holds(local):
        rank, end = local("rank"), local("end")
        return [And(0 <= rank, rank < end, end <= of.ranks), And(of.offset(rank) <= coordinate, coordinate < of.offset(end))]

    loop = Loop(f"{DISTRIBUTION}::locate", 0, ("rank", "end"), holds, lambda local: local("end") - local("rank"))
    of = Blocks(t, loop, 0)
    s = of.s
    given = s.integer("coordinate", INT64)
    coordinate = s.number(given)
    s.assume(1 <= of.ranks, of.ranks < LARGEST, of.offset(0) == 0, of.offset(of.ranks) == of.extent)
    s.assume(0 <= coordinate, coordinate < of.extent)

    def call():
        place = s.call(f"{DISTRIBUTION}::locate", given, this=of.this)
        local_extent = s.call(f"{DISTRIBUTION}::local_extent", place["rank"], this=of.this)
        return place, local_extent, s.call(f"{DISTRIBUTION}::global_index", place["rank"], place["local"], this=of.this)

    for path in s.paths(call):
        prove_place(s, path, of.ranks, coordinate, *path.outcome)


@theorem(bounds="any offsets of 64 bits, any number of ranks up to 2^63 - 2, all places")
def blocks_coordinates(t):
    """The same as block_coordinates of blocks(offsets). Assumed: the distribution is valid: the first offset is 0, the last is
    the extent, and offsets ascend; 0 <= rank < ranks, 0 <= local < local_extent(rank)."""

    def ascend(i, j):
        return Implies(And(0 <= i, i <= j, j <= of.ranks), of.offset(i) <= of.offset(j))

    def holds(local):
        begin, end = local("rank"), local("end")
        return [And(0 <= begin, begin < end, end <= of.ranks), And(of.offset(begin) <= coordinate, coordinate < of.offset(end))]

    def defines(local):
        return [ascend(rank + 1, local("rank")), ascend(local("end"), rank)]

    loop = Loop(f"{DISTRIBUTION}::locate", 0, ("rank", "end"), holds, lambda local: local("end") - local("rank"), defines)
    of = Blocks(t, loop, 0)
    s = of.s
    inputs = s.integer("rank", INT64), s.integer("local", INT64)
    rank, local_index = s.numbers(*inputs)
    coordinate = of.offset(rank) + local_index
    s.assume(1 <= of.ranks, of.ranks < LARGEST, of.offset(0) == 0, of.offset(of.ranks) == of.extent)
    s.assume(0 <= rank, rank < of.ranks, 0 <= local_index, local_index < of.offset(rank + 1) - of.offset(rank))
    s.assume(ascend(z3.IntVal(0), rank), ascend(rank + 1, of.ranks))

    def call():
        count = s.call(f"{DISTRIBUTION}::local_extent", inputs[0], this=of.this)
        found = s.call(f"{DISTRIBUTION}::global_index", *inputs, this=of.this)
        return count, found, s.call(f"{DISTRIBUTION}::locate", found, this=of.this)

    for path in s.paths(call):
        count, found, place = path.outcome
        s.prove(path, "local extent", s.number(count) == of.offset(rank + 1) - of.offset(rank))
        s.prove(path, "coordinate", And(s.number(found) == coordinate, 0 <= coordinate, coordinate < of.extent))
        s.prove(path, "its place", And(s.number(place["rank"]) == rank, s.number(place["local"]) == local_index))
