# SPDX-License-Identifier: Apache-2.0
"""Theorems about sizes, spans and offsets of layouts."""

import z3
from z3 import And, BitVec, BitVecVal, BoolVal, If, Implies, Int, IntVal, Not, Or, ULE

from arithmetic import INT, INT64, UINT64, BitVectors, Integers
from contracts import COPIES, MOST, REFUSALS, SATURATING
from execution import Cell, Loop, Pointer, Text, UnknownArray
from indices import LARGEST
from proof import theorem

DETAIL = "strew::detail"
LAYOUT = "strew::strided_layout"
MOST_RANK = 3  # of the theorems that list the axes


@theorem(bounds="64 bits, all values")
def saturating_add(t):
    """saturating_add returns a + b, or 2^64 - 1 if that is less."""
    s = t.session(BitVectors)
    inputs = s.integer("a", UINT64), s.integer("b", UINT64)
    for path in s.paths(lambda: s.call(f"{DETAIL}::saturating_add", *inputs)):
        a, b, result = s.numbers(*inputs, path.outcome)
        s.prove(path, "saturating_add", result == If(a + b > MOST, MOST, a + b))


@theorem(bounds="64 bits, all values")
def saturating_multiply(t):
    """saturating_multiply returns a * b, or 2^64 - 1 if that is less."""
    s = t.session(Integers)
    inputs = s.integer("a", UINT64), s.integer("b", UINT64)
    for path in s.paths(lambda: s.call(f"{DETAIL}::saturating_multiply", *inputs)):
        a, b, result = s.numbers(*inputs, path.outcome)
        s.prove(path, "saturating_multiply", result == If(a * b > MOST, MOST, a * b))


@theorem(bounds="64 bits, all values")
def bitwise(t):
    """a | b is at least a and at least b, and at most a + b; a & b of numbers of at least 0 is at least 0 and at most each of
    them, and of 0 and 1 their product: all that proofs by integers know of | and &."""
    s = t.session(BitVectors)
    a, b = BitVec("a", 64), BitVec("b", 64)
    wide_a, wide_b, both = (z3.ZeroExt(1, one) for one in (a, b, a | b))
    s.lemma(None, "|", And(ULE(a, a | b), ULE(b, a | b), ULE(both, wide_a + wide_b)))
    s.lemma(None, "&", Implies(And(0 <= a, 0 <= b), And(0 <= a & b, a & b <= a, a & b <= b)))
    s.lemma(None, "& of flags", Implies(And(ULE(a, 1), ULE(b, 1)), (a & b) == If(And(a == 1, b == 1), BitVecVal(1, 64), 0)))


@theorem(bounds="64 bits, all values")
def scaled(t):
    """scaled returns the product of a stride and a unit modulo 2^64: the product itself, wherever 64 bits represent it."""
    s = t.session(BitVectors)
    inputs = s.integer("stride", INT64), s.integer("unit", INT64)
    for path in s.paths(lambda: s.call(f"{DETAIL}::scaled", *inputs)):
        stride, unit = s.numbers(*inputs)
        s.prove(path, "scaled", path.outcome.term == z3.Extract(63, 0, stride * unit))


@theorem(bounds="the syntax trees of these functions")
def refusals(t):
    """The functions that set an error return false on each path, as the other proofs use them."""
    # refuse_layout returns nothing, and what calls it false.
    names = {name for name in REFUSALS if "refuse" in name and not name.endswith("refuse_layout")}
    for name in sorted(names):
        function = t.headers.function(name)
        results = []

        def visit(node):
            if node.kind == "RETURN_STMT":
                result = node.children[0]
                while result.kind == "UNEXPOSED_EXPR":
                    result = result.children[0]
                calls_another = result.kind == "CALL_EXPR" and result.target.qualified_name in names
                results.append(calls_another or (result.kind == "CXX_BOOL_LITERAL_EXPR" and result.constant == 0))
            for child in node.children:
                visit(child)

        visit(function.body)
        t.claim(f"{name} returns false", bool(results) and all(results))


# ---- Layouts of known ranks


