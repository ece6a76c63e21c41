// SPDX-License-Identifier: Apache-2.0
// Makes the tensors of strew/dynamic/dynamic_tensor.hpp, whose types are known at run time only, operands of all
// operators. The operators' errors are the same, and type_mismatch (element types that differ) and
// unsupported_reduction. Opt-in: strew.hpp does not include it, since it instantiates the loops for every width and
// every index type.
#ifndef STREW_DYNAMIC_HPP
#define STREW_DYNAMIC_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/dynamic/dynamic_tensor.hpp>
#include <strew/dynamic/float16.hpp>
#include <strew/status.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::dynamic {

namespace detail::inline STREW_CODE {

// The element type of all such tensors in the front.
struct some_element {
  std::byte value;
};

constexpr bool are_alike(element_type type, element_type expected) noexcept {
  const bool kinds_agree =
      type.kind == expected.kind || type.kind == element_kind::opaque || expected.kind == element_kind::opaque;
  return type.size == expected.size && kinds_agree;
}
constexpr bool check_type(const char* operation, const char* operand, element_type type, element_type expected,
                          status& error) noexcept {
  if (are_alike(type, expected)) return true;
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

// What strew/dynamic_schedule.hpp has in the place of an executor.
template <class Ex>
concept schedule_step = requires {
  typename std::remove_const_t<Ex>::schedule_step;
};

}  // namespace detail

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

#include <strew/detail/front/submit_dynamic.hpp>

#endif  // STREW_DYNAMIC_HPP
