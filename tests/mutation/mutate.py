#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Puts mutants into a copy of the headers, all in one build: mutate.py <include> [--count N] [--seed S].

A mutant is an operator that another one replaces: < and <=, > and >=, == and !=, && and ||, + and -. Each becomes
(strew::mutants::is(k) ? (a <= b) : (a < b)), where the number k of the one mutant that lives is read from STREW_MUTANT
when the program starts; in constant evaluation none lives. Programs note which mutants they reach. Writes mutants.json
beside <include>: file, line, and what is replaced. Needs Debian's python3-clang.
"""

import argparse
import json
import pathlib
import random
import re
import sys

from clang.cindex import CursorKind, Index

# What decides whether an access is legal, and what is accessed.
MUTATED = ["view", "detail/rules", "detail/plan", "detail/kernels", "detail/typed", "detail/box.hpp"]
REPLACED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+"}
# Checks and counts of the tests themselves.
ASSERTED = re.compile(r"\bSTREW_(RAN|EXPECT|ASSERT)\(")
SELECTION = """
#include <atomic>
#include <cstdio>
#include <cstdlib>
namespace strew::mutants {
inline const int number = [] {
  const char* const given = std::getenv("STREW_MUTANT");
  return given == nullptr ? 0 : std::atoi(given);
}();
// Which mutants a program has reached, written to the file STREW_MUTANTS_REACHED when it ends.
struct reached_mutants {
  std::atomic<bool> flags[@] = {};
  ~reached_mutants() {
    const char* const name = std::getenv("STREW_MUTANTS_REACHED");
    std::FILE* const file = name == nullptr ? nullptr : std::fopen(name, "a");
    if (file == nullptr) return;
    for (int k = 0; k < @; ++k) {
      if (flags[k].load()) std::fprintf(file, "%d\\n", k);
    }
    std::fclose(file);
  }
};
inline reached_mutants reached;
constexpr bool is(int k) noexcept {
  if (__builtin_is_constant_evaluated()) return false;
  if (!reached.flags[k].load(std::memory_order_relaxed)) reached.flags[k].store(true, std::memory_order_relaxed);
  return number == k;
}
}
"""


def is_constant(cursor):
    """Whether the compiler evaluates this, so that no mutant can live there."""
    return cursor.kind == CursorKind.STATIC_ASSERT or (cursor.kind == CursorKind.VAR_DECL and is_constexpr(cursor))


def is_constexpr(cursor):
    return any(token.spelling == "constexpr" for _, token in zip(range(4), cursor.get_tokens()))


def candidates(include):
    """The operators in functions, by file: (begin, end of the left side, begin of the right side, end, operator)."""
    headers = sorted(path for name in MUTATED for path in
                     ([include / "strew" / name] if name.endswith(".hpp") else (include / "strew" / name).glob("*.hpp")))
    text = "".join(f"#include <{path.relative_to(include)}>\n" for path in [include / "strew/strew.hpp", *headers])
    unit = Index.create().parse("all.cpp", ["-std=c++20", "-I", str(include), "-DSTREW_TEST_BUILD=1"],
                                unsaved_files=[("all.cpp", text)])
    if errors := [str(note) for note in unit.diagnostics if note.severity >= 3]:
        sys.exit("\n".join(errors))
    wanted = {str(path): set() for path in headers}
    sources = {name: pathlib.Path(name).read_text() for name in wanted}

    def walk(cursor, in_function):
        children = list(cursor.get_children())
        if cursor.kind == CursorKind.IF_STMT and is_constexpr(cursor):
            del children[0]  # the condition
        for child in children:
            place = child.location.file
            if place is not None and not place.name.startswith(str(include)):
                continue
            if is_constant(child):
                continue
            is_function = child.kind in (CursorKind.CXX_METHOD, CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE,
                                         CursorKind.CONSTRUCTOR, CursorKind.LAMBDA_EXPR)
            if child.kind == CursorKind.BINARY_OPERATOR and in_function and place is not None and place.name in wanted:
                sides = list(child.get_children())
                if len(sides) == 2:
                    begin, end = child.extent.start.offset, child.extent.end.offset
                    left, right = sides[0].extent.end.offset, sides[1].extent.start.offset
                    between = re.sub(r"//.*", "", sources[place.name][left:right]).strip()
                    line = sources[place.name][:end].rpartition("\n")[2] + sources[place.name][end:].partition("\n")[0]
                    if between in REPLACED and begin < left <= right < end and not ASSERTED.search(line):
                        wanted[place.name].add((begin, left, right, end, between))
            walk(child, in_function or is_function)

    walk(unit.cursor, False)
    return wanted, sources


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=240)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    include = options.include.resolve()
    wanted, sources = candidates(include)
    every = sorted((name, *found) for name, all_found in wanted.items() for found in all_found)
    generator = random.Random(options.seed)
    generator.shuffle(every)
    chosen = []
    for name, begin, left, right, end, operator in every:
        text = sources[name][begin:end]
        # Not across lines of the preprocessor, in macros or in conditions of the compiler; and no two that overlap.
        line = sources[name].rfind("\n", 0, begin) + 1
        before = sources[name][line:begin]
        if "#" in text or "\\\n" in text or re.search(r"if constexpr|requires|static_assert|STREW_EXPECT|STREW_ASSERT", before):
            continue
        if any(other[0] == name and begin < other[4] and other[1] < end for other in chosen):
            continue
        chosen.append((name, begin, left, right, end, operator))
        if len(chosen) == options.count:
            break
    described = {}
    for number, (name, begin, left, right, end, operator) in enumerate(
            sorted(chosen, key=lambda one: (one[0], -one[1])), start=1):
        text = sources[name]
        a, b = text[begin:left], text[right:end]
        described[number] = {
            "file": str(pathlib.Path(name).relative_to(include)), "line": text.count("\n", 0, begin) + 1,
            "was": f"{a} {operator} {b}", "is": f"{a} {REPLACED[operator]} {b}"}
        sources[name] = (text[:begin] + f"(::strew::mutants::is({number}) ? (({a}) {REPLACED[operator]} ({b})) : "
                         f"(({a}) {operator} ({b})))" + text[end:])
    for name, text in sources.items():
        pathlib.Path(name).write_text(text)
    config = include / "strew" / "config.hpp"
    guard = "#define STREW_CONFIG_HPP\n"
    config.write_text(config.read_text().replace(guard, guard + SELECTION.replace("@", str(len(described) + 1)), 1))
    (include.parent / "mutants.json").write_text(json.dumps(described, indent=1) + "\n")
    print(f"{len(described)} mutants of {len(every)} operators")


main()
