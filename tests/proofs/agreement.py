# SPDX-License-Identifier: Apache-2.0
"""Compares the translation with the compiler: the terms that the proofs use of a function, in both forms of arithmetic, have
the values that the compiled function returns, for arguments at and near the limits of their types and for random ones.
Functions of many arguments are executed with known values instead."""

import dataclasses
import pathlib
import random
import subprocess
import tempfile

import z3

from arithmetic import BOOL, INT, INT64, UINT64, BitVectors, Integer, Integers
from contracts import DIVISOR, REFUSALS
from execution import Array, Cell, Execution, Pointer, Scalar, Text
from indices import TYPES
from slices import PythonSlice

SAMPLES = 40  # of each function
PYTHON_SAMPLES = 1000
SEED = 20240515
FLAG = Integer(8, False)


@dataclasses.dataclass
class Case:
    """A function: how it is called here and in C++ (`{0}` is the first argument), the types of its arguments, the arguments
    for which it is defined, and the members of its result. Without forms it is executed with known values."""

    name: str
    call: object
    code: str
    kinds: tuple
    is_defined: object = lambda *_: True
    members: tuple = ()
    forms: tuple = (BitVectors, Integers)
    contracts: dict = dataclasses.field(default_factory=dict)


def function(name, kinds, is_defined=lambda *_: True, code=None, **more):
    """A function of integers. Enumerations are passed by their values."""
    arguments = ", ".join(f"{{{k}}}" for k in range(len(kinds)))
    return Case(name, lambda e, *given: e.call(name, *given), code or f"{name}({arguments})", kinds, is_defined, **more)


def call_quotient(e, by, n):
    made = Cell(e.call(("strew::detail::divisor::divisor", 1), by))
    return e.call("strew::detail::divisor::quotient", n, this=made)


def call_place(e, *given):
    *arguments, coordinate = given
    made = Cell(e.call(f"strew::mpi::distribution::{('block', 'block_cyclic')[len(arguments) - 2]}", *arguments))
    return e.call("strew::mpi::distribution::locate", coordinate, this=made)


def call_contains(e, begin, count, coordinate):
    made = e.struct("strew::detail::axis_range", begin=begin, count=count)
    return e.call("strew::detail::axis_range::contains", coordinate, this=Cell(made))


def call_diagonal(e, *given):
    return e.call(("strew::detail::diagonal::diagonal", 3), *given)


def call_elements_within(e, first, step, count, begin, size):
    step, count = (e.converted(value, INT64, True) for value in (step, count))  # of 8 bits, so that most are inside
    slice_ = e.struct("strew::slice_range", first=first, step=step, count=count)
    return e.call("strew::detail::elements_within", slice_, e.struct("strew::detail::axis_range", begin=begin, count=size))


def call_divide(e, number, by, are_short=False):
    numbers, rests = Cell(number), Cell()
    places = [Pointer(Array([cell])) for cell in (numbers, rests)]
    e.call("strew::detail::divide", *places, Scalar(INT64, 1), by, Scalar(BOOL, are_short))
    return [numbers.value, rests.value]


def list_of(e, values):
    capacity = e.headers.constant("strew::max_rank")
    cells = [Cell(value) for value in values] + [Cell() for _ in range(capacity - len(values))]
    return e.struct("strew::index_list", values_=Array(cells), size_=Scalar(INT, len(values)), flags_=Scalar(Integer(32, False), 0))


def call_layout(e, width, *given):
    """A layout of three axes; its number is 0 if it is not accepted."""
    made = Cell(e.struct("strew::strided_layout", extents_=list_of(e, []), strides_=list_of(e, [])))
    rules = e.struct("strew::detail::layout_rules")
    accepted = e.call("strew::detail::make_layout", rules, list_of(e, given[:3]), list_of(e, given[3:]), width, made, Text())
    return accepted, made.value


def call_layout_members(e, *given):
    accepted, made = call_layout(e, *given)
    if not e.decide(accepted.term):
        return [Scalar(INT64, 0)] * 5
    members = [made[name] for name in ("lowest_", "highest_", "size_")]
    return [Scalar(INT64, 1), *members, e.converted(made["is_row_major_"], INT64, False)]


