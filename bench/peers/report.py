# SPDX-License-Identifier: Apache-2.0
"""Writes docs/benchmarks.md, docs/images/peers.svg and peers-dark.svg from what measure.py has written. Without
arguments it draws both charts from the tables of the page.

    python report.py [RESULTS.json...]
"""

import json
import pathlib
import re
import statistics
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import charts

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "benchmarks.md"
PLOT = ROOT / "docs" / "images" / "peers.svg"
REFERENCES = ("memcpy", "strew")
HIGHEST = 100  # slower ones are not in the chart

# The colours of the background, of the text, of the grid and of the libraries that are not the fastest.
THEMES = {"": ("white", "black", "0.92", "0.75"), "-dark": ("#0d1117", "#f0f6fc", "#2f353d", "#6e7681")}

# The cases of cases.py in words. One without a label keeps its name.
LABELS = {
    "slice axis0 half": "slice: middle half of the first axis",
    "slice inner half": "slice: middle half of the last axis",
    "slice inner step2": "slice: every 2nd element of the last axis",
    "slice inner step3": "slice: every 3rd element of the last axis",
    "slice inner step-1": "slice: last axis, reversed",
    "slice 64B blocks": "slice: every 2nd block of 64 bytes",
    "update rows inner1": "update rows of 1 element",
    "update rows inner16": "update rows of 16 elements",
    "update rows inner64": "update rows of 64 elements",
    "update rows inner1024": "update rows of 1024 elements",
    "update last axis": "update along the last axis, extent 1024",
    "elements last axis 1024x1024": "elements, last axis of 1024 x 1024",
    "elements axis0 1024x1024": "elements, first axis of 1024 x 1024",
    "elements last axis 8192x1024": "elements, last axis of 8192 x 1024",
    "elements axis0 8192x1024": "elements, first axis of 8192 x 1024",
    "elements 1d 64K random": "elements, 1-D of 64K, random order",
    "elements 1d 4M random": "elements, 1-D of 4M, random order",
    "elements 1d 4M sequential": "elements, 1-D of 4M, indices 0, 1, 2, ..",
    "sum rows of 1": "sum rows of 1 element",
    "sum rows of 4": "sum rows of 4 elements",
    "sum rows of 16": "sum rows of 16 elements",
    "sum rows of 64": "sum rows of 64 elements",
    "sum rows of 80": "sum rows of 80 elements",
    "sum rows of 1024": "sum rows of 1024 elements",
    "sum rows of 64, sorted": "sum rows of 64 elements, sorted indices",
    "sum rows of 64, to one row": "sum rows of 64 elements, all to one row",
    "sum rows of 80, 481385 to 556416": "sum rows of 80 elements, 481,385 updates of 556,416 rows",
    "sum elements, last axis": "sum elements, last axis of 1024 x 1024",
    "sum elements, axis 0": "sum elements, first axis of 1024 x 1024",
    "max elements, last axis": "max elements, last axis of 1024 x 1024",
    "max elements, axis 0": "max elements, first axis of 1024 x 1024",
    "tuples of 2, slices of 1": "tuples of 2 components, slices of 1 element",
    "tuples of 2, slices of 64": "tuples of 2 components, slices of 64 elements",
    "tuples of 3, slices of 16": "tuples of 3 components, slices of 16 elements",
    "sum by tuples of 2, slices of 64": "sum by tuples of 2 components, slices of 64 elements",
    "histogram, 256 bins": "histogram of 16M values, 256 bins",
    "histogram, 64K bins": "histogram of 16M values, 64K bins",
    "histogram, 16M bins": "histogram of 16M values, 16M bins",
}

