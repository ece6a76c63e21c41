# SPDX-License-Identifier: Apache-2.0
"""States theorems about functions of the headers and has Z3 prove them."""

import time

import z3

import arithmetic
from arithmetic import BOOL, INT, INT64, Integer, is_known
from execution import Array, Cell, Execution, Pointer, Scalar, Struct

# The limit of a query, in Z3's units of work, so that a result does not depend on the load of the machine. A second of a
# processor is about 8 million units.
MOST_WORK = 200_000_000
# Some steps of Z3 do not count their work; these are stopped by the clock.
MOST_SECONDS = 120

THEOREMS = []


def theorem(bounds):
    """Registers a function as a theorem, with the values for which it is proven. Its documentation is the statement."""

    def register(function):
        function.bounds = bounds
        THEOREMS.append(function)
        return function

    return register


class Failed(Exception):
    """A claim that is not proven: the text says why."""


class Counterexample(Failed):
    """A claim that is false: the text has the values."""


class Session:
    """Calls of functions on unknown values, in one form of arithmetic."""

    def __init__(self, theorem, form, contracts=None, loops=(), merges=True):
        self.theorem = theorem
        self.form = form
        self.inputs = {}
        self.execution = Execution(theorem.headers, form, contracts, loops, merges)
        self.proven = {}

    # ---- Values

    def integer(self, name, kind):
        """An unknown integer."""
        scalar = self.execution.variable(name, kind)
        if self.form is arithmetic.Integers and kind != BOOL:
            self.assume(z3.And(kind.low <= scalar.term, scalar.term <= kind.high))
        self.inputs[name] = scalar
        return scalar

    def known(self, kind, value):
        return Scalar(kind, value)

    def int(self, value):
        return Scalar(INT, value)

    def unsigned(self, value):
        return Scalar(Integer(32, False), value)

    def boolean(self, value):
        return Scalar(BOOL, value)

    def enumerator(self, name):
        """An enumerator; all enumerations of the rules have 8 bits."""
        return Scalar(Integer(8, False), self.theorem.headers.enumerator(name))

    def list(self, values, flags=0):
        """An index_list with these integers."""
        capacity = self.theorem.headers.constant("strew::max_rank")
        cells = [Cell(one) for one in values] + [Cell() for _ in range(capacity - len(values))]
        flags = self.unsigned(flags)
        return self.struct("strew::index_list", values_=Array(cells), size_=self.int(len(values)), flags_=flags)

    def struct(self, name, **members):
        """An object of a class: the members that are not listed are as its default member initialisers say."""
        return self.execution.struct(name, **members)

    def partial(self, name, **members):
        """An object of which only these members are set."""
        return self.execution.struct(name, is_partial=True, **members)

    def pointer(self, *values):
        """A pointer to an array of these values."""
        return Pointer(Array([one if isinstance(one, Cell) else Cell(one) for one in values]))

    def number(self, value):
        """The value of an integer as a mathematical integer; of a boolean, a condition."""
        if value.kind == BOOL:
            return z3.BoolVal(value.term) if is_known(value.term) else value.term
        return self.execution.arithmetic.number(value.kind, value.term)

    def numbers(self, *values):
        return [self.number(value) for value in values]

    # ---- Calls

    def assume(self, *conditions):
        self.execution.assumptions += conditions

    def call(self, function, *arguments, this=None):
        """Calls a function by its name, an overloaded one by a pair of the name and the number of parameters."""
        return self.execution.call(function, *arguments, this=this)

    def paths(self, call):
        """The paths of a function that makes calls. All obligations of a path are proven before it is returned. Values
        that take one of the paths must exist: otherwise the assumptions contradict each other, and any claim is true."""
        has_witness = False
        for path in self.execution.paths(call):
            has_witness = has_witness or self.is_possible(path)
            self.theorem.paths += 1
            for duty in path.obligations:
                self.discharge(path, duty)
            if not path.ends_in_loop:
                yield path
        if not has_witness:
            raise Failed("no values that satisfy the assumptions are found, so the theorem may state nothing")

    def is_possible(self, path):
        return solve([*self.execution.assumptions, *path.facts, *path.conditions], self.form)[0] == z3.sat

    def discharge(self, path, duty):
        """Proves an obligation, if no other path with the same beginning had it."""
        conditions = path.conditions[: duty.decisions]
        key = (duty.condition.get_id(), *(one.get_id() for one in conditions))
        if key not in self.proven:
            self.proven[key] = (duty.condition, conditions)  # kept, so that no other term gets their numbers
            self.theorem.obligations += 1
            self.check(f"{duty.kind}, {duty.line}", [*path.facts[: duty.facts], *conditions], duty.condition)

    # ---- Claims

    def prove(self, path, text, claim):
        """Proves a claim about a path."""
        self.theorem.claims += 1
        self.check(text, [*path.facts, *path.conditions], claim, path.outcome)

    def lemma(self, path, text, claim):
        """Proves a claim and uses it in what follows: on this path; without one, of the assumptions alone, everywhere."""
        if path is None:
            self.theorem.claims += 1
            self.check(text, [], claim)
            self.assume(claim)
        else:
            self.prove(path, text, claim)
            path.facts.append(claim)

    def note(self, text, claim):
        """Within a call: proves a claim of the state there, and uses it in what follows."""
        self.execution.line = "in the theorem"
        self.execution.oblige(f"lemma: {text}", claim)

    def divide(self, a, b):
        """Quotient and rest of numbers of at least 0: the variables that a division in the code has too."""
        operations = self.execution.arithmetic
        divisions = list(operations.divisions)  # this one is not of the code
        terms = [operations.binary(operator, INT64, a.term, b.term) for operator in ("/", "%")]
        operations.divisions = divisions
        return self.numbers(*(Scalar(INT64, term) for term in terms))

    def check(self, text, facts, claim, outcome=None):
        if isinstance(claim, bool):
            claim = z3.BoolVal(claim)
        if z3.is_true(z3.simplify(claim)):
            return
        started = time.process_time()
        result, model = solve([*self.execution.assumptions, *facts, z3.Not(claim)], self.form)
        self.theorem.slowest = max(self.theorem.slowest, time.process_time() - started)
        if result == z3.unknown:
            limit = f"{MOST_WORK // 1_000_000} million units of work or {MOST_SECONDS} s"
            raise Failed(f"not proven within the limit of {limit}: {text}")
        if result == z3.sat:
            raise Counterexample(f"counterexample to: {text}\n{self.describe(model, outcome)}")

    def describe(self, model, outcome):
        lines = [f"    {name} = {value_in(model, scalar)}" for name, scalar in self.inputs.items()]
        if isinstance(outcome, (Scalar, Struct)):
            lines.append(f"    result: {value_in(model, outcome)}")
        return "\n".join(lines)


