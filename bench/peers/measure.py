# SPDX-License-Identifier: Apache-2.0
"""Times every peer on every case, in turn, and writes the times as JSON.

    python measure.py --threads 1 --build O2 --flags=-O2 --seconds 2 --output FILE [--cases TEXT]

The package strew and the module cpp_peers are found on the path. Each sample is followed by one of the next peer, so that
what slows the machine for a while slows them all.
"""

import argparse
import json
import math
import os
import pathlib
import platform
import re
import statistics
import sys
import time

import numpy as np

import cases

SAMPLE = 2e-3  # seconds of calls at least, so that the clock costs nothing
CALLS_TO_ESTIMATE = 3  # how long one takes; the first may be slow
FEWEST, MOST = 5, 60  # rounds
# A peer this many times as slow as the best one is measured in so many rounds only.
FAR_BEHIND, ROUNDS_FAR_BEHIND = 4, 2
# With threads: for the pools of the peer before to stop waiting for work, which takes them a few milliseconds.
PAUSE = 0.02


def set_environment(threads):
    """JAX reads these when it is imported or first used; the others are told through their own interfaces."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["JAX_ENABLE_X64"] = "1"  # else indices become int32
    os.environ["NPROC"] = str(threads)
    if threads == 1:
        os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"


def seconds_of(run, calls):
    began = time.perf_counter()
    for _ in range(calls):
        run()
    return (time.perf_counter() - began) / calls


def ready(solvers, case, problem):
    """Functions that solve the problem, by the name of the peer; each has been run once and found right."""
    expected = problem.expected()
    runs = {}
    for solver in solvers:
        method = getattr(solver, case.operator, None)
        run = method and method(problem)
        if run is None:
            continue
        problem.output.fill(0)
        returned = run()
        output = returned if hasattr(solver, "returns_output") else problem.output
        if solver.name != "memcpy" and not np.array_equal(output, expected):
            if solver.name == "strew" or case.operator not in cases.REDUCTIONS:
                sys.exit(f"{case.name} {case.shape}: {solver.name} is wrong")
            print(f"{case.name}: {solver.name} lost updates, and is left out", flush=True)
            continue
        runs[solver.name] = run
    return runs


def samples_of(runs, seconds, pause, sample=SAMPLE, rounds_far_behind=ROUNDS_FAR_BEHIND, warm_below=0):
    """Seconds a call, by name: one sample a round, the slow ones for a few rounds only. A call precedes each sample of
    several calls, and of one call that takes less than warm_below seconds."""
    once = {name: min(seconds_of(run, 1) for _ in range(CALLS_TO_ESTIMATE)) for name, run in runs.items()}
    calls = {name: math.ceil(sample / once[name]) for name in runs}
    best = min(seconds for name, seconds in once.items() if name not in ("memcpy", "strew"))
    fast = [name for name in runs if once[name] < FAR_BEHIND * best or name in ("memcpy", "strew")]
    of_a_round = sum(calls[name] * once[name] + pause for name in fast)
    rounds = min(max(FEWEST, round(seconds / of_a_round)), MOST)
    samples = {name: [] for name in runs}
    for number in range(rounds):
        for name, run in runs.items():
            if number >= rounds_far_behind and name not in fast:
                continue
            time.sleep(pause)
            if calls[name] > 1 or once[name] < warm_below:
                run()  # wakes its threads, and brings its code back into the cache
            samples[name].append(seconds_of(run, calls[name]))
    return samples


def machine():
    """The processor and its caches as the system describes them."""
    described = pathlib.Path("/proc/cpuinfo").read_text()
    names = re.findall(r"^model name\s*: (.*)$", described, re.MULTILINE)
    caches = []
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        kind, level, size = ((index / name).read_text().strip() for name in ("type", "level", "size"))
        if kind != "Instruction":
            caches.append(f"L{level} {size}")
    return {
        "processor": names[0] if names else platform.machine(),
        "cores": os.cpu_count(),
        "vectors": next((name for name in ("avx512f", "avx2", "sse2") if name in described), "none known"),
        "caches": ", ".join(caches),
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": platform.freedesktop_os_release()["PRETTY_NAME"],
    }


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--build", required=True, help="the name of the build of the modules")
    parser.add_argument("--flags", default="", help="what they were compiled with")
    parser.add_argument("--compiler", default="")
    parser.add_argument("--seconds", type=float, default=1, help="spent on each case")
    parser.add_argument("--cases", default="", help="only cases with this in their name")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    return parser.parse_args()


def main():
    options = arguments()
    set_environment(options.threads)
    import peers

    solvers = [peers.Memcpy()] + [peer(options.threads) for peer in (peers.Strew, *peers.installed())]
    pause = PAUSE if options.threads > 1 else 0
    rows = []
    for case, size in cases.sized_cases():
        if options.cases not in f"{case.name} {size}":
            continue
        samples = samples_of(ready(solvers, case, cases.Problem(case)), options.seconds, pause)
        rows.append({"case": case.name, "size": size, "nbytes": 4 * math.prod(case.shape), "seconds": samples})
        times = {name: statistics.median(values) for name, values in samples.items()}
        print(case.name, size, {name: f"{1e6 * seconds:.4g} us" for name, seconds in times.items()}, flush=True)

    options.output.write_text(
        json.dumps(
            {
                "threads": options.threads,
                "build": options.build,
                "flags": options.flags,
                "compiler": options.compiler,
                "seconds": options.seconds,
                "machine": machine(),
                "versions": {"Python": platform.python_version()} | peers.versions(),
                "rows": rows,
            }
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
