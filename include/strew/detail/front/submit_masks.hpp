// SPDX-License-Identifier: Apache-2.0
// Calls that address their targets by a mask.
#ifndef STREW_DETAIL_FRONT_SUBMIT_MASKS_HPP
#define STREW_DETAIL_FRONT_SUBMIT_MASKS_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/kernels/masked_kernels.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/typed/typed_masked.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class Mask>
struct mask_of {
  const Mask& mask;
};

template <class Mask>
struct way_of<mask_of<Mask>> {
  static constexpr int most() noexcept { return 1; }
  static constexpr bool uses_memory = false;

  template <const operation_rules&, class Call>
  static constexpr bool find_updates(const Call& call, index_list& extents, status&) noexcept {
    extents = call.data.extents();
    return true;
  }
  template <const operation_rules& Rules, class Call>
  static constexpr void run_typed(const execution_context* ctx, const Call& call, status& error) {
    const Mask& mask = call.where.mask;
    const masked_layouts at{call.data.layout(), mask.layout(), call.updates.layout(), call.output.layout()};
    shared_memory shared = typed::find_shared(call.data, call.updates, call.output);
    shared.indices = typed::overlaps_with(call.output, mask);
    if (!check_masked(Rules, at, shared, error)) return;
    const auto put = [&]<class Selected>(const Selected* selected) {
      using element = std::remove_cvref_t<decltype(*call.output.data())>;
      using elements = typed_elements_for<element, decltype(call.updates.data())>;
      const masked_operands<elements, Selected> operands{
          {}, selected, shared.in_place ? nullptr : call.data.data(), call.updates.data(), call.output.data()};
      put_selected(ctx, Rules, at, operands, error);
    };
    if (is_constant_evaluated()) {
      put(mask.data());
    } else {
      put(address_of(mask.data()));
    }
  }
  template <class Loops, class Call>
  static void address(const Call& call, erased::index_operand* mask, erased::request& request) noexcept {
    *mask = {address_of(call.where.mask.data()), &call.where.mask.layout(), nullptr};
    request.indices = mask;
  }
  template <const operation_rules& Rules, index_policy Policy, class T, class R, class Ex>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    run_masked<loop_width<T>>(ctx, request, error);
  }
  template <const operation_rules& Rules, class R>
  static void run_in_library(const erased::request& request, const executor_ref& ex, status& error) {
    erased::masked_scatter(request, ex, error);
  }

 private:
  static const char* address_of(const void* data) noexcept { return static_cast<const char*>(data); }
};

template <class Given, class R>
constexpr void submit_by(by_role<role::mask>, const Given& given, const R&) {
  const auto& updates = read_only(given.updates());
  const auto& mask = read_only(given.template get<role::mask>());
  const mask_of<std::remove_cvref_t<decltype(mask)>> where{mask};
  submit<Given::op.rules>(given.call.ex,
                          operands_of<index_policy::error>(read_only(given.data()), where, updates, given.call.output),
                          given.call.error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_MASKS_HPP
