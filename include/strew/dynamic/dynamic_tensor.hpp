// SPDX-License-Identifier: Apache-2.0
// Tensors whose element and index types are known at run time only. Include strew/dynamic.hpp to pass them to
// operators.
#ifndef STREW_DYNAMIC_DYNAMIC_TENSOR_HPP
#define STREW_DYNAMIC_DYNAMIC_TENSOR_HPP

#include <strew/config.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/dynamic/index_type.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI::dynamic {

// A reduction that is known at run time only, for calls on tensors of this header. Error if the operator's
// specification or the element type lacks it: unsupported_reduction.
struct reduction {
  reduction_kind kind = reduction_kind::none;
  bool include_init = true;  // false: as without_init
};
// The same with NaNs left out, as by reduction::without_nan; for none and sub unsupported_reduction. A type of its own,
// since calls with it have more loops.
struct reduction_without_nan {
  reduction_kind kind = reduction_kind::sum;
  bool include_init = true;
  bool skips_nan = true;  // false: as dynamic::reduction
};

namespace detail::inline STREW_CODE {  // a base of public types, so it is named as they are

// A pointer and a layout, whose strides count elements.
template <class Pointer>
class operand {
 public:
  // The address of the element at coordinate 0; it needs no alignment.
  [[nodiscard]] constexpr Pointer data() const noexcept { return data_; }
  [[nodiscard]] constexpr const strided_layout& layout() const noexcept { return layout_; }
  [[nodiscard]] constexpr int rank() const noexcept { return layout_.rank(); }
  [[nodiscard]] constexpr const index_list& extents() const noexcept { return layout_.extents(); }
  [[nodiscard]] constexpr const index_list& strides() const noexcept { return layout_.strides(); }
  [[nodiscard]] constexpr std::int64_t size() const noexcept { return layout_.size(); }

 protected:
  static constexpr const char* operation = "dynamic::tensor";

  constexpr operand() noexcept = default;
  constexpr operand(Pointer data, const strided_layout& checked) noexcept : data_{data}, layout_{checked} {}

  STREW_KEYED constexpr status bind(Pointer data, const status& outcome, const strided_layout& checked) noexcept {
    if (!outcome.ok()) return outcome;
    if (data == nullptr && !checked.empty()) {
      return {errc::null_data, operation, "data", " is null, but extents {c} hold elements", {}, checked.extents()};
    }
    data_ = data;
    layout_ = checked;
    return {};
  }
  STREW_KEYED static constexpr status check_size(std::int64_t element_size) noexcept {
    if (element_size < 1) {
      return {errc::type_mismatch, operation, "element size", " is {0} bytes, expected at least 1", {element_size}};
    }
    // On machines whose pointers have fewer than 64 bits.
    if (!std::in_range<std::ptrdiff_t>(element_size)) {
      return {errc::size_overflow, operation, "element size", " is {0} bytes, too many to address", {element_size}};
    }
    return {};
  }
  STREW_KEYED constexpr status bind_row_major(Pointer data, std::int64_t element_size,
                                              const index_list& extents) noexcept {
    if (status bad = check_size(element_size); !bad.ok()) return bad;
    strided_layout checked;
    return bind(data, strided_layout::try_make(extents, static_cast<std::size_t>(element_size), checked), checked);
  }
  STREW_KEYED constexpr status bind_strided(Pointer data, std::int64_t element_size, const index_list& extents,
                                            const index_list& strides) noexcept {
    if (status bad = check_size(element_size); !bad.ok()) return bad;
    strided_layout checked;
    return bind(data, strided_layout::try_make(extents, strides, static_cast<std::size_t>(element_size), checked),
                checked);
  }
  STREW_KEYED constexpr status bind_byte_strides(Pointer data, std::int64_t element_size, const index_list& extents,
                                                 const index_list& byte_strides) noexcept {
    if (status bad = check_size(element_size); !bad.ok()) return bad;
    index_list strides = byte_strides;
    for (int k = 0; k < strides.size(); ++k) {
      // The stride of an axis of at most one element is never used, so any value is legal.
      if (k < extents.size() && extents[k] <= 1) strides[k] = 0;
      if (strides[k] % element_size != 0) {
        return {errc::misaligned_stride,
                operation,
                "byte_strides",
                "{c} = {0} is no multiple of the element size, {1} bytes",
                {strides[k], element_size},
                {k}};
      }
      strides[k] /= element_size;
    }
    return bind_strided(data, element_size, extents, strides);
  }

 private:
  Pointer data_ = nullptr;
  strided_layout layout_;
};

}  // namespace detail

// A non-owning view of a tensor whose element type is known at run time only. Pointer is void* if its elements may be
// written, const void* otherwise. A tensor_view converts to it if its elements can be copied as bytes. Strides are in
// elements; in functions with byte_strides in their names they are in bytes, and multiples of the element size.
//
//   strew::dynamic::tensor output{pointer, {strew::dynamic::element_kind::floating_point, 4}, {2, 3}};
//   strew::scatter_update(data, indices, updates, 0, output);
//
// The constructors throw scatter_error: type_mismatch for an element size below 1, too_many_axes, rank_mismatch,
// negative_extent, size_overflow, null_data. The try_ forms return a status; on an error `result` stays as it was.
// O(rank), no heap.
template <class Pointer>
class basic_tensor : public detail::operand<Pointer> {
  using base = detail::operand<Pointer>;

