// SPDX-License-Identifier: Apache-2.0
// Tensors of other libraries, recognised by their members (concepts), and how they become views.
#ifndef STREW_DETAIL_EXTERNAL_TENSORS_HPP
#define STREW_DETAIL_EXTERNAL_TENSORS_HPP

#include <strew/config.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/execution/executor.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The element type of a view, const or not; void for anything else.
template <class Operand>
struct view_traits {
  using element_type = void;
};
template <class T>
struct view_traits<tensor_view<T>> {
  using element_type = T;
};
template <class Operand>
using view_element = typename view_traits<std::remove_cvref_t<Operand>>::element_type;
template <class Operand>
inline constexpr bool is_view = !std::is_void_v<view_element<Operand>>;

// The parts from which a view is made.
template <class T>
struct tensor_parts {
  using element_type = T;
  T* data;
  index_list extents;
  index_list strides;
  bool is_row_major = false;   // strides are not set
  bool is_misaligned = false;  // the strides are no multiples of the element size
};

template <class Integers>
constexpr index_list list_of(const Integers& integers, int size) noexcept {
  index_list list;
  for (int k = 0; k < size; ++k) list.push_back(saturate(integers[static_cast<std::size_t>(k)]));
  return list;
}

// ---- Concepts by members. T may be const; the elements of owning types are then const, too.

// A pointer to elements, not to void, which some compilers accept to dereference.
template <class P>
concept element_pointer = std::is_pointer_v<P> && std::is_object_v<std::remove_pointer_t<P>>;

template <class T>
concept accessed_tensor = requires(T& tensor) {
  tensor_access<std::remove_const_t<T>>::data(tensor);
  tensor_access<std::remove_const_t<T>>::extents(tensor);
};

// std::mdspan, Kokkos::mdspan.
template <class T>
concept mdspan_like = requires(T& tensor) {
  typename T::data_handle_type;
  typename T::reference;
  tensor.data_handle();
  tensor.extent(0);
  tensor.stride(0);
  T::rank();
};

// Eigen's Matrix, Array, Map, Ref and blocks.
template <class T>
concept eigen_matrix = requires(T& tensor) {
  tensor.rows();
  tensor.cols();
  tensor.innerStride();
  tensor.outerStride();
  { tensor.data() } -> element_pointer;
  T::IsRowMajor;
  T::IsVectorAtCompileTime;
  requires(static_cast<int>(T::Flags) & 0x40) != 0;  // DirectAccessBit: expressions have no memory
};

// Eigen's Tensor, TensorFixedSize, TensorMap.
template <class T>
concept eigen_tensor = requires(T& tensor) {
  tensor.dimension(0);
  { tensor.data() } -> element_pointer;
  T::Layout;
  T::NumIndices;
};

// Containers, adaptors and strided views of xtensor.
template <class T>
concept xtensor_like = requires(T& tensor) {
  tensor.shape();
  tensor.strides();
  tensor.data_offset();
  { tensor.data() } -> element_pointer;
};

// Boost.MultiArray.
template <class T>
concept boost_array = requires(T& tensor) {
  T::dimensionality;
  *tensor.origin();
  *tensor.shape();
  *tensor.strides();
  *tensor.index_bases();
};

// OpenCV's Mat; a Mat_ has a value_type too.
template <class T>
concept opencv_matrix = requires(const T& matrix) {
  matrix.dims;
  matrix.size.p;
  matrix.step.p;
  matrix.data;
  matrix.depth();
  matrix.channels();
  matrix.elemSize1();
};
template <class T>
concept opencv_typed = opencv_matrix<T> && requires {
  typename T::value_type;
};

// nanobind's ndarray and its view.
template <class T>
concept nanobind_like = requires(const T& array) {
  array.ndim();
  array.shape(std::size_t{});
  array.stride(std::size_t{});
  array.data();
};
// Satisfied by ndarrays whose C++ type contains the element type and the host as device.
template <class T>
concept nanobind_typed = nanobind_like<T> && requires(const T& array) {
  { array.data() } -> element_pointer;
} &&(
    !requires { T::DeviceType; } || requires { requires T::DeviceType == 1; });

