// SPDX-License-Identifier: Apache-2.0
// The rules for the numbers of the updates that won: their extents, their type, and what they share memory with.
#ifndef STREW_DETAIL_RULES_CHECK_POSITIONS_HPP
#define STREW_DETAIL_RULES_CHECK_POSITIONS_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/status.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace erased {

// The numbers of the updates that won, as an operand. See call_type::has_numbers.
struct numbers_operand {
  char* data;
  const strided_layout* layout;
  std::int64_t size;  // bytes of an integer
  bool is_unsigned;
};

}  // namespace erased

namespace detail::inline STREW_CODE {

// The largest count of numbers, from 0 on, that integers hold beside -1, which for unsigned ones is their largest
// value. No count is larger than that of 64 bits.
constexpr std::int64_t most_numbers(std::int64_t size, bool is_unsigned) noexcept {
  const int bits = static_cast<int>(size) * 8 - (is_unsigned ? 0 : 1);
  if (bits >= 63) return int64_max;
  return (std::int64_t{1} << bits) - (is_unsigned ? 1 : 0);
}

constexpr bool check_count_of_numbers(const operation_rules& rules, std::int64_t count, std::int64_t most,
                                      status& error) noexcept {
  return count <= most || refuse(error, errc::value_out_of_range, rules.name, "numbers",
                                 " is of a type that holds {0} numbers beside -1, but updates have {1}", {most, count});
}

// Checks the numbers of a call whose other operands were checked. overlaps() returns their overlap with an operand: 0
// is data, or in place the output, 1 the indices, 2 updates, 3 the output.
template <class Overlaps>
constexpr bool check_positions(const operation_rules& rules, const scatter_layouts& at, const target_axes& axes,
                               const strided_layout& numbers, std::int64_t most, const Overlaps& overlaps,
                               status& error) noexcept {
  if (!check_extents(rules.name, "numbers", numbers.extents(), at.output.extents(), "output", error)) return false;
  if (const overlap_result repeated = find_repeated(numbers); repeated != overlap_result::no) {
    return refuse(error, errc::repeated_element, rules.name, "numbers",
                  repeated == overlap_result::yes
                      ? " holds some element twice (a stride of 0, or axes that overlap)"
                      : " has strides too contrived to tell that it holds no element twice");
  }
  constexpr const char* operands[] = {"data", "indices", "updates", "output"};
  for (int i = 4; i-- > 0;) {
    const overlap_result shared = overlaps(i);
    if (shared == overlap_result::no) continue;
    return refuse(error, errc::overlap, rules.name, "numbers",
                  shared == overlap_result::yes
                      ? " shares memory with {o}"
                      : " has strides too contrived to tell that it shares no memory with {o}",
                  {}, {}, operands[i]);
  }
  const std::int64_t count = rules.names_rows() ? at.indices.size() : at.indices.extent(axes.first);
  return check_count_of_numbers(rules, count, most, error);
}

// Checks the numbers of a call by their layout and the type Integer.
template <class Integer, class Overlaps>
constexpr bool check_positions(const operation_rules& rules, const scatter_layouts& at, const target_axes& axes,
                               const strided_layout& numbers, const Overlaps& overlaps, status& error) noexcept {
  return check_positions(rules, at, axes, numbers,
                         most_numbers(static_cast<std::int64_t>(sizeof(Integer)), std::is_unsigned_v<Integer>),
                         overlaps, error);
}

}  // namespace detail
}  // namespace strew

#endif  // STREW_DETAIL_RULES_CHECK_POSITIONS_HPP
