// SPDX-License-Identifier: Apache-2.0
// Nested loops over several strided operands: built from axes, coalesced, iterated by a cursor.
#ifndef STREW_DETAIL_PLAN_LOOP_NEST_HPP
#define STREW_DETAIL_PLAN_LOOP_NEST_HPP

#include <strew/config.hpp>
#include <strew/view/layout.hpp>

#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A number for each operand: the strides of an axis, or the offsets of a position.
template <std::size_t Operands>
struct per_operand {
  std::int64_t value[Operands];

  [[nodiscard]] constexpr std::int64_t operator[](std::size_t operand) const noexcept { return value[operand]; }
  [[nodiscard]] constexpr std::int64_t& operator[](std::size_t operand) noexcept { return value[operand]; }
};

// A stride in units of a plan: bytes, or elements. The product is taken modulo 2^64, since the stride of an axis that
// is not used may have any value.
constexpr std::int64_t scaled(std::int64_t stride, std::int64_t unit) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(stride) * static_cast<std::uint64_t>(unit));
}

// The stride that an axis has in a row-major layout, in elements.
STREW_COLD constexpr std::int64_t row_major_stride(const strided_layout& layout, int axis) noexcept {
  std::int64_t stride = 1;
  for (int k = axis + 1; k < layout.rank(); ++k) stride = scaled(stride, layout.extent(k));
  return stride;
}
// The stride of an axis for loops that step along it once too often, as most do, in elements. That of an axis with one
// coordinate may have any value: it is then that of a row-major layout, by which no address leaves the tensor far.
constexpr std::int64_t step_along(const strided_layout& layout, int axis) noexcept {
  return layout.extent(axis) != 1 ? layout.stride(axis) : row_major_stride(layout, axis);
}

// Perfectly nested loops; axis 0 is the outermost. Axes of extent 1 are dropped; two adjacent axes that have a common
// stride in every operand are merged; a nest with an axis of extent 0 has no position; rank 0 is one position.
template <std::size_t Operands>
class loop_nest {
 public:
  using strides_type = per_operand<Operands>;

  struct axis {
    std::int64_t extent;
    strides_type strides;
  };

  // Adds an axis inside those added before.
  constexpr void add_inner(std::int64_t extent, const strides_type& strides) noexcept {
    if (extent == 0) empty_ = true;
    if (extent == 1 || empty_) return;
    if (rank_ > 0 && continues(rank_ - 1, extent, strides)) {
      axes_[rank_ - 1].extent *= extent;
      axes_[rank_ - 1].strides = strides;
      return;
    }
    axes_[rank_++] = {extent, strides};
  }

  // Adds an axis of another nest, whatever its extent, which the caller may change.
  constexpr void add_axis(const axis& a) noexcept { axes_[rank_++] = a; }

  // For loops whose order is free: makes the addresses of `operand` ascend, with its smallest stride innermost. Returns
  // by how much each operand's first position moved, since axes with a negative stride are reversed.
  STREW_SMALL constexpr strides_type sort_by(std::size_t operand) noexcept {
    strides_type moved{};
    bool in_order = true;
    for (int k = 0; k < rank_; ++k) {
      axis& a = axes_[k];
      if (a.strides[operand] < 0) {
        for (std::size_t i = 0; i < Operands; ++i) {
          moved[i] += (a.extent - 1) * a.strides[i];
          a.strides[i] = -a.strides[i];
        }
        in_order = false;
      }
      in_order = in_order && (k == 0 || axes_[k - 1].strides[operand] >= a.strides[operand]);
    }
    if (in_order) return moved;
    for (int k = 1; k < rank_; ++k) {  // a stable insertion sort: ranks are small and mostly in order
      const axis a = axes_[k];
      int to = k;
      for (; to > 0 && axes_[to - 1].strides[operand] < a.strides[operand]; --to) axes_[to] = axes_[to - 1];
      axes_[to] = a;
    }
    const int unmerged = rank_;
    rank_ = 0;
    for (int k = 0; k < unmerged; ++k) {  // in place: never writes beyond the axis that it reads
      const axis a = axes_[k];
      add_inner(a.extent, a.strides);
    }
    return moved;
  }

  // For loops whose order is free: puts the loop of the least cost innermost, the others by descending cost; `cost` has
  // one for each axis.
  constexpr void sort_by_cost(std::int64_t* cost) noexcept {
    for (int k = 1; k < rank_; ++k) {
      for (int to = k; to > 0 && cost[to - 1] < cost[to]; --to) {
        const std::int64_t own = cost[to];
        cost[to] = cost[to - 1];
        cost[to - 1] = own;
        exchange(to - 1, to);
      }
    }
  }