// std::vector, std::array, std::span, std::string.
template <class T>
concept contiguous_container = !tensor_like<T> && requires(T & container) {
  { container.data() } -> element_pointer;
  container.size();
};

template <class T>
inline constexpr bool holds_bits = false;  // as std::vector<bool>, whose references are proxy objects
template <class T>
  requires requires(T& container) {
    container.flip();
    container.begin();
  }
inline constexpr bool holds_bits<T> = std::is_class_v<typename T::reference>;

// Whether the element type of a tensor is part of its C++ type.
template <class T>
concept typed_tensor =
    is_view<T> || accessed_tensor<T> ||(std::rank_v<T> == 1) || mdspan_like<T> || eigen_matrix<T> || eigen_tensor<T> ||
    xtensor_like<T> || boost_array<T> || opencv_typed<T> || nanobind_typed<T> || contiguous_container<T>;

// Whether the elements of a temporary outlive it.
template <class T>
constexpr bool is_borrowed() noexcept {
  if constexpr (is_view<T>) {
    return true;
  } else if constexpr (requires { tensor_access<T>::is_borrowed; }) {
    return tensor_access<T>::is_borrowed;
  } else if constexpr (requires { typename T::PlainObject; }) {
    // Eigen: neither a matrix, nor a Ref to const elements, which may own the elements of an expression.
    return !std::is_same_v<typename T::PlainObject, T> && !std::is_convertible_v<const typename T::PlainObject&, T>;
  } else if constexpr (nanobind_typed<T>) {
    return !requires {
      T::DeviceType;
    };  // its view
  } else if constexpr (contiguous_container<T>) {
    return std::ranges::enable_borrowed_range<T>;  // std::span, std::string_view
  } else {
    return mdspan_like<T>;
  }
}

// ---- The parts of each

// An axis number that converts to the parameter type of any member.
struct axis_number {
  int value;

  template <index_integer Integer>
  constexpr operator Integer() const noexcept {
    return static_cast<Integer>(value);
  }
};

template <class T>
constexpr auto parts_of_matrix(T& matrix) noexcept {
  using element = std::remove_reference_t<decltype(*matrix.data())>;
  const std::int64_t inner = matrix.innerStride();
  const std::int64_t outer = matrix.outerStride();
  if constexpr (T::IsVectorAtCompileTime) {
    return tensor_parts<element>{matrix.data(), saturate(matrix.size()), inner};
  } else {
    return tensor_parts<element>{matrix.data(),
                                 {matrix.rows(), matrix.cols()},
                                 T::IsRowMajor ? index_list{outer, inner} : index_list{inner, outer}};
  }
}

