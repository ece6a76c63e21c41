// SPDX-License-Identifier: Apache-2.0
// tensor_view<T>: a pointer, extents and strides. The type of all operands.
#ifndef STREW_VIEW_TENSOR_VIEW_HPP
#define STREW_VIEW_TENSOR_VIEW_HPP

#include <strew/config.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

template <element T>
class tensor_view;

namespace detail::inline STREW_CODE {

STREW_COLD constexpr status null_data(const index_list& extents) noexcept {
  return {errc::null_data, "tensor_view", "data", " is null, but extents {c} hold elements", {}, extents};
}
// The error of a row-major view that could not be made.
STREW_COLD constexpr status find_mistake_of_view(const index_list& extents, std::size_t element_size) noexcept {
  status error;
  strided_layout unused;
  return make_row_major({}, extents, element_size, unused, error) ? null_data(extents) : error;
}
[[noreturn]] STREW_COLD inline void raise_mistake_of_view(const index_list& extents, std::size_t element_size) {
  raise(find_mistake_of_view(extents, element_size));
}

// A row-major view, made in place. On an error a view without elements; the first error is kept.
template <element T>
constexpr tensor_view<T> view_row_major(T* data, const index_list& extents, status& error) noexcept;

}  // namespace detail

// A non-owning view of a tensor: a pointer to the element at coordinate 0, extents, and strides in elements (positive,
// negative or zero). The rank, from 0 to max_rank, is known at run time. Cheap to copy (about 330 bytes, no heap); a
// copy is a view of the same elements. tensor_view<T> converts to tensor_view<const T>.
//
//   tensor_view matrix{data, {2, 3}};            // row-major: strides {3, 1}
//   tensor_view columns{data, {3, 2}, {1, 3}};   // the same elements, transposed
//   matrix(1, 2) = 4.0f;
template <element T>
class tensor_view {
 public:
  using element_type = T;
  using value_type = std::remove_const_t<T>;

  // Rank 1, extent 0: no elements.
  constexpr tensor_view() noexcept = default;

  // Row-major strides. Throws scatter_error: too_many_axes, negative_extent, size_overflow, null_data. O(rank).
  STREW_KEYED constexpr tensor_view(T* data, const index_list& extents)
      : data_{data}, layout_(strided_layout::unset_tag{}) {
    if (!strided_layout::fill_row_major(data, extents, sizeof(T), layout_)) {
      detail::raise_mistake_of_view(extents, sizeof(T));
    }
  }

  // `strides` in elements, one per axis. Throws scatter_error: those above, rank_mismatch. O(rank).
  STREW_KEYED constexpr tensor_view(T* data, const index_list& extents, const index_list& strides)
      : data_{data}, layout_(strided_layout::unset_tag{}) {
    status error;
    if (!detail::make_layout({}, extents, strides, sizeof(T), layout_, error)) detail::raise(error);
    if (data == nullptr && !layout_.empty()) detail::raise(detail::null_data(extents));
  }

  // Extents and strides must be braced: integers alone do not compile.
  template <index_integer First, index_integer Second, index_integer... More>
  constexpr tensor_view(T*, First, Second, More...) {
    detail::explain<detail::none_if(std::is_void_v<First>, detail::mistake::bare_extents)>();
  }
  template <index_integer First, index_integer Second>
  static constexpr status try_make(T*, First, Second, tensor_view&) noexcept {
    detail::explain<detail::none_if(std::is_void_v<First>, detail::mistake::bare_extents)>();
    return {};
  }

  // The constructors without exceptions: return what they throw; on an error `result` stays as it was.
  STREW_KEYED static constexpr status try_make(T* data, const index_list& extents, tensor_view& result) noexcept {
    status error;
    const tensor_view made(data, extents, error);
    if (error.ok()) result = made;
    return error;
  }
  STREW_KEYED static constexpr status try_make(T* data, const index_list& extents, const index_list& strides,
                                               tensor_view& result) noexcept {
    strided_layout checked;
    const status outcome = strided_layout::try_make(extents, strides, sizeof(T), checked);
    return outcome.ok() ? try_bind(data, checked, result) : outcome;
  }
  // A view with a layout that was checked for elements of this size. Error: null_data. O(1).
  STREW_KEYED static constexpr status try_bind(T* data, const strided_layout& checked, tensor_view& result) noexcept {
    if (data == nullptr && !checked.empty()) return detail::null_data(checked.extents());
    result.data_ = data;
    result.layout_ = checked;
    return {};
  }

