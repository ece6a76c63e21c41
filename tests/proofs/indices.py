# SPDX-License-Identifier: Apache-2.0
"""Theorems about axes, indices and policies."""

import z3
from z3 import And, If, Implies, Not, Or

from arithmetic import INT, INT64, BitVectors, Integer, Integers
from execution import Array, Cell, Pointer
from proof import theorem

# The types of indices.
TYPES = {f"std::{'' if signed else 'u'}int{bits}_t": Integer(bits, signed) for bits in (8, 16, 32, 64) for signed in (True, False)}
INSTANCES = [
    f"strew::{function}<{name}>" for function in ("saturate", "normalize_axis", "normalize_index") for name in TYPES
] + [f"strew::detail::element_of<{name}>" for name in TYPES]

LARGEST = (1 << 63) - 1
OUT_OF_BOUNDS = -1


def is_legal(index, extent, rule):
    """The specification: [0, extent - 1], with the rule wrapping also [-extent, -1]."""
    return And(0 <= index, index < extent) if rule == "strict" else And(-extent <= index, index < extent)


def element(index, extent):
    """The element that a legal index selects: a negative one counts from the end."""
    return If(index < 0, index + extent, index)


def rule_value(t, rule):
    return t.enumerator(f"strew::index_rule::{rule}")


@theorem(bounds="8 types of 8 to 64 bits, all values")
def saturate(t):
    """saturate returns each value that 64 signed bits represent as it is, and 2^63 - 1 for all larger ones."""
    for name, kind in TYPES.items():
        s = t.session(BitVectors)
        value = s.integer("value", kind)
        for path in s.paths(lambda: s.call(f"strew::saturate<{name}>", value)):
            given, result = s.numbers(value, path.outcome)
            s.prove(path, f"saturate<{name}>", result == If(given > LARGEST, LARGEST, given))


@theorem(bounds="64 bits, all values")
def magnitude(t):
    """magnitude returns |value|, also of -2^63."""
    s = t.session(BitVectors)
    value = s.integer("value", INT64)
    for path in s.paths(lambda: s.call("strew::detail::magnitude", value)):
        given, result = s.numbers(value, path.outcome)
        s.prove(path, "magnitude", result == If(given < 0, -given, given))


@theorem(bounds="8 types, all values; ranks 0 to 64")
def normalize_axis(t):
    """normalize_axis accepts exactly [-rank, rank - 1] and counts negative axes from the end; other values are
    out_of_bounds."""
    for name, kind in TYPES.items():
        s = t.session(BitVectors)
        axis, rank = s.integer("axis", kind), s.integer("rank", INT)
        a, r = s.numbers(axis, rank)
        s.assume(0 <= r, r <= 64)
        for path in s.paths(lambda: s.call(f"strew::normalize_axis<{name}>", axis, rank)):
            result = s.number(path.outcome)
            s.prove(path, f"normalize_axis<{name}>", result == If(is_legal(a, r, "wrapping"), element(a, r), OUT_OF_BOUNDS))
            s.prove(path, "an axis that is accepted is in [0, rank)", Implies(result != OUT_OF_BOUNDS, And(0 <= result, result < r)))


@theorem(bounds="8 types, all values; extents 0 to 2^63 - 1; both rules")
def normalize_index(t):
    """normalize_index accepts exactly the indices that the rule allows, and returns the element that they select, in
    [0, extent); other values are out_of_bounds. Assumed: extent >= 0."""
    for name, kind in TYPES.items():
        for rule in ("strict", "wrapping"):
            s = t.session(BitVectors)
            index, extent = s.integer("index", kind), s.integer("extent", INT64)
            i, e = s.numbers(index, extent)
            s.assume(e >= 0)
            for path in s.paths(lambda: s.call(f"strew::normalize_index<{name}>", index, extent, rule_value(s, rule))):
                result = s.number(path.outcome)
                s.prove(path, f"{rule}, {name}", result == If(is_legal(i, e, rule), element(i, e), OUT_OF_BOUNDS))
                s.prove(path, f"{rule}, {name}: range", Implies(result != OUT_OF_BOUNDS, And(0 <= result, result < e)))


@theorem(bounds="8 types, all values; extents 0 to 2^63 - 1")
def element_of(t):
    """element_of returns the element that a legal index selects. Assumed: the index is legal by the rule wrapping,
    which indices that are legal by the rule strict are too."""
    for name, kind in TYPES.items():
        s = t.session(BitVectors)
        index, extent = s.integer("index", kind), s.integer("extent", INT64)
        i, e = s.numbers(index, extent)
        s.assume(e >= 0, is_legal(i, e, "wrapping"))
        for path in s.paths(lambda: s.call(f"strew::detail::element_of<{name}>", index, extent)):
            s.prove(path, f"element_of<{name}>", s.number(path.outcome) == element(i, e))


def value_of_bits(bits, is_unsigned):
    """Bits of an index, those of a std::uint64_t if it is unsigned, as the number."""
    return If(bits < 0, bits + (1 << 64), bits) if is_unsigned else bits


