# SPDX-License-Identifier: Apache-2.0
"""The smallest input with a property, found by hypothesis; as a program, the smallest one of every known difference.

    python reduce.py [name]...     writes differences.json

A difference that the same input does not show each time is none that hypothesis can reduce: its entry stays as it is.
"""

import json
import pathlib
import random
import sys

import hypothesis
from hypothesis import strategies

import cases
import comparison
import differences
import library
import oracles
import worker

EXAMPLES = 1500
FILE = pathlib.Path(__file__).with_name("differences.json")


def drawn_cases(operator, highest_rank=cases.HIGHEST_RANK):
    """A strategy: what cases.draw makes of the random numbers that hypothesis chooses."""
    return strategies.randoms(use_true_random=False).map(lambda r: cases.draw(operator, r, highest_rank))


def smallest(operator, has_property, examples):
    """The smallest case that hypothesis finds, of the smallest rank, or None."""
    settings = hypothesis.settings(
        max_examples=examples, database=None, deadline=None, suppress_health_check=list(hypothesis.HealthCheck)
    )
    for rank in range(1, cases.HIGHEST_RANK + 1):
        try:
            strategy = drawn_cases(operator, rank)
            return hypothesis.find(strategy, has_property, settings=settings, random=random.Random(1))
        except hypothesis.errors.NoSuchExample:
            continue
    return None


def observed(difference, case, process):
    """The library's and the runtime's outcome where the case shows the difference, else None."""
    oracle = next(oracle for oracle in oracles.all_oracles() if oracle.name.startswith(difference.oracle))
    ours = library.run(case)
    _, refusal = comparison.outcome_in_document(case)
    theirs = process.run(oracle, case)
    if isinstance(theirs, oracles.Declined):
        return None
    refused = refusal.code if refusal else None
    both_refuse = refused is not None and differences.is_error(theirs)
    agree = both_refuse or (refused is None and not isinstance(theirs, Exception) and library.same_bits(ours, theirs))
    if agree or not difference.recognises(case, refused, ours, theirs):
        return None
    return ours, theirs


def record(difference):
    process = worker.Worker(forgetful=True)
    for operator in difference.operators:
        case = smallest(operator, lambda case: observed(difference, case, process) is not None, EXAMPLES)
        process.stop()  # the outcome to record is that of a process whose memory nothing has spoiled
        if case is None:
            continue
        ours, theirs = observed(difference, case, process)
        process.stop()
        texts = {"ours": comparison.outcome_text(ours), "theirs": comparison.outcome_text(theirs)}
        return {"case": cases.to_plain(case), **texts}
    raise SystemExit(f"{difference.name}: no case shows it")


def main():
    entries = json.loads(FILE.read_text()) if FILE.exists() else {}
    chosen = sys.argv[1:] or [difference.name for difference in differences.ALL if difference.steady]
    for difference in differences.ALL:
        if difference.name in chosen:
            entries[difference.name] = record(difference)
            print(difference.name, cases.describe(cases.from_plain(entries[difference.name]["case"])), flush=True)
    names = [difference.name for difference in differences.ALL]
    ordered = {name: entries[name] for name in names if name in entries}
    lines = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in ordered.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
