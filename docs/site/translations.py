# SPDX-License-Identifier: Apache-2.0
"""The page from-others.md: scatters of NumPy, PyTorch, JAX and TensorFlow, and the same in strew, from
translations.toml."""
import pathlib
import re
import tomllib

LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch", "jax": "JAX", "tensorflow": "TensorFlow", "strew": "strew",
             "also": "strew"}  # a second line of strew
DTYPES = {"bool", "int8", "int32", "int64", "float32", "float64"}
UNSPECIFIED = "unspecified"
FILE = "docs/site/translations.toml"
TEST = "tests/conformance/test_translations.py"

# Long lines of code break on a phone, names of libraries do not.
INTRODUCTION = """\
<style>
.md-typeset td code { overflow-wrap: anywhere; }
.md-typeset td:first-child:not(:has(a)) { white-space: nowrap; }
</style>

# From NumPy, PyTorch, JAX, TensorFlow

The scatter that you know, and the same in strew. `a` is data, `i` and `j` are indices, `u` are updates, `m` is a mask.

"""

RULES = """
## What differs everywhere

- **Bad indices** are refused before the first write, with a message that names the first of them; a
  [policy](operators/policies.md) drops, clips or wraps them. JAX drops them, TensorFlow too on the GPU.
- **Duplicates**: the last update wins, or every one is added, in the order of the updates and with the same bits at
  any number of threads.
- **Negative indices** count from the end where the operator's specification says so, as in `index_put`, `index_fill`,
  `put`, `put_along_axis` and `scatter_nd`. `scatter_update`, `index_copy`, `index_add`, `scatter` and `scatter_add`
  refuse them.
- **Nothing is broadcast** by itself: operands have exactly the shape that the operator requires.
  `strew::broadcast(u, {3, 4})` is a view that repeats, and one number may stand in the place of the updates.
- **One element type**: `a`, `u` and the output have the same, where NumPy converts the updates. Indices are of any
  integer type.

`a`, `i` and `u` are views; containers and tensors of other libraries can be [passed directly](interop.md). A dash: no direct equivalent.
"""

HOW_TESTED = f"""
## How this page is tested

The lines of NumPy, PyTorch, JAX and strew on this page are run with the operands shown. Their results are compared with
the ones shown, in every element, the element type and the shape: [the test](repo:{TEST}) reads [the file](repo:{FILE})
from which the page is made. Lines of TensorFlow are not run. "Not specified" means that the library's documentation
leaves the result open.
"""


def read(root):
    """The groups of the file. Raises RuntimeError where it is not as its head says."""
    try:
        groups = tomllib.loads((root / FILE).read_text())["group"]
    except (OSError, tomllib.TOMLDecodeError, KeyError) as error:
        raise RuntimeError(f"{FILE}: {error}") from error
    tasks = set()
    for group in groups:
        unknown = group.keys() - {"title", "pages", "row"}
        if unknown or not group.get("row"):
            raise RuntimeError(f"{FILE}: group {group.get('title')}: unknown keys {sorted(unknown)}, or no rows")
        for row in group["row"]:
            task = row.get("task")
            defect = find_defect(row)
            if defect or task in tasks:
                raise RuntimeError(f"{FILE}: {task}: {defect or 'a task of this name is there already'}")
            tasks.add(task)
    return groups


