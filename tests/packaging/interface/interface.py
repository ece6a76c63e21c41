#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The public interface, a line for each name: interface.py writes interface.txt, interface.py --check compares with it.

What docs/versions.md calls stable: functions and members with their parameters and defaults, enumerators with their
numbers, members of aggregates in their order, objects by their names alone. Needs Debian's python3-clang, which goes with
Debian's Python.
"""

import difflib
import pathlib
import re
import sys

from clang.cindex import AccessSpecifier, CursorKind, Index

ROOT = pathlib.Path(__file__).resolve().parents[3]
INCLUDE = ROOT / "include"
LIST = pathlib.Path(__file__).resolve().parent / "interface.txt"

FUNCTIONS = {
    CursorKind.FUNCTION_DECL,
    CursorKind.FUNCTION_TEMPLATE,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
}
CLASSES = {
    CursorKind.CLASS_DECL,
    CursorKind.STRUCT_DECL,
    CursorKind.CLASS_TEMPLATE,
    CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
}
# Helpers that stand in public headers for argument-dependent lookup.
HIDDEN = {"strew::dynamic::run_slice_scatter"}
# Which of these there are may change.
SPECIFIERS = r"\b(STREW_\w+|inline|constexpr|explicit|static|friend)\b|\[ \[ .*? \] \]"


def headers():
    """All public headers; MPI's are read without MPI, so they have a list of their own in their documents."""
    return sorted(
        path
        for path in (INCLUDE / "strew").rglob("*.hpp")
        if not {"detail", "mpi", "mpi.hpp"} & set(path.relative_to(INCLUDE).parts)
    )


def signature(cursor):
    """The declaration without its body, its initialisers and its specifiers."""
    depth, words = 0, []
    for token in cursor.get_tokens():
        text = token.spelling
        if depth == 0 and (text in ("{", ";") or (text == ":" and cursor.kind == CursorKind.CONSTRUCTOR)):
            break
        depth += {"(": 1, ")": -1}.get(text, 0)
        words.append(text)
    text = re.sub(SPECIFIERS, " ", " ".join(words))
    text = re.sub(r"\s+", " ", text).strip()
    return re.sub(r" ?(::|[(<]) ?| ([),>&*])(?=)", lambda m: m[1] or m[2], text)


def members(cursor, path, lines):
    public = [child for child in cursor.get_children() if child.access_specifier == AccessSpecifier.PUBLIC]
    fields = [child.spelling for child in public if child.kind == CursorKind.FIELD_DECL]
    for child in public:
        describe(child, path, lines, fields)


def describe(cursor, path, lines, fields=()):
    name = "::".join(path + [cursor.spelling])
    if name in HIDDEN:
        return
    if cursor.kind in FUNCTIONS:
        lines.add(f"{'::'.join(path)}: {signature(cursor)}")
    elif cursor.kind in CLASSES and cursor.is_definition():
        lines.add(f"class {'::'.join(path + [cursor.displayname])}")
        members(cursor, path + [cursor.spelling], lines)
    elif cursor.kind == CursorKind.ENUM_DECL and cursor.is_definition():
        values = ", ".join(f"{each.spelling} = {each.enum_value}" for each in cursor.get_children()
                           if each.kind == CursorKind.ENUM_CONSTANT_DECL)
        lines.add(f"enum {name}: {values}")
    elif cursor.kind == CursorKind.FIELD_DECL:
        number = fields.index(cursor.spelling) + 1
        lines.add(f"member {number} of {'::'.join(path)}: {cursor.type.spelling.replace('strew::', '')} {cursor.spelling}")
    elif cursor.kind in (CursorKind.TYPE_ALIAS_DECL, CursorKind.TYPE_ALIAS_TEMPLATE_DECL):
        lines.add(f"type {name}")
    elif cursor.kind == CursorKind.VAR_DECL or cursor.kind.name == "CONCEPT_DECL":
        lines.add(f"object {name}")
    elif cursor.kind == CursorKind.UNEXPOSED_DECL and re.fullmatch(r"\w+", cursor.spelling or ""):
        lines.add(f"object {name}")  # variable templates and concepts, in older versions of libclang


def interface():
    public = headers()
    text = "".join(f"#include <{path.relative_to(INCLUDE)}>\n" for path in public)
    unit = Index.create().parse("all.cpp", ["-std=c++20", "-I", str(INCLUDE)], unsaved_files=[("all.cpp", text)])
    if errors := [str(note) for note in unit.diagnostics if note.severity >= 3]:
        sys.exit("\n".join(errors))
    names = {str(path) for path in public}
    lines = set()

    def walk(cursor, path):
        for child in cursor.get_children():
            if not child.location.file or not child.location.file.name.startswith(str(INCLUDE)):
                continue
            if child.kind == CursorKind.NAMESPACE:
                if child.spelling not in ("detail", "erased"):
                    is_versioned = re.fullmatch(r"v\d+_\d+r\d+", child.spelling)
                    walk(child, path if is_versioned else path + [child.spelling])
            elif path and child.location.file.name in names:
                describe(child, path, lines)

    walk(unit.cursor, [])
    return [f"{line}\n" for line in sorted(lines) if "detail::" not in line.split(":")[0]]


found = interface()
if "--check" in sys.argv[1:]:
    listed = LIST.read_text().splitlines(keepends=True)
    changes = [line for line in difflib.unified_diff(listed, found, "interface.txt", "the headers", n=0)]
    sys.stdout.writelines(changes)
    print(f"{len(found)} lines of the public interface")
    if changes:
        sys.exit("The public interface is not the one listed. If that is meant: interface.py, and a line in CHANGELOG.md")
else:
    LIST.write_text("".join(found))
