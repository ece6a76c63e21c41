# SPDX-License-Identifier: Apache-2.0
"""What follows from the samples of a row that compare.py measured."""

import math
import statistics

NOISE = 0.03  # part of the time of a run
UNBOUND = ("plain", "plain_with_workspace", "prepared", "prepared_with_workspace")
BOUND = ("bound", "bound_with_workspace")


def median(row, name):
    return statistics.median(row["seconds"][name])


def fastest(row, names):
    """The name of the one with the least median."""
    return min((name for name in names if name in row["seconds"]), key=lambda name: median(row, name))


def runs_until_paid(row, instead_of):
    """After how many runs binding has paid; None if a run is not faster by more than the noise."""
    saved = median(row, instead_of) - median(row, fastest(row, BOUND))
    return math.ceil(median(row, "bind") / saved) if saved > NOISE * median(row, instead_of) else None
