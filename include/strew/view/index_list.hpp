// SPDX-License-Identifier: Apache-2.0
// A short list of 64-bit signed integers held inline: extents, strides, bounds, axes, a coordinate.
#ifndef STREW_VIEW_INDEX_LIST_HPP
#define STREW_VIEW_INDEX_LIST_HPP

#include <strew/config.hpp>
#include <strew/view/integer.hpp>

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

namespace strew::inline STREW_ABI {

class index_list;

namespace detail::inline STREW_CODE {

// One entry of a list: any integer type, but nothing that merely converts to one.
struct list_entry {
  std::int64_t value;
  std::uint64_t saturated = 0;  // what was given, if that was 2^63 or more

  template <index_integer Integer>
  constexpr list_entry(Integer entry) noexcept : value{saturate(entry)} {
    if constexpr (can_saturate<Integer>) {
      if (entry > static_cast<Integer>(int64_max)) saturated = entry;
    }
  }
};

// A number as messages print it.
struct printed_number {
  enum class kind : unsigned char { as_signed, as_unsigned, at_least };

  std::uint64_t bits = 0;
  kind as = kind::as_signed;
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
// one integer, or from any contiguous range of integers of any type; each value saturates to 64 signed bits. Of the
// values that did so a list remembers the first, which is often an unsigned difference that wrapped: messages print it.
//
// A list built from more than max_rank integers keeps the first max_rank and remembers that it overflowed();
// whoever is given such a list refuses it. So building one neither throws nor allocates, whatever the input.
class index_list {
 private:
  // Before the constructors: Clang 14 evaluates them only if it has seen the body of this template.
  template <class Entry>
  STREW_KEYED constexpr void assign(const Entry* values, std::size_t count) noexcept {
    clear_storage();
    if (count > static_cast<std::size_t>(max_rank)) {
      count = static_cast<std::size_t>(max_rank);
      flags_ = has_overflowed;
    }
    size_ = static_cast<int>(count);
    std::uint64_t saturated = 0;
    for (int k = 0; k < size_; ++k) {
      const detail::list_entry entry{values[k]};
      values_[k] = entry.value;
      saturated |= entry.saturated;
    }
    if (saturated != 0) note_first_saturated(values);
  }

  template <class Entry>
  STREW_KEYED STREW_COLD constexpr void note_first_saturated(const Entry* values) noexcept {
    int k = 0;
    while (detail::list_entry{values[k]}.saturated == 0) ++k;
    saturated_value_ = detail::list_entry{values[k]}.saturated;
    flags_ |= has_saturated | knows_saturated | static_cast<unsigned>(k) << position_shift;
  }

  // A constexpr variable must be initialised in full; at run time the unused entries are left alone.
  STREW_KEYED constexpr void clear_storage() noexcept {
    if (std::is_constant_evaluated()) {
      for (std::int64_t& value : values_) value = 0;
      saturated_value_ = 0;
    }
  }

 public:
  using value_type = std::int64_t;
  using const_iterator = const std::int64_t*;

  constexpr index_list() noexcept { clear_storage(); }

  template <index_integer Integer>
  STREW_KEYED constexpr index_list(Integer value) noexcept {
    assign(&value, 1);
  }

  STREW_KEYED constexpr index_list(const std::initializer_list<detail::list_entry>& values) noexcept {
    assign(values.begin(), values.size());
  }

  template <integer_range R>
  STREW_KEYED constexpr index_list(const R& values) noexcept {
    assign(std::data(values), static_cast<std::size_t>(std::size(values)));
  }

  // Only size() entries are copied: a call on small tensors copies a few of these lists. For the same reason a copy
  // knows that some value saturated, but not which.
  STREW_KEYED constexpr index_list(const index_list& other) noexcept
      : size_(other.size_), flags_(other.flags_ & kept_by_copies) {
    clear_storage();
    for (int k = 0; k < size_; ++k) values_[k] = other.values_[k];
  }
  STREW_KEYED constexpr index_list& operator=(const index_list& other) noexcept {
    size_ = other.size_;
    flags_ = other.flags_ & kept_by_copies;
    for (int k = 0; k < size_; ++k) values_[k] = other.values_[k];
    return *this;
  }
  constexpr ~index_list() = default;

