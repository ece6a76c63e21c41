// SPDX-License-Identifier: Apache-2.0
// Views of tensors of other libraries: as_view(tensor). Operators also take these tensors directly. No library is
// included; its types are recognised by their members.
#ifndef STREW_VIEW_AS_VIEW_HPP
#define STREW_VIEW_AS_VIEW_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/status.hpp>
#include <strew/view/tensor_view.hpp>

#include <type_traits>

namespace strew::inline STREW_ABI {

// How tensors of your own type are read. Specialise it:
//
//   template <>
//   struct strew::tensor_access<matrix> {
//     static float* data(const matrix& m) { return m.first; }
//     static strew::index_list extents(const matrix& m) { return {m.rows, m.columns}; }
//     static strew::index_list strides(const matrix& m) { return {m.pitch, 1}; }
//     static constexpr bool is_borrowed = true;
//   };
//
// data: the address of the element at coordinate 0, const if it may not be written. strides: in elements; row-major if
// left out. is_borrowed: whether the elements outlive a temporary of the type, so that it may be viewed; false if left
// out. None of these functions may throw.
template <class Tensor>
struct tensor_access {};

// A view of a tensor of another library whose element type is part of its C++ type:
//
//   as_view(tensor) -> tensor_view<E>, E const if the tensor is
//
// for std::vector, std::array, std::span, std::string and arrays of rank 1 (rank 1; a string literal includes its
// terminator); std::mdspan and its implementations; Eigen's Matrix, Array, Map, Ref and blocks (rank 2, or 1 if the
// type is a vector) and Tensor, TensorFixedSize and TensorMap; xtensor's containers, adaptors and strided views;
// Boost.MultiArray and its views; OpenCV's Mat_, whose elements may be pixels; nanobind's ndarray with an element type
// and nb::device::cpu; types with a specialisation of tensor_access; and views. Nothing is copied. The view is valid as
// long as the elements are where they were. A temporary that owns its elements does not compile, nor does
// std::vector<bool>. Throws scatter_error: the errors of tensor_view's constructors, and misaligned_stride. O(rank), no
// heap.
//
// Operators take all of these as operands, temporaries too if they are only read. An output that is const, or a
// temporary that owns its elements, does not compile.
template <class Tensor>
STREW_KEYED [[nodiscard]] constexpr auto as_view(Tensor&& tensor) {
  if constexpr (detail::is_view<Tensor>) {
    return tensor;
  } else if constexpr (detail::explain<detail::find_mistake_of_view<Tensor>()>()) {
    using found = typename decltype(detail::parts_of(tensor))::element_type;
    status error;
    const auto view = detail::make_view<tensor_view<found>>(detail::parts_of(tensor), error);
    detail::raise_if_error(error);
    return view;
  }
}
// Without exceptions: returns what as_view throws; on an error `result` stays as it was.
template <class Tensor, class T>
  requires(detail::typed_tensor<std::remove_reference_t<Tensor>> && !detail::is_view<Tensor>)
STREW_KEYED constexpr status try_as_view(Tensor&& tensor, tensor_view<T>& result) {
  if constexpr (detail::explain<detail::find_mistake_of_view<Tensor>()>()) {
    using found = typename decltype(detail::parts_of(tensor))::element_type;
    constexpr bool fits = std::is_same_v<found, T> || std::is_same_v<const found, T>;
    if constexpr (detail::explain<detail::none_if(fits, detail::mistake::other_element_type)>()) {
      status error;
      const auto view = detail::make_view<tensor_view<found>>(detail::parts_of(tensor), error);
      if (error.ok()) result = view;
      return error;
    }
  }
  return {};
}

// as_view with an explicit element type, for generic code; T may be const if the tensor is not. Errors and complexity
// are the same. strew/runtimes.hpp has this form for tensors whose element type is known at run time only.
template <class T, class Tensor>
STREW_KEYED [[nodiscard]] constexpr auto as_view(Tensor&& tensor) {
  constexpr bool is_typed = detail::typed_tensor<std::remove_reference_t<Tensor>>;
  if constexpr (detail::explain<detail::none_if(is_typed, detail::mistake::no_tensor_of_type)>()) {
    tensor_view<T> view;
    if constexpr (detail::is_view<Tensor>) {
      view = tensor;
    } else {
      detail::raise_if_error(try_as_view(static_cast<Tensor&&>(tensor), view));
    }
    return view;
  }
}

}  // namespace strew

#endif  // STREW_VIEW_AS_VIEW_HPP
