# SPDX-License-Identifier: Apache-2.0
"""Theorems about boxes, and about the parts into which calls, tensors and memory are divided."""

import itertools

import z3
from z3 import And, Implies, Int, IntVal, Or

from arithmetic import BOOL, INT64, BitVectors, Integers
from contracts import THRESHOLDS
from execution import Array, Cell, Pointer, Scalar
from indices import LARGEST
from layouts import product
from proof import theorem

DETAIL = "strew::detail"
PARTITION = f"{DETAIL}::partition"
MOST_RANK = 3
MOST_THREADS = 1024  # refer_to limits the threads of an executor to them
RANGE = f"{DETAIL}::axis_range"


@theorem(bounds="64 bits, all ranges and coordinates")
def contains(t):
    """axis_range::contains accepts exactly the coordinates of the range. Assumed: the range is one of an axis, 0 <= begin,
    0 <= count, begin + count <= 2^63 - 1; the coordinate may have any value."""
    s = t.session(BitVectors)
    inputs = [s.integer(name, INT64) for name in ("begin", "count", "coordinate")]
    begin, count, coordinate = s.numbers(*inputs)
    s.assume(0 <= begin, 0 <= count, begin + count <= LARGEST)
    this = Cell(s.struct(RANGE, begin=inputs[0], count=inputs[1]))
    for path in s.paths(lambda: s.call(f"{RANGE}::contains", inputs[2], this=this)):
        inside = And(begin <= coordinate, coordinate < begin + count)
        s.prove(path, "contains", s.number(path.outcome) == inside)


def most_parts(t):
    """The most parts that are asked for: parts_a_thread for each thread."""
    return t.headers.constant(f"{DETAIL}::tuning::parts_a_thread") * MOST_THREADS


def cuts_fit(extent, cuts, grain):
    """The property of an axis that is cut: pieces of at least one grain each."""
    return And(1 <= cuts, 1 <= grain, Or(cuts == 1, cuts * grain <= extent))


def make_partition(s, extents, cuts, grains, size, element_size=None, strides=None):
    rank = s.theorem.headers.constant("strew::max_rank")
    arrays = [Array([Cell(one) for one in given] + [Cell() for _ in range(rank - len(given))]) for given in (cuts, grains)]
    width = element_size if element_size is not None else s.known(INT64, 1)
    return s.struct(
        PARTITION,
        extents_=Cell(s.list(extents)),
        element_size_=width,
        strides_=s.pointer(*strides) if strides else Pointer(None),
        cuts_=arrays[0],
        grain_=arrays[1],
        size_=size,
    )


@theorem(bounds=f"ranks 1 to {MOST_RANK}, each axis; extents, strides and element sizes of 64 bits, all thresholds, up to 1024 threads")
def cut(t):
    """partition::cut does not overflow, leaves the number of parts the product of the cuts, below twice the number that is
    wanted, and cuts an axis into pieces of at least a grain each, or not. Assumed: the tensor is not empty and has at most
    PTRDIFF_MAX bytes; 1 <= wanted <= parts_a_thread * 1024; the axis is not cut yet."""
    most = most_parts(t)
    for rank in range(1, MOST_RANK + 1):
        for k, has_strides in itertools.product(range(rank), (False, True)):
            s = t.session(Integers, contracts=THRESHOLDS)
            extents = [s.integer(f"extent{i}", INT64) for i in range(rank)]
            strides = [s.integer(f"stride{i}", INT64) for i in range(rank)] if has_strides else None
            e = s.numbers(*extents)
            width, size, wanted = (s.integer(name, INT64) for name in ("element_size", "size", "wanted"))
            w, parts, asked = s.numbers(width, size, wanted)
            s.assume(w >= 1, *(one >= 1 for one in e), 1 <= parts, parts < 2 * most, 1 <= asked, asked <= most)
            inner = [w]  # bytes of a coordinate of the axes from the innermost on
            for one in reversed(e):
                inner.append(inner[-1] * one)
            s.assume(inner[-1] <= LARGEST)
            for less, more in zip(reversed(inner[:-1]), reversed(inner[1:])):
                s.lemma(None, "bytes of an inner axis", And(1 <= less, less <= more, more <= LARGEST))

            def call():
                cuts = [s.known(INT64, 1) for _ in range(rank)]
                this = Cell(make_partition(s, extents, cuts, list(cuts), size, width, strides))
                s.call(f"{PARTITION}::cut", s.int(k), wanted, this=this)
                return this.value

            for path in s.paths(call):
                cuts, grain = (s.number(path.outcome[name].cells[k].value) for name in ("cuts_", "grain_"))
                after = s.number(path.outcome["size_"])
                s.prove(path, "pieces of at least a grain", cuts_fit(e[k], cuts, grain))
                s.prove(path, "number of pieces", And(cuts <= asked))
                s.prove(path, "product of the cuts", after == parts * cuts)
                s.prove(path, "number of parts", And(1 <= after, after < 2 * most))


