// SPDX-License-Identifier: Apache-2.0
// Loops over several strided operands at once: built from axes, coalesced, walked one innermost run at a time.
#ifndef STREW_LOOP_NEST_HPP
#define STREW_LOOP_NEST_HPP

#include <strew/config.hpp>
#include <strew/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::detail {

// One number an operand: the strides of an axis, or the offsets of a position.
template <std::size_t Operands>
struct per_operand {
  std::int64_t value[Operands];

  [[nodiscard]] constexpr std::int64_t operator[](std::size_t operand) const noexcept { return value[operand]; }
  [[nodiscard]] constexpr std::int64_t& operator[](std::size_t operand) noexcept { return value[operand]; }
};

// Perfectly nested loops; axis 0 is the outermost. Laws: axes of extent 1 vanish; two neighbours that every operand
// crosses with one stride are a single axis; a nest with an axis of extent 0 does nothing; rank 0 is one position.
template <std::size_t Operands>
class loop_nest {
 public:
  using strides_type = per_operand<Operands>;

  // Puts an axis inside all that were added so far.
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

  // For loops whose order is free: makes `operand` walk upwards in memory, its smallest stride innermost. Returns how
  // far each operand's first position moved, since an axis that ran downwards now starts at its other end.
  constexpr strides_type sort_by(std::size_t operand) noexcept {
    strides_type moved{};
    for (int k = 0; k < rank_; ++k) {
      axis& a = axes_[k];
      if (a.strides[operand] >= 0) continue;
      for (std::size_t i = 0; i < Operands; ++i) {
        moved[i] += (a.extent - 1) * a.strides[i];
        a.strides[i] = -a.strides[i];
      }
    }
    for (int k = 1; k < rank_; ++k) {  // a stable insertion sort: ranks are small and mostly in order
      const axis a = axes_[k];
      int to = k;
      for (; to > 0 && axes_[to - 1].strides[operand] < a.strides[operand]; --to) axes_[to] = axes_[to - 1];
      axes_[to] = a;
    }
    const int unmerged = rank_;
    rank_ = 0;
    for (int k = 0; k < unmerged; ++k) {  // in place: never writes past the axis it reads
      const axis a = axes_[k];
      add_inner(a.extent, a.strides);
    }
    return moved;
  }

  // Cuts axis k short.
  constexpr void set_extent(int k, std::int64_t extent) noexcept {
    axes_[k].extent = extent;
    if (extent == 0) empty_ = true;
  }

  [[nodiscard]] constexpr int rank() const noexcept { return rank_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return empty_; }
  [[nodiscard]] constexpr std::int64_t extent(int k) const noexcept { return axes_[k].extent; }
  [[nodiscard]] constexpr const strides_type& strides(int k) const noexcept { return axes_[k].strides; }

  // Calls body(offsets) for each position of all axes but the `inner` innermost ones, in row-major order. Additions
  // only: no division, no multiplication but to step back. inner <= rank.
  template <class Body>
  constexpr void for_each_position(int inner, strides_type offsets, Body&& body) const {
    if (empty_) return;
    const int outer = rank_ - inner;
    std::int64_t left[max_rank];  // on each axis, the current position included
    for (int k = 0; k < outer; ++k) left[k] = axes_[k].extent;
    for (;;) {
      body(offsets);
      int k = outer - 1;
      for (; k >= 0; --k) {
        const axis& a = axes_[k];
        if (--left[k] > 0) {
          for (std::size_t i = 0; i < Operands; ++i) offsets[i] += a.strides[i];
          break;
        }
        left[k] = a.extent;
        for (std::size_t i = 0; i < Operands; ++i) offsets[i] -= (a.extent - 1) * a.strides[i];
      }
      if (k < 0) return;
    }
  }

  // Calls body(offsets, extent, strides) for each run along the innermost axis, in row-major order; `offsets` are those
  // of the run's first position. A nest of rank 0 is one run of extent 1.
  template <class Body>
  constexpr void for_each_run(strides_type offsets, Body&& body) const {
    if (rank_ == 0) {
      if (!empty_) body(offsets, std::int64_t{1}, strides_type{});
      return;
    }
    const axis& inner = axes_[rank_ - 1];
    for_each_position(1, offsets, [&](const strides_type& at) { body(at, inner.extent, inner.strides); });
  }

 private:
  struct axis {
    std::int64_t extent;
    strides_type strides;
  };

  // Whether an axis inside axis k goes on where that one's steps leave off, for every operand. The products are taken
  // modulo 2^64; a layout's spans are too short for two different strides to meet there.
  [[nodiscard]] constexpr bool continues(int k, std::int64_t extent, const strides_type& strides) const noexcept {
    for (std::size_t i = 0; i < Operands; ++i) {
      if (static_cast<std::uint64_t>(axes_[k].strides[i]) !=
          static_cast<std::uint64_t>(strides[i]) * static_cast<std::uint64_t>(extent)) {
        return false;
      }
    }
    return true;
  }

  int rank_ = 0;
  bool empty_ = false;
  axis axes_[max_rank];
};

// Calls body(stride) with a stride of 1 as a compile-time constant, so that its loop becomes a contiguous one.
template <class Body>
constexpr void with_stride(std::int64_t stride, Body&& body) {
  if (stride == 1) {
    body(std::integral_constant<std::int64_t, 1>{});
  } else {
    body(stride);
  }
}

}  // namespace strew::detail

#endif  // STREW_LOOP_NEST_HPP
