// SPDX-License-Identifier: Apache-2.0
#include "calls.hpp"

#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace strew::bench::sweep {
namespace {

dynamic::element_type type_of(element type) {
  using enum dynamic::element_kind;
  switch (type) {
    case element::uint8:
      return {unsigned_integer, 1};
    case element::int8:
    case element::int16:
    case element::int32:
    case element::int64:
      return {signed_integer, size_of(type)};
    case element::bfloat16:
      return {brain_float, 2};
    case element::complex64:
    case element::complex128:
      return {complex, size_of(type)};
    default:
      return {floating_point, size_of(type)};
  }
}

reduction_kind kind_of(combining how) {
  static constexpr reduction_kind kinds[] = {reduction_kind::none, reduction_kind::sum, reduction_kind::sub,
                                             reduction_kind::prod, reduction_kind::min, reduction_kind::max,
                                             reduction_kind::mean};
  return kinds[static_cast<int>(how)];
}

index_list list_of(const extents& all) {
  return index_list(std::span<const std::int64_t>(all));
}
template <class Byte>
Byte* first_of(Byte* memory, const operand& of, std::int64_t size) {
  return memory + of.first * size;
}

slice_spec slice_of(const drawn_call& call, std::array<std::int64_t, 8>& starts, std::array<std::int64_t, 8>& stops,
                    std::array<std::int64_t, 8>& steps, std::array<std::int64_t, 8>& axes) {
  std::size_t count = 0;
  for (const drawn_slice& each : call.slices) {
    starts[count] = each.start;
    const std::int64_t stop = each.start + each.length * each.step;
    stops[count] = stop < 0 ? int64_min : stop;
    steps[count] = each.step;
    axes[count] = each.axis;
    ++count;
  }
  const auto list = [count](const std::array<std::int64_t, 8>& all) {
    return index_list(std::span<const std::int64_t>(all.data(), count));
  };
  slice_spec slice;
  slice.start = list(starts);
  slice.stop = list(stops);
  slice.step = list(steps);
  slice.axes = list(axes);
  return slice;
}

onnx::tensor_scatter_options options_of(const drawn_call& call) {
  onnx::tensor_scatter_options options;
  options.axis = call.axis;
  return options;
}

// The operands, made once: what a call of the library begins with.
struct run_time_operands {
  drawn_call call;
  dynamic::const_tensor data;
  dynamic::tensor output;
  dynamic::const_tensor updates;
  std::vector<dynamic::index_tensor> indices;
  tensor_view<const bool> mask;
  dynamic::reduction reduce;
  slice_spec slice;

  run_time_operands(const drawn_call& drawn, const memory_of_call& at) : call(drawn) {
    const dynamic::element_type type = type_of(call.type);
    const std::int64_t size = size_of(call.type);
    data = {first_of(at.data, call.data, size), type, list_of(call.data.shape), list_of(call.data.strides)};
    output = {first_of(at.output, call.output, size), type, list_of(call.output.shape), list_of(call.output.strides)};
    updates = {first_of(at.updates, call.updates, size), type, list_of(call.updates.shape),
               list_of(call.updates.strides)};
    reduce = {kind_of(call.reduce), call.include_init};
    std::array<std::int64_t, 8> a{}, b{}, c{}, d{};
    slice = slice_of(call, a, b, c, d);
    for (std::size_t k = 0; k < call.indices.size(); ++k) {
      const operand& each = call.indices[k];
      if (has_mask(call.which)) {
        mask = {reinterpret_cast<const bool*>(at.indices[k]) + each.first, list_of(each.shape), list_of(each.strides)};
      } else {
        const std::int64_t width = call.wide_indices ? 8 : 4;
        indices.emplace_back(first_of(at.indices[k], each, width),
                             call.wide_indices ? index_type::int64 : index_type::int32, list_of(each.shape),
                             list_of(each.strides));
      }
    }
  }

