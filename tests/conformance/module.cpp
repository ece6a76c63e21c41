// SPDX-License-Identifier: Apache-2.0
// The Python module strew_python: a thin door to the four operators for NumPy arrays, made for tests and benchmarks.
// Arrays are viewed where they lie, never copied or converted; what an array cannot say to a tensor is refused.
#include <strew/dynamic.hpp>
#include <strew/execution/workspace.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace py = pybind11;

namespace {

// An element of an array of dtype object: a reference that counts. A null pointer stands for None there.
struct object_reference {
  PyObject* object;

  object_reference(const object_reference&) = delete;
  object_reference& operator=(const object_reference& other) noexcept {
    PyObject* const replaced = object;
    object = Py_XNewRef(other.object);
    Py_XDECREF(replaced);
    return *this;
  }
};

std::string describe(const py::dtype& dtype) {
  return py::str(static_cast<py::handle>(dtype));
}

std::string label(const char* operation, const char* operand) {
  return std::string(operation) + ": " + operand;
}

// The operators do nothing but move elements, so their size says all.
strew::dynamic::element_type element_type_of(const char* operation, const py::dtype& dtype) {
  // The elements of a StringDType, and objects inside a structure, are more than their bytes.
  const bool plain = dtype.kind() != 'T' && (dtype.flags() & 1) == 0;  // 1: NumPy's NPY_ITEM_HASOBJECT
  if (!plain || dtype.itemsize() < 1) {
    throw py::type_error(label(operation, "data") + " holds " + describe(dtype) +
                         ", expected objects or plain elements of at least one byte");
  }
  return {strew::dynamic::element_kind::opaque, dtype.itemsize()};
}

strew::index_type index_type_of(const char* operation, const char* operand, const py::array& array) {
  const py::dtype dtype = array.dtype();
  const bool native = dtype.byteorder() == '=' || dtype.byteorder() == '|';
  const bool is_signed = dtype.kind() == 'i';
  if (native && (is_signed || dtype.kind() == 'u')) {
    switch (dtype.itemsize()) {
      case 1:
        return is_signed ? strew::index_type::int8 : strew::index_type::uint8;
      case 2:
        return is_signed ? strew::index_type::int16 : strew::index_type::uint16;
      case 4:
        return is_signed ? strew::index_type::int32 : strew::index_type::uint32;
      case 8:
        return is_signed ? strew::index_type::int64 : strew::index_type::uint64;
    }
  }
  throw py::type_error(label(operation, operand) + " holds " + describe(dtype) +
                       ", expected integers in native byte order");
}

// Calls body.operator()<I>() with that integer type.
template <class Body>
void with_index_type(strew::index_type type, Body&& body) {
  switch (type) {
    case strew::index_type::int8:
      return body.template operator()<std::int8_t>();
    case strew::index_type::int16:
      return body.template operator()<std::int16_t>();
    case strew::index_type::int32:
      return body.template operator()<std::int32_t>();
    case strew::index_type::int64:
      return body.template operator()<std::int64_t>();
    case strew::index_type::uint8:
      return body.template operator()<std::uint8_t>();
    case strew::index_type::uint16:
      return body.template operator()<std::uint16_t>();
    case strew::index_type::uint32:
      return body.template operator()<std::uint32_t>();
    case strew::index_type::uint64:
      return body.template operator()<std::uint64_t>();
  }
}

// Where an array's elements lie, strides in elements.
struct placement {
  void* data;
  strew::index_list extents;
  strew::index_list strides;
};

// An axis that takes no step may have any stride.
placement placement_of(const char* operation, const char* operand, const py::array& array) {
  // Whether the array may be written is checked by require_writable; NumPy hands out one pointer for both.
  placement result{const_cast<void*>(array.data()), {}, {}};
  const py::ssize_t item = array.itemsize();
  for (py::ssize_t k = 0; k < array.ndim(); ++k) {
    const py::ssize_t bytes = array.strides(k);
    if (bytes % item != 0 && array.shape(k) > 1) {
      throw py::value_error(label(operation, operand) + " has a stride of " + std::to_string(bytes) +
                            " bytes on axis " + std::to_string(k) + ", expected a multiple of " + std::to_string(item) +
                            ", the size of its elements");
    }
    result.extents.push_back(array.shape(k));
    result.strides.push_back(bytes / item);
  }
  return result;
}

template <class T>
strew::tensor_view<T> view_of(const placement& where) {
  return {static_cast<T*>(where.data), where.extents, where.strides};
}

void require_dtype(const char* operation, const char* operand, const py::array& array, const py::dtype& expected) {
  const py::dtype dtype = array.dtype();
  if (dtype.is(expected) || dtype.equal(expected)) return;
  throw py::type_error(label(operation, operand) + " holds " + describe(dtype) + ", expected " + describe(expected) +
                       " as data does");
}

void require_writable(const char* operation, const char* operand, const py::array& array) {
  if (!array.writeable()) throw py::value_error(label(operation, operand) + " is read-only");
}

// A scalar or one-dimensional parameter as a list, in its own integer type: that of `stop` has a meaning.
template <class List>
List list_of(const char* operation, const char* operand, const py::object& parameter) {
  if (PyLong_CheckExact(parameter.ptr())) return List(parameter.cast<std::int64_t>());  // no array for a plain int
  const py::array array = py::array::ensure(parameter);
  if (!array) throw py::error_already_set();
  if (array.ndim() > 1) {
    throw py::value_error(label(operation, operand) + " has rank " + std::to_string(array.ndim()) +
                          ", expected a scalar or a list");
  }
  List list;
  with_index_type(index_type_of(operation, operand, array), [&]<class I>() {
    // One more than fits, so that too long a list is noticed where all lists are checked.
    std::array<I, strew::max_rank + 1> values{};
    const auto count = std::min(static_cast<std::size_t>(array.size()), values.size());
    const auto* const first = static_cast<const char*>(array.data());
    for (std::size_t k = 0; k < count; ++k) {
      const py::ssize_t offset = array.ndim() == 0 ? 0 : static_cast<py::ssize_t>(k) * array.strides(0);
      std::memcpy(&values[k], first + offset, sizeof(I));
    }
    list = List(std::span<const I>(values.data(), count));
  });
  return list;
}

// Memory for an operator, and a pool or nothing.
struct workspace {
  py::array_t<std::uint8_t, py::array::c_style> memory;
  std::span<std::byte> bytes;  // its own, found while the interpreter's lock is held
  strew::thread_pool* threads;
};

// What every operator may be given beyond its arguments.
struct call_options {
  // `given_means` is a thread_pool, a workspace or None. pybind11 could convert them too, but takes half a microsecond
  // for None.
  call_options(const std::optional<py::array>& given_output, const py::object& given_means) : output(given_output) {
    if (given_means.is_none()) return;
    if (py::isinstance<workspace>(given_means)) {
      lent = given_means.cast<workspace*>();
      threads = lent->threads;
    } else {
      threads = given_means.cast<strew::thread_pool*>();
    }
  }