  // This view for reading only.
  STREW_KEYED constexpr operator tensor_view<const T>() const noexcept requires(!std::is_const_v<T>) {
    tensor_view<const T> view;
    static_cast<void>(tensor_view<const T>::try_bind(data_, layout_, view));
    return view;
  }

  // The address of the element at coordinate 0, which need not be the lowest one.
  [[nodiscard]] constexpr T* data() const noexcept { return data_; }
  [[nodiscard]] constexpr const strided_layout& layout() const noexcept { return layout_; }
  [[nodiscard]] constexpr int rank() const noexcept { return layout_.rank(); }
  [[nodiscard]] constexpr const index_list& extents() const noexcept { return layout_.extents(); }
  [[nodiscard]] constexpr const index_list& strides() const noexcept { return layout_.strides(); }
  // 0 <= axis < rank.
  [[nodiscard]] constexpr std::int64_t extent(int axis) const noexcept { return layout_.extent(axis); }
  [[nodiscard]] constexpr std::int64_t stride(int axis) const noexcept { return layout_.stride(axis); }
  // The number of elements: the product of the extents, 1 for rank 0.
  [[nodiscard]] constexpr std::int64_t size() const noexcept { return layout_.size(); }
  [[nodiscard]] constexpr bool empty() const noexcept { return layout_.empty(); }

  // The element at a coordinate, one index in [0, extent - 1] per axis; checked by STREW_ASSERT only. O(rank).
  template <index_integer... Index>
  STREW_KEYED [[nodiscard]] constexpr T& operator()(Index... coordinate) const noexcept {
    return (*this)[index_list{coordinate...}];
  }
  STREW_KEYED [[nodiscard]] constexpr T& operator[](const index_list& coordinate) const noexcept {
    return data_[layout_.offset(coordinate)];
  }

  // As operator(), checked. Throws scatter_error: rank_mismatch, index_out_of_bounds (also for negative indices).
  // O(rank).
  template <index_integer... Index>
  STREW_KEYED [[nodiscard]] constexpr T& at(Index... coordinate) const {
    return at(index_list{coordinate...});
  }
  STREW_KEYED [[nodiscard]] constexpr T& at(const index_list& coordinate) const {
    if (!layout_.contains(coordinate)) detail::raise(not_contained(coordinate));
    return (*this)[coordinate];
  }

 private:
  friend constexpr tensor_view detail::view_row_major<T>(T* data, const index_list& extents, status& error) noexcept;

  // For view_row_major.
  STREW_KEYED constexpr tensor_view(T* data, const index_list& extents, status& error) noexcept
      : data_{data}, layout_(strided_layout::unset_tag{}) {
    if (strided_layout::fill_row_major(data, extents, sizeof(T), layout_)) return;
    if (error.ok()) error = detail::find_mistake_of_view(extents, sizeof(T));
    *this = tensor_view();
  }
  STREW_KEYED STREW_COLD constexpr status not_contained(const index_list& coordinate) const noexcept {
    constexpr const char* operation = "tensor_view::at";
    constexpr const char* operand = "coordinate";
    if (coordinate.size() != rank() || coordinate.overflowed()) {
      const char* const text = coordinate.overflowed() ? " has more than {0} entries, expected {1} (the rank)"
                                                       : " has length {0}, expected {1} (the rank)";
      return {errc::rank_mismatch, operation, operand, text, {coordinate.size(), rank()}};
    }
    int axis = 0;
    while (coordinate[axis] >= 0 && coordinate[axis] < extent(axis)) ++axis;
    const char* const text = extent(axis) == 0 ? " {c} has index {0} on axis {1}, which has extent 0"
                                               : " {c} has index {0} on axis {1}, outside [0, {2}]";
    status error{
        errc::index_out_of_bounds, operation, operand, text, {coordinate[axis], axis, extent(axis) - 1}, coordinate};
    error.set_first_number(coordinate.printed(axis));
    return error;
  }

  T* data_ = nullptr;
  strided_layout layout_;
};
// What a copy deduces without it, too. With a guide clang does not doubt that tensor_view{data, extents} is meant
// (-Wctad-maybe-unsupported).
template <element T>
tensor_view(tensor_view<T>) -> tensor_view<T>;

namespace detail::inline STREW_CODE {

template <element T>
constexpr tensor_view<T> view_row_major(T* data, const index_list& extents, status& error) noexcept {
  return {data, extents, error};
}

}  // namespace detail

}  // namespace strew

#endif  // STREW_VIEW_TENSOR_VIEW_HPP
