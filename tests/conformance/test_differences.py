# SPDX-License-Identifier: Apache-2.0
"""The known differences are still there: an entry whose smallest input no longer shows it is to be removed."""

import json

import numpy as np
import pytest

import cases
import differences
import document
import reduce
import worker

ENTRIES = json.loads(reduce.FILE.read_text())


@pytest.fixture(scope="module")
def process():
    made = worker.Worker(forgetful=True)
    yield made
    made.stop()


def test_every_difference_has_a_smallest_input():
    assert list(ENTRIES) == [difference.name for difference in differences.ALL]


STEADY = [difference for difference in differences.ALL if difference.steady]


@pytest.mark.parametrize("difference", STEADY, ids=lambda difference: difference.name)
def test_the_smallest_input_shows_the_difference(difference, process):
    case = cases.from_plain(ENTRIES[difference.name]["case"])
    assert reduce.observed(difference, case, process) is not None
    process.stop()  # it may have spoiled its memory


def test_the_order_of_duplicates_is_recognised_and_nothing_else():
    case = cases.from_plain(ENTRIES["openvino-duplicate-order"]["case"])
    ours = document.expected(case)

    def recognised(theirs):
        return differences.another_duplicate_wins(case, None, ours, np.array(theirs, ours.dtype))

    assert ours.tolist() == [[362, 363]]
    assert recognised([[360, 361]]) and recognised([[360, 363]])
    assert not recognised([[0, 1]]) and not recognised([[361, 360]]) and not recognised([[364, 363]])


def test_cases_survive_as_text():
    for entry in ENTRIES.values():
        case = cases.from_plain(entry["case"])
        assert cases.to_plain(case) == entry["case"]
