# SPDX-License-Identifier: Apache-2.0
"""One adapter for each library: its fastest way to solve a problem as its documentation has it, nothing rewritten.

A peer's method (slice, rows or elements) takes a cases.Problem and returns a function without arguments that solves
it, or None where the library has no such operator. All that a program would do once is done before. The output is then
in problem.output, but for peers that return one of their own. Where a library cannot be imported, its adapter is left
out.
"""

import ctypes
import importlib
import os

import numpy as np


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


class Memcpy:
    """No peer: the measure. data copied to output, on one thread."""

    name = "memcpy"

    def slice(self, problem):
        arguments = ctypes.c_void_p(problem.output.ctypes.data), ctypes.c_void_p(problem.data.ctypes.data)
        nbytes = ctypes.c_size_t(problem.data.nbytes)
        return lambda: ctypes.memmove(*arguments, nbytes)

    rows = elements = slice

    def row_sums(self, problem):
        copy = np.empty_like(problem.measured)
        arguments = ctypes.c_void_p(copy.ctypes.data), ctypes.c_void_p(problem.measured.ctypes.data)
        nbytes = ctypes.c_size_t(copy.nbytes)
        return lambda copy=copy: ctypes.memmove(*arguments, nbytes)

    element_sums = element_maxima = tuples = tuple_sums = row_sums


class Strew:
    """The Python package: a call checks all arguments, as in C++, and allocates the workspace that it uses."""

    name = "strew"

    def __init__(self, threads):
        import strew

        self.module = strew
        self.threads = threads

    def slice(self, p):
        call, threads = self.module.slice_scatter, self.threads
        return lambda: call(
            p.data, p.updates, start=p.start, stop=p.stop, step=p.step, axes=p.axis, out=p.output, threads=threads
        )

    def rows(self, p):
        call, threads = self.module.scatter_update, self.threads
        return lambda: call(p.data, p.indices, p.updates, p.axis, out=p.output, threads=threads)

    def elements(self, p):
        call, threads = self.module.scatter_elements_update, self.threads
        return lambda: call(p.data, p.indices, p.updates, p.axis, out=p.output, threads=threads)

    def row_sums(self, p):
        call, threads = self.module.index_reduce, self.threads
        return lambda: call(p.data, p.axis, p.indices, p.updates, "sum", out=p.output, threads=threads)

    def along_axis(self, p, reduction):
        call, threads = self.module.v12.scatter_elements_update, self.threads
        return lambda: call(p.data, p.indices, p.updates, p.axis, reduction, out=p.output, threads=threads)

    def element_sums(self, p):
        return self.along_axis(p, "sum")

    def element_maxima(self, p):
        return self.along_axis(p, "max")

    def by_multi_indices(self, p, reduction):
        call, threads = self.module.v15.scatter_nd_update, self.threads
        return lambda: call(p.data, p.indices, p.updates, reduction, out=p.output, threads=threads)

    def tuples(self, p):
        return self.by_multi_indices(p, "none")

    def tuple_sums(self, p):
        return self.by_multi_indices(p, "sum")


class NumPy:
    """A copy, then an assignment. On one thread always."""

    name = "NumPy"
    version = np.__version__

    def __init__(self, threads):
        pass

    def assign(self, p, at):
        def run():
            np.copyto(p.output, p.data)
            p.output[at] = p.updates

        return run

    def slice(self, p):
        return self.assign(p, p.at(p.slice))

    def rows(self, p):
        return self.assign(p, p.at(p.indices))

    def elements(self, p):
        def run():
            np.copyto(p.output, p.data)
            np.put_along_axis(p.output, p.indices, p.updates, p.axis)

        return run

    def tuples(self, p):
        return self.assign(p, p.places)

    def reduce(self, p, combine):
        places = p.places

        def run():
            np.copyto(p.output, p.data)
            combine.at(p.output, places, p.updates)

        return run

    def row_sums(self, p):
        return self.reduce(p, np.add)

    def element_maxima(self, p):
        return self.reduce(p, np.maximum)

    element_sums = tuple_sums = row_sums