  [[nodiscard]] constexpr int size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  // True when more than max_rank values were given. Every function of strew refuses such a list.
  [[nodiscard]] constexpr bool overflowed() const noexcept { return (flags_ & has_overflowed) != 0; }
  // True when some value was 2^63 or more.
  [[nodiscard]] constexpr bool saturated() const noexcept { return (flags_ & has_saturated) != 0; }

  [[nodiscard]] constexpr const std::int64_t* data() const noexcept { return values_; }
  [[nodiscard]] constexpr const_iterator begin() const noexcept { return values_; }
  [[nodiscard]] constexpr const_iterator end() const noexcept { return values_ + size_; }

  STREW_KEYED [[nodiscard]] constexpr std::int64_t operator[](int position) const noexcept {
    STREW_ASSERT(position >= 0 && position < size_);
    return values_[position];
  }
  STREW_KEYED [[nodiscard]] constexpr std::int64_t& operator[](int position) noexcept {
    STREW_ASSERT(position >= 0 && position < size_);
    return values_[position];
  }

  // Appends one value; a full list stays as it is and overflows.
  STREW_KEYED constexpr void push_back(std::int64_t value) noexcept {
    if (size_ == max_rank) {
      flags_ |= has_overflowed;
    } else {
      values_[size_++] = value;
    }
  }

  // The entry as it was given, as far as the list knows.
  STREW_KEYED [[nodiscard]] constexpr detail::printed_number printed(int position) const noexcept {
    using enum detail::printed_number::kind;
    const std::int64_t value = (*this)[position];
    const bool known = (flags_ & knows_saturated) != 0;
    const int first = static_cast<int>(flags_ >> position_shift);
    if (value == int64_max && known && position == first) return {saturated_value_, as_unsigned};
    const bool exact = value != int64_max || !saturated() || (known && position < first);
    return {static_cast<std::uint64_t>(value), exact ? as_signed : at_least};
  }
  // For messages: copies what a copy leaves out.
  STREW_KEYED constexpr void copy_saturated(const index_list& other) noexcept {
    flags_ = other.flags_;
    if ((flags_ & knows_saturated) != 0) saturated_value_ = other.saturated_value_;
  }

  STREW_KEYED [[nodiscard]] friend constexpr bool operator==(const index_list& a, const index_list& b) noexcept {
    if (a.size() != b.size() || a.overflowed() != b.overflowed()) return false;
    for (int k = 0; k < a.size(); ++k) {
      if (a.values_[k] != b.values_[k]) return false;
    }
    return true;
  }

 protected:
  // Of optional_list: a list that was not given, until it has values.
  struct left_out_tag {};
  explicit constexpr index_list(left_out_tag) noexcept : flags_(is_left_out_flag) { clear_storage(); }
  [[nodiscard]] constexpr bool was_left_out() const noexcept { return (flags_ & is_left_out_flag) != 0 && size_ == 0; }

 private:
  static constexpr unsigned has_overflowed = 1;
  static constexpr unsigned has_saturated = 2;
  static constexpr unsigned knows_saturated = 4;  // the first value that did so, and its position
  static constexpr unsigned is_left_out_flag = 8;
  static constexpr unsigned kept_by_copies = has_overflowed | has_saturated | is_left_out_flag;
  static constexpr int position_shift = 8;

  std::int64_t values_[max_rank];
  int size_ = 0;
  unsigned flags_ = 0;
  std::uint64_t saturated_value_;  // only where the flags say that it is known
};

}  // namespace strew

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif  // STREW_VIEW_INDEX_LIST_HPP
