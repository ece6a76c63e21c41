# SPDX-License-Identifier: Apache-2.0
"""Theorems about the reader of indices, from multi-indices and row-major numbers to offsets, about the loops that it calls, and
about the division of numbers."""

import itertools

from z3 import And, If, Implies, Int, IntVal, Or

from arithmetic import BOOL, INT, INT64, UINT64, BitVectors, Integer, Integers
from contracts import DIVIDE, MEMORY, SCALED, THRESHOLDS
from execution import Array, Cell, Pointer, Scalar
from indices import TYPES, element, is_legal, rule_value, value_of_bits
from layouts import Axes
from proof import theorem

DETAIL = "strew::detail"
ERASED = "strew::erased"
READER = f"{DETAIL}::index_reader"
MOST_RANK = 3
UINT32 = Integer(32, False)
LARGEST_32 = (1 << 31) - 1
RULES = ("strict", "wrapping")
INSTANCES = [f"{DETAIL}::add_terms<{name}>" for name in TYPES] + [
    f"{DETAIL}::check_contiguous<std::int{bits}_t, strew::index_rule::{rule}>" for bits in (32, 64) for rule in RULES
]
# The flags of a check.
BAD_INDEX, NEGATIVE_INDEX = 1, 2


def is_legal_in_term(index, extent, wrapped):
    """Whether an index is legal on an axis, where `wrapped` is added to negative ones."""
    return Or(And(0 <= index, index < extent), And(-extent <= index, index < 0, wrapped == extent))


