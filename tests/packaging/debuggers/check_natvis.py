# SPDX-License-Identifier: Apache-2.0
"""Makes C++ of strew.natvis: check_natvis.py <strew.natvis> <output.cpp>

Each expression becomes code in a class derived from the type it is for, so that it compiles only where the members
exist; the loop that lists the elements of a view becomes a function, which the program runs on views of its own. No
debugger for natvis files runs here.
"""

import re
import sys
import xml.etree.ElementTree as xml

SPACE = "{http://schemas.microsoft.com/vstudio/debugger/natvis/2010}"
ARGUMENTS = {
    "tensor_view": "float",
    "basic_tensor": "void*",
    "indices_with_policy": "strew::index_policy::drop, strew::tensor_view<const int>",
}

# Standard headers come first: what follows makes all members public.
BEGIN = """#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <charconv>
#include <chrono>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>
#define private public
#define protected public
#include <strew/dynamic.hpp>
#include <strew/operators/index_policy.hpp>
#define QUOTE(text) #text
#define QUOTED(text) QUOTE(text)
"""

END = """
void collect(const strew::tensor_view<float>& view, int axis, const float* element, std::vector<float>& result) {
  if (axis == view.rank()) {
    result.push_back(*element);
    return;
  }
  for (int k = 0; k < view.extent(axis); ++k) collect(view, axis + 1, element + k * view.stride(axis), result);
}

int main() {
  if (std::string{"strew::" QUOTED(STREW_ABI) "::"} != NAMESPACE) {
    std::printf("the namespace of strew.natvis is %s, of strew %s\\n", NAMESPACE, QUOTED(STREW_ABI));
    return 1;
  }
  float memory[24];
  for (int k = 0; k < 24; ++k) memory[k] = static_cast<float>(k);
  const strew::tensor_view<float> views[] = {{memory, {}}, {memory, {2, 3}}, {memory, {0, 3}}, {memory, {2, 2, 3}},
                                             {memory + 23, {3, 2, 4}, {-8, -4, -1}}, {memory, {4, 2}, {0, 5}}};
  int differences = 0;
  for (const auto& view : views) {
    std::vector<float> expected;
    collect(view, 0, view.data(), expected);
    differences += probe_of_tensor_view{view}.items() != expected;
  }
  std::printf("%d expressions compile; %d lists of elements differ\\n", EXPRESSIONS, differences);
  return differences;
}
"""


def expressions(text):
    """What stands in braces, without the format behind a comma but with the size in that."""
    for field in re.findall(r"{([^{}]*)}", text.replace("{{", "").replace("}}", "")):
        expression, _, form = field.partition(",")
        yield expression
        yield from re.findall(r"\[(.*)\]", form)


def plain(text):
    return text.partition(",")[0]


def statements(node):
    """The steps of CustomListItems as C++."""
    for step in node:
        tag, text = step.tag.removeprefix(SPACE), (step.text or "").strip()
        if tag == "Variable":
            yield f"auto {step.get('Name')} = {step.get('InitialValue')};"
        elif tag == "Exec":
            yield f"{text};"
        elif tag == "Loop":
            yield from [f"while ({step.get('Condition')}) {{", *statements(step), "}"]
        elif tag == "Item":
            yield f"result.push_back({plain(text)});"
        else:
            sys.exit(f"this test does not know <{tag}>")


def checks(node):
    """All other expressions below an element."""
    for child in node:
        tag, text = child.tag.removeprefix(SPACE), (child.text or "").strip()
        if tag == "CustomListItems":
            continue
        if child.get("Condition"):
            yield child.get("Condition")
        if tag == "DisplayString":
            yield from expressions(text)
        elif tag in ("Item", "ExpandedItem", "Size", "ValuePointer"):
            yield plain(text)
        elif tag in ("Expand", "ArrayItems"):
            yield from checks(child)
        else:
            sys.exit(f"this test does not know <{tag}>")


def probe(entry):
    """A class derived from the type that an entry is for, and the number of its expressions."""
    space, short, arguments = re.fullmatch(r"([\w:]+::)(\w+)(<.*>)?", entry.get("Name")).groups()
    base = f"{space}{short}<{ARGUMENTS[short]}>" if arguments else space + short
    lines = [f"static_cast<void>({expression});" for expression in checks(entry)]
    body = ["void check() {", *lines, "}"]
    for node in entry.iter(SPACE + "CustomListItems"):
        steps = list(statements(node))
        body += ["std::vector<float> items() {", "std::vector<float> result;", *steps, "return result;", "}"]
        lines += steps
    return "\n".join([f"struct probe_of_{short} : {base} {{", *body, "};\n"]), len(lines)


def main():
    natvis, output = sys.argv[1:]
    entries = xml.parse(natvis).getroot()
    (namespace,) = {re.match(r"strew::\w+::", entry.get("Name"))[0] for entry in entries}
    probes, counts = zip(*map(probe, entries))
    constants = f'constexpr const char* NAMESPACE = "{namespace}";\nconstexpr int EXPRESSIONS = {sum(counts)};\n'
    with open(output, "w", encoding="utf-8") as file:
        file.write(BEGIN + "\n".join(probes) + constants + END)


main()
