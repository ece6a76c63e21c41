#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a distributed sum of single floats costs on many ranks, as a table: bench/mpi/cost_model.py

Local costs are those that distributed.cpp measured on one machine; the network's are assumed, and can be given."""

import argparse
import math


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--ranks", type=int, default=1000)
    add("--latency", type=float, default=2e-6, help="of a message, seconds")
    add("--message", type=float, default=0.5e-6, help="what each further message costs its rank, seconds")
    add("--bandwidth", type=float, default=0.5e9, help="of a rank, bytes a second")
    add("--local", type=float, default=11.8e-9, help="seconds to check, count, pack and apply an update")
    add("--bound", type=float, default=3.4e-9, help="seconds to pack and apply an update whose indices are bound")
    add("--serial", type=float, default=5e-9, help="seconds of an update on one rank that has everything")
    return parser.parse_args()


def milliseconds(seconds):
    return f"{1e3 * seconds:.3g}"


def main():
    at = parse()
    p = at.ranks
    agree = 2 * math.ceil(math.log2(p)) * at.latency  # an all-reduce of a few words
    pairwise = at.latency + p * at.message  # one message to each rank
    print(f"{p} ranks, milliseconds; the serial column has all updates on one rank\n")
    print("| updates a rank | plain | grid of two hops | bound | serial |")
    print("|---|---|---|---|---|")
    for n in (10**2, 10**3, 10**4, 10**5, 10**6, 10**7):
        counts = at.latency * math.ceil(math.log2(p)) + 4 * p / at.bandwidth  # an all-to-all of small words
        plain = 2 * agree + counts + 2 * pairwise + 8 * n / at.bandwidth + n * at.local
        # Each update travels twice, with its target and owner, over the square root of the ranks each time.
        hop = at.latency + math.isqrt(p) * at.message
        grid = 2 * agree + counts + 4 * hop + 2 * 12 * n / at.bandwidth + n * (at.local + at.bound)
        bound = pairwise + 4 * n / at.bandwidth + n * at.bound
        print(f"| {n} | {milliseconds(plain)} | {milliseconds(grid)} | {milliseconds(bound)} | {milliseconds(n * p * at.serial)} |")


if __name__ == "__main__":
    main()
