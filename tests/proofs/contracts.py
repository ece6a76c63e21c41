# SPDX-License-Identifier: Apache-2.0
"""What functions do that a proof calls instead of executing them. Each is proven by the theorem of the same name, but for
those that the comment says are assumed."""

import z3

from arithmetic import BOOL, INT64, UINT64, conjunction, implication
from execution import Cell, Scalar, Text, copy_of

DETAIL = "strew::detail"
MOST = (1 << 64) - 1


def at_most(term):
    """The number, or 2^64 - 1 if that is less."""
    limited = z3.If(term > MOST, z3.IntVal(MOST), term)
    simple = z3.simplify(limited)
    return simple.as_long() if z3.is_int_value(simple) else limited


def operands(execution, arguments):
    values = [execution.value(argument) for argument in arguments]
    return [execution.arithmetic.number(value.kind, value.term) for value in values]


def saturating_multiply(execution, _, arguments):
    a, b = operands(execution, arguments)
    return Scalar(UINT64, at_most(a * b))


def saturating_add(execution, _, arguments):
    a, b = operands(execution, arguments)
    return Scalar(UINT64, at_most(a + b))


SATURATING = {
    f"{DETAIL}::saturating_multiply": saturating_multiply,
    f"{DETAIL}::saturating_add": saturating_add,
}


def refuse(execution, _, arguments):
    """Sets an error and returns false. The numbers of the message are evaluated, so that they do not overflow."""
    for argument in arguments:
        if "initializer_list" in argument.type.name and argument.children:
            execution.value(argument)
    execution.marks.add("refused")
    return Scalar(BOOL, False)


# Of a status nothing is known but that it was refused.
REFUSALS = {f"{DETAIL}::{name}": refuse for name in ("refuse", "refuse_as_given", "refuse_zero_step", "refuse_layout")} | {
    "strew::status::status": lambda *_: Text(),
    "strew::status::first_number_is_unsigned": lambda *_: None,
}


def divisor(execution, cells):
    """A divisor is known by the number by which it divides."""
    by = cells[0].value if cells else Scalar(INT64, 1)
    execution.oblige("1 <= by of a divisor", execution.arithmetic.compare("<=", INT64, 1, by.term))
    made = execution.blank(execution.headers.record(f"{DETAIL}::divisor").record)
    made.members["by_"] = Cell(by)
    return made


def divisor_value(_, this, __):
    return this.value["by_"]


def quotient(execution, this, arguments):
    n = execution.value(arguments[0])
    execution.oblige("0 <= n of a quotient", execution.arithmetic.compare("<=", INT64, 0, n.term))
    return Scalar(INT64, execution.arithmetic.binary("/", INT64, n.term, this.value["by_"].term))


DIVISOR = {
    f"{DETAIL}::divisor::divisor": divisor,
    f"{DETAIL}::divisor::value": divisor_value,
    f"{DETAIL}::divisor::quotient": quotient,
}


def scaled(execution, _, arguments):
    """The product modulo 2^64."""
    a, b = operands(execution, arguments)
    exact = z3.simplify(a * b)
    if z3.is_int_value(exact):
        return Scalar(INT64, INT64.wrap(exact.as_long()))
    return Scalar(INT64, execution.arithmetic.remainder_of_period(exact, INT64))


SCALED = {f"{DETAIL}::scaled": scaled}


def divide(execution, _, arguments):
    """Quotients and rests of an array of one number."""
    numbers, rests, count, by, are_short = (execution.value(one) for one in arguments)
    compare = execution.arithmetic.compare
    cell = numbers.array.cells[numbers.offset]
    number = cell.value.term
    execution.oblige("numbers and rests do not overlap", numbers.array is not rests.array)
    execution.oblige("one number is divided", compare("==", INT64, 1, count.term))
    execution.oblige("0 <= number that is divided", compare("<=", INT64, 0, number))
    execution.oblige("1 <= by of a division", compare("<=", INT64, 1, by.term))
    short = [compare("<", INT64, number, 1 << 32), compare("<", INT64, 1, by.term), compare("<=", INT64, by.term, 1 << 32)]
    execution.oblige("short numbers are short", implication(are_short.term, conjunction(short)))
    rests.array.cells[rests.offset].value = Scalar(INT64, execution.arithmetic.binary("%", INT64, number, by.term))
    cell.value = Scalar(INT64, execution.arithmetic.binary("/", INT64, number, by.term))


DIVIDE = {f"{DETAIL}::divide": divide}


def limits(execution, *_):
    """Thresholds of any values that test builds may set, [1, never], [2, positions] or [0, 2^32]. Others than these may not be
    read."""
    never = execution.headers.constant(f"{DETAIL}::tuning::never")
    made = execution.blank(execution.headers.record(f"{DETAIL}::tuning::thresholds").record)
    for name in ("smallest_part", "shortest_block", "row_beside_indices", "far_parts"):
        value = execution.variable(f"limits.{name}", INT64)
        execution.learn(z3.And(1 <= value.term, value.term <= never))
        made.members[name] = Cell(value)
    positions = execution.variable("limits.used_positions", INT64)
    most = execution.headers.constant(f"{DETAIL}::tuning::positions")
    execution.learn(z3.And(2 <= positions.term, positions.term <= most))
    made.members["used_positions"] = Cell(positions)
    short = execution.variable("limits.most_short_numbers", INT64)
    execution.learn(z3.And(0 <= short.term, short.term <= 1 << 32))
    made.members["most_short_numbers"] = Cell(short)
    return Cell(made)


THRESHOLDS = {f"{DETAIL}::tuning::limits": limits}


def copy_list(execution, this, arguments):
    this.value = copy_of(execution.lvalue(arguments[0]).value)
    return this


# Assumed: an assignment copies a list. The theorems for known ranks execute it.
COPIES = {"strew::index_list::operator=": copy_list}


def set_memory(execution, _, arguments):
    """Assumed, as the standard of C says: sets the bytes of the first elements of an array, a known number of them."""
    node = arguments[0]
    while not node.type.is_array:
        node = node.children[0]
    kind = node.type.element.integer
    array = execution.lvalue(node).value
    value, size = (execution.value(one).term for one in arguments[1:])
    count, rest = divmod(size, kind.bits // 8)
    execution.oblige("memory is set by elements, and inside of the array", rest == 0 and 0 <= count <= len(array.cells))
    for cell in array.cells[:count]:
        cell.value = Scalar(kind, kind.wrap(int.from_bytes(bytes([value & 255] * (kind.bits // 8)), "little")))


MEMORY = {"::memset": set_memory}