HOW_TO_READ = """\
![Time of each library divided by the time of strew, one row for each case and size](images/peers.svg)

In the chart each dot is a library; the fastest one is blue, or red where it is faster than strew.

## How to read the tables

- **data** is the size of data in bytes; for histograms that of the updates.
- **strew, x memcpy** is the time of strew divided by the time of one `memcpy` of data to the output on one thread. For
  histograms `memcpy` copies the updates.
- **ratio** is the time of the fastest other library divided by the time of strew. Where it is below 1, the other
  library is faster, and the row is marked **lost**.
- The columns of libraries are such ratios too. A dash: the library has no such operator, or its result was wrong.
- *coordinates* and *div/mod* are textbook loops over the elements of updates. The first advances the coordinates from
  element to element; the second computes them from the row-major number of each element by division.

| case | operator | what is updated |
|---|---|---|
| slice | `slice_scatter` | the elements of the slice |
| update | `scatter_update` | half of the rows, each once, in random order |
| elements | `scatter_elements_update` | half of the elements of each lane, each once, in random order |
| sum rows, histogram | `index_reduce` | random targets, with duplicates; updates: half as many as rows, or as stated |
| sum, max elements | `v12::scatter_elements_update` | random targets, with duplicates; updates: as many as elements |
| tuples | `v15::scatter_nd_update` | half of the slices, each once, by multi-indices |
| sum by tuples | `v15::scatter_nd_update` | random targets, with duplicates; updates: half as many as slices |

## How it is measured

Elements are float32, indices int64 ([cases.py](../bench/peers/cases.py)). All libraries run in one process and are
called from Python on the same data, updates and indices. They write to the same output where they can. Each result must
equal NumPy's before it is timed; reductions use small integers, whose sums are exact in any order. A library with a
wrong result has no figure in that row: ONNX Runtime on two threads lost updates in some.

Compiled models, sessions and bound memory are made once, before the measurement. strew is called through its Python
package, whose calls allocate their workspace; up to 64 MiB are kept for the next call. Samples of at least 2 ms
alternate between the libraries, round after round. A figure is the median of the ratios within a round. A call from Python takes strew, like every other library, about a microsecond,
which matters at 256 KiB.

The libraries do not do exactly the same:

- strew checks every index and every shape in each call. ONNX Runtime and NumPy check the indices too. Eigen, xtensor
  and the textbook loops check nothing.
- JAX allocates a new output in each call; the others reuse one.
- NumPy, xtensor, Eigen's Array and the textbook loops use one thread even where two are allowed.
- ONNX Runtime has no slice scatter. Its rows are ScatterND on the first axis, and ScatterElements with expanded indices
  on other axes.
- Eigen and xtensor have no scatter of single elements in more than one dimension. In one dimension it is the same as
  rows of one element.
"""


def paired_ratio(numerators, denominators):
    """The median over the rounds of one sample divided by the other's of the same round."""
    return statistics.median(a / b for a, b in zip(numerators, denominators))


def peers_of(results):
    return list(dict.fromkeys(name for row in results["rows"] for name in row["seconds"] if name not in REFERENCES))


def ratios_to_strew(row):
    strew = row["seconds"]["strew"]
    return {name: paired_ratio(times, strew) for name, times in row["seconds"].items() if name not in REFERENCES}


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def heading(results):
    threads = "one thread" if results["threads"] == 1 else f"{results['threads']} threads"
    return f"{threads.capitalize()}, `{results['flags']}`"


def comparison(results):
    peers = peers_of(results)
    rows = []
    for row in results["rows"]:
        ratios = ratios_to_strew(row)
        best = min(ratios, key=ratios.get)
        of_strew = paired_ratio(row["seconds"]["strew"], row["seconds"]["memcpy"])
        of_best = paired_ratio(row["seconds"][best], row["seconds"]["memcpy"])
        mark = f"{ratios[best]:.2f}" if ratios[best] >= 1 else f"**{ratios[best]:.2f} lost**"
        cells = [label(row), row["size"], f"{of_strew:.2f}", f"{of_best:.2f}", best, mark]
        rows.append(cells + [f"{ratios[name]:.3g}" if name in ratios else "–" for name in peers])
    header = ["case", "data", "strew, x memcpy", "fastest other, x memcpy", "fastest other", "ratio"] + peers
    return table(header, rows)


def label(row):
    return LABELS.get(row["case"], row["case"])


def summary(every):
    """The result: a sentence and a table of all threads and flags."""
    rows, wins, means = [], [], []
    for results in every:
        ratios = [min(ratios_to_strew(row).values()) for row in results["rows"]]
        won = sum(ratio >= 1 for ratio in ratios)
        wins.append(f"{won} of {len(ratios)}")
        means.append(f"{statistics.geometric_mean(ratios):.2f}")
        rows.append([heading(results), wins[-1], str(len(ratios) - won), means[-1]])
    sentence = (
        f"On one thread with `{every[0]['flags']}` strew is faster than every other library in {wins[0]} cases; the "
        f"fastest other library takes {means[0]} times as long on geometric mean."
    )
    header = ["threads and flags", "strew is fastest", "lost", "fastest other / strew, geometric mean"]
    return f"{sentence}\n\n{table(header, rows)}\n\n{losses(every)}"


def losses(every):
    """The cases that are lost, with the faster library and its ratio for each of the threads and flags."""
    lost = {}
    for column, results in enumerate(every):
        for row in results["rows"]:
            ratios = ratios_to_strew(row)
            best = min(ratios, key=ratios.get)
            if ratios[best] < 1:
                lost.setdefault((label(row), row["size"]), [""] * len(every))[column] = f"{best} {ratios[best]:.2f}"
    order = [(label(row), row["size"]) for row in every[0]["rows"]]
    rows = [[*key, *lost[key]] for key in sorted(lost, key=order.index)]
    return "The lost cases, with the faster library and the ratio of its time to the time of strew:\n\n" + table(
        ["case", "data", *(heading(results) for results in every)], rows
    )


