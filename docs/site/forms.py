# SPDX-License-Identifier: Apache-2.0
"""The calls of each operator, from what docs/site/forms asked the compiler and from the comment above the operator.

The extents of operands stand in that comment, on the one or two lines that end in `-> output[..]`; the errors are compared with
those that it names."""
import pathlib
import re
from dataclasses import dataclass, field

EIGHT_INDEX_TYPES = "int8, int16, int32, int64, uint8, uint16, uint32, uint64"
EVERY_ELEMENT = "integers, floating point, bool, complex, std::string"
INDEX_NAMES = {"indices", "index", "write_indices", "std::tuple{i0, i1}"}
TENSORS = {"data", "past_cache", "updates", "update", "source", "values", "output"}


@dataclass
class Operator:
    calls: list[str] = field(default_factory=list)
    arguments: list[tuple[str, str]] = field(default_factory=list)  # name, what holds without it
    facts: dict[str, str] = field(default_factory=dict)
    policies: list[str] = field(default_factory=list)
    reductions: list[tuple[str, str]] = field(default_factory=list)  # name, elements
    errors: list[tuple[str, str]] = field(default_factory=list)  # code, message


def read(path):
    """The operators by name, and the names of all codes of errors."""
    operators, codes = {}, set()
    for line in pathlib.Path(path).read_text().splitlines():
        kind, *fields = line.split("\t")
        if kind in ("operator", "errors"):
            one = operators.setdefault(fields[0], Operator())
        elif kind == "code":
            codes.add(fields[0])
        elif kind == "call":
            one.calls.append(fields[0])
        elif kind == "argument":
            one.arguments.append((fields[0], fields[1]))
        elif kind == "policy":
            one.policies.append(fields[0])
        elif kind == "reduction":
            one.reductions.append((fields[0], fields[1]))
        elif kind == "error":
            one.errors.append((fields[0], fields[1]))
        else:
            one.facts[kind] = fields[0]
    for name, one in operators.items():
        if not one.calls or not one.errors or one.facts.get("executor") != "1":
            raise RuntimeError(f"docs/site/forms prints no calls or no errors of {name}, or others behind an executor")
    return operators, codes


def without_braces(arguments):
    return re.sub(r"\{[^}]*\}", "{}", arguments)


def extents_in_comment(name, comment, operators):
    """The extents by operands that the comment above an operator has; its call must be the longest that compiles."""
    found = re.search(r"^  \w+\[[^\n]*(?:\n  [^\n]*)?-> output\[.*$", comment, re.MULTILINE)
    if found is None:
        raise RuntimeError(f"The comment above {name} has no line of extents, data[..], .. -> output[..]")
    line = " ".join(found.group().split())
    extents = {found.group(1): found.group(2)
               for found in re.finditer(r"(\w+)(?: of bool)?\[((?:[^\[\]]|\[[^\]]*\])*)\]", line)}
    if "source of any shape" in line:
        extents["source"] = "of any shape"
    written = re.search(rf"^  {name.rpartition('::')[2]}\((.*)\)$", comment, re.MULTILINE)
    call = operators[name].calls[-1]
    if written is None or without_braces(written.group(1)) != without_braces(call):
        raise RuntimeError(f"The comment above {name} lacks the line of its call with the arguments ({call})")
    return extents


def codes_in_comment(name, comments, codes):
    """The codes that a comment names, with `those of X except A and B` for those of another operator."""
    def codes_in(text):
        return codes & set(re.findall(r"\w+", text))

    found_codes = set()
    for sentence in re.split(r"\. ", re.sub(r"\s+", " ", comments[name])):
        for found in re.finditer(r"those of ((?:\w+::)?\w+)( except [\w, ]+)?", sentence):
            if "rrors" in sentence[:found.start()] and found.group(1) in comments:
                exceptions = found.group(2) or ""
                found_codes |= codes_in_comment(found.group(1), comments, codes) - codes_in(exceptions)
                sentence = sentence.replace(exceptions, "")
        found_codes |= codes_in(sentence)
    return found_codes


def check(operators, codes, comments):
    for name, one in operators.items():
        written, reported = codes_in_comment(name, comments, codes), {code for code, _ in one.errors}
        if written != reported:
            raise RuntimeError(f"{name}: only the comment names the errors {sorted(written - reported)}, "
                               f"only calls report {sorted(reported - written)}")
        extents_in_comment(name, comments[name], operators)


