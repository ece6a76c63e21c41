# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of C++ integers as terms of Z3, in one of two forms.

`BitVectors` represents an integer of n bits by a bit-vector of n bits: the machine's own arithmetic. Solvers decide sums
and comparisons of 64 bits in milliseconds, products and quotients of two unknown numbers not at all.

`Integers` represents it by a mathematical integer in the range of its type: a sum that leaves the range of a signed type
is undefined behaviour, one of an unsigned type is reduced modulo 2^n. Products and quotients are exact, and solvers know
their algebra. Of |, & and ^ only what the rules need is known; anything else is an error.

A term is a Python integer or boolean as long as the value is known, so that loops with known bounds need no solver. An
operation may state `obligations`, conditions without which its behaviour is undefined, and `facts` about the new
variables of its result, which are true for all values of the operands.
"""

import dataclasses

import z3


@dataclasses.dataclass(frozen=True)
class Integer:
    """An integer type of C++. Enumerations have their underlying type."""

    bits: int
    signed: bool

    @property
    def low(self):
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def high(self):
        return (1 << self.bits - 1) - 1 if self.signed else (1 << self.bits) - 1

    def holds(self, other):
        """Whether all values of the other type are values of this one."""
        return self.low <= other.low and other.high <= self.high

    def wrap(self, value):
        value &= (1 << self.bits) - 1
        return value - (1 << self.bits) if value > self.high else value

    def __str__(self):
        return f"{'' if self.signed else 'u'}int{self.bits}"


BOOL = Integer(1, False)
INT = Integer(32, True)
INT64 = Integer(64, True)
UINT64 = Integer(64, False)


class UnsupportedArithmetic(Exception):
    """An operation that the chosen form has no terms for."""


def is_known(term):
    return isinstance(term, (bool, int))


def conjunction(conditions):
    """The conjunction of conditions, some of which may be known."""
    unknown = []
    for condition in conditions:
        if condition is False:
            return False
        if condition is not True:
            unknown.append(condition)
    if not unknown:
        return True
    return unknown[0] if len(unknown) == 1 else z3.And(*unknown)


def disjunction(conditions):
    return negation(conjunction([negation(condition) for condition in conditions]))


def negation(condition):
    return not condition if isinstance(condition, bool) else z3.Not(condition)


def implication(condition, conclusion):
    return disjunction([negation(condition), conclusion])


class Arithmetic:
    """What both forms share: operations on known values, which are exact, and the order of the checks.

    `oblige(kind, condition)` receives obligations, `learn(condition)` facts."""

    def __init__(self, oblige, learn):
        self.oblige = oblige
        self.learn = learn
        self.results = {}
        self.divisions = []  # of the path: dividend, divisor, quotient and rest, if they are integers

    def binary(self, operator, kind, a, b):
        """The operation on two values of one type, after the conversions of the language. For shifts `b` may have any
        integer type and is compared with the width."""
        if operator in ("<<", ">>"):
            return self.shift(operator, kind, a, b)
        if operator in ("/", "%"):
            return self.divide(operator, kind, a, b)
        if operator in ("&", "|", "^"):
            return self.bitwise(operator, kind, a, b)
        if is_known(a) and is_known(b):
            exact = {"+": a + b, "-": a - b, "*": a * b}[operator]
            if kind.signed:
                self.oblige(f"signed overflow of {operator}", kind.low <= exact <= kind.high)
            return kind.wrap(exact)
        return self.linear(operator, kind, a, b)

    def negate(self, kind, a):
        if is_known(a):
            return self.binary("-", kind, 0, a)
        return self.linear("-", kind, 0, a)

    def shift(self, operator, kind, a, b):
        self.oblige(f"range of {operator}", conjunction([self.compare("<=", INT, 0, b), self.compare("<", INT, b, kind.bits)]))
        if is_known(b) and not 0 <= b < kind.bits:
            return 0
        if is_known(a) and is_known(b):
            return kind.wrap(a << b) if operator == "<<" else a >> b
        return self.unknown_shift(operator, kind, a, b)

    def divide(self, operator, kind, a, b):
        self.oblige("division by zero", self.compare("!=", kind, b, 0))
        if kind.signed:
            smallest = self.compare("==", kind, a, kind.low)
            self.oblige("overflow of a quotient", negation(conjunction([smallest, self.compare("==", kind, b, -1)])))
        if is_known(b) and b == 0:
            return 0
        if is_known(a) and is_known(b):
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return kind.wrap(quotient if operator == "/" else a - quotient * b)
        if b == 1 and is_known(b):
            return a if operator == "/" else 0
        return self.unknown_quotient(operator, kind, a, b)

    def bitwise(self, operator, kind, a, b):
        if is_known(a) and is_known(b):
            return kind.wrap({"&": a & b, "|": a | b, "^": a ^ b}[operator])
        if operator in ("|", "^"):
            for one, other in ((a, b), (b, a)):
                if is_known(one) and one == 0:
                    return other
        return self.unknown_bitwise(operator, kind, a, b)

    def compare(self, operator, kind, a, b):
        if is_known(a) and is_known(b):
            return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b, "==": a == b, "!=": a != b}[operator]
        return self.unknown_compare(operator, kind, a, b)

    def convert(self, source, target, a, keeps_value):
        """Converts to another type. With keeps_value a value that the type cannot represent is an obligation: the
        conversion is implicit, so the code does not intend to lose it."""
        if source == target:
            return a
        if target == BOOL:
            return self.compare("!=", source, a, 0)
        if source == BOOL:
            return int(a) if is_known(a) else z3.If(a, self.term(target, 1), self.term(target, 0))
        if is_known(a):
            if keeps_value:
                self.oblige(f"implicit conversion of {source} to {target}", target.low <= a <= target.high)
            return target.wrap(a)
        if keeps_value and not target.holds(source):
            fits = []
            if source.low < target.low:
                fits.append(self.compare(">=", source, a, target.low))
            if source.high > target.high:
                fits.append(self.compare("<=", source, a, target.high))
            self.oblige(f"implicit conversion of {source} to {target}", conjunction(fits))
        return self.convert_unknown(source, target, a)

    def choose(self, kind, condition, a, b):
        """The conditional operator."""
        if is_known(condition):
            return a if condition else b
        if kind == BOOL:
            return disjunction([conjunction([condition, a]), conjunction([negation(condition), b])])
        if is_known(a) and is_known(b) and a == b:
            return a
        return z3.If(condition, self.term(kind, a), self.term(kind, b))

    def defined(self, key, define):
        """The new variables of a result, the same for the same operands: a function has one value. `define` returns
        them and the facts that define them."""
        ids = tuple(part.get_id() if z3.is_expr(part) else part for part in key)
        if ids not in self.results:
            self.results[ids] = (*define(), key)  # the key keeps the operands, so that no other term gets their number
        result, facts, _ = self.results[ids]
        for fact in facts:
            self.learn(fact)
        return result


class BitVectors(Arithmetic):
    name = "bit-vectors"
    # Room for sums and products of a few 64-bit numbers.
    number_bits = 136

    def term(self, kind, a):
        if kind == BOOL:
            return z3.BoolVal(a) if is_known(a) else a
        return z3.BitVecVal(a, kind.bits) if is_known(a) else a

    def variable(self, name, kind):
        return z3.Bool(name) if kind == BOOL else z3.BitVec(name, kind.bits)

    def number(self, kind, a):
        """The value as a mathematical integer, for specifications."""
        if is_known(a):
            return z3.BitVecVal(int(a), self.number_bits)
        if kind == BOOL:
            return z3.If(a, z3.BitVecVal(1, self.number_bits), z3.BitVecVal(0, self.number_bits))
        extend = z3.SignExt if kind.signed else z3.ZeroExt
        return extend(self.number_bits - kind.bits, a)

    def linear(self, operator, kind, a, b):
        a, b = self.term(kind, a), self.term(kind, b)
        result = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b}[operator]()
        if kind.signed:
            more = kind.bits if operator == "*" else 1
            wide_a, wide_b = z3.SignExt(more, a), z3.SignExt(more, b)
            exact = {"+": lambda: wide_a + wide_b, "-": lambda: wide_a - wide_b, "*": lambda: wide_a * wide_b}[operator]()
            self.oblige(f"signed overflow of {operator}", exact == z3.SignExt(more, result))
        return result

    def unknown_shift(self, operator, kind, a, b):
        a, b = self.term(kind, a), self.amount(kind, b)
        if operator == "<<":
            return a << b
        return a >> b if kind.signed else z3.LShR(a, b)

    def amount(self, kind, b):
        if is_known(b):
            return z3.BitVecVal(b, kind.bits)
        return z3.ZeroExt(kind.bits - b.size(), b) if b.size() < kind.bits else z3.Extract(kind.bits - 1, 0, b)

    def unknown_quotient(self, operator, kind, a, b):
        a, b = self.term(kind, a), self.term(kind, b)
        if operator == "/":
            return a / b if kind.signed else z3.UDiv(a, b)
        return z3.SRem(a, b) if kind.signed else z3.URem(a, b)

    def unknown_bitwise(self, operator, kind, a, b):
        a, b = self.term(kind, a), self.term(kind, b)
        return {"&": a & b, "|": a | b, "^": a ^ b}[operator]

    def unknown_compare(self, operator, kind, a, b):
        a, b = self.term(kind, a), self.term(kind, b)
        if operator in ("==", "!="):
            return a == b if operator == "==" else a != b
        if kind.signed:
            return {"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]
        return {"<": z3.ULT, "<=": z3.ULE, ">": z3.UGT, ">=": z3.UGE}[operator](a, b)

    def convert_unknown(self, source, target, a):
        if target.bits <= source.bits:
            return z3.Extract(target.bits - 1, 0, a) if target.bits < source.bits else a
        return (z3.SignExt if source.signed else z3.ZeroExt)(target.bits - source.bits, a)


class Integers(Arithmetic):
    name = "integers"

    def term(self, kind, a):
        if kind == BOOL:
            return z3.BoolVal(a) if is_known(a) else a
        return z3.IntVal(a) if is_known(a) else a

    def variable(self, name, kind):
        if kind == BOOL:
            return z3.Bool(name)
        result = z3.Int(name)
        self.learn(z3.And(kind.low <= result, result <= kind.high))
        return result

    def number(self, kind, a):
        if is_known(a):
            return z3.IntVal(int(a))
        return z3.If(a, z3.IntVal(1), z3.IntVal(0)) if kind == BOOL else a

    def linear(self, operator, kind, a, b):
        exact = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b}[operator]()
        if kind.signed:
            self.oblige(f"signed overflow of {operator}", z3.And(kind.low <= exact, exact <= kind.high))
            return exact
        period = 1 << kind.bits
        if operator == "+":
            return z3.If(exact < period, exact, exact - period)
        if operator == "-":
            return z3.If(exact >= 0, exact, exact + period)
        return self.remainder_of_period(exact, kind)

    def remainder_of_period(self, exact, kind):
        """An integer modulo 2^n, in the range of the type: the integer itself if that fits."""
        period = 1 << kind.bits

        def define():
            rest, times = z3.FreshInt("wrapped"), z3.FreshInt("times")
            fits = z3.And(kind.low <= exact, exact <= kind.high)
            return rest, [
                z3.And(kind.low <= rest, rest <= kind.high, exact == times * period + rest),
                z3.Implies(fits, z3.And(rest == exact, times == 0)),
            ]

        return self.defined(("wrapped", kind, exact), define)

    def unknown_shift(self, operator, kind, a, b):
        if not is_known(b):
            raise UnsupportedArithmetic(f"{operator} by an unknown number of bits, of integers")
        power = 1 << b
        if operator == "<<":
            return self.remainder_of_period(a * power, kind)

        def define():
            quotient, rest = z3.FreshInt("shifted"), z3.FreshInt("rest")
            return quotient, [z3.And(a == quotient * power + rest, 0 <= rest, rest < power)]

        return self.defined((">>", a, b), define)

    def unknown_quotient(self, operator, kind, a, b):
        """Truncates towards zero: a = b * quotient + rest, and the rest has the sign of `a`."""

        def define():
            quotient, rest = z3.FreshInt("quotient"), z3.FreshInt("rest")
            n, d = self.term(kind, a), self.term(kind, b)
            facts = [z3.Implies(d != 0, n == d * quotient + rest)]
            if not kind.signed:
                facts.append(z3.Implies(d > 0, z3.And(0 <= rest, rest < d, 0 <= quotient, quotient <= n)))
                return (quotient, rest), facts
            for sign in (1, -1):
                divides = d * sign > 0
                facts.append(z3.Implies(z3.And(divides, n >= 0), z3.And(0 <= rest, rest < d * sign, quotient * sign >= 0)))
                facts.append(z3.Implies(z3.And(divides, n <= 0), z3.And(-d * sign < rest, rest <= 0, quotient * sign <= 0)))
            return (quotient, rest), facts

        quotient, rest = self.defined(("/", kind, a, b), define)
        self.divisions.append((self.term(kind, a), self.term(kind, b), quotient, rest))
        return quotient if operator == "/" else rest

    def unknown_bitwise(self, operator, kind, a, b):
        if operator == "&" and is_known(a):
            a, b = b, a
        if operator == "&" and is_known(b) and b > 0 and b & b + 1 == 0:
            return self.remainder_of_period(a, Integer(b.bit_length(), False))
        if operator == "^" or (operator == "|" and kind.signed):
            raise UnsupportedArithmetic(f"{operator} of unknown numbers, of integers")

        # The theorem bitwise proves this of bit-vectors.
        def define():
            result = z3.FreshInt("bitwise")
            if operator == "|":
                return result, [z3.And(a <= result, b <= result, result <= a + b, result <= kind.high)]
            are_flags = z3.And(0 <= a, a <= 1, 0 <= b, b <= 1)
            return result, [
                z3.Implies(z3.And(0 <= a, 0 <= b), z3.And(0 <= result, result <= a, result <= b)),
                z3.Implies(are_flags, result == z3.If(z3.And(a == 1, b == 1), 1, 0)),
            ]

        return self.defined((operator, kind, a, b), define)

    def unknown_compare(self, operator, kind, a, b):
        a, b = self.term(kind, a), self.term(kind, b)
        return {"<": lambda: a < b, "<=": lambda: a <= b, ">": lambda: a > b, ">=": lambda: a >= b,
                "==": lambda: a == b, "!=": lambda: a != b}[operator]()  # fmt: skip

    def convert_unknown(self, source, target, a):
        if target.holds(source):
            return a
        if source.bits == target.bits:
            period = 1 << target.bits
            return z3.If(a > target.high, a - period, a) if target.signed else z3.If(a < 0, a + period, a)
        return self.remainder_of_period(a, target)
