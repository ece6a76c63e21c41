# SPDX-License-Identifier: Apache-2.0
"""Writes docs/python-speed.md and its picture from results.json, and from what bench/sweep found of calls drawn at random."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))
import charts  # noqa: E402

DOCS = HERE.parents[1] / "docs"
COLUMNS = [
    "strew, 1",
    "strew, 2",
    "strew bound, 1",
    "strew.numpy, 1",
    "numba, 1",
    "PyTorch, 1",
    "PyTorch, 2",
    "numpy-groupies, 1",
    "JAX, all",
]
TITLES = ["strew", "strew, 2 threads", "strew, bound", "`strew.numpy`", "numba", "PyTorch", "PyTorch, 2 threads",
          "numpy-groupies", "JAX, 2 threads"]


def drawn_calls() -> list[str]:
    """The tables of calls drawn at random, as docs/ordinary-calls.md has them."""
    folder = HERE.parent / "sweep"
    sys.path.append(str(folder))
    description = importlib.util.spec_from_file_location("sweep_page", folder / "page.py")
    assert description is not None and description.loader is not None
    page: Any = importlib.util.module_from_spec(description)
    description.loader.exec_module(page)
    found = json.loads((folder / "results.json").read_text())["python"]
    return [
        "## Calls drawn at random",
        "",
        "Operator, rank, extents, layouts, types and indices are drawn; the fastest of NumPy, PyTorch and JAX counts.",
        "[How they are drawn, and the distribution of the ratios](ordinary-calls.md#from-python-beside-numpy-pytorch-and-jax).",
        f"Commit {page.measured(found['about'])}.",
        "",
        page.totals(found, "the fastest of them"),
        "",
        page.short_calls(found),
        "",
        page.by_name(found["ratios"], "operator"),
        "",
    ]


def duration(seconds: float) -> str:
    for unit, scale in (("ns", 1e-9), ("µs", 1e-6)):
        if seconds < 999 * scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-3:.3g} ms"


def main() -> None:
    found = json.loads((HERE / "results.json").read_text())
    seconds: dict[str, dict[str, float]] = found["seconds"]
    lines = [
        "# Calls from Python, beside other libraries",
        "",
        *drawn_calls(),
        "## Chosen calls",
        "",
        "The [package for Python](pages/python.md) on arrays of NumPy, beside the ways in which users of Python write the same: NumPy's",
        "`ufunc.at`, assignment and `bincount`, loops compiled by numba, numpy-groupies, PyTorch, and segment sums of JAX. NumPy's",
        "time is given, the others as multiples of it; less is faster, and the fastest is bold. numba's loops check no index. The",
        "calls of strew and NumPy check all before they write, PyTorch's while they write. Medians, one machine, each library in turn.",
        "",
        "<picture>",
        '  <source media="(prefers-color-scheme: dark)" srcset="images/python-speed-dark.svg">',
        '  <img alt="Times of sums of rows of 1 to 1,024 elements as multiples of NumPy\'s" src="images/python-speed.svg">',
        "</picture>",
        "",
        "| | NumPy | " + " | ".join(TITLES) + " |",
        "|---|---|" + "---|" * len(TITLES),
    ]
    for name, times in seconds.items():
        numpy = times["NumPy, 1"]
        best = min(times.values())
        cells = []
        for column in COLUMNS:
            ratio = times[column] / numpy if column in times else None
            text = "" if ratio is None else f"{ratio:.3g}" if ratio < 100 else f"{ratio:.0f}"
            cells.append(f"**{text}**" if column in times and times[column] == best else text)
        shown = f"**{duration(numpy)}**" if numpy == best else duration(numpy)
        lines.append(f"| {name} | {shown} | " + " | ".join(cells) + " |")
    lines += [
        "",
        "Rows are of float32 with int64 indices at random, four rows for each target; sums by two arrays are a million into 1,000 x 1,000",
        "of float64; *10 elements*, *rows*, *pairs*, *along an axis* and *sums* are assignments and sums of ten, where the time is that of",
        "the call itself. `a[i] = u` of ten elements in one dimension has a path of its own in NumPy, without a call of a function.",
        "",
        "## Equal bits",
        "",
        "The share of 50 runs on two threads whose result has the bits of one thread: 200,000 rows of 16 float32 into 5,000.",
        "",
        "| call | share |",
        "|---|---|",
        *(f"| {name} | {share:.0%} |" for name, share in found["equal_bits"].items()),
        "",
        f"{found['processor']}, {found['processors']} processors; "
        + ", ".join(f"{name} {version}" for name, version in found["versions"].items())
        + ". Again: `scripts/bench python`.",
        "",
    ]
    (DOCS / "python-speed.md").write_text("\n".join(lines))
    draw(seconds)


def draw(seconds: dict[str, dict[str, float]]) -> None:
    lengths = [1, 4, 16, 64, 256, 1024]
    colors = {"strew, 1": "#3f51b5", "strew bound, 1": "#7986cb", "numba, 1": "#8d6e63", "PyTorch, 1": "#e65100",
              "JAX, all": "#2e7d32"}
    for suffix, text in (("", "#212121"), ("-dark", "#e0e0e0")):
        pyplot.rcParams.update({**charts.STYLE, "text.color": text, "axes.labelcolor": text,
                                "xtick.color": text, "ytick.color": text, "axes.edgecolor": text, "font.size": 11})
        figure, axis = pyplot.subplots(figsize=(5, 4.4))  # 480 px: as wide as a README on a small screen
        for name, color in colors.items():
            points = [(n, seconds[f"sums of rows of {n}"]) for n in lengths if f"sums of rows of {n}" in seconds]
            shown = [(n, times[name] / times["NumPy, 1"]) for n, times in points if name in times]
            if shown:
                axis.plot(*zip(*shown), marker="o", color=color, label=name.replace(", 1", "").replace(", all", ", 2 threads"))
        axis.axhline(1, color=text, linewidth=0.8, linestyle=":")
        axis.annotate("numpy.add.at", (1, 1), xytext=(0, 4), textcoords="offset points")
        axis.set(xscale="log", yscale="log", xlabel="elements of a row", ylabel="time, as a multiple of NumPy's")
        axis.set_xticks(lengths, [f"{n:,}" for n in lengths])
        axis.set_ylim(0.007, 3)
        axis.set_yticks([0.01, 0.1, 1], ["0.01", "0.1", "1"])
        axis.minorticks_off()
        axis.legend(frameon=False, fontsize=11, ncols=2, loc="lower center", bbox_to_anchor=(0.45, 1), columnspacing=1)
        figure.tight_layout()
        charts.save(figure, DOCS / "images" / f"python-speed{suffix}.svg", transparent=True)
        pyplot.close(figure)


if __name__ == "__main__":
    main()