class Reader:
    """A reader of one multi-index, or of one row-major number, into a view of `rank` axes. Each axis owns a range of its
    coordinates, or is owned whole."""

    def __init__(self, t, rank, by, rule, is_unsigned, owns_all, contracts=None):
        own = {
            f"{READER}::read_component": self.read,
            f"{READER}::add": self.add,
            f"{DETAIL}::rare_index_forms::unravel": self.unravel,
            f"{DETAIL}::offset_term::fits": self.fits,
            f"{DETAIL}::add_terms": self.add_terms,
        }
        contracts = SCALED | THRESHOLDS | MEMORY | own | (contracts or {})
        self.s = s = t.session(Integers, contracts=contracts, merges=False)
        self.axes = axes = Axes(s, rank)
        s.assume(axes.are_extents, axes.fits(1))
        self.rule = rule
        components = rank if by == "multi_indices" else 1
        self.bits = [s.integer(f"component{j}", INT64) for j in range(components)]
        self.numbers = [Int(f"index{j}") for j in range(components)]
        s.assume(*(number == value_of_bits(bits, is_unsigned) for number, bits in zip(self.numbers, s.numbers(*self.bits))))
        wraps = s.boolean(rule == "wrapping")
        self.owned, self.steps = [], []
        targets = []
        for k in range(rank):
            if owns_all:
                begin, count = s.known(INT64, 0), axes.extents[k]
            else:
                begin, count = s.integer(f"owned_begin{k}", INT64), s.integer(f"owned_count{k}", INT64)
            first, size = s.numbers(begin, count)
            s.assume(0 <= first, 0 <= size, first + size <= axes.e[k], Implies(axes.e[k] > 0, size > 0))
            self.owned.append((first, size))
            owned = s.struct(f"{DETAIL}::axis_range", begin=begin, count=count)
            extent, stride = axes.extents[k], s.integer(f"step{k}", INT64)
            s.assume(Implies(axes.e[k] != 1, s.number(stride) == axes.s[k]))
            self.steps.append(s.number(stride))
            targets.append(s.struct(f"{DETAIL}::target_axis", extent=extent, stride=stride, owned=owned, wraps=wraps))
        rules = s.struct(
            f"{DETAIL}::operation_rules",
            by=s.enumerator(f"{DETAIL}::addressing::{by}"),
            rule=rule_value(s, rule),
            texts=Cell(),
        )
        policy = s.enumerator("strew::index_policy::error")
        kind = s.partial(f"{ERASED}::call_type", rules=rules, policy=policy, components=s.int(components))
        loops = s.partial(f"{DETAIL}::index_loops", is_unsigned=s.boolean(is_unsigned), size=s.int(8))
        self.components = [Cell(s.partial(f"{ERASED}::index_operand", loops=s.pointer(loops))) for _ in range(components)]
        layout = axes.layout(s, size_=s.integer("size", INT64))
        s.assume(s.number(layout["size_"]) == axes.size)
        output = s.partial(f"{ERASED}::output_operand", layout=s.pointer(layout))
        request = s.partial(f"{ERASED}::request", type=kind, indices=s.pointer(*self.components), output=output)
        zeros = [s.known(INT64, 0)] * rank  # without states
        plan = s.partial(f"{DETAIL}::scatter_plan", axis=Array([Cell(one) for one in targets]), axes=s.int(rank),
                         has_states=s.boolean(False), state_step=Array([Cell(one) for one in zeros]))  # fmt: skip
        arrays = ("value_", "offset_", "state_offset_", "numbers_", "is_kept_")
        none = s.enumerator(f"{READER}::form::none")
        self.make = lambda: Cell(
            s.partial(
                READER,
                indices_=s.partial(f"{DETAIL}::index_source", loops=loops),
                axis_=s.pointer(*[one for one in targets]),
                call_=s.pointer(request),
                plan_=s.pointer(plan),
                checks_=s.boolean(True),
                read_own_=Pointer(None),
                keeps_some_=s.boolean(not owns_all),
                form_=Scalar(INT, none.term),
                first_=s.known(INT64, 0),
                which_=s.known(INT64, 0),
                left_=s.known(INT64, 0),
                known_=s.struct(f"{DETAIL}::target_run"),
                **{name: Array([Cell(), Cell()]) for name in arrays},
            )
        )

    def read(self, execution, this, arguments):
        """Assumed: of one position, checks the component by the rule, adds its term as add_terms does, or reads its bits."""
        component = execution.lvalue(arguments[0])
        j = next(j for j, one in enumerate(self.components) if one is component)
        piece, how = execution.lvalue(arguments[2]).value, execution.value(arguments[3])
        execution.oblige("one position is read", self.s.number(piece["count"]) == 1)
        to, term = how["to"], how["term"]
        if to.array is None:
            number, extent = self.numbers[j], self.s.number(how["extent"])
            execution.oblige("0 <= extent of a check", extent >= 0)
            if not execution.decide(is_legal(number, extent, self.rule)):
                return Scalar(UINT32, BAD_INDEX)
            return Scalar(UINT32, If(number < 0, IntVal(NEGATIVE_INDEX), IntVal(0)))
        if term.array is None:
            to.array.cells[to.offset].value = self.bits[j]
        else:
            self.add_term(execution, self.numbers[j], term.array.cells[term.offset].value, to.array.cells[to.offset])
        return Scalar(UINT32, 0)

    def fits(self, execution, _, arguments):
        """Any answer: offsets are right whether terms have 32 bits or not. A term is only added where the answer was yes."""
        extent, stride = (execution.value(one) for one in arguments)
        execution.fresh += 1
        answer = execution.variable(f"fits!{execution.fresh}", BOOL)
        self.fitting = answer.term, extent.term, self.s.number(stride)
        return answer

    def add_terms(self, execution, _, arguments):
        """The instance of unravel: of one coordinate."""
        indices, stride, count, of, to = arguments
        while indices.kind != "CXX_REINTERPRET_CAST_EXPR":
            indices = indices.children[0]
        values, to = execution.value(indices.children[-1]), execution.value(to)
        stride, count = (self.s.number(execution.value(one)) for one in (stride, count))
        execution.oblige("one coordinate of 8 bytes", And(stride == 8, count == 1))
        number = self.s.number(values.array.cells[values.offset].value)
        self.add_term(execution, number, execution.lvalue(of).value, to.array.cells[to.offset])

    def add_term(self, execution, number, term, offset):
        """What the theorem add_terms proves, of an axis for which offset_term::fits was asked last."""
        answer, extent, fitting_stride = self.fitting
        wrapped, stride, before = self.s.numbers(term["wrapped"], term["stride"], offset.value)
        execution.oblige("the term fits", answer)
        execution.oblige("the stride of the term fits", stride == fitting_stride)
        execution.oblige("the index of a term is legal", is_legal_in_term(number, self.s.number(Scalar(INT64, extent)), wrapped))
        target = element(number, wrapped)
        self.before_add(extent, target)
        offset.value = Scalar(INT64, execution.arithmetic.binary("+", INT64, before, target * stride))

    def unravel(self, execution, _, arguments):
        """Assumed: what the pointer to rare forms of indices calls."""
        function = execution.headers.function(f"{READER}::unravel")
        return execution.run(function, execution.lvalue(arguments[0]), [Cell(execution.value(arguments[1]))])

    def add(self, execution, this, arguments):
        """Executes the function, after claims about the axis and the coordinate on it."""
        function = execution.headers.function(f"{READER}::add")
        cells = [execution.argument(function, k, one) for k, one in enumerate(arguments)]
        along, values = cells[0].value, cells[2].value
        self.before_add(along["extent"].term, self.s.number(values.array.cells[values.offset].value))
        return execution.run(function, this, cells)

    def read_offsets(self):
        """The offsets of one position."""
        one, zero = self.s.known(INT64, 1), self.s.known(INT64, 0)
        piece = self.s.struct(f"{READER}::piece", number=zero, first=zero, stride=zero, count=one)
        return self.s.call(f"{READER}::read_offsets", piece, this=self.make())

    def prove_offset(self, path, legal, coordinates, exact):
        """That indices are accepted if they are legal, and that the offset is exact."""
        s, run = self.s, path.outcome
        taken, count = s.numbers(run["taken"], run["count"])
        s.prove(path, "accepted", If(legal, taken == 1, taken == 0))
        if run["taken"].term == 0:
            return
        offset = s.number(run["offset"].array.cells[0].value)
        s.prove(path, "offset", offset == exact)
        s.prove(path, "an element of the view", And(self.axes.lowest <= exact, exact <= self.axes.highest))
        owned = And(*(And(begin <= x, x < begin + size) for x, (begin, size) in zip(coordinates, self.owned)))
        s.prove(path, "kept", count == If(owned, 1, 0))