  const std::optional<py::array>& output;
  strew::thread_pool* threads = nullptr;
  workspace* lent = nullptr;
};

// Calls scatter(arguments...), with the executor before the arguments and the output behind them, where they are given.
template <class Scatter, class Output, class... Arguments>
void call(const Scatter& scatter, const call_options& options, const Output& output, const Arguments&... arguments) {
  const auto run_on = [&](auto&... executor) {
    options.output ? scatter(executor..., arguments..., output) : scatter(executor..., arguments...);
  };
  if (options.lent != nullptr && options.threads != nullptr) {
    const strew::workspace lent(options.lent->bytes, *options.threads);
    run_on(lent);
  } else if (options.lent != nullptr) {
    const strew::workspace lent(options.lent->bytes);
    run_on(lent);
  } else if (options.threads != nullptr) {
    run_on(*options.threads);
  } else {
    run_on();
  }
}

// Checks dtypes and writability, then calls body(data, updates, output): with typed views of objects, of which only the
// caller's thread may count the references, with tensors of a run-time type of all else, without the interpreter's
// lock.
template <class Body>
void run(const char* operation, const py::array& data, const py::array& updates, const call_options& options,
         Body&& body) {
  const auto& output = options.output;
  const py::dtype dtype = data.dtype();
  require_dtype(operation, "updates", updates, dtype);
  if (output) require_dtype(operation, "output", *output, dtype);
  require_writable(operation, output ? "output" : "data", output ? *output : data);
  const bool holds_objects = dtype.kind() == 'O';
  if (holds_objects && options.threads) {
    throw py::type_error(label(operation, "data") + " holds objects, which only one thread may count");
  }
  const auto type = holds_objects ? strew::dynamic::element_type{} : element_type_of(operation, dtype);
  const placement in = placement_of(operation, "data", data);
  const placement from = placement_of(operation, "updates", updates);
  const placement to = output ? placement_of(operation, "output", *output) : in;
  if (holds_objects) {
    body(view_of<object_reference>(in), view_of<const object_reference>(from), view_of<object_reference>(to));
    return;
  }
  const auto tensor_of = [&](const placement& where) {
    return strew::dynamic::tensor{where.data, type, where.extents, where.strides};
  };
  const strew::dynamic::tensor data_tensor = tensor_of(in), updates_tensor = tensor_of(from),
                               output_tensor = tensor_of(to);
  const py::gil_scoped_release unlocked;
  body(data_tensor, updates_tensor, output_tensor);
}

void slice_scatter(const py::array& data, const py::array& updates, const py::object& start, const py::object& stop,
                   const py::object& step, const py::object& axes, const std::optional<py::array>& output,
                   const py::object& threads) {
  constexpr const char* operation = "slice_scatter";
  strew::slice_spec slice{.start = list_of<strew::index_list>(operation, "start", start),
                          .stop = list_of<strew::stop_list>(operation, "stop", stop),
                          .step = list_of<strew::index_list>(operation, "step", step)};
  if (!axes.is_none()) slice.axes = list_of<strew::index_list>(operation, "axes", axes);
  const auto scatter = [](auto&... arguments) { strew::slice_scatter(arguments...); };
  const call_options options{output, threads};
  run(operation, data, updates, options, [&](const auto& data_view, const auto& updates_view, const auto& output_view) {
    call(scatter, options, output_view, data_view, updates_view, slice);
  });
}

// The three operators that take indices: `scatter` is called with views and the axis.
template <class Scatter>
void run_indexed(const char* operation, const py::array& data, const py::array& indices, const py::array& updates,
                 const py::object& axis, const call_options& options, const Scatter& scatter) {
  const auto axis_list = list_of<strew::index_list>(operation, "axis", axis);
  const strew::index_type type = index_type_of(operation, "indices", indices);
  const bool aligned = (indices.flags() & py::detail::npy_api::NPY_ARRAY_ALIGNED_) != 0;
  if (!aligned && data.dtype().kind() == 'O') {
    throw py::type_error(label(operation, "indices") + " are unaligned, which scatters of objects do not take");
  }
  const placement at = placement_of(operation, "indices", indices);
  const strew::dynamic::index_tensor index_tensor{at.data, type, at.extents, at.strides};
  run(operation, data, updates, options,
      [&]<class View>(const View& data_view, const auto& updates_view, const View& output_view) {
        if constexpr (std::is_same_v<View, strew::dynamic::tensor>) {
          call(scatter, options, output_view, data_view, index_tensor, updates_view, axis_list);
        } else {
          with_index_type(type, [&]<class I>() {
            call(scatter, options, output_view, data_view, view_of<const I>(at), updates_view, axis_list);
          });
        }
      });
}

void scatter_update(const py::array& data, const py::array& indices, const py::array& updates, const py::object& axis,
                    const std::optional<py::array>& output, const py::object& threads) {
  run_indexed("scatter_update", data, indices, updates, axis, {output, threads},
              [](auto&... arguments) { strew::scatter_update(arguments...); });
}

void scatter_elements_update(const py::array& data, const py::array& indices, const py::array& updates,
                             const py::object& axis, const std::optional<py::array>& output,
                             const py::object& threads) {
  run_indexed("scatter_elements_update", data, indices, updates, axis, {output, threads},
              [](auto&... arguments) { strew::scatter_elements_update(arguments...); });
}

void onnx_scatter(const py::array& data, const py::array& indices, const py::array& updates, const py::object& axis,
                  const std::optional<py::array>& output, const py::object& threads) {
  run_indexed("onnx::scatter", data, indices, updates, axis, {output, threads},
              [](auto&... arguments) { strew::onnx::scatter(arguments...); });
}

// The kind of a dtype's elements, where it is one that reductions have.
strew::dynamic::element_kind kind_of(const py::dtype& dtype) {
  using enum strew::dynamic::element_kind;
  if (dtype.byteorder() == '>') return opaque;
  switch (dtype.kind()) {
    case 'b':
      return boolean;
    case 'i':
      return signed_integer;
    case 'u':
      return unsigned_integer;
    case 'f':
      return dtype.itemsize() > 8 ? opaque : floating_point;
    case 'c':
      return complex;
    default:
      return dtype.attr("name").cast<std::string>() == "bfloat16" ? brain_float : opaque;
  }
}

// The operators with reductions by name, on plain elements.
void reduce(const std::string& name, const py::array& data, const py::array& indices, const py::array& updates,
            std::int64_t axis, const std::string& reduction, bool include_init, const std::optional<py::array>& output,
            const py::object& threads) {
  const char* const operation = name.c_str();
  strew::dynamic::reduction reduce{strew::reduction_kind::none, include_init};
  if (!strew::reduction::parse(reduction, reduce.kind)) throw py::value_error("no reduction: " + reduction);
  const call_options options{output, threads};
  const py::dtype dtype = data.dtype();
  require_dtype(operation, "updates", updates, dtype);
  if (output) require_dtype(operation, "output", *output, dtype);
  require_writable(operation, output ? "output" : "data", output ? *output : data);
  if (dtype.kind() == 'O') throw py::type_error(label(operation, "data") + " holds objects");
  const strew::dynamic::element_type type{kind_of(dtype), element_type_of(operation, dtype).size};
  const auto tensor_of = [&](const char* operand, const py::array& array) {
    const placement where = placement_of(operation, operand, array);
    return strew::dynamic::tensor{where.data, type, where.extents, where.strides};
  };
  const strew::dynamic::tensor in = tensor_of("data", data);
  const strew::dynamic::tensor from = tensor_of("updates", updates);
  const strew::dynamic::tensor to = output ? tensor_of("output", *output) : in;
  const placement at = placement_of(operation, "indices", indices);
  const strew::dynamic::index_tensor index{at.data, index_type_of(operation, "indices", indices), at.extents,
                                           at.strides};
  const py::gil_scoped_release unlocked;
  if (name == "scatter_elements_update_12") {
    call([](auto&... all) { strew::v12::scatter_elements_update(all...); }, options, to, in, index, from, axis, reduce);
  } else if (name == "onnx_scatter_elements") {
    call([](auto&... all) { strew::onnx::scatter_elements(all...); }, options, to, in, index, from, axis, reduce);
  } else if (name == "scatter_reduce") {
    call([](auto&... all) { strew::scatter_reduce(all...); }, options, to, in, axis, index, from, reduce);
  } else if (name == "index_reduce") {
    call([](auto&... all) { strew::index_reduce(all...); }, options, to, in, axis, index, from, reduce);
  } else if (name == "scatter_nd_update_3") {
    call([](auto&... all) { strew::v3::scatter_nd_update(all...); }, options, to, in, index, from, reduce);
  } else if (name == "scatter_nd_update_15") {
    call([](auto&... all) { strew::v15::scatter_nd_update(all...); }, options, to, in, index, from, reduce);
  } else if (name == "onnx_scatter_nd") {
    call([](auto&... all) { strew::onnx::scatter_nd(all...); }, options, to, in, index, from, reduce);
  } else if (name == "put") {
    call([](auto&... all) { strew::put(all...); }, options, to, in, index, from, reduce);
  } else {
    throw std::invalid_argument("no operator: " + name);
  }
}

// TensorScatter; indices of int64, or None.
void tensor_scatter(const py::array& cache, const py::array& update, const std::optional<py::array>& write_indices,
                    const std::string& mode, std::int64_t axis, const py::array& output) {
  constexpr const char* operation = "onnx::tensor_scatter";
  require_dtype(operation, "update", update, cache.dtype());
  require_dtype(operation, "output", output, cache.dtype());
  require_writable(operation, "output", output);
  const strew::dynamic::element_type type = element_type_of(operation, cache.dtype());
  const auto tensor_of = [&](const char* operand, const py::array& array) {
    const placement where = placement_of(operation, operand, array);
    return strew::dynamic::tensor{where.data, type, where.extents, where.strides};
  };
  const strew::onnx::tensor_scatter_options options{
      mode == "circular" ? strew::onnx::cache_mode::circular : strew::onnx::cache_mode::linear, axis};
  const strew::dynamic::tensor in = tensor_of("past_cache", cache);
  const strew::dynamic::tensor from = tensor_of("update", update);
  const strew::dynamic::tensor to = tensor_of("output", output);
  if (!write_indices) return strew::onnx::tensor_scatter(in, from, options, to);
  if (index_type_of(operation, "write_indices", *write_indices) != strew::index_type::int64) {
    throw py::type_error("write_indices are int64 here");
  }
  const auto first = view_of<const std::int64_t>(placement_of(operation, "write_indices", *write_indices));
  strew::onnx::tensor_scatter(in, from, first, options, to);
}

}  // namespace

