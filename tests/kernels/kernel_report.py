#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Adds up how many random cases ran each kernel, prints it, and fails where one has too few.

usage: kernel_report.py <folder> [<least>]

The folder holds what programs of tests wrote there (tests/support/kernel_counts.hpp): lines "kernel<TAB>cases". The numbers
behind a kernel's name are what its template is made for: bytes of an element, bytes of an index, whether negative ones
wrap, and so on, in the order of the counter in the header that has it.
"""

import collections
import pathlib
import re
import sys

# Kernels that no case can run, or not on every processor: a pattern, and why.
NOT_COUNTED = (
    (r"read_indices contiguous int 4", "32-bit indices that are contiguous are read from where they are"),
    (r"stream_lines (32|64)|.* avx2 .*", "for processors that have AVX, AVX2 or AVX-512"),
)


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    least = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    cases = collections.Counter()
    for path in sorted(folder.glob("*.tsv")):
        for line in path.read_text().splitlines():
            kernel, count = line.rsplit("\t", 1)
            cases[kernel] += int(count)
    features = pathlib.Path("/proc/cpuinfo").read_text() if pathlib.Path("/proc/cpuinfo").exists() else ""
    has_all = all(feature in features for feature in ("avx2", "avx512f"))
    too_few = []
    for kernel, count in sorted(cases.items(), key=lambda item: (item[1], item[0])):
        reason = next((why for pattern, why in NOT_COUNTED if re.fullmatch(pattern, kernel)), None)
        if reason is not None and has_all and "processors" in reason:
            reason = None
        note = "" if reason is None else f"   not counted: {reason}"
        print(f"{count:>10}  {kernel}{note}")
        if count < least and reason is None:
            too_few.append(kernel)
    print(f"{len(cases)} kernels, {len(too_few)} of them run by fewer than {least} random cases")
    for kernel in too_few:
        print(f"  too few: {kernel}, {cases[kernel]}")
    return 1 if too_few or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