def call_offset_of_number(e, number, *given):
    _, made = call_layout(e, Scalar(UINT64, 1), *given)
    return e.call("strew::detail::offset_of_number", made, number)


def measured(execution, *_):
    """The thresholds of builds that are no test builds; some others are no integers."""
    made = execution.blank(execution.headers.record("strew::detail::tuning::thresholds").record)
    for member in made.record.members:
        if member.type.integer == INT64:
            execution.initialise_member(made, member)
    return Cell(made)


def call_box(e, first, second, elements, width, threads, axis, part):
    """A box of a partition of two axes: its number modulo the number of boxes, and the ranges of the axes."""
    job = e.struct(
        "strew::detail::work_shape",
        extents=Cell(list_of(e, [first, second])),
        elements=elements,
        element_size=width,
        scatter_axis=e.converted(axis, INT, False),
    )
    made = Cell(e.call(("strew::detail::partition::partition", 2), job, threads))
    size = made.value["size_"]
    number = Scalar(INT64, e.arithmetic.binary("%", INT64, part.term, size.term))
    box = e.call("strew::detail::partition::operator[]", number, this=made)
    axes = [box["axes_"].cells[k].value for k in range(2)]
    return [size, *(one[name] for one in axes for name in ("begin", "count"))]


def is_layout(width, *given):
    """Whether make_layout accepts it."""
    counts = [max(extent, 1) for extent in given[:3]]
    span = sum((count - 1) * abs(stride) for count, stride in zip(counts, given[3:])) + 1
    return width >= 1 and min(given[:3]) >= 0 and counts[0] * counts[1] * counts[2] <= INT64.high and span * width <= INT64.high


def has_elements(number, *given):
    return is_layout(1, *given) and 0 <= number < given[0] * given[1] * given[2]


def is_job(first, second, elements, width, threads, axis, part):
    return (1 <= first and 1 <= second and 1 <= width and first * second * width <= INT64.high and elements >= 0
            and 1 <= threads <= 1024 and -1 <= axis <= 1 and part >= 0)  # fmt: skip


def resolves(bits, is_unsigned, extent, rule, policy):
    if not (extent >= 0 and rule <= 1 and policy <= 3):
        return False
    return extent > 0 or policy in (0, 1)


