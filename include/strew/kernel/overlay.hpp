// SPDX-License-Identifier: Apache-2.0
// The overlay: one copy laid over another, in a single pass upwards through the target, so that each element is written
// once. SliceScatter out of place.
#ifndef STREW_KERNEL_OVERLAY_HPP
#define STREW_KERNEL_OVERLAY_HPP

#include <strew/kernel/copy.hpp>
#include <strew/kernel/run.hpp>
#include <strew/kernel/stream.hpp>
#include <strew/loop_nest.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::detail {

// The pass over a flat target. Everything below `done` is written; what lies between there and the next updates comes
// from data, so that consecutive gaps become one copy.
template <class T>
class overlay_pass {
 public:
  overlay_pass(T* target, const T* data, bool streaming) noexcept : output_{target, streaming}, data_{data} {}

  void fill_up_to(std::int64_t position) noexcept {
    if (position > done_) output_.write(data_ + done_, (position - done_) * element_size);
    done_ = position;
  }

  void place_contiguous(std::int64_t position, const T* updates, std::int64_t stride, std::int64_t count) noexcept {
    fill_up_to(position);
    if (stride == 1) {
      output_.write(updates, count * element_size);
    } else {
      output_.make(count * element_size,
                   [&](char* to) { copy_run(reinterpret_cast<T*>(to), 1, updates, stride, count); });
    }
    done_ = position + count;
  }

  // Updates `step` elements apart, up to the last of them and not beyond: it may end the target.
  void place_apart(std::int64_t position, std::int64_t step, const T* updates, std::int64_t stride,
                   std::int64_t count) noexcept {
    fill_up_to(position);
    const std::int64_t cells = count - 1;
    output_.produce(step * element_size, cells, [&](char* target, std::int64_t first, std::int64_t n) {
      T* const to = reinterpret_cast<T*>(target);
      const T* const from = data_ + position + first * step;
      const T* const update = updates + first * stride;
      if (!interleave(step, to, from, update, stride, n)) copy_then_overwrite(to, from, step, update, stride, n);
    });
    output_.write(updates + cells * stride, element_size);
    done_ = position + cells * step + 1;
  }

  // Contiguous blocks of `size` bytes, a compile-time constant, `step` elements apart.
  template <class Size>
  void place_blocks(std::int64_t position, std::int64_t step, const T* updates, std::int64_t stride, std::int64_t count,
                    Size size) noexcept {
    fill_up_to(position);
    constexpr auto block = static_cast<std::int64_t>(Size::value);  // bytes, as all that follows
    const std::int64_t cell = step * element_size;
    const std::int64_t update_stride = stride * element_size;
    const std::int64_t cells = count - 1;
    const char* const data = reinterpret_cast<const char*>(data_ + position);
    const char* const update_bytes = reinterpret_cast<const char*>(updates);
    if (output_.streams() && block == longest_block) {
      for (std::int64_t i = 0; i < cells; ++i) {
        output_.write(update_bytes + i * update_stride, block);
        output_.write(data + i * cell + block, cell - block);
      }
    } else {
      output_.produce(cell, cells, [&](char* to, std::int64_t first, std::int64_t n) {
        const char* const from = data + first * cell;
        const char* const update = update_bytes + first * update_stride;
        // Blocks a few of their own lengths apart are wide elements with a step.
        using wide = opaque<Size::value>;
        if (cell % block == 0 && update_stride % block == 0 &&
            interleave(cell / block, reinterpret_cast<wide*>(to), reinterpret_cast<const wide*>(from),
                       reinterpret_cast<const wide*>(update), update_stride / block, n)) {
          return;
        }
        for (std::int64_t i = 0; i < n; ++i) {
          std::memcpy(to + i * cell, update + i * update_stride, size);
          std::memcpy(to + i * cell + block, from + i * cell + block, static_cast<std::size_t>(cell - block));
        }
      });
    }
    output_.write(update_bytes + cells * update_stride, block);
    done_ = position + cells * step + block / element_size;
  }

