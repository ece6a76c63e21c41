# SPDX-License-Identifier: Apache-2.0
"""Writes the stubs of the compiled module, strew/_strew/*.pyi, from the signatures of its operators:

    python -P make_stubs.py [--check]

With -P the installed package is imported, rather than the sources beside this file, which have no compiled module.

With --check nothing is written, and it is an error if the stubs are not those of the installed module. An operator whose
arguments PyTorch names otherwise has an overload with those names.
"""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from pathlib import Path
from types import ModuleType

import strew._strew
import strew._typing

HEADER = "# SPDX-License-Identifier: Apache-2.0\n# Made by make_stubs.py.\n"
IMPORTED = {
    "collections.abc": ["Callable", "Sequence"],
    "typing": ["Any", "Literal", "SupportsIndex", "overload"],
    "strew._typing": strew._typing.__all__,
}
OF_TORCH = {
    "data": "input",
    "axis": "dim",
    "axis1": "dim1",
    "axis2": "dim2",
    "axes": "dim",
    "stop": "end",
    "reduction": "reduce",
    "include_init": "include_self",
}
# What is not an operator.
OTHERS = '''
class Binding:
    """Indices that are checked or bound by a call."""

    def __init__(self, indices: object, are_several: bool, binds: bool) -> None: ...

class Layout:
    """The type, the extents and the strides of an array."""

    def __init__(
        self, object: object, name: str = "operand", is_row_major: bool = False, data: Layout | None = None
    ) -> None: ...

class segments:
    """Segments by offsets, in the place of the indices of index_add, index_copy, index_reduce and scatter_update.

    Coordinate s of the axis is combined with the updates offsets[s] to offsets[s + 1] - 1, in their order.

    >>> import numpy as np, strew
    >>> strew.index_add(np.zeros(3), 0, strew.segments([0, 2, 2, 3]), np.array([1.0, 2.0, 4.0]))
    array([3., 0., 4.])
    """

    def __init__(self, offsets: Indices) -> None: ...
    @property
    def offsets(self) -> Indices: ...

def is_value(object: object) -> bool:
    """Whether an object is a number, which stands for all updates."""

def arguments_of(
    operator: object, by_position: tuple[Any, ...], by_name: dict[str, Any]
) -> tuple[Callable[..., Any], dict[str, Any], bool] | None:
    """Of a call: the operator that is not in place, its arguments by the names in its signature, and whether the call is in place; None if it is no operator."""

def set_workspace_limit(bytes: int | None) -> None: ...

signatures: dict[str, str]
version: str
'''


def named_as_in_torch(name: str, signature: str) -> str:
    """A signature with PyTorch's names of its parameters."""
    names = OF_TORCH | ({"reduction": "accumulate"} if name.rstrip("_").endswith("put") else {})
    if "scatter" in name and not name.startswith("masked"):
        names |= {"source": "src", "updates": "src"}
    signature = re.sub(r"(\w+)(?=: )", lambda found: names.get(found[0], found[0]), signature)
    return re.sub(r"accumulate: Reduction = 'none'", "accumulate: bool = False", signature)


def by_positions(signature: str) -> list[str]:
    """The signatures of a call without and with the numbers of the updates that won."""
    flag = "return_positions: bool = False"
    if flag not in signature:
        return [signature]
    return [
        signature.replace(flag, "return_positions: Literal[False] = False"),
        signature.replace(flag, "return_positions: Literal[True]").replace("-> A", "-> tuple[A, Any]"),
    ]


def stub_of_operator(name: str, signature: str, documentation: str, *, is_of_torch: bool) -> str:
    document = f'    """\n{textwrap.indent(documentation.strip(), "    ")}\n    """'
    other = named_as_in_torch(name, signature)
    signatures = [signature, other] if is_of_torch and other != signature else [signature]
    forms = [form for each in signatures for form in by_positions(each)]
    lines = [f"{forms[0]}:", document]
    if len(forms) > 1:
        lines = ["@overload", *lines]
        for form in forms[1:]:
            lines += ["@overload", f"{form}: ..."]
    return "\n".join(re.sub(r"[ \t]+$", "", line, flags=re.MULTILINE) for line in lines) + "\n"


def stub_of(module: ModuleType, public_name: str) -> str:
    """The text of a module's stub, with the imports that it needs."""
    parts: list[str] = []
    for path, signature in strew._strew.signatures.items():
        home, _, name = path.rpartition(".")
        if home == public_name:
            is_of_torch = home == "strew" and name not in ("scatter_update", "scatter_elements_update", "put_along_axis")
            documentation = inspect.getdoc(getattr(module, name)) or ""
            parts.append(stub_of_operator(name, signature, documentation, is_of_torch=is_of_torch))
    if public_name == "strew":
        parts.append(OTHERS.strip() + "\n")
    text = "\n".join(parts)
    code = re.sub(r'""".*?"""', "", text, flags=re.DOTALL)
    imports = [
        f"from {source} import {', '.join(used)}"
        for source, names in IMPORTED.items()
        if (used := [name for name in names if re.search(rf"\b{name}\b", code)])
    ]
    return HEADER + "\n".join(imports) + "\n\n" + text


def main() -> None:
    folder = Path(__file__).parent / "strew" / "_strew"
    modules = {"__init__": strew._strew} | {name: getattr(strew._strew, name) for name in ("v3", "v12", "v15", "onnx")}
    for name, module in modules.items():
        path, text = folder / f"{name}.pyi", stub_of(module, "strew" if name == "__init__" else f"strew.{name}")
        if "--check" in sys.argv:
            if path.read_text() != text:
                sys.exit(f"{path.name} is not what make_stubs.py makes now")
        else:
            folder.mkdir(exist_ok=True)
            path.write_text(text)


if __name__ == "__main__":
    main()
