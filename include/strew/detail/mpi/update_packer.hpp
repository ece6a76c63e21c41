// SPDX-License-Identifier: Apache-2.0
// Copies updates to and from where they travel: one after the other, each with its elements in row-major order.
#ifndef STREW_DETAIL_MPI_UPDATE_PACKER_HPP
#define STREW_DETAIL_MPI_UPDATE_PACKER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/conversion.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/mpi/exchange.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The elements of an update: those of the axes of data that are no target axes.
[[nodiscard]] inline std::int64_t elements_of_update(const index_list& data, const target_axes& axes) noexcept {
  std::int64_t count = 1;
  for (int k = 0; k < data.size(); ++k) {
    if (!axes.contains(k)) count *= data[k];
  }
  return count;
}

// Updates of another type U become elements T as they are copied.
template <class T, class U = T>
class update_packer {
 public:
  // Copies nothing.
  update_packer() noexcept = default;
  // `positions`: the number of axes of the positions in updates, which stand in the place of the target axes.
  update_packer(const strided_layout& updates, const index_list& data, const target_axes& axes, int positions) noexcept
      : is_empty_{elements_of_update(data, axes) == 0} {
    for (int k = 0; k < data.size(); ++k) {
      if (axes.contains(k)) continue;
      const std::int64_t step = updates.stride(k < axes.first ? k : k + positions - axes.count);
      const int last = extents_.size() - 1;
      // Axes that are one in memory are copied as one.
      if (last >= 0 && steps_[last] == step * data[k]) {
        extents_[last] *= data[k];
        steps_[last] = step;
      } else {
        extents_.push_back(data[k]);
        steps_.push_back(step);
      }
    }
  }

  void operator()(const U* from, std::byte* to) const noexcept {
    if (is_empty_) return;
    const int last = extents_.size() - 1;
    if (last < 0) {
      copy_row(from, to, 1, 1);
      return;
    }
    index_list at = extents_;
    for (int k = 0; k <= last; ++k) at[k] = 0;
    do {
      const U* row = from;
      for (int k = 0; k < last; ++k) row += at[k] * steps_[k];
      to = copy_row(row, to, extents_[last], steps_[last]);
    } while (next_row(extents_, at));
  }

 private:
  static std::byte* copy_row(const U* row, std::byte* to, std::int64_t columns, std::int64_t step) noexcept {
    const std::int64_t bytes = columns * static_cast<std::int64_t>(sizeof(T));
    if constexpr (!std::is_same_v<T, U>) {
      conversion_of<T, U>.convert(reinterpret_cast<char*>(to), reinterpret_cast<const char*>(row),
                                  step * static_cast<std::int64_t>(sizeof(U)), columns);
    } else if (step == 1) {
      std::memcpy(to, row, static_cast<std::size_t>(bytes));
    } else {
      std::byte* next = to;
      for (std::int64_t i = 0; i < columns; ++i, next += sizeof(T)) std::memcpy(next, row + i * step, sizeof(T));
    }
    return to + bytes;
  }

  index_list extents_;
  index_list steps_;
  bool is_empty_ = true;
};

// ---- On the other side

// The layout with the target axes as one; false if they are not one in memory.
inline bool merge_target_axes(const strided_layout& part, const target_axes& axes, index_list& extents,
                              index_list& strides) noexcept {
  std::int64_t merged = 1;
  std::int64_t step = 0;
  for (int k = 0; k < part.rank(); ++k) {
    if (!axes.contains(k)) {
      extents.push_back(part.extent(k));
      strides.push_back(part.stride(k));
      continue;
    }
    if (part.extent(k) != 1) {
      if (merged != 1 && step != part.stride(k) * part.extent(k)) return false;
      step = part.stride(k);
      merged *= part.extent(k);
    }
    if (k + 1 == axes.end()) {
      extents.push_back(merged);
      strides.push_back(step);
    }
  }
  return true;
}
// The bytes for each received update that apply_received needs.
[[nodiscard]] inline std::int64_t scratch_to_apply(const strided_layout& part, const target_axes& axes) noexcept {
  index_list extents;
  index_list strides;
  const bool is_one = merge_target_axes(part, axes, extents, strides);
  return is_one ? 0 : axes.count * static_cast<std::int64_t>(sizeof(std::int64_t));
}