CASES = [
    *(function(f"strew::saturate<{name}>", (kind,)) for name, kind in TYPES.items()),
    *(function(f"strew::normalize_axis<{name}>", (kind, INT), lambda _, rank: 0 <= rank <= 64) for name, kind in TYPES.items()),
    *(
        function(
            f"strew::normalize_index<{name}>",
            (kind, INT64, FLAG),
            lambda _, extent, rule: extent >= 0 and rule <= 1,
            code=f"strew::normalize_index<{name}>({{0}}, {{1}}, strew::index_rule({{2}}))",
        )
        for name, kind in TYPES.items()
    ),
    *(
        function(f"strew::detail::element_of<{name}>", (kind, INT64), lambda i, extent: -extent <= i < extent)
        for name, kind in TYPES.items()
    ),
    function("strew::detail::magnitude", (INT64,)),
    function("strew::detail::saturating_add", (UINT64, UINT64)),
    # Of | the integers know bounds only, and of products the solvers for bit-vectors know little.
    function("strew::detail::saturating_multiply", (UINT64, UINT64), forms=(BitVectors,)),
    function("strew::detail::scaled", (INT64, INT64)),
    function(
        "strew::detail::resolve_index",
        (INT64, BOOL, INT64, FLAG, FLAG),
        resolves,
        code="strew::detail::resolve_index({0}, {1}, {2}, strew::index_rule({3}), strew::index_policy({4}))",
    ),
    function(
        "strew::detail::clamp_slice",
        (INT64, INT64, INT64, INT64),
        lambda start, stop, step, extent: step != 0 and extent >= 0,
        members=("first", "step", "count"),
    ),
    Case(
        "elements_within",
        call_elements_within,
        "strew::detail::elements_within({{{0}, {1}, {2}}}, {{{3}, {4}}})",
        (INT64, Integer(8, True), FLAG, INT64, INT64),
        lambda first, step, count, begin, size: 0 <= first < 1 << 40 and step != 0 and 0 <= begin
        and 0 <= size and begin + size <= INT64.high and first + (count - 1) * step >= 0,
        ("begin", "count"),
    ),
    Case("divisor", call_quotient, "strew::detail::divisor({0}).quotient({1})", (INT64, INT64), lambda by, n: by >= 1 and n >= 0),
    Case(
        "block",
        call_place,
        "strew::mpi::distribution::block({0}, {1}).locate({2})",
        (INT64, INT64, INT64),
        lambda extent, ranks, at: ranks >= 1 and 0 <= at < extent,
        ("rank", "local"),
        (Integers,),
        DIVISOR,
    ),
    Case(
        "block_cyclic",
        call_place,
        "strew::mpi::distribution::block_cyclic({0}, {1}, {2}).locate({3})",
        (INT64, INT64, INT64, INT64),
        lambda extent, ranks, size, at: ranks >= 1 and size >= 1 and 0 <= at < extent,
        ("rank", "local"),
        (Integers,),
        DIVISOR,
    ),
    Case(
        "axis_range::contains",
        call_contains,
        "strew::detail::axis_range{{{0}, {1}}}.contains({2})",
        (INT64, INT64, INT64),
        lambda begin, count, _: begin >= 0 and count >= 0 and begin + count <= INT64.high,
    ),
    Case(
        "diagonal",
        call_diagonal,
        "strew::detail::diagonal({0}, {1}, {2})",
        (INT64, INT64, INT64),
        lambda _, rows, columns: rows >= 0 and columns >= 0,
        ("row", "column", "length"),
    ),
    *(
        Case(
            f"make_layout, {name}",
            call_layout_members,
            "layout_of({0}, {{{1}, {2}, {3}}}, {{{4}, {5}, {6}}})",
            (UINT64, *[INT64] * 6),
            is_defined,
            ("[0]", "[1]", "[2]", "[3]", "[4]"),
            (),
            REFUSALS,
        )
        for name, is_defined in (("accepted", is_layout), ("any", lambda width, *_: width >= 1))
    ),
    Case(
        "offset_of_number",
        call_offset_of_number,
        "strew::detail::offset_of_number(made({{{1}, {2}, {3}}}, {{{4}, {5}, {6}}}), {0})",
        (INT64,) * 7,
        has_elements,
        (),
        (),
    ),
    Case(
        "partition",
        call_box,
        "box_of({0}, {1}, {2}, {3}, {4}, {5}, {6})",
        (INT64,) * 7,
        is_job,
        ("[0]", "[1]", "[2]", "[3]", "[4]"),
        (),
        {"strew::detail::tuning::limits": measured},
    ),
    Case(
        "divide",
        call_divide,
        "divided({0}, {1}, false)",
        (INT64, INT64),
        lambda number, by: number >= 0 and by >= 1,
        ("[0]", "[1]"),
    ),
    Case(
        "divide, short numbers",
        lambda e, number, by: call_divide(e, number, by, True),
        "divided({0}, {1}, true)",
        (INT64, INT64),
        lambda number, by: 0 <= number < 1 << 32 and 1 < by <= 1 << 32,
        ("[0]", "[1]"),
    ),
]  # fmt: skip

