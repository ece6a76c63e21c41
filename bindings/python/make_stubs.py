# SPDX-License-Identifier: Apache-2.0
"""Writes the stubs of the compiled module, strew/_strew/*.pyi, from its signatures:

    python -P make_stubs.py [--check]

With -P the installed package is imported, rather than the sources beside this file, which have no compiled module.

With --check nothing is written, and it is an error if the stubs are not those of the installed module.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import strew._strew
from nanobind.stubgen import StubGen

HEADER = "# SPDX-License-Identifier: Apache-2.0\n# Made by make_stubs.py.\n"
IMPORTED = {
    "collections.abc": ["Sequence"],
    "typing": ["SupportsIndex"],
    "strew._typing": ["A", "Array", "Bounds", "CacheMode", "Indices", "Mode", "Number", "Reduction", "Updates"],
}


def stub_of(module: object) -> str:
    """The text of a module's stub, with the imports that it needs."""
    generator = StubGen(module=module, include_docstrings=True, quiet=True)
    generator.put(module)
    text = re.sub(r"^(from|import) [^(\n]*(\([^)]*\)|(\n    .*)*)\n", "", generator.get(), flags=re.MULTILINE)
    signatures = "\n".join(line for line in text.splitlines() if "def " in line)
    imports: list[str] = []
    for source, names in IMPORTED.items():
        used = [name for name in names if re.search(rf"\b{name}\b", signatures)]
        if used:
            imports.append(f"from {source} import {', '.join(used)}")
    return HEADER + "\n".join(imports) + "\n\n" + text.strip() + "\n"


def main() -> None:
    folder = Path(__file__).parent / "strew" / "_strew"
    compiled = strew._strew
    modules = {"__init__": compiled} | {name: getattr(compiled, name) for name in ("v3", "v12", "v15", "onnx")}
    for name, module in modules.items():
        path, text = folder / f"{name}.pyi", stub_of(module)
        if "--check" in sys.argv:
            if path.read_text() != text:
                sys.exit(f"{path.name} is not what make_stubs.py makes now")
        else:
            folder.mkdir(exist_ok=True)
            path.write_text(text)


if __name__ == "__main__":
    main()