def find_defect(row):
    for key in ("task", "operands", "result"):
        if key not in row:
            return f"no {key}"
    unknown = row.keys() - {"task", "common", "operands", "result", "gives", "differs", *LIBRARIES}
    if unknown:
        return f"unknown keys {sorted(unknown)}"
    if "a" not in row["operands"]:
        return "no operand a"
    for name, operand in row["operands"].items():
        if not re.fullmatch(r"[a-z]|out", name) or len(operand) != 1 or not operand.keys() <= DTYPES:
            return f"operand {name} is not one letter or out, with one of {sorted(DTYPES)}"
    lines = [row[library] for library in LIBRARIES if library in row]
    if any("|" in text or "`" in text for text in lines):
        return "a line has a | or a `, which would end its cell"
    if any(not re.fullmatch(r"strew::[^;]*(\{.*\}[^;]*)?;", row[key]) for key in ("strew", "also") if key in row):
        return "a line of strew is not one statement"
    for library, given in row.get("gives", {}).items():
        if library not in row:
            return f"{library} gives something and has no line"
        if given == row["result"] or not (given == UNSPECIFIED or isinstance(given, (dict, list))):
            return f"what {library} gives is not another result"
        if isinstance(given, dict) and given.keys() != {"error"}:
            return f"what {library} gives has other keys than error"
        if given == UNSPECIFIED and library in ("strew", "also"):
            return "strew leaves no result open"
    if row.get("common") and "strew" not in row:
        return "common, and strew has no line"
    return None


def text_of(value):
    """A value as Python writes it, floats as short as they are."""
    if isinstance(value, list):
        return "[" + ", ".join(text_of(each) for each in value) + "]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def page(root: pathlib.Path) -> str:
    groups = read(root)
    rows = [row for group in groups for row in group["row"]]
    used = set()
    parts = [INTRODUCTION, "| task, NumPy, PyTorch | strew |\n|---|---|\n"]
    for row in rows:
        row["anchor"] = anchor(row["task"], used)
        if row.get("common"):
            parts.append(f"| [{row['task']}](#{row['anchor']}){known_lines(row)} | `{row['strew']}` |\n")
    parts.append(RULES)
    for group in groups:
        parts.append(f"\n## {group['title']}\n\n")
        parts.append("See " + ", ".join(link(root, name) for name in group["pages"]) + ".\n")
        parts.extend(block(row) for row in group["row"])
    return "".join(parts) + HOW_TESTED


def known_lines(row):
    """What NumPy and PyTorch write, under the task of the first table, and whether the result is another one than strew's."""
    lines = {}
    for library in ("numpy", "torch"):
        if library in row:
            lines[row[library]] = lines.get(row[library], False) or library in row.get("gives", {})
    mark = f" ([another result](#{row['anchor']}))"
    return "".join(f"<br>`{line}`{mark if is_other else ''}" for line, is_other in lines.items())


def anchor(task, used):
    name = re.sub(r"[^a-z0-9]+", "-", task.lower()).strip("-")
    if name in used:
        raise RuntimeError(f"{FILE}: {task}: another task has the anchor {name}")
    used.add(name)
    return name


def link(root, name):
    path = root / "docs/site/pages/operators" / f"{name}.md"
    if not path.exists():
        raise RuntimeError(f"{FILE}: there is no page {name}")
    title = next(line for line in path.read_text().splitlines() if line.startswith("# "))
    return f"[{title.removeprefix('# ')}](operators/{name}.md)"


def block(row):
    operands = "<br>".join(f"`{name} = {text_of(values)}` {dtype}"
                           for name, operand in row["operands"].items() for dtype, values in operand.items())
    lines = [f"\n### {row['task']} {{ #{row['anchor']} }}\n", "| | |", "|---|---|", f"| operands | {operands} |"]
    for library, title in LIBRARIES.items():
        if library == "also" and library not in row:
            continue
        code = f"`{row[library]}`" if library in row else "–"
        lines.append(f"| {title} | {code}{outcome(row.get('gives', {}).get(library))} |")
    lines.append(f"| result | `{text_of(row['result'])}` |")
    if "differs" in row:
        lines.append(f"\n{row['differs']}")
    return "\n".join(lines) + "\n"


def outcome(given):
    """What a library gives where it is not the row's result."""
    if given is None:
        return ""
    if given == UNSPECIFIED:
        return "<br>gives: not specified"
    if isinstance(given, dict):
        return f"<br>gives an error: `{given['error']}`"
    return f"<br>gives `{text_of(given)}`"
