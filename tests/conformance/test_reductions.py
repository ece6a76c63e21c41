# SPDX-License-Identifier: Apache-2.0
"""The operators with reductions beside a loop in NumPy, the evaluator of the onnx package, ONNX Runtime, OpenVINO and, where
it is installed, PyTorch, on the same random cases.

Known differences, by name: the evaluator and ONNX Runtime do not propagate NaNs in max and min and order zeros of both
signs in other ways, which the cases for them do not contain; ONNX Runtime has no reductions of bool but sum and prod and
none of float16. What OpenVINO and PyTorch are not asked stands at ask_openvino and ask_pytorch.
"""

import functools
import random
import sys

import numpy as np
import onnx
import onnx.helper
import onnx.reference
import onnxruntime
import openvino
import openvino.opset12
import openvino.opset15
import pytest
import strew

import library
import reductions

# (operator, its reductions, whether what was there may be left out)
OPERATORS = {
    "scatter_elements_update_12": (("none", "sum", "prod", "min", "max", "mean"), True),
    "onnx_scatter_elements": (("none", "sum", "prod", "min", "max"), False),
    "scatter_reduce": (("sum", "prod", "min", "max", "mean"), True),
    "index_reduce": (("sum", "prod", "min", "max", "mean"), True),
    "scatter_nd_update_3": (("none",), False),
    "scatter_nd_update_15": (("none", "sum", "sub", "prod", "min", "max"), False),
    "onnx_scatter_nd": (("none", "sum", "prod", "min", "max"), False),
    "put": (("none", "sum"), False),
}
CALLS = {
    "scatter_elements_update_12": lambda case, data, indices, updates, **options: strew.v12.scatter_elements_update(
        data, indices, updates, case.axis, case.reduction, include_init=case.include_init, **options
    ),
    "onnx_scatter_elements": lambda case, data, indices, updates, **options: strew.onnx.scatter_elements(
        data, indices, updates, case.axis, case.reduction, **options
    ),
    "scatter_reduce": lambda case, data, indices, updates, **options: strew.scatter_reduce(
        data, case.axis, indices, updates, case.reduction, include_init=case.include_init, **options
    ),
    "index_reduce": lambda case, data, indices, updates, **options: strew.index_reduce(
        data, case.axis, indices, updates, case.reduction, include_init=case.include_init, **options
    ),
    "scatter_nd_update_3": lambda case, *operands, **options: strew.v3.scatter_nd_update(*operands, **options),
    "scatter_nd_update_15": lambda case, *operands, **options: strew.v15.scatter_nd_update(
        *operands, case.reduction, **options
    ),
    "onnx_scatter_nd": lambda case, *operands, **options: strew.onnx.scatter_nd(*operands, case.reduction, **options),
    "put": lambda case, *operands, **options: strew.put(*operands, case.reduction, **options),
}
# The means of a call: threads, and the most bytes of workspace, None for what it needs.
MEANS = ((1, None), (1, 0), (3, 0), (1, 1 << 16), (3, 5000))
ELEMENTS = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
            "float64", "complex64", "complex128")  # fmt: skip
INDICES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
ONNX_NAMES = {"none": "none", "sum": "add", "prod": "mul", "min": "min", "max": "max"}


def draw_values(draw, shape, dtype, only_plain):
    """Small numbers, and now and then ones that overflow, cancel, or are none."""
    dtype = np.dtype(dtype)
    values = np.empty(shape, dtype)
    for at in np.ndindex(*shape):
        special = draw.random() < 0.25 and not only_plain
        if dtype.kind == "b":
            values[at] = draw.random() < 0.5
        elif dtype.kind in "iu":
            limits = np.iinfo(dtype)
            values[at] = draw.choice((limits.min, limits.max)) if special else draw.randrange(0, 9)
        elif dtype.kind == "c":
            values[at] = complex(draw.randrange(-9, 9) / 4, draw.randrange(-9, 9) / 8)
        elif special:
            values[at] = draw.choice((np.nan, np.inf, -np.inf, -0.0, 0.0, 6e4, -6e4))
        else:
            values[at] = draw.randrange(1, 60) / 8 * draw.choice((1, -1))
    return values


