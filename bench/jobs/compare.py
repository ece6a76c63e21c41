# SPDX-License-Identifier: Apache-2.0
"""Times every library on every job, in turn, and writes the times as JSON.

    python compare.py --threads 1 --output FILE [--jobs TEXT] [--quick]

The module with_strew is found on the path. What a library computes is compared with NumPy's result three times before
it is timed and three times after. Each sample is followed by one of the next library, so that what slows the machine
for a while slows them all.
"""

import argparse
import datetime
import json
import pathlib
import platform
import statistics
import sys
import warnings

import numpy as np

import jobs

import measure  # of the peers

SAMPLE = 5e-3  # seconds of calls at least
CHECKS = 3  # updates that threads lose are not lost each time


def is_right(way, job):
    for _ in range(CHECKS):
        way.reset()
        if not np.array_equal(way.result(way.run()), job.expected):
            return False
    return True


def fastest_way(library, job, pause):
    """The name of the fastest way that is right, and the way; or why there is none, and None."""
    ways, mark = {}, "no operator"
    for name, prepare in library.ways(job).items():
        try:
            way = prepare()
            right = is_right(way, job)
        except RuntimeError as error:
            print(f"  {library.name}, {name}: {str(error).strip().splitlines()[-1]}", flush=True)
            mark = "fails"
            continue
        if right:
            ways[name] = way
        else:
            mark = "wrong result"
            print(f"  {library.name}, {name}: {mark}", flush=True)
    if not ways:
        return mark, None
    samples = measure.samples_of({name: way.run for name, way in ways.items()}, 0, pause, SAMPLE)
    seconds = {name: statistics.median(values) for name, values in samples.items()}
    print(" ", library.name, {name: f"{1e3 * value:.4g} ms" for name, value in seconds.items()}, flush=True)
    best = min(seconds, key=seconds.get)
    return best, ways[best]


def row_of(job, libraries, seconds, pause):
    print(f"{job.title}: {job.sizes}", flush=True)
    chosen = {library.name: fastest_way(library, job, pause) for library in libraries}
    runs = {name: way.run for name, (_, way) in chosen.items() if way}
    samples = measure.samples_of(runs, seconds, pause, SAMPLE, measure.FEWEST)
    marks = {name: mark for name, (mark, way) in chosen.items() if not way}
    for name in runs:
        if not is_right(chosen[name][1], job):
            print(f"  {name}: wrong result after the measurement", flush=True)
            marks[name] = "wrong result"
            del samples[name]
    return {
        "job": job.name,
        "title": job.title,
        "sizes": job.sizes,
        "seconds": {name: [round(seconds, 9) for seconds in values] for name, values in samples.items()},
        "ways": {name: chosen[name][0] for name in samples},
        "marks": marks,
    }


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--flags", default="", help="what strew was compiled with")
    parser.add_argument("--compiler", default="")
    parser.add_argument("--seconds", type=float, default=10, help="spent on each job")
    parser.add_argument("--jobs", default="", help="only jobs with this in their name")
    parser.add_argument("--quick", action="store_true", help="small sizes and little time: figures of no meaning")
    parser.add_argument("--output", type=pathlib.Path, required=True)
    return parser.parse_args()


def main():
    options = arguments()
    measure.set_environment(options.threads)
    import libraries

    # JAX has no use for the counts that its histogram is given.
    warnings.filterwarnings("ignore", "Some donated buffers were not usable")
    adapters = [library(options.threads) for library in libraries.LIBRARIES]
    pause = measure.PAUSE if options.threads > 1 else 0
    rows = []
    for job in jobs.made(16 if options.quick else 1):
        if options.jobs in job.name:
            rows.append(row_of(job, adapters, 0.3 if options.quick else options.seconds, pause))
            times = {name: statistics.median(values) for name, values in rows[-1]["seconds"].items()}
            print(" ", {name: f"{1e3 * seconds:.4g} ms" for name, seconds in times.items()}, flush=True)
    if not rows:
        sys.exit(f"No job has {options.jobs} in its name")
    results = {
        "threads": options.threads,
        "quick": options.quick,
        "date": datetime.date.today().isoformat(),
        "flags": options.flags,
        "compiler": options.compiler,
        "machine": measure.machine(),
        "versions": {"Python": platform.python_version()} | libraries.versions(),
        "rows": rows,
    }
    options.output.write_text(json.dumps(results) + "\n")


if __name__ == "__main__":
    main()