@theorem(bounds="extents of 64 bits, all grains, up to 2 * 4096 pieces")
def cut_position(t):
    """The pieces [cut_position(i), cut_position(i + 1)) of an axis are in order, disjoint and cover it: the first begins at 0,
    the last ends at the extent, and cut_position(i) <= cut_position(j) for all i <= j; pieces begin at multiples of the
    grain. Nothing overflows. Assumed: what the theorem cut proves of the axis, extent >= 0, 0 <= i <= j <= pieces."""
    s = t.session(Integers)
    extent, cuts, grain, i, j = inputs = [s.integer(name, INT64) for name in ("extent", "pieces", "grain", "i", "j")]
    e, c, g, first, second = s.numbers(*inputs)
    s.assume(e >= 0, cuts_fit(e, c, g), c <= 2 * most_parts(t), 0 <= first, first <= second, second <= c)
    this = Cell(make_partition(s, [extent], [cuts], [grain], s.known(INT64, 1)))

    def call():
        return [s.call(f"{PARTITION}::cut_position", s.int(0), at, this=this) for at in (i, j)]

    for path in s.paths(call):
        low, high = s.numbers(*path.outcome)
        # For each of i and j that is not the end: the extent by the pieces, twice; the share of the rest; the grain.
        groups = [path.divisions[k : k + 4] for k in range(0, len(path.divisions), 4)]
        for at, (whole, _, share, grains) in zip((first, second), groups):
            s.lemma(path, "share of the rest", And(whole[3] * at <= whole[3] * c, 0 <= share[2], share[2] <= whole[3]))
            s.lemma(path, "whole pieces", And(0 <= whole[2] * at, whole[2] * at <= whole[2] * c))
            s.lemma(path, "before the end", And(0 <= grains[0], grains[0] <= e, 0 <= grains[2]))
        if len(groups) == 2:
            (whole, _, share, grains), (_, _, next_share, next_grains) = groups
            s.lemma(path, "shares are in order", And(whole[3] * first <= whole[3] * second, share[2] <= next_share[2]))
            s.lemma(path, "whole pieces are in order", whole[2] * first <= whole[2] * second)
            s.lemma(path, "positions are in order", grains[0] <= next_grains[0])
            s.lemma(path, "grains are in order", grains[2] <= next_grains[2])
        for position, group in zip((low, high), groups):
            s.prove(path, "multiple of the grain", position == group[3][2] * g)
        s.prove(path, "begins at 0", Implies(first == 0, low == 0))
        s.prove(path, "ends at the extent", Implies(second == c, high == e))
        s.prove(path, "inside of the axis", And(0 <= low, low <= e, 0 <= high, high <= e))
        s.prove(path, "in order", low <= high)