class Runs:
    """Adjacent axes that unravel may treat as one, known by the term of their extent, and what is claimed of them when it
    divides by that and when it adds the offset along them. Everything is proven there, in steps that Z3 finds."""

    def __init__(self):
        self.contracts = {f"{DETAIL}::divide": self.divide}

    def define(self, reader, c, legal):
        """`before[k]` is the number of the element on the axes before axis k, `parts[k]` the offset along axis k."""
        self.s, self.axes, self.steps, self.c = reader.s, reader.axes, reader.steps, c
        reader.before_add = self.before_add
        e = self.axes.e
        self.before = [IntVal(0)]
        for k, x in enumerate(c):
            self.before.append(self.before[-1] * e[k] + x)
        self.parts = [Int(f"part{k}") for k in range(len(c))]
        for k, part in enumerate(self.parts):
            self.s.assume(part == c[k] * self.axes.s[k])
            self.s.lemma(None, "inside of an axis", Implies(legal, self.axes.is_inside(k, part)))
        self.known = {}
        for last in range(len(c)):
            extent, number = e[last], c[last]
            for first in range(last, -1, -1):
                if first < last:
                    number = c[first] * extent + number
                    extent = extent * e[first]
                self.known[extent.get_id()] = first, last, extent, number
                self.s.lemma(None, "number on a run", Implies(legal, And(0 <= number, number < extent)))
                exact = self.before[first] * extent + number
                self.s.lemma(None, "number on the axes up to a run", Implies(legal, self.before[last + 1] == exact))

    def divide(self, execution, _, arguments):
        numbers, rests, _, by, _ = (execution.value(one) for one in arguments)
        first, last, _, number = self.known[by.term.get_id()]
        cells = [one.array.cells[one.offset] for one in (numbers, rests)]
        self.s.note("number that is divided", self.s.number(cells[0].value) == self.before[last + 1])
        DIVIDE[f"{DETAIL}::divide"](execution, None, arguments)
        self.s.note("number on the axes before", self.s.number(cells[0].value) == self.before[first])
        self.s.note("number on the axes", self.s.number(cells[1].value) == number)

    def before_add(self, extent, value):
        first, last, _, number = self.known[extent.get_id()]
        s, e = self.s, self.axes.e
        s.note("number on a run", value == number)
        step = self.steps[last]
        s.note("offset along the last axis of a run", self.c[last] * step == self.parts[last])
        inside = e[last]
        for k in range(last - 1, first - 1, -1):
            s.note("strides of a run", Or(e[k] == 1, self.steps[k] == step * inside))
            s.note("offset along an axis of a run", self.c[k] * inside * step == self.parts[k])
            inside = inside * e[k]
        s.note("offset along a run", value * step == sum(self.parts[first : last + 1], IntVal(0)))


CASES = [
    (rank, rule, is_unsigned, owns_all)
    for rank, rule, is_unsigned, owns_all in itertools.product(range(1, MOST_RANK + 1), RULES, (False, True), (True, False))
    if owns_all or rank < MOST_RANK
]


