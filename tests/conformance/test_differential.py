# SPDX-License-Identifier: Apache-2.0
"""Every operator beside NumPy and the runtimes on the same random cases: each disagreement is a known one.

Most cases come from a seeded generator, one seed a case, so any of them can be made again by itself; hypothesis draws
some more through the same generator, and reduces what fails.
"""

import math
import random

import hypothesis
import numpy as np
import pytest
import strew

import cases
import comparison
import library
import reduce

# Few enough to read, and to reduce in a minute.
MOST_FAILURES = 3


@pytest.fixture(params=cases.OPERATORS)
def operator(request):
    return request.param


@pytest.fixture
def compared(operator, profile):
    made = comparison.Comparison(operator, profile.ration)
    yield made
    made.close()


def nth_case(operator, seed, number, size):
    return cases.draw(operator, random.Random(f"{operator} {seed} {number}"), size=size)


def disagreement_with(compared, oracle):
    """Whether a case is an unexplained disagreement with this oracle."""

    def disagrees(case):
        try:
            compared.check(case)
        except comparison.Unexplained as found:
            return found.oracle == oracle
        return False

    return disagrees


def report_of(found, origin):
    return "\n".join(
        [
            f"{origin}: {found.case.operator} and {found.oracle} disagree on",
            f"  {cases.describe(found.case)}",
            f"  {found.case!r}",
            f"  strew: {comparison.outcome_text(found.ours)}",
            f"  {found.oracle}: {comparison.outcome_text(found.theirs)}",
        ]
    )


def compare_seeded_cases(operator, compared, seed, count, size):
    failures = []
    for number in range(count):
        try:
            compared.check(nth_case(operator, seed, number, size))
        except comparison.Unexplained as found:
            failures.append((number, found))
            if len(failures) == MOST_FAILURES:
                break
    if failures:
        lines = [report_of(found, f"case {number} of seed {seed}") for number, found in failures]
        smallest = reduce.smallest(operator, disagreement_with(compared, failures[0][1].oracle), examples=3000)
        if smallest is not None:
            lines.append(f"the smallest found: {cases.describe(smallest)}\n  {smallest!r}")
        pytest.fail("\n".join(lines), pytrace=False)


def compare_cases_of_hypothesis(operator, compared, profile):
    @hypothesis.seed(profile.seed)
    @hypothesis.settings(
        max_examples=profile.examples,
        database=None,
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(reduce.drawn_cases(operator))
    def finds_none(case):
        compared.check(case)

    finds_none()


def counts_of(compared, profile, generated):
    return {
        "profile": profile.name,
        "seed": profile.seed,
        "cases": compared.cases,
        "of_generator": generated,
        "oracles": {name: tally.as_dict() for name, tally in compared.tallies.items()},
    }


def test_no_disagreement_is_unexplained(operator, compared, profile, results):
    compare_seeded_cases(operator, compared, profile.seed, profile.cases, cases.SMALL)
    compare_cases_of_hypothesis(operator, compared, profile)
    assert compared.tallies[comparison.NUMPY].same_output > profile.cases // 2
    assert compared.tallies[comparison.NUMPY].both_refuse > profile.cases // 20
    results.setdefault("differential", {})[operator] = counts_of(compared, profile, profile.cases)


def test_no_disagreement_is_unexplained_in_large_tensors(operator, compared, profile, results):
    compared.ways = comparison.OUTPUT_MADE | comparison.OTHER_MEANS
    compare_seeded_cases(operator, compared, profile.seed, profile.large_cases, cases.LARGE)
    assert compared.tallies[comparison.NUMPY].same_output > profile.large_cases // 2
    results.setdefault("large", {})[operator] = counts_of(compared, profile, profile.large_cases)


def test_no_disagreement_is_unexplained_in_tensors_of_some_thousand_elements(operator, compared, profile):
    compared.ways = comparison.OUTPUT_MADE | comparison.OTHER_MEANS
    compare_seeded_cases(operator, compared, profile.seed, profile.large_cases, cases.MIDDLE)
    assert compared.tallies[comparison.NUMPY].same_output > profile.large_cases // 2


# More than the caches of most processors hold: the library then writes past them.
BEYOND_CACHES = (3000, 3000)


@pytest.fixture(params=(None, 0), ids=("with a workspace", "without"))
def workspace(request):
    with library.workspace_limit(request.param):
        yield


@pytest.fixture(params=(1, 3), ids=("one thread", "several threads"))
def threads(request, workspace):
    return request.param


@pytest.fixture(scope="module")
def huge():
    """Data of float32, and room for an output."""
    data = np.arange(math.prod(BEYOND_CACHES), dtype=np.float32).reshape(BEYOND_CACHES)
    return data, np.zeros_like(data)


@pytest.mark.parametrize("step", (1, 2, 3, -1, -7))
@pytest.mark.parametrize("axis", (0, 1))
def test_slice_scatter_beyond_the_caches(huge, axis, step, threads):
    data, output = huge
    expected = data.copy()
    target = np.moveaxis(expected, axis, 0)[::step]
    updates = np.ascontiguousarray(np.moveaxis(-1 - target, 0, axis))
    target[...] = np.moveaxis(updates, axis, 0)
    start, stop = (0, 3000) if step > 0 else (2999, -3001)
    bounds = {"start": start, "stop": stop, "step": step, "axes": axis}
    strew.slice_scatter(data, updates, **bounds, out=output, threads=threads)
    assert np.array_equal(output, expected)


@pytest.mark.parametrize("axis", (0, 1))
@pytest.mark.parametrize("count", (10, 1500, 6000))
def test_scatter_update_beyond_the_caches(huge, axis, count, threads):
    data, output = huge
    indices = np.random.default_rng(1).integers(0, 3000, count)
    updates = -1 - np.arange(count * 3000, dtype=np.float32)
    updates = updates.reshape((count, 3000) if axis == 0 else (3000, count))
    expected = data.copy()
    for position in range(count):
        at = (slice(None),) * axis
        expected[(*at, indices[position])] = updates[(*at, position)]
    strew.scatter_update(data, indices, updates, axis, out=output, threads=threads)
    assert np.array_equal(output, expected)


@pytest.mark.parametrize("axis", (0, 1))
@pytest.mark.parametrize("operator_name", ("scatter_elements_update", "onnx_scatter"))
def test_elements_beyond_the_caches(huge, axis, operator_name, threads):
    data, output = huge
    shape = (2500, 3000) if axis == 0 else (3000, 2500)
    indices = np.random.default_rng(1).integers(0, 3000, shape)
    updates = -1 - np.arange(math.prod(shape), dtype=np.float32).reshape(shape)
    expected = data.copy()
    other = np.arange(3000)
    for position in range(2500):  # one index a row at a time, so none repeats
        if axis == 0:
            expected[indices[position], other] = updates[position]
        else:
            expected[other, indices[:, position]] = updates[:, position]
    library.OPERATORS[operator_name](data, indices, updates, axis, out=output, threads=threads)
    assert np.array_equal(output, expected)
