# SPDX-License-Identifier: Apache-2.0
"""Writes docs/conformance.md from results.json, which a run of the suite has written, and the known differences.

    pytest --thorough --results=results.json test_differential.py test_reductions.py test_node_tests.py
    python report.py
"""

import json
import pathlib

import cases
import differences

HERE = pathlib.Path(__file__).parent
RESULTS = HERE / "results.json"
DOCUMENT = HERE.parent.parent / "docs" / "conformance.md"

TITLES = {
    "slice_scatter": "SliceScatter-15",
    "scatter_update": "ScatterUpdate-3",
    "scatter_elements_update": "ScatterElementsUpdate-3",
    "onnx_scatter": "ONNX Scatter-9, -11",
}

# The kinds of differential tests in the results, and the size of their tensors.
KINDS = {"differential": "small", "large": "large"}

INTRODUCTION = """\
# Conformance

The operators of strew run beside other implementations on the same tensors, in the same process. This page is generated
by `tests/conformance/report.py` from the counts of a run; nothing on it is written by hand after that run.

    cmake --workflow --preset conformance      # the quick profile: a few minutes

The run counted here, from `tests/conformance` with the environment and the module that the preset has built:

    export PYTHONPATH=../../build/conformance/tests/conformance
    python=../../build/conformance/venv/bin/python
    $python -m pytest --thorough --results=results.json test_differential.py test_reductions.py test_node_tests.py
    $python report.py
"""

HOW_TO_READ = """\
- A case is one call: data, updates and parameters of random shapes (ranks 0 to 7, extents from 0), any of 20 element
  and 8 index types, in place or not, each operand with strides of its own (permuted, negative, with gaps, zero), values
  of any bits among them. About one in six breaks a rule of the operator's specification on purpose.
- **Agreed**: the same output in every bit (Python objects and long doubles: in value), or an error on both sides.
  **Known differences**: listed below, by name. There is no other column: anything else fails the suite.
- **NumPy** is the document itself: its conditions, checked one by one, then its assignment in NumPy (for SliceScatter
  the document's own snippet). It sees every case, must never differ, and of several bad indices must name the same one.
  After each call the memory around the output and all inputs are compared too, and after an error the output.
- **Not asked**: what the runtime has no type for, and inputs that may end its process, of which only the first few
  hundred are sent, to a process of their own. ONNX Runtime gets indices of other types than int32 as int64, OpenVINO
  those of any type (but where data is float32) and all parameters.
- Most cases come from a generator seeded with operator, seed and number, the others from hypothesis with the same seed;
  the last table says how many. The smallest inputs are hypothesis's.
- The reference evaluator has no Scatter of its own: it is asked for ScatterElements-11, which took its place.
"""

LARGE_TENSORS = """\
### Large tensors

The same with tensors of up to 40,000 elements, more than the library handles at a time; those above have 360 at most.
strew runs these on a pool of three threads as well, and must come to the same bits.

"""


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows])


def number(count):
    return f"{count:,}"


def agreement(found_by_operator):
    rows = []
    for operator, found in found_by_operator.items():
        for oracle, tally in found["oracles"].items():
            different = sum(tally["differences"].values())
            agreed = tally["same_output"] + tally["both_refuse"]
            asked = agreed + different
            counts = (asked, agreed, tally["both_refuse"], different, found["cases"] - asked)
            rows.append([TITLES[operator], oracle] + [number(count) for count in counts])
    header = ["operator", "oracle", "cases run", "agreed", "by both refusing", "known differences", "not asked"]
    return table(header, rows)


def runs(results):
    rows = []
    for kind, size in KINDS.items():
        for operator, found in results[kind].items():
            of_hypothesis = found["cases"] - found["of_generator"]
            counts = (number(found["of_generator"]), number(of_hypothesis))
            rows.append([TITLES[operator], size, found["profile"], found["seed"], *counts])
    return table(["operator", "tensors", "profile", "seed", "of the generator", "of hypothesis"], rows)


def versions(results):
    return table(["package", "version"], results["versions"].items())


def times_seen(results, difference):
    return sum(
        tally["differences"].get(difference.name, 0)
        for kind in KINDS
        for found in results[kind].values()
        for tally in found["oracles"].values()
    )


def known_differences(results):
    entries = json.loads((HERE / "differences.json").read_text())
    parts = []
    for difference in differences.ALL:
        entry = entries[difference.name]
        operators = ", ".join(TITLES[operator] for operator in difference.operators)
        parts.append(
            f"### {difference.name}\n\n"
            f"{difference.oracle}; {operators}; seen {number(times_seen(results, difference))} times. "
            f"{difference.verdict.capitalize()}.\n\n"
            f"{difference.what}\n\n"
            f"Our ground: {difference.why}\n\n"
            f"    {cases.describe(cases.from_plain(entry['case']))}\n"
            f"    strew: {entry['ours']}\n"
            f"    {difference.oracle}: {entry['theirs']}"
        )
    return "\n\n".join(parts)


def reasons_not_asked(results):
    rows = []
    for kind, size in KINDS.items():
        for operator, found in results[kind].items():
            for oracle, tally in found["oracles"].items():
                for reason, count in tally["not_asked"].items():
                    rows.append([TITLES[operator], oracle, size, reason, number(count)])
    return table(["operator", "oracle", "tensors", "reason", "cases"], rows)


def node_tests(results):
    return table(["test", "outcome"], [[f"`{name}`", text] for name, text in results["node_tests"].items()])


REDUCTIONS = """\
## Reductions

The operators with reductions and tuples (`test_reductions.py`) on random cases: 14 element and 8 index types, every reduction
of the operator, ranks 1 to 4, strides of their own, in place or not, on one thread, on three, with memory and without. About
one in ten has an index that is out of range, and is to be refused with nothing written. NumPy stands for a loop over pairs of
a place and an update; it is asked about all cases and must never differ. The runtimes are asked about cases without NaNs,
zeros of both signs, complex numbers and empty tensors, on which they differ from each other; OpenVINO about float32 and int32
without means of the latter, PyTorch about all but float16 and unsigned integers of more than 8 bits.

"""


def of_reductions(results):
    rows = []
    for operator, found in results["reductions"].items():
        counts = (found.get(name, 0) for name in ("numpy", "refused", "evaluator", "ONNX Runtime", "OpenVINO", "PyTorch"))
        rows.append([f"`{operator}`", *(number(count) for count in counts), 0])
    header = ["operator", "NumPy", "of these refused", "ONNX evaluator", "ONNX Runtime, one thread", "OpenVINO", "PyTorch",
              "disagreements"]  # fmt: skip
    return REDUCTIONS + table(header, rows)


def written(results):
    sections = [
        INTRODUCTION,
        "## Agreement\n\n" + agreement(results["differential"]),
        HOW_TO_READ,
        LARGE_TENSORS + agreement(results["large"]),
        of_reductions(results),
        "## The official ONNX node tests\n\nEvery scatter that the collector of the `onnx` package returns.\n\n"
        + node_tests(results),
        "## Known differences\n\n"
        "Data counts from 0, updates from 360 (int8, uint8, bfloat16: from 60), unless it says values of any bits.\n\n"
        + known_differences(results),
        "## Not asked, and why\n\n" + reasons_not_asked(results),
        "## Versions and seeds\n\n" + versions(results) + "\n\n" + runs(results),
    ]
    return "\n\n".join(section.strip("\n") for section in sections) + "\n"


def main():
    DOCUMENT.write_text(written(json.loads(RESULTS.read_text())))


if __name__ == "__main__":
    main()
