// SPDX-License-Identifier: Apache-2.0
// Tensors of other libraries as views: as_view(tensor), told by the shape of their members. Opt-in, and no library is
// included: each program that has one of these tensors has its library too.
#ifndef STREW_AS_VIEW_HPP
#define STREW_AS_VIEW_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/executor.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

// How as_view reads tensors of a type of your own. Specialise it:
//
//   template <>
//   struct strew::tensor_access<matrix> {
//     static float* data(const matrix& m) { return m.first; }  // the element at coordinate 0; const if it may not
//     change static strew::index_list extents(const matrix& m) { return {m.rows, m.columns}; } static strew::index_list
//     strides(const matrix& m) { return {m.pitch, 1}; }  // in elements; without it: row-major static constexpr bool
//     is_borrowed = true;  // a temporary matrix may be viewed: its elements outlive it
//   };
template <class Tensor>
struct tensor_access {};

namespace detail::inline STREW_CODE {

// What a view is made of.
template <class T>
struct tensor_parts {
  using element_type = T;
  T* data;
  index_list extents;
  index_list strides;
  bool is_row_major = false;  // strides are left out
};

template <class Integers>
constexpr index_list list_of(const Integers& integers, int size) noexcept {
  index_list list;
  for (int k = 0; k < size; ++k) list.push_back(saturate(integers[static_cast<std::size_t>(k)]));
  return list;
}

// ---- The shapes of members. T may be const; its elements then are for those that own them.

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
  *tensor.data();
  T::IsRowMajor;
  T::IsVectorAtCompileTime;
};

// Eigen's Tensor, TensorFixedSize, TensorMap.
template <class T>
concept eigen_tensor = requires(T& tensor) {
  tensor.dimension(0);
  *tensor.data();
  T::Layout;
  T::NumIndices;
};

// Containers, adaptors and strided views of xtensor.
template <class T>
concept xtensor_like = requires(T& tensor) {
  tensor.shape();
  tensor.strides();
  tensor.data_offset();
  *tensor.data();
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

// std::vector, std::array, std::span, std::string.
template <class T>
concept contiguous_container = !tensor_like<T> && requires(T & container) {
  *container.data();
  container.size();
};

// DLPack's DLTensor.
template <class T>
concept dlpack_tensor = requires(const T& tensor) {
  tensor.data;
  tensor.device.device_type;
  tensor.ndim;
  tensor.dtype.code;
  tensor.dtype.bits;
  tensor.dtype.lanes;
  tensor.shape;
  tensor.strides;
  tensor.byte_offset;
};
// DLManagedTensor, and DLManagedTensorVersioned.
template <class T>
concept dlpack_managed = requires(const T& tensor) {
  tensor.dl_tensor;
  tensor.deleter;
};
template <class T>
concept dlpack_versioned = dlpack_managed<T> && requires(const T& tensor) {
  tensor.version.major;
  tensor.flags;
};

template <class T>
inline constexpr bool holds_bits = false;  // as std::vector<bool> does
template <class T>
  requires requires(T& container) {
    container.flip();
    container.begin();
  }
inline constexpr bool holds_bits<T> = true;

// Whether the element type of a tensor is part of its C++ type.
template <class T>
concept typed_tensor = is_view<T> || accessed_tensor<T> || std::is_array_v<T> || mdspan_like<T> || eigen_matrix<T> ||
    eigen_tensor<T> || xtensor_like<T> || boost_array<T> || contiguous_container<T>;

// Whether the elements of a temporary outlive it.
template <class T>
constexpr bool is_borrowed() noexcept {
  if constexpr (is_view<T>) {
    return true;
  } else if constexpr (requires { tensor_access<T>::is_borrowed; }) {
    return tensor_access<T>::is_borrowed;
  } else if constexpr (requires { typename T::PlainObject; }) {
    return !std::is_same_v<typename T::PlainObject, T>;  // of Eigen
  } else {
    return requires {
      typename T::element_type;
    }
    &&!boost_array<T> && !eigen_tensor<T>;  // std::span, mdspans
  }
}

// ---- What they hold

// A number of whatever type a member takes.
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
    static_assert(!std::is_array_v<element>,
                  "strew: an array of arrays is no tensor: give as_view a pointer and extents, "
                  "strew::tensor_view{&array[0][0], {rows, columns}}, where all of it is one object");
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
    std::uint64_t stride = 1;  // column-major: the first axis is the innermost; of empty tensors any number
    for (int k = 0; k < rank; ++k) {
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
    element* first = tensor.origin();  // of the coordinate 0, which need not be one of the array's
    for (int k = 0; k < rank; ++k) first += tensor.index_bases()[k] * tensor.strides()[k];
    return tensor_parts<element>{first, list_of(tensor.shape(), rank), list_of(tensor.strides(), rank)};
  } else {
    using element = std::remove_reference_t<decltype(*tensor.data())>;
    return tensor_parts<element>{tensor.data(), saturate(tensor.size()), {}, true};
  }
}

