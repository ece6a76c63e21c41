#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/ordinary-calls.md and draws docs/images/ordinary-calls.svg and its dark twin. bench/figures.py writes the figures of
other pages.

    page.py                                               from bench/sweep/results.json
    page.py [--loops FILE] [--python FILE] [--growth FILE]
                                                          from what sweep.py, python_sweep.py and growth.py have written,
                                                          which becomes its part of results.json

Needs matplotlib.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pools
from growth import by_row, faster_than_index_add

sys.path.append(str(pools.ROOT / "bench"))

RESULTS = pools.ROOT / "bench/sweep/results.json"
PAGE = pools.ROOT / "docs/ordinary-calls.md"
CHARTS = {theme: pools.ROOT / f"docs/images/ordinary-calls{suffix}.svg" for theme, suffix in (("light", ""), ("dark", "-dark"))}
SHOWN = 20
SLOW = 0.5e9  # ns of a call from which on growth goes no further
THREADS = {1: "one thread", 2: "two threads"}


# ---- What is stored: all ratios by operator, and the worst calls


Ratios = dict[str, dict[str, list[float]]]


def by(key: str, rows: list[dict[str, Any]]) -> Ratios:
    ratios: Ratios = defaultdict(lambda: defaultdict(list))
    for row in rows:
        ratios[row[key]][str(row["threads"])].append(float(f"{row['ratio']:.3g}"))
    return ratios


def condensed(path: Path, group: str, drop: tuple[str, ...] = ()) -> dict[str, Any]:
    """All ratios by operator and by `group`."""
    whole = json.loads(path.read_text())
    worst = sorted(whole["calls"], key=lambda row: row["ratio"])[:SHOWN]
    kept = [{key: value for key, value in row.items() if key not in drop} for row in worst]
    ratios, groups = by("operator", whole["calls"]), by(group, whole["calls"])
    return {"about": whole["about"], "ratios": ratios, "groups": groups, "worst": kept}


def store(options: argparse.Namespace) -> None:
    results = json.loads(RESULTS.read_text())
    if options.loops:
        results["loops"] = condensed(options.loops, "form", ("ratios",))
    if options.python:
        results["python"] = condensed(options.python, "beside")
    if options.growth:
        results["growth"] = json.loads(options.growth.read_text())
    RESULTS.write_text(json.dumps(results, separators=(",", ":")) + "\n")


def pooled(ratios: Ratios, threads: int) -> list[float]:
    return [ratio for each in ratios.values() for ratio in each.get(str(threads), [])]


# ---- The chart

COLOURS = {
    "light": {"paper": "#ffffff", "ink": "#1f2328", "rule": "#d9dee3", "1": "#0072B2", "2": "#D55E00"},
    "dark": {"paper": "#0d1117", "ink": "#f0f6fc", "rule": "#3d444d", "1": "#56B4E9", "2": "#F0A050"},
}
# px. As wide as a README on a small screen, so that a label of 11 points stays readable there.
WIDTH, ROW, HEAD, FOOT, NAMES = 480, 36, 84, 74, 152
LOWEST, HIGHEST = 0.1, 10
TICKS = (0.1, 0.2, 0.5, 1, 2, 5, 10)


def draw(ratios: Ratios, theme: str, path: Path) -> None:
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    import charts

    colours = COLOURS[theme]
    names = sorted(ratios, key=lambda name: pools.geometric_mean([r for each in ratios[name].values() for r in each]))
    height = HEAD + ROW * len(names) + FOOT
    with plt.rc_context(charts.STYLE):
        figure = plt.figure(figsize=(WIDTH / 96, height / 96), facecolor=colours["paper"])
        axes = figure.add_axes((NAMES / WIDTH, FOOT / height, (WIDTH - NAMES - 16) / WIDTH, (height - FOOT - HEAD) / height))
        axes.set(xscale="log", xlim=(LOWEST, HIGHEST), ylim=(len(names) - 0.5, -0.5), facecolor=colours["paper"])
        axes.set_xticks(TICKS, [f"{tick:g}" for tick in TICKS], color=colours["ink"], fontsize=11)
        axes.set_xticks([], minor=True)
        axes.set_yticks(range(len(names)), names, color=colours["ink"], fontsize=11)
        axes.tick_params(length=0)
        for side in axes.spines.values():
            side.set_visible(False)
        for tick in TICKS:
            axes.axvline(tick, color=colours["ink"] if tick == 1 else colours["rule"], linewidth=1 if tick == 1 else 0.6)
        for at, name in enumerate(names):
            for threads, offset in (("1", -0.16), ("2", 0.16)):
                values = sorted(ratios[name].get(threads, []))
                if len(values) < 5:
                    continue
                parts = statistics.quantiles(values, n=20, method="inclusive")
                low, first, middle, third, high = (min(max(parts[k], LOWEST), HIGHEST) for k in (0, 4, 9, 14, 18))
                axes.plot([low, high], [at + offset] * 2, color=colours[threads], linewidth=1.4)
                axes.plot([first, third], [at + offset] * 2, color=colours[threads], linewidth=5)
                axes.plot([middle] * 2, [at + offset - 0.17, at + offset + 0.17], color=colours["ink"], linewidth=2)
        def text(x: float, y: float, words: str, **options: Any) -> None:
            """From the left end in px, and from the upper end, or from the lower one where y is negative."""
            at = 1 - y / height if y > 0 else -y / height
            figure.text(x / WIDTH, at, words, **{"color": colours["ink"], "fontsize": 11, "va": "center"} | options)

        text(8, 18, "Time of the fastest other library / time of strew", fontsize=12, weight="bold")
        for x, threads in ((8, "1"), (120, "2")):
            text(x, 44, THREADS[int(threads)], color=colours[threads], weight="bold")
        text(8, 66, "lines: 5 to 95 % of the calls; bars: 25 to 75 %; marks: half")
        text(NAMES, -40, "← strew slower")
        text(WIDTH - 16, -40, "strew faster →", ha="right")
        text(WIDTH - 16, -16, f"lines are cut at {LOWEST} and {HIGHEST}", ha="right")
        charts.save(figure, path, facecolor=colours["paper"])
        plt.close(figure)


