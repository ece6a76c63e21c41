// SPDX-License-Identifier: Apache-2.0
// Tensors of other languages and runtimes as views, by DLPack's structures: as_view<T>(tensor). Opt-in, and DLPack's
// own header is not included: its structures are told by their members.
#ifndef STREW_DLPACK_HPP
#define STREW_DLPACK_HPP

#include <strew/as_view.hpp>
#include <strew/config.hpp>
#include <strew/element.hpp>
#include <strew/index_list.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <complex>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

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
    char* const first = static_cast<char*>(tensor.data) + tensor.byte_offset;
    if (reinterpret_cast<std::uintptr_t>(first) % alignof(T) != 0) {
      return {errc::unreachable_memory,
              "as_view",
              "tensor",
              " begins at an address that is no multiple of {0}: strew::dynamic::tensor needs none",
              {static_cast<std::int64_t>(alignof(T))}};
    }
    parts.data = reinterpret_cast<T*>(first);
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

// A view of a tensor that knows its element type at run time only, as elements of T: DLPack's DLTensor, DLManagedTensor
// and DLManagedTensorVersioned. The deleter is never called. Errors: type_mismatch (another element type, more than one
// lane, an unknown version), unreachable_memory (another device; read-only and T not const;
// an address that is not aligned for T), too_many_axes, null_data,
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

#endif  // STREW_DLPACK_HPP
