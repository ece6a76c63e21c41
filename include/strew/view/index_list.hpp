// SPDX-License-Identifier: Apache-2.0
// A short list of 64-bit signed integers, held inline: extents, strides, bounds, axes or a coordinate.
#ifndef STREW_VIEW_INDEX_LIST_HPP
#define STREW_VIEW_INDEX_LIST_HPP

#include <strew/config.hpp>
#include <strew/detail/constant_evaluation.hpp>
#include <strew/view/integer.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

// GCC unrolls loops over size() entries and warns that further entries are uninitialised, which they are by design.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace strew::inline STREW_ABI {

class index_list;
class strided_layout;

namespace detail::inline STREW_CODE {

// An entry of a list, from any integer type, but from no type that only converts to an integer.
struct list_item {
  std::int64_t value;
  std::uint64_t saturated = 0;  // the value given, if it was 2^63 or more

  template <index_integer Integer>
  constexpr list_item(Integer entry) noexcept : value{saturate(entry)} {
    if constexpr (can_saturate<Integer>) {
      if (entry > static_cast<Integer>(int64_max)) saturated = entry;
    }
  }
};

// A number as messages print it.
struct printed_number {
  enum class kind : unsigned char { as_signed, as_unsigned, at_least, as_floating, unknown };

  std::uint64_t bits = 0;  // of a double, as_floating
  kind as = kind::as_signed;
};

}  // namespace detail

// Satisfied by contiguous ranges of integers with std::data and std::size: std::vector, std::array, std::span, a C
// array. Views of tensors are not lists, since they have no begin().
template <class R>
concept integer_range = !std::is_base_of_v<index_list, std::remove_cvref_t<R>> && requires(const R& range) {
  std::begin(range);
  requires std::is_pointer_v<decltype(std::data(range))>;
  requires index_integer<std::remove_pointer_t<decltype(std::data(range))>>;
  { std::size(range) } -> std::convertible_to<std::size_t>;
};

// At most max_rank integers, held inline: no heap, usable in constant evaluation. Constructed from a braced list, from
// one integer, or from a contiguous range of integers of any type. Each value saturates to 64 signed bits. The first
// value that saturated, often a wrapped unsigned difference, is kept for messages.
//
// A list of more than max_rank integers keeps the first max_rank of them and is marked as overflowed(); every function
// that takes a list returns an error for it. So construction never throws nor allocates. All operations are
// O(max_rank).
class index_list {
 private:
  // Before the constructors, since Clang 14 evaluates them only after the body of this template.
  template <class Entry>
  STREW_KEYED STREW_INLINE constexpr std::uint64_t set(int k, const Entry& given) noexcept {
    const detail::list_item entry{given};
    values_[k] = entry.value;
    return entry.saturated;
  }
  // Sets the first `count` entries; returns whether a value saturated, as a number that is not 0. Few entries are not
  // in a loop. In their place compilers make calls of memcpy or string instructions, which take longer; and of braced
  // entries loads of vectors, for which the processor waits, since their parts were just stored.
  template <class Entry>
  STREW_KEYED STREW_INLINE constexpr std::uint64_t set_all(const Entry* values, int count) noexcept {
    std::uint64_t saturated = 0;
    if (count > 4) {
      for (int k = 0; k < count; ++k) saturated |= set(k, values[k]);
      return saturated;
    }
    if (count > 0) saturated |= set(0, values[0]);
    if (max_rank > 1 && count > 1) saturated |= set(1, values[1]);
    if (max_rank > 2 && count > 2) saturated |= set(2, values[2]);
    if (max_rank > 3 && count > 3) saturated |= set(3, values[3]);
    return saturated;
  }

  template <class Entry>
  STREW_KEYED STREW_INLINE constexpr void assign(const Entry* values, std::size_t count) noexcept {
    clear_storage();
    const bool overflows = count > static_cast<std::size_t>(max_rank);
    size_ = overflows ? max_rank : static_cast<int>(count);
    flags_ = overflows ? has_overflowed : 0;
    if (set_all(values, size_) != 0) note_first_saturated(values);
  }
  // For ranges, whose sizes are known at run time.
  template <class Entry>
  STREW_KEYED STREW_NOINLINE constexpr void assign_range(const Entry* values, std::size_t count) noexcept {
    assign(values, count);
  }

  template <class Entry>
  STREW_KEYED STREW_COLD constexpr void note_first_saturated(const Entry* values) noexcept {
    int k = 0;
    while (detail::list_item{values[k]}.saturated == 0) ++k;
    saturated_value_ = detail::list_item{values[k]}.saturated;
    flags_ |= has_saturated | knows_saturated | static_cast<unsigned>(k) << position_shift;
  }

