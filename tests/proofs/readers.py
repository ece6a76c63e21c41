# SPDX-License-Identifier: Apache-2.0
"""Theorems about the reader of indices: from multi-indices and row-major numbers to offsets."""

import itertools

from z3 import And, If, Implies, Int, IntVal, Not

from arithmetic import INT, INT64, Integer, Integers
from contracts import SCALED, THRESHOLDS
from execution import Array, Cell, Scalar
from indices import element, is_legal, rule_value, value_of_bits
from layouts import Axes
from proof import theorem

DETAIL = "strew::detail"
ERASED = "strew::erased"
READER = f"{DETAIL}::index_reader"
MOST_RANK = 3
MARK = Integer(8, False)


class Reader:
    """A reader of one multi-index, or of one row-major number, into a view of `rank` axes. Each axis owns a range of its
    coordinates, or is owned whole."""

    def __init__(self, t, rank, by, rule, is_unsigned, owns_all):
        self.s = s = t.session(Integers, contracts=SCALED | THRESHOLDS | {f"{READER}::read_component": self.read}, merges=False)
        self.axes = axes = Axes(s, rank)
        s.assume(axes.are_extents, axes.fits(1))
        self.is_unsigned, self.rank = is_unsigned, rank
        components = rank if by == "multi_indices" else 1
        self.bits = [s.integer(f"component{j}", INT64) for j in range(components)]
        self.numbers = [Int(f"index{j}") for j in range(components)]
        s.assume(*(number == value_of_bits(bits, is_unsigned) for number, bits in zip(self.numbers, s.numbers(*self.bits))))
        wraps = s.boolean(rule == "wrapping")
        self.owned = []
        targets = []
        for k in range(rank):
            if owns_all:
                begin, count = s.known(INT64, 0), axes.extents[k]
            else:
                begin, count = s.integer(f"owned_begin{k}", INT64), s.integer(f"owned_count{k}", INT64)
            first, size = s.numbers(begin, count)
            s.assume(0 <= first, 0 <= size, first + size <= axes.e[k])
            self.owned.append((first, size))
            owned = s.struct(f"{DETAIL}::axis_range", begin=begin, count=count)
            extent, stride = axes.extents[k], axes.strides[k]
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
        operands = [s.partial(f"{ERASED}::index_operand", loops=s.pointer(loops)) for _ in range(components)]
        layout = axes.layout(s, size_=s.integer("size", INT64))
        s.assume(s.number(layout["size_"]) == axes.size)
        output = s.partial(f"{ERASED}::output_operand", layout=s.pointer(layout))
        request = s.partial(f"{ERASED}::request", type=kind, indices=s.pointer(*operands), output=output)
        zeros = [s.known(INT64, 0)] * rank  # without states
        plan = s.partial(f"{DETAIL}::scatter_plan", axis=Array([Cell(one) for one in targets]), axes=s.int(rank),
                         has_states=s.boolean(False), state_step=Array([Cell(one) for one in zeros]))  # fmt: skip
        arrays = {name: Array([Cell(), Cell()]) for name in ("value_", "offset_", "state_offset_", "numbers_", "is_kept_")}
        none = s.enumerator(f"{READER}::form::none")
        self.make = lambda: Cell(
            s.partial(
                READER,
                indices_=s.partial(f"{DETAIL}::index_source", loops=loops),
                axis_=s.pointer(*[one for one in targets]),
                call_=s.pointer(request),
                plan_=s.pointer(plan),
                checks_=s.boolean(True),
                is_uniform_=s.boolean(True),
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
        """Assumed: reads the bits of a component. The order of the calls is that of the components."""
        number = sum(1 for mark in execution.marks if mark[0] == "read")
        execution.marks.add(("read", number))
        this.value["value_"].cells[0].value = self.bits[number]


CASES = [
    (rank, rule, is_unsigned, owns_all)
    for rank, rule, is_unsigned, owns_all in itertools.product(
        range(1, MOST_RANK + 1), ("strict", "wrapping"), (False, True), (True, False)
    )
    if owns_all or rank < MOST_RANK
]


@theorem(bounds=f"1 to {MOST_RANK} components of 64 bits signed and unsigned, all values; both rules; in parts up to {MOST_RANK - 1}")
def multi_index_offset(t):
    """read_offsets of a multi-index accepts it exactly if the rule allows each component, and returns the sum of the elements
    that the components select, each multiplied by its stride: the offset of an element of the view. A target is kept exactly
    if each of its coordinates is owned. Nothing overflows. Assumed: the layout is one that make_layout accepts; the policy is
    error; no states; read_component reads the components. Positions are independent, so one is proven."""
    for rank, rule, is_unsigned, owns_all in CASES:
        reader = Reader(t, rank, "multi_indices", rule, is_unsigned, owns_all)
        s, axes = reader.s, reader.axes
        legal = And(*(is_legal(number, e, rule) for number, e in zip(reader.numbers, axes.e)))
        c = [Int(f"element{k}") for k in range(rank)]
        s.assume(*(x == element(number, e) for x, number, e in zip(c, reader.numbers, axes.e)))
        for k in range(rank):
            is_component_legal = is_legal(reader.numbers[k], axes.e[k], rule)
            s.lemma(None, "inside of an axis", Implies(is_component_legal, axes.is_inside(k, c[k] * axes.s[k])))
        exact = sum((x * stride for x, stride in zip(c, axes.s)), IntVal(0))
        s.lemma(None, "an element of the view", Implies(legal, And(axes.lowest <= exact, exact <= axes.highest)))

        def call():
            this = reader.make()
            one, zero = s.known(INT64, 1), s.known(INT64, 0)
            return s.call(f"{READER}::read_offsets", zero, zero, zero, one, this=this), this.value

        for path in s.paths(call):
            run, made = path.outcome
            taken, count = s.numbers(run["taken"], run["count"])
            s.prove(path, "accepted", If(legal, taken == 1, taken == 0))
            if run["offset"].array is None:
                s.prove(path, "refused", Not(legal))
                continue
            offset = s.number(run["offset"].array.cells[0].value)
            s.prove(path, "offset of an element of the view", offset == exact)
            owned = And(*(And(begin <= x, x < begin + size) for x, (begin, size) in zip(c, reader.owned)))
            s.prove(path, "kept", count == If(owned, 1, 0))


@theorem(bounds=f"ranks 1 to {MOST_RANK}, numbers of 64 bits signed and unsigned, all values; both rules; in parts up to {MOST_RANK - 1}")
def number_offset(t):
    """A row-major number is accepted exactly if the rule allows it for the number of elements, and unravel then returns the
    offset of the coordinate with that number, of an element of the view. A target is kept exactly if each of its coordinates
    is owned. Nothing overflows. Assumed: as for multi_index_offset."""
    for rank, rule, is_unsigned, owns_all in CASES:
        reader = Reader(t, rank, "numbers", rule, is_unsigned, owns_all)
        s, axes = reader.s, reader.axes
        legal = is_legal(reader.numbers[0], axes.size, rule)
        c = [Int(f"coordinate{k}") for k in range(rank)]
        numbers = [IntVal(0)]
        for x, e in zip(c, axes.e):
            s.assume(Implies(legal, And(0 <= x, x < e)))
            numbers.append(numbers[-1] * e + x)
        s.assume(Implies(legal, numbers[-1] == element(reader.numbers[0], axes.size)))
        for k in range(rank):
            s.lemma(None, "inside of an axis", Implies(legal, axes.is_inside(k, c[k] * axes.s[k])))
        exact = sum((x * stride for x, stride in zip(c, axes.s)), IntVal(0))

        def call():
            this = reader.make()
            this.value["value_"].cells[0].value = reader.bits[0]
            this.value["is_kept_"].cells[0].value = Scalar(MARK, 1)
            accepted = s.call(f"{READER}::is_component_legal", s.int(0), s.known(INT64, 1), this=this)
            if not s.execution.decide(accepted.term):
                return None
            s.call(f"{READER}::unravel", s.known(INT64, 1), this=this)
            return this.value

        for path in s.paths(call):
            if path.outcome is None:
                s.prove(path, "refused", Not(legal))
                continue
            s.lemma(path, "accepted", legal)
            for k, (_, _, quotient, rest) in zip(reversed(range(rank)), path.divisions[::2]):
                s.lemma(path, "number of the axes before", quotient == numbers[k])
                s.lemma(path, "coordinate", rest == c[k])
            offset = s.number(path.outcome["offset_"].cells[0].value)
            s.prove(path, "offset", offset == exact)
            s.prove(path, "an element of the view", And(axes.lowest <= exact, exact <= axes.highest))
            if not owns_all:
                owned = And(*(And(begin <= x, x < begin + size) for x, (begin, size) in zip(c, reader.owned)))
                s.prove(path, "kept", s.number(path.outcome["is_kept_"].cells[0].value) == If(owned, 1, 0))
