// SPDX-License-Identifier: Apache-2.0
// The Python module strew_calls: one call in all its forms (plain, prepared, bound, each without and with a workspace),
// for NumPy arrays that are contiguous. All memory is that of the arrays.
#include <strew/bound.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

namespace py = pybind11;

namespace {

using strew::tensor_view;
using floats = py::array_t<float, py::array::c_style>;
using integers = py::array_t<std::int64_t, py::array::c_style>;
using memory = py::array_t<std::uint8_t, py::array::c_style>;

std::unique_ptr<strew::thread_pool> pool;
std::size_t threads = 1;

template <class T>
strew::index_list extents_of(const py::array_t<T, py::array::c_style>& array) {
  strew::index_list extents;
  for (py::ssize_t k = 0; k < array.ndim(); ++k) extents.push_back(array.shape(k));
  return extents;
}
std::span<std::byte> bytes_of(memory& array) {
  return std::as_writable_bytes(std::span(array.mutable_data(), static_cast<std::size_t>(array.size())));
}

struct operands {
  tensor_view<const float> data;
  tensor_view<const std::int64_t> indices;
  tensor_view<const float> updates;
  tensor_view<float> output;
};

// ---- The operators

struct index_add {
  static auto prepared(const operands& o) {
    return strew::prepare<float, std::int64_t>(
        strew::index_add, {o.data.layout(), o.indices.layout(), o.updates.layout(), o.output.layout()}, 0);
  }
  static std::size_t workspace_bytes(const operands& o) {
    return strew::workspace_bytes<float>(strew::index_add, o.data.extents(), o.indices.extents(), 0, threads);
  }
  template <class Executor>
  static void run(Executor& ex, const operands& o) {
    strew::index_add(ex, o.data, 0, o.indices, o.updates, o.output);
  }
};

struct scatter_elements_sum {
  static auto prepared(const operands& o) {
    return strew::prepare<float, std::int64_t>(
        strew::v12::scatter_elements_update,
        {o.data.layout(), o.indices.layout(), o.updates.layout(), o.output.layout()}, 0, strew::reduction::sum);
  }
  static std::size_t workspace_bytes(const operands& o) {
    return strew::workspace_bytes<float>(strew::v12::scatter_elements_update, o.data.extents(), o.indices.extents(), 0,
                                         strew::reduction::sum, threads);
  }
  template <class Executor>
  static void run(Executor& ex, const operands& o) {
    strew::v12::scatter_elements_update(ex, o.data, o.indices, o.updates, 0, strew::reduction::sum, o.output);
  }
};

struct scatter_nd_sum {
  static auto prepared(const operands& o) {
    return strew::prepare<float, std::int64_t>(
        strew::v15::scatter_nd_update, {o.data.layout(), o.indices.layout(), o.updates.layout(), o.output.layout()},
        strew::reduction::sum);
  }
  static std::size_t workspace_bytes(const operands& o) {
    return strew::workspace_bytes<float>(strew::v15::scatter_nd_update, o.data.extents(), o.indices.extents(),
                                         strew::reduction::sum, threads);
  }
  template <class Executor>
  static void run(Executor& ex, const operands& o) {
    strew::v15::scatter_nd_update(ex, o.data, o.indices, o.updates, strew::reduction::sum, o.output);
  }
};

struct scatter_elements_update {
  static auto prepared(const operands& o) {
    return strew::prepare<float, std::int64_t>(
        strew::scatter_elements_update, {o.data.layout(), o.indices.layout(), o.updates.layout(), o.output.layout()},
        0);
  }
  static std::size_t workspace_bytes(const operands& o) {
    return strew::workspace_bytes<float>(strew::scatter_elements_update, o.data.extents(), o.indices.extents(), 0,
                                         threads);
  }
  template <class Executor>
  static void run(Executor& ex, const operands& o) {
    strew::scatter_elements_update(ex, o.data, o.indices, o.updates, 0, o.output);
  }
};

// ---- The forms of a call

class call {
 public:
  virtual ~call() = default;
  [[nodiscard]] virtual std::size_t workspace_bytes() const = 0;
  [[nodiscard]] virtual std::size_t bound_bytes() const = 0;
  [[nodiscard]] virtual std::size_t bound_workspace_bytes() const = 0;
  virtual void plain() const = 0;
  virtual void plain_with_workspace(memory scratch) const = 0;
  virtual void prepared() const = 0;
  virtual void prepared_with_workspace(memory scratch) const = 0;
  virtual void bind(memory kept) = 0;
  virtual void bound() const = 0;
  virtual void bound_with_workspace(memory scratch) const = 0;
};

template <class Operator>
class call_of final : public call {
 public:
  explicit call_of(const operands& all) : all_{all}, prepared_{Operator::prepared(all)} {}

