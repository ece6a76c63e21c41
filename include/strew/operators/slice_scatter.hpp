// SPDX-License-Identifier: Apache-2.0
// SliceScatter-15 (OpenVINO): a copy of data with a slice of it replaced.
#ifndef STREW_OPERATORS_SLICE_SCATTER_HPP
#define STREW_OPERATORS_SLICE_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_slices.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/slice_spec.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// data, updates, slice, output (if any).
struct slice_scatter_operator {
  static constexpr signature form{
      .name = slice_scatter_rules.name, .inputs = 3, .least_before = 2, .most_before = 2, .has_indices = false};
  using options = slice_spec;
  struct shapes {
    static constexpr const char* name = slice_scatter_rules.name;
    static constexpr addressing by = addressing::slices;

    static constexpr bool find_updates(const char* name_of_call, index_list& result, status& error,
                                       const index_list& data, const slice_spec& slice) noexcept {
      return find_slice_updates(name_of_call, data, slice, result, error);
    }
  };

  template <class Call, class Data, class Updates>
  static constexpr void run(const Call& call, const Data& data, const Updates& updates, const slice_spec& slice) {
    submit<slice_scatter_rules>(call.ex, operands_of<index_policy::error>(data, slice, updates, call.output),
                                call.error);
  }
  template <class... Arguments>
  static constexpr bool lacks_options(type_list<Arguments...>) noexcept {
    return (!std::is_convertible_v<const Arguments&, const slice_spec&> && ...);
  }
  template <class... Arguments>
  static constexpr mistake find_wrong_order(type_list<Arguments...>) noexcept {
    return mistake::missing_slice;
  }
};

}  // namespace detail

// output = data; output[.., start:stop:step, ..] = updates, with slices as in NumPy.
//
//   data[d0, .., dr-1], updates[d0, .., n, .., dr-1] -> output[d0, .., dr-1], r >= 1
//
//   slice_scatter(data, updates, {.start = .., .stop = .., .step = .., .axes = ..}, output)
//
// with an executor first if there is one; without `output` in place. The extent of `updates` on each sliced axis is n,
// the length of that slice. Bounds count elements. A negative bound counts from the end once, then both bounds are
// clamped to the axis (see resolve_slice). With step < 0, start < -d and stop < -d the slice is empty, as in NumPy.
// `updates` is not broadcast: pass broadcast(updates, ..) to repeat it. One value in the place of `updates` is written
// to the whole slice.
//
// `output` may be exactly the view `data` (in place: only the slice is written). Otherwise it must not share memory
// with an input. Its elements must be distinct. No two updates have the same target. Errors, all found before the first
// write: rank_mismatch, too_many_axes, count_mismatch, axis_out_of_range, repeated_axis, zero_step, extent_mismatch,
// repeated_element, overlap; for one value also value_out_of_range. If an assignment of T throws, each element of the
// output holds its old value, data's, or its new one. O(data.size() + updates.size()), in place O(updates.size()); no
// heap. Specification: SliceScatter-15, OpenVINO.
//
// With an executor as the first argument the work is divided among its threads where there is enough; the output is the
// same.
STREW_KEYED inline constexpr detail::throwing<detail::slice_scatter_operator> slice_scatter;
// Without exceptions: returns what slice_scatter throws.
STREW_KEYED inline constexpr detail::attempted<detail::slice_scatter_operator> try_slice_scatter;

}  // namespace strew

#endif  // STREW_OPERATORS_SLICE_SCATTER_HPP
