# SPDX-License-Identifier: Apache-2.0
"""Options of the suite, and the results that a run writes.

    pytest                       the quick profile
    pytest --thorough            at least 200,000 cases an operator
    pytest --results=FILE        writes counts and versions, for report.py; what FILE holds of other tests stays
    pytest --seed=N              other cases
"""

import dataclasses
import json
import pathlib
import platform

import numpy
import pytest

import oracles


@dataclasses.dataclass(frozen=True)
class Profile:
    name: str
    seed: int
    cases: int  # drawn by a seeded generator
    examples: int  # drawn by hypothesis
    large_cases: int
    ration: int


def pytest_addoption(parser):
    parser.addoption("--thorough", action="store_true", help="at least 200,000 cases an operator")
    parser.addoption("--results", type=pathlib.Path, help="the JSON file to write the counts to")
    parser.addoption("--seed", type=int, default=1, help="the seed of all cases")


@pytest.fixture(scope="session")
def profile(pytestconfig):
    seed = pytestconfig.getoption("--seed")
    if pytestconfig.getoption("--thorough"):
        return Profile("thorough", seed, cases=200_000, examples=2_000, large_cases=10_000, ration=500)
    return Profile("quick", seed, cases=2_500, examples=150, large_cases=200, ration=50)


@pytest.fixture(scope="session")
def results(pytestconfig):
    """What the run found, by kind of test; written to --results at the end."""
    file = pytestconfig.getoption("--results")
    found = json.loads(file.read_text()) if file and file.exists() else {}
    found["versions"] = {"python": platform.python_version(), "numpy": numpy.__version__}
    found["versions"] |= dict(oracle.version.split(" ", 1) for oracle in oracles.all_oracles())
    yield found
    if file:
        file.write_text(json.dumps(found, indent=1) + "\n")
