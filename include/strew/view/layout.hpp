// SPDX-License-Identifier: Apache-2.0
// strided_layout: the extents and strides of a view, without memory and element type.
#ifndef STREW_VIEW_LAYOUT_HPP
#define STREW_VIEW_LAYOUT_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace strew::inline STREW_ABI {

class strided_layout;

namespace detail::inline STREW_CODE {

// The operation in messages, and the limit of the address space.
struct layout_rules {
  const char* operation = "tensor_view";
  std::int64_t limit = (std::numeric_limits<std::ptrdiff_t>::max)();  // of the elements, and of the span in bytes
};

constexpr bool make_layout(const layout_rules& rules, const index_list& extents, const index_list& strides,
                           std::size_t element_size, strided_layout& result, status& error) noexcept;
constexpr bool make_row_major(const layout_rules& rules, const index_list& extents, std::size_t element_size,
                              strided_layout& result, status& error) noexcept;
// Makes a layout row-major. The number of its elements is known to be small: nothing overflows.
STREW_INLINE constexpr void make_dense(strided_layout& layout) noexcept;

}  // namespace detail

// Extents and strides in elements, checked at construction: no extent is negative, and neither the number of elements
// nor the span in bytes from the lowest to the highest element exceeds PTRDIFF_MAX. So no arithmetic on offsets
// overflows. Strides may be positive, negative or zero. It has no element type, so that checks and plans are compiled
// once for all types.
class strided_layout {
 public:
  // Rank 1, extent 0: no elements.
  STREW_KEYED constexpr strided_layout() noexcept
      : extents_{0}, strides_{1}, size_{0}, lowest_{0}, highest_{0}, is_row_major_{true} {}
  STREW_KEYED constexpr strided_layout(const strided_layout& other) noexcept = default;
  STREW_KEYED constexpr strided_layout& operator=(const strided_layout& other) noexcept = default;

  // Rank 0: one element.
  STREW_KEYED [[nodiscard]] static constexpr strided_layout of_one_element() noexcept {
    strided_layout result;
    result.extents_ = {};
    result.strides_ = {};
    result.size_ = 1;
    return result;
  }

  // Row-major strides: the last axis is contiguous. `element_size` is in bytes. Errors: too_many_axes, negative_extent,
  // size_overflow. O(rank).
  STREW_KEYED [[nodiscard]] static constexpr status try_make(const index_list& extents, std::size_t element_size,
                                                             strided_layout& result) noexcept {
    status error;
    strided_layout made(unset_tag{});
    if (fill_row_major(&result, extents, element_size, made)) {
      result = made;
    } else {
      static_cast<void>(detail::make_row_major({}, extents, element_size, made, error));
    }
    return error;
  }

  // With given strides, one per axis, in elements. Errors: too_many_axes, rank_mismatch, negative_extent,
  // size_overflow. O(rank).
  STREW_KEYED [[nodiscard]] static constexpr status try_make(const index_list& extents, const index_list& strides,
                                                             std::size_t element_size,
                                                             strided_layout& result) noexcept {
    status error;
    // The lists may be those of the result, in the other order.
    const index_list kept = &strides == &result.extents_ ? strides : index_list();
    const index_list& given = &strides == &result.extents_ ? kept : strides;
    static_cast<void>(detail::make_layout({}, extents, given, element_size, result, error));
    return error;
  }

