// SPDX-License-Identifier: Apache-2.0
// Tensors in memory of every shape that a caller may have: contiguous, padded, permuted, reversed, broadcast,
// interleaved. The elements around them and in their gaps hold known values, so that a write outside is seen.
#ifndef STREW_TESTS_GUARDED_BUFFER_HPP
#define STREW_TESTS_GUARDED_BUFFER_HPP

#include "element_values.hpp"
#include "oracle.hpp"
#include "random_source.hpp"

#include <strew/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace strew::test {

using oracle::shape;

enum class arrangement { contiguous, padded, permuted, reversed, interleaved, mixed, broadcast };

// Where the elements of a tensor lie, in elements from the lowest one.
struct placement {
  shape extents;
  shape strides;
  std::int64_t first = 0;  // the element at coordinate 0
  std::int64_t span = 0;   // from the lowest to the highest, both included; 0 when there are none
};

// Fills in `first` and `span`.
inline placement place(shape extents, shape strides) {
  placement result{std::move(extents), std::move(strides), 0, 0};
  if (oracle::count_of(result.extents) == 0) return result;
  result.span = 1;
  for (std::size_t k = 0; k < result.extents.size(); ++k) {
    const std::int64_t distance = (result.extents[k] - 1) * result.strides[k];
    result.span += std::abs(distance);
    if (distance < 0) result.first -= distance;
  }
  return result;
}

inline placement place_contiguous(const shape& extents) {
  shape strides(extents.size());
  std::int64_t stride = 1;
  for (std::size_t k = extents.size(); k-- > 0;) {
    strides[k] = stride;
    stride *= extents[k] > 0 ? extents[k] : 1;
  }
  return place(extents, strides);
}

// A random placement of the given kind. Only `broadcast` repeats elements.
inline placement place(arrangement kind, const shape& extents, random_source& random) {
  if (kind == arrangement::contiguous) return place_contiguous(extents);
  const bool anything = kind == arrangement::mixed || kind == arrangement::broadcast;
  const std::size_t rank = extents.size();
  std::vector<std::size_t> order = random.order(rank);
  if (kind != arrangement::permuted && (!anything || random.one_in(2))) {
    for (std::size_t k = 0; k < rank; ++k) order[k] = k;
  }
  shape strides(rank);
  std::int64_t stride = kind == arrangement::interleaved || (anything && random.one_in(3)) ? random.between(2, 3) : 1;
  for (std::size_t k = rank; k-- > 0;) {
    const std::size_t axis = order[k];
    const std::int64_t extent = extents[axis] > 0 ? extents[axis] : 1;
    const bool padded = kind == arrangement::padded || (anything && random.one_in(3));
    const bool reversed = (kind == arrangement::reversed || anything) && random.one_in(2);
    strides[axis] = reversed ? -stride : stride;
    stride *= extent + (padded ? random.between(1, 2) : 0);
    if (kind == arrangement::broadcast && random.one_in(2)) strides[axis] = 0;
    // No element takes this stride, so it may be anything.
    if (anything && extent == 1) strides[axis] = random.pick<std::int64_t>({-1000003, -1, 0, 1, 7, 1000003});
  }
  return place(extents, strides);
}

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

#endif  // STREW_TESTS_GUARDED_BUFFER_HPP