def restrided(draw, array):
    """The same values with other strides."""
    if array.size == 0 or array.ndim == 0 or draw.random() < 0.4:
        return array
    order = draw.sample(range(array.ndim), array.ndim)
    steps = [draw.choice((1, 1, 2, -1)) for _ in order]
    block = np.zeros([array.shape[k] * abs(step) for k, step in zip(order, steps)], array.dtype)
    view = block[tuple(slice(None, None, step) for step in steps)].transpose(np.argsort(order))
    view[...] = array
    return view


class Case:
    def __init__(self, operator, draw, only_plain=False):
        kinds, may_omit = OPERATORS[operator]
        self.operator, self.reduction = operator, draw.choice(kinds)
        self.include_init = not may_omit or self.reduction == "none" or draw.random() < 0.6
        offered = [
            dtype
            for dtype in ELEMENTS
            if not (dtype == "bool" and self.reduction == "mean")
            and not (np.dtype(dtype).kind == "c" and self.reduction in ("min", "max"))
        ]
        self.dtype = draw.choice(offered)
        rank = draw.randrange(1, 5)
        shape = tuple(0 if draw.random() < 0.03 else draw.randrange(1, 5) for _ in range(rank))
        if draw.random() < 0.02:  # some hundred elements
            rank = draw.randrange(2, 4)
            shape = tuple(draw.choice((2, 4, 12, 17)) for _ in range(rank))
        self.axis = draw.randrange(-rank, rank)
        axis = self.axis % rank
        self.wraps = operator not in ("scatter_reduce", "index_reduce", "scatter_nd_update_3")
        small = lambda most: tuple(draw.randrange(0 if draw.random() < 0.1 else 1, 4) for _ in range(most))
        self.count = draw.randrange(0, rank + 1)
        if operator == "index_reduce":
            index_shape = small(draw.randrange(0, 3))
            update_shape = shape[:axis] + index_shape + shape[axis + 1 :]
        elif operator == "put":
            index_shape = update_shape = small(draw.randrange(0, 3))
        elif "_nd" in operator:
            positions = small(draw.randrange(0, 3))
            index_shape = (*positions, self.count)
            update_shape = positions + shape[self.count :]
        else:
            index_shape = update_shape = tuple(
                draw.randrange(1, 7) if k == axis else draw.randrange(0, extent + 1) if draw.random() < 0.3 else extent
                for k, extent in enumerate(shape)
            )
        extents = np.full(index_shape, shape[axis])
        if operator == "put":
            extents = np.full(index_shape, int(np.prod(shape)))
        elif "_nd" in operator:
            extents = np.broadcast_to(np.array(shape[: self.count], dtype=int), index_shape)
        index_dtype = np.dtype("int64" if only_plain else draw.choice(INDICES))
        self.indices = np.zeros(index_shape, index_dtype)
        signed = self.wraps and index_dtype.kind == "i"
        for at in np.ndindex(*index_shape):
            extent = int(extents[at])
            most = min(extent, int(np.iinfo(index_dtype).max))
            self.indices[at] = 0 if extent == 0 else draw.randrange(-most if signed else 0, most)
        if not only_plain and self.indices.size and draw.random() < 0.1:
            bad = draw.choice([value for value in (100, -100, 127, -1) if value >= np.iinfo(index_dtype).min])
            self.indices[draw.choice(list(np.ndindex(*index_shape)))] = bad
        self.data = draw_values(draw, shape, self.dtype, only_plain)
        self.updates = draw_values(draw, update_shape, self.dtype, only_plain)
        if only_plain and self.reduction == "none":
            self.include_init = True

    def expected(self):
        if self.operator == "index_reduce":
            return reductions.rows(self.data, self.indices, self.updates, self.axis, self.reduction, self.include_init)
        if self.operator == "put":
            return reductions.put(self.data, self.indices, self.updates, self.reduction)
        if "_nd" in self.operator:
            return reductions.tuples(self.data, self.indices, self.updates, self.reduction, self.wraps)
        return reductions.elements(
            self.data, self.indices, self.updates, self.axis, self.reduction, self.include_init, self.wraps
        )

    def run(self, draw, means):
        """The library's output: on operands with strides of their own, in place or not."""
        data, indices, updates = (restrided(draw, array) for array in (self.data, self.indices, self.updates))
        if draw.random() < 0.4:
            output = data = data.copy(order="K")
        else:
            output = restrided(draw, np.zeros_like(self.data))
        threads, workspace = means
        with library.workspace_limit(workspace):
            CALLS[self.operator](self, data, indices, updates, out=output, threads=threads)
        return np.array(output)

    def __str__(self):
        return f"{vars(self)}"


