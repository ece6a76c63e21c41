# SPDX-License-Identifier: Apache-2.0
"""Checks that two objects share no function of strew that holds AVX instructions: the linker keeps one of the two.

python check_symbols.py AVX2_OBJECT PLAIN_OBJECT
"""
import re
import subprocess
import sys


def weak_symbols(path):
    lines = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout.splitlines()
    return {fields[2] for fields in map(str.split, lines) if len(fields) == 3 and fields[1] in "WVu"}


def functions_with_avx(path):
    """The functions of which an instruction begins with v, as all of AVX do."""
    text = subprocess.run(["objdump", "--disassemble", "--no-show-raw-insn", path], check=True, capture_output=True,
                          text=True).stdout
    found = {}
    name = None
    for line in text.splitlines():
        if heading := re.match(r"[0-9a-f]+ <(.+)>:", line):
            name = heading[1]
        elif instruction := re.match(r"\s+[0-9a-f]+:\s+(v[a-z]\w*)", line):
            if instruction[1] not in ("verr", "verw"):
                found.setdefault(name, instruction[1])
    return found


avx2_object, plain_object = sys.argv[1:]
with_avx = functions_with_avx(avx2_object)
if not any("strew" in name for name in with_avx):
    sys.exit("the object for AVX2 holds no such instruction: this test sees nothing")
shared = weak_symbols(avx2_object) & weak_symbols(plain_object)
bad = {name: code for name, code in with_avx.items() if name in shared and "5strew" in name}
for name, code in bad.items():
    print(f"{name} is shared and holds {code}")
print(f"{len(shared)} symbols are shared, {len(bad)} of strew hold AVX instructions")
sys.exit(1 if bad else 0)