  // Ends the pass at the end of the target.
  void finish(std::int64_t size) noexcept {
    fill_up_to(size);
    output_.finish();
  }

 private:
  static constexpr auto element_size = static_cast<std::int64_t>(sizeof(T));

  // For steps without a loop of their own: a piece of data that stays in the first-level cache, then its updates.
  static void copy_then_overwrite(T* to, const T* from, std::int64_t step, const T* updates, std::int64_t stride,
                                  std::int64_t cells) noexcept {
    constexpr std::int64_t piece_elements = 8192 / element_size;
    const std::int64_t piece = step < piece_elements ? piece_elements / step : 1;
    for (std::int64_t i = 0; i < cells; i += piece) {
      const std::int64_t n = cells - i < piece ? cells - i : piece;
      copy_contiguous(to + i * step, from + i * step, n * step);
      copy_strided(to + i * step, step, updates + i * stride, stride, n);
    }
  }

  ascending_writer output_;
  const T* data_;
  std::int64_t done_ = 0;
};

// Copies the flat plan `data` to the target, with `updates` laid over it. The updates' nest is sorted by target.
template <class T>
void run_overlay(const copy_plan& data, const copy_plan& updates, T* target, const T* data_source,
                 const T* update_source) noexcept {
  constexpr auto element_size = static_cast<std::int64_t>(sizeof(T));
  const bool streaming = should_stream(data.whole_size * element_size);
  // Positions count from the lowest element of the target.
  const std::int64_t lowest = data.first[copy_plan::target];
  overlay_pass<T> pass{target + lowest, data_source + data.first[copy_plan::source], streaming};
  const per_operand<2> first{updates.first[copy_plan::target] - lowest, updates.first[copy_plan::source]};
  const loop_nest<2>& nest = updates.nest;
  const int rank = nest.rank();
  const auto place_blocks = [&](auto size) {
    const per_operand<2>& stride = nest.strides(rank - 2);
    nest.for_each_position(2, first, [&](const per_operand<2>& at) {
      pass.place_blocks(at[copy_plan::target], stride[copy_plan::target], update_source + at[copy_plan::source],
                        stride[copy_plan::source], nest.extent(rank - 2), size);
    });
  };
  const bool has_blocks =
      rank >= 2 && nest.strides(rank - 1)[copy_plan::target] == 1 && nest.strides(rank - 1)[copy_plan::source] == 1;
  if (!has_blocks || !with_block_size<sizeof(T)>(nest.extent(rank - 1) * element_size, place_blocks)) {
    nest.for_each_run(first, [&](const per_operand<2>& at, std::int64_t count, const per_operand<2>& stride) {
      const T* const from = update_source + at[copy_plan::source];
      if (stride[copy_plan::target] == 1 || count == 1) {
        pass.place_contiguous(at[copy_plan::target], from, stride[copy_plan::source], count);
      } else {
        pass.place_apart(at[copy_plan::target], stride[copy_plan::target], from, stride[copy_plan::source], count);
      }
    });
  }
  pass.finish(data.flat_size());
  if (streaming) stream_fence();
}

// Runs `data`, then `updates` over it: in one pass where both are flat bytes, else in two.
template <class T>
constexpr void run(const copy_plan& data, const copy_plan& updates, T* target, const T* data_source,
                   const T* update_source) noexcept(assigns_without_throwing<T>) {
  if constexpr (is_opaque<T>) {
    constexpr std::int64_t least = 1024 / sizeof(T);  // in less, two simple passes are sooner done
    if (!std::is_constant_evaluated() && data.is_flat() && !updates.nest.empty() && data.flat_size() > least) {
      run_overlay(data, updates, as_opaque(target), as_opaque(data_source), as_opaque(update_source));
      return;
    }
  }
  run(data, target, data_source);
  run(updates, target, update_source);
}

}  // namespace strew::detail

#endif  // STREW_KERNEL_OVERLAY_HPP
