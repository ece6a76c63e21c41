# SPDX-License-Identifier: Apache-2.0
"""Compares what gdb shows of the values of values.cpp: check_gdb.py <gdb> <strew_gdb.py> <program>"""

import os
import re
import subprocess
import sys

GDB, PRINTERS, PROGRAM = sys.argv[1:]

MESSAGE = "scatter_update: indices[0] = 5 is outside [0, 1] (axis 0 has extent 2)"
CUBE = "[2, 2, 3] strides [6, 3, 1] = {{{0, 0.5, 1}, {1.5, 2, 2.5}}, {{3, 3.5, 4}, {4.5, 5, 5.5}}}"

EXPECTED = {
    "matrix": "tensor_view<float> [2, 3] strides [3, 1] = {{0, 0.5, 1}, {1.5, 2, 2.5}}",
    "cube": f"tensor_view<const float> {CUBE}",
    "reference": f"tensor_view<const float> {CUBE}",
    "columns": "tensor_view<float> [3, 2] strides [-1, -3] = {{2.5, 1}, {2, 0.5}, {1.5, 0}}",
    "scalar": "tensor_view<float> [] strides [] = {1.5}",
    "none": "tensor_view<int> [0] strides [1]",
    "points": "tensor_view<const (anonymous namespace)::point> [1] strides [1] = {{x = 1, y = -2}}",
    "lost": "tensor_view<const int> [2, 2] strides [2, 1] = {<cannot read memory at 0x10>}",
    "layout": "[2, 3] strides [3, 1]",
    "list": "[3, -1, 9223372036854775807]",
    "cut": "[9223372036854775808]",
    "many": "[" + ", ".join(16 * "0") + "], ... (too many were given)",
    "slice": "{start = [0, -1], stop = [4, 0], step = [1, -1], axes = leading}",
    "rest": "{start = [2], stop = left out, step = left out, axes = leading}",
    "dropped": "drop = {indices = tensor_view<const long> [1] strides [1] = {5}}",
    "dynamic": "dynamic::tensor of float32 [2, 3] strides [3, 1] = {{0, 0.5, 1}, {1.5, 2, 2.5}}",
    "read_only": f"dynamic::const_tensor of float32 {CUBE}",
    "dynamic_rows": "dynamic::index_tensor of int64 [1] strides [1] = {5}",
    "halves": "dynamic::const_tensor of float16 [2] strides [1] = {1, -2.5}",
    "brains": "dynamic::const_tensor of bfloat16 [2] strides [1] = {0.0078125, -8}",
    "complexes": "dynamic::const_tensor of complex128 [1] strides [1] = {{1, -2}}",
    "bytes": "dynamic::const_tensor of opaque (3 bytes) [1] strides [1] = {{0, 60, 0}}",
    "type": "uint32",
    "fine": "ok",
    "refused": f"index_out_of_bounds: {MESSAGE}",
    "huge": "size_overflow: tensor_view: extents [9223372036854775808] and their strides hold more than "
    "9223372036854775807 elements or span more than 9223372036854775807 bytes",
    "thrown": f"index_out_of_bounds: {MESSAGE}",
    "message": f'"{MESSAGE}"',
    "rank_99": "<corrupt: 99 entries, at most 16 fit>",
    "negative": "<corrupt: extents [-2, 3]>",
    "resized": "<corrupt: extents [5000, 3], but 6 elements>",
    "null": "<corrupt: extents [2, 3], but no memory>",
    "bad_code": "<corrupt: 200 is no errc>",
    "bad_text": "<cannot be read: Cannot access memory at address 0x18>",
    # At most as many elements as gdb may print; gdb writes three dots by itself where one list is too long.
    "-elements 4 -- cube": "tensor_view<const float> [2, 2, 3] strides [6, 3, 1] = {{{0, 0.5, 1}, {1.5, ...}}, ...}",
    "-elements 4 -- wide": "tensor_view<float> [300] strides [0] = {0, 0, 0, 0...}",
    "-elements 3 -- large": "tensor_view<float> [1000, 1000, 1000] strides [0, 0, 0] = {{{0, 0, 0...}, ...}, ...}",
}


def shown():
    commands = ["set confirm off", "set width 0", "set height 0", f"source {PRINTERS}", "break look", "run", "up"]
    for expression in [*EXPECTED, "-elements unlimited -- large"]:
        commands += ["echo \\n===\\n", f"print {expression}"]
    arguments = [argument for command in commands for argument in ("-ex", command)]
    result = subprocess.run(
        [GDB, "--quiet", "--nx", "--batch", *arguments, PROGRAM], capture_output=True, text=True, timeout=120
    )
    return result.stdout, result.stderr


def main():
    if not os.path.exists(PROGRAM):
        sys.exit(f"there is no {PROGRAM}")
    output, errors = shown()
    before, *texts = output.split("\n===\n")
    if "look ()" not in before:
        print(f"gdb test skipped: gdb cannot run a program here:\n{before}{errors}")
        return 0
    # A number, and the address and type that gdb puts before what a reference refers to.
    texts = [re.sub(r"^\$\d+ = (\([^:]*(::[^:]*)*&\) @0x[0-9a-f]+: )?", "", text.strip()) for text in texts]
    differences = 0
    for (expression, expected), text in zip(EXPECTED.items(), texts):
        # Compilers name and order these differently.
        text = text.replace("(anonymous namespace)::point const", "const (anonymous namespace)::point")
        if text != expected:
            differences += 1
            print(f"{expression}\n  expected {expected}\n  shown    {text}")
    unlimited = texts[-1].count("0, ") if len(texts) == len(EXPECTED) + 1 else 0
    print(f"{len(EXPECTED)} values compared, {differences} differ; of 10^9 elements {unlimited} are shown")
    if errors:
        print(errors)
    return 1 if differences or errors or not 9000 < unlimited < 20000 else 0


sys.exit(main())
