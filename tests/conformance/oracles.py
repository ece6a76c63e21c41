# SPDX-License-Identifier: Apache-2.0
"""The other implementations: each runs a case as the library does, or says why it cannot be asked.

A case whose arguments the documents forbid may make a runtime read or write outside its memory, so those go to a
process of their own (see worker.py).
"""

import functools

import numpy as np
import onnx
import onnx.helper
import onnx.reference
import onnxruntime
import openvino
import openvino.opset3
import openvino.opset15

INT64_MAX = 2**63 - 1


class Declined(Exception):
    """The runtime cannot be asked this; the reason."""


def as_int64(values):
    """The same integers as int64, which every runtime takes."""
    values = np.asarray(values)
    if values.dtype == np.uint64 and values.size > 0 and int(values.max()) > INT64_MAX:
        raise Declined("an integer above 2^63 - 1")
    return values.astype(np.int64)


def axis_attribute(case):
    """The axis as ONNX takes it: one int64, or None when it is left out."""
    if case.axis is None:
        return None
    axis = as_int64(case.axis)
    if axis.size != 1:
        raise Declined("an axis that is not one element")
    return int(axis.reshape(()))


class Onnx:
    """What runs ONNX models: one model for each axis, element type and index type. Types of None leave them open."""

    def __init__(self, operator, opset):
        self.operator, self.opset = operator, opset

    def model(self, axis, element=onnx.TensorProto.UNDEFINED, index=onnx.TensorProto.INT64):
        attributes = {} if axis is None else {"axis": axis}
        node = onnx.helper.make_node(self.operator, ["data", "indices", "updates"], ["output"], **attributes)
        tensor = onnx.helper.make_tensor_value_info
        inputs = [tensor("data", element, None), tensor("indices", index, None), tensor("updates", element, None)]
        graph = onnx.helper.make_graph([node], "scatter", inputs, [tensor("output", element, None)])
        return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", self.opset)], ir_version=8)


class OnnxReference(Onnx):
    """The evaluator of the onnx package, written in Python. It has no Scatter, only ScatterElements."""

    operators = ("onnx_scatter",)
    may_crash = False

    def __init__(self):
        super().__init__("ScatterElements", 11)
        self.name = "ONNX reference evaluator, ScatterElements-11"
        self.version = f"onnx {onnx.__version__}"
        self.evaluator = functools.cache(lambda axis: onnx.reference.ReferenceEvaluator(self.model(axis)))

    def forget(self):
        self.evaluator.cache_clear()

    def run(self, case):
        data, updates, indices = case.logical_inputs()
        evaluator = self.evaluator(axis_attribute(case))
        return evaluator.run(None, {"data": data, "indices": indices, "updates": updates})[0]


class OnnxRuntime(Onnx):
    """ONNX Runtime's CPU provider. Scatter takes int32 and int64 indices; others are widened to int64."""

    operators = ("onnx_scatter",)
    may_crash = False
    elements = {
        "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32",
        "float64", "object",
    }  # fmt: skip

    def __init__(self, operator, opset):
        super().__init__(operator, opset)
        version = 9 if operator == "Scatter" else opset
        self.name = f"ONNX Runtime, {operator}-{version}"
        self.version = f"onnxruntime {onnxruntime.__version__}"
        self.session = functools.cache(self.make_session)

    def forget(self):
        self.session.cache_clear()

    def make_session(self, axis, element, index):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        model = self.model(axis, element, index).SerializeToString()
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])

    def run(self, case):
        if case.dtype not in self.elements:
            raise Declined(f"elements of type {case.dtype}")
        data, updates, indices = case.logical_inputs()
        if indices.dtype != np.int32:
            indices = as_int64(indices)
        string = onnx.TensorProto.STRING
        element = string if case.dtype == "object" else onnx.helper.np_dtype_to_tensor_dtype(data.dtype)
        session = self.session(axis_attribute(case), element, onnx.helper.np_dtype_to_tensor_dtype(indices.dtype))
        return session.run(None, {"data": data, "indices": indices, "updates": updates})[0]


class OpenVino:
    """OpenVINO's CPU plugin: one compiled model with dynamic shapes for each operator and set of types and ranks.

    A model takes 20 ms to compile, so the types that differ are few: parameters go in as int64, and indices keep their
    own type only where data is float32.
    """

    name = "OpenVINO"
    operators = ("slice_scatter", "scatter_update", "scatter_elements_update")
    elements = OnnxRuntime.elements - {"object"}
    may_crash = True  # on some legal inputs too

    def __init__(self):
        self.version = f"openvino {openvino.get_version()}"
        self.core = openvino.Core()
        self.request = functools.lru_cache(512)(self.make_request)

    def risk(self, case):
        """What may make this legal case crash or fail slowly, or None."""
        if case.operator == "slice_scatter":
            bounds = [
                bound
                for values in (case.start, case.stop, case.step)
                for bound in np.ravel(np.asarray(values)).tolist()
            ]
            if any(abs(bound) >= 2**31 for bound in bounds):
                return "bounds of 2^31 and more"
        if case.operator == "scatter_update" and case.indices.ndim == 0:
            return "indices of rank 0"
        return None

    def forget(self):
        self.request.cache_clear()

    def make_request(self, operator, inputs):
        """`inputs`: for each one its element type and rank."""
        parameters = [
            openvino.opset15.parameter(openvino.PartialShape([-1] * rank), openvino.Type(dtype))
            for dtype, rank in inputs
        ]
        make = {
            "slice_scatter": openvino.opset15.slice_scatter,
            "scatter_update": openvino.opset3.scatter_update,
            "scatter_elements_update": openvino.opset3.scatter_elements_update,
        }[operator]
        model = openvino.Model([make(*parameters)], parameters, operator)
        # With a single thread the plugin swallows its own exceptions.
        exact = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": 2}
        return self.core.compile_model(model, "CPU", exact).create_infer_request()

    def run(self, case):
        if case.dtype not in self.elements:
            raise Declined(f"elements of type {case.dtype}")
        data, updates, indices = case.logical_inputs()
        if case.operator == "slice_scatter":
            lists = [case.start, case.stop, case.step] + ([] if case.axes is None else [case.axes])
            inputs = [data, updates] + [np.atleast_1d(as_int64(values)) for values in lists]
        else:
            if case.dtype != "float32":
                indices = as_int64(indices)
            inputs = [data, indices, updates, as_int64(case.axis)]
        # Rank 0 stays rank 0, and tensors on shared memory have to be contiguous and writable.
        inputs = [np.array(values, order="C", copy=True) for values in inputs]
        request = self.request(case.operator, tuple((values.dtype, values.ndim) for values in inputs))
        for position, values in enumerate(inputs):
            request.set_input_tensor(position, openvino.Tensor(values, shared_memory=True))
        request.infer()
        return request.get_output_tensor(0).data.copy()


@functools.cache
def all_oracles():
    return (OnnxReference(), OnnxRuntime("Scatter", 10), OnnxRuntime("ScatterElements", 11), OpenVino())


@functools.cache
def named(name):
    return next(oracle for oracle in all_oracles() if oracle.name == name)
