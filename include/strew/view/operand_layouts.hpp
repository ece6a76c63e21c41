// SPDX-License-Identifier: Apache-2.0
// The layouts of the operands of a prepared call.
#ifndef STREW_VIEW_OPERAND_LAYOUTS_HPP
#define STREW_VIEW_OPERAND_LAYOUTS_HPP

#include <strew/config.hpp>
#include <strew/view/index.hpp>
#include <strew/view/layout.hpp>

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <span>

namespace strew::inline STREW_ABI {

// The layouts of the operands of a prepared call, with strides in elements of each operand. The layout of indices is
// not used for operators without indices, that of updates not if updates are one value. In place that of output is
// data's.
struct operand_layouts {
  strided_layout data;
  strided_layout indices;  // or a mask
  strided_layout updates;
  strided_layout output;
};

// The layouts of a prepared call of index_put: data, a list of the layouts of its tensors of indices in the order of
// the axes, updates, output. Without the last layout the call is in place. If updates are one value they have no
// layout: {data, {..}, output}, or {data, {..}} in place.
class layouts_with_tensors {
 public:
  constexpr layouts_with_tensors() noexcept = default;
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data,
                                             std::span<const strided_layout> indices) noexcept
      : layouts_with_tensors(data, indices, data) {}
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data,
                                             std::initializer_list<strided_layout> indices) noexcept
      : layouts_with_tensors(data, indices, data) {}
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data, std::span<const strided_layout> indices,
                                             const strided_layout& updates) noexcept
      : layouts_with_tensors(data, indices, updates, data) {
    has_output_ = false;
  }
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data, std::initializer_list<strided_layout> indices,
                                             const strided_layout& updates) noexcept
      : layouts_with_tensors(data, std::span(indices.begin(), indices.size()), updates) {}
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data, std::initializer_list<strided_layout> indices,
                                             const strided_layout& updates, const strided_layout& output) noexcept
      : layouts_with_tensors(data, std::span(indices.begin(), indices.size()), updates, output) {}
  STREW_KEYED constexpr layouts_with_tensors(const strided_layout& data, std::span<const strided_layout> indices,
                                             const strided_layout& updates, const strided_layout& output) noexcept
      : data_{data}, updates_{updates}, output_{output} {
    // max_rank + 1 layouts are enough for the error that there are too many.
    for (const strided_layout& one : indices) {
      if (count_ <= max_rank) indices_[count_++] = one;
    }
  }

  // Whether all four layouts are given.
  [[nodiscard]] constexpr bool has_output() const noexcept { return has_output_; }
  [[nodiscard]] constexpr const strided_layout& data() const noexcept { return data_; }
  [[nodiscard]] constexpr const strided_layout& updates() const noexcept { return updates_; }
  [[nodiscard]] constexpr const strided_layout& output() const noexcept { return output_; }
  [[nodiscard]] constexpr std::span<const strided_layout> indices() const noexcept {
    return {indices_, static_cast<std::size_t>(count_)};
  }

 private:
  strided_layout data_;
  strided_layout updates_;
  strided_layout output_;
  strided_layout indices_[max_rank + 1];
  int count_ = 0;
  bool has_output_ = true;
};

// The layouts of a prepared call whose indices have a policy: data, the layout of the indices in a function of
// strew/operators/index_policy.hpp, updates, output. Without the last layout the call is in place; if updates are one
// value they have no layout.
template <index_policy Policy>
class layouts_with_policy {
 public:
  // The type of drop(layout). A template, so that braces are no such argument.
  template <std::same_as<indices_with_policy<Policy, strided_layout>> Indices, std::same_as<strided_layout>... Others>
    requires(sizeof...(Others) <= 2)
  STREW_KEYED constexpr layouts_with_policy(const strided_layout& data, const Indices& indices,
                                            const Others&... updates_and_output) noexcept
      : all_{data, indices.indices, updates_and_output...}, count_{2 + sizeof...(Others)} {}

  // In their order.
  constexpr operator std::span<const strided_layout>() const noexcept { return {all_, count_}; }

 private:
  strided_layout all_[4];
  std::size_t count_;
};
// The layouts of a prepared call by segments: the same with strew::segments(layout of the offsets).
class layouts_with_segments {
 public:
  template <std::same_as<segments_by<strided_layout>> Segments, std::same_as<strided_layout>... Others>
    requires(sizeof...(Others) == 1 || sizeof...(Others) == 2)
  STREW_KEYED constexpr layouts_with_segments(const strided_layout& data, const Segments& segments,
                                              const Others&... updates_and_output) noexcept
      : all_{data, segments.offsets, updates_and_output...}, count_{2 + sizeof...(Others)} {}

  // In their order.
  constexpr operator std::span<const strided_layout>() const noexcept { return {all_, count_}; }

 private:
  strided_layout all_[4];
  std::size_t count_;
};
// For index_put: data, drop(..) of an array or std::span of the layouts of its tensors of indices, updates, output.
template <index_policy Policy>
class layouts_with_tensors_and_policy : public layouts_with_tensors {
 public:
  template <std::same_as<indices_with_policy<Policy, std::span<const strided_layout>>> Indices,
            std::same_as<strided_layout>... Others>
    requires(sizeof...(Others) <= 2)
  STREW_KEYED constexpr layouts_with_tensors_and_policy(const strided_layout& data, const Indices& indices,
                                                        const Others&... updates_and_output) noexcept
      : layouts_with_tensors(data, indices.indices, updates_and_output...) {}
};

}  // namespace strew

#endif  // STREW_VIEW_OPERAND_LAYOUTS_HPP
