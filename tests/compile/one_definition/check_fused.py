# SPDX-License-Identifier: Apache-2.0
"""Checks that no function of an object but multiply_and_add fuses a product with a sum: that would round once where the
operators' documents round twice, and differently from unit to unit.

python check_fused.py OBJDUMP OBJECT
"""
import sys

from disassembly import instructions_of_functions

objdump, path = sys.argv[1:]
found = instructions_of_functions(objdump, path, r"vfn?m(?:add|sub)\w*")
control = [function for function in found if "multiply_and_add" in function]
if not control:
    sys.exit("nothing is fused in this object: this test sees nothing")
bad = {function: codes for function, codes in found.items() if function not in control}
for function, codes in bad.items():
    print(f"{function} holds {', '.join(sorted(set(codes)))}")
print(f"{sum(map(len, bad.values()))} products of strew are fused with sums")
sys.exit(1 if bad else 0)