# ---- The page


def table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(each) + " |" for each in [head, ["---"] * len(head), *rows])


def totals(part: dict[str, Any], first: str) -> str:
    rows = []
    for threads, words in THREADS.items():
        ratios = pooled(part["ratios"], threads)
        if not ratios:
            continue
        of = pools.summary(ratios)
        ahead = sum(ratio > 1 for ratio in ratios)
        below = [f"{of[f'below_{bound}']} ({100 * of[f'below_{bound}'] / len(ratios):.1f} %)" for bound in (0.8, 0.5)]
        rows.append([words, str(len(ratios)), str(ahead), f"{of['geometric_mean']:.2f}", *below, f"{of['worst']:.2g}"])
    return table(["", "calls", "ahead", f"geometric mean of {first} / strew", "below 0.8", "below 0.5", "worst"], rows)


def short_calls(part: dict[str, Any]) -> str:
    """A line on those that do not count."""
    parts = [
        f"{of['calls']} on {THREADS[int(threads)]}, geometric mean {of['geometric_mean']:.2f}, {of['below_0.5']} of them below 0.5"
        for threads, of in part["about"]["short"].items()
        if of["calls"]
    ]
    return f"Shorter calls: {'; '.join(parts)}." if parts else "There were no shorter calls."


def by_name(ratios: Ratios, what: str) -> str:
    rows = []
    for name, each in ratios.items():
        cells = []
        for threads in THREADS:
            values = each.get(str(threads), [])
            few = len(values) < 3
            cells += [str(len(values)), "" if few else f"{pools.geometric_mean(values):.2f}",
                      "" if few else str(sum(ratio < 0.5 for ratio in values))]  # fmt: skip
        rows.append([f"`{name}`" if what == "operator" else name, *cells])
    rows.sort(key=lambda row: float(row[2] or "inf"))
    head = [what, "calls, one thread", "geometric mean", "below 0.5", "calls, two threads", "geometric mean", "below 0.5"]
    return table(head, rows)


def plain(number: float, digits: int = 2) -> str:
    """With this many digits, and no exponent."""
    text = f"{number:.{digits}g}"
    return f"{float(text):.0f}" if "e" in text else text


def worst_calls(part: dict[str, Any]) -> str:
    rows = []
    for row in part["worst"]:
        times = plain(row["strew"], 3), plain(row["loops"], 3)
        case = f"`{row['seed']}:{row['number']}`"
        rows.append([f"{row['ratio']:.2g}", row["text"], *times, row.get("kernels", ""), case])
    return table(["loops / strew", "call", "strew, µs", "loops, µs", "kernels", "`--case`"], rows)


def growth_table(points: list[dict[str, Any]]) -> str:
    rows = []
    for (name, in_place, workspace), times in by_row(points).items():
        if in_place and not workspace:
            slow = "more" if max(n * ns for n, ns in times.items()) > SLOW else ""
            rows.append([name, *(plain(times[n]) if n in times else slow for n in (10**3, 10**4, 10**5, 10**6, 10**7))])
    return table(["in place, without a workspace", "10³", "10⁴", "10⁵", "10⁶", "10⁷"], rows)


def growing(points: list[dict[str, Any]]) -> str:
    rows = []
    for (name, in_place, workspace), n, ours, sums in faster_than_index_add(by_row(points)):
        where = ("in place" if in_place else "to an output") + (", with a workspace" if workspace else "")
        rows.append([name, where, f"{n:,}".replace(",", "\N{NO-BREAK SPACE}"), f"{ours:.2f}", f"{sums:.2f}"])
    return table(["call", "form", "from n", "time of an update at 10 n / at n", "of index_add"], rows)


