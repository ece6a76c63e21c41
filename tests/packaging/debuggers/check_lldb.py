# SPDX-License-Identifier: Apache-2.0
"""Compares what lldb shows of the values of values.cpp: check_lldb.py <lldb> <strew_lldb.py> <program>"""

import glob
import os
import re
import subprocess
import sys

LLDB, PRINTERS, PROGRAM = sys.argv[1:]

MESSAGE = "scatter_update: indices[0] = 5 is outside [0, 1] (axis 0 has extent 2)"
CUBE = "tensor_view<const float> [2, 2, 3] strides [6, 3, 1] [[[0 0.5 1] [1.5 2 2.5]] [[3 3.5 4] [4.5 5 5.5]]]"

# Children are in brackets here, without their numbers.
EXPECTED = {
    "matrix": "tensor_view<float> [2, 3] strides [3, 1] [[0 0.5 1] [1.5 2 2.5]]",
    "cube": CUBE,
    "reference": CUBE,
    "columns": "tensor_view<float> [3, 2] strides [-1, -3] [[2.5 1] [2 0.5] [1.5 0]]",
    "scalar": "tensor_view<float> [] strides [] [1.5]",
    "none": "tensor_view<int> [0] strides [1] []",
    "wide": "tensor_view<float> [300] strides [0] [" + 256 * "0 " + "... []]",
    "large": "tensor_view<float> [1000, 1000, 1000] strides [0, 0, 0] [[[" + 256 * "0 " + "... []] ... []] ... []]",
    "lost": "tensor_view<const int> [2, 2] strides [2, 1] "
    "[<cannot read memory at 0x10> [] <cannot read memory at 0x18> []]",
    "layout": "[2, 3] strides [3, 1]",
    "list": "[3, -1, 9223372036854775807]",
    "cut": "[9223372036854775808]",
    "many": "[" + ", ".join(16 * "0") + "], ... (too many were given)",
    "slice": "(start = [0, -1], stop = [4, 0], step = [1, -1], axes = leading)",
    "rest": "(start = [2], stop = left out, step = left out, axes = leading)",
    "fine": "ok",
    "refused": f"index_out_of_bounds: {MESSAGE}",
    "huge": "size_overflow: tensor_view: extents [9223372036854775808] and their strides hold more than "
    "9223372036854775807 elements or span more than 9223372036854775807 bytes",
    "thrown": f"index_out_of_bounds: {MESSAGE}",
    "rank_99": "<corrupt: 99 entries, at most 16 fit> []",
    "negative": "<corrupt: extents [-2, 3]> []",
    "resized": "<corrupt: extents [5000, 3], but 6 elements> []",
    "null": "<corrupt: extents [2, 3], but no memory> []",
    "bad_code": "<corrupt: 200 is no errc>",
    "bad_text": "<corrupt: no text at 0x18>",
}


def shown():
    # ASLR is left alone: to switch it off may be forbidden.
    commands = ["settings set target.disable-aslr false", f"command script import {PRINTERS}", "breakpoint set -n look"]
    commands += ["run", "up", "settings set target.max-children-count 300", *(f"frame variable {name}" for name in EXPECTED), "quit"]
    arguments = [argument for command in commands for argument in ("-o", command)]
    # Debian's lldb finds neither its own modules nor, where another python3 is first in PATH, the system's.
    modules = glob.glob(os.path.dirname(os.path.realpath(LLDB)) + "/../lib/python3*/dist-packages")
    modules.append("/usr/lib/python3/dist-packages")
    result = subprocess.run(
        [LLDB, "--no-lldbinit", "--batch", *arguments, PROGRAM],
        capture_output=True,
        text=True,
        timeout=120,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(modules)},
    )
    return result.stdout, result.stderr


def main():
    if not os.path.exists(PROGRAM):
        sys.exit(f"there is no {PROGRAM}")
    output, errors = shown()
    if "stop reason = breakpoint" not in output or "No module named" in errors:
        print(f"lldb test skipped: lldb cannot run a program, or no Python, here:\n{output}{errors}")
        return 0
    differences = 0
    for name, expected in EXPECTED.items():
        text = re.search(rf"\(lldb\) frame variable {name}\n(.*?)(?=^\(lldb\)|\Z)", output, re.DOTALL | re.MULTILINE)[1]
        text = re.sub(rf"^\([^\n]*\) {name} = (0x[0-9a-f]+ )?", "", text)
        lines = [re.sub(r"^\[\d+\] = ", "", line.strip()) for line in text.replace(": {", " {").splitlines()]
        text = " ".join(line.replace("{", "[").replace("}", "]") for line in lines)
        text = text.replace("[ ", "[").replace(" ]", "]")
        if text != expected:
            differences += 1
            print(f"{name}\n  expected {expected}\n  shown    {text}")
    print(f"{len(EXPECTED)} values compared, {differences} differ")
    if errors:
        print(errors)
    return 1 if differences or errors else 0


sys.exit(main())