@theorem(bounds="sizes and numbers of parts of 64 bits, all values")
def scratch_memory(t):
    """Part i of n of a memory is inside of it, begins at a multiple of the alignment, and part i + 1 begins where part i
    ends, so that parts are disjoint. Assumed: 0 <= i < n, size >= 0."""
    s = t.session(Integers)
    size, i, n = inputs = [s.integer(name, INT64) for name in ("size", "i", "n")]
    bytes_, which, parts = s.numbers(*inputs)
    s.assume(0 <= bytes_, 0 <= which, which < parts)
    this = Cell(s.struct(f"{DETAIL}::scratch_memory", begin_=s.pointer(Cell()), size_=size))
    for path in s.paths(lambda: s.call(f"{DETAIL}::scratch_memory::part", i, n, this=this)):
        length = s.number(path.outcome["size_"])
        pointer = path.outcome["begin_"]
        if pointer.array is None:
            s.prove(path, "no memory", length == 0)
            continue
        begin = s.number(Scalar(INT64, pointer.offset))
        s.prove(path, "where parts begin", begin == which * length)
        s.prove(path, "alignment", And(length > 0, length % 64 == 0))
        s.prove(path, "all parts are inside", parts * length <= bytes_)


def piece_position(s):
    """cut_position as an unknown function, of which its theorem proves the range."""
    position = z3.Function("position", z3.IntSort(), z3.IntSort(), z3.IntSort())

    def contract(execution, this, arguments):
        k, i = (execution.value(argument) for argument in arguments)
        k_number, i_number = s.numbers(k, i)
        cuts = s.number(this.value["cuts_"].cells[k.term].value)
        execution.oblige("0 <= i <= pieces", And(0 <= i_number, i_number <= cuts))
        result = position(k_number, i_number)
        extent = s.number(this.value["extents_"]["values_"].cells[k.term].value)
        execution.learn(And(0 <= result, result <= extent))
        return Scalar(INT64, result)

    return position, contract


@theorem(bounds=f"ranks 0 to {MOST_RANK}; extents, cuts and numbers of parts of 64 bits")
def boxes(t):
    """Box number n of a partition is, on each axis k, piece i_k of the axis, where n is the row-major number of the pieces (i_0,
    i_1, ..). So each combination of pieces is exactly one box: boxes are disjoint and cover the tensor, since the pieces of
    each axis do. Nothing overflows. Assumed: the number of parts is the product of the cuts (theorem partition), 0 <= n <
    size; the pieces of an axis are in it (theorem cut_position)."""
    for rank in range(MOST_RANK + 1):
        s = t.session(Integers)
        position, contract = piece_position(s)
        s.execution.contracts[f"{PARTITION}::cut_position"] = contract
        extents = [s.integer(f"extent{k}", INT64) for k in range(rank)]
        cuts = [s.integer(f"pieces{k}", INT64) for k in range(rank)]
        size, part = s.integer("size", INT64), s.integer("part", INT64)
        c = s.numbers(*cuts)
        pieces = [Int(f"piece{k}") for k in range(rank)]
        numbers = [IntVal(0)]
        for piece, count in zip(pieces, c):
            s.assume(0 <= piece, piece < count)
            numbers.append(numbers[-1] * count + piece)
        s.assume(s.number(part) == numbers[-1], s.number(size) == product(c), *(e >= 0 for e in s.numbers(*extents)))
        this = Cell(make_partition(s, extents, cuts, [s.known(INT64, 1)] * rank, size))
        for path in s.paths(lambda: s.call(f"{PARTITION}::operator[]", part, this=this)):
            for k, (_, _, quotient, rest) in zip(reversed(range(rank)), path.divisions[::2]):
                s.lemma(path, "number of the axes before", quotient == numbers[k])
                s.lemma(path, "piece", rest == pieces[k])
            for k in range(rank):
                found = path.outcome["axes_"].cells[k].value
                begin, count = s.numbers(found["begin"], found["count"])
                begins, ends = position(k, pieces[k]), position(k, pieces[k] + 1)
                s.prove(path, f"range of axis {k}", And(begin == begins, begin + count == ends))


