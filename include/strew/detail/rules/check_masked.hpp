// SPDX-License-Identifier: Apache-2.0
// The rules for the shapes of masked_scatter and masked_fill.
#ifndef STREW_DETAIL_RULES_CHECK_MASKED_HPP
#define STREW_DETAIL_RULES_CHECK_MASKED_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/status.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

inline constexpr operation_rules masked_scatter_rules{"masked_scatter", addressing::mask};
inline constexpr operation_rules masked_fill_rules{"masked_fill", addressing::mask, index_rule::strict, false, true};

// The layouts of the operands of a scatter by a mask. The source of a fill is one value, repeated by strides of 0.
struct masked_layouts {
  const strided_layout& data;
  const strided_layout& mask;
  const strided_layout& source;
  const strided_layout& output;
};

// All rules but the number of elements that the mask selects. shared.indices is the overlap of mask and output. Data of
// rank 0 is legal.
constexpr bool check_masked(const operation_rules& rules, const masked_layouts& at, const shared_memory& shared,
                            status& error) noexcept {
  const char* const name = rules.name;
  const bool is_fill = rules.takes_any_single_element;
  const bool ok = at.data.rank() == 0
                      ? check_extents(name, "output", at.output.extents(), at.data.extents(), "data", error) &&
                            check_apart(name, shared.data, "data without being the very same view", error)
                      : check_output(name, at.data, at.output, shared, error);
  return ok && check_extents(name, "mask", at.mask.extents(), at.data.extents(), "data", error) &&
         check_apart(name, shared.indices, "mask", error) &&
         check_apart(name, shared.updates, is_fill ? "value" : "source", error);
}

constexpr bool check_source_size(const operation_rules& rules, std::int64_t has, std::int64_t selected,
                                 status& error) noexcept {
  if (has >= selected) return true;
  return refuse(error, errc::too_few_elements, rules.name, "source", " has {0} elements, mask selects {1}",
                {has, selected});
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_CHECK_MASKED_HPP
