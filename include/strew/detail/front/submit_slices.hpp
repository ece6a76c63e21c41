// SPDX-License-Identifier: Apache-2.0
// Calls that address their targets by a slice, by one coordinate of an axis, or by a diagonal: copies of strided views.
#ifndef STREW_DETAIL_FRONT_SUBMIT_SLICES_HPP
#define STREW_DETAIL_FRONT_SUBMIT_SLICES_HPP

#include <strew/config.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/kernels/part_scatter.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/slice_spec.hpp>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class T>
inline constexpr reachable_loops loops_for_slices{&copy_loops_of<loop_width<T>>};

template <>
struct way_of<slice_spec> {
  static constexpr int most() noexcept { return 1; }  // of which none is used
  static constexpr bool uses_memory = false;

  template <const operation_rules& Rules, class Call>
  static constexpr bool find_updates(const Call& call, index_list& extents, status& error) noexcept {
    return find_slice_updates(Rules.name, call.data.extents(), call.where, extents, error);
  }
  template <const operation_rules&, class Call>
  static constexpr void run_typed(const execution_context* ctx, const Call& call, status& error) {
    typed::slice_scatter(ctx, call.data, call.updates, call.where, call.output, error);
  }
  template <class Loops, class Call>
  static void address(const Call& call, erased::index_operand*, erased::request& request) noexcept {
    request.slice = &call.where;
  }
  template <const operation_rules& Rules, index_policy Policy, class T, class R, class Ex>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    run_slice_request(ctx, request, loops_for_slices<T>, error);
  }
  static void run_in_library(const erased::request& request, const executor_ref& ex, status& error) {
    erased::slice_scatter(request, ex, error);
  }
};

template <>
struct way_of<part_spec> {
  static constexpr int most() noexcept { return 1; }  // of which none is used
  static constexpr bool uses_memory = false;

  template <const operation_rules&, class Call>
  static constexpr bool find_updates(const Call& call, index_list& extents, status& error) noexcept {
    return find_part_updates(call.data.extents(), call.where, extents, error);
  }
  template <const operation_rules&, class Call>
  static constexpr void run_typed(const execution_context* ctx, const Call& call, status& error) {
    const auto& [data, spec, updates, output, reduce, axis] = call;
    const shared_memory shared = typed::find_shared(data, updates, output);
    output_part part;
    if (!find_part({data.layout(), updates.layout(), output.layout()}, shared, spec, part, error)) return;
    if (!shared.in_place) typed::copy_all(ctx, data, output);
    typed::copy_all(ctx, updates, part_of(output, part.offset, part.extents, part.strides));
  }
  template <class Loops, class Call>
  static void address(const Call& call, erased::index_operand*, erased::request& request) noexcept {
    request.part = &call.where;
  }
  template <const operation_rules& Rules, index_policy Policy, class T, class R, class Ex>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    run_part(ctx, request, copy_loops_of<loop_width<T>>, error);
  }
  static void run_in_library(const erased::request& request, const executor_ref& ex, status& error) {
    erased::part_scatter(request, ex, error);
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_SLICES_HPP