class OnnxRuntime:
    """Rows of axis 0 by ScatterND, all others by ScatterElements, on memory bound once."""

    name = "ONNX Runtime"
    module = optional("onnxruntime")
    version = module and module.__version__

    def __init__(self, threads):
        self.threads = threads

    def bound(self, p, operator, indices, **attributes):
        import onnx.helper as helper

        value, of = helper.make_tensor_value_info, helper.np_dtype_to_tensor_dtype
        inputs = {"data": p.data, "indices": indices, "updates": p.updates}
        graph = helper.make_graph(
            [helper.make_node(operator, list(inputs), ["output"], **attributes)],
            "scatter",
            [value(name, of(array.dtype), array.shape) for name, array in inputs.items()],
            [value("output", of(p.output.dtype), p.output.shape)],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)
        options = self.module.SessionOptions()
        options.intra_op_num_threads = self.threads
        options.inter_op_num_threads = 1
        session = self.module.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        binding = session.io_binding()
        for name, array in inputs.items():
            binding.bind_input(name, "cpu", 0, array.dtype, array.shape, array.ctypes.data)
        binding.bind_output("output", "cpu", 0, p.output.dtype, p.output.shape, p.output.ctypes.data)
        # The binding holds the address of indices only: `inputs` keeps them.
        return lambda inputs=inputs: session.run_with_iobinding(binding)

    def slice(self, p):
        return None

    def rows(self, p):
        if p.axis == 0:
            return self.bound(p, "ScatterND", p.indices.reshape(-1, 1))
        indices = np.ascontiguousarray(np.broadcast_to(p.indices, p.updates.shape))
        return self.bound(p, "ScatterElements", indices, axis=p.axis)

    def elements(self, p):
        return self.bound(p, "ScatterElements", p.indices, axis=p.axis)

    def row_sums(self, p):
        return self.bound(p, "ScatterND", p.indices.reshape(-1, 1), reduction="add")

    def element_sums(self, p):
        return self.bound(p, "ScatterElements", p.indices, axis=p.axis, reduction="add")

    def element_maxima(self, p):
        return self.bound(p, "ScatterElements", p.indices, axis=p.axis, reduction="max")

    def tuples(self, p):
        return self.bound(p, "ScatterND", p.indices)

    def tuple_sums(self, p):
        return self.bound(p, "ScatterND", p.indices, reduction="add")


class OpenVino:
    """The operators of the same names, on tensors that share memory."""

    name = "OpenVINO"
    module = optional("openvino")
    version = module and module.__version__

    def __init__(self, threads):
        self.options = {"INFERENCE_PRECISION_HINT": "f32", "INFERENCE_NUM_THREADS": threads}
        self.core = self.module.Core()

    def request(self, p, operator, arrays, constants):
        import openvino.opset15 as opset

        inputs = [opset.parameter(array.shape, array.dtype) for array in arrays]
        node = operator(*inputs, *(opset.constant(np.asarray(value, np.int64)) for value in constants))
        model = self.module.Model([node], inputs, "scatter")
        request = self.core.compile_model(model, "CPU", self.options).create_infer_request()
        for position, array in enumerate(arrays):
            request.set_input_tensor(position, self.module.Tensor(array, shared_memory=True))
        request.set_output_tensor(0, self.module.Tensor(p.output, shared_memory=True))
        return request.infer

    def slice(self, p):
        import openvino.opset15 as opset

        return self.request(
            p, opset.slice_scatter, [p.data, p.updates], [[p.start], [p.stop], [p.step], [p.axis]]
        )

    def rows(self, p):
        import openvino.opset3 as opset

        return self.request(p, opset.scatter_update, [p.data, p.indices, p.updates], [p.axis])

    def elements(self, p):
        import openvino.opset3 as opset

        return self.request(p, opset.scatter_elements_update, [p.data, p.indices, p.updates], [p.axis])

    def by_multi_indices(self, p, indices, reduction):
        import openvino.opset15 as opset

        return self.request(
            p, lambda *inputs: opset.scatter_nd_update(*inputs, reduction), [p.data, indices, p.updates], []
        )

    def row_sums(self, p):
        return self.by_multi_indices(p, p.indices.reshape(-1, 1), "sum")

    def tuples(self, p):
        return self.by_multi_indices(p, p.indices, "none")

    def tuple_sums(self, p):
        return self.by_multi_indices(p, p.indices, "sum")

    def along_axis(self, p, reduction):
        import openvino.opset12 as opset

        return self.request(
            p,
            lambda *inputs: opset.scatter_elements_update(*inputs, reduction, True),
            [p.data, p.indices, p.updates],
            [p.axis],
        )

    def element_sums(self, p):
        return self.along_axis(p, "sum")

    def element_maxima(self, p):
        return self.along_axis(p, "max")


