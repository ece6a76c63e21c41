// SPDX-License-Identifier: Apache-2.0
// Tensors of runtimes, recognised by their members, and their descriptions. No runtime is included.
#ifndef STREW_DETAIL_FRONT_RUNTIME_TENSORS_HPP
#define STREW_DETAIL_FRONT_RUNTIME_TENSORS_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/runtime_tensor_desc.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/dynamic/dynamic_tensor.hpp>
#include <strew/status.hpp>
#include <strew/view/integer.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// ---- DLPack's DLTensor, DLManagedTensor and DLManagedTensorVersioned

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

// Host memory, or host memory pinned by CUDA or ROCm.
constexpr bool is_dlpack_host(std::int64_t device) noexcept {
  return device == 1 || device == 3 || device == 11;
}

constexpr bool describe_dlpack_type(std::int64_t code, std::int64_t bits, std::int64_t lanes,
                                    runtime_tensor_desc& result, status& error) noexcept {
  using kind = dynamic::element_kind;
  constexpr kind kinds[] = {kind::signed_integer, kind::unsigned_integer, kind::floating_point, kind::opaque,
                            kind::brain_float,    kind::complex,          kind::boolean};
  if (lanes != 1) {
    return refuse_tensor(error, errc::type_mismatch, " has elements of {0} lanes, expected 1", {lanes});
  }
  if (bits < 8 || bits % 8 != 0) return refuse_type(error);
  result.set_type(code >= 0 && code < 7 ? kinds[code] : kind::opaque, bits / 8);
  return true;
}

template <dlpack_tensor Tensor>
bool describe(const Tensor& tensor, runtime_tensor_desc& result, status& error) noexcept {
  if (const auto device = static_cast<std::int64_t>(tensor.device.device_type); !is_dlpack_host(device)) {
    return refuse_tensor(error, errc::unreachable_memory, " is on a device of DLPack's type {0}: copy it to the host",
                         {device});
  }
  const auto rank = static_cast<std::int64_t>(tensor.ndim);
  if (!describe_dlpack_type(tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes, result, error) ||
      !check_runtime_rank(rank, error)) {
    return false;
  }
  if (rank > 0 && tensor.shape == nullptr) {
    return refuse_tensor(error, errc::null_data, " has rank {0} and no shape", {rank});
  }
  result.extents = list_of(tensor.shape, static_cast<int>(rank));
  if (tensor.strides != nullptr) {
    result.strides = list_of(tensor.strides, static_cast<int>(rank));
    result.unit = stride_unit::element;
  }
  if (tensor.data != nullptr) {
    // Computed with integers, since arithmetic on the pointer could overflow.
    const auto first = reinterpret_cast<std::uintptr_t>(tensor.data) + static_cast<std::uintptr_t>(tensor.byte_offset);
    result.data = reinterpret_cast<const void*>(first);
  }
  return true;
}
template <dlpack_managed Tensor>
bool describe(const Tensor& tensor, runtime_tensor_desc& result, status& error) noexcept {
  if constexpr (dlpack_versioned<Tensor>) {
    constexpr std::int64_t known = 1;
    if (const auto major = static_cast<std::int64_t>(tensor.version.major); major != known) {
      return refuse_tensor(error, errc::type_mismatch, " is of DLPack's version {0}, expected {1}", {major, known});
    }
    constexpr std::uint64_t read_only_flag = 1;
    result.is_read_only = (tensor.flags & read_only_flag) != 0;
  }
  return describe(tensor.dl_tensor, result, error);
}

// ---- PyTorch's at::Tensor

template <class T>
concept torch_tensor = requires(const T& tensor) {
  tensor.defined();
  tensor.sizes();
  tensor.strides();
  tensor.scalar_type();
  tensor.element_size();
  tensor.is_cpu();
  tensor.is_conj();
  tensor.is_neg();
  tensor.layout();
  tensor.is_quantized();
  tensor.const_data_ptr();
  tensor.mutable_data_ptr();
};

