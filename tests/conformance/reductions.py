# SPDX-License-Identifier: Apache-2.0
"""What the scatters with reductions do, in NumPy: a list of pairs of a place and an update, reduced one after the other.

Nothing here knows the library.
"""

import numpy as np

HALVES = ("float16", "bfloat16")


class BadIndex(Exception):
    """An index that the operator's rule forbids."""


def meet(reduction, there, update):
    """One update meets what is there: scalars of one NumPy type."""
    if reduction == "none":
        return update
    if there.dtype == bool:
        return {"sum": there | update, "sub": there ^ update, "prod": there & update, "min": there & update,
                "max": there | update}[reduction]  # fmt: skip
    with np.errstate(all="ignore"):
        if reduction == "max":
            return there if there != there else update if (update != update or there < update) else there
        if reduction == "min":
            return there if there != there else update if (update != update or update < there) else there
        made = {"sum": lambda: there + update, "sub": lambda: there - update, "prod": lambda: there * update}
        return there.dtype.type(made[reduction]())


def mean(values):
    kind = values[0].dtype
    if kind.kind in "iu":
        return kind.type(sum(int(value) for value in values) // len(values))
    wide = np.float32 if kind.name in HALVES else kind.type
    with np.errstate(all="ignore"):
        total = wide(values[0])
        for value in values[1:]:
            total = wide(total + wide(value))
        if kind.kind == "c":  # both parts by the number
            part = total.real.dtype.type(len(values))
            return kind.type(complex(total.real / part, total.imag / part))
        return kind.type(total / wide(len(values)))


def scatter(data, pairs, reduction="none", include_init=True):
    """The output for pairs (coordinate, update) in the row-major order of the updates."""
    output, met = data.copy(), {}
    for place, update in pairs:
        met.setdefault(place, []).append(update)
    for place, updates in met.items():
        values = ([data[place]] if include_init and reduction != "none" else []) + updates
        if reduction == "mean":
            output[place] = mean(values)
            continue
        value = values[0]
        for update in values[1:]:
            value = meet(reduction, value, update)
        output[place] = value
    return output


def normalised(index, extent, wraps):
    index = int(index)
    if not (-extent if wraps else 0) <= index < extent:
        raise BadIndex(index)
    return index % extent


def elements(data, indices, updates, axis, reduction, include_init, wraps):
    axis %= data.ndim
    pairs = []
    for at in np.ndindex(*indices.shape):
        target = normalised(indices[at], data.shape[axis], wraps)
        pairs.append(((*at[:axis], target, *at[axis + 1 :]), updates[at]))
    return scatter(data, pairs, reduction, include_init)


def rows(data, indices, updates, axis, reduction, include_init):
    axis %= data.ndim
    targets = {at: normalised(indices[at], data.shape[axis], False) for at in np.ndindex(*indices.shape)}
    pairs = []
    for at in np.ndindex(*updates.shape):
        position = at[axis : axis + indices.ndim]
        pairs.append(((*at[:axis], targets[position], *at[axis + indices.ndim :]), updates[at]))
    return scatter(data, pairs, reduction, include_init)


def tuples(data, indices, updates, reduction, wraps):
    count = indices.shape[-1]
    pairs = []
    for at in np.ndindex(*indices.shape[:-1]):
        target = tuple(normalised(index, data.shape[j], wraps) for j, index in enumerate(indices[at]))
        for rest in np.ndindex(*data.shape[count:]):
            pairs.append(((*target, *rest), updates[(*at, *rest)]))
    return scatter(data, pairs, reduction)


def put(data, indices, updates, reduction):
    flat = data.reshape(-1)
    pairs = [((normalised(indices[at], flat.size, True),), updates[at]) for at in np.ndindex(*indices.shape)]
    return scatter(flat, pairs, reduction).reshape(data.shape)