# What the code of cases calls.
HELPERS = """
strew::strided_layout made(const strew::index_list& extents, const strew::index_list& strides) {
  strew::strided_layout result;
  if (!strew::strided_layout::try_make(extents, strides, 1, result).ok()) std::abort();
  return result;
}
std::array<std::int64_t, 5> layout_of(std::uint64_t width, const strew::index_list& extents, const strew::index_list& strides) {
  strew::strided_layout of;
  if (!strew::strided_layout::try_make(extents, strides, width, of).ok()) return {};
  return {1, of.lowest_offset(), of.highest_offset(), of.size(), of.is_row_major() ? 1 : 0};
}
std::array<std::int64_t, 5> box_of(std::int64_t first, std::int64_t second, std::int64_t elements, std::int64_t width,
                                   std::int64_t threads, std::int64_t axis, std::int64_t part) {
  const strew::index_list extents{first, second};
  const strew::detail::partition boxes({extents, elements, width, static_cast<int>(axis)}, threads);
  const strew::detail::box box = boxes[part % boxes.size()];
  return {boxes.size(), box[0].begin, box[0].count, box[1].begin, box[1].count};
}
std::array<std::int64_t, 2> divided(std::int64_t number, std::int64_t by, bool are_short) {
  std::int64_t rest = -1;
  strew::detail::divide(&number, &rest, 1, by, are_short);
  return {number, rest};
}
"""


def corners(kind):
    """Values at and near the limits of a type."""
    if kind == BOOL:
        return [0, 1]
    near = [0, 1, 2, 3, 5, 7, 10, 100, 1 << 20, (1 << 31) - 1, 1 << 31, 1 << 32, (1 << 62) + 1]
    values = {*near, *(-one for one in near), kind.low, kind.low + 1, kind.high, kind.high - 1}
    return sorted(value for value in values if kind.low <= value <= kind.high)


def draw(kind, values, source):
    """A value at a limit, a small one, or one of any size."""
    how = source.randrange(4)
    if how < 2 or kind.bits < 8:
        return source.choice(values)
    value = source.randrange(20) if how == 2 else source.getrandbits(source.randrange(1, kind.bits + 1))
    return kind.wrap(-value if kind.signed and source.randrange(3) == 0 else value)


def samples(case, source):
    """Arguments for which the function is defined."""
    choices = [corners(kind) for kind in case.kinds]
    found = []
    for _ in range(20_000 * SAMPLES):
        given = tuple(draw(kind, values, source) for kind, values in zip(case.kinds, choices))
        if given not in found and case.is_defined(*given):
            found.append(given)
        if len(found) == SAMPLES:
            break
    return found


def literal(kind, value):
    if kind == BOOL:
        return "true" if value else "false"
    suffix = ("" if kind.signed else "u") + ("ll" if kind.bits == 64 else "")
    if value == kind.low and kind.signed:
        return f"std::int{kind.bits}_t({value + 1}{suffix} - 1)"
    return f"std::{'' if kind.signed else 'u'}int{kind.bits}_t({value}{suffix})"


def compiled_results(cases, include, compiler):
    """What the compiled functions return: for each case and each of its samples a tuple of integers."""
    lines = [
        *(f"#include <{header}>" for header in ("array", "cstdint", "cstdio", "cstdlib")),
        *(f"#include <strew/{header}.hpp>" for header in
          ("detail/kernels/divide_numbers", "detail/plan/partition", "detail/plan/scatter_plan", "detail/rules/part_view",
           "detail/rules/policy", "mpi/distribution")),
        "void print(std::int64_t value) { std::printf(\"%lld \", static_cast<long long>(value)); }",
        "void print(std::uint64_t value) { std::printf(\"%llu \", static_cast<unsigned long long>(value)); }",
        "void print(bool value) { std::printf(\"%d \", value ? 1 : 0); }",
        HELPERS,
        "int main() {",
    ]  # fmt: skip
    for case, given in cases:
        for arguments in given:
            texts = [literal(kind, value) for kind, value in zip(case.kinds, arguments)]
            lines.append(f"  {{ const auto r = {case.code.format(*texts)};")
            lines += [f"    print(r{member if member[:1] in ('', '[') else '.' + member});" for member in case.members or [""]]
            lines.append('    std::printf("\\n"); }')
    lines.append("}")
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "agreement.cpp", pathlib.Path(folder) / "agreement"
        source.write_text("\n".join(lines))
        subprocess.run([compiler, "-std=c++20", "-O0", f"-I{include}", str(source), "-o", str(program)], check=True)
        output = subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout
    results = iter(tuple(int(number) for number in line.split()) for line in output.splitlines())
    return [[next(results) for _ in given] for _, given in cases]


