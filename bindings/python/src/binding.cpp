// SPDX-License-Identifier: Apache-2.0
#include "binding.hpp"

#include "memory.hpp"

#include <strew/strew.hpp>

#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace strew_python {

namespace {

// Copies indices to `to`, in row-major order.
void copy(const strew::dynamic::index_tensor& from, void* to) {
  const std::int64_t size = strew::dynamic::size_of(from.type());
  if (from.rank() == 0) {
    std::memcpy(to, from.data(), static_cast<std::size_t>(size));
    return;
  }
  const strew::dynamic::element_type bytes{strew::dynamic::element_kind::opaque, size};
  const strew::dynamic::tensor copied(to, bytes, from.extents());
  strew::slice_scatter(copied, strew::dynamic::const_tensor(from.data(), bytes, from.extents(), from.strides()), {});
}

}  // namespace

binding::binding(nb::object indices, bool has_threads, bool binds) : state_{binds ? state::binds : state::checks} {
  const operand_name name{"prepare", "indices"};
  if (has_threads) {
    if (PyTuple_Check(indices.ptr()) == 0) raise(strew::errc::type_mismatch, name, " is not a tuple");
    for (Py_ssize_t k = 0; k < PyTuple_Size(indices.ptr()); ++k) {
      given_.emplace_back(name, PyTuple_GetItem(indices.ptr(), k), bindings::refused);
    }
  } else {
    are_segments_ = given_.emplace_back(name, indices, bindings::refused, true).are_segments();
  }
  held_ = indices;
  for (const index_operand& each : given_) tensors_.push_back(each.indices());
}

const index_operand* binding::list_with_large(std::size_t k) const {
  if (k >= given_.size()) return nullptr;
  const index_operand& list = *std::next(given_.begin(), static_cast<std::ptrdiff_t>(k));
  return list.large().empty() ? nullptr : &list;
}

void binding::require_unchanged() const {
  if (state_ == state::bound) return;
  for (const index_operand& each : given_) each.require_unchanged();
}

std::span<std::byte> binding::take_memory() {
  const auto size = static_cast<std::size_t>(schedule_.bytes());
  memory_ = allocate(size);
  return {memory_.get(), size};
}

namespace {

std::string text_of(const strew::index_list& extents) {
  std::string text;
  for (const std::int64_t extent : extents) text += (text.empty() ? "(" : ", ") + std::to_string(extent);
  if (extents.size() == 1) text += ",";  // as a tuple of Python
  return text.empty() ? "()" : text + ")";
}

}  // namespace

void binding::require_same(const operand_name& data, const operands& given) const {
  const operand_name updates{data.operation, "updates"};
  const auto require_type = [](const operand_name& name, bool is_same) {
    if (is_same) return;
    raise(strew::errc::type_mismatch, name, " has elements of another type than the indices were bound for");
  };
  require_type(data, given.type == of_.type);
  require_type(updates, given.updates_type == of_.updates_type);
  const auto require = [](const operand_name& name, const strew::index_list& extents, const strew::index_list& wanted) {
    if (extents == wanted) return;
    raise(strew::errc::extent_mismatch, name,
          " has the extents " + text_of(extents) + ", the indices were bound for " + text_of(wanted));
  };
  require(data, given.data, of_.data);
  require(updates, given.updates, of_.updates);
}

void binding::finish(const operands& of, bool has_schedule) {
  of_ = of;
  if (!has_schedule) {
    // One after the other, at multiples of 8 bytes.
    constexpr std::int64_t unit = 8;
    std::vector<std::int64_t> begins;
    std::int64_t size = 0;
    for (const strew::dynamic::index_tensor& each : tensors_) {
      begins.push_back(size);
      const auto bytes = static_cast<std::int64_t>(bytes_of({"prepare", "indices"}, each.size(), unit));
      if (bytes > (std::numeric_limits<std::int64_t>::max)() - size) throw std::bad_alloc();
      size += bytes;
    }
    memory_ = allocate(static_cast<std::size_t>(size));
    for (std::size_t k = 0; k < tensors_.size(); ++k) {
      const strew::dynamic::index_tensor from = tensors_[k];
      void* const to = memory_.get() + begins[k];
      copy(from, to);
      tensors_[k] = strew::dynamic::index_tensor(to, from.type(), from.extents());
    }
  } else {
    for (strew::dynamic::index_tensor& each : tensors_) {
      each = strew::dynamic::index_tensor(memory_.get(), each.type(), each.extents());
    }
  }
  // Which element an integer beyond 64 bits names under wrap, each call finds out from its data.
  const bool has_large =
      !has_schedule && std::any_of(given_.begin(), given_.end(), [](const auto& one) { return !one.large().empty(); });
  for (index_operand& each : given_) each.forget_array();
  if (!has_large) given_.clear();
  held_ = nb::object();
  state_ = state::bound;
}

void define_bindings(nb::module_& module) {
  using nb::literals::operator""_a;
  nb::class_<binding>(module, "Binding", "Indices that are checked or bound by a call.")
      .def(nb::init<nb::object, bool, bool>(), "indices"_a, "are_several"_a, "binds"_a);
  nb::class_<layout>(module, "Layout", "The type, the extents and the strides of an array.")
      .def(
          "__init__",
          [](layout* made, nb::handle object, const std::string& name, bool is_row_major, const layout* data) {
            const operand_name named{"prepare", name.c_str()};
            if (data != nullptr && is_list(object)) {
              new (made) layout(named, object, *data);
            } else {
              new (made) layout(operand(named, object, access::read), is_row_major);
            }
          },
          "object"_a, "name"_a = "operand", "is_row_major"_a = false, "data"_a.none() = nb::none());
  nb::class_<segments_argument>(
      module, "segments",
      "Segments by offsets, in the place of the indices of index_add, index_copy, index_reduce "
      "and scatter_update.\n\n"
      "Coordinate s of the axis is combined with the updates offsets[s] to offsets[s + 1] - 1, "
      "in their order.\n\n"
      ">>> import numpy as np, strew\n"
      ">>> strew.index_add(np.zeros(3), 0, strew.segments([0, 2, 2, 3]), np.array([1.0, 2.0, "
      "4.0]))\n"
      "array([3., 0., 4.])")
      .def(nb::new_([](nb::object offsets) { return segments_argument{std::move(offsets)}; }), "offsets"_a)
      .def_ro("offsets", &segments_argument::offsets)
      .def("__repr__",
           [](const segments_argument& of) { return "segments(" + std::string(nb::repr(of.offsets).c_str()) + ")"; });
  module.def("is_value", is_number, "object"_a, "Whether an object is a number, which stands for all updates.");
}

}  // namespace strew_python
