// SPDX-License-Identifier: Apache-2.0
// Multi-indices for buckets: converted to row-major numbers, one block at a time, so that they need no memory.
#ifndef STREW_DETAIL_KERNELS_MULTI_INDEX_BUCKETS_HPP
#define STREW_DETAIL_KERNELS_MULTI_INDEX_BUCKETS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/bucket_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/workspace_buckets.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Multi-indices each of whose components is equidistant in memory.
struct multi_index_numbers {
  int count = 0;
  bool wraps = false;  // whether negative indices are legal
  const erased::index_operand* component = nullptr;
  std::int64_t extent[max_rank];  // of the target axes
  std::int64_t stride[max_rank];  // bytes from one multi-index to the next

  // The bytes from the lowest to the highest index of component j of `multi_indices` multi-indices.
  [[nodiscard]] std::int64_t bytes(int j, std::int64_t multi_indices) const noexcept {
    return (multi_indices - 1) * (stride[j] < 0 ? -stride[j] : stride[j]) + component[j].loops->size;
  }
  [[nodiscard]] const char* lowest(int j, std::int64_t multi_indices) const noexcept {
    return component[j].data + (stride[j] < 0 ? (multi_indices - 1) * stride[j] : 0);
  }
};

// rows[i] = rows[i] * extent + index i of a component. Returns false if an index is illegal. Integer: see
// canonical_index.
template <class Integer>
bool add_numbers(const char* from, std::int64_t stride, std::int64_t count, std::int64_t extent, bool wraps,
                 std::int64_t* rows) noexcept {
  STREW_RAN("add_numbers", sizeof(Integer));
  const auto last = static_cast<std::uint64_t>(extent) - 1;
  const std::uint64_t added = wraps ? static_cast<std::uint64_t>(extent) : 0;
  std::uint64_t bad = 0;  // the highest bit: an index is illegal
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t number = load<Integer>(from + i * stride);
    const auto place = static_cast<std::uint64_t>(number) + (number < 0 ? added : 0);
    bad |= place | (last - place);
    rows[i] =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(rows[i]) * static_cast<std::uint64_t>(extent) + place);
  }
  return static_cast<std::int64_t>(bad) >= 0;
}

// See workspace_buckets.hpp.
inline const void* read_rows(const multi_index_numbers& multi_indices, std::int64_t first, std::int64_t count,
                             std::int64_t, std::int64_t* buffer) noexcept {
  std::int64_t numbers[tuning::positions / 2];
  for (std::int64_t i = 0; i < count; ++i) buffer[i] = 0;
  for (int j = 0; j < multi_indices.count; ++j) {
    const index_loops& loops = *multi_indices.component[j].loops;
    const std::int64_t stride = multi_indices.stride[j];
    const char* const from = multi_indices.component[j].data + first * stride;
    const bool wraps = multi_indices.wraps && !loops.is_unsigned;
    bool is_legal = true;
    if (loops.size == 8) {
      is_legal = add_numbers<std::int64_t>(from, stride, count, multi_indices.extent[j], wraps, buffer);
    } else if (loops.is_canonical_index) {
      is_legal = add_numbers<std::int32_t>(from, stride, count, multi_indices.extent[j], wraps, buffer);
    } else {
      loops.read_64(from, stride, count, numbers);
      is_legal = add_numbers<std::int64_t>(reinterpret_cast<const char*>(numbers), 8, count, multi_indices.extent[j],
                                           wraps, buffer);
    }
    if (!is_legal) return nullptr;
  }
  return buffer;
}

// See bucket_loops.hpp.
inline void sample_rows(const multi_index_numbers& multi_indices, std::int64_t first, std::int64_t count,
                        std::int64_t* to) noexcept {
  std::int64_t number = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::uint64_t row = 0;  // may overflow if an index is illegal
    for (int j = 0; j < multi_indices.count; ++j) {
      const erased::index_operand& from = multi_indices.component[j];
      from.loops->read_64(from.data + (first + i) * multi_indices.stride[j], multi_indices.stride[j], 1, &number);
      row = row * static_cast<std::uint64_t>(multi_indices.extent[j]) + static_cast<std::uint64_t>(number);
    }
    to[i] = static_cast<std::int64_t>(row);
  }
}

// Finds the distance in elements of consecutive positions of a layout that is not empty. Returns false if they are not
// equidistant.
constexpr bool find_even_stride(const strided_layout& layout, std::int64_t& stride) noexcept {
  std::int64_t passed = 0;  // positions of the axes from here on; 0 if all had one
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

// The components of multi-indices into a row-major output. Returns false if those of some component are not
// equidistant. Neither indices nor output are empty.
constexpr bool find_multi_index_numbers(const erased::request& call, multi_index_numbers& multi_indices) noexcept {
  for (int j = 0; j < call.type.components; ++j) {
    multi_indices.stride[j] = 0;  // of a single multi-index
    if (!find_even_stride(*call.indices[j].layout, multi_indices.stride[j])) return false;
    multi_indices.stride[j] *= call.indices[j].loops->size;
    multi_indices.extent[j] = call.output.layout->extent(j);
  }
  multi_indices.count = call.type.components;
  multi_indices.wraps = call.type.rules.rule == index_rule::wrapping;
  multi_indices.component = call.indices;
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_MULTI_INDEX_BUCKETS_HPP
