// SPDX-License-Identifier: Apache-2.0
// Makes the tensors of strew/dynamic/dynamic_tensor.hpp, whose types are known at run time only, operands of all
// operators. The operators' errors are the same, and type_mismatch (element types that differ) and
// unsupported_reduction. Opt-in: strew.hpp does not include it, since it instantiates the loops for every width and
// every index type.
#ifndef STREW_DYNAMIC_HPP
#define STREW_DYNAMIC_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/dynamic/dynamic_tensor.hpp>
#include <strew/dynamic/float16.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/slice_spec.hpp>

#if !STREW_COMPILED
#include <strew/detail/kernels/dispatch.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::dynamic {

namespace detail::inline STREW_CODE {

// The element type of all such tensors in the front.
struct some_element {
  std::byte value;
};

constexpr bool check_type(const char* operation, const char* operand, element_type type, element_type expected,
                          status& error) noexcept {
  const bool kinds_agree =
      type.kind == expected.kind || type.kind == element_kind::opaque || expected.kind == element_kind::opaque;
  if (type.size == expected.size && kinds_agree) return true;
  const bool sizes_differ = type.size != expected.size;
  return strew::detail::refuse(error, errc::type_mismatch, operation, operand,
                               sizes_differ ? " has elements of {0} bytes, expected {1} as data has"
                                            : " has elements of another kind than data (of {0} bytes both)",
                               {type.size, expected.size});
}
// The elements of a mask: booleans, and integers of one byte. As everywhere `opaque` matches any kind of its size.
constexpr bool check_mask_type(const char* operation, element_type type, status& error) noexcept {
  using enum element_kind;
  const bool is_mask = type.size == 1 && (type.kind == boolean || type.kind == signed_integer ||
                                          type.kind == unsigned_integer || type.kind == opaque);
  return is_mask || strew::detail::refuse(error, errc::type_mismatch, operation, "mask",
                                          " has elements that are no booleans and no integers of one byte");
}
constexpr bool check_types(const char* operation, const const_tensor& data, const const_tensor& updates,
                           const tensor& output, status& error) noexcept {
  return check_type(operation, "updates", updates.type(), data.type(), error) &&
         check_type(operation, "output", output.type(), data.type(), error);
}

template <class Data, class Updates>
erased::request make_request(const erased::call_type& type, const Data& data, const Updates& updates,
                             const tensor& output) noexcept {
  return {type,
          {static_cast<const char*>(data.data()), &data.layout()},
          {static_cast<const char*>(updates.data()), &updates.layout()},
          {static_cast<char*>(output.data()), &output.layout()},
          nullptr,
          {nullptr}};
}

// What strew/dynamic_schedule.hpp has in the place of an executor.
template <class Ex>
concept schedule_step = requires {
  typename std::remove_const_t<Ex>::schedule_step;
};

}  // namespace detail

// Called by slice_scatter; not for users.
template <bool Repeats = false, class Ex, class D, class U>
void run_slice_scatter(Ex& ex, const basic_tensor<D>& data, const basic_tensor<U>& updates, const slice_spec& slice,
                       const tensor& output, status& error) {
  const strew::detail::operation_rules& rules = strew::detail::slice_scatter_rules;
  if (!detail::check_types(rules.name, data, updates, output, error)) return;
  const erased::call_type type{rules, output.type().size, index_policy::error, Repeats, nullptr, 0};
  erased::request request = detail::make_request(type, data, updates, output);
  request.slice = &slice;
#if STREW_COMPILED
  erased::slice_scatter(request, strew::detail::refer_to(ex), error);
#else
  strew::detail::dispatch_slices(request, strew::detail::refer_to(ex), error);
#endif
}
}  // namespace strew::dynamic

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

template <class Pointer>
struct view_traits<dynamic::basic_tensor<Pointer>> {
  using element_type = std::conditional_t<std::is_same_v<Pointer, void*>, dynamic::detail::some_element,
                                          const dynamic::detail::some_element>;
};
template <>
struct view_traits<dynamic::index_tensor> {
  using element_type = const std::int64_t;
};

}  // namespace strew::detail

#include <strew/detail/front/dynamic_general.hpp>

#endif  // STREW_DYNAMIC_HPP