  // For loops whose order is free: exchanges two of them.
  constexpr void exchange(int k, int m) noexcept {
    const axis a = axes_[k];
    axes_[k] = axes_[m];
    axes_[m] = a;
  }

  // Shortens axis k.
  constexpr void set_extent(int k, std::int64_t extent) noexcept {
    axes_[k].extent = extent;
    if (extent == 0) empty_ = true;
  }

  [[nodiscard]] constexpr int rank() const noexcept { return rank_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return empty_; }
  [[nodiscard]] constexpr const axis& operator[](int k) const noexcept { return axes_[k]; }
  // The innermost axis; for rank 0 an axis of one position.
  [[nodiscard]] constexpr axis innermost() const noexcept { return rank_ == 0 ? axis{1, {}} : axes_[rank_ - 1]; }
  // The one around it, for ranks below 2 one of one position.
  [[nodiscard]] constexpr axis second() const noexcept { return rank_ < 2 ? axis{1, {}} : axes_[rank_ - 2]; }

 private:
  // Whether an axis inside axis k can be merged with it, for every operand. The products are taken modulo 2^64; spans
  // of layouts are too short for different strides to become equal.
  [[nodiscard]] constexpr bool continues(int k, std::int64_t extent, const strides_type& strides) const noexcept {
    for (std::size_t i = 0; i < Operands; ++i) {
      if (axes_[k].strides[i] != scaled(strides[i], extent)) return false;
    }
    return true;
  }

  int rank_ = 0;
  bool empty_ = false;
  axis axes_[max_rank];
};

// Iterates over the positions of all axes of a nest but the `inner` innermost ones, in row-major order, by additions
// only. The nest must outlive the cursor.
//
//   for (nest_cursor<2> at(nest, 1, first); !at.done(); at.next()) run(to + at[0], from + at[1]);
template <std::size_t Operands>
class nest_cursor {
 public:
  constexpr nest_cursor(const loop_nest<Operands>& nest, int inner, const per_operand<Operands>& first) noexcept
      : nest_{&nest}, outer_{nest.rank() > inner ? nest.rank() - inner : 0}, done_{nest.empty()}, at_{first} {
    if constexpr (max_rank == 1) left_[0] = 0;  // otherwise g++ warns that it is uninitialised for outer_ = 0
    for (int k = 0; k < outer_; ++k) left_[k] = nest[k].extent;
  }

  [[nodiscard]] constexpr bool done() const noexcept { return done_; }
  // The offset of the position in an operand.
  [[nodiscard]] constexpr std::int64_t operator[](std::size_t operand) const noexcept { return at_[operand]; }
  [[nodiscard]] constexpr const per_operand<Operands>& position() const noexcept { return at_; }

  // Skips `count` positions from the first one; there are more than that.
  constexpr void skip(std::int64_t count) noexcept {
    for (int k = outer_; k-- > 0 && count > 0;) {
      const typename loop_nest<Operands>::axis& a = (*nest_)[k];
      const std::int64_t steps = count % a.extent;
      count /= a.extent;
      for (std::size_t i = 0; i < Operands; ++i) at_[i] += steps * a.strides[i];
      left_[k] -= steps;
    }
  }
  constexpr void next() noexcept {
    if (outer_ == 0 || --left_[outer_ - 1] == 0) return carry();
    for (std::size_t i = 0; i < Operands; ++i) at_[i] += (*nest_)[outer_ - 1].strides[i];
  }

 private:
  // Continues at the end of the innermost of the outer axes.
  STREW_NOINLINE constexpr void carry() noexcept {
    for (int k = outer_ - 1; k >= 0; --k) {
      const typename loop_nest<Operands>::axis& a = (*nest_)[k];
      if (k < outer_ - 1 && --left_[k] > 0) {
        for (std::size_t i = 0; i < Operands; ++i) at_[i] += a.strides[i];
        return;
      }
      left_[k] = a.extent;
      for (std::size_t i = 0; i < Operands; ++i) at_[i] -= (a.extent - 1) * a.strides[i];
    }
    done_ = true;
  }

  const loop_nest<Operands>* nest_;
  int outer_;
  bool done_;
  per_operand<Operands> at_;
  std::int64_t left_[max_rank];  // positions left on each outer axis, including the current one
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_PLAN_LOOP_NEST_HPP
