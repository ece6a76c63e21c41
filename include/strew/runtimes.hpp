// SPDX-License-Identifier: Apache-2.0
// Tensors of other languages and runtimes, whose element type is known at run time only. Opt-in. None of these
// libraries is included: their types are recognised by their members.
//
//   DLPack           DLTensor, DLManagedTensor, DLManagedTensorVersioned; the deleter is never called
//   PyTorch          torch::Tensor
//   OpenVINO         ov::Tensor
//   ONNX Runtime     Ort::Value, Ort::UnownedValue, Ort::ConstValue
//   OpenCV           cv::Mat; several channels are a last axis
//   nanobind         nb::ndarray
//
// as_view<float>(tensor) checks the type and returns a tensor_view; dynamic::as_tensor and the like return a tensor of
// strew/dynamic.hpp with the type that it has.
#ifndef STREW_RUNTIMES_HPP
#define STREW_RUNTIMES_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/runtime_tensor_desc.hpp>
#include <strew/detail/front/runtime_tensors.hpp>
#include <strew/dynamic/dynamic_tensor.hpp>
#include <strew/status.hpp>
#include <strew/view/as_view.hpp>
#include <strew/view/element.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

template <class T>
status view_runtime_tensor(runtime_tensor_desc& tensor, tensor_view<T>& result) noexcept {
  status error;
  if (!check_runtime_type(tensor, dynamic::element_type_of<T>, error) ||
      (!std::is_const_v<T> && !check_writable(tensor, error)) || !count_strides_in_elements(tensor, error)) {
    return error;
  }
  if (reinterpret_cast<std::uintptr_t>(tensor.data) % alignof(T) != 0) {
    refuse_tensor(error, errc::unreachable_memory,
                  " begins at an address that is no multiple of {0}: strew::dynamic::tensor needs none",
                  {static_cast<std::int64_t>(alignof(T))});
    return error;
  }
  // If T is not const, the memory was checked to be writable.
  const tensor_parts<T> parts{static_cast<T*>(const_cast<void*>(tensor.data)), tensor.extents, tensor.strides,
                              tensor.unit == stride_unit::none};
  const auto view = make_view<tensor_view<T>>(parts, error);
  if (error.ok()) result = view;
  return error;
}

template <class Pointer, class Tensor>
status make_dynamic(Tensor&& from, dynamic::basic_tensor<Pointer>& result) {
  constexpr bool is_writable = std::is_same_v<Pointer, void*>;
  status error;
  runtime_tensor_desc found;
  found.is_to_be_written = is_writable;
  if constexpr (check_outlives<Tensor>()) {
    if (describe(from, found, error) && (!is_writable || check_writable(found, error)) &&
        count_strides_in_elements(found, error)) {
      const auto data = const_cast<Pointer>(found.data);  // checked to be writable if Pointer is void*
      return found.unit == stride_unit::none
                 ? dynamic::basic_tensor<Pointer>::try_make(data, found.type, found.extents, result)
                 : dynamic::basic_tensor<Pointer>::try_make(data, found.type, found.extents, found.strides, result);
    }
  }
  return error;
}

}  // namespace detail

// A view of such a tensor with elements T. A T that is no number type, such as a library's own 16-bit float, matches
// every element type of its size. Pointer, extents and strides are taken from the tensor unchecked. The tensor must
// outlive the view; temporaries that own their elements do not compile. PyTorch's autograd does not record writes
// through a view. Errors: type_mismatch (another element type, several lanes, parts of a byte, strings, an unknown
// version), unreachable_memory (on a device, sparse, conjugated, read-only with T not const, an address that is not
// aligned for T), misaligned_stride, too_many_axes, null_data, negative_extent, size_overflow; on an error `result`
// stays as it was. Exceptions of the tensor's own functions reach the caller. O(rank), no heap.
//
//   const auto view = strew::as_view<const float>(*managed);
template <element T, detail::run_time_tensor_only Tensor>
STREW_KEYED status try_as_view(Tensor&& tensor, tensor_view<T>& result) {
  status error;
  detail::runtime_tensor_desc found;
  found.is_to_be_written = !std::is_const_v<T>;
  if constexpr (detail::check_outlives<Tensor>()) {
    if (detail::describe(tensor, found, error)) return detail::view_runtime_tensor(found, result);
  }
  return error;
}
template <element T, detail::run_time_tensor_only Tensor>
STREW_KEYED [[nodiscard]] tensor_view<T> as_view(Tensor&& tensor) {
  tensor_view<T> view;
  detail::raise_if_error(try_as_view<T>(static_cast<Tensor&&>(tensor), view));
  return view;
}

namespace dynamic {

// Such a tensor as an operand of strew/dynamic.hpp, whose address needs no alignment. Errors: those of as_view, but
// type_mismatch only for types that have no element_type; as_tensor also returns unreachable_memory for read-only
// tensors, as_index_tensor also type_mismatch for elements that are not integers of 8 to 64 bits. On an error `result`
// stays as it was. The forms without try_ throw scatter_error. O(rank), no heap.
template <strew::detail::run_time_tensor Tensor>
STREW_KEYED status try_as_const_tensor(Tensor&& from, const_tensor& result) {
  return strew::detail::make_dynamic<const void*>(static_cast<Tensor&&>(from), result);
}
template <strew::detail::run_time_tensor Tensor>
STREW_KEYED status try_as_tensor(Tensor&& from, tensor& result) {
  return strew::detail::make_dynamic<void*>(static_cast<Tensor&&>(from), result);
}
template <strew::detail::run_time_tensor Tensor>
STREW_KEYED status try_as_index_tensor(Tensor&& from, index_tensor& result) {
  const_tensor any;
  if (const status error = try_as_const_tensor(static_cast<Tensor&&>(from), any); !error.ok()) return error;
  const bool is_signed = any.type().kind == element_kind::signed_integer;
  const std::int64_t size = any.type().size;
  if ((!is_signed && any.type().kind != element_kind::unsigned_integer) || size > 8 || (size & (size - 1)) != 0) {
    return {errc::type_mismatch, strew::detail::description_operation, "tensor",
            " has elements that are no integers of 8 to 64 bits, as indices are"};
  }
  const auto type = is_signed ? strew::detail::index_type_by_size(size, index_type::int8)
                              : strew::detail::index_type_by_size(size, index_type::uint8);
  return index_tensor::try_make(any.data(), type, any.extents(), any.strides(), result);
}

template <strew::detail::run_time_tensor Tensor>
STREW_KEYED [[nodiscard]] const_tensor as_const_tensor(Tensor&& from) {
  const_tensor result;
  strew::detail::raise_if_error(try_as_const_tensor(static_cast<Tensor&&>(from), result));
  return result;
}
template <strew::detail::run_time_tensor Tensor>
STREW_KEYED [[nodiscard]] tensor as_tensor(Tensor&& from) {
  tensor result;
  strew::detail::raise_if_error(try_as_tensor(static_cast<Tensor&&>(from), result));
  return result;
}
template <strew::detail::run_time_tensor Tensor>
STREW_KEYED [[nodiscard]] index_tensor as_index_tensor(Tensor&& from) {
  index_tensor result;
  strew::detail::raise_if_error(try_as_index_tensor(static_cast<Tensor&&>(from), result));
  return result;
}

}  // namespace dynamic
}  // namespace strew

#endif  // STREW_RUNTIMES_HPP
