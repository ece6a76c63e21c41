// SPDX-License-Identifier: Apache-2.0
// Tensors of other libraries as operands of a call: views of them. Argument is what Argument&& deduces.
#ifndef STREW_DETAIL_FRONT_VIEWED_HPP
#define STREW_DETAIL_FRONT_VIEWED_HPP

#include <strew/config.hpp>
#include <strew/detail/front/foreign.hpp>
#include <strew/detail/front/view_traits.hpp>
#include <strew/element.hpp>
#include <strew/index_list.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The elements of a tensor; const if they die with it, since nobody would see what is written to them.
template <class Tensor>
struct viewed_element {
  using parts = decltype(parts_of(std::declval<std::remove_reference_t<Tensor>&>()));
  static constexpr bool dies = !std::is_lvalue_reference_v<Tensor> && !is_borrowed<std::remove_cvref_t<Tensor>>();
  using type = std::conditional_t<dies, const typename parts::element_type, typename parts::element_type>;
};

// Whether an operand is a tensor of another library. Lists of integers for an axis are not, nor are views and lists of
// them.
template <class Argument>
constexpr bool find_foreign() noexcept {
  using bare = std::remove_cvref_t<Argument>;
  constexpr bool may_be = std::is_array_v<bare> || (std::is_class_v<bare> && !std::is_base_of_v<index_list, bare>);
  if constexpr (may_be && !is_view<bare> && typed_tensor<std::remove_reference_t<Argument>>) {
    return !is_view<typename viewed_element<Argument>::type>;
  } else {
    return false;
  }
}
template <class Argument>
inline constexpr bool is_foreign = find_foreign<Argument>();

// What operators take for an operand: a view for such a tensor, or itself.
template <class Argument, bool = is_foreign<Argument>>
struct viewed_operand {
  using type = std::remove_cvref_t<Argument>;
};
template <class Argument>
struct viewed_operand<Argument, true> {
  using element_type = typename viewed_element<Argument>::type;
  static_assert(element<element_type>, "strew: the elements of this tensor cannot be assigned by copy");
  using type = tensor_view<element_type>;
};
template <class Argument>
using viewed = typename viewed_operand<Argument>::type;

// An operand as operators take it. On an error, of which the first is kept, a view of nothing.
template <class Argument>
constexpr decltype(auto) view_foreign(Argument&& argument, status& error) noexcept {
  if constexpr (is_foreign<Argument>) {
    const auto parts = parts_of(argument);
    tensor_view<typename std::remove_cvref_t<decltype(parts)>::element_type> view;
    if (const status made = make_view(parts, view); !made.ok() && error.ok()) error = made;
    return viewed<Argument>(view);
  } else {
    return static_cast<Argument&&>(argument);
  }
}

// Calls body(views...) with the operands of a call as operators take them.
template <class Body, class... Operands>
constexpr void with_views(status& error, const Body& body, Operands&&... operands) {
  if constexpr ((is_foreign<Operands> || ...)) {
    const auto run = [&](const auto&... views) {
      if (error.ok()) body(views...);
    };
    run(view_foreign(static_cast<Operands&&>(operands), error)...);
  } else {
    body(operands...);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_VIEWED_HPP
