// SPDX-License-Identifier: Apache-2.0
// Pointer, type, shape and strides of a tensor whose type is known at run time only, and their checks.
#ifndef STREW_DETAIL_FRONT_RUNTIME_TENSOR_DESC_HPP
#define STREW_DETAIL_FRONT_RUNTIME_TENSOR_DESC_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/dynamic/dynamic_tensor.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

enum class stride_unit : unsigned char { none, element, byte };  // none: row-major

// A tensor in host memory, with elements of a whole number of bytes.
struct runtime_tensor_desc {
  const void* data = nullptr;
  dynamic::element_type type{};
  index_list extents{};
  index_list strides{};
  stride_unit unit = stride_unit::none;
  bool is_read_only = false;
  bool is_to_be_written = false;  // set before describe()

  constexpr void set_type(dynamic::element_kind kind, std::int64_t size) noexcept { type = {kind, size}; }
};

inline constexpr const char* description_operation = "as_view";

STREW_COLD constexpr bool refuse_tensor(status& error, errc code, const char* text,
                                        const std::initializer_list<std::int64_t>& numbers = {}) noexcept {
  return refuse(error, code, description_operation, "tensor", text, numbers);
}
constexpr bool refuse_device(status& error) noexcept {
  return refuse_tensor(error, errc::unreachable_memory, " is on a device: copy it to the host");
}
constexpr bool refuse_type(status& error) noexcept {
  return refuse_tensor(error, errc::type_mismatch, " has elements that are no whole number of bytes, or strings");
}

constexpr bool check_runtime_rank(std::int64_t rank, status& error) noexcept {
  return (rank >= 0 && rank <= max_rank) ||
         refuse_tensor(error, errc::too_many_axes, " has rank {0}, expected 0 to {1} (STREW_MAX_RANK)",
                       {rank, max_rank});
}

// Converts strides in bytes to strides in elements. The stride of an axis of at most one element becomes 0.
constexpr bool count_strides_in_elements(runtime_tensor_desc& tensor, status& error) noexcept {
  if (tensor.unit != stride_unit::byte) return true;
  for (int k = 0; k < tensor.strides.size(); ++k) {
    if (tensor.extents[k] <= 1) tensor.strides[k] = 0;
    if (tensor.strides[k] % tensor.type.size != 0) {
      return refuse_tensor(
          error, errc::misaligned_stride,
          " has a stride of {0} bytes on axis {1}, which is no multiple of the element size, {2} bytes",
          {tensor.strides[k], k, tensor.type.size});
    }
    tensor.strides[k] /= tensor.type.size;
  }
  tensor.unit = stride_unit::element;
  return true;
}

constexpr bool check_writable(const runtime_tensor_desc& tensor, status& error) noexcept {
  return !tensor.is_read_only ||
         refuse_tensor(error, errc::unreachable_memory, " is read-only: view it as const elements");
}

// Checks that the elements have a type. Types that are none of the kinds, such as a user's, match all kinds of the same
// size.
constexpr bool check_runtime_type(const runtime_tensor_desc& tensor, dynamic::element_type wanted,
                                  status& error) noexcept {
  using kind = dynamic::element_kind;
  const kind found = tensor.type.kind;
  const bool kinds_agree = found == wanted.kind || wanted.kind == kind::opaque;
  if (tensor.type.size == wanted.size && kinds_agree) return true;
  constexpr const char* names[] = {"unknown",        "boolean", "signed integer", "unsigned integer",
                                   "floating-point", "bfloat",  "complex"};
  constexpr const char* texts[] = {" has {o} elements of {0} bytes, expected any of {1}",
                                   " has {o} elements of {0} bytes, expected boolean ones of {1}",
                                   " has {o} elements of {0} bytes, expected signed integers of {1}",
                                   " has {o} elements of {0} bytes, expected unsigned integers of {1}",
                                   " has {o} elements of {0} bytes, expected floating-point ones of {1}",
                                   " has {o} elements of {0} bytes, expected bfloats of {1}",
                                   " has {o} elements of {0} bytes, expected complex ones of {1}"};
  constexpr std::size_t kinds = static_cast<std::size_t>(kind::complex) + 1;  // the last one
  static_assert(std::size(names) == kinds && std::size(texts) == kinds);
  error = status(errc::type_mismatch, description_operation, "tensor", texts[static_cast<int>(wanted.kind)],
                 {tensor.type.size, wanted.size}, {}, names[static_cast<int>(found)]);
  return false;
}

// The index type of 1, 2, 4 or 8 bytes; `first` is int8 or uint8.
constexpr index_type index_type_by_size(std::int64_t size, index_type first) noexcept {
  const int step = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
  return static_cast<index_type>(static_cast<int>(first) + step);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_RUNTIME_TENSOR_DESC_HPP
