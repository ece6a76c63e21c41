// SPDX-License-Identifier: Apache-2.0
// Tensors in memory, in any placement. The elements around them and in their gaps hold known values, so that a write
// outside is seen.
#ifndef STREW_TESTS_SUPPORT_GUARDED_BUFFER_HPP
#define STREW_TESTS_SUPPORT_GUARDED_BUFFER_HPP

#include "element_values.hpp"
#include "oracle.hpp"
#include "placement.hpp"

#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strew::test {

// A tensor with elements of its own in some placement, with `guard` elements before and after it. The values of guards
// and gaps are far from those of elements. A copy is a copy of all the memory.
template <class T>
class guarded_buffer {
 public:
  static constexpr std::int64_t default_guard = 4;

  explicit guarded_buffer(const placement& where, std::int64_t guard = default_guard)
      : where_(where),
        guard_(guard),
        size_(static_cast<std::size_t>(where.span + 2 * guard)),
        memory_(std::make_unique<T[]>(size_)) {
    for (std::size_t k = 0; k < size_; ++k) memory_[k] = nth_value<T>(0xAAAAAAAA00000055U + k);
  }
  explicit guarded_buffer(const shape& extents) : guarded_buffer(place_contiguous(extents)) {}
  guarded_buffer(const shape& extents, const std::vector<T>& values) : guarded_buffer(extents) { fill(values); }

  guarded_buffer(const guarded_buffer& other)
      : where_(other.where_), guard_(other.guard_), size_(other.size_), memory_(std::make_unique<T[]>(size_)) {
    for (std::size_t k = 0; k < size_; ++k) memory_[k] = other.memory_[k];
  }
  guarded_buffer(guarded_buffer&&) noexcept = default;
  guarded_buffer& operator=(const guarded_buffer&) = delete;
  guarded_buffer& operator=(guarded_buffer&&) noexcept = default;
  ~guarded_buffer() = default;

  [[nodiscard]] const shape& extents() const { return where_.extents; }
  [[nodiscard]] std::int64_t size() const { return oracle::count_of(where_.extents); }

  [[nodiscard]] tensor_view<T> view() { return {origin(), where_.extents, where_.strides}; }
  [[nodiscard]] tensor_view<const T> const_view() { return view(); }

  // Calls body(element) in row-major order.
  template <class Body>
  void for_each_element(Body body) {
    for_each_coordinate(where_.extents, [&](const shape& at) { body(memory_[offset_of(at)]); });
  }
  template <class Body>
  void for_each_element(Body body) const {
    for_each_coordinate(where_.extents, [&](const shape& at) { body(std::as_const(memory_[offset_of(at)])); });
  }

  // Sets the elements, in row-major order.
  void fill(const std::vector<T>& values) {
    std::size_t position = 0;
    for_each_element([&](T& element) { element = values[position++]; });
  }
  void fill_from(std::uint64_t first) {
    for_each_element([&](T& element) { element = nth_value<T>(first++); });
  }
  // The elements, in row-major order.
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> result;
    for_each_element([&](const T& element) { result.push_back(element); });
    return result;
  }

  // Whether all memory is the same, guards and gaps included.
  [[nodiscard]] bool is_same_as(const guarded_buffer& other) const {
    for (std::size_t k = 0; k < size_; ++k) {
      if (!same(memory_[k], other.memory_[k])) return false;
    }
    return size_ == other.size_;
  }
  // Whether the memory that is not an element of the tensor is the same.
  [[nodiscard]] bool is_same_around_elements(const guarded_buffer& other) const {
    std::vector<char> is_element(size_, 0);
    for_each_coordinate(where_.extents, [&](const shape& at) { is_element[offset_of(at)] = 1; });
    for (std::size_t k = 0; k < size_; ++k) {
      if (is_element[k] == 0 && !same(memory_[k], other.memory_[k])) return false;
    }
    return true;
  }

 private:
  T* origin() { return size_ == 0 ? nullptr : memory_.get() + guard_ + where_.first; }
  [[nodiscard]] std::size_t offset_of(const shape& at) const {
    std::int64_t offset = guard_ + where_.first;
    for (std::size_t k = 0; k < at.size(); ++k) offset += at[k] * where_.strides[k];
    return static_cast<std::size_t>(offset);
  }

  placement where_;
  std::int64_t guard_;
  std::size_t size_;
  std::unique_ptr<T[]> memory_;  // not a vector: that of bool has no elements to point at
};

}  // namespace strew::test

#endif  // STREW_TESTS_SUPPORT_GUARDED_BUFFER_HPP
