# SPDX-License-Identifier: Apache-2.0
"""The exceptions of all operators."""

from __future__ import annotations

import builtins
import difflib
from typing import NoReturn


class Error(Exception):
    """What is wrong with the arguments of a call. Nothing was written.

    Each is also a ``TypeError``, a ``ValueError`` or an ``IndexError``.

    code        what is wrong: ``"index_out_of_bounds"``, ``"extent_mismatch"``, ...
    operation   the operator, such as ``"scatter_update"``
    operand     the argument at fault, as the call named it, or as the operator does: ``"index"``, ``"axis"``, ..
    coordinate  where in that argument, such as ``(3, 0)`` for ``indices[3, 0]``; ``()`` if there is no such place
    """

    code: str
    operation: str
    operand: str
    coordinate: tuple[int, ...]

    def __init__(
        self, message: str, code: str = "", operation: str = "", operand: str = "", coordinate: tuple[int, ...] = ()
    ) -> None:
        # All of them are the arguments of the exception, with which it is copied and pickled.
        super().__init__(message, code, operation, operand, coordinate)
        self.code = code
        self.operation = operation
        self.operand = operand
        self.coordinate = coordinate

    def __str__(self) -> str:
        return builtins.str(self.args[0])


class OutOfBoundsError(Error, IndexError):
    """An index outside its axis."""


class AxisError(Error, ValueError, IndexError):
    """An axis outside the rank of data, as NumPy's ``AxisError`` is."""


class OperandTypeError(Error, TypeError):
    """Elements of a type that the operator does not take there."""


class OperandValueError(Error, ValueError):
    """Any other argument that the operator does not take."""


for _kind in (Error, OutOfBoundsError, AxisError, OperandTypeError, OperandValueError):
    _kind.__module__ = "strew"  # where users find it


# ---- Calls whose arguments are not those of an operator: TypeError, as of functions of Python

# What names of other libraries stand for.
_THREADS = ("n_jobs", "num_workers", "workers", "nthreads", "jobs")
_REDUCTIONS = ("reduce", "reduction", "accumulate", "op", "func")


def refuse_name(function: str, order: str, name: str, known: list[str]) -> NoReturn:
    near = difflib.get_close_matches(name.lower(), known, 1)
    nearest = near[0] if near else "threads" if name in _THREADS else ""
    advice = f" (the nearest is '{nearest}')" if nearest else ""
    if name in _REDUCTIONS and not near:
        advice = " (index_add, index_reduce, scatter_add and scatter_reduce combine)"
    elif name == "inplace":
        advice = " (out=data writes to data)"
    elif name == "out" and function.endswith("_"):
        advice = f" (it writes to data; {function[:-1]}() takes out)"
    raise TypeError(f"{function}() has no argument {name!r}{advice}: {function}{order}")


def refuse_second(function: str, order: str, name: str, other: str) -> NoReturn:
    twice = f"'{name}' twice" if other == name else f"'{name}' and '{other}', which are one argument"
    raise TypeError(f"{function}() was given {twice}: {function}{order}")


def refuse_missing(function: str, order: str, name: str) -> NoReturn:
    raise TypeError(f"{function}() was not given '{name}': {function}{order}")


def refuse_count(function: str, order: str, most: int, given: int) -> NoReturn:
    raise TypeError(f"{function}() takes {most} arguments without a name, {given} were given: {function}{order}")
