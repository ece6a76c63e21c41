# SPDX-License-Identifier: Apache-2.0
"""Compiles each translation unit several times and writes docs/build-cost.md.

    python measure.py --rounds 7 --rounds-of-every-type 3 --output FILE
"""

import argparse
import pathlib
import shutil
import statistics
import sys
from collections import namedtuple

import units

sys.path.append(str(units.HERE.parent))
from report import found

Build = namedtuple("Build", "compiler flags limited")
BUILDS = (
    Build("g++", units.OPTIMISED, limited=True),
    Build("g++", ("-O0",), limited=False),
    Build("g++", ("-O0", "-g"), limited=False),
    Build("clang++", units.OPTIMISED, limited=False),
)
TOLERANCE = 1.1  # of the limits of time; text is the same in every run

# Of one unit with one build: KB, seconds, time / time of the reference, the relative spread of that over the rounds.
Figures = namedtuple("Figures", "text seconds time spread rounds")

# The lines of the first table, of the first build: a title, and which units it sums up.
SUMMARY = {
    "one operator, headers alone": lambda unit: unit.limits in units.OPERATORS,
    "one operator with a reduction, headers alone": lambda unit: unit.limits == "one_reduction",
    "all four operators in one file, headers alone": lambda unit: unit.limits == "all_operators",
    "one operator, compiled library": lambda unit: unit.limits == units.COMPILED,
    "for comparison: `std::regex_match` of a string": lambda unit: unit.source == units.REFERENCE,
}

HOW_TO_READ = """\
The four operators are `slice_scatter`, `scatter_update`, `scatter_elements_update` and `onnx::scatter`; the compiled
library is the target `strew::compiled`.

## How to read the tables

Each row is one [translation unit](../bench/build_cost/units). Those of strew include `<strew/strew.hpp>` and call each
operator named once: float elements, int64 indices, with an output, the form that throws, no executor; the operands are
parameters of the function.

- **text** is the first column of `size`, which includes read-only data, in KB of 1000 bytes.
- **seconds** is the user time of the compiler, the median over all rounds.
- **x regex** is the time divided by the time of the unit with one `std::regex_match` in the same round, the median over
  the rounds; **+-** is half the interquartile range.
- **limit** is the largest value that is allowed ([limits.json](../bench/build_cost/limits.json)). Limits of time have a
  tolerance of 10 %. `scripts/check users` checks the limits of text with g++ 12.
"""

HOW_IT_IS_MEASURED = """\
## How it is measured

    scripts/bench build-cost    # measures and writes this page

In a round each unit is compiled once, one after the other. Eigen, xtensor and nlohmann/json are the packages of the
system.
"""


def measured_in_rounds(build, available, options):
    """{unit: its Cost in each round}; the units take turns."""
    costs = {unit: [] for unit in available}
    for number in range(options.rounds):
        for unit in available:
            if unit.source == units.EVERY_TYPE and number >= options.rounds_of_every_type:
                continue
            costs[unit].append(units.compile_once(unit, build.compiler, build.flags))
            text, seconds = costs[unit][-1]
            print(f"{number + 1}: {title(build)}: {unit.title}: {text} bytes, {seconds:.2f} s", flush=True)
    return costs


def figures(costs, reference):
    multiples = [cost.seconds / of_reference.seconds for cost, of_reference in zip(costs, reference)]
    time = statistics.median(multiples)
    first, _, third = statistics.quantiles(multiples, method="inclusive") if len(multiples) > 1 else (time,) * 3
    seconds = statistics.median(cost.seconds for cost in costs)
    return Figures(costs[0].text / 1000, seconds, time, (third - first) / 2 / time, len(costs))


def measured(build, options):
    """{unit: Figures, or the reason why there are none}, in the order of units.UNITS."""
    outcome = {unit: units.missing(unit) for unit in units.UNITS}
    costs = measured_in_rounds(build, [unit for unit, reason in outcome.items() if reason is None], options)
    reference = next(of_unit for unit, of_unit in costs.items() if unit.source == units.REFERENCE)
    return outcome | {unit: figures(of_unit, reference) for unit, of_unit in costs.items() if of_unit}