  // from: data, or the output in place. with: updates, or one value.
  template <class Executor, class From, class With, class... Output>
  status run(Executor& ex, const From& from, const With& with, const Output&... to) const {
    const std::int64_t axis = call.axis;
    switch (call.which) {
      case operation::scatter_update:
        return try_scatter_update(ex, from, indices[0], with, axis, to...);
      case operation::index_copy:
        return try_index_copy(ex, from, axis, indices[0], with, to...);
      case operation::index_add:
        return try_index_add(ex, from, axis, indices[0], with, to...);
      case operation::index_reduce:
        return try_index_reduce(ex, from, axis, indices[0], with, reduce, to...);
      case operation::scatter_elements_update:
        return try_scatter_elements_update(ex, from, indices[0], with, axis, to...);
      case operation::v12_scatter_elements_update:
        return v12::try_scatter_elements_update(ex, from, indices[0], with, axis, reduce, to...);
      case operation::onnx_scatter:
        return onnx::try_scatter(ex, from, indices[0], with, axis, to...);
      case operation::onnx_scatter_elements:
        return onnx::try_scatter_elements(ex, from, indices[0], with, axis, reduce, to...);
      case operation::scatter:
        return try_scatter(ex, from, axis, indices[0], with, to...);
      case operation::scatter_add:
        return try_scatter_add(ex, from, axis, indices[0], with, to...);
      case operation::scatter_reduce:
        return try_scatter_reduce(ex, from, axis, indices[0], with, reduce, to...);
      case operation::put_along_axis:
        return try_put_along_axis(ex, from, indices[0], with, axis, to...);
      case operation::v3_scatter_nd_update:
        return v3::try_scatter_nd_update(ex, from, indices[0], with, to...);
      case operation::v15_scatter_nd_update:
        return v15::try_scatter_nd_update(ex, from, indices[0], with, reduce, to...);
      case operation::onnx_scatter_nd:
        return onnx::try_scatter_nd(ex, from, indices[0], with, reduce, to...);
      case operation::index_put:
        return try_index_put(ex, from, std::span<const dynamic::index_tensor>(indices), with, reduce, to...);
      case operation::put:
        return try_put(ex, from, indices[0], with, reduce, to...);
      default:
        return run_others(ex, from, to...);
    }
  }
  // Without forms for one value.
  template <class Executor, class From, class... Output>
  status run_others(Executor& ex, const From& from, const Output&... to) const {
    const std::int64_t axis = call.axis;
    switch (call.which) {
      case operation::slice_scatter:
        return try_slice_scatter(ex, from, updates, slice, to...);
      case operation::select_scatter:
        return try_select_scatter(ex, from, updates, axis, call.place, to...);
      case operation::diagonal_scatter:
        return try_diagonal_scatter(ex, from, updates, call.place, axis, call.second_axis, to...);
      case operation::index_fill:
        return try_index_fill(ex, from, axis, indices[0], updates, to...);
      case operation::masked_scatter:
        return try_masked_scatter(ex, from, mask, updates, to...);
      case operation::masked_fill:
        return try_masked_fill(ex, from, mask, updates, to...);
      default:
        return onnx::try_tensor_scatter(ex, from, updates, indices[0], options_of(call), to...);
    }
  }
  template <class Executor>
  status run(Executor& ex) const {
    if (call.how == form::value) return call.in_place ? run(ex, output, 1) : run(ex, data, 1, output);
    return call.in_place ? run(ex, output, updates) : run(ex, data, updates, output);
  }
};

// ---- Prepared calls

struct prepared_operands {
  drawn_call call;
  float* data;
  float* output;
  const float* updates;
  const std::int64_t* indices = nullptr;
  const bool* mask = nullptr;
  surroundings in;

  static strided_layout layout_of(const operand& of) {
    strided_layout layout;
    static_cast<void>(strided_layout::try_make(list_of(of.shape), list_of(of.strides), sizeof(float), layout));
    return layout;
  }