LOSSES = """## Where strew is slower, and why

| calls | why |
|---|---|
| `mean` and `without_init` with about as many updates as elements | an element and its state are read and written for each update, and without a workspace all indices for each block of 32 KiB of states |
| `mean` of `float16` and `bfloat16` | the sum is a float beside the element, and so are the counts: no pass by the loops of sums |
| `bfloat16`, and `float16` without F16C: single elements | each is widened, combined and rounded on its own where rows are in vectors |
| products of complex numbers | each product of parts is rounded, and infinities are recovered; the loops do neither |
| operands whose contiguous axes are at different places | whichever loop is inside, one operand is read by a cache line an element |
| bound calls on operands that are not dense | usual calls, which check the indices; the loops beside them do not |
| multi-indices of several components, each with strides and short runs | a call of a loop for each component and run |
| masks of some thousand elements | the loops branch by the mask, which processors learn from call to call; strew goes by its bits |
| `onnx::tensor_scatter` with a short row a sample | starts are checked, widened and used in a loop each |
| means with some targets that have most of the updates | counts of a byte overflow, and a pass over the indices counts each 254 of these again |
| from Python, beside JAX | all arrays of JAX are row-major, those of the other libraries have the layout that was drawn; JAX keeps memory for its results, where others have theirs from the system |
| short calls | what a call costs before it moves anything: see "Shorter calls" above |
| two threads and some microseconds of work, or few targets with most of the updates | waking a thread takes microseconds; each thread owns a part of the targets, and one has most of the work |
"""


def measured(about: dict[str, Any]) -> str:
    return about["commit"][:10] + ("+" if about["commit"].endswith("+") else "") + ", " + about["processor"]


def page(results: dict[str, Any]) -> str:
    return f"""# Ordinary calls

Calls that nobody chose: operator, rank, extents, layouts, types and indices are drawn at random, and each call is made by strew, by
other libraries and by the loops that a user would write, in turns, in one process. A ratio below 1 is a call on which strew is slower.
Programs: [bench/sweep](../bench/sweep); `-O2`, seeds from the hashes of commits.

## From Python, beside NumPy, PyTorch and JAX

Commit {measured(results["python"]["about"])}.

{totals(results["python"], "the fastest of them")}

<picture>
  <source media="(prefers-color-scheme: dark)" srcset="images/ordinary-calls-dark.svg">
  <img src="images/ordinary-calls.svg" alt="The distribution of the ratio for each operator" width="480">
</picture>

Drawn are arrays of 30 to 3·10⁶ elements of ranks 1 to 4, with narrow axes (1 to 8) and long ones in any place; half of the calls
have row-major arrays alone, the others each array row-major, permuted, column-major, every second element, padded or of negative
strides; indices are random, permuted, sorted, few different ones or of Zipf's distribution, some expanded by stride 0; of three
tenths of the calls there may be many more updates than targets. A call counts if the fastest other library takes 3 µs and more.
NumPy has one thread in both rows, JAX its own number, and of two ways to write a call with NumPy the faster counts. JAX where the
call makes a new array; without the time to compile. A call is left out of the other library's times if that refuses it (PyTorch has
no negative strides).

{short_calls(results["python"])}

{by_name(results["python"]["groups"], "beside NumPy and JAX")}

{by_name(results["python"]["ratios"], "operator")}

## From C++, beside loops

The loops check every index and then scatter, in row-major order or in the order of the output's strides, compiled with `-O2` and
with `-O3`: the fastest of the four. strew is compiled with `-O2`, but asks for `-O3` itself in its innermost loops and for AVX2
where the processor has it, which the loops do not. Bound calls have checked their indices before: beside them the loops do not
check either. On two threads the loops still have one. The data, masks and indices are the same in all repetitions of a call, so
that processors learn the branches of small ones; in place the data of `min` and `max` are restored between samples. A call counts
if the loops take 3 µs and more. Other than above, all operators and element types are drawn, and the forms of a call: with a
workspace, prepared, bound, one value in the place of updates.

Commit {measured(results["loops"]["about"])}.

{short_calls(results["loops"])}

{totals(results["loops"], "loops")}

{by_name(results["loops"]["groups"], "form")}

{by_name(results["loops"]["ratios"], "operator")}

### The worst calls

`sweep_calls --case S:K` makes a call again.

{worst_calls(results["loops"])}

{LOSSES}
## How the time grows

Nanoseconds of an update, n random updates of n targets, float32, int64 indices, one thread. Commit
{measured(results["growth"]["about"])}. A row ends at a call that takes half a second ("more"); most were measured up to 10⁶ alone.

{growth_table(results["growth"]["points"])}

What grows faster than index_add does: the largest step from an n to ten times as many, from 10⁴ on, is half as much again as that
of index_add from the same n. Reductions with states, `mean` and those without init, read all updates again for each block of states
that fits on the stack or into the workspace. The others leave a cache at another n than index_add does, or write a new output too.

{growing(results["growth"]["points"])}
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("loops", "python", "growth"):
        parser.add_argument(f"--{name}", type=Path)
    options = parser.parse_args()
    store(options)
    results = json.loads(RESULTS.read_text())
    PAGE.write_text(page(results))
    for theme, path in CHARTS.items():
        draw(results["python"]["ratios"], theme, path)


if __name__ == "__main__":
    main()