  [[nodiscard]] constexpr int rank() const noexcept { return extents_.size(); }
  [[nodiscard]] constexpr const index_list& extents() const noexcept { return extents_; }
  [[nodiscard]] constexpr const index_list& strides() const noexcept { return strides_; }
  [[nodiscard]] constexpr std::int64_t extent(int axis) const noexcept { return extents_[axis]; }
  [[nodiscard]] constexpr std::int64_t stride(int axis) const noexcept { return strides_[axis]; }
  // The number of elements: the product of the extents, 1 for rank 0.
  [[nodiscard]] constexpr std::int64_t size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }

  // The offsets of the elements with the lowest (<= 0) and the highest (>= 0) address from that at coordinate 0, in
  // elements.
  [[nodiscard]] constexpr std::int64_t lowest_offset() const noexcept { return lowest_; }
  [[nodiscard]] constexpr std::int64_t highest_offset() const noexcept { return highest_; }
  // Whether the elements are in row-major order in memory, without gaps.
  [[nodiscard]] constexpr bool is_row_major() const noexcept { return is_row_major_; }

  // Whether `coordinate` has one entry per axis, each in [0, extent - 1]. O(rank).
  STREW_KEYED [[nodiscard]] constexpr bool contains(const index_list& coordinate) const noexcept {
    if (coordinate.size() != rank() || coordinate.overflowed()) return false;
    for (int k = 0; k < rank(); ++k) {
      if (coordinate[k] < 0 || coordinate[k] >= extents_[k]) return false;
    }
    return true;
  }

  // The offset in elements of `coordinate` from coordinate 0. The layout must contain it (STREW_ASSERT). O(rank).
  STREW_KEYED [[nodiscard]] constexpr std::int64_t offset(const index_list& coordinate) const noexcept {
    STREW_ASSERT(contains(coordinate));
    std::int64_t result = 0;
    for (int k = 0; k < rank(); ++k) result += coordinate[k] * strides_[k];
    return result;
  }

  // Whether both layouts have the same extents, and the same offsets for all coordinates. Strides that are not used (on
  // an axis of extent 1, or in an empty view) are not compared. O(rank).
  STREW_KEYED [[nodiscard]] friend constexpr bool operator==(const strided_layout& a,
                                                             const strided_layout& b) noexcept {
    if (!(a.extents_ == b.extents_)) return false;
    if (a.empty()) return true;
    for (int k = 0; k < a.rank(); ++k) {
      if (a.extents_[k] > 1 && a.strides_[k] != b.strides_[k]) return false;
    }
    return true;
  }

 private:
  STREW_KEYED static constexpr std::uint64_t count_of(std::int64_t extent) noexcept {
    return extent < 1 ? 1 : static_cast<std::uint64_t>(extent);
  }

  friend constexpr bool detail::make_layout(const detail::layout_rules& rules, const index_list& extents,
                                            const index_list& strides, std::size_t element_size, strided_layout& result,
                                            status& error) noexcept;
  friend constexpr bool detail::make_row_major(const detail::layout_rules& rules, const index_list& extents,
                                               std::size_t element_size, strided_layout& result,
                                               status& error) noexcept;
  friend constexpr void detail::make_dense(strided_layout& layout) noexcept;
  template <element T>
  friend class tensor_view;

  // For layouts that are made in place: at run time nothing is written. (A constexpr variable must be fully
  // initialised.)
  struct unset_tag {};
  STREW_KEYED constexpr explicit strided_layout(unset_tag) noexcept
      : extents_(index_list::unset_tag{}), strides_(index_list::unset_tag{}) {
    if (detail::is_constant_evaluated()) {
      size_ = lowest_ = highest_ = 0;
      is_row_major_ = false;
    }
  }

  // Makes a row-major layout for elements at `data`, in one pass and without a copy, since small calls often make their
  // views anew: three of them take half as long as the call. Returns false if there is an error, also if `data` is null
  // and there are elements; then `result` is unspecified.
  STREW_KEYED STREW_NOINLINE static constexpr bool fill_row_major(const void* data, const index_list& extents,
                                                                  std::size_t element_size,
                                                                  strided_layout& result) noexcept {
    const int rank = extents.size_;
    std::uint64_t size = 1;
    std::uint64_t count = 1;  // as size, but extents of 0 count as 1
    std::uint64_t factors = element_size;
    for (int k = rank; k-- > 0;) {
      const std::int64_t extent = extents.values_[k];
      const auto factor = static_cast<std::uint64_t>(extent);
      result.extents_.values_[k] = extent;
      result.strides_.values_[k] = static_cast<std::int64_t>(count);
      factors |= factor;
      size *= factor;
      count *= factor + (factor == 0 ? 1 : 0);
      factors |= count;
    }
    // Products of two factors below 2^31 do not overflow; so nothing has, up to the first number that is larger.
    constexpr unsigned is_bad = index_list::has_overflowed | index_list::has_saturated;
    constexpr auto limit = static_cast<std::uint64_t>(detail::layout_rules{}.limit);
    if ((factors >> 31) != 0 || (extents.flags_ & is_bad) != 0 || count * element_size > limit) {
      return fill_large(data, extents, element_size, result);
    }
    result.extents_.size_ = rank;
    result.extents_.flags_ = 0;
    result.strides_.size_ = rank;
    result.strides_.flags_ = 0;
    result.size_ = static_cast<std::int64_t>(size);
    result.lowest_ = 0;
    result.highest_ = static_cast<std::int64_t>(count) - 1;
    result.is_row_major_ = true;
    return size == 0 || data != nullptr;
  }
  // Fills a layout of any extents, negative ones and those of too many elements among them.
  STREW_KEYED STREW_COLD static constexpr bool fill_large(const void* data, const index_list& extents,
                                                          std::size_t element_size, strided_layout& result) noexcept {
    status unused;
    return detail::make_row_major({}, extents, element_size, result, unused) && (result.empty() || data != nullptr);
  }

  index_list extents_;
  index_list strides_;
  std::int64_t size_;
  std::int64_t lowest_;
  std::int64_t highest_;
  bool is_row_major_;
};