// What must hold of the argument of as_view.
template <class Tensor>
constexpr bool check_viewable() noexcept {
  using bare = std::remove_cvref_t<Tensor>;
  constexpr bool is_temporary = !std::is_lvalue_reference_v<Tensor>;
  if constexpr (holds_bits<bare>) {
    static_assert(!holds_bits<bare>,
                  "strew: std::vector<bool> holds bits, which no pointer finds: take std::vector<char> or an array of "
                  "bool");
    return false;
  } else if constexpr (!typed_tensor<std::remove_reference_t<Tensor>>) {
    static_assert(
        typed_tensor<std::remove_reference_t<Tensor>>,
        "strew: as_view knows no such tensor: specialise strew::tensor_access for it, or make a "
        "strew::tensor_view{pointer, extents, strides}; tensors that know their element type at run time only "
        "are viewed by as_view<T>(tensor)");
    return false;
  } else {
    static_assert(!is_temporary || is_borrowed<bare>(),
                  "strew: this temporary takes its elements with it: give the tensor a name, and view that");
    return !is_temporary || is_borrowed<bare>();
  }
}

template <class T>
constexpr status make_view(const tensor_parts<T>& parts, tensor_view<T>& result) noexcept {
  return parts.is_row_major ? tensor_view<T>::try_make(parts.data, parts.extents, result)
                            : tensor_view<T>::try_make(parts.data, parts.extents, parts.strides, result);
}

// ---- DLPack

// The codes of DLDataType for a C++ type; -1 for none.
template <class T>
inline constexpr int dlpack_code = std::is_same_v<T, bool>       ? 6
                                   : std::is_floating_point_v<T> ? 2
                                   : !std::is_integral_v<T>      ? -1
                                   : std::is_signed_v<T>         ? 0
                                                                 : 1;
template <class T>
inline constexpr int dlpack_code<std::complex<T>> = 5;

// Checks that a DLTensor holds elements of T in this processor's memory.
template <class T, class Tensor>
constexpr bool check_dlpack(const Tensor& tensor, status& error) noexcept {
  constexpr const char* operation = "as_view";
  using bare = std::remove_const_t<T>;
  static_assert(dlpack_code<bare> >= 0, "strew: DLPack has no code for this element type");
  const auto device = static_cast<std::int64_t>(tensor.device.device_type);
  // Memory of the host, or that of it which CUDA or ROCm has pinned.
  if (device != 1 && device != 3 && device != 11) {
    return refuse(error, errc::unreachable_memory, operation, "tensor",
                  " is on a device of DLPack's type {0}: copy it to the host", {device});
  }
  const std::int64_t code = tensor.dtype.code;
  const std::int64_t bits = tensor.dtype.bits;
  const std::int64_t lanes = tensor.dtype.lanes;
  constexpr std::int64_t wanted_bits = std::int64_t{8} * static_cast<std::int64_t>(sizeof(T));
  if (code != dlpack_code<bare> || bits != wanted_bits || lanes != 1) {
    return refuse(error, errc::type_mismatch, operation, "tensor",
                  " has elements of DLPack's type code {0} of {1} bits in {2} lanes, expected {3} of {4} bits in one",
                  {code, bits, lanes, dlpack_code<bare>, wanted_bits});
  }
  if (tensor.ndim < 0 || tensor.ndim > max_rank) {
    return refuse(error, errc::too_many_axes, operation, "tensor", " has rank {0}, expected 0 to {1} (STREW_MAX_RANK)",
                  {static_cast<std::int64_t>(tensor.ndim), max_rank});
  }
  if (tensor.ndim > 0 && tensor.shape == nullptr) {
    return refuse(error, errc::null_data, operation, "tensor", " has rank {0} and no shape",
                  {static_cast<std::int64_t>(tensor.ndim)});
  }
  return true;
}