class Axes:
    """The extents and strides of a layout, and what follows from them by their definition, in integers of any size."""

    def __init__(self, s, rank):
        self.extents = [s.integer(f"extent{k}", INT64) for k in range(rank)]
        self.strides = [s.integer(f"stride{k}", INT64) for k in range(rank)]
        self.e = s.numbers(*self.extents)
        self.s = s.numbers(*self.strides)
        self.rank = rank
        self.counts = [If(e < 1, 1, e) for e in self.e]  # an extent of 0 counts as 1
        self.ends = [(count - 1) * stride for count, stride in zip(self.counts, self.s)]
        self.lowest = sum((If(end < 0, end, 0) for end in self.ends), IntVal(0))
        self.highest = sum((If(end > 0, end, 0) for end in self.ends), IntVal(0))
        self.count = product(self.counts)
        self.size = product(self.e)
        self.are_extents = And(*(e >= 0 for e in self.e)) if rank else BoolVal(True)

    def fits(self, width):
        return And(self.count <= LARGEST, (self.highest - self.lowest + 1) * width <= LARGEST)

    def is_inside(self, k, part):
        """Whether a part of an offset, that of one axis, is between the ends of the axis."""
        end = self.ends[k]
        return And(If(end < 0, end, 0) <= part, part <= If(end > 0, end, 0))

    def is_row_major(self):
        inner, result = IntVal(1), []
        for e, stride, count in reversed(list(zip(self.e, self.s, self.counts))):
            result.append(Or(e == 1, stride == inner))
            inner = inner * count
        return And(*result) if result else BoolVal(True)

    def layout(self, s, **more):
        """The layout as the library makes it, if it fits."""
        members = {"extents_": s.list(self.extents), "strides_": s.list(self.strides)}
        return s.struct(LAYOUT, **members, **more)


def product(factors):
    result = IntVal(1)
    for factor in factors:
        result = result * factor
    return result


def unset_list(s):
    """A list of which nothing is set."""
    list_type = s.theorem.headers.record("strew::index_list")
    made = s.execution.blank(list_type.record)
    for member in list_type.record.members:
        made.members[member.name] = s.execution.default_cell(member)
    return made


def blank_layout(s):
    """A layout to be filled in, of which nothing is set."""
    return Cell(s.struct(LAYOUT, extents_=unset_list(s), strides_=unset_list(s)))


def prove_layout(s, path, made, axes, width):
    """That a layout is the one that its extents and strides define."""
    lowest, highest, size = s.numbers(made["lowest_"], made["highest_"], made["size_"])
    s.prove(path, "lowest and highest offset", And(lowest == axes.lowest, highest == axes.highest))
    s.prove(path, "number of elements", size == axes.size)
    s.prove(path, "span in bytes", And(0 <= highest - lowest, (highest - lowest + 1) * width <= LARGEST))
    s.prove(path, "row-major", s.number(made["is_row_major_"]) == axes.is_row_major())
    for name, given in (("extents_", axes.extents), ("strides_", axes.strides)):
        listed = made[name]
        s.prove(path, f"rank of {name}", s.number(listed["size_"]) == axes.rank)
        for k, one in enumerate(given):
            s.prove(path, f"{name}[{k}]", s.number(listed["values_"].cells[k].value) == s.number(one))


