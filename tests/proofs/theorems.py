# SPDX-License-Identifier: Apache-2.0
"""All theorems, and the headers that they are about."""

import pathlib

import distributions  # noqa: F401  imported modules register their theorems
import indices
import layouts  # noqa: F401
import parts  # noqa: F401
import readers
import slices
import views  # noqa: F401
from headers import Headers, UnsupportedCode
from proof import THEOREMS, Failed, Theorem

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include"
HEADERS = [
    "strew/detail/kernels/index_reader.hpp",
    "strew/detail/plan/partition.hpp",
    "strew/detail/plan/scatter_plan.hpp",
    "strew/detail/rules/part_view.hpp",
    "strew/detail/rules/policy.hpp",
    "strew/mpi/distribution.hpp",
]
INSTANCES = indices.INSTANCES + slices.INSTANCES + readers.INSTANCES
BY_NAME = {function.__name__: function for function in THEOREMS}


def read_headers(include, compiler):
    return Headers(include, HEADERS, INSTANCES, compiler)


def prove(function, headers):
    """Proves a theorem. Returns what it took and the problem, None if it is proven."""
    proof = Theorem(function, headers)
    try:
        proof.run()
    except (Failed, UnsupportedCode) as problem:
        return proof, problem
    return proof, None