def cut_of_partition(most):
    """What the theorem cut proves, of axes that are counted: `cuts` has their numbers of pieces."""

    def contract(execution, this, arguments):
        k, wanted = (execution.value(argument) for argument in arguments)
        partition = this.value
        number = execution.arithmetic.number
        size, asked = number(INT64, partition["size_"].term), number(INT64, wanted.term)
        execution.oblige("number of parts before a cut", And(1 <= size, size < 2 * most))
        execution.oblige("number of parts wanted", And(1 <= asked, asked <= most))
        cut, grain = partition["cuts_"].cells[k.term], partition["grain_"].cells[k.term]
        execution.oblige("an axis that is not cut yet", And(number(INT64, cut.value.term) == 1))
        for cell, name in ((cut, "cut"), (grain, "grain")):
            execution.fresh += 1
            cell.value = execution.variable(f"{name}!{execution.fresh}", INT64)
        pieces = cut.value.term
        extent = number(INT64, partition["extents_"]["values_"].cells[k.term].value.term)
        execution.learn(And(cuts_fit(extent, pieces, grain.value.term), pieces <= asked, size * pieces < 2 * most))
        execution.fresh += 1
        after = execution.variable(f"size!{execution.fresh}", INT64)
        execution.learn(after.term == size * pieces)
        partition.members["size_"].value = after

    return contract


@theorem(bounds=f"ranks 0 to {MOST_RANK}, each scatter axis and number of target axes; 64 bits; all thresholds; up to 1024 threads")
def partition(t):
    """The constructor of partition cuts axes as the theorem cut describes: the number of parts is the product of the cuts, at
    least 1, and each axis has pieces of at least a grain, or is not cut. Nothing overflows. Assumed: the tensor is not empty
    and has at most PTRDIFF_MAX bytes; 1 <= element_size, 0 <= elements; 1 <= threads <= 1024; a call of cut does what its
    theorem proves."""
    most = most_parts(t)
    for rank in range(MOST_RANK + 1):
        for scatter_axis in range(-1, rank):
            for targets in range(1, 2 if scatter_axis < 0 else rank - scatter_axis + 1):
                prove_partition(t, most, rank, scatter_axis, targets)


def prove_partition(t, most, rank, scatter_axis, targets):
    s = t.session(Integers, contracts=THRESHOLDS | {f"{PARTITION}::cut": cut_of_partition(most)})
    extents = [s.integer(f"extent{k}", INT64) for k in range(rank)]
    e = s.numbers(*extents)
    names = ("elements", "element_size", "threads")
    inputs = {name: s.integer(name, INT64) for name in names}
    elements, width, threads = s.numbers(*inputs.values())
    s.assume(elements >= 0, width >= 1, 1 <= threads, threads <= MOST_THREADS, *(one >= 1 for one in e))
    bytes_ = [width]
    for one in reversed(e):
        bytes_.append(bytes_[-1] * one)
    s.assume(bytes_[-1] <= LARGEST)
    for less, more in zip(reversed(bytes_[:-1]), reversed(bytes_[1:])):
        s.lemma(None, "bytes of an inner axis", And(1 <= less, less <= more, more <= LARGEST))
    job = s.struct(
        f"{DETAIL}::work_shape",
        extents=Cell(s.list(extents)),
        elements=inputs["elements"],
        element_size=inputs["element_size"],
        scatter_axis=s.int(scatter_axis),
        inside_first=s.integer("inside_first", BOOL),
        ascends=s.integer("ascends", BOOL),
        target_axes=s.int(targets),
        has_columns=s.integer("has_columns", BOOL),
    )
    for path in s.paths(lambda: s.call((f"{PARTITION}::partition", 2), job, inputs["threads"])):
        cuts = s.numbers(*[path.outcome["cuts_"].cells[k].value for k in range(rank)])
        grains = s.numbers(*[path.outcome["grain_"].cells[k].value for k in range(rank)])
        s.prove(path, "number of parts", And(s.number(path.outcome["size_"]) == product(cuts), product(cuts) >= 1))
        for k in range(rank):
            s.prove(path, f"axis {k}", And(cuts_fit(e[k], cuts[k], grains[k]), cuts[k] <= most))
