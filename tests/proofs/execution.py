# SPDX-License-Identifier: Apache-2.0
"""Executes functions of the headers on unknown values, path by path.

Each branch on an unknown condition is decided; `paths` calls the function again for each sequence of decisions that the
solver cannot rule out. Conditions without which the behaviour is undefined are collected as obligations of the path:
overflow of signed integers, division by zero, shifts out of range, implicit conversions that lose a value, reads of
what was not initialised, subscripts out of range, and the assertions of the headers.

Whatever is not translated is an error that names the construct and the line.
"""

import contextlib
import dataclasses

import z3

from arithmetic import BOOL, INT, INT64, Integer, UnsupportedArithmetic, conjunction, implication, is_known, negation
from headers import ASSERTION, Node, Record, UnsupportedCode

MOST_ITERATIONS = 130
# For the question whether a path is possible, in Z3's units of work. A path that is not ruled out is proven like any
# other.
WORK_A_DECISION = 2_000_000

ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="}
STEPS = {"++", "--", "++after", "--after"}
COMPARISONS = {"<", "<=", ">", ">=", "==", "!="}
CASTS = {"CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR", "CSTYLE_CAST_EXPR"}
LOOPS = {"FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT"}


@dataclasses.dataclass(frozen=True)
class Scalar:
    """An integer, a boolean or an enumerator."""

    kind: Integer
    term: object


@dataclasses.dataclass
class Cell:
    """A place in memory. None: not initialised."""

    value: object = None


@dataclasses.dataclass
class Struct:
    record: Record
    members: dict

    def __getitem__(self, name):
        return self.members[name].value


@dataclasses.dataclass
class Array:
    cells: list


@dataclasses.dataclass(frozen=True)
class UnknownArray:
    """Integers at unknown positions: position i < length holds function(i), which is at least `low`."""

    function: z3.FuncDeclRef
    kind: Integer
    length: object
    low: int


@dataclasses.dataclass(frozen=True)
class Pointer:
    """Into an array; null if that is None."""

    array: object
    offset: object = 0


@dataclasses.dataclass(frozen=True)
class Closure:
    node: Node
    frame: object


@dataclasses.dataclass(frozen=True)
class Text:
    """A string literal, of which nothing is known."""


@dataclasses.dataclass
class Frame:
    """A call: its variables by the keys of their declarations, the object, and the function."""

    variables: dict
    this: object
    function: Node


@dataclasses.dataclass
class Decision:
    choice: bool
    is_open: bool  # whether the other choice is still to be executed


@dataclasses.dataclass(frozen=True)
class Obligation:
    kind: str
    line: str
    condition: object
    decisions: int  # the number of conditions of the path before it
    facts: int  # and of facts


@dataclasses.dataclass
class Loop:
    """An invariant of loop number `ordinal` of a function, so that any number of iterations is one case. `changes` are
    the local variables that the loop changes; if it changes anything else that is an error. `holds` and `decreases` get
    a function that returns the value of a local variable, in front of the loop's condition; `decreases` is a number of
    at least 0 that each iteration makes smaller. `defines` are facts for that state: recursive definitions of functions
    that the invariant mentions, and assumptions of the theorem about what an iteration reads."""

    function: str
    ordinal: int
    changes: tuple
    holds: object
    decreases: object
    defines: object = lambda local: ()


class Return(Exception):
    def __init__(self, value):
        self.value = value


class Break(Exception):
    pass


class Continue(Exception):
    pass


class PathEnds(Exception):
    """The end of an iteration from any state that satisfies a loop's invariant."""


class GuardFails(Exception):
    """The left operand of && that was decided while the right one was executed is false."""

    def __init__(self, level):
        self.level = level


class Path:
    def __init__(self, execution, outcome, ends_in_loop):
        self.outcome = outcome
        self.ends_in_loop = ends_in_loop
        self.conditions = list(execution.conditions)
        self.facts = list(execution.facts)
        self.obligations = list(execution.obligations)
        self.marks = set(execution.marks)
        self.divisions = list(execution.arithmetic.divisions)


def copy_of(value):
    if isinstance(value, Struct):
        return Struct(value.record, {name: Cell(copy_of(cell.value)) for name, cell in value.members.items()})
    if isinstance(value, Array):
        return Array([Cell(copy_of(cell.value)) for cell in value.cells])
    return value


