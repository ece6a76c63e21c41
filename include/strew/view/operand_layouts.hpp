// SPDX-License-Identifier: Apache-2.0
// How the operands of a prepared call lie in memory.
#ifndef STREW_VIEW_OPERAND_LAYOUTS_HPP
#define STREW_VIEW_OPERAND_LAYOUTS_HPP

#include <strew/config.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <initializer_list>
#include <span>

namespace strew::inline STREW_ABI {

// How the operands of a prepared call lie in memory, in elements of their own. Operators without indices, and fills,
// whose updates are one value, leave the layout of these as it is.
struct operand_layouts {
  strided_layout data;
  strided_layout indices;  // or a mask
  strided_layout updates;
  strided_layout output;
};

// The same of index_put, whose indices are several tensors: a list of their layouts, in the order of the axes. Without
// the last layout the call is made in place. Where updates are one value they have no layout: {data, {..}, output}, or
// {data, {..}} in place.
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
    // More than there can be axes are refused.
    for (const strided_layout& one : indices) {
      if (count_ <= max_rank) indices_[count_++] = one;
    }
  }

  // Whether all are given.
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

}  // namespace strew

#endif  // STREW_VIEW_OPERAND_LAYOUTS_HPP
