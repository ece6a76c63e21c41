// SPDX-License-Identifier: Apache-2.0
// Operands of any layout in one block of memory, where they may overlap, and what the oracle's loops make of a call on
// them.
#ifndef STREW_TESTS_FUZZ_ARENA_HPP
#define STREW_TESTS_FUZZ_ARENA_HPP

#include "fail.hpp"
#include "support/oracle.hpp"
#include "support/random_source.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace strew::test {

// A page-aligned global: the address sanitizer sees accesses beside it.
constexpr std::size_t arena_size = 65536;
struct arena_bytes : std::array<std::byte, arena_size> {
  bool operator==(const arena_bytes& other) const { return std::memcmp(data(), other.data(), size()) == 0; }
};
inline arena_bytes& arena() {
  alignas(4096) static arena_bytes memory;
  return memory;
}

struct operand {
  std::int64_t at = 0;  // of the coordinate 0, a byte of the arena
  std::int64_t element_size = 1;
  coordinate extents;
  coordinate strides;  // in elements

  [[nodiscard]] std::byte* data() const { return arena().data() + at; }
  [[nodiscard]] std::int64_t offset(const coordinate& where) const {
    return at + offset_of(where, strides) * element_size;
  }
};

inline coordinate row_major(const coordinate& extents) {
  coordinate strides(extents.size());
  std::uint64_t stride = 1;
  for (std::size_t k = extents.size(); k-- > 0;) {
    strides[k] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(std::max<std::int64_t>(extents[k], 1));
  }
  return strides;
}

// Row-major, dense with the axes in any order in memory, or any strides.
inline coordinate draw_strides(random_source& random, const coordinate& extents) {
  coordinate strides = row_major(extents);
  switch (random.below(3)) {
    case 0:
      break;
    case 1: {
      std::uint64_t stride = 1;
      for (const std::size_t k : random.order(extents.size())) {
        strides[k] = static_cast<std::int64_t>(stride);
        stride *= static_cast<std::uint64_t>(extents[k]);
      }
      break;
    }
    default:
      for (std::int64_t& stride : strides) stride = random.mostly_between(-40, 40);
      break;
  }
  for (std::size_t k = 0; k < strides.size(); ++k) {  // that are not used, so they may have any value
    if (extents[k] < 2 && random.one_in(4)) strides[k] = random.any();
  }
  return strides;
}

inline operand draw_operand(random_source& random, std::int64_t element_size, std::int64_t alignment = 1) {
  operand result;
  result.element_size = element_size;
  result.at = random.below(static_cast<std::int64_t>(arena_size) - element_size) / alignment * alignment;
  const std::int64_t rank = random.below(5);
  const bool is_small = random.one_in(2);
  for (std::int64_t k = 0; k < rank; ++k) {
    static const std::vector<std::int64_t> some{2, 4, 12, 17, 33};
    result.extents.push_back(is_small ? random.mostly_between(0, 6) : random.pick(some));
  }
  result.strides = draw_strides(random, result.extents);
  return result;
}

// Whether all elements are in the arena, which callers have to know.
inline bool is_inside(const operand& of) {
  std::int64_t count = 1;
  for (const std::int64_t extent : of.extents) {
    if (extent < 0 || extent > 64 || (count *= extent) > 20000) return false;
  }
  std::int64_t lowest = of.at;
  std::int64_t highest = of.at + of.element_size;
  for (std::size_t k = 0; k < of.extents.size() && count > 0; ++k) {
    const std::int64_t stride = of.extents[k] > 1 ? of.strides[k] : 0;
    if (stride > 65536 || stride < -65536) return false;
    (stride < 0 ? lowest : highest) += stride * (of.extents[k] - 1) * of.element_size;
  }
  return count == 0 || (lowest >= 0 && highest <= static_cast<std::int64_t>(arena_size));
}

// Fills the arena with what is left of an input, repeated.
inline void fill_arena(random_source& random) {
  arena_bytes& memory = arena();
  std::size_t size = std::clamp<std::size_t>(random.bytes_left(), 1, memory.size());
  for (std::size_t k = 0; k < size; ++k) memory[k] = static_cast<std::byte>(random.below(256));
  for (; size < memory.size(); size *= 2) {
    std::memcpy(memory.data() + size, memory.data(), std::min(size, memory.size() - size));
  }
}

// Makes the indices of an operand legal on an axis.
inline void put_legal_indices(random_source& random, const operand& indices, std::int64_t extent) {
  std::uint64_t number = static_cast<std::uint64_t>(random.below(256));
  const std::uint64_t step = static_cast<std::uint64_t>(random.below(8));
  for_each_coordinate(indices.extents, [&](const coordinate& where) {
    const std::uint64_t legal = extent < 1 ? 0 : (number += step) % static_cast<std::uint64_t>(extent);
    std::memcpy(arena().data() + indices.offset(where), &legal, static_cast<std::size_t>(indices.element_size));
  });
}

// In row-major order; unsigned ones that are too large as the largest.
inline std::vector<std::int64_t> read_indices(const arena_bytes& memory, const operand& from, bool is_signed) {
  std::vector<std::int64_t> result;
  for_each_coordinate(from.extents, [&](const coordinate& where) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, memory.data() + from.offset(where), static_cast<std::size_t>(from.element_size));
    const auto unused = static_cast<unsigned>(64 - 8 * from.element_size);
    const auto value =
        is_signed ? static_cast<std::int64_t>(bits << unused) >> unused : static_cast<std::int64_t>(bits);
    result.push_back(!is_signed && value < 0 ? INT64_MAX : value);
  });
  return result;
}

// Compares what a call that moves elements left in the arena with what the oracle says of what was there before.
inline void check_moves(const arena_bytes& before, const operand& data, const operand& updates, const operand& output,
                        const oracle::provenance& provenance) {
  std::vector<std::int64_t> sources;
  for_each_coordinate(updates.extents, [&](const coordinate& where) { sources.push_back(updates.offset(where)); });
  arena_bytes expected = before;
  std::size_t position = 0;
  for_each_coordinate(data.extents, [&](const coordinate& where) {
    const std::int64_t update = provenance[position++];
    const std::int64_t from = update == oracle::kept ? data.offset(where) : sources[static_cast<std::size_t>(update)];
    std::memcpy(expected.data() + output.offset(where), before.data() + from,
                static_cast<std::size_t>(output.element_size));
  });
  if (expected != arena()) fail("not what the oracle says");
}

}  // namespace strew::test

#endif  // STREW_TESTS_FUZZ_ARENA_HPP
