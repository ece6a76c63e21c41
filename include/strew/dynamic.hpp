// SPDX-License-Identifier: Apache-2.0
// The tensors of strew/dynamic_tensor.hpp, whose types are known at run time only, as operands of the same operators.
// Opt-in: strew.hpp does not include it, since it brings the loops for every width and every index type.
#ifndef STREW_DYNAMIC_HPP
#define STREW_DYNAMIC_HPP

#include <strew/config.hpp>
#include <strew/detail/call.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/view_traits.hpp>
#include <strew/dynamic_tensor.hpp>
#include <strew/index_list.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>

#if !STREW_COMPILED
#include <strew/detail/cpu/dispatch.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::dynamic {

namespace detail::inline STREW_CODE {

// What the front sees as the element type of all such tensors.
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
constexpr bool check_types(const char* operation, const const_tensor& data, const const_tensor& updates,
                           const tensor& output, status& error) noexcept {
  return check_type(operation, "updates", updates.type(), data.type(), error) &&
         check_type(operation, "output", output.type(), data.type(), error);
}

inline erased::call erase(const const_tensor& data, const const_tensor& updates, const tensor& output) noexcept {
  return {{static_cast<const char*>(data.data()), &data.layout()},
          {},
          {static_cast<const char*>(updates.data()), &updates.layout()},
          {static_cast<char*>(output.data()), &output.layout()},
          output.type().size};
}
inline erased::call erase(const const_tensor& data, const index_tensor& indices, const const_tensor& updates,
                          const tensor& output) noexcept {
  erased::call call = erase(data, updates, output);
  call.indices = {static_cast<const char*>(indices.data()), &indices.layout(), indices.type()};
  return call;
}

}  // namespace detail

// Called by the operators.

template <class Ex>
void run_call(strew::detail::slice_scatter_call, Ex& ex, const const_tensor& data, const const_tensor& updates,
              const slice_spec& slice, const tensor& output, status& error) {
  if (!detail::check_types("slice_scatter", data, updates, output, error)) return;
  const erased::call call = detail::erase(data, updates, output);
#if STREW_COMPILED
  erased::slice_scatter(call, slice, strew::detail::refer_to(ex), error);
#else
  strew::detail::dispatch_slice_scatter(call, slice, strew::detail::refer_to(ex), error);
#endif
}

template <const strew::detail::rows_rules& Rules, class Ex>
void run_call(strew::detail::scatter_rows_call<Rules>, Ex& ex, const const_tensor& data, const index_tensor& indices,
              const const_tensor& updates, const index_list& axis, const tensor& output, status& error) {
  if (!detail::check_types(Rules.operation, data, updates, output, error)) return;
  const erased::call call = detail::erase(data, indices, updates, output);
#if STREW_COMPILED
  erased::scatter_update(call, axis, strew::detail::refer_to(ex), error);
#else
  strew::detail::dispatch_scatter_rows(call, Rules.operation, axis, strew::detail::refer_to(ex), error);
#endif
}

template <const strew::detail::elements_rules& Rules, class Ex>
void run_call(strew::detail::scatter_elements_call<Rules>, Ex& ex, const const_tensor& data,
              const index_tensor& indices, const const_tensor& updates, const index_list& axis, const tensor& output,
              status& error) {
  if (!detail::check_types(Rules.operation, data, updates, output, error)) return;
  const erased::call call = detail::erase(data, indices, updates, output);
#if STREW_COMPILED
  if constexpr (Rules.rule == index_rule::strict) {
    erased::scatter_elements_update(call, axis, strew::detail::refer_to(ex), error);
  } else {
    erased::onnx_scatter(call, axis, strew::detail::refer_to(ex), error);
  }
#else
  strew::detail::dispatch_scatter_elements<Rules>(call, axis, strew::detail::refer_to(ex), error);
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
