# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/jobs.svg and jobs-dark.svg and writes docs/jobs.md.

    python show.py                           from bench/jobs/results.json
    python show.py RESULTS.json...           from what compare.py has written, which becomes bench/jobs/results.json
    python show.py --output DIR RESULTS...   the same in another folder, as for results of --quick
"""

import argparse
import ast
import inspect
import json
import math
import pathlib
import re
import statistics
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

import jobs

from report import charts, table  # of the peers

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RESULTS = pathlib.Path("bench/jobs/results.json")
PAGE = pathlib.Path("docs/jobs.md")
CHARTS = {"light": pathlib.Path("docs/images/jobs.svg"), "dark": pathlib.Path("docs/images/jobs-dark.svg")}

# Letter, colour and that of the letter, by Okabe and Ito: colours that colour-blind readers can tell apart.
LIBRARIES = {
    "NumPy": ("N", "#0072B2", "white"),
    "PyTorch": ("P", "#D55E00", "white"),
    "ONNX Runtime": ("O", "#CC79A7", "black"),
    "OpenVINO": ("V", "#009E73", "white"),
    "JAX": ("J", "#F0B000", "black"),
}
SOURCES = {
    "NumPy": "with_numpy.py",
    "PyTorch": "with_pytorch.py",
    "JAX": "with_jax.py",
    "OpenVINO": "with_openvino.py",
    "ONNX Runtime": "with_onnxruntime.py",
}


def ratios_of(row):
    """The quotients of the medians that the page shows, so that its times, its ratios and what is bold agree."""
    times_of = {name: statistics.median(seconds) for name, seconds in row["seconds"].items()}
    return {name: times_of[name] / times_of["strew"] for name in LIBRARIES if name in times_of}


def count_of(threads):
    return {1: "one thread", 2: "two threads"}.get(threads, f"{threads} threads")


def duration(seconds):
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{1e6 * seconds:.1f} µs" if seconds < 1e-4 else f"{1e3 * seconds:.3g} ms"


def times(ratio):
    return f"{float(f'{ratio:.2g}'):,.0f}" if ratio >= 100 else f"{ratio:.3g}" if ratio >= 10 else f"{ratio:.2f}"


# ---- The chart

# px. As wide as a README on a small screen, so that a label of 14 px stays readable there.
WIDTH, HEAD, FOOT = 480, 92, 50
TITLE, LANE, STACKED, GAP = 28, 28, 19, 10  # of a job: its title, a number of threads, each further row of dots there, what follows
TIME_ENDS = 158
SCALE = (176, 380)  # where times are drawn
HIGHEST = 50  # slower ones are beside the scale
TICKS = (0.5, 1, 2, 5, 10, 50)
RADIUS = 9
COLOURS = {
    "light": {"paper": "#ffffff", "ink": "#1f2328", "faint": "#59636e", "rule": "#d9dee3"},
    "dark": {"paper": "#0d1117", "ink": "#f0f6fc", "faint": "#9198a1", "rule": "#2f353d"},
}


class Chart:
    """Everything is placed in pixels, from the upper left corner."""

    def __init__(self, theme, height):
        self.colours = COLOURS[theme]
        self.figure = plt.figure(figsize=(WIDTH / 96, height / 96), dpi=96, facecolor=self.colours["paper"])
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(0, WIDTH), ylim=(height, 0))
        self.axes.axis("off")

    def text(self, x, y, text, size=14, colour="ink", **options):
        """The right end of the text, px."""
        options = {"va": "center", "color": self.colours.get(colour, colour)} | options
        drawn = self.axes.text(x, y, text, fontsize=size * 0.75, **options)
        return self.axes.transData.inverted().transform(drawn.get_window_extent())[1][0]

    def line(self, x, y, colour="rule", width=1.0, **options):
        self.axes.plot(x, y, color=self.colours[colour], linewidth=width * 0.75, **options)

    def dot(self, x, y, name, hollow=False):
        letter, colour, ink = LIBRARIES[name]
        face = self.colours["paper"] if hollow else colour
        edge = colour if hollow else self.colours["paper"]
        self.axes.add_patch(plt.Circle((x, y), RADIUS, facecolor=face, edgecolor=edge, linewidth=1, zorder=3))
        self.text(x, y + 0.5, letter, 11, colour if hollow else ink, ha="center", va="center_baseline",
                  weight="bold", zorder=4)


def place(ratio, lowest):
    """Where on the scale, px."""
    part = math.log(ratio / lowest) / math.log(HIGHEST / lowest)
    return SCALE[0] + part * (SCALE[1] - SCALE[0])


def levels(places):
    """For each place the row of dots in which it overlaps no other, from 0."""
    taken = []
    for x in places:
        level = next(k for k in range(len(places)) if all(abs(x - a) > 2 * RADIUS for a, b in taken if b == k))
        taken.append((x, level))
    return [level for _, level in taken]


def lane_of(row, lowest):
    """The dots of a job on a number of threads: places and levels by library, and what is beside the scale."""
    ratios = dict(sorted(ratios_of(row).items(), key=lambda item: item[1]))
    inside = {name: place(ratio, lowest) for name, ratio in ratios.items() if ratio <= HIGHEST}
    # What is not on the scale is beside it, with its number or with why there is none.
    beside = {name: times(ratio) + "×" for name, ratio in ratios.items() if ratio > HIGHEST}
    beside |= {name: {"no operator": "none", "wrong result": "wrong"}.get(mark, mark) for name, mark in row["marks"].items()}
    return dict(zip(inside, zip(inside.values(), levels(list(inside.values()))))), beside


def draw(results, theme, path):
    lowest = 0.9 * min(0.5, *(min(ratios_of(row).values()) for run in results for row in run["rows"]))
    jobs_of = [[run["rows"][k] for run in results] for k in range(len(results[0]["rows"]))]
    heights = {}  # of lanes
    for number, rows in enumerate(jobs_of):
        for row, run in zip(rows, results):
            dots, beside = lane_of(row, lowest)
            rows_of_dots = max([1, len(beside), *(level + 1 for _, level in dots.values())])
            heights[number, run["threads"]] = LANE + STACKED * (rows_of_dots - 1)
    bottom = HEAD + sum(heights.values()) + (TITLE + GAP) * len(jobs_of)
    chart = Chart(theme, bottom + FOOT)

    chart.text(12, 20, "Time of each library / time of strew", 16, weight="bold")
    x = 12 + RADIUS
    for name in LIBRARIES:
        chart.dot(x, 50, name)
        x = chart.text(x + RADIUS + 4, 50, name, 13) + 10 + RADIUS
    chart.text(TIME_ENDS, HEAD - 13, "time of strew", 13, "faint", ha="right")
    ticks = [tick for tick in TICKS if tick > lowest]
    for ratio in ticks:
        at = place(ratio, lowest)
        chart.line((at, at), (HEAD, bottom), "ink" if ratio == 1 else "rule", 1.6 if ratio == 1 else 1)
        for y in (HEAD - 13, bottom + 13):
            chart.text(at, y, f"{ratio:g}×", 13, "ink" if ratio == 1 else "faint", ha="center")
    chart.text(place(1, lowest) - 6, bottom + 34, "← faster", 13, "faint", ha="right")
    chart.text(place(1, lowest) + 6, bottom + 34, "slower than strew →", 13, "faint")
    top = HEAD
    for number, rows in enumerate(jobs_of):
        chart.line((12, WIDTH - 12), (top, top))
        chart.text(12, top + TITLE / 2 + 3, rows[0]["title"], 15, weight="bold", zorder=4, backgroundcolor=chart.colours["paper"])
        top += TITLE
        for row, run in zip(rows, results):
            height = heights[number, run["threads"]]
            draw_lane(chart, row, run, top + height / 2, lowest)
            top += height
        top += GAP
    if any(run["quick"] for run in results):
        chart.text(WIDTH / 2, bottom / 2, "draft: small sizes", 40, "faint", ha="center", rotation=20, alpha=0.25)
    charts.save(chart.figure, path, facecolor=chart.colours["paper"])
    plt.close(chart.figure)


def draw_lane(chart, row, run, middle, lowest):
    chart.text(12, middle, count_of(run["threads"]), 13, "faint")
    chart.text(TIME_ENDS, middle, duration(statistics.median(row["seconds"]["strew"])), 13, ha="right")
    dots, beside = lane_of(row, lowest)
    high = max((level for _, level in dots.values()), default=0)
    for name, (x, level) in dots.items():
        chart.dot(x, middle + (level - high / 2) * STACKED, name)
    for k, (name, text) in enumerate(beside.items()):
        y = middle + (k - (len(beside) - 1) / 2) * STACKED
        chart.dot(SCALE[1] + 22, y, name, hollow=name in row["marks"])
        chart.text(SCALE[1] + 35, y, text, 13)


# ---- The page

INTRODUCTION = """\
# Seven jobs beside other libraries