template <class T>
constexpr auto parts_of(T& tensor) {
  using bare = std::remove_const_t<T>;
  if constexpr (accessed_tensor<T>) {
    using access = tensor_access<bare>;
    using element = std::remove_pointer_t<decltype(access::data(tensor))>;
    if constexpr (requires { access::strides(tensor); }) {
      return tensor_parts<element>{access::data(tensor), access::extents(tensor), access::strides(tensor)};
    } else {
      return tensor_parts<element>{access::data(tensor), access::extents(tensor), {}, true};
    }
  } else if constexpr (std::is_array_v<T>) {
    using element = std::remove_extent_t<T>;
    return tensor_parts<element>{tensor, static_cast<std::int64_t>(std::extent_v<T>), {}, true};
  } else if constexpr (mdspan_like<T>) {
    using element = typename bare::element_type;
    constexpr bool is_plain =
        std::is_same_v<typename bare::data_handle_type, element*> && std::is_same_v<typename bare::reference, element&>;
    static_assert(is_plain, "strew: this mdspan's accessor does not hand out plain references to elements in memory");
    index_list extents;
    index_list strides;
    for (std::size_t k = 0; k < bare::rank(); ++k) {
      extents.push_back(saturate(tensor.extent(k)));
      strides.push_back(saturate(tensor.stride(k)));
    }
    return tensor_parts<element>{tensor.data_handle(), extents, strides};
  } else if constexpr (eigen_matrix<T>) {
    return parts_of_matrix(tensor);
  } else if constexpr (eigen_tensor<T>) {
    using element = std::remove_reference_t<decltype(*tensor.data())>;
    constexpr int rank = static_cast<int>(T::NumIndices);
    constexpr bool is_row_major = static_cast<int>(T::Layout) != 0;
    index_list extents;
    for (int k = 0; k < rank; ++k) extents.push_back(tensor.dimension(axis_number{k}));
    index_list strides = extents;
    std::uint64_t stride = 1;  // column-major: the first axis is the innermost; any value for empty tensors
    for (int k = 0; k < extents.size(); ++k) {  // a list of more than max_rank extents overflows
      strides[k] = static_cast<std::int64_t>(stride);
      stride *= static_cast<std::uint64_t>(extents[k]);
    }
    return tensor_parts<element>{tensor.data(), extents, is_row_major ? index_list{} : strides, is_row_major};
  } else if constexpr (xtensor_like<T>) {
    using element = std::remove_reference_t<decltype(*tensor.data())>;
    const int rank = static_cast<int>(tensor.shape().size());
    return tensor_parts<element>{tensor.data() + tensor.data_offset(), list_of(tensor.shape(), rank),
                                 list_of(tensor.strides(), rank)};
  } else if constexpr (boost_array<T>) {
    using element = std::remove_reference_t<decltype(*tensor.origin())>;
    constexpr int rank = static_cast<int>(T::dimensionality);
    element* first = tensor.origin();  // of coordinate 0, which the array need not contain
    for (int k = 0; k < rank; ++k) first += tensor.index_bases()[k] * tensor.strides()[k];
    return tensor_parts<element>{first, list_of(tensor.shape(), rank), list_of(tensor.strides(), rank)};
  } else if constexpr (opencv_typed<T>) {
    using value = typename bare::value_type;
    using element = std::conditional_t<std::is_const_v<T>, const value, value>;
    constexpr auto size = static_cast<std::int64_t>(sizeof(value));
    const int rank = tensor.dims;
    tensor_parts<element> parts{reinterpret_cast<element*>(tensor.data), list_of(tensor.size.p, rank),
                                list_of(tensor.step.p, rank)};
    parts.is_misaligned = reinterpret_cast<std::uintptr_t>(tensor.data) % alignof(value) != 0;
    for (int k = 0; k < parts.strides.size(); ++k) {
      if (parts.extents[k] <= 1) parts.strides[k] = 0;
      parts.is_misaligned = parts.is_misaligned || parts.strides[k] % size != 0;
      parts.strides[k] /= size;
    }
    return parts;
  } else if constexpr (nanobind_typed<T>) {
    using element = std::remove_reference_t<decltype(*tensor.data())>;
    tensor_parts<element> parts{tensor.data(), {}, {}};
    for (std::size_t k = 0; k < tensor.ndim(); ++k) {
      parts.extents.push_back(saturate(tensor.shape(k)));
      parts.strides.push_back(saturate(tensor.stride(k)));
    }
    return parts;
  } else {
    using element = std::remove_reference_t<decltype(*tensor.data())>;
    return tensor_parts<element>{tensor.data(), saturate(tensor.size()), {}, true};
  }
}

// Whether a class that is no tensor is an expression of tensors, as Eigen and xtensor have them.
template <class T>
concept expression_like = requires(const T& of) {
  of.eval();
};

