# SPDX-License-Identifier: Apache-2.0
"""Writes corpus.json: cases with NumPy's results, for the C++ tests to replay where there is no Python.

The elements are numbered: those of data from 0 on, those of updates from FIRST_UPDATE on, each in row-major order. What
an element of some type with that number looks like is for the reader to choose. `writes` lists pairs: the row-major
position of an element of the output, and the number it holds instead of its own. Offsets and strides are in elements.

    python make_corpus.py
"""

import dataclasses
import json
import math
import pathlib
import random

import numpy as np

import cases
import comparison

FILE = pathlib.Path(__file__).with_name("corpus.json")
SEED = 7
CASES_OF_AN_OPERATOR = 700
MOST_ELEMENTS = 40
FIRST_UPDATE = cases.MOST_ELEMENTS

ELEMENTS = (
    "float32", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float64",
    "complex64", "complex128", "string",
)  # fmt: skip


def typed(case, element):
    """The case with the element type, and an index type for it: any for float32, else int64. The C++ test needs each
    type and not each pair of types."""
    indices = case.indices
    if indices is not None and indices.dtype != np.int64:
        if indices.dtype == np.uint64 and indices.size > 0 and int(indices.max()) >= 2**63:
            element = "float32"
        elif element != "float32":
            indices = indices.astype(np.int64)
    return dataclasses.replace(case, indices=indices, dtype="int64", values="counting"), element


def place(shape, layout):
    """Row-major tensors need no more than their extents."""
    if layout is None:
        return {"extents": list(shape)}
    strides, offset, span = layout.strides(shape)
    return {"extents": list(shape), "strides": strides, "offset": offset, "span": span}


def parameter(value):
    array = np.asarray(value)
    return {"type": array.dtype.name, "values": array.reshape(-1).tolist()}


def entry(case, element):
    made = {
        "operator": case.operator,
        "element": element,
        "data": place(case.data_shape, case.layouts.get("data")),
        "updates": place(case.updates_shape, case.layouts.get("updates")),
    }
    if not case.in_place:
        made["output"] = place(case.data_shape, case.layouts.get("output"))
    if case.indices is not None:
        made["indices"] = place(case.indices.shape, case.layouts.get("indices"))
        made["indices"] |= parameter(case.seen("indices", case.indices))
    for name in ("axis", "start", "stop", "step", "axes"):
        if getattr(case, name) is not None:
            made[name] = parameter(getattr(case, name))
    output, refusal = comparison.outcome_in_document(case)
    if refusal is not None:
        made["error"] = refusal.code
    else:
        changed = np.flatnonzero(output.ravel() != np.arange(output.size))
        made["writes"] = [[int(position), int(output.ravel()[position])] for position in changed]
    return made


def small(case):
    shapes = [case.data_shape, case.updates_shape] + ([] if case.indices is None else [case.indices.shape])
    return all(math.prod(shape) <= MOST_ELEMENTS for shape in shapes)


def corpus():
    for operator in cases.OPERATORS:
        r = random.Random(f"{operator} {SEED}")
        drawn = (cases.draw(operator, r) for _ in iter(int, 1))
        chosen = (case for case in drawn if small(case))
        for number in range(CASES_OF_AN_OPERATOR):
            case, element = typed(next(chosen), ELEMENTS[number % len(ELEMENTS)])
            yield entry(case, element)


def written():
    lines = [json.dumps(made, separators=(",", ":")) for made in corpus()]
    return f'{{"first_update":{FIRST_UPDATE},"cases":[\n' + ",\n".join(lines) + "\n]}\n"


if __name__ == "__main__":
    FILE.write_text(written())