Jobs that users of NumPy, PyTorch, ONNX Runtime, OpenVINO and JAX know, done by each of them and by strew on the same
arrays. [Single operators and many shapes](benchmarks.md) have a page of their own.

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="images/jobs-dark.svg">
  <img alt="For each job how many times as long as strew each library takes, on one and two threads"
       src="images/jobs.svg">
</picture>
"""

MEASURED = """\
## How it is measured

This page and its chart are generated by `scripts/bench jobs`.

All libraries run in one process and are called from Python, strew by a module of pybind11
([with_strew.cpp](../bench/jobs/with_strew.cpp)), so each time includes a call from Python. Arrays are those of NumPy;
values are `float32`, indices `int64`, unless a job says otherwise. Each library does the job three times before
it is timed and three times after, and each result must equal NumPy's: values are small integers, of which sums are
exact in any order. A library whose result differs is marked *wrong result* and has no time; one without an operator for
the job is marked *no operator*. Where a library has several ways, each is tried and the fastest right one is measured.

Samples of at least 5 ms alternate between the libraries, round after round. Times are medians over the rounds; a ratio is
the quotient of two of them. A library that is more than four times as slow as the best of the others is measured
in the first five rounds alone. Compiled graphs and functions, sessions and bound memory are made once, before. Each
number of threads has a process of its own.

