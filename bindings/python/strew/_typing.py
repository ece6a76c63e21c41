# SPDX-License-Identifier: Apache-2.0
"""The types in the signatures of the operators."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeVar, Union, runtime_checkable

__all__ = [
    "A",
    "Array",
    "Bounds",
    "CacheMode",
    "Elements",
    "Indices",
    "Mask",
    "Mode",
    "Number",
    "Reduction",
    "Updates",
]


@runtime_checkable
class SupportsDLPack(Protocol):
    def __dlpack__(self) -> Any: ...


@runtime_checkable
class SupportsArrayStruct(Protocol):
    @property
    def __array_struct__(self) -> Any: ...


@runtime_checkable
class SupportsBuffer(Protocol):
    def __buffer__(self, flags: int, /) -> memoryview: ...


# An array of NumPy, PyTorch, JAX or any other library with DLPack, the array interface or the buffer protocol.
Array = Union[SupportsDLPack, SupportsArrayStruct, SupportsBuffer]
A = TypeVar("A", bound=Array)

# A number of Python or a scalar of NumPy.
Number = Union[complex, SupportsDLPack, SupportsArrayStruct]
# An array, or lists of numbers.
Elements = Union[Array, Sequence["Updates"]]
# The same, or one value for all targets.
Updates = Union[Array, Number, Sequence["Updates"]]
# An array of bool, int8 or uint8, or lists of bools.
Mask = Union[Array, Sequence[bool], Sequence["Mask"]]
# An array of integers, an integer, or a list of integers or of such lists.
Indices = Union[Array, SupportsIndex, Sequence["Indices"]]
# An integer for one axis, or a list.
Bounds = Union[SupportsIndex, Sequence[SupportsIndex], Array, None]

Mode = Literal["raise", "drop", "clip", "wrap"]
# With the names of ONNX, PyTorch and OpenVINO for the same.
Reduction = Literal["none", "sum", "add", "sub", "prod", "mul", "multiply", "min", "amin", "max", "amax", "mean"]
CacheMode = Literal["linear", "circular"]