// The mistake in the type of the argument of as_view.
template <class Tensor>
constexpr mistake find_mistake_of_view() noexcept {
  using bare = std::remove_cvref_t<Tensor>;
  if constexpr (holds_bits<bare>) {
    return mistake::bits;
  } else if constexpr (std::rank_v<bare> > 1) {
    return mistake::array_of_arrays;
  } else if constexpr (!typed_tensor<std::remove_reference_t<Tensor>>) {
    return expression_like<bare> ? mistake::expression : mistake::no_tensor;
  } else {
    return std::is_lvalue_reference_v<Tensor> || is_borrowed<bare>() ? mistake::none : mistake::temporary_elements;
  }
}

template <class T, class E>
constexpr status make_strided(const tensor_parts<T>& parts, tensor_view<E>& result) noexcept {
  if (parts.is_misaligned) {
    return {errc::misaligned_stride,
            "as_view",
            "tensor",
            " has elements at addresses or in steps that are no multiples of {0} bytes",
            {static_cast<std::int64_t>(sizeof(T))}};
  }
  return tensor_view<E>::try_make(parts.data, parts.extents, parts.strides, result);
}
// The view of a tensor. On an error a view without elements; the first error is kept.
template <class View, class T>
STREW_INLINE constexpr View make_view(const tensor_parts<T>& parts, status& error) noexcept {
  if (parts.is_row_major) return view_row_major<typename View::element_type>(parts.data, parts.extents, error);
  View view;
  const status made = make_strided(parts, view);
  if (!made.ok() && error.ok()) error = made;
  return view;
}

// ---- Operands of a call. Argument is deduced from Argument&&.

// A view of elements, or the tensor itself if its elements cannot be assigned, which is a mistake in a call.
template <class Tensor, class T>
struct view_or_tensor {
  using type = std::remove_cvref_t<Tensor>;
};
template <class Tensor, element T>
struct view_or_tensor<Tensor, T> {
  using type = tensor_view<T>;
};

// The element type of a tensor; const if it is a temporary that owns its elements, as writes to them would be lost.
template <class Tensor>
struct viewed_element {
  using parts = decltype(parts_of(std::declval<std::remove_reference_t<Tensor>&>()));
  static constexpr bool dies = !std::is_lvalue_reference_v<Tensor> && !is_borrowed<std::remove_cvref_t<Tensor>>();
  using type = std::conditional_t<dies, const typename parts::element_type, typename parts::element_type>;
  using view = typename view_or_tensor<Tensor, type>::type;
};

// Whether an operand is a tensor of another library. Views, lists of views and lists of integers for an axis are not.
template <class Argument>
constexpr bool find_external_tensor() noexcept {
  using bare = std::remove_cvref_t<Argument>;
  constexpr bool may_be = std::is_array_v<bare> || (std::is_class_v<bare> && !std::is_base_of_v<index_list, bare>);
  if constexpr (may_be && !is_view<bare> && typed_tensor<std::remove_reference_t<Argument>>) {
    return !is_view<typename viewed_element<Argument>::type>;
  } else {
    return false;
  }
}
template <class Argument>
inline constexpr bool is_external_tensor = find_external_tensor<Argument>();

// The type with which operators use an operand: a view of an external tensor, or the type itself.
template <class Argument, bool = is_external_tensor<Argument>>
struct viewed_operand {
  using type = std::remove_cvref_t<Argument>;
};
template <class Argument>
struct viewed_operand<Argument, true> {
  using type = typename viewed_element<Argument>::view;
};
template <class Argument>
using viewed = typename viewed_operand<Argument>::type;

// An operand as a viewed_operand. On an error a view without elements; the first error is kept.
template <class Argument>
constexpr decltype(auto) view_external_tensor(Argument&& argument, status& error) noexcept {
  if constexpr (is_external_tensor<Argument>) {
    return make_view<viewed<Argument>>(parts_of(argument), error);
  } else {
    return static_cast<Argument&&>(argument);
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_EXTERNAL_TENSORS_HPP