def value_in(model, value):
    if isinstance(value, Struct):
        members = (f"{name} {value_in(model, cell.value)}" for name, cell in value.members.items())
        return "{" + ", ".join(members) + "}"
    if not isinstance(value, Scalar):
        return "-"
    if is_known(value.term):
        return str(value.term)
    found = model.eval(value.term, model_completion=True)
    if z3.is_bv_value(found):
        return str(found.as_signed_long() if value.kind.signed else found.as_long())
    return str(found)


def purified():
    return z3.Then("simplify", "purify-arith", "smt").solver()


def solve(constraints, form):
    """The result of a solver for constraints, and its model."""
    if form is arithmetic.BitVectors:
        attempts = [(lambda: z3.SolverFor("QF_BV"), MOST_WORK, MOST_SECONDS)]
    else:
        # Which of these finds a proof in no time differs from claim to claim.
        attempts = [
            (purified, MOST_WORK // 50, 3),
            (z3.Solver, MOST_WORK // 50, 3),
            (purified, MOST_WORK // 5, MOST_SECONDS // 4),
            (z3.Solver, MOST_WORK, MOST_SECONDS),
        ]
    for make, work, seconds in attempts:
        solver = make()
        solver.set("rlimit", work, "timeout", 1000 * seconds)
        solver.add(*constraints)
        result = solver.check()
        if result != z3.unknown:
            break
    return result, solver.model() if result == z3.sat else None


class Theorem:
    """The proof of one theorem, with what it took."""

    def __init__(self, function, headers):
        self.function = function
        self.headers = headers
        self.paths = self.obligations = self.claims = 0
        self.slowest = self.seconds = 0.0

    def session(self, form, **options):
        return Session(self, form, **options)

    def claim(self, text, holds):
        """A claim that needs no solver."""
        self.claims += 1
        if not holds:
            raise Failed(f"not so: {text}")

    def run(self):
        """Proves the theorem, or raises why not."""
        started = time.process_time()
        try:
            self.function(self)
        finally:
            self.seconds = time.process_time() - started