@theorem(bounds="numbers 0 to 2^63 - 1, extents 1 to 2^63 - 1; by a reciprocal all numbers below 2^32, extents 2 to 2^32")
def divide(t):
    """divide replaces a number by its quotient by an extent, rounded down, and stores the rest; by a reciprocal too, of which
    no product or sum overflows 64 bits. Assumed: 0 <= number, 1 <= extent; if the numbers are said to be short, number < 2^32
    and 1 < extent <= 2^32. Each element of the arrays is independent of the others, so arrays of one are proven.
    divide_avx2, which only calls divide_short, is not executed."""
    for are_short in (False, True):
        s = t.session(Integers)
        inputs = s.integer("number", INT64), s.integer("by", INT64)
        n, by = s.numbers(*inputs)
        s.assume(0 <= n, 1 <= by)
        if are_short:
            s.assume(n < 1 << 32, 1 < by, by <= 1 << 32)

        def call():
            numbers, rests = Cell(inputs[0]), Cell()
            places = [Pointer(Array([cell])) for cell in (numbers, rests)]
            s.call(f"{DETAIL}::divide", *places, s.known(INT64, 1), inputs[1], s.boolean(are_short))
            return numbers.value, rests.value, s.divide(*inputs)

        for path in s.paths(call):
            quotient, rest = s.numbers(*path.outcome[:2])
            if are_short:
                prove_reciprocal(s, path, n, by, quotient, *path.outcome[2])
            s.prove(path, "quotient", And(by * quotient <= n, n < by * quotient + by))
            s.prove(path, "rest", rest == n - by * quotient)


def prove_reciprocal(s, path, n, by, result, q, r):
    """reciprocal * by = 2^64 + error with 0 <= error < by, and n * error < 2^64. The result of the code is n * reciprocal
    divided by 2^64, and the steps here are those of the code, so that their terms are the same."""
    operations = s.execution.arithmetic
    _, _, most, left = path.divisions[0]
    reciprocal, error = most + 1, by - 1 - left
    s.lemma(path, "reciprocal", And(reciprocal * by == (1 << 64) + error, 0 <= error, error < by, reciprocal <= 1 << 63))
    rounded = operations.binary("+", UINT64, most, 1)
    high = operations.binary(">>", UINT64, rounded, 32)
    low = operations.binary("&", UINT64, rounded, UINT32.high)
    number = operations.convert(INT64, UINT32, n, False)
    s.lemma(path, "number", number == n)
    s.lemma(path, "halves", And(reciprocal == high * (1 << 32) + low, 0 <= low, low < 1 << 32, 0 <= high, high <= 1 << 31))
    products = [operations.binary("*", UINT64, number, half) for half in (high, low)]
    for product, half in zip(products, (high, low)):
        s.lemma(path, "product of a half", And(product == n * half, n * half < 1 << 64))
    carried = operations.binary(">>", UINT64, products[1], 32)
    s.lemma(path, "carried", And(0 <= carried, carried < 1 << 32, products[0] + carried < 1 << 64))
    exact = n * reciprocal
    s.lemma(path, "sum", exact == products[0] * (1 << 32) + products[1])
    s.lemma(path, "high half of the product", And(result * (1 << 64) <= exact, exact < (result + 1) * (1 << 64)))
    s.lemma(path, "error of a number", And(0 <= n * error, n * error < 1 << 64))
    beyond = q * error + r * reciprocal
    s.lemma(path, "product", exact == q * (1 << 64) + beyond)
    s.lemma(path, "beyond the quotient, times the extent", by * beyond == n * error + r * (1 << 64))
    s.lemma(path, "beyond the quotient", And(0 <= beyond, beyond < 1 << 64))
    s.lemma(path, "result", result == q)


def note_product(s, kind, index, wrapped, stride, target, product):
    """Steps to the product of 32 bits; they are those of the code, so that their terms are the same."""
    operations = s.execution.arithmetic
    wrapped, step = (operations.convert(INT64, UINT32, one, False) for one in (wrapped, stride))
    bits = operations.convert(kind, UINT32, index, False)
    is_negative = operations.compare("<", INT, operations.convert(UINT32, INT, bits, False), 0)
    sum_of_bits = operations.binary("+", UINT32, bits, operations.choose(UINT32, is_negative, wrapped, 0))
    s.note("sign of the bits", is_negative == (index < 0))
    s.note("element of 32 bits", sum_of_bits == target)
    s.note("bits of the stride", step == If(stride < 0, stride + (1 << 32), stride))
    s.note("exact product of bits", sum_of_bits * step == If(stride < 0, product + target * (1 << 32), product))
    bits_of_product = operations.binary("*", UINT32, sum_of_bits, step)
    s.note("product of 32 bits", operations.convert(UINT32, INT, bits_of_product, False) == product)


