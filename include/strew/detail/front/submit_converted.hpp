// SPDX-License-Identifier: Apache-2.0
// Calls whose updates are of another element type.
#ifndef STREW_DETAIL_FRONT_SUBMIT_CONVERTED_HPP
#define STREW_DETAIL_FRONT_SUBMIT_CONVERTED_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/detail/front/conversion.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_caches.hpp>
#include <strew/detail/front/submit_masks.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/front/submit_slices.hpp>
#include <strew/detail/kernels/converted_copies.hpp>
#include <strew/detail/kernels/converted_loops.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/detail/typed/typed_slices.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class T, class U>
inline constexpr mistake mistake_of_converted<T, converted_updates<tensor_view<U>>> =
    none_if(converts_to<T, std::remove_const_t<U>>(), mistake::no_conversion);

template <class T, class U>
  requires(!std::is_same_v<T, std::remove_const_t<U>>)
inline constexpr const conversion* conversion_of_updates<T, converted_updates<tensor_view<U>>> =
    &conversion_of<T, std::remove_const_t<U>>;

// Reads updates U as elements T, for loops over the type.
template <class T, class U>
struct converting_pointer {
  const U* from;

  constexpr T operator[](std::int64_t offset) const { return convert_number<T, U>(from[offset]); }
  constexpr operator const U*() const noexcept { return from; }
};
template <class T, class U>
class converting_view {
 public:
  constexpr explicit converting_view(const tensor_view<const U>& updates) noexcept : updates_{updates} {}

  [[nodiscard]] constexpr converting_pointer<T, U> data() const noexcept { return {updates_.data()}; }
  [[nodiscard]] constexpr const strided_layout& layout() const noexcept { return updates_.layout(); }
  [[nodiscard]] constexpr const index_list& extents() const noexcept { return updates_.extents(); }
  [[nodiscard]] constexpr std::int64_t size() const noexcept { return updates_.size(); }
  [[nodiscard]] constexpr bool empty() const noexcept { return updates_.empty(); }

  friend constexpr overlap_result overlaps_with(const tensor_view<T>& output, const converting_view& updates) noexcept {
    return typed::overlaps_with(output, updates.updates_);
  }

 private:
  const tensor_view<const U>& updates_;
};

// Elements of a mask's call whose source has updates U.
template <class T, class U>
struct typed_elements_for<T, converting_pointer<T, U>> : typed_elements<T> {
  using source = const U*;
  using typed_elements<T>::put;

  static constexpr void put(T* to, const U* from) { strew::detail::assign(*to, convert_number<T, U>(*from)); }
};

// to = from, by loops over a type. Both have the same extents and share no memory; this is not checked.
template <class Ex, class U, class T>
void assign(Ex& ex, const converted_updates<tensor_view<const U>>& from, const tensor_view<T>& to) {
  run_typed<T>(ex,
               [&](const execution_context* ctx) { typed::copy_all(ctx, converting_view<T, U>(from.updates), to); });
}

// ---- Requests

// By indices.
template <class Where>
struct converted_way {
  template <const operation_rules& Rules, class T, class R>
  static constexpr reachable_loops loops{
      &copy_loops_of<loop_width<T>, false>, nullptr,
      &reduce_loops_of<T, R, typename Where::loop_integer,
                       scatter_features{scatter_kind::row, Rules.rule == index_rule::wrapping&& Where::may_be_negative,
                                        false, Where::may_be_direct}>,
      validate<Rules.by>};

  template <const operation_rules& Rules, class T, class R>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    scatter_converted(ctx, request, loops<Rules, T, R>, error);
  }
};
template <>
struct converted_way<slice_spec> {
  template <const operation_rules&, class T, class>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    slice_converted(ctx, request, copy_loops_of<loop_width<T>, false>, error);
  }
};
template <>
struct converted_way<part_spec> {
  template <const operation_rules&, class T, class>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    part_converted(ctx, request, copy_loops_of<loop_width<T>, false>, error);
  }
};
template <class Mask>
struct converted_way<mask_of<Mask>> {
  template <const operation_rules&, class T, class>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    mask_converted<loop_width<T>>(ctx, request, error);
  }
};
template <class Indices>
struct converted_way<cache_positions<Indices>> {
  template <const operation_rules&, class T, class>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    caches_converted(ctx, request, copy_loops_of<loop_width<T>, false>, error);
  }
};

template <const operation_rules& Rules, reduction_set Set = only_none, class Ex, index_policy Policy, class D,
          class Where, class U, class T, class R>
constexpr void submit(
    Ex& ex,
    const call_operands<Policy, tensor_view<D>, Where, converted_updates<tensor_view<U>>, tensor_view<T>, R>& call,
    status& error) {
  using update = std::remove_const_t<U>;
  const tensor_view<const update> updates = call.updates.updates;
  const auto with = [&](const auto& given) {
    return operands_of<Policy>(call.data, call.where, given, call.output, call.reduce, call.axis);
  };
  if constexpr (std::is_same_v<update, T>) {
    submit<Rules, Set>(ex, with(updates), error);
  } else {
    const converting_view<T, update> elements(updates);
    const auto typed = [&](const execution_context* ctx) {
      way_of<Where>::template run_typed<Rules>(ctx, with(elements), error);
    };
    if (is_constant_evaluated()) {
      typed(nullptr);
    } else if constexpr (!is_bytewise<T> || !is_bytewise<update> || !reduces_without_throwing<T, R>()) {
      run_typed<T, reduces_without_throwing<T, R>()>(ex, typed);
    } else {
      submit_request<Rules, calls_library && is_in_library<T, R>(), false, &conversion_of<T, update>>(ex, with(updates),
                                                                                                      error);
    }
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_CONVERTED_HPP
