// SPDX-License-Identifier: Apache-2.0
// Tuples of indices for buckets: read as the row-major number of what each names, one block at a time, so that nothing
// need be kept of them.
#ifndef STREW_DETAIL_CPU_TUPLE_BUCKETS_HPP
#define STREW_DETAIL_CPU_TUPLE_BUCKETS_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/bucket_loops.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/cpu/index_reader.hpp>
#include <strew/detail/cpu/workspace_buckets.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Tuples of which each number lies evenly apart.
struct tuple_numbers {
  int count = 0;
  bool wraps = false;  // whether negative numbers are legal
  const erased::index_operand* component = nullptr;
  std::int64_t extent[max_rank];  // of the target axes
  std::int64_t stride[max_rank];  // bytes from one tuple to the next

  // The bytes from the lowest to the highest index of component j, of so many tuples.
  [[nodiscard]] std::int64_t bytes(int j, std::int64_t tuples) const noexcept {
    return (tuples - 1) * (stride[j] < 0 ? -stride[j] : stride[j]) + component[j].leaves->size;
  }
  [[nodiscard]] const char* lowest(int j, std::int64_t tuples) const noexcept {
    return component[j].data + (stride[j] < 0 ? (tuples - 1) * stride[j] : 0);
  }
};

// rows[i] = rows[i] * extent + number i of a component. Returns false where one is illegal. Integer: see loop_index.
template <class Integer>
bool add_numbers(const char* from, std::int64_t stride, std::int64_t count, std::int64_t extent, bool wraps,
                 std::int64_t* rows) noexcept {
  STREW_RAN("add_numbers", sizeof(Integer));
  const auto last = static_cast<std::uint64_t>(extent) - 1;
  const std::uint64_t added = wraps ? static_cast<std::uint64_t>(extent) : 0;
  std::uint64_t bad = 0;  // its highest bit
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
inline const void* read_rows(const tuple_numbers& tuples, std::int64_t first, std::int64_t count, std::int64_t,
                             std::int64_t* buffer) noexcept {
  std::int64_t numbers[tuning::positions / 2];
  for (std::int64_t i = 0; i < count; ++i) buffer[i] = 0;
  for (int j = 0; j < tuples.count; ++j) {
    const index_leaves& leaves = *tuples.component[j].leaves;
    const std::int64_t stride = tuples.stride[j];
    const char* const from = tuples.component[j].data + first * stride;
    const bool wraps = tuples.wraps && !leaves.is_unsigned;
    bool is_legal = true;
    if (leaves.size == 8) {
      is_legal = add_numbers<std::int64_t>(from, stride, count, tuples.extent[j], wraps, buffer);
    } else if (leaves.is_loop_index) {
      is_legal = add_numbers<std::int32_t>(from, stride, count, tuples.extent[j], wraps, buffer);
    } else {
      leaves.read_64(from, stride, count, numbers);
      is_legal =
          add_numbers<std::int64_t>(reinterpret_cast<const char*>(numbers), 8, count, tuples.extent[j], wraps, buffer);
    }
    if (!is_legal) return nullptr;
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
      const erased::index_operand& from = tuples.component[j];
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

// The numbers of tuples into a row-major output; false where those of some component do not lie evenly apart. There are
// some, and the output has elements.
inline bool find_tuple_numbers(const erased::request& call, tuple_numbers& tuples) noexcept {
  for (int j = 0; j < call.type.components; ++j) {
    tuples.stride[j] = 0;  // of a single tuple
    if (!find_even_stride(*call.indices[j].layout, tuples.stride[j])) return false;
    tuples.stride[j] *= call.indices[j].leaves->size;
    tuples.extent[j] = call.output.layout->extent(j);
  }
  tuples.count = call.type.components;
  tuples.wraps = call.type.rules.rule == index_rule::wrapping;
  tuples.component = call.indices;
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_TUPLE_BUCKETS_HPP
