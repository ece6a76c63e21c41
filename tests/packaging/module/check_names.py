#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the names that src/strew.cppm exports with those that the headers outside strew/detail declare.
Needs Debian's python3-clang, which goes with Debian's Python."""
import pathlib
import re
import sys

from clang.cindex import CursorKind, Index

root = pathlib.Path(__file__).resolve().parents[3]
include = root / "include"
interface = root / "src" / "strew.cppm"

# Helpers of other headers that stand in a public one, for argument-dependent lookup.
hidden = {"strew::dynamic::run_slice_scatter"}
# Declared below strew/detail, since headers there need them too, and public.
lent = {"strew::index_type", "strew::index_policy", "strew::indices_with_policy", "strew::dynamic::reduction"}


def declared():
    # The module has nothing that needs an MPI library.
    headers = sorted(path for path in (include / "strew").rglob("*.hpp")
                     if not {"detail", "mpi", "mpi.hpp"} & set(path.relative_to(include).parts))
    text = "".join(f"#include <{path.relative_to(include)}>\n" for path in headers)
    unit = Index.create().parse("all.cpp", ["-std=c++20", "-I", str(include)], unsaved_files=[("all.cpp", text)])
    if errors := [str(note) for note in unit.diagnostics if note.severity >= 3]:
        sys.exit("\n".join(errors))
    public = {str(path) for path in headers}
    names = set()

    def walk(cursor, path):
        for child in cursor.get_children():
            if not child.location.file or not child.location.file.name.startswith(str(include)):
                continue
            if child.kind == CursorKind.NAMESPACE:
                if child.spelling not in ("detail", "erased"):
                    is_versioned = re.fullmatch(r"v\d+_\d+r\d+", child.spelling)
                    walk(child, path if is_versioned else path + [child.spelling])
            elif path and child.location.file.name in public and re.fullmatch(r"\w+", child.spelling):
                names.add("::".join(path + [child.spelling]))

    walk(unit.cursor, [])
    return names


wanted = declared() - hidden | lent
exported = set(re.findall(r"^using ([\w:]+);", interface.read_text(), re.MULTILINE))
for name in sorted(wanted - exported):
    print(f"{interface.name} does not export {name}")
for name in sorted(exported - wanted):
    print(f"{interface.name} exports {name}, which no header outside strew/detail declares")
print(f"{len(wanted)} public names, {len(exported)} exported")
sys.exit(wanted != exported)
