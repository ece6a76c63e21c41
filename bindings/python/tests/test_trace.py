# SPDX-License-Identifier: Apache-2.0
"""The lines of calls with the environment variable STREW_TRACE."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import numpy as np, strew
table = np.zeros((4, 3), np.float32)
strew.index_add(table, 0, np.array([2, 0]), np.ones((2, 3), np.float32), out=table)
strew.index_reduce(table, 0, np.array([2, 0]), np.ones((2, 3), np.float32), "amax", out=table, threads=2)
try:
    strew.scatter_update(table, np.array([2, 4], np.int32), np.ones((2, 3), np.float32), 0, out=table)
except IndexError:
    pass
"""


def lines(**environment):
    known = {name: value for name, value in os.environ.items() if name != "STREW_TRACE"}
    ran = subprocess.run([sys.executable, "-c", PROGRAM], env=known | environment, capture_output=True, text=True,
                         check=True)
    assert ran.stdout == ""
    return ran.stderr.splitlines()


@pytest.mark.parametrize("value", [None, "", "0"])
def test_no_line_without_the_variable(value):
    assert lines(**({} if value is None else {"STREW_TRACE": value})) == []


def test_a_line_for_each_call():
    add, reduce, update = lines(STREW_TRACE="1")
    assert add.startswith("strew: index_add, sum | data float32 [4, 3] in place | axis 0 | indices int64 [2] | "
                          "updates [2, 3] | 1 thread | small: ran")
    assert add.endswith(" us")
    assert reduce.startswith("strew: index_reduce, max | data float32 [4, 3] in place | ")
    assert " | 2 threads" in reduce
    assert "error: scatter_update: indices[1] = 4 is outside [0, 3]" in update
