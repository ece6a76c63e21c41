// SPDX-License-Identifier: Apache-2.0
// The signatures of scatters by indices, with reductions and policies: in the order of OpenVINO and ONNX, and in that
// of PyTorch.
#ifndef STREW_DETAIL_FRONT_SIGNATURES_HPP
#define STREW_DETAIL_FRONT_SIGNATURES_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signature.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A view for reading. This and other functions of views have overloads in dynamic.hpp.
template <class T>
constexpr tensor_view<const std::remove_const_t<T>> read_only(const tensor_view<T>& view) noexcept {
  return view;
}

// data, indices, updates, axis, reduction (if any), output (if any).
template <const operation_rules& Rules, reduction_set Set, bool AxisMayBeLeftOut = false>
struct on_axis_last {
  static constexpr signature form{.name = Rules.name,
                                  .inputs = AxisMayBeLeftOut ? 3 : 4,
                                  .has_option = true,
                                  .beside = 1,
                                  .wrong_order = mistake::order_with_axis_and_reduction};
  static constexpr reduction_set reductions = Set;
  static constexpr bool needs_reduction = false;
  using shapes = shapes_with_axis_last<Rules, AxisMayBeLeftOut>;

  template <class Call, class Data, class Indices, class Updates, index_integer Axis,
            reduction_like R = reduction::none_type>
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                            const Axis& axis, const R& reduce = reduction::none) {
    scatter_on_one_axis<Rules, Set>(call, data, indices, updates, axis, reduce);
  }
  template <class Call, class Data, class Indices, class Updates, reduction_like R = reduction::none_type>
    requires(AxisMayBeLeftOut && !index_integer<R>)
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                            const R& reduce = reduction::none) {
    run(call, data, indices, updates, 0, reduce);
  }
};

// data, axis, indices, updates, reduction, output (if any).
template <const operation_rules& Rules, reduction_set Set>
struct on_axis_first {
  static constexpr signature form{.name = Rules.name,
                                  .inputs = 4,
                                  .has_option = true,
                                  .order = tensor_order::axis_first,
                                  .wrong_order = mistake::order_with_axis_first};
  static constexpr reduction_set reductions = Set;
  static constexpr bool needs_reduction = true;
  using shapes = shapes_with_axis_first<Rules>;

  template <class Call, class Data, index_integer Axis, class Indices, class Updates,
            reduction_like R = reduction::none_type>
  static constexpr void run(const Call& call, const Data& data, const Axis& axis, const Indices& indices,
                            const Updates& updates, const R& reduce = reduction::none) {
    scatter_on_one_axis<Rules, Set>(call, data, indices, updates, axis, reduce);
  }
};

// data, axis, indices, updates, output (if any).
template <const operation_rules& Rules>
struct assign_on_axis_first {
  static constexpr signature form{
      .name = Rules.name, .inputs = 4, .order = tensor_order::axis_first, .wrong_order = mistake::order_of_assignment};
  using shapes = shapes_with_axis_first<Rules>;

  template <class Call, class Data, index_integer Axis, class Indices, class Updates>
  static constexpr void run(const Call& call, const Data& data, const Axis& axis, const Indices& indices,
                            const Updates& updates) {
    scatter_on_one_axis<Rules, reduction_set{}>(call, data, indices, updates, axis, reduction::none);
  }
};

// data, indices, updates, reduction (if any), output (if any).
template <const operation_rules& Rules, reduction_set Set>
struct on_multi_indices {
  static constexpr signature form{
      .name = Rules.name, .inputs = 3, .has_option = true, .wrong_order = mistake::order_of_multi_indices};
  static constexpr reduction_set reductions = Set;
  static constexpr bool needs_reduction = false;
  using shapes = shapes_of_multi_indices<Rules>;

  template <class Call, class Data, class Indices, class Updates, reduction_like R = reduction::none_type>
  static constexpr void run(const Call& call, const Data& data, const Indices& indices, const Updates& updates,
                            const R& reduce = reduction::none) {
    const auto& bare = without_policy(indices);
    if constexpr (runs_multi_indices_in_library<typename Call::executor_type, typename Call::output_type, R>) {
      if (!is_constant_evaluated()) {
        const multi_indices_in_library where{bare};
        const auto& given = element_of(updates);
        return submit_request<Rules, true, is_repeated<Updates>>(
            call.ex, operands_of<policy_of<Indices>>(data, where, given, call.output, reduce), call.error);
      }
    }
    int count = 0;
    if (!check_multi_indices(Rules.name, bare.extents(), data.rank(), count, call.error)) {
      return end_refused(data, Rules.name, call.error);
    }
    const auto source = source_of(bare, count);
    submit<Rules, Set>(call.ex, operands_of<policy_of<Indices>>(data, source, updates, call.output, reduce),
                       call.error);
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SIGNATURES_HPP
