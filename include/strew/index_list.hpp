// SPDX-License-Identifier: Apache-2.0
// A short list of 64-bit signed integers held inline: extents, strides, bounds, axes, a coordinate.
#ifndef STREW_INDEX_LIST_HPP
#define STREW_INDEX_LIST_HPP

#include <strew/config.hpp>
#include <strew/integer.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

// GCC unrolls loops over size() entries and then warns that the rest were never written. They never are, by design.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace strew {

class index_list;

namespace detail {

// One entry of a braced list: any integer type, but nothing that merely converts to one.
struct list_entry {
  std::int64_t value;

  template <index_integer Integer>
  constexpr list_entry(Integer entry) noexcept : value{saturate(entry)} {}
};

}  // namespace detail

// Satisfied by contiguous ranges of integers that can be asked for their data and size: std::vector, std::array,
// std::span, a C array, a list of another kind. Views of tensors are not lists, since they have no begin().
template <class R>
concept integer_range = !std::is_base_of_v<index_list, std::remove_cvref_t<R>> && requires(const R& range) {
  std::begin(range);
  requires std::is_pointer_v<decltype(std::data(range))>;
  requires index_integer<std::remove_pointer_t<decltype(std::data(range))>>;
  { std::size(range) } -> std::convertible_to<std::size_t>;
};

// At most max_rank integers, held inline: no heap, usable in constant evaluation. Built from a braced list, from
// one integer, or from any contiguous range of integers of any type; each value saturates to 64 signed bits.
//
// A list built from more than max_rank integers keeps the first max_rank and remembers that it overflowed();
// whoever is given such a list refuses it. So building one neither throws nor allocates, whatever the input.
class index_list {
 private:
  // Before the constructors: Clang 14 evaluates them only if it has seen the body of this template.
  template <class Entry>
  constexpr void assign(const Entry* values, std::size_t count) noexcept {
    clear_storage();
    overflowed_ = count > static_cast<std::size_t>(max_rank);
    size_ = overflowed_ ? max_rank : static_cast<int>(count);
    for (int k = 0; k < size_; ++k) values_[k] = detail::list_entry{values[k]}.value;
  }

  // A constexpr variable must be initialised in full; at run time the unused entries are left alone.
  constexpr void clear_storage() noexcept {
    if (std::is_constant_evaluated()) {
      for (std::int64_t& value : values_) value = 0;
    }
  }

 public:
  using value_type = std::int64_t;
  using const_iterator = const std::int64_t*;

  constexpr index_list() noexcept { clear_storage(); }

  template <index_integer Integer>
  constexpr index_list(Integer value) noexcept : size_(1) {
    clear_storage();
    values_[0] = saturate(value);
  }

  constexpr index_list(std::initializer_list<detail::list_entry> values) noexcept {
    assign(values.begin(), values.size());
  }

  template <integer_range R>
  constexpr index_list(const R& values) noexcept {
    assign(std::data(values), static_cast<std::size_t>(std::size(values)));
  }

  // Only size() entries mean anything, so only they are copied: a call on small tensors copies a few of these.
  constexpr index_list(const index_list& other) noexcept : size_(other.size_), overflowed_(other.overflowed_) {
    clear_storage();
    for (int k = 0; k < size_; ++k) values_[k] = other.values_[k];
  }
  constexpr index_list& operator=(const index_list& other) noexcept {
    size_ = other.size_;
    overflowed_ = other.overflowed_;
    for (int k = 0; k < size_; ++k) values_[k] = other.values_[k];
    return *this;
  }
  constexpr ~index_list() = default;

  [[nodiscard]] constexpr int size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  // True when more than max_rank values were given. Every function of strew refuses such a list.
  [[nodiscard]] constexpr bool overflowed() const noexcept { return overflowed_; }

  [[nodiscard]] constexpr const std::int64_t* data() const noexcept { return values_; }
  [[nodiscard]] constexpr const_iterator begin() const noexcept { return values_; }
  [[nodiscard]] constexpr const_iterator end() const noexcept { return values_ + size_; }

  [[nodiscard]] constexpr std::int64_t operator[](int position) const noexcept {
    STREW_ASSERT(position >= 0 && position < size_);
    return values_[position];
  }
  [[nodiscard]] constexpr std::int64_t& operator[](int position) noexcept {
    STREW_ASSERT(position >= 0 && position < size_);
    return values_[position];
  }

  // Appends one value; a full list stays as it is and overflows.
  constexpr void push_back(std::int64_t value) noexcept {
    if (size_ == max_rank) {
      overflowed_ = true;
    } else {
      values_[size_++] = value;
    }
  }

  [[nodiscard]] friend constexpr bool operator==(const index_list& a, const index_list& b) noexcept {
    if (a.size_ != b.size_ || a.overflowed_ != b.overflowed_) return false;
    for (int k = 0; k < a.size_; ++k) {
      if (a.values_[k] != b.values_[k]) return false;
    }
    return true;
  }

 private:
  std::int64_t values_[max_rank];
  int size_ = 0;
  bool overflowed_ = false;
};

}  // namespace strew

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif  // STREW_INDEX_LIST_HPP
