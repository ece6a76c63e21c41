# SPDX-License-Identifier: Apache-2.0
"""Cases: the arguments of one call of one operator, drawn at random but described in full by a small plain value.

`draw(operator, r)` takes any random.Random. Given Python's own it is fast, and a seed reproduces the case; given the
one that hypothesis makes, hypothesis can reduce the case. Every choice therefore lists its simplest value first.
"""

import dataclasses
import functools
import json
import math

import ml_dtypes
import numpy as np

OPERATORS = ("slice_scatter", "scatter_update", "scatter_elements_update", "onnx_scatter")

INDEX_DTYPES = ("int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64")
DTYPES = (
    "int32", "int64", "int16", "int8", "uint8", "uint16", "uint32", "uint64", "bool", "float32", "float64", "float16",
    "bfloat16", "complex64", "complex128", "longdouble", "datetime64[s]", "S4", "U2", "object",
)  # fmt: skip

HIGHEST_RANK = 7


@dataclasses.dataclass(frozen=True)
class Size:
    """What the extents of a case are drawn from, and the most elements that a tensor may have."""

    few_axes: tuple  # extents of tensors of up to three axes
    many_axes: tuple
    indices: tuple  # extents of ScatterUpdate's indices
    most_of_data: int
    most: int


SMALL = Size((1, 2, 3, 4, 5), (1, 2, 3), (1, 2, 3), 200, 360)
# Some thousand elements on few axes, with the short inner axes that real tensors have.
MIDDLE = Size((2, 3, 4, 8, 12, 17, 33, 64), (2, 3, 4, 12), (1, 2, 12, 40), 20_000, 40_000)
# Beyond the batches, blocks and rows that the library handles at a time.
LARGE = Size((1, 3, 16, 65, 300, 1000, 9000), (1, 2, 5, 17), (1, 2, 40, 300, 700), 20_000, 40_000)

# A pool of values is as long as the largest tensor of a case, so each element can have a value of its own.
MOST_ELEMENTS = SMALL.most
SEED_OF_BITS = 20240515
# By the bytes of a float: no quiet NaN, so a conversion would change it.
SIGNALLING_NAN = {2: 0x7C01, "bfloat16": 0x7F81, 4: 0x7F800001, 8: 0x7FF0000000000001}


def numpy_dtype(name):
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


@dataclasses.dataclass(frozen=True)
class Layout:
    """How a tensor lies in memory: its axes from the outermost to the innermost, and for each axis whether it runs
    backwards, how many elements apart its elements are, and whether it has stride 0."""

    order: tuple
    backwards: tuple
    gaps: tuple
    repeated: tuple

    def strides(self, shape):
        """Strides and first offset in elements, and the elements spanned."""
        strides, offset, span = [0] * len(shape), 0, 1
        for k in reversed(self.order):
            if self.repeated[k]:
                continue
            strides[k] = span * self.gaps[k]
            span *= max(shape[k], 1) * self.gaps[k]
            if self.backwards[k] and shape[k] > 0:
                offset += (shape[k] - 1) * strides[k]
                strides[k] = -strides[k]
        return strides, offset, span


@dataclasses.dataclass(frozen=True)
class Case:
    """One call. Parameters are NumPy arrays of rank 0 or 1, or plain ints; None where they are left out. The values of
    data and updates follow from `values`: 'counting' tells every element apart, 'bits' is any pattern of bits."""

    operator: str
    dtype: str
    data_shape: tuple
    updates_shape: tuple
    values: str = "counting"
    in_place: bool = False
    layouts: dict = dataclasses.field(default_factory=dict)
    indices: np.ndarray | None = None
    axis: object = None
    start: object = None
    stop: object = None
    step: object = None
    axes: object = None

    def data(self):
        return self.pools()[0][: math.prod(self.data_shape)].reshape(self.data_shape)

    def updates(self):
        return self.pools()[1][: math.prod(self.updates_shape)].reshape(self.updates_shape)

    def pools(self):
        largest = max(math.prod(self.data_shape), math.prod(self.updates_shape))
        return element_pool(self.dtype, self.values, SMALL.most if largest <= SMALL.most else LARGE.most)

    def logical_inputs(self):
        """data, updates and indices as the operator sees them: where a stride is 0, one value is seen many times."""
        return tuple(
            None if values is None else self.seen(name, values)
            for name, values in (("data", self.data()), ("updates", self.updates()), ("indices", self.indices))
        )

    def seen(self, name, values):
        layout = self.layouts.get(name)
        if layout is None or not any(layout.repeated) or values.size == 0:
            return values
        first = tuple(slice(0, 1) if repeated else slice(None) for repeated in layout.repeated)
        return np.broadcast_to(values[first], values.shape)