@theorem(bounds=f"ranks 0 to {MOST_RANK}; extents, strides and element size of 64 bits, all values; flags of lists")
def make_layout(t):
    """make_layout accepts exactly extents and strides without negative extents, whose number of elements and whose span in
    bytes are at most PTRDIFF_MAX with extents of 0 counted as 1, and refuses lists that overflowed or saturated or differ
    in length. The layout has the lowest and highest offset, the number of elements and the property row-major that the
    extents and strides define. Assumed: element_size >= 1."""
    for rank in range(MOST_RANK + 1):
        for extent_flags, stride_flags in ((0, 0), (0, 2)) if rank else ((0, 0), (1, 0), (2, 0), (0, 1)):
            s = t.session(Integers, contracts=REFUSALS | SATURATING)
            axes = Axes(s, rank)
            width = s.integer("element_size", UINT64)
            w = s.number(width)
            s.assume(w >= 1)

            def call():
                made = blank_layout(s)
                rules = s.struct(f"{DETAIL}::layout_rules")
                extents, strides = s.list(axes.extents, extent_flags), s.list(axes.strides, stride_flags)
                return s.call(f"{DETAIL}::make_layout", rules, extents, strides, width, made, Text()), made.value

            accepts = And(axes.are_extents, axes.fits(w), extent_flags == 0, stride_flags != 1)
            for path in s.paths(call):
                accepted, made = path.outcome
                s.prove(path, "accepted", s.number(accepted) == accepts)
                if accepted.term:
                    prove_layout(s, path, made, axes, w)
    for extents, strides in ((1, 0), (0, 1), (2, 1), (1, 2)):
        s = t.session(Integers, contracts=REFUSALS | SATURATING)
        rules = s.struct(f"{DETAIL}::layout_rules")
        names = (("extent", extents), ("stride", strides))
        lists = [s.list([s.integer(f"{name}{k}", INT64) for k in range(count)]) for name, count in names]
        arguments = rules, *lists, s.known(UINT64, 1)
        for path in s.paths(lambda: s.call(f"{DETAIL}::make_layout", *arguments, blank_layout(s), Text())):
            s.prove(path, "lists of different lengths", Not(s.number(path.outcome)))


@theorem(bounds=f"ranks 0 to {MOST_RANK}; extents and element size of 64 bits, all values; with and without data")
def row_major(t):
    """fill_row_major, and make_row_major behind it for large extents, make the layout with row-major strides, in which
    extents of 0 count as 1, and accept what make_layout accepts; without data only layouts without elements. Assumed:
    element_size >= 1."""
    for rank in range(MOST_RANK + 1):
        for has_data in (True, False):
            s = t.session(Integers, contracts=REFUSALS | SATURATING)
            extents = [s.integer(f"extent{k}", INT64) for k in range(rank)]
            e = s.numbers(*extents)
            counts = [If(one < 1, 1, one) for one in e]
            width = s.integer("element_size", UINT64)
            w = s.number(width)
            s.assume(w >= 1)
            count, size = product(counts), product(e)
            is_legal = And(*(one >= 0 for one in e), count <= LARGEST, count * w <= LARGEST)
            data = s.pointer(Cell()) if has_data else Pointer(None)

            def call():
                made = blank_layout(s)
                accepted = s.call(f"{LAYOUT}::fill_row_major", data, s.list(extents), width, made)
                return s.boolean(s.execution.decide(accepted.term)), made.value

            for path in s.paths(call):
                accepted, made = path.outcome
                s.prove(path, "accepted", s.number(accepted) == And(is_legal, True if has_data else size == 0))
                if not accepted.term:
                    continue
                lowest, highest, elements = s.numbers(made["lowest_"], made["highest_"], made["size_"])
                s.prove(path, "number of elements", elements == size)
                s.prove(path, "lowest and highest offset", And(lowest == 0, highest == count - 1))
                s.prove(path, "row-major", s.number(made["is_row_major_"]))
                s.prove(path, "ranks", And(*(s.number(made[name]["size_"]) == rank for name in ("extents_", "strides_"))))
                for k in range(rank):
                    extent, stride = (s.number(made[name]["values_"].cells[k].value) for name in ("extents_", "strides_"))
                    s.prove(path, f"axis {k}", And(extent == e[k], stride == product(counts[k + 1 :])))