COUNT = 2  # of the indices of a loop


def copies(apart):
    """Assumed: memcpy copies an index, at any address, to an integer of the same size. Indices are `apart` bytes apart, and a
    pointer to them is an offset in bytes."""

    def copy(execution, _, arguments):
        node = arguments[0]
        while node.kind != "UNARY_OPERATOR":  # &value
            node = node.children[0]
        to = execution.lvalue(node.children[0])
        kind = node.type.element.integer
        at, size = execution.value(arguments[1]), execution.value(arguments[2]).term
        number, rest = divmod(at.offset, apart)
        execution.oblige("address of an index", rest == 0 and 0 <= number < COUNT)
        index = at.array.cells[number].value
        execution.oblige("size of an index", 8 * size == kind.bits == index.kind.bits)
        to.value = execution.converted(index, kind, True)

    return {"::memcpy": copy}


@theorem(bounds="32 and 64 bits, all values; extents 0 to 2^63 - 1; both rules")
def check_contiguous(t):
    """check_contiguous finds a bad index exactly if the rule does not allow one of them, and, with the rule wrapping, a negative
    one exactly if there is one, as far as there are elements. Assumed: extent >= 0. Arrays of two are proven. The forms for
    AVX2, which are the same loops, are not executed."""
    for name in ("std::int32_t", "std::int64_t"):
        kind = TYPES[name]
        for rule in RULES:
            s = t.session(BitVectors, contracts=copies(kind.bits // 8))
            indices = [s.integer(f"index{i}", kind) for i in range(COUNT)]
            extent = s.integer("extent", INT64)
            e, *numbers = s.numbers(extent, *indices)
            s.assume(e >= 0)
            function = f"{DETAIL}::check_contiguous<{name}, strew::index_rule::{rule}>"
            for path in s.paths(lambda: s.call(function, s.pointer(*indices), s.known(INT64, COUNT), extent)):
                found = s.number(path.outcome)
                is_good = And(*(is_legal(number, e, rule) for number in numbers))
                s.prove(path, f"{name}, {rule}: bad", (found & BAD_INDEX == 0) == is_good)
                is_negative = And(rule == "wrapping", e > 0, Or(*(number < 0 for number in numbers)))
                s.prove(path, f"{name}, {rule}: negative", (found & NEGATIVE_INDEX != 0) == is_negative)
                s.prove(path, f"{name}, {rule}: flags", found & ~(BAD_INDEX | NEGATIVE_INDEX) == 0)


@theorem(bounds="8 types of 8 to 64 bits, all values; extents 0 to 2^63 - 1; strides and offsets of 64 bits, all values")
def add_terms(t):
    """Where offset_term::fits allows the extent and the stride of an axis, add_terms adds to each offset the element that a legal
    index selects, times the stride, exactly, although it computes in 32 bits. Assumed: indices are legal: by the rule strict,
    or by wrapping if `wrapped` is the extent; the sums are of 64 bits. Index and offset number i are read and written
    together, so arrays of two are proven. add_terms_in_vectors is executed as what it calls."""
    for name, kind in TYPES.items():
        apart = 3 * kind.bits // 8
        s = t.session(Integers, contracts=SCALED | copies(apart))
        extent, stride, wrapped = (s.integer(one, INT64) for one in ("extent", "stride", "wrapped"))
        indices = [s.integer(f"index{i}", kind) for i in range(COUNT)]
        offsets = [s.integer(f"offset{i}", INT64) for i in range(COUNT)]
        e, step, w = s.numbers(extent, stride, wrapped)
        s.assume(e >= 0)
        targets, products = [], []
        for i, (index, offset) in enumerate(zip(s.numbers(*indices), s.numbers(*offsets))):
            targets.append(Int(f"target{i}"))
            products.append(Int(f"product{i}"))
            s.assume(is_legal_in_term(index, e, w), targets[i] == element(index, e), products[i] == targets[i] * step)
            s.assume(INT64.low <= offset + products[i], offset + products[i] <= INT64.high)

        def call():
            if not s.execution.decide(s.call(f"{DETAIL}::offset_term::fits", extent, stride).term):
                return None
            bound = LARGEST_32
            s.note("extent and stride of 32 bits", And(e <= bound, -bound <= step, step <= bound))
            s.note("product with the extent", And(-bound <= step * e, step * e <= bound))
            for index, target, product in zip(s.numbers(*indices), targets, products):
                s.note("product with an element", And(0 <= target, target < e, -bound <= product, product <= bound))
                note_product(s, kind, index, w, step, target, product)
            places = Array([Cell(one) for one in offsets])
            term = s.struct(f"{DETAIL}::offset_term", wrapped=wrapped, stride=stride)
            first, count = s.pointer(*indices), s.known(INT64, COUNT)
            s.call(f"{DETAIL}::add_terms<{name}>", first, s.known(INT64, apart), count, term, Pointer(places))
            return [cell.value for cell in places.cells]

        for path in s.paths(call):
            if path.outcome is not None:
                for before, after, product in zip(s.numbers(*offsets), s.numbers(*path.outcome), products):
                    s.prove(path, f"add_terms<{name}>", after == before + product)


@theorem(bounds=f"1 to {MOST_RANK} components of 64 bits signed and unsigned, all values; both rules; in parts up to {MOST_RANK - 1}")
def multi_index_offset(t):
    """read_offsets of a multi-index accepts it exactly if the rule allows each component, and returns the sum of the elements
    that the components select, each multiplied by its stride: the offset of an element of the view. A target is kept exactly
    if each of its coordinates is owned. Nothing overflows. Assumed: the layout is one that make_layout accepts, and the plan has
    its strides, but along axes of one element any; a part has a coordinate of each axis that has any; the policy is error; no
    states, and no function that reads owned positions. read_component finds the indices of the position; it checks them by the
    rule, of which check_contiguous proves the loops, adds their terms as add_terms, or reads their bits. fits may give any
    answer: where it allows no terms, offsets are the same. Positions are independent, so one is proven."""
    for rank, rule, is_unsigned, owns_all in CASES:
        reader = Reader(t, rank, "multi_indices", rule, is_unsigned, owns_all)
        s, axes = reader.s, reader.axes
        legal = And(*(is_legal(number, e, rule) for number, e in zip(reader.numbers, axes.e)))
        c = [Int(f"element{k}") for k in range(rank)]
        parts = [Int(f"part{k}") for k in range(rank)]  # of the offset
        s.assume(*(x == element(number, e) for x, number, e in zip(c, reader.numbers, axes.e)))
        for k in range(rank):
            is_component_legal = is_legal(reader.numbers[k], axes.e[k], rule)
            s.assume(parts[k] == c[k] * axes.s[k])
            s.lemma(None, "inside of an axis", Implies(is_component_legal, axes.is_inside(k, parts[k])))
        exact = sum(parts, IntVal(0))
        s.lemma(None, "an element of the view", Implies(legal, And(axes.lowest <= exact, exact <= axes.highest)))

        def before_add(extent, value):
            k = next(k for k, e in enumerate(axes.e) if e.eq(extent))
            s.note("element", value == c[k])
            s.note("offset along an axis", value * reader.steps[k] == parts[k])

        reader.before_add = before_add

        for path in s.paths(reader.read_offsets):
            reader.prove_offset(path, legal, c, exact)


@theorem(bounds=f"ranks 1 to {MOST_RANK}, numbers of 64 bits signed and unsigned, all values; both rules; in parts up to {MOST_RANK - 1}")
def number_offset(t):
    """read_offsets of a row-major number accepts it exactly if the rule allows it for the number of elements, and returns the
    offset of the coordinate with that number, of an element of the view, whichever axes unravel skips or takes as one. A target
    is kept exactly if each of its coordinates is owned. Nothing overflows, and numbers that are divided by a reciprocal are as
    the theorem divide assumes. Assumed: as for multi_index_offset; the pointer to unravel is set."""
    for rank, rule, is_unsigned, owns_all in CASES:
        runs = Runs()
        reader = Reader(t, rank, "numbers", rule, is_unsigned, owns_all, runs.contracts)
        s, axes = reader.s, reader.axes
        legal = is_legal(reader.numbers[0], axes.size, rule)
        c = [Int(f"coordinate{k}") for k in range(rank)]
        s.assume(*(Implies(legal, And(0 <= x, x < e)) for x, e in zip(c, axes.e)))
        runs.define(reader, c, legal)
        s.assume(Implies(legal, runs.before[rank] == element(reader.numbers[0], axes.size)))
        exact = sum(runs.parts, IntVal(0))

        for path in s.paths(reader.read_offsets):
            reader.prove_offset(path, legal, c, exact)