PYBIND11_MODULE(strew_python, module) {
  using namespace py::literals;
  module.doc() =
      "The operators of strew for NumPy arrays. Without `output` they work in place on `data`; with `threads`, a "
      "thread_pool or a workspace, they share their work out or use its memory.";
  // Of this module alone, so that two builds of it can be loaded at once.
  py::class_<strew::thread_pool>(module, "thread_pool", py::module_local())
      .def(py::init<unsigned>(), "threads"_a = 0)
      .def_property_readonly("concurrency", &strew::thread_pool::concurrency);
  py::class_<workspace>(module, "workspace", py::module_local())
      .def(py::init([](py::array_t<std::uint8_t, py::array::c_style> memory, strew::thread_pool* threads) {
             const std::span bytes(reinterpret_cast<std::byte*>(memory.mutable_data()),
                                   static_cast<std::size_t>(memory.nbytes()));
             return workspace{std::move(memory), bytes, threads};
           }),
           "memory"_a.noconvert(), "threads"_a = nullptr, py::keep_alive<1, 3>());
  // The bytes with which an operator is fastest on elements of 4 bytes.
  using extents = std::vector<std::int64_t>;
  module.def("bytes_for_rows", [](const extents& data, const extents& indices, std::int64_t axis, std::size_t threads) {
    return strew::workspace_bytes<float>(strew::scatter_update, data, indices, axis, threads);
  });
  module.def("bytes_for_elements",
             [](const extents& data, const extents& indices, std::int64_t axis, std::size_t threads) {
               return strew::workspace_bytes<float>(strew::scatter_elements_update, data, indices, axis, threads);
             });
  module.def("bytes_for_tuples", [](const extents& data, const extents& indices, std::size_t threads) {
    return strew::workspace_bytes<float>(strew::onnx::scatter_nd, data, indices, threads);
  });
  const auto output = "output"_a = py::none();
  const auto threads = "threads"_a = py::none();
  module.def("slice_scatter", slice_scatter, "data"_a, "updates"_a, "start"_a, "stop"_a, "step"_a,
             "axes"_a = py::none(), output, threads);
  module.def("scatter_update", scatter_update, "data"_a, "indices"_a, "updates"_a, "axis"_a, output, threads);
  module.def("scatter_elements_update", scatter_elements_update, "data"_a, "indices"_a, "updates"_a, "axis"_a, output,
             threads);
  module.def("reduce", reduce, "operator"_a, "data"_a, "indices"_a, "updates"_a, "axis"_a = 0, "reduction"_a = "none",
             "include_init"_a = true, output, threads);
  module.def("tensor_scatter", tensor_scatter, "past_cache"_a, "update"_a, "write_indices"_a, "mode"_a, "axis"_a,
             "output"_a);
  module.def("onnx_scatter", onnx_scatter, "data"_a, "indices"_a, "updates"_a, "axis"_a = 0, output, threads);
}