class Jax:
    """`data.at[...].set(updates)`, compiled. It makes a new output each time."""

    name = "JAX"
    returns_output = True
    module = optional("jax")
    version = module and module.__version__

    def __init__(self, threads):
        pass

    def compiled(self, p, function, *arguments):
        function = self.module.jit(function)
        arguments = [self.module.numpy.asarray(argument) for argument in (p.data, p.updates, *arguments)]
        return lambda: function(*arguments).block_until_ready()

    def slice(self, p):
        return self.compiled(p, lambda data, updates: data.at[p.at(p.slice)].set(updates))

    def rows(self, p):
        return self.compiled(p, lambda data, updates, indices: data.at[p.at(indices)].set(updates), p.indices)

    def elements(self, p):
        def put(data, updates, indices):
            return self.module.numpy.put_along_axis(data, indices, updates, p.axis, inplace=False)

        return self.compiled(p, put, p.indices)

    def row_sums(self, p):
        return self.compiled(p, lambda data, updates, *at: data.at[at].add(updates), *p.places)

    element_sums = tuple_sums = row_sums

    def element_maxima(self, p):
        return self.compiled(p, lambda data, updates, *at: data.at[at].max(updates), *p.places)

    def tuples(self, p):
        return self.compiled(p, lambda data, updates, *at: data.at[at].set(updates), *p.places)


class PyTorch:
    """`copy_` to a slice, index_copy and scatter, with `out`. Slices do not run backwards here: updates are flipped."""

    name = "PyTorch"
    module = optional("torch")
    version = module and module.__version__

    def __init__(self, threads):
        self.module.set_num_threads(threads)

    def tensors(self, p):
        return [self.module.from_dlpack(array) for array in (p.data, p.updates, p.output)]

    def slice(self, p):
        data, updates, output = self.tensors(p)
        if p.step > 0:
            part = output[p.at(p.slice)]

            def run():
                output.copy_(data)
                part.copy_(updates)

        else:

            def run():
                output.copy_(data)
                output.copy_(updates.flip(p.axis))

        return run

    def rows(self, p):
        data, updates, output = self.tensors(p)
        indices = self.module.from_dlpack(p.indices)
        return lambda: self.module.index_copy(data, p.axis, indices, updates, out=output)

    def elements(self, p):
        data, updates, output = self.tensors(p)
        indices = self.module.from_dlpack(p.indices)
        return lambda: self.module.scatter(data, p.axis, indices, updates, out=output)

    def row_sums(self, p):
        data, updates, output = self.tensors(p)
        indices = self.module.from_dlpack(p.indices)
        return lambda: self.module.index_add(data, 0, indices, updates, out=output)

    def element_sums(self, p):
        data, updates, output = self.tensors(p)
        indices = self.module.from_dlpack(p.indices)
        return lambda: self.module.scatter_add(data, p.axis, indices, updates, out=output)

    def element_maxima(self, p):
        data, updates, output = self.tensors(p)
        indices = self.module.from_dlpack(p.indices)
        return lambda: self.module.scatter_reduce(data, p.axis, indices, updates, "amax", out=output)

    def put(self, p, accumulate):
        data, updates, output = self.tensors(p)
        places = [self.module.from_dlpack(np.ascontiguousarray(at)) for at in p.places]

        def run():
            output.copy_(data)
            output.index_put_(places, updates, accumulate)

        return run

    def tuples(self, p):
        return self.put(p, False)

    def tuple_sums(self, p):
        return self.put(p, True)


class Cpp:
    """A way to do it in C++, compiled with the flags of strew: the functions of cpp_peers.cpp with this prefix."""

    def __init__(self, threads):
        import cpp_peers

        cpp_peers.use_threads(threads)
        self.module = cpp_peers

    def function(self, kind):
        return getattr(self.module, f"{self.prefix}_{kind}", None)

    def slice(self, p):
        call = self.function("slice")
        return call and (lambda: call(p.data, p.updates, p.start, p.stop, p.step, p.axis, p.output))

    def indexed(self, p, call):
        return call and (lambda: call(p.data, p.indices, p.updates, p.axis, p.output))

    def rows(self, p):
        return self.indexed(p, self.function("rows"))

    def elements(self, p):
        # Neither library has more than the indexing of one axis, which for one-dimensional tensors is the same.
        return self.indexed(p, self.function("elements" if p.data.ndim > 1 else "rows"))


class Eigen(Cpp):
    """Slices of a Tensor, on a ThreadPoolDevice; an Array indexed by a list of rows or columns, on one thread."""

    name, prefix = "Eigen", "eigen"


class Xtensor(Cpp):
    """Views with range and keep, on one thread."""

    name, prefix = "xtensor", "xtensor"


class CoordinateIterator(Cpp):
    """A loop over the coordinates of updates, as in reference implementations. No checks, one thread."""

    name, prefix = "coordinates", "coordinates"


class DivMod(Cpp):
    """A loop over the elements of updates, coordinates by division. No checks, one thread."""

    name, prefix = "div/mod", "divmod"


PEERS = (NumPy, OnnxRuntime, OpenVino, Jax, PyTorch, Eigen, Xtensor, CoordinateIterator, DivMod)


def installed():
    return [peer for peer in PEERS if getattr(peer, "module", True)]


def versions():
    import cpp_peers

    return {peer.name: peer.version for peer in installed() if hasattr(peer, "version")} | cpp_peers.versions
