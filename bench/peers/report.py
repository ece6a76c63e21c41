# SPDX-License-Identifier: Apache-2.0
"""Writes docs/benchmarks.md and docs/images/peers.png from what measure.py has written.

    python report.py RESULTS.json...
"""

import json
import pathlib
import statistics
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "benchmarks.md"
PLOT = ROOT / "docs" / "images" / "peers.png"
REFERENCES = ("memcpy", "strew")

INTRODUCTION = """\
# strew beside its peers

What a call costs here and in other libraries, in one process, on the same tensors. All of this page is generated:

    cmake --workflow --preset peers

![For each case how many times as long as strew each peer takes](images/peers.png)

**How it is measured.** float32 data, int64 indices; half of the rows or elements are replaced, each once
([cases.py](../bench/peers/cases.py)). All peers are called from Python on the same data, updates and indices, write to
the same output where they can, and must agree with NumPy before they are timed. Compiled models, sessions and bound
memory are made once, before, and so is the workspace that strew's `workspace_bytes` asks for. Samples of at least 2 ms alternate between the peers, round after round; the figures are
medians of ratios within a round. A call from Python costs strew, like every other, something of the order of a
microsecond, which shows at 256 KiB.

**Sums, maxima, tuples and histograms** go to random places, so that many updates meet, of small integers, of which sums are
exact in any order; half as many updates as rows, or as many as a row's name says. Histograms are compared with `memcpy` of
their updates. A peer whose result was wrong is left out of a row: ONNX Runtime on two threads lost updates in some.

**What is not alike.** strew's calls check every index and every shape, each time. So do ONNX Runtime and NumPy for
indices; Eigen, xtensor and the textbook loops check nothing. JAX makes a new output each time and the others reuse one.
NumPy, xtensor, Eigen's Array and the textbook loops have one thread only, also where two are allowed. ONNX Runtime has
no slice scatter; its rows are ScatterND on axis 0, else ScatterElements with indices expanded beforehand. Eigen and
xtensor have no scatter of single elements in more than one dimension; in one it is the indexing of rows.

**How to read it.** *x memcpy* is the time divided by that of `memcpy` of data to output on one thread. *ratio* is the
best peer's time divided by strew's: below 1 strew loses, and the row is marked **lost**. The columns of peers are such
ratios too; a dash: the library has no such operator.
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
        cells = [row["case"], row["size"], f"{of_strew:.2f}", f"{of_best:.2f}", best, mark]
        rows.append(cells + [f"{ratios[name]:.3g}" if name in ratios else "–" for name in peers])
    header = ["case", "data", "strew, x memcpy", "best peer, x memcpy", "best peer", "ratio"] + peers
    return table(header, rows)


def lost(results):
    return [row for row in results["rows"] if min(ratios_to_strew(row).values()) < 1]


def summary(every):
    rows = []
    for results in every:
        ratios = [min(ratios_to_strew(row).values()) for row in results["rows"]]
        of_lost = ", ".join(f"{row['case']} {row['size']}" for row in lost(results)) or "none"
        rows.append([heading(results), str(len(ratios)), f"{statistics.geometric_mean(ratios):.2f}", of_lost])
    return table(["threads and flags", "rows", "ratio, geometric mean", "rows lost"], rows)


def memory(results):
    """GB/s of memcpy, counting the bytes of data once, for each size."""
    found = {}
    for row in results["rows"]:
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


def draw(every):
    """A row for each case and size: a dot for each peer at its time over strew's, the best one filled."""
    figure, panels = plt.subplots(1, len(every), sharey=True, figsize=(4.2 * len(every), 9), squeeze=False)
    for panel, results in zip(panels[0], every):
        labels = [f"{row['case']}, {row['size']}" for row in results["rows"]]
        for height, row in enumerate(results["rows"]):
            ratios = sorted(ratios_to_strew(row).values())
            panel.plot(ratios[1:], [height] * (len(ratios) - 1), "o", color="0.75", markersize=3)
            panel.plot(ratios[:1], [height], "o", color="tab:blue" if ratios[0] >= 1 else "tab:red", markersize=5)
        panel.axvline(1, color="black", linewidth=1)
        panel.set_xscale("log")
        panel.set_xlim(0.3, 100)
        panel.set_xticks([0.5, 1, 2, 5, 10, 50], ["½", "1", "2", "5", "10", "50"])
        panel.set_xticks([], minor=True)
        panel.set_yticks(range(len(labels)), labels, fontsize=7)
        panel.set_ylim(len(labels) - 0.5, -0.5)
        panel.grid(axis="x", color="0.92")
        panel.set_title(heading(results).replace("`", ""), fontsize=9)
        panel.set_xlabel("time of each peer / time of strew; coloured: the best peer", fontsize=8)
    figure.tight_layout()
    figure.savefig(PLOT, dpi=110, bbox_inches="tight", pad_inches=0.15, metadata={"Software": None})


def written(every):
    sections = [INTRODUCTION, summary(every)]
    sections += [f"## {heading(results)}\n\n{comparison(results)}" for results in every]
    sections.append("## Machine and versions\n\n" + conditions(every))
    return "\n\n".join(section.strip("\n") for section in sections) + "\n"


def main():
    every = [json.loads(pathlib.Path(name).read_text()) for name in sys.argv[1:]]
    DOCUMENT.write_text(written(every))
    draw(every)
    print(summary(every))


if __name__ == "__main__":
    main()
