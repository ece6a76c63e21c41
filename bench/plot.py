# SPDX-License-Identifier: Apache-2.0
"""The picture of the results: a bar for each ratio to memcpy, a mark for each goal."""

import re

PANELS = {
    "slice_scatter": "SliceScatter: a slice of data",
    "scatter_update": "ScatterUpdate: half of the rows, in random order",
    "scatter_elements_update": "ScatterElementsUpdate: half of the elements",
    "index_add": "index_add: sums of rows, half as many as there are; histograms",
    "scatter_elements": "ScatterElements: as many updates as elements, summed or the largest kept",
    "scatter_nd": "ScatterND: half of the slices, by tuples",
}
COLOURS = {"256KiB": "#c6dbef", "4MiB": "#b2d2e8", "32MiB": "#9ecae1", "128MiB": "#6baed6", "256MiB": "#4292c6", "512MiB": "#2171b5"}
GOAL = {"color": "#d62728", "linewidth": 2.5, "solid_capstyle": "butt", "zorder": 4}


def draw(results, file):
    """One thread, float32 and int64 indices, not in place."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    panels = {operator: {} for operator in PANELS}
    for row in results["one_thread"]:
        operator, case = row["case"].split("/")
        if operator in panels and row["type"] == "float32" and not case.endswith("_in_place"):
            panels[operator].setdefault(case, []).append(row)
    panels = {operator: cases for operator, cases in panels.items() if cases}
    if not panels:
        return

    # In units of a bar: a gap after each case, and room for the title.
    heights = [sum(len(rows) + 1 for rows in cases.values()) + 4 for cases in panels.values()]
    figure, all_axes = plt.subplots(
        len(panels), squeeze=False, figsize=(10, 0.125 * sum(heights)), dpi=100, layout="constrained",
        gridspec_kw={"height_ratios": heights},
    )  # fmt: skip
    for axes, (operator, cases) in zip(all_axes[:, 0], panels.items()):
        draw_panel(axes, cases)
        axes.set_title(PANELS[operator], loc="left", fontweight="bold")
    all_axes[0, 0].legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2, frameon=False)
    machine = f"{results['machine']['processor']}, {results['machine']['compiler']}"
    figure.supxlabel(f"time, x memcpy of data to the output: less is better\n{machine}", fontsize=9)
    figure.savefig(file, bbox_inches="tight", pad_inches=0.15)


def draw_panel(axes, cases):
    every_row = [row for rows in cases.values() for row in rows]
    end = 1.02 * max(max(row["value"], row["goal"] or 0) for row in every_row)
    at, ticks = 0, []
    for case, rows in cases.items():
        ticks.append(at + (len(rows) - 1) / 2)
        for row in rows:
            axes.barh(at, row["value"], height=0.9, color=COLOURS.get(row["size"], COLOURS["32MiB"]))
            if row["goal"] is not None:
                axes.plot([row["goal"]] * 2, [at - 0.45, at + 0.45], **GOAL)
            # In columns beside the bars, where no line crosses them.
            text = {"va": "center_baseline", "ha": "right", "fontsize": 8, "transform": axes.get_yaxis_transform()}
            axes.text(1.065, at, re.sub(r"(\d+)", r"\1 ", row["size"]), **text)
            axes.text(1.12, at, f"{row['value']:.2f}", **text)
            at += 1
        at += 1
    axes.axvline(1, color="black", linewidth=1, zorder=3, label="memcpy")
    axes.plot([], [], **GOAL, label="goal")
    axes.set_yticks(ticks, [case.replace("_", " ") for case in cases])
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, end)
    axes.set_ylim(at - 0.5, -1)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", color="#e0e0e0", linewidth=0.6)
    axes.set_axisbelow(True)
