# SPDX-License-Identifier: Apache-2.0
"""Times the forms of strew's call and the peers on every pattern, in turn, and writes the times as JSON.

    python compare.py --output FILE [--patterns REGEX] [--threads 1 2] [--scale N]
    python compare.py --check --scale N

The modules strew_calls and eigen_product are found on the path; peers that are not installed are left out. Each result
must equal that of NumPy's add.at before it is timed and after. Each sample is followed by one of the next way, so that
what slows the machine for a while slows them all. With --check nothing is timed, and results of strew must also equal
those of add.at, which adds in the order of the updates, for values whose sums depend on it.
"""

import argparse
import datetime
import json
import pathlib
import platform
import re
import sys
import time
import warnings

import numpy as np

import patterns
import ways
from results import UNBOUND, fastest, median, runs_until_paid

import measure  # of the peers

SAMPLE = 5e-3  # seconds of calls at least
# Forms that read the same operands follow each other: a call of its own precedes each sample, so that all find the same
# in the cache. Longer calls read more than caches hold.
WARM_BELOW = 0.1  # seconds
SET_UPS = 3  # samples of each


def is_right(way, pattern):
    pattern.output.fill(-1)
    returned = way.run()
    if not way.returns_sums:
        return np.array_equal(pattern.output, pattern.expected)
    return np.array_equal(np.asarray(returned).reshape(pattern.data.shape) + pattern.data, pattern.expected)


def right_ones(all_ways, pattern, of_strew):
    """The ways whose result is right, and marks of the others. A wrong one of strew's is an error."""
    kept, marks = {}, {}
    for name, way in all_ways.items():
        try:
            right = is_right(way, pattern)
        except (RuntimeError, MemoryError, NotImplementedError) as error:
            print(f"  {name}: {str(error).strip().splitlines()[0]}", flush=True)
            marks[name] = "fails"
            continue
        if right:
            kept[name] = way
        elif name in of_strew:
            sys.exit(f"{pattern.name}: {name} is wrong")
        else:
            print(f"  {name}: wrong result", flush=True)
            marks[name] = "wrong result"
    return kept, marks


def check_order(recipe, options):
    """Compares results of strew for values whose sums depend on the order."""
    pattern = recipe.made(options.scale, patterns.fractions)
    for threads in options.threads:
        for name, way in ways.Strew(pattern, threads).ways.items():
            if not is_right(way, pattern):
                sys.exit(f"{pattern.name}, threads: {threads}: {name} does not add in the order of the updates")


def set_up_samples(strew):
    samples = {name: [] for name in strew.set_ups}
    for _ in range(SET_UPS):
        for name, run in strew.set_ups.items():
            samples[name].append(measure.seconds_of(run, 1))
    return samples


def row_of(pattern, products, threads, options):
    strew = ways.Strew(pattern, threads)
    kept, marks = right_ones(strew.ways | products.ways(threads), pattern, strew.ways)
    row = {"pattern": pattern.name, "title": pattern.title, "sizes": pattern.sizes, "operator": pattern.operator,
           "threads": threads, "updates": pattern.targets.size, "output_bytes": pattern.output.nbytes,
           "bytes": strew.bytes, "marks": marks}
    if options.check:
        return row
    runs = {"memcpy": lambda: np.copyto(pattern.output, pattern.data)} | {name: way.run for name, way in kept.items()}
    pause = measure.PAUSE if threads > 1 else 0
    samples = measure.samples_of(runs, options.seconds, pause, SAMPLE, measure.FEWEST, WARM_BELOW)
    for name, way in kept.items():
        if not is_right(way, pattern):
            if name in strew.ways:
                sys.exit(f"{pattern.name}: {name} is wrong after the measurement")
            marks[name] = "wrong result"
            del samples[name]
    samples |= set_up_samples(strew)
    return row | {"seconds": {name: [round(seconds, 9) for seconds in values] for name, values in samples.items()}}


def show(row):
    print(f"{row['title']} ({row['sizes']}), threads: {row['threads']}", flush=True)
    if "seconds" in row:
        print(" ", {name: f"{1e3 * median(row, name):.4g} ms" for name in row["seconds"]})
        for form in dict.fromkeys(("plain", fastest(row, UNBOUND))):
            runs = runs_until_paid(row, form)
            print(f"  beside {form}: binding", f"has paid after {runs} runs" if runs else "does not pay", flush=True)


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--flags", default="", help="what strew was compiled with")
    parser.add_argument("--compiler", default="")
    parser.add_argument("--seconds", type=float, default=10, help="spent on each pattern and number of threads")
    parser.add_argument("--patterns", default="", help="only those whose name contains this regular expression")
    parser.add_argument("--scale", type=int, default=1, help="what sizes are divided by")
    parser.add_argument("--check", action="store_true", help="compare results, without a measurement")
    parser.add_argument("--output", type=pathlib.Path)
    options = parser.parse_args()
    if options.output is None and not options.check:
        parser.error("--output is missing")
    return options


def main():
    options = arguments()
    measure.set_environment(max(options.threads))
    warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
    rows = []
    for recipe in patterns.RECIPES:
        if not re.search(options.patterns, recipe.name):
            continue
        began = time.perf_counter()
        pattern = recipe.made(options.scale)
        products = ways.Products(pattern)
        for threads in options.threads:
            rows.append(row_of(pattern, products, threads, options))
            show(rows[-1])
        if options.check:
            check_order(recipe, options)
        print(f"  {time.perf_counter() - began:.0f} s in all", flush=True)
    if not rows:
        sys.exit(f"No pattern's name contains {options.patterns}")
    if options.check:
        print(f"{len(rows)} results are those of NumPy, with strew's sums in the order of the updates")
        return
    results = {
        "scale": options.scale,
        "date": datetime.date.today().isoformat(),
        "flags": options.flags,
        "compiler": options.compiler,
        "machine": measure.machine(),
        "versions": {"Python": platform.python_version()} | ways.versions(),
        "rows": rows,
    }
    options.output.write_text(json.dumps(results) + "\n")


if __name__ == "__main__":
    main()