@theorem(bounds=f"ranks 0 to {MOST_RANK}; extents, strides and coordinates of 64 bits, all values")
def offset(t):
    """contains accepts exactly the coordinates with 0 <= coordinate[k] < extent[k] on each axis; offset of such a coordinate
    does not overflow and is between the lowest and the highest offset: it addresses an element of the view. Assumed: the
    layout is one that make_layout accepts."""
    for rank in range(MOST_RANK + 1):
        s = t.session(Integers)
        axes = Axes(s, rank)
        s.assume(axes.are_extents, axes.fits(1))
        coordinate = [s.integer(f"coordinate{k}", INT64) for k in range(rank)]
        c = s.numbers(*coordinate)
        is_inside = And(*(And(0 <= x, x < e) for x, e in zip(c, axes.e))) if rank else BoolVal(True)
        for k in range(rank):
            s.lemma(None, "before the end of an axis", Implies(is_inside, (axes.e[k] - 1 - c[k]) * axes.s[k] * axes.s[k] >= 0))
            s.lemma(None, "inside of an axis", Implies(is_inside, axes.is_inside(k, c[k] * axes.s[k])))

        def call():
            layout = Cell(axes.layout(s))
            inside = s.call(f"{LAYOUT}::contains", s.list(coordinate), this=layout)
            if not s.execution.decide(inside.term):
                return None
            return s.call(f"{LAYOUT}::offset", s.list(coordinate), this=layout)

        exact = sum((x * stride for x, stride in zip(c, axes.s)), IntVal(0))
        for path in s.paths(call):
            s.prove(path, "contains", BoolVal(path.outcome is not None) == is_inside)
            if path.outcome is not None:
                result = s.number(path.outcome)
                s.prove(path, "offset", result == exact)
                s.prove(path, "an element of the view", And(axes.lowest <= result, result <= axes.highest))


@theorem(bounds=f"ranks 1 to {MOST_RANK}; extents, strides and numbers of 64 bits, all values")
def offset_of_number(t):
    """offset_of_number(n) is the offset of the coordinate whose row-major number is n, and does not overflow. Assumed: the
    layout is one that make_layout accepts, 0 <= n < size."""
    for rank in range(1, MOST_RANK + 1):
        s = t.session(Integers)
        axes = Axes(s, rank)
        s.assume(axes.are_extents, axes.fits(1))
        c = [Int(f"coordinate{k}") for k in range(rank)]
        given = s.integer("number", INT64)
        numbers = [IntVal(0)]  # of the leading components
        for x, e in zip(c, axes.e):
            s.assume(0 <= x, x < e)
            numbers.append(numbers[-1] * e + x)
        s.assume(s.number(given) == numbers[-1])
        for k in range(rank):
            s.lemma(None, "inside of an axis", axes.is_inside(k, c[k] * axes.s[k]))
        exact = sum((x * stride for x, stride in zip(c, axes.s)), IntVal(0))
        for path in s.paths(lambda: s.call(f"{DETAIL}::offset_of_number", axes.layout(s), given)):
            # Each axis has one division for its coordinate and one for the number that remains, with the same variables.
            for k, (_, _, quotient, rest) in zip(reversed(range(rank)), path.divisions[::2]):
                s.lemma(path, "number of the axes before", quotient == numbers[k])
                s.lemma(path, "coordinate", rest == c[k])
            s.prove(path, "offset", s.number(path.outcome) == exact)
            s.prove(path, "an element of the view", And(axes.lowest <= exact, exact <= axes.highest))


# ---- Layouts of any rank: invariants of the loops over the axes


class AnyAxes:
    """The extents and strides of a layout of unknown rank, and functions that its definition gives for the axes from k on:
    the number of elements with extents of 0 counted as 1, the sums of the positive and of the negative ends of axes."""

    def __init__(self, s, may_be_negative):
        self.rank = s.integer("rank", INT)
        self.r = s.number(self.rank)
        s.assume(0 <= self.r, self.r <= s.theorem.headers.constant("strew::max_rank"))
        self.extent = z3.Function("extent", z3.IntSort(), z3.IntSort())
        self.stride = z3.Function("stride", z3.IntSort(), z3.IntSort())
        self.count = z3.Function("count", z3.IntSort(), z3.IntSort())
        self.below = z3.Function("below", z3.IntSort(), z3.IntSort())
        self.above = z3.Function("above", z3.IntSort(), z3.IntSort())
        self.lists = []
        for function, low in ((self.extent, INT64.low if may_be_negative else 0), (self.stride, INT64.low)):
            values = UnknownArray(function, INT64, s.execution.arithmetic.number(INT, self.rank.term), low)
            self.lists.append(s.struct("strew::index_list", values_=values, size_=self.rank, flags_=s.unsigned(0)))

    def count_of(self, k):
        return If(self.extent(k) < 1, 1, self.extent(k))

    def end(self, k):
        return (self.count_of(k) - 1) * self.stride(k)

    def begins(self):
        return [self.count(self.r) == 1, self.below(self.r) == 0, self.above(self.r) == 0]

    def define(self, k):
        """The functions for the axes from k on, by those for the axes behind k."""
        end = self.end(k)
        return [
            self.count(k) == self.count(k + 1) * self.count_of(k),
            self.below(k) == self.below(k + 1) + If(end < 0, -end, 0),
            self.above(k) == self.above(k + 1) + If(end > 0, end, 0),
        ]

    def sums(self, k):
        """What holds of sums of numbers of at least 0, by induction over the axes."""
        inside = And(0 <= k, k <= self.r)
        return [Implies(inside, And(0 <= part(k), part(k) <= part(0))) for part in (self.below, self.above)]

    def fits(self, width):
        return And(self.count(0) <= LARGEST, (self.below(0) + self.above(0) + 1) * width <= LARGEST)