class Execution:
    def __init__(self, headers, arithmetic, contracts=None, loops=(), merges=True):
        self.headers = headers
        self.merges = merges  # whether operands without effects become terms, or each of them paths
        self.arithmetic = arithmetic(self.oblige, self.learn)
        self.contracts = {"::__builtin_is_constant_evaluated": lambda *_: Scalar(BOOL, False)} | (contracts or {})
        self.loops = {(loop.function, loop.ordinal): loop for loop in loops}
        self.assumptions = []
        self.frames = []
        self.trail = []
        self.line = ""
        self.forget()

    # ---- Paths

    def forget(self):
        self.conditions, self.facts, self.obligations, self.guards = [], [], [], []
        self.known_facts = set()
        self.marks = set()  # what contracts note
        self.arithmetic.divisions = []
        self.decided = 0
        self.fresh = 0
        self.solver = z3.Solver()
        self.solver.set("rlimit", WORK_A_DECISION, "timeout", 2000)

    def paths(self, call):
        """The paths of a function without parameters that makes calls."""
        self.trail = []
        while True:
            self.forget()
            for assumption in self.assumptions:
                self.solver.add(assumption)
            self.frames = []
            try:
                yield Path(self, call(), False)
            except PathEnds:
                yield Path(self, None, True)
            while self.trail and not self.trail[-1].is_open:
                self.trail.pop()
            if not self.trail:
                return
            self.trail[-1] = Decision(not self.trail[-1].choice, False)

    def is_possible(self, condition):
        self.solver.push()
        self.solver.add(condition)
        result = self.solver.check()
        self.solver.pop()
        return result != z3.unsat

    def branch(self, condition):
        if is_known(condition):
            return bool(condition)
        simple = z3.simplify(condition)
        if z3.is_true(simple) or z3.is_false(simple):
            return z3.is_true(simple)
        if self.decided == len(self.trail):
            if not self.is_possible(condition):
                self.trail.append(Decision(False, False))
            else:
                self.trail.append(Decision(True, self.is_possible(z3.Not(condition))))
        choice = self.trail[self.decided].choice
        self.decided += 1
        chosen = condition if choice else z3.Not(condition)
        self.conditions.append(chosen)
        self.solver.add(chosen)
        return choice

    def decide(self, condition):
        """Which branch the path takes. Inside of an operand that is executed under a condition, that is decided first."""
        if is_known(condition):
            return bool(condition)
        for level, guard in enumerate(self.guards):
            if not self.branch(guard):
                raise GuardFails(level)
            self.guards[level] = True
        return self.branch(condition)

    def oblige(self, kind, condition):
        condition = implication(conjunction(self.guards), condition)
        if condition is True:
            return
        if condition is False:
            condition = z3.BoolVal(False)
        elif z3.is_true(z3.simplify(condition)):
            return
        self.obligations.append(Obligation(kind, self.line, condition, len(self.conditions), len(self.facts)))
        # What follows may use it: the behaviour is defined.
        self.learn(condition)

    def learn(self, fact):
        if fact is True or fact.get_id() in self.known_facts:
            return
        self.known_facts.add(fact.get_id())
        self.facts.append(fact)
        self.solver.add(fact)

    def variable(self, name, kind):
        return Scalar(kind, self.arithmetic.variable(name, kind))

    # ---- Calls from theorems

    def call(self, function, *arguments, this=None):
        """Calls a function: a name, or a pair of a name and a number of parameters. Structs are passed by reference."""
        node = self.headers.function(*function) if isinstance(function, tuple) else self.headers.function(function)
        cells = [one if isinstance(one, Cell) else Cell(one) for one in arguments]
        if node.kind == "CONSTRUCTOR":
            return self.construct(self.headers.record(node.qualified_name.rpartition("::")[0]), node, cells)
        result = self.run(node, this, cells)
        return result.value if isinstance(result, Cell) else result

    def struct(self, name, is_partial=False, **members):
        """An object of a class with these members; the others are as default member initialisers say, or if it is partial
        not set."""
        record = self.headers.record(name).record
        unknown = set(members) - {member.name for member in record.members}
        if unknown:
            raise UnsupportedCode(f"{name} has no member {', '.join(sorted(unknown))}")
        made = self.blank(record)
        for member in record.members:
            if member.name in members:
                given = members[member.name]
                made.members[member.name] = given if isinstance(given, Cell) else Cell(given)
            elif not is_partial:
                self.initialise_member(made, member)
        return made

    # ---- Objects

    def blank(self, record):
        return Struct(record, {member.name: Cell() for member in record.members})

    def initialiser(self, declaration):
        """The expression that initialises a variable or a member. The length of an array is a child too."""
        expressions = [child for child in declaration.children if "EXPR" in child.kind or "LITERAL" in child.kind
                       or "OPERATOR" in child.kind]  # fmt: skip
        if not expressions:
            return None
        if declaration.type.is_array and "INIT_LIST" not in expressions[-1].kind:
            return None
        return expressions[-1]

    def initialise_member(self, struct, member):
        expression = self.initialiser(member)
        if expression is None:
            struct.members[member.name] = self.default_cell(member)
            return
        self.frames.append(Frame({}, Cell(struct), member))  # its expression may mention other members
        try:
            struct.members[member.name] = self.initialised(member.type, expression, member)
        finally:
            self.frames.pop()

    def default_cell(self, declaration):
        """A variable or a member without an initialiser."""
        kind = declaration.type
        if kind.is_array:
            return Cell(Array([Cell() for _ in range(kind.length)]))
        if kind.record is not None:
            return Cell(self.construct(kind, None, []))
        return Cell()

    def initialised(self, kind, expression, declaration):
        """The cell of a variable, member or parameter that an expression initialises."""
        if kind.is_reference:
            while expression.kind == "INIT_LIST_EXPR" and len(expression.children) == 1:
                expression = expression.children[0]
            return self.lvalue(expression)
        if kind.is_array:
            if expression.kind != "INIT_LIST_EXPR":
                raise declaration.unsupported("this initialiser of an array")
            cells = [self.initialised(kind.element, child, declaration) for child in expression.children]
            cells += [Cell(self.zero(kind.element, declaration)) for _ in range(kind.length - len(cells))]
            return Cell(Array(cells))
        if kind.is_pointer and expression.type.is_array and expression.kind != "STRING_LITERAL":
            return Cell(Pointer(self.lvalue(expression).value))  # in braces this conversion has no node
        value = self.value(expression)
        if kind.integer is not None:
            if not isinstance(value, Scalar):
                raise declaration.unsupported("an initialiser that is no integer")
            # Initialisers in braces have no node for their conversion.
            value = self.converted(value, kind.integer, False)
        return Cell(copy_of(value))

    def zero(self, kind, node):
        if kind.integer is not None:
            return Scalar(kind.integer, False if kind.integer == BOOL else 0)
        if kind.is_pointer:
            return Pointer(None)
        raise node.unsupported(f"an object of {kind.name} that is set to zero")

    def construct(self, kind, constructor, cells):
        """An object, made by a constructor from the cells of its arguments; without one, by the default constructor."""
        record = kind.record
        contract = self.contracts.get(f"{record.name}::{record.name.rpartition('::')[2]}")
        if contract is not None:
            return contract(self, cells)
        definition = constructor.definition if constructor is not None else self.default_constructor(record)
        if definition is None:
            if len(cells) == 1:
                return copy_of(cells[0].value)  # the implicit constructor for copies
            made = self.blank(record)
            for member in record.members:
                self.initialise_member(made, member)
            return made
        return self.run_constructor(kind, definition, cells)

    def default_constructor(self, record):
        name = f"{record.name}::{record.name.rpartition('::')[2]}"
        found = [one for one in self.headers.functions.get(name, []) if not one.parameters]
        return found[0].definition if found else None

    def run_constructor(self, kind, definition, cells):
        made = self.blank(kind.record)
        this = Cell(made)
        frame = self.frame_of(definition, this, cells)
        self.frames.append(frame)
        try:
            given = set()
            children = [child for child in definition.children if child.kind not in ("PARM_DECL", "COMPOUND_STMT")
                        and "ATTR" not in child.kind]  # fmt: skip
            while children:
                child = children.pop(0)
                if child.kind == "MEMBER_REF":
                    member = next(one for one in kind.record.members if one.key == child.target.key)
                    made.members[member.name] = self.initialised(member.type, children.pop(0), member)
                    given.add(member.name)
                elif child.kind == "CALL_EXPR" and child.target.kind == "CONSTRUCTOR":
                    part = self.value(child)  # a constructor of this class or of a base class
                    made.members.update(part.members)
                    given.update(part.members)
                else:
                    raise child.unsupported("a part of a constructor")
            for member in kind.record.members:
                if member.name not in given:
                    self.initialise_member(made, member)
            with contextlib.suppress(Return):
                self.execute(definition.body)
        finally:
            self.frames.pop()
        return made

    # ---- Functions

    def frame_of(self, definition, this, cells):
        variables = {}
        for parameter, cell in zip(definition.parameters, cells, strict=True):
            variables[parameter.key] = cell if parameter.type.is_reference else Cell(copy_of(cell.value))
        return Frame(variables, this, definition)

    def run(self, function, this, cells):
        definition = function.definition
        if definition is None:
            raise function.unsupported(f"a call of {function.qualified_name}, whose body is not known,")
        if len(self.frames) > 60:
            raise function.unsupported("recursion")
        self.frames.append(self.frame_of(definition, this, cells))
        try:
            self.execute(definition.body)
        except Return as returned:
            return returned.value
        finally:
            self.frames.pop()
        return None

    @property
    def frame(self):
        return self.frames[-1]

    # ---- Statements

    def execute(self, node):
        kind = node.kind
        if kind == "COMPOUND_STMT":
            for child in node.children:
                self.execute(child)
        elif kind == "DECL_STMT":
            for child in node.children:
                if child.kind == "VAR_DECL":
                    self.declare(child)
                elif child.kind == "UNEXPOSED_DECL" and child.name.startswith("["):
                    self.bind(child)
                elif child.kind not in ("STATIC_ASSERT", "TYPE_ALIAS_DECL", "TYPEDEF_DECL", "STRUCT_DECL"):
                    raise child.unsupported("this declaration")
        elif kind == "RETURN_STMT":
            raise Return(self.returned(node))
        elif kind == "IF_STMT":
            self.execute_if(node)
        elif kind in ("FOR_STMT", "WHILE_STMT"):
            self.execute_loop(node)
        elif kind == "SWITCH_STMT":
            self.execute_switch(node)
        elif kind == "BREAK_STMT":
            raise Break
        elif kind == "CONTINUE_STMT":
            raise Continue
        elif kind != "NULL_STMT":
            self.evaluate(node)

    def declare(self, node):
        expression = self.initialiser(node)
        if expression is None:
            self.frame.variables[node.key] = self.default_cell(node)
        else:
            self.frame.variables[node.key] = self.initialised(node.type, expression, node)

    def bind(self, node):
        """A structured binding of a reference: names for the members of an object."""
        *names, expression = node.children
        value = self.lvalue(expression).value
        if not node.type.is_reference or not isinstance(value, Struct) or len(names) != len(value.members):
            raise node.unsupported("this structured binding")
        for name, cell in zip(names, value.members.values()):
            self.frame.variables[name.key] = cell

    def returned(self, node):
        if not node.children:
            return None
        expression = node.children[0]
        function = self.frame.function
        if isinstance(function, Node) and function.cursor.result_type.kind.name == "LVALUEREFERENCE":
            return self.lvalue(expression)
        return copy_of(self.evaluate(expression))

    def execute_if(self, node):
        children = list(node.children)
        if children[0].kind == "DECL_STMT":
            self.execute(children.pop(0))
        if "STMT" in children[0].kind or children[0].kind == "VAR_DECL" or not 2 <= len(children) <= 3:
            raise node.unsupported("this form of if")
        if self.decide(self.condition(children[0])):
            self.execute(children[1])
        elif len(children) == 3:
            self.execute(children[2])

    def execute_switch(self, node):
        *before, value_node, body = node.children
        if before or body.kind != "COMPOUND_STMT":
            raise node.unsupported("this form of switch")
        value = self.value(value_node)
        statements, labels = [], []
        for child in body.children:
            while child.kind in ("CASE_STMT", "DEFAULT_STMT"):
                labels.append((child.children[0] if child.kind == "CASE_STMT" else None, len(statements)))
                child = child.children[-1]
            statements.append(child)
        begin = None
        for label, position in labels:
            if label is None:
                continue
            expected = self.converted(self.value(label), value.kind, False)
            if self.decide(self.arithmetic.compare("==", value.kind, value.term, expected.term)):
                begin = position
                break
        else:
            begin = next((position for label, position in labels if label is None), len(statements))
        with contextlib.suppress(Break):
            for statement in statements[begin:]:
                self.execute(statement)

    def execute_loop(self, node):
        if node.kind == "FOR_STMT":
            first, condition, advance, body = node.loop_parts
        else:
            first, advance = None, None
            condition, body = node.children
        if condition is None or condition.kind in ("VAR_DECL", "DECL_STMT"):
            raise node.unsupported("this form of loop")
        if first is not None:
            self.execute(first)
        loop = self.loops.get((self.frame.function.qualified_name, self.ordinal_of(node)))
        if loop is not None:
            self.execute_any_iteration(node, loop, condition, advance, body)
            return
        for _ in range(MOST_ITERATIONS):
            if not self.decide(self.condition(condition)):
                return
            if not self.execute_iteration(body, advance):
                return
        raise node.unsupported(f"a loop of more than {MOST_ITERATIONS} iterations")

    def execute_iteration(self, body, advance):
        """Returns whether the loop goes on, rather than being left by a break."""
        try:
            self.execute(body)
        except Break:
            return False
        except Continue:
            pass
        if advance is not None:
            self.evaluate(advance)
        return True

    def ordinal_of(self, node):
        def loops_of(inside):
            for child in inside.children:
                if child.kind in LOOPS:
                    yield child
                yield from loops_of(child)

        for k, one in enumerate(loops_of(self.frame.function.body)):
            if one.cursor == node.cursor:
                return k
        raise node.unsupported("a loop outside of a function")

    def execute_any_iteration(self, node, loop, condition, advance, body):
        """Proves that the invariant holds in front of the loop and after an iteration from any state in which it holds;
        after the loop, it holds and the condition does not."""
        names = {}

        def find_names(inside):
            for child in inside.children:
                if child.kind in ("VAR_DECL", "PARM_DECL"):
                    names[child.name] = child.key
                find_names(child)

        find_names(self.frame.function)

        def local(name):
            if name not in names:
                raise node.unsupported(f"the invariant of a variable {name}")
            value = self.frame.variables[names[name]].value
            return self.arithmetic.term(value.kind, value.term)

        def oblige(when):
            for fact in loop.holds(local):
                self.line = node.line
                self.oblige(f"invariant {when}", fact)

        def define():
            for fact in loop.defines(local):
                self.learn(fact)

        define()
        oblige("in front of the loop")
        for name in loop.changes:
            cell = self.frame.variables[names[name]]
            self.fresh += 1
            cell.value = self.variable(f"{name}!{self.fresh}", cell.value.kind)
        define()
        for fact in loop.holds(local):
            self.learn(fact)
        before = loop.decreases(local)
        others = self.snapshot({names[name] for name in loop.changes})
        if not self.decide(self.condition(condition)):
            return
        if not self.execute_iteration(body, advance):
            return
        if any(cell.value is not value for cell, value in others):
            raise node.unsupported("a loop that changes more than its invariant says")
        oblige("after an iteration")
        self.oblige("end of the loop", conjunction([before >= 0, loop.decreases(local) < before]))
        raise PathEnds

    def snapshot(self, changed):
        """All cells that a loop does not change, with their values."""
        found = {}

        def visit(cell):
            if id(cell) in found:
                return
            found[id(cell)] = (cell, cell.value)
            value = cell.value
            if isinstance(value, Struct):
                for member in value.members.values():
                    visit(member)
            elif isinstance(value, Array):
                for element in value.cells:
                    visit(element)
            elif isinstance(value, Pointer) and isinstance(value.array, Array):
                for element in value.array.cells:
                    visit(element)

        skipped = {id(self.frame.variables[key]) for key in changed}
        for frame in self.frames:
            for cell in [*frame.variables.values(), *([frame.this] if frame.this is not None else [])]:
                visit(cell)
        return [pair for key, pair in found.items() if key not in skipped]

    # ---- Expressions

    def condition(self, node):
        value = self.value(node)
        if not isinstance(value, Scalar) or value.kind != BOOL:
            raise node.unsupported("a condition that is no boolean")
        return value.term

    def evaluate(self, node):
        """The value of an expression, also of one without a value."""
        while node.type.kind == "VOID" and node.kind in ("UNEXPOSED_EXPR", *CASTS) and len(node.children) == 1:
            node = node.children[0]
        if node.kind == "CALL_EXPR":
            result = self.call_expression(node)
            return result.value if isinstance(result, Cell) else result
        return self.value(node)

    def converted(self, value, kind, is_explicit):
        term = self.arithmetic.convert(value.kind, kind, value.term, not is_explicit)
        return Scalar(kind, term)

    def value(self, node, is_explicit=False):
        """The value of an expression. is_explicit: its implicit conversion is a part of a cast."""
        self.line = node.line
        kind = node.kind
        handler = VALUES.get(kind)
        if handler is not None:
            return handler(self, node)
        if kind == "UNEXPOSED_EXPR":
            return self.conversion(node, is_explicit)
        if kind in CASTS:
            if len(node.children) != 1:
                raise node.unsupported("this cast")
            child = node.children[0]
            # A conversion to the type of the cast is the cast itself, in braces it may not lose a value.
            braced = child.kind == "INIT_LIST_EXPR"
            value = self.value(child, is_explicit=not braced)
            if node.type.integer is not None and isinstance(value, Scalar):
                return self.converted(value, node.type.integer, not braced)
            return value
        if kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"):
            return self.load(node, self.lvalue(node))
        if kind == "PAREN_EXPR":
            return self.value(node.children[0], is_explicit)
        if kind == "CALL_EXPR":
            result = self.call_expression(node)
            if result is None:
                raise node.unsupported("the value of a function without one")
            return self.load(node, result) if isinstance(result, Cell) else result
        raise node.unsupported("this expression")

    def load(self, node, cell):
        if cell.value is None:
            self.line = node.line
            self.oblige("read of a variable that is not initialised", False)
            if node.type.integer is None:
                raise node.unsupported("a read of a variable that is not initialised")
            self.fresh += 1
            return self.variable(f"unset!{self.fresh}", node.type.integer)
        return cell.value

    def conversion(self, node, is_explicit):
        """An implicit conversion, or one of clang's nodes that stand for nothing."""
        if len(node.children) != 1:
            raise node.unsupported("an implicit argument")
        child = node.children[0]
        if node.type.is_pointer and child.type.is_array:
            return Pointer(self.lvalue(child).value) if child.kind != "STRING_LITERAL" else Text()
        value = self.value(child, is_explicit)
        if node.type.integer is not None:
            if isinstance(value, Pointer) and node.type.integer == BOOL:
                return Scalar(BOOL, value.array is not None)
            if not isinstance(value, Scalar):
                raise node.unsupported("this conversion")
            self.line = node.line
            return self.converted(value, node.type.integer, is_explicit)
        return value

    def literal(self, node):
        if node.constant is None:
            raise node.unsupported("this literal")
        return Scalar(node.type.integer, bool(node.constant) if node.type.integer == BOOL else node.constant)

    def init_list(self, node):
        kind = node.type
        if kind.integer is not None:
            if not node.children:
                return self.zero(kind, node)
            return self.converted(self.value(node.children[0]), kind.integer, False)
        if kind.is_pointer:
            return self.value(node.children[0]) if node.children else Pointer(None)
        if kind.is_array:
            return self.initialised(kind, node, node).value
        if kind.record is not None:
            made = self.blank(kind.record)
            for k, member in enumerate(kind.record.members):
                if k < len(node.children):
                    made.members[member.name] = self.initialised(member.type, node.children[k], member)
                elif self.initialiser(member) is not None or member.type.record is not None:
                    self.initialise_member(made, member)
                else:
                    made.members[member.name] = Cell(self.zero(member.type, member))
            return made
        raise node.unsupported("this list in braces")

    def lvalue(self, node):
        """The cell that an expression refers to; for a value, a new one with it."""
        self.line = node.line
        kind = node.kind
        if kind == "DECL_REF_EXPR":
            return self.variable_cell(node)
        if kind == "MEMBER_REF_EXPR":
            return self.member_cell(node)
        if kind == "ARRAY_SUBSCRIPT_EXPR":
            return self.element_cell(node, self.value(node.children[0]), self.value(node.children[1]))
        if kind == "PAREN_EXPR":
            return self.lvalue(node.children[0])
        if kind == "UNEXPOSED_EXPR" and len(node.children) == 1:
            child = node.children[0]
            if child.type.name.removeprefix("const ") == node.type.name.removeprefix("const "):
                return self.lvalue(child)
        if kind == "CONDITIONAL_OPERATOR":
            condition, yes, no = node.children
            return self.lvalue(yes if self.decide(self.condition(condition)) else no)
        if kind == "CALL_EXPR":
            result = self.call_expression(node)
            return result if isinstance(result, Cell) else Cell(result)
        if kind == "UNARY_OPERATOR" and node.operator == "*":
            return self.element_cell(node, self.value(node.children[0]), Scalar(INT, 0))
        if kind == "UNARY_OPERATOR" and node.operator in ("++", "--"):
            return self.step(node)
        if kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR") and node.operator in ASSIGNMENTS:
            return self.assign(node)
        return Cell(self.value(node))

    def variable_cell(self, node):
        target = node.target
        for frame in self.visible_frames():
            if target is not None and target.key in frame.variables:
                return frame.variables[target.key]
        if node.type.integer is not None and node.constant is not None:
            return Cell(Scalar(node.type.integer, bool(node.constant) if node.type.integer == BOOL else node.constant))
        if target is None:  # the argument of a template
            raise node.unsupported("this template parameter")
        if target.kind == "ENUM_CONSTANT_DECL":
            return Cell(Scalar(node.type.integer, node.type.integer.wrap(target.cursor.enum_value)))
        if target.kind == "VAR_DECL" and target.type.is_const and self.initialiser(target) is not None:
            return self.initialised(target.type, self.initialiser(target), target)
        raise node.unsupported(f"the variable {node.name}")

    def visible_frames(self):
        """The frame of the function that is executed, for a lambda also those around it."""
        frame = self.frames[-1] if self.frames else None
        while frame is not None:
            yield frame
            frame = frame.function.frame if isinstance(frame.function, Closure) else None

    def member_cell(self, node):
        if node.target.kind == "VAR_DECL":  # a static one
            if node.constant is None:
                raise node.unsupported("this static member")
            return Cell(Scalar(node.type.integer, node.constant))
        if node.children:
            base = node.children[0]
            value = self.lvalue(base).value
            if isinstance(value, Pointer) and isinstance(value.array, Array):
                value = value.array.cells[value.offset].value
        else:
            this = self.frame.this
            value = this.value if this is not None else None
        if not isinstance(value, Struct) or node.name not in value.members:
            raise node.unsupported(f"the member {node.name}")
        return value.members[node.name]

    def element_cell(self, node, pointer, index):
        if not isinstance(pointer, Pointer) or not isinstance(index, Scalar):
            raise node.unsupported("this subscript")
        index = self.converted(index, INT64, False).term
        position = self.arithmetic.binary("+", INT64, pointer.offset, index)
        self.line = node.line
        if isinstance(pointer.array, UnknownArray):
            array = pointer.array
            inside = [self.arithmetic.compare("<=", INT64, 0, position),
                      self.arithmetic.compare("<", INT64, position, array.length)]  # fmt: skip
            self.oblige("range of a subscript", conjunction(inside))
            term = array.function(self.arithmetic.number(INT64, position))
            self.learn(z3.And(array.low <= term, term <= array.kind.high))
            return Cell(Scalar(array.kind, term))
        if not isinstance(pointer.array, Array) or not is_known(position):
            raise node.unsupported("a subscript that is not known")
        self.oblige("range of a subscript", 0 <= position < len(pointer.array.cells))
        if not 0 <= position < len(pointer.array.cells):
            raise node.unsupported("a subscript out of range")
        return pointer.array.cells[position]

    # ---- Operators

    def unary(self, node):
        operator, operand = node.operator, node.children[0]
        if operator in STEPS:
            if operator.endswith("after"):
                before = self.lvalue(operand).value
                self.step(node)
                return before
            return self.step(node).value
        if operator == "*":
            return self.load(node, self.lvalue(node))
        if operator == "&":
            return Pointer(Array([self.lvalue(operand)]))
        value = self.value(operand)
        if not isinstance(value, Scalar):
            raise node.unsupported(f"{operator} of something else than an integer")
        self.line = node.line
        if operator == "!":
            return Scalar(BOOL, negation(value.term))
        if operator == "-":
            return Scalar(value.kind, self.arithmetic.negate(value.kind, value.term))
        if operator == "+":
            return value
        if operator == "~" and value.kind.bits >= INT.bits:
            ones = value.kind.wrap(-1)
            return Scalar(value.kind, self.arithmetic.binary("-", value.kind, ones, value.term))
        raise node.unsupported(f"the operator {operator}")

    def step(self, node):
        cell = self.lvalue(node.children[0])
        value = self.load(node.children[0], cell)
        if not isinstance(value, Scalar) or value.kind.bits < INT.bits:
            raise node.unsupported("a step of something else than an integer")
        self.line = node.line
        cell.value = Scalar(value.kind, self.arithmetic.binary(node.operator[0], value.kind, value.term, 1))
        return cell

    def binary(self, node):
        operator = node.operator
        if operator in ASSIGNMENTS:
            return self.assign(node).value
        left, right = node.children
        if operator in ("&&", "||"):
            return self.logical(operator, left, right)
        if operator == ",":
            self.evaluate(left)
            return self.value(right)
        a, b = self.value(left), self.value(right)
        if isinstance(a, Pointer) and isinstance(b, Pointer) and None in (a.array, b.array) and operator in ("==", "!="):
            return Scalar(BOOL, (a.array is b.array) == (operator == "=="))
        if isinstance(a, Pointer) and isinstance(b, Scalar) and operator == "+":
            offset = self.converted(b, INT64, False).term
            return Pointer(a.array, self.arithmetic.binary("+", INT64, a.offset, offset))
        return self.operation(node, operator, a, b)

    def operation(self, node, operator, a, b):
        if not isinstance(a, Scalar) or not isinstance(b, Scalar):
            raise node.unsupported(f"{operator} of something else than integers")
        self.line = node.line
        try:
            if operator in ("<<", ">>"):
                amount = self.converted(b, INT, False).term
                return Scalar(a.kind, self.arithmetic.binary(operator, a.kind, a.term, amount))
            if a.kind != b.kind:
                raise node.unsupported(f"{operator} of {a.kind} and {b.kind}")
            if operator in COMPARISONS:
                return Scalar(BOOL, self.arithmetic.compare(operator, a.kind, a.term, b.term))
            if a.kind.bits < INT.bits:
                raise node.unsupported(f"{operator} of {a.kind}")
            return Scalar(a.kind, self.arithmetic.binary(operator, a.kind, a.term, b.term))
        except UnsupportedArithmetic as problem:
            raise node.unsupported(str(problem)) from problem

    def assign(self, node):
        """An assignment, of integers or of pointers; the right operand is evaluated first."""
        target, source = node.children
        value = self.value(source)
        cell = self.lvalue(target)
        if node.operator == "=":
            cell.value = copy_of(value)
            return cell
        before = self.load(target, cell)
        if not isinstance(before, Scalar) or before.kind.bits < INT.bits:
            raise node.unsupported("this assignment")
        cell.value = self.operation(node, node.operator[:-1], before, value)
        return cell

    def logical(self, operator, left, right):
        """&& and ||. An operand without effects that needs no decision is a term, under the condition that it is
        reached."""
        a = self.condition(left)
        reached = a if operator == "&&" else negation(a)
        otherwise = Scalar(BOOL, operator == "||")
        if is_known(reached):
            return self.value(right) if reached else otherwise
        if not self.is_pure(right):
            return self.value(right) if self.decide(reached) else otherwise
        is_skipped, b = self.under(reached, lambda: self.condition(right))
        if is_skipped:
            return otherwise
        return Scalar(BOOL, conjunction([a, b]) if operator == "&&" else negation(conjunction([reached, negation(b)])))

    def under(self, condition, evaluate):
        """Evaluates under a condition. Returns whether it was decided to be false, and the value."""
        self.guards.append(condition)
        level = len(self.guards) - 1
        try:
            return False, evaluate()
        except GuardFails as failed:
            if failed.level != level:
                raise
            return True, None
        finally:
            del self.guards[level:]

    def conditional(self, node):
        condition, yes, no = node.children
        chosen = self.condition(condition)
        if is_known(chosen):
            return self.value(yes if chosen else no)
        if node.type.integer is None or not self.is_pure(yes) or not self.is_pure(no):
            return self.value(yes if self.decide(chosen) else no)
        is_skipped, a = self.under(chosen, lambda: self.value(yes))
        if is_skipped:
            return self.value(no)
        is_skipped, b = self.under(negation(chosen), lambda: self.value(no))
        if is_skipped:
            return a
        if a.kind != b.kind:
            raise node.unsupported(f"a choice of {a.kind} and {b.kind}")
        return Scalar(a.kind, self.arithmetic.choose(a.kind, chosen, a.term, b.term))

    def is_pure(self, node):
        """Whether an expression changes nothing, as far as that is easy to see, so that it can become a term."""
        if not self.merges:
            return False
        if node.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR") and node.operator in ASSIGNMENTS:
            return False
        if node.kind == "UNARY_OPERATOR" and node.operator in STEPS or node.kind == "LAMBDA_EXPR":
            return False
        if node.kind == "CALL_EXPR":
            target = node.target
            if target is None or target.kind not in ("FUNCTION_DECL", "CXX_METHOD"):
                return False
            if target.kind == "CXX_METHOD" and not (target.cursor.is_const_method() or target.cursor.is_static_method()):
                return False
            if target.name == "operator()":
                return False
            for parameter in target.parameters:
                if parameter.type.is_reference and not parameter.type.element.is_const:
                    return False
        return all(self.is_pure(child) for child in node.children)

    # ---- Calls

    def call_expression(self, node):
        """Returns the cell that a function refers to by its result, or the value."""
        self.line = node.line
        target = node.target
        if target is None:
            if node.constant is None or node.type.integer is None:
                raise node.unsupported("a call of an unknown function")
            return Scalar(node.type.integer, node.constant)  # the function is in parentheses
        if target.kind == "CONSTRUCTOR":
            return self.construct_from(node, target)
        name = target.qualified_name
        # A pointer to a function is called by its contract only.
        if target.kind not in ("FUNCTION_DECL", "CXX_METHOD") and name not in self.contracts:
            raise node.unsupported(f"a call of {target.name}")
        this, arguments = self.split_call(node, target)
        if name == ASSERTION:
            condition = self.condition(arguments[0])
            self.line = node.line
            self.oblige("assertion", condition)
            return None
        if name in self.contracts:
            return self.contracts[name](self, this, arguments)
        if isinstance(this, Cell) and isinstance(this.value, Closure):
            return self.call_closure(node, this.value, arguments)
        if name.startswith("std::"):
            if node.constant is None:
                raise node.unsupported(f"a call of {name}")
            return Scalar(node.type.integer, node.constant)
        if target.definition is None and target.name == "operator=":
            this.value = copy_of(self.lvalue(arguments[0]).value)  # the implicit one
            return this
        cells = [self.argument(target, k, one) for k, one in enumerate(arguments)]
        return self.run(target, this, cells)

    def split_call(self, node, target):
        """The object of a call and the nodes of its arguments."""
        callee, *arguments = node.children
        is_member = callee.kind == "MEMBER_REF_EXPR" and callee.target.kind == "CXX_METHOD"
        if target.name.startswith("operator") and not is_member:  # by an operator: between the operands is its name
            first, _, *rest = node.children
            return (self.lvalue(first), rest) if target.kind == "CXX_METHOD" else (None, [first, *rest])
        if not is_member or target.cursor.is_static_method():
            return None, arguments
        if not callee.children:
            return self.frame.this, arguments
        cell = self.lvalue(callee.children[0])
        if isinstance(cell.value, Pointer) and isinstance(cell.value.array, Array):
            cell = cell.value.array.cells[cell.value.offset]
        return cell, arguments

    def argument(self, function, k, node):
        parameter = function.definition.parameters[k] if function.definition is not None else function.parameters[k]
        if node.kind == "UNEXPOSED_EXPR" and not node.children:  # a default argument
            expression = self.initialiser(parameter)
            if expression is None:
                raise node.unsupported("this default argument")
            node = expression
        return self.initialised(parameter.type, node, parameter)

    def construct_from(self, node, constructor):
        record = node.type.record
        if record is None:
            raise node.unsupported("this constructor")
        if constructor.definition is None:  # an implicit one
            return self.construct(node.type, constructor, [self.lvalue(one) for one in node.children])
        cells = [self.argument(constructor, k, one) for k, one in enumerate(node.children)]
        return self.construct(node.type, constructor, cells)

    def closure(self, node):
        tokens = [token.spelling for token in node.cursor.get_tokens()][:3]
        if tokens not in (["[", "&", "]"], ["[", "]", "("]):
            raise node.unsupported("a lambda that captures by copy")
        return Closure(node, self.frame)

    def call_closure(self, node, closure, arguments):
        parameters = [child for child in closure.node.children if child.kind == "PARM_DECL"]
        variables = {}
        for parameter, argument in zip(parameters, arguments, strict=True):
            variables[parameter.key] = self.initialised(parameter.type, argument, parameter)
        self.frames.append(Frame(variables, closure.frame.this, closure))
        try:
            self.execute(closure.node.body)
        except Return as returned:
            return returned.value
        finally:
            self.frames.pop()
        return None


VALUES = {
    "INTEGER_LITERAL": Execution.literal,
    "CXX_BOOL_LITERAL_EXPR": Execution.literal,
    "CXX_UNARY_EXPR": Execution.literal,  # sizeof
    "STRING_LITERAL": lambda *_: Text(),
    "CXX_NULL_PTR_LITERAL_EXPR": lambda *_: Pointer(None),
    "UNARY_OPERATOR": Execution.unary,
    "BINARY_OPERATOR": Execution.binary,
    "COMPOUND_ASSIGNMENT_OPERATOR": lambda self, node: self.assign(node).value,
    "CONDITIONAL_OPERATOR": Execution.conditional,
    "INIT_LIST_EXPR": Execution.init_list,
    "LAMBDA_EXPR": Execution.closure,
    "CXX_THIS_EXPR": lambda self, node: Pointer(Array([self.frame.this])),
}