template <torch_tensor Tensor>
bool describe(const Tensor& tensor, runtime_tensor_desc& result, status& error) {
  using kind = dynamic::element_kind;
  if (!tensor.defined()) return refuse_tensor(error, errc::null_data, " is undefined");
  if (!tensor.is_cpu()) return refuse_device(error);
  constexpr int strided = 0;
  if (static_cast<int>(tensor.layout()) != strided) {
    return refuse_tensor(error, errc::unreachable_memory, " is sparse: make it dense");
  }
  if (tensor.is_conj() || tensor.is_neg()) {
    return refuse_tensor(error, errc::unreachable_memory,
                         " stands for the conjugate or the negative of its memory: call resolve_conj() and "
                         "resolve_neg()");
  }
  // The values of at::ScalarType, which are also in PyTorch's files. From 30 on, but for one, elements are parts of a
  // byte.
  constexpr kind kinds[] = {kind::unsigned_integer, kind::signed_integer, kind::signed_integer, kind::signed_integer,
                            kind::signed_integer,   kind::floating_point, kind::floating_point, kind::floating_point,
                            kind::complex,          kind::complex,        kind::complex,        kind::boolean};
  const int type = static_cast<int>(tensor.scalar_type());
  const bool is_part_of_byte = type == 16 || type == 17 || (type >= 18 && type <= 20) || (type >= 30 && type != 44);
  if (tensor.is_quantized() || is_part_of_byte) return refuse_type(error);
  result.set_type(type < 0                  ? kind::opaque
                  : type < 12               ? kinds[type]
                  : type == 15              ? kind::brain_float
                  : type >= 27 && type < 30 ? kind::unsigned_integer
                                            : kind::opaque,
                  saturate(tensor.element_size()));
  const auto sizes = tensor.sizes();
  const auto strides = tensor.strides();
  if (!check_runtime_rank(saturate(sizes.size()), error)) return false;
  result.extents = list_of(sizes, static_cast<int>(sizes.size()));
  result.strides = list_of(strides, static_cast<int>(sizes.size()));
  result.unit = stride_unit::element;
  // mutable_data_ptr makes the copy of a lazily copied tensor.
  result.data = result.is_to_be_written ? tensor.mutable_data_ptr() : tensor.const_data_ptr();
  return true;
}

// ---- OpenVINO's ov::Tensor

template <class T>
concept openvino_tensor = requires(const T& tensor) {
  tensor.get_element_type().get_type_name();
  tensor.get_element_type().bitwidth();
  tensor.get_shape();
  tensor.get_strides();
  tensor.get_byte_size();
  tensor.data();
};

// The kind by the name of the type (f32, i64, u8, boolean), since the numbers of types differ between versions.
template <class Name>
constexpr dynamic::element_kind kind_by_name(const Name& name) noexcept {
  using kind = dynamic::element_kind;
  const auto is_number = [&] {
    for (std::size_t k = 1; k < name.size(); ++k) {
      if (name[k] < '0' || name[k] > '9') return false;
    }
    return name.size() > 1;
  };
  if (name == "boolean") return kind::boolean;
  if (name == "bf16") return kind::brain_float;
  if (name == "string" || name == "dynamic" || name == "undefined" || !is_number()) return kind::opaque;
  return name[0] == 'f'   ? kind::floating_point
         : name[0] == 'i' ? kind::signed_integer
         : name[0] == 'u' ? kind::unsigned_integer
                          : kind::opaque;
}

template <class Tensor>
  requires openvino_tensor<std::remove_const_t<Tensor>>
bool describe(Tensor& tensor, runtime_tensor_desc& result, status& error) {
  const auto& type = tensor.get_element_type();
  const auto name = type.get_type_name();
  const std::int64_t bits = saturate(type.bitwidth());
  if (name == "string" || bits < 8 || bits % 8 != 0) return refuse_type(error);
  result.set_type(kind_by_name(name), bits / 8);
  const auto extents = tensor.get_shape();
  const auto strides = tensor.get_strides();
  if (!check_runtime_rank(saturate(extents.size()), error)) return false;
  result.extents = list_of(extents, static_cast<int>(extents.size()));
  result.strides = list_of(strides, static_cast<int>(strides.size()));
  result.unit = stride_unit::byte;
  result.is_read_only = std::is_const_v<Tensor>;
  // data() throws for a tensor over read-only memory.
  result.data = result.is_to_be_written ? tensor.data() : std::as_const(tensor).data();
  return true;
}

// ---- ONNX Runtime's Ort::Value, and the types that do not own

template <class T>
concept onnx_runtime_value = requires(const T& value) {
  value.IsTensor();
  value.GetTensorTypeAndShapeInfo().GetShape();
  value.GetTensorTypeAndShapeInfo().GetElementType();
  value.GetTensorMemoryInfo().GetDeviceType();
  value.GetTensorRawData();
};

template <class Value>
  requires onnx_runtime_value<std::remove_const_t<Value>>
