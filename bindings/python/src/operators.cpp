// SPDX-License-Identifier: Apache-2.0
// Each operator once. Operators whose calls look the same share a function.
#include "operators.hpp"

#include "binding.hpp"
#include "docs.hpp"
#include "errors.hpp"
#include "functions.hpp"
#include "operand.hpp"
#include "scatter_call.hpp"

#include <strew/dynamic.hpp>
#include <strew/onnx.hpp>
#include <strew/openvino.hpp>
#include <strew/strew.hpp>

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace strew_python {

namespace {

using nb::handle;

// ---- The extents that indices are for

auto extent_on(const scatter_call& call, std::int64_t axis) {
  return [&call, axis](std::int64_t) {
    const strew::index_list& extents = call.elements().extents();
    const std::int64_t on = axis < 0 ? axis + extents.size() : axis;
    return on >= 0 && on < extents.size() ? extents[static_cast<int>(on)] : 0;
  };
}

// Of multi-indices, each of an axis.
auto extent_on_each(const scatter_call& call) {
  return [&call](std::int64_t component) {
    const strew::index_list& extents = call.elements().extents();
    return component < extents.size() ? extents[static_cast<int>(component)] : 0;
  };
}

// Raises for an axis that is another argument, in a call with its arguments in another order: before the others, of
// which it would be said that they are wrong.
void require_axis(const operand_name& name, handle axis) {
  if (PyLong_CheckExact(axis.ptr()) != 0) return;
  // Tensors of one element have __index__, too; NumPy takes those of rank 0 alone, and its own. The type is asked,
  // which runs no code of the object.
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(axis.ptr()));
  const bool is_tensor =
      !is_numpy_scalar(axis) && !is_numpy_array(axis) && PyObject_HasAttrString(type, "__dlpack__") != 0;
  if (PyIndex_Check(axis.ptr()) == 0 || is_tensor) {
    refuse_meaning(name, axis);
    raise(strew::errc::type_mismatch, name, " is " + kind_of(axis) + ", expected an integer");
  }
}

// Raises if one value stands for the updates of segments.
void require_updates(const operand_name& name, const index_operand& at) {
  if (!at.are_segments()) return;
  raise(strew::errc::rank_mismatch, name, " is one value, but segments need an array");
}

// ---- Along an axis: scatter_update(data, indices, updates, axis) and the like

// Whether an operator assigns, so that it takes positions without a reduction.
template <const auto& Try>
inline constexpr bool assigns =
    std::remove_cvref_t<decltype(Try)>::operator_type::op.has(strew::detail::role::positions);

// AxisFirst: the order of the operator's arguments. find_reduction() is the reduction, if the operator has one.
template <const auto& Try, bool AxisFirst, class... FindReduction>
nb::object along_axis(const call_options& options, handle data, handle indices, handle updates, handle axis,
                      const FindReduction&... find_reduction) {
  constexpr const auto& form = form_of<Try>;
  require_axis({form.name, "axis"}, axis);
  index_operand at({form.name, "indices"}, indices, bindings::taken, takes_segments<Try>);
  scatter_call call(form.name, "data", data, options);
  const std::int64_t on = call.integer("axis", axis);
  const std::tuple reduction(find_reduction()...);
  const updates_operand from(form, call, updates, [&](strew::index_list& extents) {
    require_updates({form.name, "updates"}, at);
    const strew::index_list& of_data = call.elements().extents();
    if constexpr (AxisFirst) {
      return strew::try_updates_extents(Try, of_data, on, at.extents(), extents);
    } else {
      return strew::try_updates_extents(Try, of_data, at.extents(), on, extents);
    }
  });
  call.count_updates(at.indices().size());
  const won_positions won(form.name, call, options, at.are_segments());
  return won.with(call.run<takes_segments<Try>>(
      mode_of(form.name, options.mode), at, extent_on(call, on), [&](auto& ex, const auto& checked) {
        const auto run = [&](const auto&... how) {
          const auto& with = updates_for(from.elements(), checked, how...);
          if constexpr (AxisFirst) {
            return Try(ex, call.elements(), on, checked, with, how..., call.output());
          } else {
            return Try(ex, call.elements(), checked, with, on, how..., call.output());
          }
        };
        if constexpr (sizeof...(FindReduction) > 0 || assigns<Try>) {
          return std::apply([&](const auto&... how) { return won.run(checked, run, how...); }, reduction);
        } else {
          return run();
        }
      }));
}

template <const auto& Try>
nb::object scatter_on_axis(const call_options& options, handle data, handle indices, handle updates, handle axis) {
  return along_axis<Try, false>(options, data, indices, updates, axis);
}
template <const auto& Try>
nb::object reduce_on_axis(const call_options& options, handle data, handle indices, handle updates, handle axis,
                          handle reduction, handle include_init) {
  constexpr const auto& form = form_of<Try>;
  return along_axis<Try, false>(options, data, indices, updates, axis, [&] {
    return reduction_of(form.name, reduction, options.skipna, is_true({form.name, "include_init"}, include_init));
  });
}
template <const auto& Try>
nb::object reduce_on_axis_from_init(const call_options& options, handle data, handle indices, handle updates,
                                    handle axis, handle reduction) {
  return reduce_on_axis<Try>(options, data, indices, updates, axis, reduction, Py_True);
}

// With the axis first: index_copy(data, axis, index, source) and the like
template <const auto& Try>
nb::object scatter_axis_first(const call_options& options, handle data, handle axis, handle index, handle source) {
  return along_axis<Try, true>(options, data, index, source, axis);
}
template <const auto& Try>
nb::object reduce_axis_first(const call_options& options, handle data, handle axis, handle index, handle source,
                             handle reduction, handle include_init) {
  constexpr const auto& form = form_of<Try>;
  return along_axis<Try, true>(options, data, index, source, axis, [&] {
    return reduction_of(form.name, reduction, options.skipna, is_true({form.name, "include_init"}, include_init));
  });
}

// The elements of `source` as elements of data, each multiplied by alpha and rounded, in memory of its own.
class scaled_updates {
 public:
  scaled_updates(const updates_operand& source, const value_operand& alpha, strew::dynamic::element_type type) {
    const strew::dynamic::const_tensor& given = source.elements();
    const std::size_t bytes = bytes_of({"index_add", "updates"}, given.size(), type.size);
    memory_ = allocate(bytes);
    const strew::dynamic::tensor copy(memory_.get(), type, given.extents());
    // A product of all elements at once: one multi-index without components addresses all of data.
    const strew::dynamic::tensor product(memory_.get(), type, given.size());
    const strew::dynamic::const_tensor factors = alpha.repeated({1, given.size()});
    const strew::dynamic::index_tensor everything(nullptr, strew::index_type::int64, {1, 0});
    const strew::status outcome = without_lock(given.size() > 1000, [&] {
      if (given.rank() == 0) {
        std::memcpy(memory_.get(), given.data(), bytes);
      } else if (strew::status copied =
                     strew::try_slice_scatter(copy, strew::converted(given), strew::slice_spec{}, copy);
                 !copied.ok()) {
        return copied;
      }
      return strew::v15::try_scatter_nd_update(product, everything, factors,
                                               strew::dynamic::reduction{strew::reduction_kind::prod, true}, product);
    });
    if (!outcome.ok()) raise(outcome, {"index_add", "alpha"});
    result_ = copy;
  }

  [[nodiscard]] const strew::dynamic::const_tensor& elements() const { return result_; }

 private:
  byte_memory memory_;
  strew::dynamic::const_tensor result_;
};

nb::object index_add(const call_options& options, handle data, handle axis, handle index, handle source, handle alpha) {
  constexpr const auto& add = strew::try_index_add;
  constexpr const auto& form = form_of<strew::try_index_add>;
  require_axis({form.name, "axis"}, axis);
  index_operand at({form.name, "indices"}, index, bindings::taken, true);
  scatter_call call(form.name, "data", data, options);
  const std::int64_t on = call.integer("axis", axis);
  const updates_operand from(form, call, source, [&](strew::index_list& extents) {
    require_updates({form.name, "updates"}, at);
    return strew::try_updates_extents(add, call.elements().extents(), on, at.extents(), extents);
  });
  std::optional<scaled_updates> scaled;
  if (!(PyLong_CheckExact(alpha.ptr()) != 0 && PyLong_AsLongLong(alpha.ptr()) == 1)) {
    PyErr_Clear();
    const operand_name name{form.name, "alpha"};
    const nb::object number = one_value_of(name, alpha);
    if (!number.is_valid()) {
      refuse_meaning(name, alpha);
      raise(strew::errc::type_mismatch, name, " is " + kind_of(alpha) + ", expected a number");
    }
    const value_operand factor(form, name, number, call.data());
    call.require_unchanged();
    // Products have the layout of the updates, with which a call without memory is checked.
    if (call.has_memory()) scaled.emplace(from, factor, call.elements().type());
  }
  const strew::dynamic::const_tensor& updates = scaled ? scaled->elements() : from.elements();
  call.count_updates(at.indices().size());
  return call.run<true>(mode_of(form.name, options.mode), at, extent_on(call, on), [&](auto& ex, const auto& checked) {
    return add(ex, call.elements(), on, checked, updates_for(updates, checked), call.output());
  });
}

// Raises for an array in the place of the one value of a fill.
void require_one_value(const operand_name& name, const updates_operand& value, const char* other) {
  const int rank = value.elements().rank();
  if (rank == 0) return;
  raise(strew::errc::rank_mismatch, name,
        " has rank " + std::to_string(rank) + ", expected one value: " + other + " takes an element for each target");
}

// A value, or a tensor of rank 0.
nb::object index_fill(const call_options& options, handle data, handle axis, handle index, handle value) {
  constexpr const auto& fill = strew::try_index_fill;
  constexpr const auto& form = form_of<strew::try_index_fill>;
  require_axis({form.name, "axis"}, axis);
  index_operand at({form.name, "indices"}, index);
  scatter_call call(form.name, "data", data, options);
  const std::int64_t on = call.integer("axis", axis);
  const updates_operand from(form, call, value, [](strew::index_list&) { return strew::status(); });
  require_one_value({form.name, "value"}, from, "index_copy");
  call.count_updates(at.indices().size());
  return call.run(mode_of(form.name, options.mode), at, extent_on(call, on), [&](auto& ex, const auto& checked) {
    return fill(ex, call.elements(), on, checked, from.elements(), call.output());
  });
}

// ---- Multi-indices: onnx::scatter_nd(data, indices, updates) and the like; put takes row-major numbers

template <const auto& Try, class... FindReduction>
nb::object by_multi_indices(const call_options& options, handle data, handle indices, handle updates,
                            const FindReduction&... find_reduction) {
  constexpr const auto& form = form_of<Try>;
  index_operand at({form.name, "indices"}, indices);
  scatter_call call(form.name, "data", data, options);
  const std::tuple reduction(find_reduction()...);
  const updates_operand from(form, call, updates, [&](strew::index_list& extents) {
    return strew::try_updates_extents(Try, call.elements().extents(), at.extents(), extents);
  });
  call.count_updates(at.indices().size());
  const auto extent_of = [&](std::int64_t component) {
    return std::string_view(form.name) == "put" ? call.elements().size() : extent_on_each(call)(component);
  };
  const won_positions won(form.name, call, options, at.are_segments());
  return won.with(call.run(mode_of(form.name, options.mode), at, extent_of, [&](auto& ex, const auto& checked) {
    const auto run = [&](const auto&... how) {
      return Try(ex, call.elements(), checked, updates_for(from.elements(), checked, how...), how..., call.output());
    };
    return std::apply([&](const auto&... how) { return won.run(checked, run, how...); }, reduction);
  }));
}

template <const auto& Try>
nb::object scatter_by_multi_indices(const call_options& options, handle data, handle indices, handle updates,
                                    handle reduction) {
  return by_multi_indices<Try>(options, data, indices, updates,
                               [&] { return reduction_of(form_of<Try>.name, reduction, options.skipna); });
}

// Version 3 of OpenVINO, which has no reduction by name.
nb::object scatter_nd_update_3(const call_options& options, handle data, handle indices, handle updates) {
  return by_multi_indices<strew::v3::try_scatter_nd_update>(options, data, indices, updates);
}

nb::object index_put(const call_options& options, handle data, handle indices, handle values, handle reduction) {
  constexpr const auto& put = strew::try_index_put;
  constexpr const auto& form = form_of<strew::try_index_put>;
  const operand_name name{form.name, "indices"};
  binding* bound = nullptr;
  const bool is_list = PyTuple_Check(indices.ptr()) != 0 || PyList_Check(indices.ptr()) != 0;
  const bool is_bound = !is_list && nb::try_cast<binding*>(indices, bound) && bound != nullptr;
  const std::string expected = ", expected a tuple with the indices of each axis: (indices,) for those of axis 0";
  if (!is_list && !is_bound) {
    raise(strew::errc::type_mismatch, name, " is " + kind_of(indices) + expected);
  }
  const nb::object each = is_bound ? nb::make_tuple() : nb::steal(PySequence_Tuple(indices.ptr()));
  if (!each.is_valid()) throw nb::python_error();
  // As NumPy has it, a list would be the indices of one axis; a tuple is those of each.
  const handle entry = PyTuple_Size(each.ptr()) > 0 ? handle(PyTuple_GetItem(each.ptr(), 0)) : handle();
  if (PyList_Check(indices.ptr()) != 0 && entry.is_valid() &&
      (PyLong_Check(entry.ptr()) != 0 || is_numpy_scalar(entry))) {
    raise(strew::errc::type_mismatch, name, " is a list of integers" + expected);
  }
  auto count = static_cast<std::size_t>(PyTuple_Size(each.ptr()));
  if (count > static_cast<std::size_t>(strew::max_rank)) {
    raise(strew::errc::rank_mismatch, name, " holds " + std::to_string(count) + " tensors, more than data has axes");
  }
  // Not on the stack, which calls from code of the indices share.
  const auto held = std::make_unique<std::array<std::optional<index_operand>, strew::max_rank>>();
  auto& operands = *held;
  std::vector<strew::dynamic::index_tensor> tensors;
  tensors.reserve(count);
  if (is_bound) tensors = bound->tensors();
  for (std::size_t k = 0; k < count; ++k) {
    operands[k].emplace(name, PyTuple_GetItem(each.ptr(), static_cast<Py_ssize_t>(k)), bindings::refused);
    tensors.push_back(operands[k]->indices());
  }
  count = tensors.size();
  for (std::size_t k = 0; is_bound && k < count; ++k) {
    const index_operand* const list = bound->list_with_large(k);
    if (list != nullptr) tensors[k] = operands[k].emplace(*list).indices();
  }
  scatter_call call(form.name, "data", data, options);
  if (count > 0) call.count_updates(tensors[0].size());
  const auto how = reduction_of(form.name, reduction, options.skipna);
  const updates_operand from(form, call, values, [&](strew::index_list& extents) {
    return strew::try_updates_extents(put, call.elements().extents(),
                                      count > 0 ? tensors[0].extents() : strew::index_list(),
                                      static_cast<std::int64_t>(count), extents);
  });
  const index_mode how_checked = mode_of(form.name, options.mode);
  for (std::size_t k = 0; k < count; ++k) {
    if (!operands[k]) continue;
    operands[k]->require_unchanged();
    if (how_checked == index_mode::wrap) {
      operands[k]->wrap_large([&](std::int64_t) { return extent_on_each(call)(static_cast<std::int64_t>(k)); });
    }
    for (large_integer each_large : operands[k]->large()) {
      each_large.before = " for axis " + std::to_string(k) + each_large.before;
      call.note_large({each_large});
    }
  }
  if (bound != nullptr) bound->require_unchanged();
  const std::span<const strew::dynamic::index_tensor> all(tensors);
  const won_positions won(form.name, call, options, false);
  return won.with(call.run(how_checked, bound, all, [&](auto& ex, const auto& checked) {
    return won.run(
        checked,
        [&](const auto&... reductions) {
          return put(ex, call.elements(), checked, updates_for(from.elements(), checked, reductions...), reductions...,
                     call.output());
        },
        how);
  }));
}

// ---- Parts: slices, one coordinate of an axis, a diagonal

nb::object slice_scatter(const call_options& options, handle data, handle updates, handle start, handle stop,
                         handle step, handle axes) {
  constexpr const auto& form = form_of<strew::try_slice_scatter>;
  scatter_call call(form.name, "data", data, options);
  strew::slice_spec slice;
  if (!start.is_none()) slice.start = call.list<strew::optional_list>("start", start);
  if (!stop.is_none()) slice.stop = call.list<strew::stop_list>("stop", stop);
  if (!step.is_none()) slice.step = call.list<strew::optional_list>("step", step);
  if (!axes.is_none()) slice.axes = call.list<strew::axes_list>("axes", axes);
  const updates_operand from(form, call, updates, [&](strew::index_list& extents) {
    return strew::try_updates_extents(strew::slice_scatter, call.elements().extents(), slice, extents);
  });
  return call.run([&](auto& ex) {
    return strew::try_slice_scatter(ex, call.elements(), updates_for(from.elements()), slice, call.output());
  });
}

nb::object select_scatter(const call_options& options, handle data, handle source, handle axis, handle index) {
  constexpr const auto& form = form_of<strew::try_select_scatter>;
  scatter_call call(form.name, "data", data, options);
  const std::int64_t on = call.integer("axis", axis);
  const std::int64_t at = call.integer("index", index);
  const updates_operand from(form, call, source, [&](strew::index_list& extents) {
    return strew::try_updates_extents(strew::select_scatter, call.elements().extents(), on, extents);
  });
  return call.run([&](auto& ex) {
    return strew::try_select_scatter(ex, call.elements(), updates_for(from.elements()), on, at, call.output());
  });
}

nb::object diagonal_scatter(const call_options& options, handle data, handle source, handle offset, handle axis1,
                            handle axis2) {
  constexpr const auto& form = form_of<strew::try_diagonal_scatter>;
  scatter_call call(form.name, "data", data, options);
  const std::int64_t by = call.integer("offset", offset);
  const std::int64_t first = call.one_of_axes("axis1", axis1, 0);
  const std::int64_t second = call.one_of_axes("axis2", axis2, 1);
  try {
    const updates_operand from(form, call, source, [&](strew::index_list& extents) {
      return strew::try_updates_extents(strew::diagonal_scatter, call.elements().extents(), by, first, second, extents);
    });
    return call.run([&](auto& ex) {
      return strew::try_diagonal_scatter(ex, call.elements(), updates_for(from.elements()), by, first, second,
                                         call.output());
    });
  } catch (call_error& error) {
    if (error.operand == "axes" && error.coordinate.size() == 1) {  // two arguments here
      error.operand = error.coordinate[0] == 0 ? "axis1" : "axis2";
      error.text.erase(0, std::strlen("[0]"));
      error.coordinate = {};
    }
    throw;
  }
}

// ---- Masks

class mask_operand {
 public:
  mask_operand(const operand_name& name, scatter_call& call, handle object) {
    if (is_list(object)) {
      selects_ = listed_.emplace(name, object).elements();
      return;
    }
    array_.emplace(name, object, access::read);
    selects_ = array_->elements();
    call.watch(*array_);
    if (!array_->has_memory()) call.note_layout();
    using enum strew::dynamic::element_kind;
    const strew::dynamic::element_type& type = array_->type();
    const bool is_mask = type.kind == boolean || type.kind == signed_integer || type.kind == unsigned_integer;
    if (!is_mask || type.size != 1) {
      raise(strew::errc::type_mismatch, name, " holds " + array_->name_of_type() + ", expected bool, int8 or uint8",
            array_->from() == source::numpy   ? ": pass mask.astype(bool)"
            : array_->from() == source::torch ? ": pass mask.to(torch.bool)"
                                              : "");
    }
  }

  // An element selects if its byte is not 0.
  [[nodiscard]] strew::tensor_view<const unsigned char> view() const {
    return {static_cast<const unsigned char*>(selects_.data()), selects_.extents(), selects_.strides()};
  }

 private:
  std::optional<operand> array_;
  std::optional<listed_elements> listed_;
  strew::dynamic::const_tensor selects_;
};

nb::object masked_scatter(const call_options& options, handle data, handle mask, handle source) {
  constexpr const auto& form = form_of<strew::try_masked_scatter>;
  scatter_call call(form.name, "data", data, options);
  const mask_operand selected({form.name, "mask"}, call, mask);
  const array_of_updates from(form, {form.name, "source"}, call, source);
  return call.run([&](auto& ex) {
    return strew::try_masked_scatter(ex, call.elements(), selected.view(), updates_for(from.elements()), call.output());
  });
}

nb::object masked_fill(const call_options& options, handle data, handle mask, handle value) {
  constexpr const auto& form = form_of<strew::try_masked_fill>;
  scatter_call call(form.name, "data", data, options);
  const mask_operand selected({form.name, "mask"}, call, mask);
  const updates_operand from(form, call, value, [](strew::index_list&) { return strew::status(); });
  require_one_value({form.name, "value"}, from, "masked_scatter");
  return call.run([&](auto& ex) {
    return strew::try_masked_fill(ex, call.elements(), selected.view(), from.elements(), call.output());
  });
}

// ---- Caches

nb::object tensor_scatter(const call_options& options, handle past_cache, handle update, handle write_indices,
                          handle mode, handle axis) {
  constexpr const auto& scatter = strew::onnx::try_tensor_scatter;
  constexpr const auto& form = form_of<strew::onnx::try_tensor_scatter>;
  scatter_call call(form.name, "past_cache", past_cache, options);
  const array_of_updates from(form, {form.name, "update"}, call, update);
  if (PyUnicode_Check(mode.ptr()) == 0) {
    raise(strew::errc::type_mismatch, {form.name, "mode"}, " is " + kind_of(mode) + ", expected linear or circular");
  }
  const std::string how = text_of(mode);
  if (how != "linear" && how != "circular") {
    raise(strew::errc::value_out_of_range, {form.name, "mode"}, " = '" + how + "', expected linear or circular");
  }
  const strew::onnx::tensor_scatter_options placed{
      how == "linear" ? strew::onnx::cache_mode::linear : strew::onnx::cache_mode::circular,
      call.integer("axis", axis)};
  std::optional<index_operand> first;
  if (!write_indices.is_none())
    first.emplace(operand_name{form.name, "write_indices"}, write_indices, bindings::refused);
  if (first) {
    call.note_large(first->large());
    first->require_unchanged();
  }
  return call.run([&](auto& ex) {
    return first ? scatter(ex, call.elements(), updates_for(from.elements()), first->indices(), placed, call.output())
                 : scatter(ex, call.elements(), updates_for(from.elements()), placed, call.output());
  });
}

using enum common_argument;
constexpr in_place_form with_form_in_place = in_place_form::yes;

constexpr function_text all_operators[] = {
    {"", "slice_scatter",
     "data: A, updates: Updates, *, start: Bounds = None, stop: Bounds = None, step: Bounds = None, axes: Bounds = "
     "None",
     with_cast, with_arguments<slice_scatter>, docs::slice_scatter},
    {"", "scatter_update", "data: A, indices: Indices | segments, updates: Updates, axis: SupportsIndex",
     with_positions | with_mode | with_cast, with_arguments<scatter_on_axis<strew::try_scatter_update>>,
     docs::scatter_update},
    {"", "index_copy", "data: A, axis: SupportsIndex, index: Indices | segments, source: Updates",
     with_positions | with_mode | with_cast, with_arguments<scatter_axis_first<strew::try_index_copy>>,
     docs::index_copy, with_form_in_place},
    {"", "index_add", "data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, *, alpha: Number = 1",
     with_mode | with_cast, with_arguments<index_add>, docs::index_add, with_form_in_place},
    {"", "index_reduce",
     "data: A, axis: SupportsIndex, index: Indices | segments, source: Updates, reduction: Reduction, *, include_init: "
     "bool = True",
     with_skipna | with_positions | with_mode | with_cast, with_arguments<reduce_axis_first<strew::try_index_reduce>>,
     docs::index_reduce, with_form_in_place},
    {"", "index_fill", "data: A, axis: SupportsIndex, index: Indices, value: Updates", with_mode,
     with_arguments<index_fill>, docs::index_fill, with_form_in_place},
    {"", "scatter_elements_update", "data: A, indices: Indices, updates: Updates, axis: SupportsIndex",
     with_positions | with_mode | with_cast, with_arguments<scatter_on_axis<strew::try_scatter_elements_update>>,
     docs::scatter_elements_update},
    {"", "scatter", "data: A, axis: SupportsIndex, index: Indices, source: Updates",
     with_positions | with_mode | with_cast, with_arguments<scatter_axis_first<strew::try_scatter>>, docs::scatter,
     with_form_in_place},
    {"", "scatter_add", "data: A, axis: SupportsIndex, index: Indices, source: Updates", with_mode | with_cast,
     with_arguments<scatter_axis_first<strew::try_scatter_add>>, docs::scatter_add, with_form_in_place},
    {"", "scatter_reduce",
     "data: A, axis: SupportsIndex, index: Indices, source: Updates, reduction: Reduction, *, include_init: bool = "
     "True",
     with_skipna | with_positions | with_mode | with_cast, with_arguments<reduce_axis_first<strew::try_scatter_reduce>>,
     docs::scatter_reduce, with_form_in_place},
    {"", "put_along_axis", "data: A, indices: Indices, values: Updates, axis: SupportsIndex",
     with_positions | with_mode | with_cast, with_arguments<scatter_on_axis<strew::try_put_along_axis>>,
     docs::put_along_axis, with_form_in_place},
    {"", "index_put", "data: A, indices: Sequence[Indices], values: Updates, reduction: Reduction = 'none'",
     with_skipna | with_positions | with_mode | with_cast, with_arguments<index_put>, docs::index_put,
     with_form_in_place},
    {"", "put", "data: A, index: Indices, source: Updates, reduction: Reduction = 'none'",
     with_skipna | with_positions | with_mode | with_cast, with_arguments<scatter_by_multi_indices<strew::try_put>>,
     docs::put, with_form_in_place},
    {"", "select_scatter", "data: A, source: Updates, axis: SupportsIndex, index: SupportsIndex", with_cast,
     with_arguments<select_scatter>, docs::select_scatter},
    {"", "diagonal_scatter",
     "data: A, source: Updates, offset: SupportsIndex = 0, axis1: SupportsIndex = 0, axis2: SupportsIndex = 1",
     with_cast, with_arguments<diagonal_scatter>, docs::diagonal_scatter},
    {"", "masked_scatter", "data: A, mask: Mask, source: Elements", with_cast, with_arguments<masked_scatter>,
     docs::masked_scatter, with_form_in_place},
    {"", "masked_fill", "data: A, mask: Mask, value: Updates", no_others, with_arguments<masked_fill>,
     docs::masked_fill, with_form_in_place},
    {"v12", "scatter_elements_update",
     "data: A, indices: Indices, updates: Updates, axis: SupportsIndex, reduction: Reduction = 'none', *, "
     "include_init: bool = True",
     with_skipna | with_positions | with_mode | with_cast,
     with_arguments<reduce_on_axis<strew::v12::try_scatter_elements_update>>, docs::v12_scatter_elements_update},
    {"v3", "scatter_nd_update", "data: A, indices: Indices, updates: Updates", with_positions | with_mode | with_cast,
     with_arguments<scatter_nd_update_3>, docs::v3_scatter_nd_update},
    {"v15", "scatter_nd_update", "data: A, indices: Indices, updates: Updates, reduction: Reduction = 'none'",
     with_skipna | with_positions | with_mode | with_cast,
     with_arguments<scatter_by_multi_indices<strew::v15::try_scatter_nd_update>>, docs::v15_scatter_nd_update},
    {"onnx", "scatter", "data: A, indices: Indices, updates: Updates, axis: SupportsIndex = 0",
     with_positions | with_mode | with_cast, with_arguments<scatter_on_axis<strew::onnx::try_scatter>>,
     docs::onnx_scatter},
    {"onnx", "scatter_elements",
     "data: A, indices: Indices, updates: Updates, axis: SupportsIndex = 0, reduction: Reduction = 'none'",
     with_skipna | with_positions | with_mode | with_cast,
     with_arguments<reduce_on_axis_from_init<strew::onnx::try_scatter_elements>>, docs::onnx_scatter_elements},
    {"onnx", "scatter_nd", "data: A, indices: Indices, updates: Updates, reduction: Reduction = 'none'",
     with_skipna | with_positions | with_mode | with_cast,
     with_arguments<scatter_by_multi_indices<strew::onnx::try_scatter_nd>>, docs::onnx_scatter_nd},
    {"onnx", "tensor_scatter",
     "past_cache: A, update: Elements, write_indices: Indices | None = None, *, mode: CacheMode = 'linear', axis: "
     "SupportsIndex = -2",
     with_cast, with_arguments<tensor_scatter>, docs::onnx_tensor_scatter},
};

}  // namespace

void define_operators(nb::module_& module) {
  define_functions(module, all_operators);
}

}  // namespace strew_python