@theorem(bounds="64 bits signed and unsigned, all values; extents 0 to 2^63 - 1; both rules; 5 policies")
def resolve_index(t):
    """resolve_index: error and drop return the element or out_of_bounds as normalize_index; clip the nearest legal
    element; wrap the index modulo the extent as Python's %. The result is an element or, for error and drop,
    out_of_bounds. Assumed: extent >= 0; for clip and wrap extent > 0 (is_bad_index refuses the others); for assume_valid
    the index is legal."""
    for policy in ("error", "drop", "assume_valid", "clip", "wrap"):
        for is_unsigned in (False, True):
            for rule in ("strict", "wrapping"):
                s = t.session(Integers if policy == "wrap" else BitVectors)
                bits, extent = s.integer("bits", INT64), s.integer("extent", INT64)
                i, e = value_of_bits(s.number(bits), is_unsigned), s.number(extent)
                s.assume(e >= 0)
                legal = is_legal(i, e, rule)
                if policy in ("clip", "wrap"):
                    s.assume(e > 0)
                if policy == "wrap":  # the quotient that Python rounds down
                    floor = z3.Int("floor")
                    s.assume(floor * e <= i, i < floor * e + e)
                if policy == "assume_valid":
                    s.assume(legal)
                how = s.enumerator(f"strew::index_policy::{policy}")
                rules = rule_value(s, rule)
                for path in s.paths(lambda: s.call("strew::detail::resolve_index", bits, s.boolean(is_unsigned), extent, rules, how)):
                    result = s.number(path.outcome)
                    for _, _, quotient, rest in path.divisions:
                        s.lemma(path, "quotient", quotient == If(rest < 0, floor + 1, floor))
                    if policy == "clip":
                        expected = If(legal, element(i, e), If(i < 0, 0, e - 1))
                    elif policy == "wrap":
                        expected = i - floor * e
                    else:
                        expected = If(legal, element(i, e), OUT_OF_BOUNDS)
                    what = f"{policy}, {rule}, {'unsigned' if is_unsigned else 'signed'}"
                    s.prove(path, what, result == expected)
                    inside = And(0 <= result, result < e)
                    may_drop = policy in ("error", "drop")
                    s.prove(path, f"{what}: range", Or(inside, result == OUT_OF_BOUNDS) if may_drop else inside)


@theorem(bounds="64 bits signed and unsigned, all values; extents 0 to 2^63 - 1; both rules; 4 policies; with and without axes")
def accepted_indices(t):
    """needs_check and is_bad_index refuse exactly the illegal indices with the policy error, and with clip and wrap those
    into an axis of extent 0; each index that they accept is then resolved to an element in [0, extent), with drop also
    to out_of_bounds. Assumed: extent >= 0, as in each layout."""
    for policy in ("error", "drop", "clip", "wrap"):
        for by in ("rows", "numbers"):
            for is_unsigned in (False, True):
                for rule in ("strict", "wrapping"):
                    prove_accepted(t, policy, by, is_unsigned, rule)


def prove_accepted(t, policy, by, is_unsigned, rule):
    s = t.session(Integers)
    bits, extent = s.integer("bits", INT64), s.integer("extent", INT64)
    i, e = value_of_bits(s.number(bits), is_unsigned), s.number(extent)
    s.assume(e >= 0)
    detail = "strew::detail"
    rules = s.struct(
        f"{detail}::operation_rules",
        by=s.enumerator(f"{detail}::addressing::{by}"),
        rule=rule_value(s, rule),
        texts=Cell(),
    )
    layout = s.struct("strew::strided_layout", extents_=s.list([extent]), size_=extent)
    demand = s.struct(
        f"{detail}::index_constraint",
        rules=Cell(rules),
        policy=s.enumerator(f"strew::index_policy::{policy}"),
        axes=s.struct(f"{detail}::target_axes"),
        output=Cell(layout),
    )
    index = s.struct(f"{detail}::raw_index", bits=bits, is_unsigned=s.boolean(is_unsigned))

    def call():
        needed = s.call(f"{detail}::index_constraint::needs_check", this=Cell(demand))
        if s.execution.decide(needed.term):
            bad = s.call(f"{detail}::is_bad_index", demand, index, s.int(0))
            if s.execution.decide(bad.term):
                return None
        return s.call(f"{detail}::resolve_index", bits, index["is_unsigned"], extent, rules["rule"], demand["policy"])

    legal = {"error": is_legal(i, e, rule), "drop": True, "clip": e > 0, "wrap": e > 0}[policy]
    for path in s.paths(call):
        what = f"{policy}, {by}, {rule}, {'unsigned' if is_unsigned else 'signed'}"
        if path.outcome is None:
            s.prove(path, f"{what}: refused", Not(legal) if policy != "drop" else False)
            continue
        s.prove(path, f"{what}: accepted", legal)
        result = s.number(path.outcome)
        inside = And(0 <= result, result < e)
        s.prove(path, f"{what}: an element", Or(inside, result == OUT_OF_BOUNDS) if policy == "drop" else inside)


@theorem(bounds="64 bits, all values; extents 0 to 2^63 - 1")
def wrap_targets(t):
    """wrap_targets turns a legal index into the element that it selects. Assumed: the index is legal by the rule
    wrapping. Each element of the array is independent of the others, so an array of one is proven."""
    s = t.session(BitVectors)
    index, extent = s.integer("index", INT64), s.integer("extent", INT64)
    i, e = s.numbers(index, extent)
    s.assume(e >= 0, is_legal(i, e, "wrapping"))

    def call():
        target = Cell(index)
        s.call("strew::detail::wrap_targets", Pointer(Array([target])), s.known(INT64, 1), extent)
        return target.value

    for path in s.paths(call):
        s.prove(path, "wrap_targets", s.number(path.outcome) == element(i, e))
