# SPDX-License-Identifier: Apache-2.0
"""What an array means beyond its elements, and scatters would drop: units, masks, missing values."""

from __future__ import annotations

import sys
from typing import Any

from ._errors import OperandTypeError

_LISTS = (list, tuple)
_NUMBERS = (int, float, complex, bool, str, bytes, bytearray, memoryview, list, tuple, type(None))


def _get(value: Any, name: str) -> Any:
    try:
        return getattr(value, name, None)
    except Exception:  # an attribute may do anything
        return None


def _type_of(value: object) -> type[Any]:
    return type(value)


def _with_article(kind: type[Any]) -> str:
    return ("an " if kind.__name__.startswith(tuple("aeioAEIO")) else "a ") + kind.__name__


def what_is_lost(value: Any) -> str:
    """What is wrong with a value that stands for more than its elements, and what to pass; nothing of others."""
    kind = _type_of(value)
    if kind in _NUMBERS:
        return ""
    numpy = sys.modules.get("numpy")
    array, scalar = _get(numpy, "ndarray"), _get(numpy, "generic")
    if numpy is not None and (kind is array or issubclass(kind, scalar)):
        return ""
    family = kind.__module__.partition(".")[0]
    if family == "torch":
        if kind.__name__ == "MaskedTensor":
            return "is a masked tensor, whose mask would be lost: pass to_tensor(value)"
        return ""
    if family in ("jax", "jaxlib", "strew"):
        return ""
    masked = sys.modules.get("numpy.ma")
    if masked is not None and isinstance(value, masked.MaskedArray):
        return "is a masked array, whose mask would be lost: pass filled(), or its data"
    if family == "pandas":
        return _missing_of_pandas(value)
    if family == "xarray":
        attributes: dict[str, Any] = _get(value, "attrs") or {}
        if attributes.get("units"):
            return f"is {_with_article(kind)} in {attributes['units']}, a unit that would be lost: pass to_numpy()"
        return what_is_lost(_get(value, "data")) if kind.__name__ in ("DataArray", "Variable") else ""
    # Fields of records are attributes, too.
    fields: tuple[str, ...] = _get(_get(value, "dtype"), "names") or ()
    for name in ("units", "unit"):
        unit = None if name in fields else _get(value, name)
        if unit is not None and not callable(unit):
            remedy = next((each for each in ("magnitude", "value") if _get(value, each) is not None), None)
            advice = f"pass its {remedy}" if remedy else "pass a plain array"
            lost = f"is {_with_article(kind)} in {_text(unit)}, a unit that would be lost"
            return f"{lost}: {advice}, in the unit of data"
    mask = None if "mask" in fields else _get(value, "mask")
    if mask is not None and not callable(mask):
        return f"is {_with_article(kind)}, whose mask would be lost: pass a plain array"
    nulls = _get(value, "null_count")
    try:
        count = nulls() if callable(nulls) else nulls
        if isinstance(count, int) and count > 0:
            return f"is {_with_article(kind)} with {count} missing values, which would be lost: fill them"
    except Exception:
        pass
    return ""


def _text(unit: object) -> str:
    try:
        return str(unit) or "a unit without a name"
    except Exception:
        return "a unit"


def _missing_of_pandas(value: Any) -> str:
    dtype = _get(value, "dtype")
    if type(dtype).__module__.partition(".")[0] == "pandas" and _get(value, "isna") is not None:
        missing = value.isna()
        if bool(missing if isinstance(missing, bool) else missing.any()):
            kind = _with_article(_type_of(value))
            return f"is {kind} with missing values, which would be lost: pass to_numpy(na_value=..)"
    return ""


def refuse_meaning(operation: str, operand: str, value: Any) -> None:
    """Raises for a value that stands for more than its elements."""
    reason = what_is_lost(value)
    if reason:
        error = OperandTypeError(f"{operation}: {operand} {reason}", "type_mismatch", operation, operand)
        error.__dict__["loses_meaning"] = True
        raise error


def refuse_meanings(operation: str, **operands: Any) -> None:
    """The same for several operands, which may be lists of such values."""
    for operand, value in operands.items():
        if type(value) in (list, tuple):
            for entry in value if any(kind in _LISTS or kind not in _NUMBERS for kind in set(map(type, value))) else ():
                refuse_meanings(operation, **{operand: entry})
        else:
            refuse_meaning(operation, operand, value)


def what_is_wrong_with_tensor(tensor: Any) -> str:
    """Why the elements of a tensor of PyTorch are not in memory with strides, and what to pass; nothing of others."""
    if _get(tensor, "is_nested") is True:
        return "is nested: pass one of its tensors, or to_padded_tensor(..)"
    if _get(tensor, "is_quantized") is True:
        return "is quantised: pass its int_repr(), or dequantize()"
    if _get(tensor, "is_meta") is True:
        return "is on the device meta, where tensors have no elements"
    if str(_get(tensor, "layout")) not in ("None", "torch.strided"):
        return f"has the layout {_get(tensor, 'layout')}: pass to_dense()"
    return ""
