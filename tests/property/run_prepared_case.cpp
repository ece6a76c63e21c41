// SPDX-License-Identifier: Apache-2.0
// The prepared and bound calls of random cases, on blocks of bytes and on numbers.
#include "support/scatter_case.hpp"

#include <strew/bound.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

using dynamic::element_kind;

template <std::size_t Size>
struct block {
  unsigned char bytes[Size];

  bool operator==(const block&) const = default;
};

// A call of a case, with its addresses.
template <class T, class Index>
struct prepared_case {
  const scatter_case& on;
  const circumstances_of_call& in;
  tensor_view<T> data = view_of<T>(*on.data);
  tensor_view<T> output = view_of<T>(on.written());
  tensor_view<const T> updates = view_of<const T>(*on.updates);

  // Prepares, binds perhaps, and runs. Given are `make`, which returns what strew::try_prepare does, the address or
  // addresses of indices, and those of updates, if any.
  template <class Prepared, class Make, class Indices, class... Updates>
  [[nodiscard]] status run(Prepared prepared, const Make& make, const Indices& indices,
                           const Updates&... updates_data) const {
    const chosen_threads ex{in};
    status outcome = make(prepared);
    if (!outcome.ok()) return outcome;
    if (on.form == call_form::prepared) {
      if (leaves_output()) return prepared.try_run(ex, data.data(), indices, updates_data...);
      return prepared.try_run(ex, data.data(), indices, updates_data..., output.data());
    }
    std::vector<std::byte> kept(prepared.bound_bytes() + 1);
    auto bound = decltype(prepared.bind(indices, std::span<std::byte>())){};
    outcome = prepared.try_bind(indices, std::span(kept).subspan(1), bound);
    if (!outcome.ok()) return outcome;
    // From now on the indices are not read.
    std::vector<const placed_bytes*> read;
    for (const placed_bytes& each : on.indices) read.push_back(&each);
    if (on.mask.has_value()) read.push_back(&*on.mask);
    std::vector<std::vector<char>> before;
    for (const placed_bytes* each : read) {
      before.push_back(each->image());
      for (std::size_t i = 0; i < each->size(); ++i) {
        std::memset(each->element(i), on.mask.has_value() ? 1 : 0x7f, sizeof(Index));
      }
    }
    outcome = leaves_output() ? bound.try_run(ex, data.data(), updates_data...)
                              : bound.try_run(ex, data.data(), updates_data..., output.data());
    for (std::size_t k = 0; k < read.size(); ++k) read[k]->restore(before[k]);
    return outcome;
  }

  // Operators by one tensor of indices, or by a mask.
  template <const auto& Operator, class... Rest>
  [[nodiscard]] status by_indices(const Rest&... rest) const {
    const strided_layout indices = index_layout();
    using prepared =
        decltype(prepare<T, Index>(Operator, {data.layout(), indices, updates.layout(), output.layout()}, rest...));
    const auto make = [&](prepared& result) {
      if (leaves_output()) {
        return try_prepare<T, Index>(Operator, {data.layout(), indices, updates.layout()}, rest..., result);
      }
      return try_prepare<T, Index>(Operator, {data.layout(), indices, updates.layout(), output.layout()}, rest...,
                                   result);
    };
    return run(prepared(), make, index_address(), updates.data());
  }
  // Fills with one value.
  template <const auto& Operator, class... Rest>
  [[nodiscard]] status fill(const Rest&... rest) const {
    const strided_layout indices = index_layout();
    T value;
    std::memcpy(&value, on.updates->element(0), sizeof value);
    using prepared = decltype(prepare<T, Index>(Operator, {data.layout(), indices, output.layout()}, rest..., value));
    const auto make = [&](prepared& result) {
      if (leaves_output()) {
        return try_prepare<T, Index>(Operator, {data.layout(), indices}, rest..., value, result);
      }
      return try_prepare<T, Index>(Operator, {data.layout(), indices, output.layout()}, rest..., value, result);
    };
    return run(prepared(), make, index_address());
  }
  template <class R>
  [[nodiscard]] status put_tensors(const R& reduce) const {
    std::vector<strided_layout> layouts;
    std::vector<const Index*> addresses;
    for (const placed_bytes& each : on.indices) {
      const auto view = view_of<const Index>(each);
      layouts.push_back(view.layout());
      addresses.push_back(view.data());
    }
    const layouts_with_tensors all(data.layout(), std::span<const strided_layout>(layouts), updates.layout(),
                                   output.layout());
    using prepared = decltype(prepare<T, Index>(index_put, all, reduce));
    const auto make = [&](prepared& result) { return try_prepare<T, Index>(index_put, all, reduce, result); };
    return run(prepared(), make, std::span<const Index* const>(addresses), updates.data());
  }
  // Operators without indices.
  template <const auto& Operator, class... Rest>
  [[nodiscard]] status without_indices(const Rest&... rest) const {
    const chosen_threads ex{in};
    auto prepared = decltype(prepare<T>(Operator, {data.layout(), updates.layout(), output.layout()}, rest...)){};
    const status outcome =
        leaves_output()
            ? try_prepare<T, void>(Operator, {data.layout(), updates.layout()}, rest..., prepared)
            : try_prepare<T, void>(Operator, {data.layout(), updates.layout(), output.layout()}, rest..., prepared);
    if (!outcome.ok()) return outcome;
    if (leaves_output()) return prepared.try_run(ex, data.data(), updates.data());
    return prepared.try_run(ex, data.data(), updates.data(), output.data());
  }

