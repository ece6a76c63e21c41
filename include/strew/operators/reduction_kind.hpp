// SPDX-License-Identifier: Apache-2.0
// The named reductions, and the set of those that an operator has.
#ifndef STREW_OPERATORS_REDUCTION_KIND_HPP
#define STREW_OPERATORS_REDUCTION_KIND_HPP

#include <strew/config.hpp>

#include <cstddef>
#include <string_view>

namespace strew::inline STREW_ABI {

// The named reductions, for reductions that are known at run time only.
enum class reduction_kind : unsigned char { none, sum, sub, prod, min, max, mean };

// The named reductions that an operator has, by its specification. Every operator with a reduction also takes
// callables.
struct reduction_set {
  bool has_none = true;
  bool has_sum = true;
  bool has_sub = false;
  bool has_prod = true;
  bool has_order = true;  // min and max
  bool has_mean = false;
  bool may_omit_init = false;  // whether without_init may wrap them
  // Whether a call on run-time types can leave NaNs out, and has loops for it. Every operator's reductions can.
  bool may_skip_nan = false;

  // Whether the set has a reduction.
  [[nodiscard]] constexpr bool contains(reduction_kind kind) const noexcept {
    switch (kind) {
      case reduction_kind::none:
        return has_none;
      case reduction_kind::sum:
        return has_sum;
      case reduction_kind::sub:
        return has_sub;
      case reduction_kind::prod:
        return has_prod;
      case reduction_kind::mean:
        return has_mean;
      default:
        return has_order;
    }
  }
};
// All named reductions.
inline constexpr reduction_set all_reductions{.has_sub = true, .has_mean = true, .may_omit_init = true};

namespace reduction {

// Finds the reduction with a name: none, sum or add, sub, prod, mul or multiply, min or amin, max or amax, mean.
// Returns false, and leaves `kind` as it was, for any other name.
STREW_KEYED constexpr bool parse(std::string_view name, reduction_kind& kind) noexcept {
  constexpr struct {
    std::string_view name;
    reduction_kind kind;
  } names[] = {
      {"none", reduction_kind::none}, {"sum", reduction_kind::sum},       {"add", reduction_kind::sum},
      {"sub", reduction_kind::sub},   {"prod", reduction_kind::prod},     {"mul", reduction_kind::prod},
      {"min", reduction_kind::min},   {"multiply", reduction_kind::prod}, {"amin", reduction_kind::min},
      {"max", reduction_kind::max},   {"amax", reduction_kind::max},      {"mean", reduction_kind::mean},
  };
  for (const auto& entry : names) {
    if (entry.name == name) {
      kind = entry.kind;
      return true;
    }
  }
  return false;
}

// The name of a kind in OpenVINO: none, sum, sub, prod, min, max, mean; "?" for a number that is none of them.
STREW_KEYED constexpr const char* name_of(reduction_kind kind) noexcept {
  constexpr const char* names[] = {"none", "sum", "sub", "prod", "min", "max", "mean"};
  const auto number = static_cast<std::size_t>(kind);
  return number < sizeof names / sizeof names[0] ? names[number] : "?";
}

}  // namespace reduction
}  // namespace strew

#endif  // STREW_OPERATORS_REDUCTION_KIND_HPP
