# SPDX-License-Identifier: Apache-2.0
"""Fails if a unit has more text than its limit. Text is the same in every run, so this is no timed test.

    python check.py --compiler g++ KEY       # a key of limits.json
"""

import argparse
import sys

import units

SKIPPED = 77  # what CTest is told


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("key", choices=units.LIMITS)
    options = parser.parse_args()

    limit = 1000 * units.LIMITS[options.key]["text"]
    failed = False
    for unit in units.UNITS:
        if unit.limits != options.key:
            continue
        if reason := units.missing(unit):
            print(f"{unit.title}: {reason}")
            return SKIPPED
        text = units.compile_once(unit, options.compiler, units.OPTIMISED).text
        print(f"{unit.title}: {text} bytes of text, at most {limit}")
        failed |= text > limit
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
