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

HOW_TO_READ = """\
## How to read the tables

- A case is one call: data, updates and parameters of random shapes (ranks 0 to 7, extents from 0), any of 20 element
  types and 8 index types, in place or not. Each operand has its own strides: permuted, negative, with gaps or zero.
  Some values are random bits. About one case in six violates a rule of the operator's specification on purpose.
- **Agreed**: the same output in every bit (Python objects and long doubles: the same values), or an error on both
  sides. **Both report an error** counts the latter. **Known differences** are [listed below](#known-differences). Any
  other difference fails the suite.
- **NumPy** stands for the specification: its conditions are checked one by one, then its assignment is done in NumPy
  (SliceScatter: the snippet in the specification). It runs every case and must never differ. Of several illegal indices
  both must report the same one. After each call the memory around the output and all inputs are compared too, and after
  an error the output as well.
- **Not run**: cases whose types the runtime does not support, and cases that may crash it, of which only the first few
  hundred run, in another process. [Cases not run](#cases-not-run) counts the reasons. ONNX Runtime gets indices of
  types other than int32 as int64. OpenVINO gets all parameters as int64, and indices too unless data is float32.
- Most cases come from a generator, which is seeded with the operator, the seed and the number of the case. The others
  come from hypothesis with the same seed, which also finds the smallest inputs. The last table has their numbers.
- The ONNX reference evaluator has no Scatter. It runs ScatterElements-11, the successor of Scatter.
"""

LARGE_TENSORS = """\
### Large tensors

The same with tensors of up to 40,000 elements, which is more than the library processes in one block. The tensors above
have at most 360. strew also runs these cases on three threads, and the output must have the same bits.

"""

HOW_IT_IS_RUN = """\
## How it is run

`tests/conformance/report.py` writes this page from the counts of a run; nothing on it is written by hand.

    cmake --workflow --preset conformance      # the quick profile: a few minutes

The run counted here, from `tests/conformance` with the environment and the package that the preset has built:

    export PYTHONPATH=../../build/conformance/python
    python=../../build/conformance/venv/bin/python
    $python -m pytest --thorough --results=results.json test_differential.py test_reductions.py test_node_tests.py
    $python report.py

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
    header = ["operator", "compared with", "cases run", "agreed", "both report an error", "known differences"]
    return table([*header, "not run"], rows)


def result(results):
    """The agreement in two sentences."""
    found = [found for kind in KINDS for found in results[kind].values()]
    reduced = results["reductions"].values()
    numpy = sum(operator["cases"] for operator in found) + sum(operator["numpy"] for operator in reduced)
    asked = agreed = 0
    for oracle, tally in (item for operator in found for item in operator["oracles"].items() if item[0] != "NumPy"):
        same = tally["same_output"] + tally["both_refuse"]
        agreed += same
        asked += same + sum(tally["differences"].values())
    with_runtimes = sum(
        operator.get(name, 0) for operator in reduced for name in ("evaluator", "ONNX Runtime", "OpenVINO", "PyTorch")
    )
    return (
        f"In all of {number(numpy)} random calls strew agrees with a reference in NumPy: the same output, or an error "
        f"on both sides. Of {number(asked + with_runtimes)} comparisons with OpenVINO, ONNX Runtime, the ONNX "
        f"reference evaluator and PyTorch {number(agreed + with_runtimes)} agree; each of the others is an instance of "
        f"one of {len(differences.ALL)} [known differences](#known-differences)."
    )


def runs(results):
    rows = []
    for kind, size in KINDS.items():
        for operator, found in results[kind].items():
            of_hypothesis = found["cases"] - found["of_generator"]
            counts = (number(found["of_generator"]), number(of_hypothesis))
            rows.append([TITLES[operator], size, found["profile"], found["seed"], *counts])
    return table(["operator", "tensors", "profile", "seed", "cases of the generator", "cases of hypothesis"], rows)


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
            f"Reason: {difference.why}\n\n"
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
    return table(["operator", "not run by", "tensors", "reason", "cases"], rows)


def node_tests(results):
    return table(["test", "outcome"], [[f"`{name}`", text] for name, text in results["node_tests"].items()])


REDUCTIONS = """\
## Reductions

The operators with reductions and with multi-indices (`test_reductions.py`) on random cases: 14 element types and 8
index types, every reduction of the operator, ranks 1 to 4, strided operands, in place or not, on one thread and on
three, with a workspace and without. About one case in ten has an index that is out of range: the call must report an
error and write nothing. The reference is a loop over pairs of a target and an update in NumPy; it runs all cases and
must never differ.

The runtimes do not run cases with NaNs, zeros of both signs, complex numbers or empty tensors, on which they differ
from each other. OpenVINO runs cases of float32 and int32, but no means of int32. PyTorch runs all types but float16 and
unsigned integers of more than 8 bits.

"""


def of_reductions(results):
    rows = []
    for operator, found in results["reductions"].items():
        names = ("numpy", "refused", "evaluator", "ONNX Runtime", "OpenVINO", "PyTorch")
        rows.append([f"`{operator}`", *(number(found.get(name, 0)) for name in names), 0])
    header = ["operator", "NumPy", "of these with an error", "ONNX reference evaluator", "ONNX Runtime, one thread",
              "OpenVINO", "PyTorch", "differences"]  # fmt: skip
    return REDUCTIONS + table(header, rows)


def written(results):
    sections = [
        "# Conformance",
        result(results),
        "## Agreement\n\n" + agreement(results["differential"]),
        HOW_TO_READ,
        LARGE_TENSORS + agreement(results["large"]),
        of_reductions(results),
        "## The official ONNX node tests\n\nAll node tests of scatter operators that the `onnx` package contains.\n\n"
        + node_tests(results),
        "## Known differences\n\n"
        "Each with the smallest input that shows it. The elements of data are 0, 1, 2, .., those of updates 360, 361, "
        "362, .. (int8, uint8, bfloat16: 60, 61, 62, ..), except where the input has values of any bits.\n\n"
        + known_differences(results),
        "## Cases not run\n\n" + reasons_not_asked(results),
        HOW_IT_IS_RUN,
        "## Versions and seeds\n\n" + versions(results) + "\n\n" + runs(results),
    ]
    return "\n\n".join(section.strip("\n") for section in sections) + "\n"


def main():
    DOCUMENT.write_text(written(json.loads(RESULTS.read_text())))


if __name__ == "__main__":
    main()