def verdict(figure, limit):
    return "met" if figure <= limit else "**missed**"


def limit_cells(unit, of_unit):
    """Limit and verdict of text, limit and verdict of time."""
    if unit.limits is None:
        return ["", "", "", ""]
    text, time = (units.LIMITS[unit.limits][name] for name in ("text", "time"))
    return [f"{text:g}", verdict(of_unit.text, text), f"{time:g}", verdict(of_unit.time, TOLERANCE * time)]


def row(unit, of_unit, limited, rounds):
    if not isinstance(of_unit, Figures):
        return [unit.title, f"not measured: {of_unit or 'no rounds'}"]
    name = unit.title if of_unit.rounds == rounds else f"{unit.title} ({of_unit.rounds} rounds)"
    text = [f"{of_unit.text:.1f}"]
    spread = f"{of_unit.spread:.0%}" if of_unit.rounds > 1 else ""
    time = [f"{of_unit.seconds:.2f}", f"{of_unit.time:.2f}", spread]
    if not limited:
        return [name, *text, *time]
    text_limit, text_verdict, time_limit, time_verdict = limit_cells(unit, of_unit)
    return [name, *text, text_limit, text_verdict, *time, time_limit, time_verdict]


def table(header, rows):
    padded = [cells + [""] * (len(header) - len(cells)) for cells in rows]
    lines = [header, ["---"] * len(header), *padded]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def title(build):
    return " ".join((build.compiler, *build.flags))


def summary(build, outcome):
    """What a call costs, in a sentence and in a table of ranges."""
    ranges = {}
    for name, belongs in SUMMARY.items():
        of_units = [of_unit for unit, of_unit in outcome.items() if belongs(unit) and isinstance(of_unit, Figures)]
        if of_units:
            texts = [f"{of_unit.text:.1f}" for of_unit in sorted(of_units, key=lambda figures: figures.text)]
            times = [f"{of_unit.seconds:.2f}" for of_unit in sorted(of_units, key=lambda figures: figures.seconds)]
            ranges[name] = [" to ".join(dict.fromkeys((values[0], values[-1]))) for values in (texts, times)]
    headers, compiled = (ranges[f"one operator, {form}"] for form in ("headers alone", "compiled library"))
    sentence = (
        f"A call of one operator takes {headers[0]} KB of text and {headers[1]} s of compile time with "
        f"`{title(build)}`; with the compiled library {compiled[0]} KB and {compiled[1]} s."
    )
    rows = [[name, *of_name] for name, of_name in ranges.items()]
    return sentence + "\n\n" + table(["call", "text, KB", "compile time, s"], rows)


def section(build, outcome, options):
    if outcome is None:
        return f"## {title(build)}\n\nNot measured: {build.compiler} is not installed."
    version = units.output_of(build.compiler, "--version").splitlines()[0]
    header = ["translation unit", "text, KB", "seconds", "x regex", "+-"]
    if build.limited:
        header[2:2] = ["limit", ""]
        header += ["limit", ""]
    rows = [row(unit, of_unit, build.limited, options.rounds) for unit, of_unit in outcome.items()]
    about = f"{version}. Rounds: {options.rounds}, unless a row states another number."
    return f"## {title(build)}\n\n{about}\n\n{table(header, rows)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rounds-of-every-type", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()

    outcomes = {build: measured(build, options) if shutil.which(build.compiler) else None for build in BUILDS}
    first = outcomes[BUILDS[0]]
    sections = ["# Build cost", *([summary(BUILDS[0], first)] if first else []), HOW_TO_READ]
    sections += [section(build, outcome, options) for build, outcome in outcomes.items()]
    sections += [HOW_IT_IS_MEASURED, f"Processor: {found('/proc/cpuinfo', '^model name.*: (.*)$')}."]
    options.output.write_text("\n\n".join(part.strip("\n") for part in sections) + "\n")


if __name__ == "__main__":
    main()
