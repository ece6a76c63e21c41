# SPDX-License-Identifier: Apache-2.0
"""The exceptions of all operators."""

from __future__ import annotations

import builtins


class Error(Exception):
    """What is wrong with the arguments of a call. Nothing was written.

    Each is also a ``TypeError``, a ``ValueError`` or an ``IndexError``.

    code        what is wrong: ``"index_out_of_bounds"``, ``"extent_mismatch"``, ...
    operation   the operator, such as ``"scatter_update"``
    operand     the argument at fault: ``"indices"`` (also for index), ``"updates"`` (also for source), ``"axis"``, ..
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
