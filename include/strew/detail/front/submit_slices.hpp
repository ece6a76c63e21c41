// SPDX-License-Identifier: Apache-2.0
// Calls that address their targets by a slice, by one coordinate of an axis, or by a diagonal: copies of strided views.
#ifndef STREW_DETAIL_FRONT_SUBMIT_SLICES_HPP
#define STREW_DETAIL_FRONT_SUBMIT_SLICES_HPP

#include <strew/config.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/shapes.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/kernels/part_scatter.hpp>
#include <strew/detail/kernels/slices.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_slice.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/detail/typed/typed_slices.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/slice_spec.hpp>

#include <cstdint>
#include <type_traits>

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
  template <const operation_rules& Rules, class R>
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
  template <const operation_rules& Rules, class R>
  static void run_in_library(const erased::request& request, const executor_ref& ex, status& error) {
    erased::part_scatter(request, ex, error);
  }
};

template <class Given, class R>
constexpr void submit_by(by_role<role::slice_options>, const Given& given, const R&) {
  const slice_spec& slice = given.template get<role::slice_options>();
  submit<Given::op.rules>(given.call.ex,
                          operands_of<index_policy::error>(given.data(), slice, given.updates(), given.call.output),
                          given.call.error);
}
template <class Given>
constexpr void submit_part(const Given& given, const part_spec& part) {
  const auto& updates = read_only(given.updates());
  submit<Given::op.rules>(given.call.ex,
                          operands_of<index_policy::error>(read_only(given.data()), part, updates, given.call.output),
                          given.call.error);
}
template <class Given, class R>
constexpr void submit_by(by_role<role::index>, const Given& given, const R&) {
  const auto& index = given.template get<role::index>();
  constexpr bool is_unsigned = std::is_unsigned_v<std::remove_cvref_t<decltype(index)>>;
  submit_part(given, {given.axis(), {static_cast<std::int64_t>(index), is_unsigned}});
}
template <class Given, class R>
constexpr void submit_by(by_role<role::offset>, const Given& given, const R&) {
  submit_part(given, {{given.template get<role::first_axis>(), given.template get<role::second_axis>()},
                      {saturate(given.template get<role::offset>()), false}});
}

// ---- The extents of updates

template <>
struct options_of<role::slice_options> {
  using options = slice_spec;
};
template <const operation& Op>
struct shapes_by<role::slice_options, Op> {
  static constexpr const char* name = Op.rules.name;
  static constexpr addressing by = addressing::slices;

  static constexpr bool find_updates(const char* operation, index_list& result, status& error, const index_list& data,
                                     const slice_spec& slice) noexcept {
    return find_slice_updates(operation, data, slice, result, error);
  }
};
template <const operation& Op>
struct shapes_by<role::index, Op> {
  static constexpr const char* name = Op.rules.name;
  static constexpr addressing by = addressing::slices;

  static constexpr bool find_updates(const char* operation, index_list& result, status& error, const index_list& data,
                                     const whole_number& axis) noexcept {
    int k = 0;
    if (!(check_shape(operation, "data_extents", data, error) && check_data_rank(operation, data.size(), error) &&
          check_single_axis(operation, as_axis(axis), data.size(), k, error))) {
      return false;
    }
    result = without_axes(data, std::uint64_t{1} << k);
    return true;
  }
};
template <const operation& Op>
struct shapes_by<role::offset, Op> {
  static constexpr const char* name = Op.rules.name;
  static constexpr addressing by = addressing::slices;

  static constexpr bool find_updates(const char* operation, index_list& result, status& error, const index_list& data,
                                     const whole_number& offset, const whole_number& axis1,
                                     const whole_number& axis2) noexcept {
    diagonal_source found;
    if (!(check_shape(operation, "data_extents", data, error) &&
          find_diagonal_source(operation, data, offset.value(), {axis1.entry, axis2.entry}, found, error))) {
      return false;
    }
    result = found.extents;
    return true;
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_SLICES_HPP
