# SPDX-License-Identifier: Apache-2.0
"""Checks that two objects share no function of strew that holds AVX instructions: the linker keeps one of the two.

python check_symbols.py OBJDUMP AVX2_OBJECT PLAIN_OBJECT
"""
import subprocess
import sys

from disassembly import instructions_of_functions


def weak_symbols(path):
    lines = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout.splitlines()
    return {fields[2] for fields in map(str.split, lines) if len(fields) == 3 and fields[1] in "WVu"}


objdump, avx2_object, plain_object = sys.argv[1:]
with_avx = instructions_of_functions(objdump, avx2_object, r"v(?!err\b|erw\b)[a-z]\w*")  # all of AVX begin with v
if not any("strew" in name for name in with_avx):
    sys.exit("the object for AVX2 holds no such instruction: this test sees nothing")
shared = weak_symbols(avx2_object) & weak_symbols(plain_object)
bad = {name: codes for name, codes in with_avx.items() if name in shared and "5strew" in name}
for name, codes in bad.items():
    print(f"{name} is shared and holds {codes[0]}")
print(f"{len(shared)} symbols are shared, {len(bad)} of strew hold AVX instructions")
sys.exit(1 if bad else 0)
