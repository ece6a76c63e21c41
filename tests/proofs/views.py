# SPDX-License-Identifier: Apache-2.0
"""Theorems about the parts of a tensor that are views of it: a coordinate of an axis, a diagonal, a slice."""

import itertools

from z3 import And, BoolVal, If, Implies, Int, Not

from arithmetic import BOOL, INT64, Integers
from contracts import REFUSALS
from execution import Cell, Text
from indices import element, is_legal, value_of_bits
from layouts import Axes
from proof import theorem

DETAIL = "strew::detail"
MOST_RANK = 3


@theorem(bounds="64 bits, all values")
def diagonal(t):
    """The elements of a diagonal, coordinates row + i and column + i for i < length, are in the tensor, their columns are
    `offset` after their rows, and it has no further ones. Nothing overflows. Assumed: extents >= 0."""
    s = t.session(Integers)
    inputs = [s.integer(name, INT64) for name in ("offset", "rows", "columns")]
    offset, rows, columns = s.numbers(*inputs)
    s.assume(rows >= 0, columns >= 0)
    r = Int("any_row")
    is_element = And(0 <= r, r < rows, 0 <= r + offset, r + offset < columns)
    for path in s.paths(lambda: s.call((f"{DETAIL}::diagonal::diagonal", 3), *inputs)):
        row, column, length = s.numbers(*[path.outcome[name] for name in ("row", "column", "length")])
        s.prove(path, "distance", Implies(length > 0, column - row == offset))
        s.prove(path, "its elements are those of the tensor", is_element == And(row <= r, r < row + length))
        s.prove(path, "length", length >= 0)


def check_source(execution, *_):
    """Assumed: whether the operands are legal; the output has the extents of data then."""
    return execution.variable("operands_are_legal", BOOL)


CONTRACTS = REFUSALS | {f"{DETAIL}::check_source": check_source}


class Part:
    """A call that finds a part of a tensor of `rank` axes, with one integer that selects it."""

    def __init__(self, t, rank, listed, is_unsigned):
        self.s = s = t.session(Integers, contracts=CONTRACTS)
        self.axes = Axes(s, rank)
        s.assume(self.axes.are_extents, self.axes.fits(1))
        layout = Cell(self.axes.layout(s))
        self.bits = s.integer("number", INT64)
        self.number = value_of_bits(s.number(self.bits), is_unsigned)
        raw = s.struct(f"{DETAIL}::raw_index", bits=self.bits, is_unsigned=s.boolean(is_unsigned))
        self.spec = s.struct(f"{DETAIL}::part_spec", axes=s.list([s.known(INT64, k) for k in listed]), number=raw)
        self.at = s.struct(f"{DETAIL}::slice_layouts", data=layout, updates=layout, output=layout)

    def find(self, function):
        s = self.s
        part = Cell(s.struct(f"{DETAIL}::output_part"))
        shared = s.struct(f"{DETAIL}::shared_memory")
        found = s.call(f"{DETAIL}::{function}", self.at, shared, self.spec, part, Text())
        return s.boolean(s.execution.decide(found.term)), part.value

    def lists(self, part):
        """The extents and the strides of the part."""
        for name in ("extents", "strides"):
            values = part[name]
            yield self.s.numbers(*[values["values_"].cells[k].value for k in range(values["size_"].term)])


def legal_axes(rank):
    """Each axis by its number, and counted from the end."""
    return range(-rank, rank)


@theorem(bounds=f"ranks 1 to {MOST_RANK}, each axis; extents, strides and indices of 64 bits signed and unsigned, all values")
def selected_part(t):
    """The part of a coordinate of an axis: find_selected accepts exactly the indices in [-extent, extent - 1], and returns the
    extents and strides of the other axes and the offset of coordinate `element` of the axis, all of whose elements are in the
    view. Nothing overflows. Assumed: the layout is one that make_layout accepts; check_source may accept or refuse."""
    for rank in range(1, MOST_RANK + 1):
        for axis, is_unsigned in itertools.product(legal_axes(rank), (False, True)):
            call = Part(t, rank, [axis], is_unsigned)
            s, axes, k = call.s, call.axes, axis % rank
            e, legal = axes.e[k], is_legal(call.number, axes.e[k], "wrapping")
            for path in s.paths(lambda: call.find("find_selected")):
                found, part = path.outcome
                if not found.term:
                    refused_by_source = Not(s.number(check_source(s.execution)))
                    s.prove(path, "refused", Implies(legal, refused_by_source))
                    continue
                s.prove(path, "accepted", legal)
                at, offset = s.numbers(part["element"], part["offset"])
                s.prove(path, "element", at == element(call.number, e))
                s.prove(path, "offset", offset == at * axes.s[k])
                s.lemma(path, "elements behind it", (e - 1 - at) * If(axes.s[k] < 0, -axes.s[k], axes.s[k]) >= 0)
                s.prove(path, "inside of the axis", axes.is_inside(k, offset))
                extents, strides = call.lists(part)
                others = [i for i in range(rank) if i != k]
                s.prove(path, "extents and strides", And(BoolVal(len(extents) == len(strides) == rank - 1),
                        *(And(extents[i] == axes.e[j], strides[i] == axes.s[j]) for i, j in enumerate(others))))  # fmt: skip


@theorem(bounds=f"ranks 2 to {MOST_RANK}, each pair of axes; extents, strides and offsets of 64 bits signed and unsigned, all values")
def diagonal_part(t):
    """The part of a diagonal: element i of its last axis has the offset of coordinates row + i and column + i of the two axes,
    which are in the tensor; the other axes are those of the tensor. Nothing overflows, whatever strides an axis of extent 0
    or 1 has. Assumed: the layout is one that make_layout accepts; check_source may accept or refuse."""
    for rank in range(2, MOST_RANK + 1):
        for (rows, columns), is_unsigned in itertools.product(itertools.permutations(range(rank), 2), (False, True)):
            call = Part(t, rank, [rows, columns], is_unsigned)
            s, axes = call.s, call.axes
            for path in s.paths(lambda: call.find("find_diagonal")):
                found, part = path.outcome
                if not found.term:
                    s.prove(path, "refused", Not(s.number(check_source(s.execution))))
                    continue
                offset = s.number(part["offset"])
                extents, strides = call.lists(part)
                length, stride = extents[-1], strides[-1]
                which = Int("which")
                row, column = Int("row"), Int("column")
                is_element = And(0 <= which, which < length, column - row == call.number,
                                 row == If(call.number < 0, -call.number, 0) + which)  # fmt: skip
                inside = And(0 <= row, row < axes.e[rows], 0 <= column, column < axes.e[columns])
                s.prove(path, "coordinates", Implies(is_element, inside))
                exact = row * axes.s[rows] + column * axes.s[columns]
                s.prove(path, "offsets", Implies(is_element, offset + which * stride == exact))
                others = [i for i in range(rank) if i not in (rows, columns)]
                s.prove(path, "extents and strides", And(BoolVal(len(extents) == len(strides) == rank - 1),
                        *(And(extents[i] == axes.e[j], strides[i] == axes.s[j]) for i, j in enumerate(others))))  # fmt: skip
