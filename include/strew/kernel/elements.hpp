// SPDX-License-Identifier: Apache-2.0
// The scatter of elements: each index names the element of its own lane that one update goes to. ScatterElementsUpdate
// and ONNX Scatter.
#ifndef STREW_KERNEL_ELEMENTS_HPP
#define STREW_KERNEL_ELEMENTS_HPP

#include <strew/kernel/copy.hpp>
#include <strew/kernel/run.hpp>
#include <strew/kernel/scatter_run.hpp>
#include <strew/kernel/scratch.hpp>
#include <strew/kernel/stream.hpp>
#include <strew/kernel/tiles.hpp>
#include <strew/loop_nest.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::detail {

// Scatters the updates of the lanes at one position of `outer`.
template <class T, class I>
constexpr void scatter_lanes(const elements_plan& plan, T* output, const I* indices, const T* updates,
                             const per_operand<4>& first) noexcept(assigns_without_throwing<T>) {
  using p = elements_plan;
  T* const to = output + first[p::output];
  if (plan.inner.rank() == 0) {
    if (plan.inner.empty()) return;
    scatter_run(plan.axis, to, 0, updates + first[p::updates], plan.update_stride, indices + first[p::index],
                plan.index_stride, plan.count);
    return;
  }
  for (std::int64_t i = 0; i < plan.count; ++i) {
    const T* const from = updates + first[p::updates] + i * plan.update_stride;
    const I* const index = indices + first[p::index] + i * plan.index_stride;
    plan.inner.for_each_run({}, [&](const per_operand<4>& at, std::int64_t count, const per_operand<4>& stride) {
      scatter_run(plan.axis, to + at[p::output], stride[p::output], from + at[p::updates], stride[p::updates],
                  index + at[p::index], stride[p::index], count);
    });
  }
}

template <class T, class I>
constexpr void scatter_elements(const elements_plan& plan, T* output, const I* indices,
                                const T* updates) noexcept(assigns_without_throwing<T>) {
  plan.outer.for_each_position(0, plan.first,
                               [&](const per_operand<4>& at) { scatter_lanes(plan, output, indices, updates, at); });
}

// Goes through flat row-major data block by block, upwards, a block being what one position of `outer` may write, and
// scatters into it while it is in the cache.
template <class T, class I>
void run_in_blocks(const copy_plan& data, const elements_plan& plan, T* output, const T* data_source, const I* indices,
                   const T* updates) noexcept {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const std::int64_t first = plan.first[elements_plan::output];
  copy_ahead blocks{reinterpret_cast<char*>(output + data.first[copy_plan::target]),
                    reinterpret_cast<const char*>(data_source + data.first[copy_plan::source]),
                    data.flat_size() * size};
  plan.outer.for_each_position(0, plan.first, [&](const per_operand<4>& at) {
    blocks.up_to((at[elements_plan::output] - first + plan.block_size) * size);
    scatter_lanes(plan, output, indices, updates, at);
  });
  blocks.finish();
}

// Whether the plan seems to hold one index for all lanes inside the axis: an index tensor that was broadcast. Then its
// runs are copies. Looks at the first and the last run; the plan is not empty.
template <class I>
constexpr bool seems_broadcast(const elements_plan& plan, const I* indices) noexcept {
  constexpr std::size_t index = elements_plan::index;
  const int rank = plan.inner.rank();
  if (rank == 0) return false;
  const I* const first = indices + plan.first[index];
  const I* const last = first + (plan.count - 1) * plan.index_stride;
  const std::int64_t count = plan.inner.extent(rank - 1);
  const std::int64_t stride = plan.inner.strides(rank - 1)[index];
  return all_equal(first, stride, count) && all_equal(last, stride, count);
}

// Copies data and scatters over it, in the way that suits the plan. Returns false, and does nothing, where that is to
// do one after the other.
template <class T, class I>
bool copy_and_scatter(const copy_plan& data, const elements_plan& plan, T* output, const T* data_source,
                      const I* indices, const T* updates, const scratch& memory) noexcept {
  if (plan.empty()) return false;
  if (plan.suits_tiles(sizeof(T)) && !seems_broadcast(plan, indices) &&
      run_in_tiles(plan, output, data_source, indices, updates, memory)) {
    return true;
  }
  if (!data.is_row_major) return false;
  run_in_blocks(data, plan, output, data_source, indices, updates);
  return true;
}

// Runs the plan alone: in place.
template <class T, class I>
constexpr void run(const elements_plan& plan, T* output, const I* indices,
                   const T* updates) noexcept(assigns_without_throwing<T>) {
  if (plan.empty()) return;
  if constexpr (is_opaque<T>) {
    if (!std::is_constant_evaluated()) {
      scatter_elements(plan, as_opaque(output), indices, as_opaque(updates));
      return;
    }
  }
  scatter_elements(plan, output, indices, updates);
}

// Runs `data`, then `plan` over it.
template <class T, class I>
constexpr void run(const copy_plan& data, const elements_plan& plan, T* output, const T* data_source, const I* indices,
                   const T* updates, const scratch& memory) noexcept(assigns_without_throwing<T>) {
  if constexpr (is_opaque<T>) {
    if (!std::is_constant_evaluated() &&
        copy_and_scatter(data, plan, as_opaque(output), as_opaque(data_source), indices, as_opaque(updates), memory)) {
      return;
    }
  }
  run(data, output, data_source);
  run(plan, output, indices, updates);
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_ELEMENTS_HPP