def same(a, b):
    """Equal to the bit, but for NaNs."""
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind not in "fc":
        return bool(np.array_equal(a, b))
    nan = np.isnan(a) & np.isnan(b)
    return bool(np.all(nan | (a == b))) and bool(np.all(nan | (np.signbit(a.real) == np.signbit(b.real))))


@pytest.mark.parametrize("operator", OPERATORS)
def test_equal_to_numpy(operator, profile, results):
    refused = 0
    cases = profile.cases // 2 if profile.name == "quick" else 200_000
    for number in range(cases):
        draw = random.Random(f"{operator} {profile.seed} {number}")
        case = Case(operator, draw)
        try:
            with np.errstate(all="ignore"):
                expected = case.expected()
        except reductions.BadIndex:
            before = case.data.copy()
            with pytest.raises(strew.OutOfBoundsError):
                case.run(draw, draw.choice(MEANS))
            assert same(before, case.data)
            refused += 1
            continue
        assert same(case.run(draw, draw.choice(MEANS)), expected), f"{number}: {case}"
    results.setdefault("reductions", {})[operator] = {"numpy": cases, "refused": refused}


def model(operator, axis, reduction, element):
    op_type = "ScatterND" if operator == "onnx_scatter_nd" else "ScatterElements"
    attributes = {} if op_type == "ScatterND" else {"axis": axis}
    node = onnx.helper.make_node(op_type, ["data", "indices", "updates"], ["output"],
                                 reduction=ONNX_NAMES[reduction], **attributes)  # fmt: skip
    value = onnx.helper.make_tensor_value_info
    inputs = [value("data", element, None), value("indices", onnx.TensorProto.INT64, None),
              value("updates", element, None)]  # fmt: skip
    graph = onnx.helper.make_graph([node], "scatter", inputs, [value("output", element, None)])
    return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 18)], ir_version=8)


@functools.cache
def evaluator(operator, axis, reduction):
    return onnx.reference.ReferenceEvaluator(model(operator, axis, reduction, onnx.TensorProto.UNDEFINED))


@functools.cache
def session(operator, axis, reduction, dtype):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # on more its sums race
    options.log_severity_level = 4
    made = model(operator, axis, reduction, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))
    return onnxruntime.InferenceSession(made.SerializeToString(), options, providers=["CPUExecutionProvider"])


@functools.cache
def request(operator, reduction, include_init, dtype, ranks):
    """OpenVINO's, for tensors of any extents."""
    types = (dtype, "int64", dtype)
    inputs = [
        openvino.opset15.parameter(openvino.PartialShape([-1] * rank), openvino.Type(np.dtype(kind)))
        for kind, rank in zip(types, ranks)
    ]
    if operator == "scatter_nd_update_15":
        node = openvino.opset15.scatter_nd_update(*inputs, reduction)
    else:
        inputs.append(openvino.opset15.parameter(openvino.PartialShape([]), openvino.Type(np.dtype("int64"))))
        node = openvino.opset12.scatter_elements_update(*inputs, reduction, include_init)
    made = openvino.Model([node], inputs, "scatter")
    # With a single thread the plugin swallows its own exceptions.
    exact = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 2}
    return openvino.Core().compile_model(made, "CPU", exact).create_infer_request()