// The rules by which received updates are applied: rows of the target axes as one, or multi-indices where the axes of
// the part are not one in memory.
template <const operation_rules& Rules>
inline constexpr operation_rules as_rows{Rules.name, addressing::rows};
template <const operation_rules& Rules>
inline constexpr operation_rules as_multi_indices{Rules.name, addressing::multi_indices};

// Received updates as a tensor, with them on one axis in the place of the target axes. `value` is that of all updates,
// or null.
template <class T>
tensor_view<const T> view_received(const strided_layout& part, const target_axes& axes,
                                   const received_updates& received, const T* value) noexcept {
  index_list extents;
  index_list strides;
  std::int64_t stride = elements_of_update(part.extents(), axes);
  const std::int64_t length = stride;
  for (int k = 0; k < part.rank(); ++k) {
    const bool is_target = axes.contains(k);
    if (is_target && k != axes.first) continue;
    if (!is_target) stride = part.extent(k) == 0 ? 0 : stride / part.extent(k);
    extents.push_back(is_target ? received.count : part.extent(k));
    strides.push_back(value != nullptr ? 0 : is_target ? length : stride);
  }
  tensor_view<const T> updates;
  const T* const first = value != nullptr ? value : reinterpret_cast<const T*>(received.values);
  static_cast<void>(tensor_view<const T>::try_make(first, extents, strides, updates));
  return updates;
}

// Applies received updates to this rank's part of the output, in their order, by the serial operator.
template <const operation_rules& Rules, reduction_set Set, class Ex, class T, class R>
void apply_received(Ex& ex, const tensor_view<T>& part, const target_axes& axes, const exchange_window& window,
                    const received_updates& received, const std::remove_const_t<T>* value, const R& reduce) {
  const tensor_view<const std::remove_const_t<T>> updates = view_received(part.layout(), axes, received, value);
  status unused;
  index_list extents;
  index_list strides;
  if (merge_target_axes(part.layout(), axes, extents, strides)) {
    const std::int64_t width = window.end_target - window.first_target;
    const std::int64_t rest = extents[axes.first] - window.first_target;
    const std::int64_t offset = window.first_target * strides[axes.first];
    extents[axes.first] = width < rest ? width : rest;
    const tensor_view<T> rows = part_of(part, offset, extents, strides);
    tensor_view<const std::int32_t> indices;
    static_cast<void>(tensor_view<const std::int32_t>::try_make(received.targets, received.count, indices));
    const auto source = source_of(indices);
    const index_list axis{axes.first};
    submit<as_rows<Rules>, Set>(ex, operands_of<index_policy::assume_valid>(rows, source, updates, rows, reduce, &axis),
                                unused);
    return;
  }
  // The numbers of targets become multi-indices.
  auto* const components = reinterpret_cast<std::int64_t*>(received.scratch);
  for (std::int64_t i = 0; i < received.count; ++i) {
    std::int64_t number = window.first_target + received.targets[i];
    for (int j = axes.count; j-- > 0;) {
      components[i * axes.count + j] = number % part.extent(j);
      number /= part.extent(j);
    }
  }
  tensor_view<const std::int64_t> indices;
  static_cast<void>(tensor_view<const std::int64_t>::try_make(components, {received.count, axes.count}, indices));
  const auto source = source_of(indices, axes.count);
  submit<as_multi_indices<Rules>, Set>(ex, operands_of<index_policy::assume_valid>(part, source, updates, part, reduce),
                                       unused);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_UPDATE_PACKER_HPP
