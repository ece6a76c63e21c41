# SPDX-License-Identifier: Apache-2.0
"""Compiles the translation units again and again and writes docs/build-cost.md.

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

# Of one unit with one build: KB, seconds, multiples of the reference and how far the rounds lie apart in terms of them.
Figures = namedtuple("Figures", "text seconds time spread rounds")

INTRODUCTION = """\
# What a call costs to build

All of this page is generated:

    cmake --workflow --preset build-cost

Each row is one [translation unit](../bench/build_cost/units). Those of strew include `<strew/strew.hpp>` and make one
call of each operator named: float elements, int64 indices, out of place, throwing form, no executor; the operands are
parameters of the function. Eigen, xtensor and nlohmann/json are the packages of the system.

- **text** is the first column of `size`, read-only data included, in KB of 1000 bytes.
- **seconds** are those of the processor in user mode, the median of all rounds.
- **x regex** is the time divided by that of the unit with one `std::regex_match` in the same round, median over the
  rounds; **+-** is half the distance of the quartiles. In a round each unit is compiled once, one after the other.
- Limits are in [limits.json](../bench/build_cost/limits.json); those of time have a tolerance of 10 %. The preset
  `users` checks those of text with g++ 12.
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
    """{unit: Figures, or why there are none}, in the order of units.UNITS."""
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


def section(build, options):
    if shutil.which(build.compiler) is None:
        return f"## {title(build)}\n\nNot measured: {build.compiler} is not installed."
    version = units.output_of(build.compiler, "--version").splitlines()[0]
    header = ["translation unit", "text, KB", "seconds", "x regex", "+-"]
    if build.limited:
        header[2:2] = ["at most", ""]
        header += ["at most", ""]
    rows = [row(unit, of_unit, build.limited, options.rounds) for unit, of_unit in measured(build, options).items()]
    about = f"{version}. Rounds: {options.rounds} where a row does not say otherwise."
    return f"## {title(build)}\n\n{about}\n\n{table(header, rows)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--rounds-of-every-type", type=int, default=3)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()

    machine = f"Processor: {found('/proc/cpuinfo', '^model name.*: (.*)$')}."
    sections = [INTRODUCTION, machine, *(section(build, options) for build in BUILDS)]
    options.output.write_text("\n\n".join(part.strip("\n") for part in sections) + "\n")


if __name__ == "__main__":
    main()