def code_of(name, arguments):
    return f"strew::{name}({arguments});"


def calls(name, operators):
    """A block of code with every choice of arguments."""
    one = operators[name]
    in_place = [call for call in one.calls if not call.endswith(", output")]
    others = [call for call in one.calls if call.endswith(", output")]
    return "\n".join([*(code_of(name, call) for call in in_place), "// into another tensor:",
                      *(code_of(name, call) for call in others)])


def attempted(name):
    scope, _, last = name.rpartition("::")
    return f"{scope}::try_{last}" if scope else f"try_{last}"


def markdown(name, operators, comment):
    one = operators[name]
    extents = extents_in_comment(name, comment, operators)
    notes = [f"An [executor](../executors.md) may stand before `{one.arguments[0][0]}`. The plain forms return nothing "
             f"and throw `strew::scatter_error`; `strew::{attempted(name)}` takes the same arguments, throws nothing "
             f"and returns a `strew::status`."]
    if one.policies:
        index = next(argument for argument, _ in one.arguments if argument in INDEX_NAMES)
        notes.append(f"A [policy](policies.md) may stand around the indices: `strew::{one.policies[0]}({index})`"
                     + "".join(f", `{policy}`" for policy in one.policies[1:]) + ".")
    rows = ["| operand | type | extents | may be left out |", "|---|---|---|---|"]
    for argument, left_out in one.arguments:
        cells = [f"`{argument}`", type_of(argument, one), extents_of(argument, extents), left_out or "no"]
        rows.append("| " + " | ".join(cells) + " |")
    parts = [f"```cpp\n{calls(name, operators)}\n```", "\n".join(notes), "\n".join(rows)]
    elements = one.facts["elements"]
    if one.reductions:
        parts.append("\n".join(["| reduction | elements |", "|---|---|",
                                *(reduction_row(*reduction) for reduction in one.reductions)]))
    else:
        parts.append(f"Elements: {elements_of(name, elements)}, all of one type.")
    parts.append("\n".join(["| error | message of such a call |", "|---|---|",
                            *(f"| `{code}` | `{message}` |" for code, message in one.errors)]))
    return "\n\n".join(parts)


def reduction_row(name, kinds):
    title = name if name == "any callable" else f"`{name}`"
    return f"| {title} | {words(kinds) if name == 'none' else kinds} |"


def elements_of(name, kinds):
    if name in ("index_add", "scatter_add"):
        return "numbers, `bool`, and types that have `+`"
    return words(kinds)


def words(kinds):
    return "any that can be assigned by copy" if kinds == EVERY_ELEMENT else kinds


def type_of(argument, one):
    if argument in INDEX_NAMES:
        if argument.startswith("std::tuple"):
            return "a tuple of tensors of integers, one for each of the first axes"
        if "indices" not in one.facts:
            return "an integer"
        if one.facts["indices"] != EIGHT_INDEX_TYPES:
            raise RuntimeError("The types of indices have changed: docs/site/forms.py does not describe them")
        return "a tensor of integers of 8 to 64 bits"
    if argument == "mask":
        return "a tensor of `bool`"
    if argument in TENSORS:
        value = ", or [one value](index.md#one-value-for-all-targets)" if argument not in (
            "data", "past_cache", "output") and one.facts.get("value") == "1" else ""
        return "a tensor of `T`" + value
    if argument == "value":
        return "a value that converts to `T`, or a view of rank 0"
    if argument == "reduction":
        return "a [reduction](reductions.md)"
    if argument.startswith("scaled_by"):
        return "`strew::scaled_by`, the factor"
    if argument.startswith("{.start"):
        return "`strew::slice_spec`; each list may be left out"
    if argument.startswith("{.mode"):
        return "`strew::onnx::tensor_scatter_options`"
    if argument == "axis" and any(code == "count_mismatch" for code, _ in one.errors):
        return "an integer, or a list of one"
    return "an integer"


def extents_of(argument, extents):
    if argument == "std::tuple{i0, i1}":
        return "`[n0, ..]` each"
    found = extents.get(argument)
    return "" if found is None else found if found.startswith("of ") else f"`[{found}]`"