def ask_evaluator(case):
    feeds = {"data": case.data, "indices": case.indices, "updates": case.updates}
    return evaluator(case.operator, case.axis, case.reduction).run(None, feeds)[0]


def ask_onnx_runtime(case):
    if case.dtype in ("float16", "uint16") or (case.dtype == "bool" and case.reduction != "none"):
        return None
    feeds = {"data": case.data, "indices": case.indices, "updates": case.updates}
    return session(case.operator, case.axis, case.reduction, case.dtype).run(None, feeds)[0]


def ask_openvino(case):
    if case.dtype not in ("float32", "int32") or case.indices.shape[-1] == 0:
        return None  # float16 is computed as float; of integers the CPU plugin holds 32 bits; no empty tuples there
    if case.reduction == "mean" and case.dtype == "int32":
        return None  # rounded towards zero or down, by the plugin's kernel
    inputs = [case.data, case.indices, case.updates]
    ranks = tuple(values.ndim for values in inputs)
    if case.operator != "scatter_nd_update_15":
        inputs.append(np.array(case.axis, dtype="int64"))
    runs = request(case.operator, case.reduction, case.include_init, case.dtype, ranks)
    for position, values in enumerate(inputs):
        runs.set_input_tensor(position, openvino.Tensor(np.array(values, order="C", copy=True)))
    runs.infer()
    return runs.get_output_tensor(0).data.copy()


def ask_pytorch(case):
    torch = sys.modules["torch"]
    if case.dtype in ("bool", "float16") or case.dtype.startswith("uint") and case.dtype != "uint8":
        return None  # sums of float16 are kept in float there; wide unsigned integers have no kernels
    data, indices, updates = (torch.from_numpy(array.copy()) for array in (case.data, case.indices, case.updates))
    name = {"sum": "sum", "prod": "prod", "min": "amin", "max": "amax", "mean": "mean"}.get(case.reduction)
    if case.operator == "put":
        return data.put_(indices, updates, accumulate=case.reduction == "sum").numpy()
    if case.operator == "scatter_reduce":
        return data.scatter_reduce_(case.axis, indices, updates, name, include_self=case.include_init).numpy()
    if case.indices.ndim != 1:
        return None
    if case.reduction == "sum":
        return data.index_add_(case.axis, indices, updates).numpy() if case.include_init else None
    return data.index_reduce_(case.axis, indices, updates, name, include_self=case.include_init).numpy()


RUNTIMES = {
    "evaluator": (ask_evaluator, ("onnx_scatter_elements", "onnx_scatter_nd")),
    "ONNX Runtime": (ask_onnx_runtime, ("onnx_scatter_elements", "onnx_scatter_nd")),
    "OpenVINO": (ask_openvino, ("scatter_elements_update_12", "scatter_nd_update_15")),
    "PyTorch": (ask_pytorch, ("scatter_reduce", "index_reduce", "put")),
}


@pytest.mark.parametrize(
    ("runtime", "operator"), [(name, operator) for name, (_, offered) in RUNTIMES.items() for operator in offered]
)
def test_equal_to_runtimes(operator, runtime, profile, results):
    if runtime == "PyTorch":
        pytest.importorskip("torch", reason="PyTorch is not installed: add bench/peers/requirements.txt to scripts/conformance-setup")
    asked = 0
    for number in range(profile.cases // 8 if profile.name == "quick" else 200_000):
        draw = random.Random(f"{runtime} {operator} {profile.seed} {number}")
        case = Case(operator, draw, only_plain=True)
        if case.data.size == 0 or case.updates.size == 0 or case.indices.size == 0:
            continue  # of empty tensors some are refused
        if np.dtype(case.dtype).kind == "c" and (runtime != "PyTorch" or operator != "put"):
            continue  # no complex numbers there
        with np.errstate(all="ignore"):
            found = RUNTIMES[runtime][0](case)
        if found is None:
            continue
        asked += 1
        assert same(case.run(draw, draw.choice(MEANS)), found), f"{number}: {case} {found}"
    results.setdefault("reductions", {}).setdefault(operator, {})[runtime] = asked