  // Not inlined, since calls copy a dozen lists.
  STREW_KEYED STREW_NOINLINE constexpr void copy(const index_list& other) noexcept {
    const int size = other.size_;
    size_ = size;
    flags_ = other.flags_ & kept_by_copies;
    static_cast<void>(set_all(other.values_, size));
  }

  // A constexpr variable must be fully initialised; at run time unused entries are not written.
  STREW_KEYED constexpr void clear_storage() noexcept {
    if (detail::is_constant_evaluated()) {
      for (std::int64_t& value : values_) value = 0;
      saturated_value_ = 0;
    }
  }

 public:
  using value_type = std::int64_t;
  using const_iterator = const std::int64_t*;

  constexpr index_list() noexcept : size_{0}, flags_{0} { clear_storage(); }

  // A list of one integer; of braced integers; of the integers of a range.
  template <index_integer Integer>
  STREW_KEYED constexpr index_list(Integer value) noexcept {
    assign(&value, 1);
  }

  STREW_KEYED STREW_INLINE constexpr index_list(const std::initializer_list<detail::list_item>& values) noexcept {
    assign(values.begin(), values.size());
  }

  template <integer_range R>
  STREW_KEYED constexpr index_list(const R& values) noexcept {
    assign_range(std::data(values), static_cast<std::size_t>(std::size(values)));
  }

  // Copies only size() entries, since calls on small tensors copy several lists. For the same reason a copy does not
  // have the value that saturated, only the flag.
  STREW_KEYED constexpr index_list(const index_list& other) noexcept {
    clear_storage();
    copy(other);
  }
  STREW_KEYED constexpr index_list& operator=(const index_list& other) noexcept {
    copy(other);
    return *this;
  }
  constexpr ~index_list() = default;

  [[nodiscard]] constexpr int size() const noexcept { return size_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return size_ == 0; }
  // Whether more than max_rank values were given. For such a list every function of strew returns an error.
  [[nodiscard]] constexpr bool overflowed() const noexcept { return (flags_ & has_overflowed) != 0; }
  // Whether some value was 2^63 or more.
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

  // Appends a value. A list of max_rank values stays as it is and is marked as overflowed.
  STREW_KEYED constexpr void push_back(std::int64_t value) noexcept {
    if (size_ == max_rank) {
      flags_ |= has_overflowed;
    } else {
      values_[size_++] = value;
    }
  }

  // The entry as it was given, if the list has kept it.
  STREW_KEYED [[nodiscard]] constexpr detail::printed_number printed(int position) const noexcept {
    using enum detail::printed_number::kind;
    const std::int64_t value = (*this)[position];
    const bool known = (flags_ & knows_saturated) != 0;
    const int first = static_cast<int>(flags_ >> position_shift);
    if (value == int64_max && known && position == first) return {saturated_value_, as_unsigned};
    const bool exact = value != int64_max || !saturated() || (known && position < first);
    return {static_cast<std::uint64_t>(value), exact ? as_signed : at_least};
  }
  // For messages: copies the saturated value, which a copy does not have.
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
  // For optional_list: a list that was left out, until it has values.
  struct left_out_tag {};
  explicit constexpr index_list(left_out_tag) noexcept : size_{0}, flags_(is_left_out_flag) { clear_storage(); }
  [[nodiscard]] constexpr bool was_left_out() const noexcept { return (flags_ & is_left_out_flag) != 0 && size_ == 0; }

 private:
  static constexpr unsigned has_overflowed = 1;
  static constexpr unsigned has_saturated = 2;
  static constexpr unsigned knows_saturated = 4;  // has the first saturated value and its position
  static constexpr unsigned is_left_out_flag = 8;
  static constexpr unsigned kept_by_copies = has_overflowed | has_saturated | is_left_out_flag;
  static constexpr int position_shift = 8;

  // For lists of a layout that is about to be made: at run time nothing is written.
  friend class strided_layout;
  struct unset_tag {};
  STREW_KEYED explicit constexpr index_list(unset_tag) noexcept {
    clear_storage();
    if (detail::is_constant_evaluated()) {
      size_ = 0;
      flags_ = 0;
    }
  }

  std::int64_t values_[max_rank];
  int size_;
  unsigned flags_;
  std::uint64_t saturated_value_;  // set only with knows_saturated
};

}  // namespace strew

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

#endif  // STREW_VIEW_INDEX_LIST_HPP