  [[nodiscard]] std::size_t workspace_bytes() const override { return Operator::workspace_bytes(all_); }
  [[nodiscard]] std::size_t bound_bytes() const override { return prepared_.bound_bytes(); }
  [[nodiscard]] std::size_t bound_workspace_bytes() const override { return bound_.workspace_bytes(); }

  void plain() const override { Operator::run(*pool, all_); }
  void plain_with_workspace(memory scratch) const override {
    const strew::workspace ex{bytes_of(scratch), *pool};
    Operator::run(ex, all_);
  }
  void prepared() const override { run_prepared(*pool); }
  void prepared_with_workspace(memory scratch) const override {
    run_prepared(strew::workspace{bytes_of(scratch), *pool});
  }
  // Prepares the call as well, which belongs to the cost of binding.
  void bind(memory kept) override { bound_ = Operator::prepared(all_).bind(all_.indices.data(), bytes_of(kept)); }
  void bound() const override { run_bound(*pool); }
  void bound_with_workspace(memory scratch) const override { run_bound(strew::workspace{bytes_of(scratch), *pool}); }

 private:
  using prepared_type = decltype(Operator::prepared(std::declval<const operands&>()));
  using bound_type = decltype(std::declval<const prepared_type&>().bind({}, {}));

  template <class Executor>
  void run_prepared(Executor&& ex) const {
    prepared_.run(ex, all_.data.data(), all_.indices.data(), all_.updates.data(), all_.output.data());
  }
  template <class Executor>
  void run_bound(Executor&& ex) const {
    bound_.run(ex, all_.data.data(), all_.updates.data(), all_.output.data());
  }

  operands all_;
  prepared_type prepared_;
  bound_type bound_;
};

template <class Operator>
std::unique_ptr<call> make(const floats& data, const integers& indices, const floats& updates, floats& output) {
  return std::make_unique<call_of<Operator>>(operands{{data.data(), extents_of(data)},
                                                      {indices.data(), extents_of(indices)},
                                                      {updates.data(), extents_of(updates)},
                                                      {output.mutable_data(), extents_of(output)}});
}

template <class Operator>
void define(py::module_& module, const char* name) {
  // Nothing is converted: a copy of an array would end before the call.
  module.def(name, make<Operator>, py::arg("data").noconvert(), py::arg("indices").noconvert(),
             py::arg("updates").noconvert(), py::arg("output").noconvert(), py::keep_alive<0, 1>(),
             py::keep_alive<0, 2>(), py::keep_alive<0, 3>(), py::keep_alive<0, 4>());
}

}  // namespace

PYBIND11_MODULE(strew_calls, module) {
  module.doc() = "One call in all its forms.";
  module.def("use_threads", [](unsigned count) {
    if (count == 0) throw std::invalid_argument("strew_calls: no thread");
    threads = count;
    pool = std::make_unique<strew::thread_pool>(count);
  });
  py::class_<call>(module, "Call")
      .def_property_readonly("workspace_bytes", &call::workspace_bytes)
      .def_property_readonly("bound_bytes", &call::bound_bytes)
      .def_property_readonly("bound_workspace_bytes", &call::bound_workspace_bytes)
      .def("plain", &call::plain)
      .def("plain_with_workspace", &call::plain_with_workspace, py::arg("scratch").noconvert())
      .def("prepared", &call::prepared)
      .def("prepared_with_workspace", &call::prepared_with_workspace, py::arg("scratch").noconvert())
      .def("bind", &call::bind, py::arg("kept").noconvert(), py::keep_alive<1, 2>())
      .def("bound", &call::bound)
      .def("bound_with_workspace", &call::bound_with_workspace, py::arg("scratch").noconvert());
  define<index_add>(module, "index_add");
  define<scatter_elements_sum>(module, "scatter_elements_sum");
  define<scatter_nd_sum>(module, "scatter_nd_sum");
  define<scatter_elements_update>(module, "scatter_elements_update");
}