template <class T, class Tensor>
status view_dlpack(const Tensor& tensor, tensor_view<T>& result) noexcept {
  status error;
  if (!check_dlpack<T>(tensor, error)) return error;
  const int rank = static_cast<int>(tensor.ndim);
  tensor_parts<T> parts{nullptr, list_of(tensor.shape, rank), {}, tensor.strides == nullptr};
  if (tensor.strides != nullptr) parts.strides = list_of(tensor.strides, rank);
  if (tensor.data != nullptr) {
    // The field is void* even where the elements are not to be written; as_view asks for const elements there.
    parts.data = reinterpret_cast<T*>(static_cast<char*>(tensor.data) + tensor.byte_offset);
  }
  return make_view(parts, result);
}

template <class T, class Tensor>
status view_managed(const Tensor& tensor, tensor_view<T>& result) noexcept {
  if constexpr (dlpack_versioned<Tensor>) {
    constexpr std::int64_t known = 1;
    if (const auto major = static_cast<std::int64_t>(tensor.version.major); major != known) {
      return {errc::type_mismatch, "as_view", "tensor", " is of DLPack's version {0}, expected {1}", {major, known}};
    }
    constexpr std::uint64_t read_only_flag = 1;
    if (!std::is_const_v<T> && (tensor.flags & read_only_flag) != 0) {
      return {errc::unreachable_memory, "as_view", "tensor", " is read-only: view it as const elements"};
    }
  }
  return view_dlpack<T>(tensor.dl_tensor, result);
}

template <class T>
concept run_time_typed = dlpack_tensor<T> || dlpack_managed<T>;

}  // namespace detail

// A view of a tensor of another library, whose C++ type says what its elements are:
//
//   as_view(tensor) -> tensor_view<E>, E const where the tensor is
//
// of std::vector, std::array, std::span, std::string and arrays of rank 1 (rank 1); std::mdspan and its like; Eigen's
// Matrix, Array, Map, Ref and blocks (rank 2, or 1 where the type is a vector) and Tensor, TensorFixedSize and
// TensorMap; xtensor's containers, adaptors and strided views; Boost.MultiArray and its views; what tensor_access is
// specialised for; and views. Nothing is copied, and the view is good as long as the elements stay where they are. A
// temporary that owns its elements does not compile, nor does std::vector<bool>. Throws scatter_error: too_many_axes,
// size_overflow. O(rank).
template <class Tensor>
STREW_KEYED [[nodiscard]] constexpr auto as_view(Tensor&& tensor) {
  if constexpr (detail::is_view<Tensor>) {
    return tensor;
  } else if constexpr (detail::check_viewable<Tensor>()) {
    const auto parts = detail::parts_of(tensor);
    tensor_view<typename std::remove_cvref_t<decltype(parts)>::element_type> view;
    detail::raise_if_error(detail::make_view(parts, view));
    return view;
  }
}

// A view of a tensor that knows its element type at run time only, as elements of T: DLPack's DLTensor, DLManagedTensor
// and DLManagedTensorVersioned. The deleter is never called. Errors: type_mismatch (another element type, more than one
// lane, an unknown version), unreachable_memory (another device; read-only and T not const), too_many_axes, null_data,
// negative_extent, size_overflow; on an error `result` stays as it was. O(rank).
//
//   const auto view = strew::as_view<const float>(*managed);
template <element T, detail::run_time_typed Tensor>
STREW_KEYED status try_as_view(const Tensor& tensor, tensor_view<T>& result) noexcept {
  if constexpr (detail::dlpack_managed<Tensor>) {
    return detail::view_managed<T>(tensor, result);
  } else {
    return detail::view_dlpack<T>(tensor, result);
  }
}
template <element T, detail::run_time_typed Tensor>
STREW_KEYED [[nodiscard]] tensor_view<T> as_view(const Tensor& tensor) {
  tensor_view<T> view;
  detail::raise_if_error(try_as_view<T>(tensor, view));
  return view;
}

}  // namespace strew

#endif  // STREW_AS_VIEW_HPP
