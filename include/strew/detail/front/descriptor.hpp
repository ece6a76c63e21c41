// SPDX-License-Identifier: Apache-2.0
// An operator as data: its rules, and its arguments by their roles. `operation` is that data, `described<Op>` of
// parse.hpp the type that templates take as Operator, and a `call_object` of that the object which users call.
#ifndef STREW_DETAIL_FRONT_DESCRIPTOR_HPP
#define STREW_DETAIL_FRONT_DESCRIPTOR_HPP

#include <strew/config.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/operators/reduction_kind.hpp>

#include <cstddef>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// What an argument of an operator is.
enum class role : unsigned char {
  none,
  data,
  indices,        // of rows, elements, multi-indices, or the numbers of elements
  tensors,        // several tensors of indices
  mask,           // selects
  updates,        // a tensor, or one value for all targets if the operator takes it
  value,          // one value for all targets
  axis,           // an integer
  index,          // the coordinate of select_scatter, an integer
  offset,         // of a diagonal, an integer
  first_axis,     // of a diagonal
  second_axis,    //
  reduction,      // may be left out, unless the operator needs it
  factor,         // of a sum; may be left out
  positions,      // with_positions of none, of operators without a reduction; may be left out
  axis_options,   // an integer or a list of one, which may be braced
  slice_options,  // a slice_spec, which may be braced
  cache_options,  // of a key/value cache, which may be braced
};
constexpr bool is_options(role of) noexcept {
  return of == role::axis_options || of == role::slice_options || of == role::cache_options;
}

constexpr bool is_of_indices(role of) noexcept {
  return of == role::indices || of == role::tensors || of == role::mask;
}
constexpr bool is_of_tensor(role of) noexcept {
  return of == role::data || is_of_indices(of) || of == role::updates || of == role::value;
}

inline constexpr std::size_t no_argument = 99;

// An operator. A constant with linkage, to which the type of its objects refers.
struct operation {
  static constexpr std::size_t most = 6;

  const operation_rules& rules;
  role arguments[most];  // in their order, from data on, without the output
  mistake wrong_order = mistake::none;
  mistake missing_options = mistake::none;  // for slices and caches
  reduction_set reductions = {.has_sum = false, .has_prod = false, .has_order = false};
  // How an operator without a reduction among its arguments combines: one of `reductions`, or none, which assigns.
  reduction_kind combines = reduction_kind::none;
  bool needs_reduction = false;
  bool may_omit_axis = false;  // which is then 0
  bool may_omit_indices = false;
  bool takes_value = true;  // whether one value may stand in the place of updates

  // The place of an argument with one of two roles, or no_argument.
  [[nodiscard]] constexpr std::size_t place_of(role of, role or_of) const noexcept {
    for (std::size_t i = 0; i < most; ++i) {
      if (arguments[i] == of || arguments[i] == or_of) return i;
    }
    return no_argument;
  }
  [[nodiscard]] constexpr bool has(role of) const noexcept { return place_of(of, of) != no_argument; }
  // Whether an argument may be left out.
  [[nodiscard]] constexpr bool is_optional(role of) const noexcept {
    return of == role::reduction || of == role::factor || of == role::positions || of == role::axis_options ||
           (of == role::axis && may_omit_axis) || (of == role::indices && may_omit_indices);
  }
};

// Whether segments may stand in the place of the indices: the updates of each select a row.
constexpr bool takes_segments(const operation& of) noexcept {
  return of.rules.by == addressing::rows && of.has(role::updates);
}

// What follows from the roles.
struct call_form {
  const char* name;              // in messages
  std::size_t inputs = 0;        // the number that each call has
  bool has_option = false;       // whether a reduction or factor may stand between them and the output
  std::size_t least_before = 0;  // the number of arguments before the options, which may be braced
  std::size_t most_before = 0;
  std::size_t others_before_updates = 0;  // arguments that are no tensors: an axis before the indices
  bool has_indices = false;               // or a mask
  bool has_mask = false;
  bool has_updates = false;  // as a tensor; otherwise they are one value
  bool takes_value = true;
  bool takes_tensors = false;
  std::size_t beside_tensors = 0;  // the number of integers and options that calls have, left out or not
  mistake wrong_order = mistake::none;
  std::size_t indices_at = none;
  std::size_t updates_at = none;

  static constexpr std::size_t none = no_argument;

  [[nodiscard]] constexpr const char* name_of_updates() const noexcept { return has_updates ? "updates" : "value"; }

  constexpr explicit call_form(const operation& of) noexcept
      : name{of.rules.name},
        has_mask{of.has(role::mask)},
        has_updates{of.has(role::updates)},
        takes_value{of.takes_value},
        takes_tensors{of.has(role::tensors)},
        wrong_order{of.wrong_order},
        indices_at{has_mask ? of.place_of(role::mask, role::mask) : of.place_of(role::indices, role::tensors)},
        updates_at{of.place_of(role::updates, role::value)} {
    has_indices = indices_at != none;
    for (std::size_t i = 0; i < operation::most; ++i) {
      const role each = of.arguments[i];
      if (each == role::none) continue;
      if (i < updates_at && !is_of_tensor(each)) ++others_before_updates;
      if (!of.is_optional(each)) ++inputs;
      has_option = has_option || each == role::reduction || each == role::factor;
      const bool is_integer = each == role::axis || each == role::index || each == role::offset ||
                              each == role::first_axis || each == role::second_axis;
      if (is_integer || each == role::axis_options || each == role::slice_options) ++beside_tensors;
      if (!is_options(each)) continue;
      most_before = i;
      least_before = i - (of.may_omit_indices ? 1 : 0);
    }
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_DESCRIPTOR_HPP