namespace detail::inline STREW_CODE {

// Finds the error of extents and strides that are not a layout.
STREW_COLD constexpr void refuse_layout(const layout_rules& rules, const index_list& extents, const index_list& strides,
                                        status& error) noexcept {
  if (!check_capacity(rules.operation, "extents", extents, error) ||
      !check_capacity(rules.operation, "strides", strides, error)) {
    return;
  }
  if (strides.size() != extents.size()) {
    refuse(error, errc::rank_mismatch, rules.operation, "strides", " has length {0}, expected {1} as extents has",
           {strides.size(), extents.size()});
    return;
  }
  for (int k = 0; k < extents.size(); ++k) {
    if (extents[k] < 0) {
      refuse(error, errc::negative_extent, rules.operation, "extents", "{c} = {0} is negative", {extents[k]}, k);
      return;
    }
  }
  refuse(error, errc::size_overflow, rules.operation, "extents",
         " {c} and their strides hold more than {0} elements or span more than {0} bytes", {rules.limit}, extents);
}

// Makes a layout. On an error `result` stays as it was. Its `false` is not that of refuse_layout, which g++ does not
// see into: at -O3 it would warn of a view whose layout was not set.
constexpr bool make_layout(const layout_rules& rules, const index_list& extents, const index_list& strides,
                           std::size_t element_size, strided_layout& result, status& error) noexcept {
  if (extents.overflowed() || extents.saturated() || strides.overflowed() || strides.size() != extents.size()) {
    refuse_layout(rules, extents, strides, error);
    return false;
  }
  // Extents of 0 count as 1 here, so that offsets are representable in empty views too.
  std::uint64_t count = 1;
  std::uint64_t below = 0;
  std::uint64_t above = 0;
  bool empty = false;
  bool row_major = true;
  for (int k = extents.size(); k-- > 0;) {
    const std::int64_t extent = extents[k];
    const std::int64_t stride = strides[k];
    if (extent < 0) {
      refuse_layout(rules, extents, strides, error);
      return false;
    }
    if (extent != 1) {
      empty = empty || extent == 0;
      row_major = row_major && static_cast<std::uint64_t>(stride) == count;
      std::uint64_t& side = stride < 0 ? below : above;
      side = saturating_add(side, saturating_multiply(strided_layout::count_of(extent) - 1, magnitude(stride)));
    }
    count = saturating_multiply(count, strided_layout::count_of(extent));
  }
  const auto limit = static_cast<std::uint64_t>(rules.limit);
  const std::uint64_t span = saturating_add(saturating_add(below, above), 1);
  if (count > limit || saturating_multiply(span, element_size) > limit) {
    refuse_layout(rules, extents, strides, error);
    return false;
  }
  result.extents_ = extents;
  result.strides_ = strides;
  result.size_ = empty ? 0 : static_cast<std::int64_t>(count);
  result.lowest_ = -static_cast<std::int64_t>(below);
  result.highest_ = static_cast<std::int64_t>(above);
  result.is_row_major_ = row_major;
  return true;
}
// Makes a layout with row-major strides.
constexpr bool make_row_major(const layout_rules& rules, const index_list& extents, std::size_t element_size,
                              strided_layout& result, status& error) noexcept {
  index_list strides = extents;
  std::uint64_t stride = 1;
  for (int k = extents.size(); k-- > 0;) {
    strides[k] = saturate(stride);
    stride = saturating_multiply(stride, strided_layout::count_of(extents[k]));
  }
  return make_layout(rules, extents, strides, element_size, result, error);
}
STREW_INLINE constexpr void make_dense(strided_layout& layout) noexcept {
  std::int64_t count = 1;
  for (int k = layout.rank(); k-- > 0;) {
    layout.strides_[k] = count;
    count *= layout.extents_[k];
  }
  layout.lowest_ = 0;
  layout.highest_ = count - 1;
  layout.is_row_major_ = true;
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_VIEW_LAYOUT_HPP
