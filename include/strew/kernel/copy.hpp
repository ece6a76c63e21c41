// SPDX-License-Identifier: Apache-2.0
// The strided copy: one operand onto another, run by run. SliceScatter is nothing else; the others begin with it.
#ifndef STREW_KERNEL_COPY_HPP
#define STREW_KERNEL_COPY_HPP

#include <strew/kernel/run.hpp>
#include <strew/loop_nest.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::detail {

// What to copy: positions of the target (operand 0) and of the source (operand 1), in elements from the operands' first
// ones. The order of the copies is free, since the target's elements are distinct.
struct copy_plan {
  static constexpr std::size_t target = 0;
  static constexpr std::size_t source = 1;

  loop_nest<2> nest;
  per_operand<2> first{};
  std::int64_t whole_size = 0;  // elements of the whole output, of which the plan may be a part
  bool is_row_major = false;    // flat (see below), and in the row-major order of the operands' coordinates

  // Chooses the loop order: upwards through the target's memory.
  constexpr void finish() noexcept {
    is_row_major = is_flat();
    const per_operand<2> moved = nest.sort_by(target);
    for (std::size_t i = 0; i < 2; ++i) first[i] += moved[i];
  }

  // Whether target and source are two arrays of one order without gaps: element i of the one goes to element i of the
  // other.
  [[nodiscard]] constexpr bool is_flat() const noexcept {
    return !nest.empty() &&
           (nest.rank() == 0 || (nest.rank() == 1 && nest.strides(0)[target] == 1 && nest.strides(0)[source] == 1));
  }
  [[nodiscard]] constexpr std::int64_t flat_size() const noexcept { return nest.rank() == 0 ? 1 : nest.extent(0); }
};

// Runs the nest of a copy_plan from the given elements on.
template <class T>
constexpr void copy_nest(const loop_nest<2>& nest, T* to, const T* from) noexcept(assigns_without_throwing<T>) {
  constexpr std::size_t target = copy_plan::target;
  constexpr std::size_t source = copy_plan::source;
  nest.for_each_run({}, [=](const per_operand<2>& at, std::int64_t count, const per_operand<2>& stride) {
    copy_run(to + at[target], stride[target], from + at[source], stride[source], count);
  });
}

// As copy_nest, for elements of `element_size` bytes, where the innermost runs are contiguous blocks of a size that a
// few moves copy. Returns false, and does nothing, where they are not.
template <std::size_t ElementSize>
bool copy_nest_of_blocks(const loop_nest<2>& nest, char* to, const char* from) noexcept {
  constexpr auto element_size = static_cast<std::int64_t>(ElementSize);
  constexpr std::size_t target = copy_plan::target;
  constexpr std::size_t source = copy_plan::source;
  const int rank = nest.rank();
  if (rank < 2 || nest.strides(rank - 1)[target] != 1 || nest.strides(rank - 1)[source] != 1) return false;
  const std::int64_t count = nest.extent(rank - 2);
  const std::int64_t to_stride = nest.strides(rank - 2)[target] * element_size;
  const std::int64_t from_stride = nest.strides(rank - 2)[source] * element_size;
  return with_block_size<ElementSize>(nest.extent(rank - 1) * element_size, [&](auto size) {
    nest.for_each_position(2, {}, [&](const per_operand<2>& at) {
      copy_blocks(to + at[target] * element_size, to_stride, from + at[source] * element_size, from_stride, count,
                  size);
    });
  });
}

template <class T>
constexpr void run(const copy_plan& plan, T* to, const T* from) noexcept(assigns_without_throwing<T>) {
  if (plan.nest.empty()) return;  // then there may be no memory to point into
  to += plan.first[copy_plan::target];
  from += plan.first[copy_plan::source];
  if constexpr (is_opaque<T>) {
    if (!std::is_constant_evaluated()) {
      if (!copy_nest_of_blocks<sizeof(T)>(plan.nest, reinterpret_cast<char*>(to),
                                          reinterpret_cast<const char*>(from))) {
        copy_nest(plan.nest, as_opaque(to), as_opaque(from));
      }
      return;
    }
  }
  copy_nest(plan.nest, to, from);
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_COPY_HPP
