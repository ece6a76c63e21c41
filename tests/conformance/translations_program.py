# SPDX-License-Identifier: Apache-2.0
"""Writes a C++ program that runs strew's lines of docs/site/translations.toml: translations_program.py OUTPUT

It prints for each line the row's task and the line's key, each with a tab, and what the line gave: the name of a tensor
and its elements, or error and the message. After a call with an output, or one that was refused, data is printed too.
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import translations  # noqa: E402  (the folder has just been added)

CPP_TYPES = {
    "bool": "bool",
    "int8": "std::int8_t",
    "int32": "std::int32_t",
    "int64": "std::int64_t",
    "float32": "float",
    "float64": "double",
}

HEAD = """\
// SPDX-License-Identifier: Apache-2.0
// Made by translations_program.py.
#include <strew/strew.hpp>

#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <tuple>
#include <type_traits>

namespace {

template <class T, std::size_t size>
void print(const char* call, const char* name, const T (&elements)[size]) {
  std::printf("%s\\t%s", call, name);
  for (const T element : elements) {
    if constexpr (std::is_floating_point_v<T>) {
      std::printf(" %a", static_cast<double>(element));
    } else {
      std::printf(" %lld", static_cast<long long>(element));
    }
  }
  std::puts("");
}
"""


def extents_of(values):
    return [len(values), *extents_of(values[0])] if isinstance(values, list) else []


def elements_of(values):
    return [element for each in values for element in elements_of(each)] if isinstance(values, list) else [values]


def literal(value, dtype):
    if dtype == "bool":
        return str(value).lower()
    if not dtype.startswith("float"):
        return str(value)
    suffix = "f" if dtype == "float32" else ""
    if value in (float("inf"), -float("inf")):
        sign = "-" if value < 0 else ""
        return f"{sign}std::numeric_limits<{CPP_TYPES[dtype]}>::infinity()"
    return repr(float(value)) + suffix


def function(number, row, key):
    lines = [f"void run_{number}() {{"]
    for name, operand in row["operands"].items():
        ((dtype, values),) = operand.items()
        constant = "" if name in ("a", "out") else "const "
        elements = ", ".join(literal(value, dtype) for value in elements_of(values))
        extents = ", ".join(map(str, extents_of(values)))
        lines += [
            f"  {constant}{CPP_TYPES[dtype]} {name}_elements[] = {{{elements}}};",
            f"  [[maybe_unused]] const strew::tensor_view {name}{{{name}_elements, {{{extents}}}}};",
        ]
    call = json.dumps(f"{row['task']}\t{key}")
    lines += ["  try {", f"    {row[key]}"]
    lines += [f'    print({call}, "{name}", {name}_elements);' for name in ("out", "a") if name in row["operands"]]
    lines += [
        "  } catch (const strew::scatter_error& error) {",
        f'    std::printf("%s\\terror %s\\n", {call}, error.what());',
        f'    print({call}, "a", a_elements);',
        "  }",
        "}",
    ]
    return "\n".join(lines)


def program():
    rows = [row for group in translations.read(ROOT) for row in group["row"]]
    lines = [(row, key) for row in rows for key in ("strew", "also") if key in row]
    functions = [function(number, row, key) for number, (row, key) in enumerate(lines)]
    calls = "".join(f"  run_{number}();\n" for number in range(len(lines)))
    return "\n".join([HEAD, "\n\n".join(functions), "", "}  // namespace", "", "int main() {", calls + "}", ""])


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(program())
