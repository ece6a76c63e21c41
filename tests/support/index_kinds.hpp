// SPDX-License-Identifier: Apache-2.0
// The eight integer types of an index as values, so that a test of all of them is compiled once.
#ifndef STREW_TESTS_SUPPORT_INDEX_KINDS_HPP
#define STREW_TESTS_SUPPORT_INDEX_KINDS_HPP

#include "wide.hpp"

#include <strew/detail/kernels/index_loops.hpp>
#include <strew/view/index.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace strew::test {

inline constexpr index_rule index_rules[] = {index_rule::strict, index_rule::wrapping};

// The documents' ranges: [0, s-1] or [-s, s-1].
inline bool is_legal(wide index, wide extent, index_rule rule) {
  return index < extent && index >= (rule == index_rule::strict ? wide{0} : -extent);
}

struct index_kind {
  const char* name;
  std::int64_t size;
  wide lowest;
  wide highest;
  void (*store)(wide value, char* to);
  wide (*load)(const char* from);
  const strew::detail::index_loops& strict;
  const strew::detail::index_loops& wrapping;

  [[nodiscard]] const strew::detail::index_loops& loops(index_rule rule) const {
    return rule == index_rule::strict ? strict : wrapping;
  }
  [[nodiscard]] bool holds(wide value) const { return value >= lowest && value <= highest; }

  // Both ends of the type, where 32 and 64 bits end, and the values around zero.
  [[nodiscard]] std::vector<wide> notable_values() const {
    std::vector<wide> candidates{lowest, lowest + 1, highest.half(), highest.half() + 1, highest - 1, highest};
    for (const int bits : {31, 32, 62, 63}) {
      for (const wide end : {-(wide{1} << bits), (wide{1} << bits) - 1, wide{1} << bits}) candidates.push_back(end);
    }
    for (int value = -10; value <= 10; ++value) candidates.push_back(value);
    std::vector<wide> result;
    for (const wide value : candidates) {
      if (holds(value)) result.push_back(value);
    }
    return result;
  }

  // The values as an array of the type, `stride` bytes apart, the first at byte `first` of so many that belong to none.
  [[nodiscard]] std::vector<char> array(const std::vector<wide>& values, std::int64_t stride, std::int64_t first,
                                        std::int64_t bytes) const {
    std::vector<char> memory(static_cast<std::size_t>(bytes), '\x5a');
    for (const wide value : values) {
      store(value, memory.data() + first);
      first += stride;
    }
    return memory;
  }
};

template <class Index>
index_kind make_index_kind(const char* name) {
  return {name,
          static_cast<std::int64_t>(sizeof(Index)),
          std::numeric_limits<Index>::min(),
          std::numeric_limits<Index>::max(),
          [](wide value, char* to) {
            const auto index = static_cast<Index>(value);
            std::memcpy(to, &index, sizeof(Index));
          },
          [](const char* from) -> wide {
            Index index;
            std::memcpy(&index, from, sizeof(Index));
            return index;
          },
          strew::detail::index_loops_of<Index, index_rule::strict>,
          strew::detail::index_loops_of<Index, index_rule::wrapping>};
}

inline const std::vector<index_kind>& index_kinds() {
  static const std::vector<index_kind> kinds{
      make_index_kind<std::int8_t>("int8"),     make_index_kind<std::int16_t>("int16"),
      make_index_kind<std::int32_t>("int32"),   make_index_kind<std::int64_t>("int64"),
      make_index_kind<std::uint8_t>("uint8"),   make_index_kind<std::uint16_t>("uint16"),
      make_index_kind<std::uint32_t>("uint32"), make_index_kind<std::uint64_t>("uint64")};
  return kinds;
}

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_INDEX_KINDS_HPP