 private:
  [[nodiscard]] bool leaves_output() const { return on.in_place && !on.names_output; }
  [[nodiscard]] strided_layout index_layout() const {
    return on.mask.has_value() ? view_of<const bool>(*on.mask).layout() : view_of<const Index>(on.indices[0]).layout();
  }
  [[nodiscard]] const Index* index_address() const {
    return view_of<const Index>(on.mask.has_value() ? *on.mask : on.indices[0]).data();
  }
};

// Operators whose bound indices become moves.
template <class T, class Index>
status run_moves(const scatter_case& on, const circumstances_of_call& in) {
  const prepared_case<T, Index> call{on, in};
  switch (on.which) {
    case operation::scatter_update:
      return call.template by_indices<scatter_update>(on.axis);
    case operation::scatter_elements_update:
      return call.template by_indices<scatter_elements_update>(on.axis);
    default:
      return call.template by_indices<onnx::scatter>(on.axis);
  }
}

// All others that move elements.
template <class T, class Index>
status run_others(const scatter_case& on, const circumstances_of_call& in) {
  const prepared_case<T, Index> call{on, in};
  switch (on.which) {
    case operation::slice_scatter:
      return call.template without_indices<slice_scatter>(on.slice);
    case operation::select_scatter:
      return call.template without_indices<select_scatter>(on.axis, on.number);
    case operation::diagonal_scatter:
      return call.template without_indices<diagonal_scatter>(on.number, on.axis, on.second_axis);
    case operation::index_copy:
      return call.template by_indices<index_copy>(on.axis);
    case operation::index_fill:
      return call.template fill<index_fill>(on.axis);
    case operation::v12_scatter_elements_update:
      return call.template by_indices<v12::scatter_elements_update>(on.axis);
    case operation::onnx_scatter_elements:
      return call.template by_indices<onnx::scatter_elements>(on.axis, reduction::none);
    case operation::scatter:
      return call.template by_indices<scatter>(on.axis);
    case operation::put_along_axis:
      return call.template by_indices<put_along_axis>(on.axis);
    case operation::v3_scatter_nd_update:
      return call.template by_indices<v3::scatter_nd_update>();
    case operation::v15_scatter_nd_update:
      return call.template by_indices<v15::scatter_nd_update>();
    case operation::onnx_scatter_nd:
      return call.template by_indices<onnx::scatter_nd>(reduction::none);
    case operation::index_put:
      return call.put_tensors(reduction::none);
    case operation::put:
      return call.template by_indices<put>();
    case operation::masked_scatter:
      return prepared_case<T, bool>{on, in}.template by_indices<masked_scatter>();
    case operation::masked_fill:
      return prepared_case<T, bool>{on, in}.template fill<masked_fill>();
    default: {
      onnx::tensor_scatter_options options;
      options.mode = on.is_circular ? onnx::cache_mode::circular : onnx::cache_mode::linear;
      options.axis = on.axis;
      return call.template by_indices<onnx::tensor_scatter>(options);
    }
  }
}

