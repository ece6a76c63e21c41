# SPDX-License-Identifier: Apache-2.0
"""One adapter for each library. `ways(job)` are the ways in which it does a job, by name: functions that prepare one as
a program does once, compiled and bound to memory. There are none where it has no operator for the job."""

import dataclasses
import functools
import importlib.metadata
import inspect
import re
from collections.abc import Callable

import numpy as np

import with_jax
import with_numpy
import with_onnxruntime
import with_openvino
import with_pytorch


@dataclasses.dataclass
class Way:
    run: Callable
    result: Callable  # of what run returned: the updated array
    reset: Callable  # so that the next run finds what the first one found
    arrays: object = None  # which a binding holds by address only


def ways_of(module, job):
    """The functions or texts of a module for a job, by name."""
    return {name: value for name, value in vars(module).items() if re.fullmatch(rf"{job.name}(_(by|with)_\w+)?", name)}


def operands_of(job):
    """Those of the job; ones for libraries that add a tensor where others add a value."""
    return job.operands | ({"ones": np.ones_like(job.operands["samples"])} if job.name == "histogram" else {})


class InPlace:
    def ways(self, job):
        return {name: functools.partial(self.way, function, job)
                for name, function in ways_of(self.module, job).items()}

    def way(self, function, job):
        operands = [self.operand(array) for array in job.operands.values()]
        return Way(lambda: function(*operands),
                   lambda returned: job.target if returned is None else np.asarray(returned), job.reset)

    def operand(self, array):
        return array


class Strew(InPlace):
    name, distribution = "strew", None

    def __init__(self, threads):
        import with_strew

        with_strew.use_threads(threads)
        self.module = with_strew


class NumPy(InPlace):
    name, distribution, module = "NumPy", "numpy", with_numpy

    def __init__(self, threads):
        pass


class PyTorch(InPlace):
    name, distribution, module = "PyTorch", "torch", with_pytorch

    def __init__(self, threads):
        with_pytorch.torch.set_num_threads(threads)

    def operand(self, array):
        return with_pytorch.torch.from_numpy(array)


class OnnxRuntime:
    name, distribution = "ONNX Runtime", "onnxruntime"

    def __init__(self, threads):
        self.threads = threads

    def ways(self, job):
        return {name: functools.partial(self.bound, nodes, job)
                for name, nodes in ways_of(with_onnxruntime, job).items()}

    def bound(self, nodes, job):
        import onnx.parser
        import onnxruntime

        operands = operands_of(job)
        types = {"float32": "float", "int64": "int64"}
        typed = {name: f"{types[str(array.dtype)]}[{', '.join(map(str, array.shape))}]"
                 for name, array in operands.items()}
        inputs = ", ".join(f"{type} {name}" for name, type in typed.items())
        output = f"{next(iter(typed.values()))} output"
        model = onnx.parser.parse_model(
            f'<ir_version: 10, opset_import: ["" : 24]> job ({inputs}) => ({output}) {{{nodes}}}')
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
        binding = session.io_binding()
        for name, array in operands.items():
            binding.bind_input(name, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
        binding.bind_output("output", "cpu", 0, job.target.dtype, job.target.shape, job.target.ctypes.data)
        return Way(lambda: session.run_with_iobinding(binding), lambda returned: job.target, job.reset, operands)


class OpenVino:
    name, distribution = "OpenVINO", "openvino"

    def __init__(self, threads):
        import openvino

        self.openvino = openvino
        self.core = openvino.Core()
        self.options = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": threads}

    def ways(self, job):
        result = {}
        for name, function in ways_of(with_openvino, job).items():
            result[name] = functools.partial(self.with_output, function, job)
            if job.target.dtype == np.float32:  # one of int64 is written out of bounds by 2026.4.1
                result[name + "_with_variable"] = functools.partial(self.with_variable, function, job)
        return result

    def request(self, model, arrays):
        request = self.core.compile_model(model, "CPU", self.options).create_infer_request()
        for position, array in enumerate(arrays):
            request.set_input_tensor(position, self.openvino.Tensor(array, shared_memory=True))
        return request

    def arrays(self, function, job):
        operands = operands_of(job)
        return [operands[name] for name in inspect.signature(function).parameters]

    def parameters(self, arrays):
        return [with_openvino.ops.parameter(array.shape, array.dtype) for array in arrays]

    def with_output(self, function, job):
        arrays = self.arrays(function, job)
        parameters = self.parameters(arrays)
        request = self.request(self.openvino.Model([function(*parameters)], parameters, "job"), arrays)
        output = np.empty_like(job.target)
        request.set_output_tensor(0, self.openvino.Tensor(output, shared_memory=True))
        return Way(request.infer, lambda returned: output, job.reset, (*arrays, output))

    def with_variable(self, function, job):
        from openvino import opset6

        arrays = self.arrays(function, job)[1:]
        parameters = self.parameters(arrays)
        variable = opset6.read_value(with_openvino.ops.constant(job.initial), "variable")
        assign = opset6.assign(function(variable, *parameters), "variable")
        request = self.request(
            self.openvino.Model(results=[], sinks=[assign], parameters=parameters, name="job"), arrays)
        return Way(request.infer, lambda returned: request.query_state()[0].state.data, request.reset_state, arrays)


class Jax:
    name, distribution = "JAX", "jax"

    def __init__(self, threads):
        pass

    def ways(self, job):
        return {name: functools.partial(self.compiled, function, job)
                for name, function in ways_of(with_jax, job).items()}

    def compiled(self, function, job):
        function = with_jax.jax.jit(function, donate_argnums=0)
        _, *others = (with_jax.jnp.array(array) for array in job.operands.values())
        state = None

        def reset():
            nonlocal state
            state = with_jax.jnp.array(job.initial)

        def run():
            nonlocal state
            state = function(state, *others).block_until_ready()
            return state

        reset()
        return Way(run, np.asarray, reset)


LIBRARIES = (Strew, NumPy, PyTorch, OnnxRuntime, OpenVino, Jax)


def versions():
    return {library.name: importlib.metadata.version(library.distribution)
            for library in LIBRARIES if library.distribution}