def limited(term):
    return If(term > MOST, MOST, term)


@theorem(bounds="any rank up to STREW_MAX_RANK; extents, strides and element size of 64 bits, all values")
def make_layout_of_any_rank(t):
    """make_layout accepts exactly the extents and strides whose number of elements and span in bytes are at most
    PTRDIFF_MAX, if no extent is negative; in a layout that it accepts no extent is negative, and the lowest and the highest
    offset are those that the extents and strides define. Assumed: element_size >= 1; an assignment copies a list."""
    for may_be_negative in (False, True):
        j = Int("any_axis")

        def holds(local):
            k, axes = local("k"), t.axes
            is_seen = And(k <= j, j < axes.r)
            return [
                And(0 <= k, k <= axes.r),
                And(axes.count(k) >= 1, axes.below(k) >= 0, axes.above(k) >= 0),
                local("count") == limited(axes.count(k)),
                local("below") == limited(axes.below(k)),
                local("above") == limited(axes.above(k)),
                Implies(is_seen, axes.extent(j) >= 0),
                Implies(is_seen, And(axes.end(j) <= axes.above(k), -axes.end(j) <= axes.below(k))),
                Implies(And(is_seen, axes.extent(j) == 0), local("empty")),
            ]

        loop = Loop(
            f"{DETAIL}::make_layout",
            0,
            ("k", "count", "below", "above", "empty", "row_major"),
            holds,
            lambda local: local("k"),
            lambda local: [*t.axes.begins(), *t.axes.define(local("k") - 1)],
        )
        s = t.session(Integers, contracts=REFUSALS | SATURATING | COPIES, loops=[loop])
        t.axes = axes = AnyAxes(s, may_be_negative)
        width = s.integer("element_size", UINT64)
        w = s.number(width)
        s.assume(w >= 1, 0 <= j, j < axes.r)

        def call():
            made = blank_layout(s)
            rules = s.struct(f"{DETAIL}::layout_rules")
            return s.call(f"{DETAIL}::make_layout", rules, *axes.lists, width, made, Text()), made.value

        for path in s.paths(call):
            accepted, made = path.outcome
            if not may_be_negative:
                s.prove(path, "accepted", s.number(accepted) == axes.fits(w))
            if accepted.term:
                lowest, highest, size = s.numbers(made["lowest_"], made["highest_"], made["size_"])
                s.prove(path, "limits", axes.fits(w))
                s.prove(path, "lowest and highest offset", And(lowest == -axes.below(0), highest == axes.above(0)))
                s.prove(path, "no extent is negative", axes.extent(j) >= 0)
                s.prove(path, "both ends of an axis", And(lowest <= axes.end(j), axes.end(j) <= highest))
                s.prove(path, "number of elements", If(axes.extent(j) == 0, size == 0, Or(size == 0, size == axes.count(0))))


