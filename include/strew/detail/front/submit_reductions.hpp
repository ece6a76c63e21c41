// SPDX-License-Identifier: Apache-2.0
// Scatters by indices that are not plain: reductions, multi-indices, row-major numbers of elements, and policies.
#ifndef STREW_DETAIL_FRONT_SUBMIT_REDUCTIONS_HPP
#define STREW_DETAIL_FRONT_SUBMIT_REDUCTIONS_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_indices.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/kernels/reduce_kernels.hpp>
#include <strew/detail/kernels/reduce_table.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/reduction_states.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/tensor_view.hpp>

#include <tuple>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <>
struct loops_of_scatter<false> {
  template <const operation_rules& Rules, class T, class Indices, class R, class Ex>
  static constexpr reachable_loops loops{
      &copy_loops_of<loop_width<T>, false>,
      nullptr,
      &reduce_loops_of<T, R, typename Indices::loop_integer, features_of<Rules, Indices, Ex, false>>,
      validate<Rules.by>,
      &reduce_kernels_by<reduction_step<T, R>::grid != state_layout::none, !Rules.names_rows(),
                         Rules.by == addressing::multi_indices || Rules.by == addressing::tensors>,
      reduction_step<T, R>::grid == state_layout::none};
};

// Multi-indices as the compiled library takes them.
template <class Index>
struct multi_indices_in_library {
  const tensor_view<Index>& indices;
};
template <class Index>
struct way_of<multi_indices_in_library<Index>> {
  static constexpr int most() noexcept { return 1; }
  static constexpr bool uses_memory = false;

  template <class Loops, class Call>
  static void address(const Call& call, erased::index_operand* indices, erased::request& request) noexcept {
    *indices = index_operand_of<Loops>(call.where.indices.data(), call.where.indices.layout());
    request.indices = indices;
  }
  template <const operation_rules& Rules, class R>
  static void run_in_library(const erased::request& request, const executor_ref& ex, status& error) {
    run_scatter_in_library<Rules, R>(request, ex, error);
  }
};
// Whether multi-indices go to the library as one tensor.
template <class Ex, class Data, class R>
inline constexpr bool runs_multi_indices_in_library = false;
template <class Ex, class T, class R>
inline constexpr bool runs_multi_indices_in_library<Ex, tensor_view<T>, R> =
    calls_library&& named_reduction<R>&& is_in_library<std::remove_const_t<T>, R>() &&
    !memory_on_demand<std::remove_const_t<Ex>>::allocates;

// Multi-indices along the last axis of a tensor.
template <class Given, class Indices, class R>
constexpr void submit_multi_indices(const Given& given, const Indices& indices, const R& reduce) {
  constexpr const operation& op = Given::op;
  const auto& call = given.call;
  const auto& bare = without_policy(indices);
  using call_type = std::remove_cvref_t<decltype(call)>;
  if constexpr (runs_multi_indices_in_library<typename call_type::executor_type, typename call_type::output_type, R>) {
    if (!is_constant_evaluated()) {
      const multi_indices_in_library<std::remove_pointer_t<decltype(bare.data())>> where{bare};
      const auto& updates = element_of(given.updates());
      using updates_type = std::remove_cvref_t<decltype(given.updates())>;
      constexpr bool repeats = is_repeated<updates_type>;
      using element = view_element<typename call_type::output_type>;
      return submit_request<op.rules, true, repeats, conversion_of_updates<element, updates_type>>(
          call.ex, operands_of<policy_of<Indices>>(given.data(), where, updates, call.output, reduce), call.error);
    }
  }
  int count = 0;
  if (!check_multi_indices(op.rules.name, bare.extents(), given.data().rank(), count, call.error)) {
    return end_refused(given.data(), op.rules.name, call.error);
  }
  const auto source = source_of(bare, count);
  submit<op.rules, op.reductions>(
      call.ex, operands_of<policy_of<Indices>>(given.data(), source, given.updates(), call.output, reduce), call.error);
}

// A row-major view as one of rank 1.
template <class T>
constexpr tensor_view<T> flat(const tensor_view<T>& view) noexcept {
  tensor_view<T> result;
  static_cast<void>(tensor_view<T>::try_make(view.data(), view.size(), result));  // no larger than the view
  return result;
}
// The row-major numbers of elements.
template <class Given, class Indices, class R>
constexpr void submit_numbers(const Given& given, const Indices& indices, const R& reduce) {
  constexpr const operation& op = Given::op;
  const auto& [ex, error, output] = given.call;
  const auto& data = given.data();
  using executor = std::remove_cvref_t<decltype(given.call)>;
  const auto source = source_of(without_policy(indices));
  constexpr index_policy policy = policy_of<Indices>;
  // The compiled library itself views row-major operands as rank 1.
  constexpr bool may_be_flat =
      !has_positions<R> &&
      !runs_multi_indices_in_library<typename executor::executor_type, typename executor::output_type, R>;
  if ((may_be_flat || (is_constant_evaluated() && !has_positions<R>)) && data.layout().is_row_major() &&
      output.layout().is_row_major() && data.extents() == output.extents() && data.rank() > 0) {
    const auto data_elements = flat(data);
    const auto output_elements = flat(output);
    submit<op.rules, op.reductions>(
        ex, operands_of<policy>(data_elements, source, given.updates(), output_elements, reduce), error);
  } else {
    submit<op.rules, op.reductions>(ex, operands_of<policy>(data, source, given.updates(), output, reduce), error);
  }
}

// A tuple of tensors as views; indices of other types, of dynamic.hpp, are returned unchanged.
template <class Indices>
constexpr Indices views_of(const Indices& indices, status&) noexcept {
  return indices;
}
template <class... Tensors>
constexpr auto views_of(const std::tuple<Tensors...>& tensors, status& error) noexcept {
  return std::apply(
      [&](const auto&... each) { return std::tuple<viewed<decltype(each)>...>{view_external_tensor(each, error)...}; },
      tensors);
}
template <class... Tensors>
inline constexpr bool is_plain_argument<std::tuple<Tensors...>> = true;

template <class Given, class R>
constexpr void submit_by(by_role<role::tensors>, const Given& given, const R& reduce) {
  constexpr const operation& op = Given::op;
  const auto& [ex, error, output] = given.call;
  const auto& indices = given.template get<role::tensors>();
  const auto views = views_of(without_policy(indices), error);
  if (!error.ok()) return;
  const auto source = source_of(views);
  if (source.count() < 1) {
    refuse(error, errc::rank_mismatch, op.rules.name, "indices", " holds no tensor, expected at least 1");
    return;
  }
  submit<op.rules, op.reductions>(ex,
                                  operands_of<policy_of<std::remove_cvref_t<decltype(indices)>>>(
                                      given.data(), source, given.updates(), output, reduce),
                                  error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_REDUCTIONS_HPP
