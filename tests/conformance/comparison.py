# SPDX-License-Identifier: Apache-2.0
"""Runs cases through the library and every oracle, counts, and calls out what is neither agreement nor known."""

import collections

import numpy as np

import differences
import document
import library
import oracles
import worker

NUMPY = "NumPy"

# Other ways to make the same call, which must give the same bits, by name: options of library.run.
OUTPUT_MADE = {"strew with an output that the call makes": {"makes_output": True}}
OTHER_MEANS = {
    "strew on several threads": {"threads": 3},  # three, so that shares are uneven
    "strew without a workspace": {"workspace": 0},
    "strew on several threads without a workspace": {"threads": 3, "workspace": 0},
}


class Tally:
    """What became of the cases that one oracle was shown."""

    def __init__(self):
        self.same_output = self.both_refuse = 0
        self.differences = collections.Counter()
        self.not_asked = collections.Counter()

    def as_dict(self):
        return {
            "same_output": self.same_output,
            "both_refuse": self.both_refuse,
            "differences": dict(sorted(self.differences.items())),
            "not_asked": dict(sorted(self.not_asked.items())),
        }


# An array of rank 0 stands for all updates in the package, where the specifications refuse its rank; its own tests compare
# such calls with loops.
ONE_VALUE = "updates of rank 0 are one value in Python"


def takes_as_one_value(case):
    _, refusal = outcome_in_document(case)
    return case.updates_shape == () and refusal is not None and refusal.code == "rank_mismatch"


class Unexplained(AssertionError):
    """A disagreement that is not among the known differences."""

    def __init__(self, oracle, case, ours, theirs):
        super().__init__(oracle, case, ours, theirs)
        self.oracle, self.case, self.ours, self.theirs = oracle, case, ours, theirs


def outcome_in_document(case):
    """The document's output and no refusal, or no output and the refusal."""
    try:
        return document.expected(case), None
    except document.Refused as refusal:
        return None, refusal


def outcome_text(outcome):
    """An outcome in one line."""
    if isinstance(outcome, np.ndarray):
        if outcome.dtype.kind in "fc" and np.isnan(outcome).any():  # all NaNs look alike
            return f"bits {outcome.byteswap().tobytes().hex(' ', outcome.itemsize)}"
        return f"{outcome.tolist()}"
    if isinstance(outcome, worker.Died):
        return f"the process ends ({outcome})"
    lines = [line.strip() for line in str(outcome).splitlines() if line.strip()]
    return f"error: {lines[-1] if lines else type(outcome).__name__}"


class Comparison:
    """One operator's cases. `ration` bounds how often a runtime is asked what may end its process: starting it again
    takes a thousand times as long as a case. The library runs each case in other `ways` too."""

    def __init__(self, operator, ration):
        self.oracles = [oracle for oracle in oracles.all_oracles() if operator in oracle.operators]
        self.tallies = {name: Tally() for name in [NUMPY] + [oracle.name for oracle in self.oracles]}
        self.ration = ration
        self.ways = OUTPUT_MADE
        self.rationed = collections.Counter()
        self.cases = 0
        # Memory that an illegal call spoiled must not spoil the answers to legal ones.
        self.for_legal, self.for_illegal = worker.Worker(), worker.Worker()

    def close(self):
        self.for_legal.stop()
        self.for_illegal.stop()

    def check(self, case):
        """Raises Unexplained."""
        self.cases += 1
        try:
            ours = library.run(case)
            others = {name: library.run(case, **options) for name, options in self.ways.items()}
        except library.Misbehaved as error:
            raise Unexplained(NUMPY, case, error, "no such write") from error
        for name, other in others.items():
            if not library.same_outcome(ours, other):
                raise Unexplained(name, case, ours, other)
        if takes_as_one_value(case):
            self.tallies[NUMPY].not_asked[ONE_VALUE] += 1
            return
        refusal = self.check_document(case, ours)
        for oracle in self.oracles:
            self.check_oracle(oracle, case, ours, refusal)

    def check_document(self, case, ours):
        output, refusal = outcome_in_document(case)
        tally = self.tallies[NUMPY]
        if refusal is not None and library.agrees_to_refuse(ours, case, refusal):
            tally.both_refuse += 1
        elif refusal is None and isinstance(ours, np.ndarray) and library.same_bits(ours, output):
            tally.same_output += 1
        else:
            raise Unexplained(NUMPY, case, ours, output if refusal is None else refusal)
        return refusal

    def check_oracle(self, oracle, case, ours, refusal):
        tally = self.tallies[oracle.name]
        theirs = self.ask(oracle, case, legal=refusal is None)
        if isinstance(theirs, oracles.Declined):
            tally.not_asked[str(theirs)] += 1
        elif refusal is not None and differences.is_error(theirs):
            tally.both_refuse += 1
        elif refusal is None and isinstance(theirs, np.ndarray) and library.same_bits(ours, theirs):
            tally.same_output += 1
        else:
            known = differences.explain(oracle, case, refusal.code if refusal else None, ours, theirs)
            if known is None:
                raise Unexplained(oracle.name, case, ours, theirs)
            tally.differences[known.name] += 1

    def ask(self, oracle, case, legal):
        if oracle.may_crash:
            reason = oracle.risk(case) if legal else "arguments that the specification forbids"
            if reason is not None:
                self.rationed[oracle.name, reason] += 1
                if self.rationed[oracle.name, reason] > self.ration:
                    return oracles.Declined(f"{reason}, beyond the first {self.ration}")
        if not legal:
            theirs = self.for_illegal.run(oracle, case)
            # An earlier call may have spoiled the memory of that process: the answer is that of a fresh one.
            return self.for_illegal.run(oracle, case) if isinstance(theirs, worker.Died) else theirs
        if oracle.may_crash:
            return self.for_legal.run(oracle, case)
        return worker.outcome_of(oracle, case)
