# SPDX-License-Identifier: Apache-2.0
"""The chart of the results: a bar for each ratio to memcpy; a light and a dark one. report.py draws both.

    scripts/bench tables -D STREW_BENCH_PLOT=docs/images/benchmarks.svg     # those of docs/kernels.md
"""

import re

import charts
import labels

PANELS = {
    "slice_scatter": "slice_scatter: a slice of data is replaced",
    "scatter_update": "scatter_update: half of the rows are replaced, in random order",
    "scatter_elements_update": "scatter_elements_update: half of the elements are replaced",
    "index_add": "index_add: half as many updates as rows, random targets; histograms",
    "onnx::scatter_elements": "onnx::scatter_elements: as many updates as elements, with a reduction",
    "onnx::scatter_nd": "onnx::scatter_nd: half as many updates as slices, by multi-indices",
}
COLOURS = {
    "256KiB": "#c6dbef", "4MiB": "#b2d2e8", "32MiB": "#9ecae1", "128MiB": "#6baed6", "256MiB": "#4292c6",
    "512MiB": "#2171b5",
}  # fmt: skip
# The colours of the background, of the text and of the grid.
THEMES = {"": ("white", "black", "#e0e0e0"), "-dark": ("#0d1117", "#f0f6fc", "#2f353d")}


def draw(results, file):
    """One thread, float32 and int64 indices, not in place."""
    panels = {}
    for row in results["one_thread"]:
        operator, case = labels.operator_and_case(row["case"])
        if row["type"] == "float32" and not row["case"].endswith("_in_place"):
            panels.setdefault(operator, {}).setdefault(case, []).append((row["size"], row["value"]))
    draw_panels(panels, f"{results['machine']['processor']}, {results['machine']['compiler']}", file)


def draw_panels(panels, machine, file):
    """`panels`: {operator: {case: [(size, value)]}}; operators without a title are left out."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    panels = {operator: panels[operator] for operator in PANELS if operator in panels}
    if not panels:
        return
    for name, (paper, ink, grid) in THEMES.items():
        style = charts.STYLE | {"figure.facecolor": paper, "axes.facecolor": paper, "savefig.facecolor": paper, "grid.color": grid}
        style |= {key: ink for key in ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")}
        with plt.rc_context(style):
            figure = drawn(plt, panels, machine, ink)
            target = file.with_name(f"{file.stem}{name}{file.suffix}")
            charts.save(figure, target, bbox_inches="tight", pad_inches=0.3)
            plt.close(figure)


def drawn(plt, panels, machine, ink):
    # In units of a bar: a gap after each case, and room for the title.
    heights = [sum(len(rows) + 1 for rows in cases.values()) + 4 for cases in panels.values()]
    figure, all_axes = plt.subplots(
        len(panels), squeeze=False, figsize=(11, 0.125 * sum(heights)), dpi=100, layout="constrained",
        gridspec_kw={"height_ratios": heights},
    )  # fmt: skip
    for axes, (operator, cases) in zip(all_axes[:, 0], panels.items()):
        draw_panel(axes, cases, ink)
        axes.set_title(PANELS[operator], loc="left", fontweight="bold")
    all_axes[0, 0].legend(loc="lower right", bbox_to_anchor=(1, 1), frameon=False)
    figure.supxlabel(f"time / time of memcpy of data to the output; less is better\n{machine}", fontsize=9)
    return figure


def draw_panel(axes, cases, ink):
    end = 1.02 * max(value for rows in cases.values() for _, value in rows)
    at, ticks = 0, []
    for rows in cases.values():
        ticks.append(at + (len(rows) - 1) / 2)
        for size, value in rows:
            axes.barh(at, value, height=0.9, color=COLOURS.get(size, COLOURS["32MiB"]))
            # In columns beside the bars, where no line crosses them.
            for points, text in ((42, re.sub(r"(\d+)", r"\1 ", size)), (72, f"{value:.2f}")):
                axes.annotate(
                    text, (1, at), (points, 0), axes.get_yaxis_transform(), "offset points",
                    va="center_baseline", ha="right", fontsize=8, annotation_clip=False,
                )  # fmt: skip
            at += 1
        at += 1
    axes.axvline(1, color=ink, linewidth=1, zorder=3, label="memcpy")
    axes.set_yticks(ticks, cases)
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, end)
    axes.set_ylim(at - 0.5, -1)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", linewidth=0.6)
    axes.set_axisbelow(True)