 public:
  constexpr basic_tensor() noexcept = default;
  // Row-major strides.
  STREW_KEYED constexpr basic_tensor(Pointer data, element_type type, const index_list& extents) {
    strew::detail::raise_if_error(try_make(data, type, extents, *this));
  }
  // With strides in elements, one per axis.
  STREW_KEYED constexpr basic_tensor(Pointer data, element_type type, const index_list& extents,
                                     const index_list& strides) {
    strew::detail::raise_if_error(try_make(data, type, extents, strides, *this));
  }
  // Extents and strides must be braced: integers alone do not compile.
  template <index_integer First, index_integer Second, index_integer... More>
  constexpr basic_tensor(Pointer, element_type, First, Second, More...) {
    strew::detail::explain<strew::detail::none_if(std::is_void_v<First>, strew::detail::mistake::bare_extents)>();
  }
  template <class T>
    requires(strew::detail::is_bytewise<std::remove_const_t<T>>&& std::is_convertible_v<T*, Pointer>)
  constexpr basic_tensor(const tensor_view<T>& view) noexcept
      : base{view.data(), view.layout()}, type_{element_type_of<T>} {}
  // A template: otherwise it would be the copy constructor for Pointer = void*.
  template <class Other>
    requires(std::is_same_v<Other, void*>&& std::is_same_v<Pointer, const void*>)
  constexpr basic_tensor(const basic_tensor<Other>& other) noexcept
      : base{other.data(), other.layout()}, type_{other.type()} {}

  // The constructors without exceptions.
  STREW_KEYED static constexpr status try_make(Pointer data, element_type type, const index_list& extents,
                                               basic_tensor& result) noexcept {
    return result.typed(type, result.bind_row_major(data, type.size, extents));
  }
  STREW_KEYED static constexpr status try_make(Pointer data, element_type type, const index_list& extents,
                                               const index_list& strides, basic_tensor& result) noexcept {
    return result.typed(type, result.bind_strided(data, type.size, extents, strides));
  }
  // Strides in bytes. Errors: those of the constructors, and misaligned_stride for a stride that is not a multiple of
  // the element size.
  STREW_KEYED static constexpr status try_make_from_byte_strides(Pointer data, element_type type,
                                                                 const index_list& extents,
                                                                 const index_list& byte_strides,
                                                                 basic_tensor& result) noexcept {
    return result.typed(type, result.bind_byte_strides(data, type.size, extents, byte_strides));
  }
  STREW_KEYED [[nodiscard]] static constexpr basic_tensor from_byte_strides(Pointer data, element_type type,
                                                                            const index_list& extents,
                                                                            const index_list& byte_strides) {
    basic_tensor result;
    strew::detail::raise_if_error(try_make_from_byte_strides(data, type, extents, byte_strides, result));
    return result;
  }

  // The element type.
  STREW_KEYED [[nodiscard]] constexpr element_type type() const noexcept { return type_; }

 private:
  STREW_KEYED constexpr status typed(element_type type, const status& outcome) noexcept {
    if (outcome.ok()) type_ = type;
    return outcome;
  }

  element_type type_;
};

// A tensor whose elements may be written, and one whose elements are only read.
using tensor = basic_tensor<void*>;
using const_tensor = basic_tensor<const void*>;

// A non-owning view of a tensor of indices whose integer type is known at run time only. Constructors and errors are
// those of basic_tensor.
class index_tensor : public detail::operand<const void*> {
  using base = detail::operand<const void*>;

 public:
  constexpr index_tensor() noexcept = default;
  // Row-major strides.
  STREW_KEYED constexpr index_tensor(const void* data, index_type type, const index_list& extents) {
    strew::detail::raise_if_error(try_make(data, type, extents, *this));
  }
  // With strides in elements, one per axis.
  STREW_KEYED constexpr index_tensor(const void* data, index_type type, const index_list& extents,
                                     const index_list& strides) {
    strew::detail::raise_if_error(try_make(data, type, extents, strides, *this));
  }
  template <index_integer First, index_integer Second, index_integer... More>
  constexpr index_tensor(const void*, index_type, First, Second, More...) {
    strew::detail::explain<strew::detail::none_if(std::is_void_v<First>, strew::detail::mistake::bare_extents)>();
  }
  template <index_integer Index>
  constexpr index_tensor(const tensor_view<Index>& view) noexcept
      : base{view.data(), view.layout()}, type_{index_type_of<Index>} {}

  // The constructors without exceptions; in the forms with byte_strides strides are in bytes.
  STREW_KEYED static constexpr status try_make(const void* data, index_type type, const index_list& extents,
                                               index_tensor& result) noexcept {
    return result.typed(type, result.bind_row_major(data, size_of(type), extents));
  }
  STREW_KEYED static constexpr status try_make(const void* data, index_type type, const index_list& extents,
                                               const index_list& strides, index_tensor& result) noexcept {
    return result.typed(type, result.bind_strided(data, size_of(type), extents, strides));
  }
  STREW_KEYED static constexpr status try_make_from_byte_strides(const void* data, index_type type,
                                                                 const index_list& extents,
                                                                 const index_list& byte_strides,
                                                                 index_tensor& result) noexcept {
    return result.typed(type, result.bind_byte_strides(data, size_of(type), extents, byte_strides));
  }
  STREW_KEYED [[nodiscard]] static constexpr index_tensor from_byte_strides(const void* data, index_type type,
                                                                            const index_list& extents,
                                                                            const index_list& byte_strides) {
    index_tensor result;
    strew::detail::raise_if_error(try_make_from_byte_strides(data, type, extents, byte_strides, result));
    return result;
  }

  // The index type.
  STREW_KEYED [[nodiscard]] constexpr index_type type() const noexcept { return type_; }

 private:
  STREW_KEYED constexpr status typed(index_type type, const status& outcome) noexcept {
    if (outcome.ok()) type_ = type;
    return outcome;
  }

  index_type type_ = index_type::int64;
};

}  // namespace strew::dynamic

#endif  // STREW_DYNAMIC_DYNAMIC_TENSOR_HPP
