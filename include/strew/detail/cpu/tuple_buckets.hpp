// SPDX-License-Identifier: Apache-2.0
// Tuples of indices for buckets: read as the row-major number of what each names, one block at a time, so that nothing
// need be kept of them.
#ifndef STREW_DETAIL_CPU_TUPLE_BUCKETS_HPP
#define STREW_DETAIL_CPU_TUPLE_BUCKETS_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/bucket_loops.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/cpu/targets.hpp>
#include <strew/detail/cpu/tuple_reader.hpp>
#include <strew/detail/cpu/workspace_buckets.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Tuples of which each number lies evenly apart.
struct tuple_numbers {
  int count = 0;
  const tuple_component* component = nullptr;
  std::int64_t extent[max_rank] = {};  // of the target axes
  std::int64_t stride[max_rank] = {};  // bytes from one tuple to the next
};

// See workspace_buckets.hpp.
inline const void* read_rows(const tuple_numbers& tuples, std::int64_t first, std::int64_t count, std::int64_t,
                             std::int64_t* buffer) noexcept {
  std::int64_t numbers[tuning::positions / 2];
  for (int j = 0; j < tuples.count; ++j) {
    const tuple_component& from = tuples.component[j];
    const std::int64_t extent = tuples.extent[j];
    const std::int64_t stride = tuples.stride[j];
    const unsigned found = from.leaves->check(from.data + first * stride, stride, count, extent);
    if ((found & bad_index) != 0) return nullptr;
    std::int64_t* const to = j == 0 ? buffer : numbers;
    from.leaves->read_64(from.data + first * stride, stride, count, to);
    if ((found & negative_index) != 0) wrap_targets(to, count, extent);
    for (std::int64_t i = 0; j > 0 && i < count; ++i) buffer[i] = buffer[i] * extent + numbers[i];
  }
  return buffer;
}

// See bucket_loops.hpp.
inline void sample_rows(const tuple_numbers& tuples, std::int64_t first, std::int64_t count,
                        std::int64_t* to) noexcept {
  std::int64_t number = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t row = 0;  // which may overflow where a number is illegal
    for (int j = 0; j < tuples.count; ++j) {
      const tuple_component& from = tuples.component[j];
      from.leaves->read_64(from.data + (first + i) * tuples.stride[j], tuples.stride[j], 1, &number);
      row = row * static_cast<std::uint64_t>(tuples.extent[j]) + static_cast<std::uint64_t>(number);
    }
    to[i] = static_cast<std::int64_t>(row);
  }
}

// The distance in elements of consecutive positions of a layout that holds some; false where they do not lie evenly
// apart.
constexpr bool find_even_stride(const strided_layout& layout, std::int64_t& stride) noexcept {
  std::int64_t passed = 0;  // positions of the axes from here on, or 0 where there was none of more than one
  for (int k = layout.rank(); k-- > 0;) {
    if (layout.extent(k) == 1) continue;
    if (passed == 0) {
      stride = layout.stride(k);
      passed = layout.extent(k);
    } else if (layout.stride(k) != passed * stride) {
      return false;
    } else {
      passed *= layout.extent(k);
    }
  }
  return true;
}

// The problem of a scatter into dense rows, on target axes from the first on; false where it is none. The output has
// elements.
inline bool plan_tuples(const scatter_space& space, const tuple_source& source, std::int64_t element_size,
                        bucket_series& series, tuple_numbers& tuples) noexcept {
  if (source.count < 2 || space.axes.first != 0 || !space.output.is_row_major() || !space.updates.is_row_major() ||
      space.updates.empty()) {
    return false;
  }
  std::int64_t rows = 1;
  for (int j = 0; j < source.count; ++j) {
    if (!find_even_stride(*source.component[j].layout, tuples.stride[j])) return false;
    tuples.stride[j] *= source.component[j].leaves->size;
    tuples.extent[j] = space.output.extent(j);
    rows *= tuples.extent[j];
  }
  tuples.count = source.count;
  tuples.component = source.component;
  series = {{rows, 1, source.positions().size(), space.output.size() / rows * element_size}, 1, true};
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_TUPLE_BUCKETS_HPP