  template <class Prepared, class... Addresses>
  std::function<status()> runs(Prepared prepared, const Addresses... addresses) const {
    const auto shared = std::make_shared<Prepared>(std::move(prepared));
    const prepared_operands on = *this;
    return [shared, on, addresses...]() -> status {
      const auto run = [&](auto& ex) {
        if (on.call.in_place) return shared->try_run(ex, on.output, addresses...);
        return shared->try_run(ex, on.data, addresses..., on.output);
      };
      return on.call.threads > 1 ? run(on.in.pool) : run(serial);
    };
  }
  template <const auto& Operator, class... Rest>
  std::function<status()> by_indices(const Rest&... rest) const {
    const strided_layout target = layout_of(call.data);
    const strided_layout index = layout_of(call.indices[0]);
    const strided_layout with = layout_of(call.updates);
    if (call.in_place) {
      return runs(prepare<float, std::int64_t>(Operator, {target, index, with}, rest...), indices, updates);
    }
    return runs(prepare<float, std::int64_t>(Operator, {target, index, with, layout_of(call.output)}, rest...), indices,
                updates);
  }
  template <const auto& Operator, class... Rest>
  std::function<status()> without_indices(const Rest&... rest) const {
    const strided_layout target = layout_of(call.data);
    const strided_layout with = layout_of(call.updates);
    if (call.in_place) return runs(prepare<float>(Operator, {target, with}, rest...), updates);
    return runs(prepare<float>(Operator, {target, with, layout_of(call.output)}, rest...), updates);
  }
  template <const auto& Operator, class Index, class... Rest>
  std::function<status()> fill(const Index* at, const Rest&... rest) const {
    const strided_layout target = layout_of(call.data);
    const strided_layout index = layout_of(call.indices[0]);
    if (call.in_place) return runs(prepare<float, Index>(Operator, {target, index}, rest..., *updates), at);
    return runs(prepare<float, Index>(Operator, {target, index, layout_of(call.output)}, rest..., *updates), at);
  }
  template <class Body>
  std::function<status()> with_reduction(const Body& body) const {
    const auto initial = [&](const auto& reduce) {
      return call.include_init ? body(reduce) : body(reduction::without_init(reduce));
    };
    switch (call.reduce) {
      case combining::sum:
        return initial(reduction::sum);
      case combining::prod:
        return initial(reduction::prod);
      case combining::min:
        return initial(reduction::min);
      case combining::max:
        return initial(reduction::max);
      default:
        return initial(reduction::mean);
    }
  }
  template <const auto& Operator>
  std::function<status()> onnx_reduction(const auto&... rest) const {
    switch (call.reduce) {
      case combining::sum:
        return by_indices<Operator>(rest..., reduction::sum);
      case combining::prod:
        return by_indices<Operator>(rest..., reduction::prod);
      case combining::min:
        return by_indices<Operator>(rest..., reduction::min);
      case combining::max:
        return by_indices<Operator>(rest..., reduction::max);
      default:
        return by_indices<Operator>(rest..., reduction::none);
    }
  }