def memory(results):
    """GB/s of memcpy, counting the bytes of data once, for each size; without histograms, where it copies updates."""
    found = {}
    for row in results["rows"]:
        if not row["case"].startswith("histogram"):
            speed = row["nbytes"] / statistics.median(row["seconds"]["memcpy"]) / 1e9
            found.setdefault(row["size"], (row["nbytes"], []))[1].append(speed)
    ordered = sorted(found.items(), key=lambda item: item[1][0])
    return ", ".join(f"{statistics.median(speeds):.1f} GB/s at {size}" for size, (_, speeds) in ordered)


def conditions(every):
    results = every[0]
    facts = dict(results["machine"])
    facts["memcpy, one thread"] = memory(results)
    facts["compiler"] = results["compiler"]
    facts |= results["versions"]
    if "PyTorch" not in results["versions"]:
        facts["PyTorch"] = "not measured: not installed"
    facts["seconds spent on a case"] = f"{results['seconds']:g}"
    return table(["what", "value"], [[name, str(value)] for name, value in facts.items()])


def panels_of(every):
    """For each of the threads and flags: its heading, and of each case its label and the ratios of the libraries."""
    return [
        (heading(results), [(f"{label(row)}, {row['size']}", ratios_to_strew(row).values()) for row in results["rows"]])
        for results in every
    ]


def panels_of_document():
    """The same, read from the tables of the page."""
    panels = []
    for title, text in re.findall(r"^## ([^\n]*`)\n(.*?)(?=^## )", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL):
        rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
        panels.append((title, [
            (f"{case}, {size}", [float(ratio) for ratio in ratios if ratio != "–"])
            for case, size, _, _, _, _, *ratios in rows[1:]
        ]))  # fmt: skip
    return panels


def draw(panels):
    """A row for each case and size: a dot for each library at its time over strew's, the fastest one coloured."""
    for theme, (paper, ink, grid, others) in THEMES.items():
        style = charts.STYLE | {"figure.facecolor": paper, "axes.facecolor": paper, "savefig.facecolor": paper, "grid.color": grid}
        style |= {key: ink for key in ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")}
        with plt.rc_context(style):
            target = PLOT.with_name(f"{PLOT.stem}{theme}{PLOT.suffix}")
            charts.save(drawn(panels, ink, others), target, bbox_inches="tight", pad_inches=0.3)


def drawn(panels, ink, others):
    figure, all_axes = plt.subplots(1, len(panels), sharey=True, figsize=(4.2 * len(panels), 9), squeeze=False)
    for axes, (title, rows) in zip(all_axes[0], panels):
        found = [(sorted(ratios), height) for height, (_, ratios) in enumerate(rows)]
        charts.dots(axes, [(x, y) for (_, *slower), y in found for x in slower if x <= HIGHEST], others, 3)
        charts.dots(axes, [(x, y) for (x, *_), y in found if x >= 1], "tab:blue", 5)
        charts.dots(axes, [(x, y) for (x, *_), y in found if x < 1], "tab:red", 5)
        axes.axvline(1, color=ink, linewidth=1)
        axes.set_xscale("log")
        axes.set_xlim(0.3, HIGHEST)
        axes.set_xticks([0.5, 1, 2, 5, 10, 50], ["½", "1", "2", "5", "10", "50"])
        axes.set_xticks([], minor=True)
        axes.set_yticks(range(len(rows)), [name for name, _ in rows], fontsize=7)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.tick_params(axis="y", left=False)
        axes.grid(axis="x")
        axes.set_title(title.replace("`", ""), fontsize=9)
    figure.supxlabel("time of each library / time of strew; coloured: the fastest", fontsize=8)
    figure.tight_layout()
    return figure


def written(every):
    sections = ["# Comparison with other libraries", summary(every), HOW_TO_READ]
    sections += [f"## {heading(results)}\n\n{comparison(results)}" for results in every]
    sections.append(
        "## Machine and versions\n\n`scripts/bench peers` measures and writes this page.\n\n"
        + conditions(every)
    )
    return "\n\n".join(section.strip("\n") for section in sections) + "\n"


def main():
    every = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:]]
    if every:
        DOCUMENT.write_text(written(every))
        print(summary(every))
    draw(panels_of(every) if every else panels_of_document())


if __name__ == "__main__":
    main()