bool describe(Value& value, runtime_tensor_desc& result, status& error) {
  using kind = dynamic::element_kind;
  if (!value.IsTensor()) return refuse_tensor(error, errc::type_mismatch, " is a sequence, a map or sparse");
  if (static_cast<int>(value.GetTensorMemoryInfo().GetDeviceType()) != 0) return refuse_device(error);
  // The values of ONNX's TensorProto.DataType: 1 is float, 8 a string; from 21 on elements are parts of a byte.
  constexpr struct {
    kind of;
    int size;
  } types[] = {{kind::opaque, 0},           {kind::floating_point, 4},   {kind::unsigned_integer, 1},
               {kind::signed_integer, 1},   {kind::unsigned_integer, 2}, {kind::signed_integer, 2},
               {kind::signed_integer, 4},   {kind::signed_integer, 8},   {kind::opaque, 0},
               {kind::boolean, 1},          {kind::floating_point, 2},   {kind::floating_point, 8},
               {kind::unsigned_integer, 4}, {kind::unsigned_integer, 8}, {kind::complex, 8},
               {kind::complex, 16},         {kind::brain_float, 2},      {kind::opaque, 1},
               {kind::opaque, 1},           {kind::opaque, 1},           {kind::opaque, 1}};
  const auto info = value.GetTensorTypeAndShapeInfo();
  const int type = static_cast<int>(info.GetElementType());
  if (type < 0 || type > 20 || types[type].size == 0) return refuse_type(error);
  result.set_type(types[type].of, types[type].size);
  const auto extents = info.GetShape();
  if (!check_runtime_rank(saturate(extents.size()), error)) return false;
  result.extents = list_of(extents, static_cast<int>(extents.size()));
  // Ort::ConstValue has no function for writable memory.
  result.is_read_only = !requires {
    value.GetTensorMutableRawData();
  };
  result.data = value.GetTensorRawData();
  return true;
}

// ---- OpenCV's cv::Mat: channels are a last axis

template <class Matrix>
  requires opencv_matrix<std::remove_const_t<Matrix>>
bool describe(Matrix& matrix, runtime_tensor_desc& result, status& error) noexcept {
  using kind = dynamic::element_kind;
  constexpr kind kinds[] = {kind::unsigned_integer, kind::signed_integer, kind::unsigned_integer, kind::signed_integer,
                            kind::signed_integer,   kind::floating_point, kind::floating_point,   kind::floating_point};
  const auto depth = static_cast<std::int64_t>(matrix.depth());
  const std::int64_t size = saturate(matrix.elemSize1());
  const std::int64_t channels = matrix.channels();
  const bool has_channels = channels > 1;
  if (!check_runtime_rank(matrix.dims + std::int64_t{has_channels}, error)) return false;
  result.set_type(depth >= 0 && depth < 8 ? kinds[depth] : kind::opaque, size);
  result.extents = list_of(matrix.size.p, matrix.dims);
  result.strides = list_of(matrix.step.p, matrix.dims);
  if (has_channels) {
    result.extents.push_back(channels);
    result.strides.push_back(size);
  }
  result.unit = stride_unit::byte;
  result.is_read_only = std::is_const_v<Matrix>;
  result.data = matrix.data;
  return true;
}

// ---- nanobind's ndarray

template <class T>
concept nanobind_array = nanobind_like<T> && requires(const T& array) {
  array.is_valid();
  array.dtype().code;
  array.device_type();
  T::ReadOnly;
};

template <nanobind_array Array>
bool describe(const Array& array, runtime_tensor_desc& result, status& error) noexcept {
  if (!array.is_valid()) return refuse_tensor(error, errc::null_data, " is undefined");
  if (!is_dlpack_host(array.device_type())) return refuse_device(error);
  const auto type = array.dtype();
  const std::int64_t rank = saturate(array.ndim());
  if (!describe_dlpack_type(type.code, type.bits, type.lanes, result, error) || !check_runtime_rank(rank, error)) {
    return false;
  }
  for (std::size_t k = 0; k < array.ndim(); ++k) {
    result.extents.push_back(saturate(array.shape(k)));
    result.strides.push_back(saturate(array.stride(k)));
  }
  result.unit = stride_unit::element;
  result.data = array.data();
  result.is_read_only = Array::ReadOnly;
  return true;
}

// ---- All runtimes

template <class T>
concept run_time_typed = dlpack_tensor<T> || dlpack_managed<T> || torch_tensor<T> || openvino_tensor<T> ||
    onnx_runtime_value<T> || opencv_matrix<T> || nanobind_array<T>;

template <class T>
concept run_time_tensor = run_time_typed<std::remove_cvref_t<T>>;
template <class T>
concept run_time_tensor_only = run_time_tensor<T> && !typed_tensor<std::remove_reference_t<T>>;

// Whether a temporary may own its elements. DLPack's structures do not free them in a destructor.
template <class Tensor>
inline constexpr bool takes_elements_along =
    !std::is_lvalue_reference_v<Tensor> && !dlpack_tensor<std::remove_cvref_t<Tensor>> &&
    !dlpack_managed<std::remove_cvref_t<Tensor>>;

template <class Tensor>
constexpr bool check_outlives() noexcept {
  explain<none_if(!takes_elements_along<Tensor>, mistake::temporary_elements)>();
  return !takes_elements_along<Tensor>;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_RUNTIME_TENSORS_HPP
