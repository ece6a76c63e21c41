# SPDX-License-Identifier: Apache-2.0
"""Theorems about slices: the elements that start:stop:step selects."""

import z3
from z3 import And, If, Implies, Int, Not

from arithmetic import INT64, Integers
from contracts import REFUSALS
from execution import Cell
from indices import LARGEST, TYPES
from proof import theorem

SMALLEST = -LARGEST - 1
SLICE = "strew::slice_range"
# The types of start, stop and step: each type for all of them, and some mixtures.
TRIPLES = [(name, name, name) for name in TYPES] + [
    ("std::int64_t", "std::uint64_t", "std::int8_t"),
    ("std::uint64_t", "std::int32_t", "std::int64_t"),
    ("std::int32_t", "std::int64_t", "std::uint64_t"),
]
INSTANCES = [f"strew::try_resolve_slice<{', '.join(triple)}>" for triple in TRIPLES]


def adjusted(bound, extent, step):
    """A bound as PySlice_AdjustIndices of CPython changes it."""
    counted = If(bound < 0, bound + extent, bound)
    below = If(step < 0, z3.IntVal(-1), z3.IntVal(0))
    above = If(step < 0, extent - 1, extent)
    return If(bound < 0, If(counted < 0, below, counted), If(bound >= extent, above, bound))


class PythonSlice:
    """slice(start, stop, step).indices(extent) and its length, by the source text of PySlice_AdjustIndices, for integers of
    any size."""

    def __init__(self, start, stop, step, extent):
        self.start, self.stop, self.step, self.extent = adjusted(start, extent, step), adjusted(stop, extent, step), step, extent
        self.is_empty = If(step < 0, self.stop >= self.start, self.start >= self.stop)
        self.size = If(step < 0, -step, step)
        self.distance = If(step < 0, self.start - self.stop, self.stop - self.start)
        # (distance - 1) / size rounded down, in the terms that define it.
        self.quotient = Int("quotient_of_python")
        self.defines = Implies(
            Not(self.is_empty),
            And(self.quotient * self.size <= self.distance - 1, self.distance - 1 < self.quotient * self.size + self.size),
        )
        self.length = If(self.is_empty, 0, self.quotient + 1)


def prove_slice(s, path, expected, first, step, count):
    s.prove(path, "empty as Python's", (count == 0) == expected.is_empty)
    for _, _, quotient, _ in path.divisions:
        s.lemma(path, "quotient", quotient == expected.quotient)
    s.prove(path, "length as Python's", count == expected.length)
    s.prove(path, "first as Python's", Implies(count > 0, first == expected.start))
    s.prove(path, "an empty slice has first 0", Implies(count == 0, first == 0))
    s.prove(path, "step as Python's", Implies(count > 1, step == expected.step))
    extent = expected.extent
    s.prove(path, "first element", Implies(count > 0, And(0 <= first, first < extent)))
    s.prove(path, "last element", Implies(count > 1, And(0 <= first + (count - 1) * step, first + (count - 1) * step < extent)))


@theorem(bounds="start, stop, step != 0 of 64 bits, all values; extents 0 to 2^63 - 1")
def clamp_slice(t):
    """clamp_slice selects the elements of Python's slice(start, stop, step).indices(extent): the same first element, step
    and length; the first and the last element are in [0, extent), so all are. Assumed: step != 0, extent >= 0."""
    s = t.session(Integers)
    inputs = [s.integer(name, INT64) for name in ("start", "stop", "step", "extent")]
    start, stop, step, extent = s.numbers(*inputs)
    expected = PythonSlice(start, stop, step, extent)
    s.assume(step != 0, extent >= 0, expected.defines)
    for path in s.paths(lambda: s.call("strew::detail::clamp_slice", *inputs)):
        prove_slice(s, path, expected, *s.numbers(*[path.outcome[name] for name in ("first", "step", "count")]))


@theorem(bounds="11 triples of types of 8 to 64 bits, all values; extents -2^63 to 2^63 - 1")
def resolve_slice(t):
    """try_resolve_slice refuses exactly a step of 0 and negative extents, and otherwise selects the elements of Python's
    slice. The exception is the specification's: the largest and the smallest value of a 32-bit signed stop are the end and
    the beginning of an axis of any size."""
    for triple, instance in zip(TRIPLES, INSTANCES, strict=True):
        s = t.session(Integers, contracts=REFUSALS)
        kinds = [TYPES[name] for name in triple]
        inputs = [s.integer(name, kind) for name, kind in zip(("start", "stop", "step"), kinds, strict=True)]
        inputs.append(s.integer("extent", INT64))
        start, stop, step, extent = s.numbers(*inputs)
        if kinds[1].bits == 32 and kinds[1].signed:
            stop = If(stop == kinds[1].high, LARGEST, If(stop == kinds[1].low, SMALLEST, stop))
        expected = PythonSlice(start, stop, step, extent)
        is_legal = And(step != 0, extent >= 0)
        s.assume(Implies(is_legal, expected.defines))

        def call():
            result = Cell(s.struct(SLICE))
            s.call(instance, *inputs, result)
            return result.value

        for path in s.paths(call):
            s.prove(path, "refused", z3.BoolVal("refused" in path.marks) == Not(is_legal))
            if "refused" not in path.marks:
                prove_slice(s, path, expected, *s.numbers(*[path.outcome[name] for name in ("first", "step", "count")]))