def translated_results(headers, form, case, given):
    """What the terms of the translation are."""
    execution = Execution(headers, form, case.contracts)
    inputs = [execution.variable(f"argument{k}", kind) for k, kind in enumerate(case.kinds)]
    operations = execution.arithmetic
    if form is Integers:
        execution.assumptions += [z3.And(one.kind.low <= one.term, one.term <= one.kind.high) for one in inputs if one.kind != BOOL]
    paths = list(execution.paths(lambda: case.call(execution, *inputs)))
    for arguments in given:
        values = [operations.term(kind, bool(value) if kind == BOOL else value) for kind, value in zip(case.kinds, arguments)]
        pairs = [(one.term, value) for one, value in zip(inputs, values)]
        found = []
        for path in paths:
            conditions = [z3.simplify(z3.substitute(one, *pairs)) for one in path.conditions]
            if any(z3.is_false(one) for one in conditions):
                continue
            solver = z3.Solver()
            solver.add(*conditions, *(z3.substitute(one, *pairs) for one in path.facts))
            if solver.check() == z3.sat:
                found.append(results_of(path.outcome, case.members, operations, solver.model(), pairs))
        yield found


def executed_results(headers, case, given):
    """What executions with known values return. An obligation that is not met is a difference."""
    for arguments in given:
        execution = Execution(headers, BitVectors, case.contracts)
        inputs = [Scalar(kind, value) for kind, value in zip(case.kinds, arguments, strict=True)]
        found = []
        for path in execution.paths(lambda: case.call(execution, *inputs)):
            values = tuple(int(value.term) for value in values_of(path.outcome, case.members))
            found.append(values if not path.obligations else path.obligations[0].kind)
        yield found


def values_of(outcome, members):
    if isinstance(outcome, list):
        return outcome
    return [outcome[member] for member in members] if members else [outcome]


def results_of(outcome, members, operations, model, pairs):
    numbers = []
    for value in values_of(outcome, members):
        number = operations.term(value.kind, value.term)
        number = model.eval(z3.substitute(number, *pairs), model_completion=True)
        if value.kind == BOOL:
            numbers.append(int(z3.is_true(number)))
        elif z3.is_bv_value(number):
            numbers.append(number.as_signed_long() if value.kind.signed else number.as_long())
        else:
            numbers.append(number.as_long())
    return tuple(numbers)


def compare_python(source):
    """Compares the specification of slices with Python itself. Returns the number of slices that differ."""
    compared = differences = 0
    while compared < PYTHON_SAMPLES:
        start, stop, step, extent = (draw(INT64, corners(INT64), source) for _ in range(4))
        if step == 0 or extent < 0:
            continue
        compared += 1
        first, last, by = slice(start, stop, step).indices(extent)
        length = len(range(first, last, by))
        specified = PythonSlice(*map(z3.IntVal, (start, stop, step, extent)))
        quotient = (specified.quotient, z3.IntVal(length - 1))
        agrees = z3.And(specified.start == first, specified.stop == last, specified.length == length, specified.defines)
        if not z3.is_true(z3.simplify(z3.substitute(agrees, quotient))):
            differences += 1
            print(f"  slice({start}, {stop}, {step}).indices({extent}) is not as specified")
    print(f"{compared - differences} of {compared} slices are specified as Python has them", flush=True)
    return differences


def run(headers, include, compiler):
    """Prints the comparison. Returns the number of values that differ."""
    source = random.Random(SEED)
    cases = [(case, samples(case, source)) for case in CASES]
    compiled = compiled_results(cases, include, compiler)
    compared = differences = 0
    for (case, given), expected in zip(cases, compiled):
        translations = [(form.name, translated_results(headers, form, case, given)) for form in case.forms]
        for name, results in translations or [("known values", executed_results(headers, case, given))]:
            for arguments, wanted, found in zip(given, expected, results, strict=True):
                compared += 1
                if found != [wanted]:
                    differences += 1
                    print(f"  {case.name}{arguments} is {wanted}, translated to {name} {found}")
    agreed = compared - differences
    print(f"{agreed} of {compared} results of {len(cases)} functions are those of compiled code", flush=True)
    return differences + compare_python(source)