  std::function<status()> make() const {
    std::array<std::int64_t, 8> a{}, b{}, c{}, d{};
    const std::int64_t axis = call.axis;
    switch (call.which) {
      case operation::slice_scatter:
        return without_indices<strew::slice_scatter>(slice_of(call, a, b, c, d));
      case operation::select_scatter:
        return without_indices<strew::select_scatter>(axis, call.place);
      case operation::diagonal_scatter:
        return without_indices<strew::diagonal_scatter>(call.place, axis, std::int64_t{call.second_axis});
      case operation::scatter_update:
        return by_indices<strew::scatter_update>(axis);
      case operation::index_copy:
        return by_indices<strew::index_copy>(axis);
      case operation::index_add:
        return by_indices<strew::index_add>(axis);
      case operation::index_reduce:
        return with_reduction([&](const auto& r) { return by_indices<strew::index_reduce>(axis, r); });
      case operation::index_fill:
        return fill<strew::index_fill>(indices, axis);
      case operation::scatter_elements_update:
        return by_indices<strew::scatter_elements_update>(axis);
      case operation::v12_scatter_elements_update:
        if (call.reduce == combining::none) return by_indices<v12::scatter_elements_update>(axis);
        return with_reduction([&](const auto& r) { return by_indices<v12::scatter_elements_update>(axis, r); });
      case operation::onnx_scatter:
        return by_indices<onnx::scatter>(axis);
      case operation::onnx_scatter_elements:
        return onnx_reduction<onnx::scatter_elements>(axis);
      case operation::scatter:
        return by_indices<strew::scatter>(axis);
      case operation::scatter_add:
        return by_indices<strew::scatter_add>(axis);
      case operation::scatter_reduce:
        return with_reduction([&](const auto& r) { return by_indices<strew::scatter_reduce>(axis, r); });
      case operation::put_along_axis:
        return by_indices<strew::put_along_axis>(axis);
      case operation::v3_scatter_nd_update:
        return by_indices<v3::scatter_nd_update>();
      case operation::v15_scatter_nd_update:
        if (call.reduce == combining::sub) return by_indices<v15::scatter_nd_update>(reduction::sub);
        return onnx_reduction<v15::scatter_nd_update>();
      case operation::onnx_scatter_nd:
        return onnx_reduction<onnx::scatter_nd>();
      case operation::put:
        if (call.reduce == combining::sum) return by_indices<strew::put>(reduction::sum);
        return by_indices<strew::put>();
      case operation::masked_scatter: {
        const strided_layout target = layout_of(call.data);
        const strided_layout selects = layout_of(call.indices[0]);
        const strided_layout with = layout_of(call.updates);
        if (call.in_place) {
          return runs(prepare<float, bool>(strew::masked_scatter, {target, selects, with}), mask, updates);
        }
        return runs(prepare<float, bool>(strew::masked_scatter, {target, selects, with, layout_of(call.output)}), mask,
                    updates);
      }
      case operation::masked_fill:
        return fill<strew::masked_fill>(mask);
      case operation::tensor_scatter:
        return by_indices<onnx::tensor_scatter>(options_of(call));
      default:
        throw std::logic_error("no prepared call of " + std::string(name_of(call.which)));
    }
  }
};

std::function<status()> prepared_call_of(const drawn_call& call, const memory_of_call& at, const surroundings& in) {
  prepared_operands on{call,
                       reinterpret_cast<float*>(at.data) + call.data.first,
                       reinterpret_cast<float*>(at.output) + call.output.first,
                       reinterpret_cast<const float*>(at.updates) + call.updates.first,
                       nullptr,
                       nullptr,
                       in};
  if (has_mask(call.which)) {
    on.mask = reinterpret_cast<const bool*>(at.indices[0]) + call.indices[0].first;
  } else if (!call.indices.empty()) {
    on.indices = reinterpret_cast<const std::int64_t*>(at.indices[0]) + call.indices[0].first;
  }
  return on.make();
}

}  // namespace

std::function<status()> call_of(const drawn_call& call, const memory_of_call& at, const surroundings& in) {
  if (call.how == form::prepared) return prepared_call_of(call, at, in);
  const run_time_operands on(call, at);
  if (call.how == form::bound) {
    auto bound = std::make_shared<dynamic::schedule>();
    auto measures = bound->measure();
    if (status error = on.run(measures); !error.ok()) return [error] { return error; };
    in.bound.resize(static_cast<std::size_t>(bound->bytes()));
    auto makes = bound->make(in.bound);
    if (status error = on.run(makes); !error.ok()) return [error] { return error; };
    return [on, bound, in] {
      const auto run = [&](auto& ex) {
        auto runs = bound->run(ex);
        return on.run(runs);
      };
      return on.call.threads > 1 ? run(in.pool) : run(serial);
    };
  }
  if (call.how == form::workspace) {
    return [on, in] {
      const std::span<std::byte> memory(in.workspace);
      if (on.call.threads > 1) {
        const strew::workspace ex{memory, in.pool};
        return on.run(ex);
      }
      const strew::workspace ex{memory};
      return on.run(ex);
    };
  }
  return [on, in] { return on.call.threads > 1 ? on.run(in.pool) : on.run(serial); };
}

}  // namespace strew::bench::sweep
