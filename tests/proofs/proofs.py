#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves theorems about the arithmetic of the headers, which is read from the headers themselves.

    proofs.py quick              all theorems
    proofs.py all                also that the translation computes what compiled functions do
    proofs.py quick clamp_slice  one theorem
    proofs.py mutations          that the proofs fail for changed headers
    proofs.py list               the statements
"""

import argparse
import concurrent.futures
import inspect
import multiprocessing
import os
import pathlib
import sys

import agreement
import mutations
import z3
from headers import UnsupportedCode
from proof import MOST_SECONDS, MOST_WORK
from theorems import BY_NAME, INCLUDE, prove, read_headers


def prove_in_child(name):
    """Runs in a process that was forked when the headers had been read, since they cannot be sent to another one."""
    proof, problem = prove(BY_NAME[name], prove_in_child.headers)
    numbers = f"{proof.paths:6}{proof.obligations:13}{proof.claims:8}{proof.seconds:9.1f}{proof.slowest:9.2f}"
    return numbers, proof.seconds, None if problem is None else str(problem)


def prove_all(names, headers):
    """Proves theorems and prints what each took. Returns the number that are not proven."""
    print(f"Z3 {z3.get_version_string()}. A query is limited to {MOST_WORK // 1_000_000} million units of work and "
          f"{MOST_SECONDS} s. Seconds are those of a processor; slowest: of one query.")  # fmt: skip
    print(f"{'theorem':29}{'paths':>6}{'obligations':>13}{'claims':>8}{'seconds':>9}{'slowest':>9}  bounds", flush=True)
    failed, taken = 0, 0.0
    prove_in_child.headers = headers
    fork = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count(), mp_context=fork) as pool:
        for name, (numbers, seconds, problem) in zip(names, pool.map(prove_in_child, names)):
            taken += seconds
            print(f"{name:29}{numbers}  {BY_NAME[name].bounds}", flush=True)
            if problem is not None:
                failed += 1
                print(f"  NOT PROVEN: {problem}", flush=True)
    print(f"{len(names) - failed} of {len(names)} theorems proven in {taken:.0f} s of a processor")
    return failed


def list_statements(names):
    for name in names:
        statement = inspect.cleandoc(BY_NAME[name].__doc__).replace("\n", "\n    ")
        print(f"{name}: {BY_NAME[name].bounds}\n    {statement}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=("quick", "all", "mutations", "list"))
    parser.add_argument("theorem", nargs="*")
    parser.add_argument("--include", type=pathlib.Path, default=INCLUDE, help="the folder of the headers")
    options = parser.parse_args()
    if unknown := set(options.theorem) - set(BY_NAME):
        parser.error(f"no theorem is called {', '.join(sorted(unknown))}")
    names = options.theorem or list(BY_NAME)
    include, compiler = options.include.resolve(), os.environ.get("CXX", "c++")
    if options.mode == "list":
        list_statements(names)
        return 0
    if options.mode == "mutations":
        return mutations.run(names, include)
    try:
        headers = read_headers(include, compiler)
        failed = prove_all(names, headers)
        if options.mode == "all":
            failed += agreement.run(headers, include, compiler)
    except UnsupportedCode as problem:
        print(f"NOT TRANSLATED: {problem}")
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
