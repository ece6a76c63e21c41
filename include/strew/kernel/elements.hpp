// SPDX-License-Identifier: Apache-2.0
// The scatter of elements: each index names the element of its own row that one update goes to. ScatterElementsUpdate
// and ONNX Scatter.
#ifndef STREW_KERNEL_ELEMENTS_HPP
#define STREW_KERNEL_ELEMENTS_HPP

#include <strew/kernel/copy.hpp>
#include <strew/kernel/run.hpp>
#include <strew/kernel/scatter_run.hpp>
#include <strew/loop_nest.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::detail {

// Scatters all updates of one position of `outer`.
template <class T, class I>
constexpr void scatter_block(const elements_plan& plan, T* output, const I* indices, const T* updates,
                             const per_operand<3>& first) noexcept(assigns_without_throwing<T>) {
  using p = elements_plan;
  plan.block.for_each_run(first, [&](const per_operand<3>& at, std::int64_t count, const per_operand<3>& stride) {
    scatter_run(plan, output + at[p::output], updates + at[p::updates], indices + at[p::index], count, stride);
  });
}

template <class T, class I>
constexpr void run(const elements_plan& plan, T* output, const I* indices,
                   const T* updates) noexcept(assigns_without_throwing<T>) {
  plan.outer.for_each_position(0, {},
                               [&](const per_operand<3>& at) { scatter_block(plan, output, indices, updates, at); });
}

// Goes through flat row-major data block by block, upwards: copies what lies between the blocks that have updates and
// leaves those to fill_block(offsets).
template <class T, class FillBlock>
constexpr void run_in_blocks(const copy_plan& data, const elements_plan& plan, T* output, const T* data_source,
                             FillBlock&& fill_block) noexcept(assigns_without_throwing<T>) {
  std::int64_t done = 0;
  plan.outer.for_each_position(0, {}, [&](const per_operand<3>& at) {
    const std::int64_t begin = at[elements_plan::output];
    if (begin > done) copy_contiguous(output + done, data_source + done, begin - done);
    fill_block(at);
    done = begin + plan.block_size;
  });
  copy_contiguous(output + done, data_source + done, data.flat_size() - done);
}

// Runs `data`, then `plan` over it. Where data is flat and row-major, block by block, so that each is scattered into
// while it is in the cache.
template <class T, class I>
constexpr void run(const copy_plan& data, const elements_plan& plan, T* output, const T* data_source, const I* indices,
                   const T* updates) noexcept(assigns_without_throwing<T>) {
  using p = elements_plan;
  if (!data.is_row_major || plan.empty()) {
    run(data, output, data_source);
    run(plan, output, indices, updates);
    return;
  }
  run_in_blocks(data, plan, output, data_source, [&](const per_operand<3>& at) {
    copy_contiguous(output + at[p::output], data_source + at[p::output], plan.block_size);
    scatter_block(plan, output, indices, updates, at);
  });
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_ELEMENTS_HPP
