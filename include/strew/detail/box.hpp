// SPDX-License-Identifier: Apache-2.0
// Ranges of axes and boxes of coordinates: the parts into which a call is divided.
#ifndef STREW_DETAIL_BOX_HPP
#define STREW_DETAIL_BOX_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/view/index_list.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A range of one axis: `count` coordinates from `begin` on.
struct axis_range {
  std::int64_t begin;
  std::int64_t count;

  [[nodiscard]] constexpr bool contains(std::int64_t coordinate) const noexcept {
    return static_cast<std::uint64_t>(coordinate) - static_cast<std::uint64_t>(begin) <
           static_cast<std::uint64_t>(count);
  }
};

// A box of a tensor's coordinates: a range of each axis.
class box {
 public:
  // All coordinates of a tensor.
  constexpr explicit box(const index_list& extents) noexcept {
    if (is_constant_evaluated()) {  // where an object must be fully initialised to be copied
      for (axis_range& range : axes_) range = {0, 0};
    }
    for (int k = 0; k < extents.size(); ++k) axes_[k] = {0, extents[k]};
  }

  [[nodiscard]] constexpr const axis_range& operator[](int axis) const noexcept { return axes_[axis]; }
  constexpr void narrow(int axis, const axis_range& range) noexcept {
    axes_[axis] = range;
    is_whole_ = false;
  }
  // Whether no axis was narrowed.
  [[nodiscard]] constexpr bool is_whole() const noexcept { return is_whole_; }

 private:
  axis_range axes_[max_rank];
  bool is_whole_ = true;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_BOX_HPP