// Without NaNs, for those that is_prepared_without_nan finds.
template <class T, class Index>
status run_without_nan(const scatter_case& on, const circumstances_of_call& in) {
  const prepared_case<T, Index> call{on, in};
  const auto max = reduction::without_nan(reduction::max);
  const auto sum = reduction::without_nan(reduction::sum);
  const auto mean = reduction::without_init(reduction::without_nan(reduction::mean));
  const auto by_kind = [&](const auto& body) {
    return on.reduce == reduction_kind::max ? body(max) : on.reduce == reduction_kind::mean ? body(mean) : body(sum);
  };
  switch (on.which) {
    case operation::index_reduce:
      return by_kind([&](const auto& r) { return call.template by_indices<index_reduce>(on.axis, r); });
    case operation::v12_scatter_elements_update:
      return by_kind([&](const auto& r) { return call.template by_indices<v12::scatter_elements_update>(on.axis, r); });
    default:
      return on.reduce == reduction_kind::max ? call.template by_indices<v15::scatter_nd_update>(max)
                                              : call.template by_indices<v15::scatter_nd_update>(sum);
  }
}

template <class T, class Index>
status run_reductions(const scatter_case& on, const circumstances_of_call& in) {
  const prepared_case<T, Index> call{on, in};
  const auto by_kind = [&](const auto& body) {
    switch (on.reduce) {
      case reduction_kind::max:
        return body(reduction::max);
      case reduction_kind::mean:
        return body(reduction::without_init(reduction::mean));
      default:
        return body(reduction::sum);
    }
  };
  const auto sum_or_max = [&](const auto& body) {
    return on.reduce == reduction_kind::max ? body(reduction::max) : body(reduction::sum);
  };
  switch (on.which) {
    case operation::index_add:
      return call.template by_indices<index_add>(on.axis);
    case operation::scatter_add:
      return call.template by_indices<scatter_add>(on.axis);
    case operation::index_reduce:
      return by_kind([&](const auto& r) { return call.template by_indices<index_reduce>(on.axis, r); });
    case operation::scatter_reduce:
      return by_kind([&](const auto& r) { return call.template by_indices<scatter_reduce>(on.axis, r); });
    case operation::v12_scatter_elements_update:
      return by_kind([&](const auto& r) { return call.template by_indices<v12::scatter_elements_update>(on.axis, r); });
    case operation::onnx_scatter_elements:
      return sum_or_max([&](const auto& r) { return call.template by_indices<onnx::scatter_elements>(on.axis, r); });
    case operation::v15_scatter_nd_update:
      return sum_or_max([&](const auto& r) { return call.template by_indices<v15::scatter_nd_update>(r); });
    case operation::onnx_scatter_nd:
      return sum_or_max([&](const auto& r) { return call.template by_indices<onnx::scatter_nd>(r); });
    case operation::index_put:
      return call.put_tensors(reduction::sum);
    default:
      return call.template by_indices<put>(reduction::sum);
  }
}

}  // namespace

status run_prepared_case(const scatter_case& on, const circumstances_of_call& in) {
  if (on.skips_nan) {
    if (on.type.kind == element_kind::floating_point) return run_without_nan<float, std::int32_t>(on, in);
    return run_without_nan<std::uint16_t, std::int16_t>(on, in);
  }
  if (on.reduce != reduction_kind::none) {
    if (on.type.kind == element_kind::floating_point) return run_reductions<float, std::int32_t>(on, in);
    return run_reductions<std::uint16_t, std::int16_t>(on, in);
  }
  if (!is_prepared_with_moves(on.which)) {
    if (on.type.size == 12) return run_others<block<12>, std::int32_t>(on, in);
    return run_others<block<4>, std::int64_t>(on, in);
  }
  switch (on.type.size) {
    case 12:
      return run_moves<block<12>, std::int32_t>(on, in);
#if STREW_TEST_AT_LENGTH
    case 1:
      return run_moves<block<1>, std::int64_t>(on, in);
    case 2:
      return run_moves<block<2>, std::int64_t>(on, in);
    case 3:
      return run_moves<block<3>, std::int32_t>(on, in);
    case 8:
      return run_moves<block<8>, std::int64_t>(on, in);
    case 16:
      return run_moves<block<16>, std::int64_t>(on, in);
    case 40:
      return run_moves<block<40>, std::int64_t>(on, in);
#endif
    default:
#if STREW_TEST_AT_LENGTH
      if (on.integers == index_type::int32) return run_moves<block<4>, std::int32_t>(on, in);
#endif
      return run_moves<block<4>, std::int64_t>(on, in);
  }
}

}  // namespace strew::test