@theorem(bounds="any rank up to STREW_MAX_RANK; extents, strides and coordinates of 64 bits, all values")
def offset_of_any_rank(t):
    """offset of a coordinate with 0 <= coordinate[k] < extent[k] on each axis does not overflow and is between the lowest and
    the highest offset. Assumed: the layout is one that make_layout accepts."""
    coordinate = z3.Function("coordinate", z3.IntSort(), z3.IntSort())

    def inside(k):
        axes = t.axes
        return [Implies(And(0 <= k, k < axes.r), And(0 <= coordinate(k), coordinate(k) < axes.extent(k)))]

    def defines(local):
        k, axes = local("k"), t.axes
        return [*axes.begins(), *axes.define(k), *inside(k), *axes.sums(k), *axes.sums(k + 1)]

    def holds(local):
        k, axes = local("k"), t.axes
        added = And(axes.below(k) - axes.below(0) <= local("result"), local("result") <= axes.above(0) - axes.above(k))
        return [And(0 <= k, k <= axes.r), added]

    s = t.session(Integers, loops=[
        Loop(f"{LAYOUT}::offset", 0, ("k", "result"), holds, lambda local: t.axes.r - local("k"), defines),
        Loop(f"{LAYOUT}::contains", 0, ("k",), lambda local: [And(0 <= local("k"), local("k") <= t.axes.r)],
             lambda local: t.axes.r - local("k"), lambda local: inside(local("k"))),
    ])  # fmt: skip
    t.axes = axes = AnyAxes(s, False)
    s.assume(axes.fits(1), *axes.sums(0))
    values = UnknownArray(coordinate, INT64, axes.r, INT64.low)
    given = s.struct("strew::index_list", values_=values, size_=axes.rank, flags_=s.unsigned(0))
    layout = Cell(s.struct(LAYOUT, extents_=axes.lists[0], strides_=axes.lists[1]))
    for path in s.paths(lambda: s.call(f"{LAYOUT}::offset", given, this=layout)):
        result = s.number(path.outcome)
        s.prove(path, "an element of the view", And(-axes.below(0) <= result, result <= axes.above(0)))


@theorem(bounds="any rank up to STREW_MAX_RANK; extents, strides and numbers of 64 bits, all values")
def offset_of_number_of_any_rank(t):
    """offset_of_number(n) is the offset of the coordinate whose row-major number is n, does not overflow and is between the
    lowest and the highest offset. Assumed: the layout is one that make_layout accepts, 0 <= n < size."""
    coordinate = z3.Function("coordinate", z3.IntSort(), z3.IntSort())
    number = z3.Function("number_of_leading_axes", z3.IntSort(), z3.IntSort())
    offset_from = z3.Function("offset_of_axes_from", z3.IntSort(), z3.IntSort())

    def step(k):
        """One axis: the number of the axes up to k, the offset of those from k on."""
        axes = t.axes
        c, e = coordinate(k), axes.extent(k)
        definition = [
            And(0 <= c, c < e),
            number(k + 1) == number(k) * e + c,
            offset_from(k) == offset_from(k + 1) + c * axes.stride(k),
            number(k) >= 0,
        ]
        return [Implies(And(0 <= k, k < axes.r), fact) for fact in definition]

    def defines(local):
        k, axes = local("k"), t.axes
        start = [number(0) == 0, offset_from(axes.r) == 0]
        return [*start, *axes.begins(), *axes.define(k - 1), *step(k - 1), *axes.sums(k - 1), *axes.sums(k)]

    def holds(local):
        k, axes = local("k"), t.axes
        result = And(local("offset") == offset_from(k), -axes.below(k) <= local("offset"), local("offset") <= axes.above(k))
        return [And(0 <= k, k <= axes.r), local("number") == number(k), result]

    loop = Loop(f"{DETAIL}::offset_of_number", 0, ("k", "offset", "number"), holds, lambda local: local("k"), defines)
    s = t.session(Integers, loops=[loop])
    t.axes = axes = AnyAxes(s, False)
    s.assume(axes.fits(1), *axes.sums(0))
    given = s.integer("number", INT64)
    s.assume(s.number(given) == number(axes.r))
    layout = s.struct(LAYOUT, extents_=axes.lists[0], strides_=axes.lists[1])
    for path in s.paths(lambda: s.call(f"{DETAIL}::offset_of_number", layout, given)):
        result = s.number(path.outcome)
        s.prove(path, "offset", result == offset_from(0))
        s.prove(path, "an element of the view", And(-axes.below(0) <= result, result <= axes.above(0)))