@functools.cache
def element_pool(dtype, values, count):
    """Values for data and values for updates: read-only arrays of `count` elements each."""
    target = numpy_dtype(dtype)
    numbers = np.arange(2 * count)
    if values == "bits":
        bits = np.random.default_rng(SEED_OF_BITS).bytes(2 * count * target.itemsize)
        pool = np.frombuffer(bits, target).copy()
        part = {"c": target.itemsize // 2}.get(target.kind, target.itemsize)
        if part in SIGNALLING_NAN and target.name not in INDEX_DTYPES:
            words = pool.view(f"u{part}").reshape(2, -1)
            words[:, 0] = SIGNALLING_NAN["bfloat16" if dtype == "bfloat16" else part]
            words[:, 1] = 1 << (8 * part - 1)  # -0.0
    elif dtype == "bool":
        pool = np.random.default_rng(SEED_OF_BITS).integers(0, 2, 2 * count).astype(bool)
    elif target.kind in "SUO":
        pool = np.array([np.base_repr(number, 36) for number in numbers]).astype(target)
    elif target.itemsize == 1 or target.name == "bfloat16":
        pool = np.concatenate([numbers[:count] % 60, 60 + numbers[:count] % 60]).astype(target)
    else:
        with np.errstate(over="ignore"):  # float16 ends at 65504
            pool = numbers.astype(target)
    pool.flags.writeable = False
    return pool[:count], pool[count:]


def has_bits(dtype):
    """Whether any pattern of bits is a value of this dtype, and a copy keeps it."""
    return dtype not in ("bool", "longdouble", "S4", "U2", "object")


# ---- drawing -------------------------------------------------------------------------------------------------------


def draw(operator, r, highest_rank=HIGHEST_RANK, size=SMALL):
    draw_operator = {
        "slice_scatter": draw_slice_scatter,
        "scatter_update": draw_scatter_update,
        "scatter_elements_update": draw_elements,
        "onnx_scatter": draw_elements,
    }[operator]
    return draw_operator(operator, r, 0 if rarely(r, 1) else r.randint(1, highest_rank), size)


def rarely(r, percent):
    return r.randrange(100) >= 100 - percent


def draw_shape(r, rank, size):
    shape = []
    for _ in range(rank):
        extent = r.choice(size.few_axes if rank <= 3 else size.many_axes)
        shape.append(0 if rarely(r, 2) else extent if math.prod(shape) * extent <= size.most_of_data else 1)
    return tuple(shape)


def draw_layout(r, rank, may_repeat):
    if r.randrange(2) == 0 or rank == 0:
        return None
    order = list(range(rank))
    if rarely(r, 60):
        r.shuffle(order)
    return Layout(
        order=tuple(order),
        backwards=tuple(rarely(r, 25) for _ in range(rank)),
        gaps=tuple(2 if rarely(r, 20) else 1 for _ in range(rank)),
        repeated=tuple(may_repeat and rarely(r, 8) for _ in range(rank)),
    )


def draw_common(r, ranks):
    """What all operators' cases have: dtype, values, in place or not, layouts of the operands with these ranks."""
    dtype = r.choice(DTYPES)
    in_place = rarely(r, 40)
    ranks = dict(ranks, output=ranks["data"])
    layouts = {
        name: draw_layout(r, rank, may_repeat=name != "output" and not (in_place and name == "data"))
        for name, rank in ranks.items()
    }
    return {
        "dtype": dtype,
        "values": "bits" if has_bits(dtype) and rarely(r, 40) else "counting",
        "in_place": in_place,
        "layouts": {name: layout for name, layout in layouts.items() if layout is not None},
    }


def range_of(dtype):
    info = np.iinfo(dtype)
    return int(info.min), int(info.max)


def draw_integer_dtype(r, values):
    """An integer dtype that holds all of the values."""
    fitting = [
        dtype for dtype in INDEX_DTYPES if all(range_of(dtype)[0] <= value <= range_of(dtype)[1] for value in values)
    ]
    return r.choice(fitting)


def draw_parameter(r, values):
    """A parameter: an array of any dtype that holds the values; a scalar or a plain int for a single one."""
    form = r.randrange(4) if len(values) == 1 else 0
    if form == 3 and -(2**63) <= values[0] < 2**63:
        return int(values[0])
    array = np.array(values, draw_integer_dtype(r, values))
    return array.reshape(()) if form == 2 else array


EXTREMES = sorted({bound for dtype in INDEX_DTYPES for bound in range_of(dtype)} | {2**32, -(2**32), 2**62}, key=abs)


def draw_bounds(r, extents, make):
    """One bound for each extent, all of which fit one dtype."""
    values = [make(extent) for extent in extents]
    if max(values, default=0) >= 2**63:  # only uint64 holds it, and nothing negative
        values = [max(value, 0) for value in values]
    return values


def draw_near(r, extent):
    return r.choice(EXTREMES) if rarely(r, 8) else r.randint(-extent - 2, extent + 2)


def draw_step(r):
    if rarely(r, 6):
        return r.choice([value for value in EXTREMES if value != 0])
    return r.choice((1, 2, 3, -1, -2, -3))


def draw_axis(r, rank):
    if rank == 0:
        return 0
    axis = r.randrange(rank)
    return axis - rank if rarely(r, 40) else axis


def spoil_shape(r, shape):
    """A shape that differs in one extent or in its rank."""
    kind = r.randrange(4)
    if kind == 0 or not shape:
        return shape + (1,)
    if kind == 1:
        return shape[:-1]
    k = r.randrange(len(shape))
    change = 1 if shape[k] == 0 or kind == 2 else -1
    return shape[:k] + (shape[k] + change,) + shape[k + 1 :]


def drawn(values, size):
    """The case; updates that the pool cannot fill lose all their elements."""
    case = Case(**values)
    if math.prod(case.updates_shape) <= size.most:
        return case
    return dataclasses.replace(case, updates_shape=(0,) * len(case.updates_shape))


def draw_slice_scatter(operator, r, rank, size):
    shape = draw_shape(r, rank, size)
    count = r.randint(0 if rarely(r, 10) else min(rank, 1), rank)
    axes = list(range(rank))
    leading = r.randrange(2) == 0
    if not leading:
        r.shuffle(axes)
    axes = axes[:count]
    extents = [shape[axis] for axis in axes]
    start = draw_bounds(r, extents, lambda extent: draw_near(r, extent))
    stop = draw_bounds(r, extents, lambda extent: draw_near(r, extent))
    step = draw_bounds(r, extents, lambda extent: draw_step(r))
    step = [value or 1 for value in step]
    given_axes = [axis - rank if rarely(r, 30) else axis for axis in axes]

    if rarely(r, 10):
        fault = r.randrange(5)
        if fault == 0 and count > 0:
            step[r.randrange(count)] = 0
        elif fault == 1 and count > 0:
            leading = False
            given_axes[r.randrange(count)] = r.choice((rank, -rank - 1, 2**31, -(2**63)))
        elif fault == 2 and count > 1:
            leading = False
            given_axes[1] = given_axes[0] if rarely(r, 50) or rank == 0 else (given_axes[0] + rank) % rank
        elif fault == 3:
            lists = [start, stop, step] + ([] if leading else [given_axes])
            chosen = r.choice(lists)
            if rarely(r, 50) and chosen:
                chosen.pop()
            else:
                chosen.append(1)
        elif leading:
            for values in (start, stop, step):
                values.extend([1] * (rank + 1 - count))

    updates = list(shape)
    for axis, *bounds in zip(axes, start, stop, step):
        updates[axis] = len(range(*slice(*bounds[:2], bounds[2] or 1).indices(shape[axis])))
    updates_shape = tuple(updates)
    if rarely(r, 5):
        updates_shape = spoil_shape(r, updates_shape)
    return drawn(
        draw_common(r, {"data": rank, "updates": len(updates_shape)})
        | {
            "operator": operator,
            "data_shape": shape,
            "updates_shape": updates_shape,
            "start": draw_parameter(r, start),
            "stop": draw_parameter(r, stop),
            "step": draw_parameter(r, step),
            "axes": None if leading else draw_parameter(r, given_axes),
        },
        size,
    )


def draw_axis_parameter(r, rank, axis):
    if not rarely(r, 3):
        return draw_parameter(r, [axis])
    fault = r.randrange(3)
    if fault == 0:
        return draw_parameter(r, [r.choice((rank, -rank - 1, 2**31, -(2**31) - 1, 2**63, -(2**63)))])
    return np.array([axis] * (0 if fault == 1 else 2), "int64")


def draw_indices(r, shape, extent, wrapping):
    """Indices of an axis of this extent, rarely one that it does not have."""
    count = math.prod(shape)
    dtype = r.choice(INDEX_DTYPES)
    smallest, largest = range_of(dtype)
    low = max(smallest, -extent) if wrapping and rarely(r, 60) else 0
    top = min(extent - 1, largest)
    values = [r.randint(low, top) if extent > 0 else 0 for _ in range(count)]
    if count > 0 and rarely(r, 10):
        bad = [extent, -1, -extent, -extent - 1, extent + 1, 2 * extent] + EXTREMES
        bad = [value for value in bad if smallest <= value <= largest]
        for _ in range(r.choice((1, 1, 2))):
            values[r.randrange(count)] = r.choice(bad)
    return np.array(values, dtype).reshape(shape)


def draw_scatter_update(operator, r, rank, size):
    shape = draw_shape(r, rank, size)
    axis = draw_axis(r, rank)
    at = axis % rank if rank else 0
    indices_shape = tuple(0 if rarely(r, 2) else r.choice(size.indices) for _ in range(r.choice((1, 0, 2, 3))))
    updates_shape = shape[:at] + indices_shape + shape[at + 1 :]
    if max(math.prod(updates_shape), math.prod(indices_shape)) > size.most:
        indices_shape = (1,) * len(indices_shape)
        updates_shape = shape[:at] + indices_shape + shape[at + 1 :]
    if rarely(r, 5):
        updates_shape = spoil_shape(r, updates_shape)
    return drawn(
        draw_common(r, {"data": rank, "updates": len(updates_shape), "indices": len(indices_shape)})
        | {
            "operator": operator,
            "data_shape": shape,
            "updates_shape": updates_shape,
            "indices": draw_indices(r, indices_shape, shape[at] if rank else 1, wrapping=False),
            "axis": draw_axis_parameter(r, rank, axis),
        },
        size,
    )


def draw_elements(operator, r, rank, size):
    onnx = operator == "onnx_scatter"
    shape = draw_shape(r, rank, size)
    axis = draw_axis(r, rank)
    at = axis % rank if rank else 0
    extents = [r.randint(min(1, extent), extent) if not rarely(r, 2) else 0 for extent in shape]
    if onnx and rank and rarely(r, 40):
        extents[at] = r.randint(0, shape[at] + 3)
    if rank and rarely(r, 4):
        k = r.randrange(rank)
        extents[k] = shape[k] + r.choice((1, 2))
    indices_shape = tuple(extents)
    if rarely(r, 2):
        indices_shape = spoil_shape(r, indices_shape)
    if math.prod(indices_shape) > size.most:
        indices_shape = (1,) * len(indices_shape)
    updates_shape = spoil_shape(r, indices_shape) if rarely(r, 3) else indices_shape
    omit_axis = onnx and axis == 0 and rarely(r, 50)
    return drawn(
        draw_common(r, {"data": rank, "updates": len(updates_shape), "indices": len(indices_shape)})
        | {
            "operator": operator,
            "data_shape": shape,
            "updates_shape": updates_shape,
            "indices": draw_indices(r, indices_shape, shape[at] if rank else 1, wrapping=onnx),
            "axis": None if omit_axis else draw_axis_parameter(r, rank, axis),
        },
        size,
    )


# ---- as text -------------------------------------------------------------------------------------------------------


def to_plain(case):
    """The case as a value that JSON can hold."""

    def plain(value):
        if isinstance(value, np.ndarray):
            return {"dtype": value.dtype.name, "shape": list(value.shape), "values": value.ravel().tolist()}
        if isinstance(value, Layout):
            return {field: list(entry) for field, entry in dataclasses.asdict(value).items()}
        if isinstance(value, dict):
            return {key: plain(entry) for key, entry in value.items()}
        return list(value) if isinstance(value, tuple) else value

    fields = {field.name: plain(getattr(case, field.name)) for field in dataclasses.fields(case)}
    return {name: value for name, value in fields.items() if value is not None and value != {}}


def from_plain(plain):
    """The inverse of to_plain."""

    def restored(name, value):
        if name == "layouts":
            return {
                operand: Layout(**{field: tuple(entry) for field, entry in layout.items()})
                for operand, layout in value.items()
            }
        if isinstance(value, dict):
            return np.array(value["values"], value["dtype"]).reshape(value["shape"])
        return tuple(value) if isinstance(value, list) else value

    return Case(**{name: restored(name, value) for name, value in plain.items()})


def describe(case):
    """The case in one line, for people."""

    def text(value):
        return f"{value.dtype.name} {value.tolist()}" if isinstance(value, np.ndarray) else json.dumps(value)

    parts = [f"data {case.dtype} {list(case.data_shape)}", f"updates {list(case.updates_shape)}"]
    for name in ("indices", "axis", "start", "stop", "step", "axes"):
        value = getattr(case, name)
        if value is None:
            continue
        shape = f" of shape {list(value.shape)}" if name == "indices" and 0 in value.shape else ""
        parts.append(f"{name} {text(value)}{shape}")
    if case.values == "bits":
        parts.append("values of any bits")
    if case.layouts:
        parts.append("strided " + ", ".join(sorted(case.layouts)))
    return "; ".join(parts)