What is not alike:

- strew, NumPy, PyTorch and ONNX Runtime update the array in place; ONNX Runtime's output is bound to the memory of its
  input for that. JAX donates its array, which is one of its own, and reuses it. OpenVINO copies the array with each
  call, also where it is a variable of the model, which is measured where it is faster.
- strew checks each index and each shape before it writes, and its result has the same bits at any number of threads.
  JAX leaves out updates that are out of bounds; its 64-bit types are enabled, so that indices are alike. strew is given
  a thread pool, with or without a `heap_workspace` around it.
- Arrays of NumPy ask the system for huge pages. What JAX and a `heap_workspace` allocate has those of the system's
  choice.
- NumPy has one thread only, also where two are allowed.
- A histogram is a new array for NumPy, JAX and, where it is faster, PyTorch; the others add to one. ONNX Runtime and
  OpenVINO have no operator that counts: they add a tensor of ones.
- ONNX Runtime has no operator that writes a slice.
"""


def function_of(library, name):
    """The lines of a way: a function of Python or C++, or the text of a graph."""
    if library == "strew":
        text = (HERE / "with_strew.cpp").read_text()
        return re.search(rf"^template <class Executor>\nvoid {name}\(.*?^}}$", text, re.MULTILINE | re.DOTALL).group()
    text = (HERE / SOURCES[library]).read_text()
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_source_segment(text, node)
        if isinstance(node, ast.Assign) and node.targets[0].id == name:
            return node.value.value.strip()
    raise KeyError(name)


def code_of(results, job):
    """What was measured, a block for each language. Above each function is its library, and for which threads."""
    hows = {}
    for run in results:
        row = next(row for row in run["rows"] if row["job"] == job)
        for library in ("strew", *SOURCES):
            if library in row["ways"]:
                name, _, memory = row["ways"][library].partition("_with_")
                how = count_of(run["threads"]) + (f" with a {memory}" if memory else "")
                hows.setdefault((library, name), []).append(how)
    everywhere = [count_of(run["threads"]) for run in results]
    blocks = {}
    for library, name in sorted(hows, key=lambda way: ("strew", *SOURCES).index(way[0])):
        how = hows[library, name]
        title = library if how == everywhere else f"{library}: {', '.join(how)}"
        language = {"strew": "cpp", "ONNX Runtime": "text"}.get(library, "python")
        mark = "//" if library == "strew" else "#"
        blocks.setdefault(language, []).append(f"{mark} {title}\n{function_of(library, name)}")
    return "\n\n".join(f"```{language}\n" + "\n\n".join(codes) + "\n```" for language, codes in blocks.items())


def figures(run):
    rows = []
    for row in run["rows"]:
        ratios = ratios_of(row)
        fastest = min(ratios, key=ratios.get)
        if ratios[fastest] >= 1:
            fastest = "strew"
        cells = {"strew": duration(statistics.median(row["seconds"]["strew"]))}
        cells |= {name: f"{duration(statistics.median(row['seconds'][name]))} ({times(ratio)}×)"
                  for name, ratio in ratios.items()}
        cells[fastest] = f"**{cells[fastest]}**"
        cells |= row["marks"]
        rows.append([row["title"], *(cells[name] for name in ("strew", *LIBRARIES))])
    return table(["job", "strew", *LIBRARIES], rows)


def losses(results):
    found = []
    for run in results:
        for row in run["rows"]:
            faster = [f"{name} takes {ratio:.2f} times as long"
                      for name, ratio in ratios_of(row).items() if ratio < 0.995]
            if faster:
                found.append(f"- {row['title']}, {count_of(run['threads'])}: {', '.join(faster)}.")
    return "\n".join(found) or "Nowhere in this run."


NO_GAIN = 1.05  # what a second thread gains at least where it is worth its wake-up
MEMORY = """\
These move rows and lines of memory, and compute next to nothing on the way. One core of this machine moves most of what both can:
a second thread of `memcpy` [gains little](kernels.md#where-the-limits-are), and the fastest other library gains what is in
brackets. Of rows more is possible, as ONNX Runtime shows: it distributes the updates, and loses some where they are summed. Each
thread of strew reads all indices and writes the rows that it owns, so that the last of equal indices wins and sums have one order.
"""


def no_gains(results):
    """The jobs that take strew as long on two threads as on one, and why."""
    if len(results) != 2:
        return "Only one number of threads was measured."
    lines = []
    for one, two in zip(*(run["rows"] for run in results)):
        seconds = [{name: statistics.median(each) for name, each in row["seconds"].items()} for row in (one, two)]
        strew, others = (
            [pick(times_of) for times_of in seconds]
            for pick in (lambda each: each["strew"], lambda each: min(each[name] for name in LIBRARIES if name in each))
        )
        if strew[0] / strew[1] < NO_GAIN:
            lines.append(f"- {one['title']}: {strew[0] / strew[1]:.2f} times as fast on two threads as on one "
                         f"({others[0] / others[1]:.2f}).")
    return "\n".join(lines) + "\n\n" + MEMORY if lines else "Nowhere in this run."


def conditions(results):
    run = results[0]
    facts = run["machine"] | {"compiler of strew": f"{run['compiler']}, `{run['flags']}`"} | run["versions"]
    facts["date"] = ", ".join(dict.fromkeys(each["date"] for each in results))
    return table(["what", "value"], [[name, str(value)] for name, value in facts.items()])


def page(results):
    sections = [INTRODUCTION]
    sections.append("Median times of a call, and in brackets how many times as long as strew's: the quotient of the two "
                    "medians. The least\nmedian is bold.")
    sections += [f"## {count_of(run['threads']).capitalize()}\n\n{figures(run)}" for run in results]
    sections += ["## Where strew loses\n\n" + losses(results),
                 "## Where two threads gain nothing\n\n" + no_gains(results), MEASURED, "## The jobs"]
    for row in results[0]["rows"]:
        about = inspect.getdoc(getattr(jobs, row["job"])).replace("\n", " ")
        sections.append(f"### {row['title']}\n\n{row['sizes'][0].upper()}{row['sizes'][1:]}. {about}\n\n"
                        + code_of(results, row["job"]))
    sections.append("## Machine and versions\n\n" + conditions(results))
    return "\n\n".join(section.strip("\n") for section in sections) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", type=pathlib.Path, default=ROOT, help="the root of what is written")
    parser.add_argument("results", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if options.results:
        results = [json.loads(path.read_text()) for path in options.results]
    elif (ROOT / RESULTS).exists():
        results = json.loads((ROOT / RESULTS).read_text())
    else:
        sys.exit(f"There is no {RESULTS} yet: scripts/bench jobs")
    if options.output.resolve() == ROOT and any(run["quick"] for run in results):
        sys.exit("Results of --quick have no meaning: name a folder for them by --output")

    for path in (RESULTS, PAGE, *CHARTS.values()):
        (options.output / path).parent.mkdir(parents=True, exist_ok=True)
    if options.results:
        (options.output / RESULTS).write_text(json.dumps(results) + "\n")
    plt.rcParams.update(charts.STYLE)
    for theme, path in CHARTS.items():
        draw(results, theme, options.output / path)
    (options.output / PAGE).write_text(page(results))
    for run in results:
        print(f"{count_of(run['threads']).capitalize()}\n{figures(run)}\n")
    print("Where strew loses:\n" + losses(results))


if __name__ == "__main__":
    main()