@theorem(bounds="64 bits, all values; extents 0 to 2^63 - 1; each of start, stop and step given or left out")
def slice_of_axis(t):
    """slice_of_axis, with start, stop or step left out, selects the elements of Python's slice with None in their place.
    Assumed: a step that is given is not 0, extent >= 0."""
    left_out = t.headers.constant("strew::index_list::is_left_out_flag")
    for given in range(8):
        s = t.session(Integers)
        names = ("start", "stop", "step")
        inputs = {name: s.integer(name, INT64) for k, name in enumerate(names) if given >> k & 1}
        size = s.integer("extent", INT64)
        lists = {}
        for name in names:
            # All of these classes are lists; their further functions are those of the class.
            entries = [inputs[name]] if name in inputs else []
            lists[name] = s.list(entries, flags=0 if name in inputs else left_out)
        spec = s.struct("strew::slice_spec", **lists, axes=s.list([], flags=left_out))
        extent = s.number(size)
        step = s.number(inputs["step"]) if "step" in inputs else z3.IntVal(1)
        # None: from the source text of PySlice_Unpack.
        start = s.number(inputs["start"]) if "start" in inputs else If(step < 0, LARGEST, z3.IntVal(0))
        stop = s.number(inputs["stop"]) if "stop" in inputs else If(step < 0, SMALLEST, LARGEST)
        expected = PythonSlice(start, stop, step, extent)
        s.assume(step != 0, extent >= 0, expected.defines)
        for path in s.paths(lambda: s.call("strew::detail::slice_of_axis", spec, s.int(0), size)):
            prove_slice(s, path, expected, *s.numbers(*[path.outcome[name] for name in ("first", "step", "count")]))


def slice_on_axis(s, extent):
    """A slice of an axis as clamp_slice returns it: all of its elements are in [0, extent)."""
    parts = {name: s.integer(name, INT64) for name in ("first", "step", "count")}
    first, step, count = s.numbers(*parts.values())
    s.assume(count >= 0, Implies(count == 0, first == 0), Implies(count > 0, And(0 <= first, first < extent)))
    last = first + (count - 1) * step
    s.assume(Implies(count > 1, And(step != 0, 0 <= last, last < extent)))
    return parts, first, step, count


@theorem(bounds="64 bits, all slices of axes of extents 0 to 2^63 - 1; all ranges of the axis")
def elements_within(t):
    """elements_within returns exactly the numbers of the elements of a slice whose coordinates are in a range, as a range
    [begin, begin + count) of numbers. Assumed: the slice is one of clamp_slice on an axis of `extent` elements, and the
    range is a part of [0, extent)."""
    s = t.session(Integers)
    extent = Int("extent")
    s.assume(0 <= extent, extent <= LARGEST)
    parts, first, step, count = slice_on_axis(s, extent)
    ends = {name: s.integer(f"range.{name}", INT64) for name in ("begin", "count")}
    begin, size = s.numbers(*ends.values())
    s.assume(0 <= begin, 0 <= size, begin + size <= extent)
    which, at = Int("which"), Int("at")  # the number of any element, and its coordinate
    s.assume(0 <= which, which < count, at == first + which * step)

    def call():
        return s.call("strew::detail::elements_within", s.struct(SLICE, **parts), s.struct("strew::detail::axis_range", **ends))

    for path in s.paths(call):
        found, length = s.numbers(path.outcome["begin"], path.outcome["count"])
        s.lemma(path, "the last element", Implies(step > 0, (count - 1 - which) * step >= 0))
        s.lemma(path, "the first element", Implies(step < 0, (count - 1 - which) * step <= 0))
        in_range = And(begin <= at, at < begin + size)
        s.prove(path, "range of numbers", And(0 <= found, 0 <= length, found + length <= count))
        s.prove(path, "an element in the range", Implies(in_range, And(found <= which, which < found + length)))
        s.prove(path, "an element outside of it", Implies(Not(in_range), Not(And(found <= which, which < found + length))))


@theorem(bounds="64 bits, all strides and slices of axes of extents 0 to 2^63 - 1")
def sliced_stride(t):
    """sliced_stride does not overflow, and element `which` of the slice has the offset of its coordinate: (first + which *
    step) * stride = first * stride + which * sliced_stride, which is between 0 and (extent - 1) * stride. Assumed: the
    slice is one of clamp_slice, and the axis one of a layout: (extent - 1) * |stride| <= 2^63 - 1."""
    s = t.session(Integers)
    extent = Int("extent")
    s.assume(0 <= extent, extent <= LARGEST)
    parts, first, step, count = slice_on_axis(s, extent)
    given = s.integer("stride", INT64)
    stride = s.number(given)
    size = If(stride < 0, -stride, stride)
    s.assume(Implies(extent > 0, (extent - 1) * size <= LARGEST))
    which = Int("which")
    s.assume(0 <= which, which < count)
    steps = If(step < 0, -step, step)
    # Lemmas of the assumptions: the step fits between two elements of the axis.
    s.lemma(None, "distance of neighbours", Implies(count > 1, (count - 2) * steps >= 0))
    s.lemma(None, "step inside of the axis", Implies(count > 1, steps <= extent - 1))
    s.lemma(None, "step times stride", Implies(count > 1, (extent - 1 - steps) * size >= 0))
    for path in s.paths(lambda: s.call("strew::detail::sliced_stride", given, s.struct(SLICE, **parts))):
        result = s.number(path.outcome)
        at = first + which * step
        s.prove(path, "offset of an element", at * stride == first * stride + which * result)
        s.lemma(path, "elements before it", which * steps >= 0)
        s.lemma(path, "elements behind it", (count - 1 - which) * steps >= 0)
        s.lemma(path, "its coordinate", And(0 <= at, at < extent))
        s.prove(path, "inside of the axis", And(at * size >= 0, (extent - 1 - at) * size >= 0))
