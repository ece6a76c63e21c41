// SPDX-License-Identifier: Apache-2.0
// The limits of the machine's addresses: views that would wrap around them are refused, offsets and distances of either
// sign are right. Plain, so that a compiler for 32-bit machines can build it without a library of tests.
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string_view>

using strew::errc;
using strew::index_list;
using strew::tensor_view;

namespace {

int failures = 0;

void check(bool condition, const char* text, int line) {
  if (condition) return;
  std::printf("line %d: %s does not hold\n", line, text);
  ++failures;
}
#define CHECK(...) check((__VA_ARGS__), #__VA_ARGS__, __LINE__)

constexpr std::int64_t largest = (std::numeric_limits<std::ptrdiff_t>::max)();

template <class T>
errc code_of(T* data, const index_list& extents, const index_list& strides) {
  tensor_view<T> view;
  return tensor_view<T>::try_make(data, extents, strides, view).code();
}

void views_beyond_the_address_space_are_refused() {
  int data[4] = {};
  char bytes[4] = {};
  constexpr std::int64_t beyond = largest / static_cast<std::int64_t>(sizeof(int));
  CHECK(code_of(data, {2}, {beyond}) == errc::size_overflow);
  CHECK(code_of(data, {2}, {beyond - 1}) == errc::ok);
  CHECK(code_of(data, {2}, {-beyond}) == errc::size_overflow);
  CHECK(code_of(data, {2}, {1 - beyond}) == errc::ok);
  CHECK(code_of(data, {2, 2}, {beyond / 2 + 1, -(beyond / 2)}) == errc::size_overflow);
  CHECK(code_of(bytes, {largest}, {1}) == errc::ok);
  CHECK(code_of(bytes, {largest, 2}, {0, 0}) == errc::size_overflow);  // too many to count
  CHECK(code_of(data, {largest}, {0}) == errc::ok);                    // one element, repeated
#if PTRDIFF_MAX < INT64_MAX
  // Row 1 would be row 0 where addresses have 32 bits.
  CHECK(code_of(data, {2, 1}, {std::int64_t{1} << 32, 1}) == errc::size_overflow);
  CHECK(code_of(bytes, {std::int64_t{1} << 31}, {1}) == errc::size_overflow);
  CHECK(code_of(bytes, {std::int64_t{1} << 33}, {0}) == errc::size_overflow);
#endif
}

void the_message_says_the_limit() {
  tensor_view<int> view;
  int data = 0;
  const strew::status error = tensor_view<int>::try_make(&data, {largest, 2}, view);
  const std::string_view expected =
      largest == strew::int64_max
          ? "tensor_view: extents [9223372036854775807, 2] and their strides hold more than 9223372036854775807 "
            "elements "
            "or span more than 9223372036854775807 bytes"
          : "tensor_view: extents [2147483647, 2] and their strides hold more than 2147483647 elements or span more "
            "than 2147483647 bytes";
  CHECK(error.message().view() == expected);
}

void offsets_of_either_sign_lead_to_the_elements() {
  std::array<int, 60> data{};
  const tensor_view whole{data.data(), {60}};
  const tensor_view backwards{data.data() + 59, {5, 12}, {-12, -1}};
  for (int i = 0; i < 60; ++i) whole(i) = i;
  CHECK(backwards(0, 0) == 59 && backwards(4, 11) == 0 && backwards(1, 2) == 45);
  CHECK(strew::reverse(strew::reverse(backwards, 0), 1)(4, 11) == 59);
  CHECK(strew::slice(whole, 0, 50, 10, -20)(1) == 30);
}

// Distances between first elements go both ways, and so do the strides.
void shared_memory_is_found_at_distances_of_either_sign() {
  std::array<int, 64> data{};
  for (int a = 0; a < 64; a += 7) {
    for (int b = 0; b < 64; b += 5) {
      const bool shared = a <= b ? b < a + 8 && b + 8 <= 72 : a < b + 8;
      if (a > 56 || b > 56) continue;
      const tensor_view forward{data.data() + a, {8}};
      const tensor_view other{data.data() + b, {8}};
      const tensor_view backwards{data.data() + b + 7, {8}, {-1}};
      using strew::detail::shares_memory;
      CHECK(shares_memory(forward.data(), forward.layout(), other.data(), other.layout()) == shared);
      CHECK(shares_memory(forward.data(), forward.layout(), backwards.data(), backwards.layout()) == shared);
      CHECK(shares_memory(backwards.data(), backwards.layout(), forward.data(), forward.layout()) == shared);
    }
  }
  // Every other element, from the far end.
  const tensor_view even{data.data() + 62, {32}, {-2}};
  const tensor_view odd{data.data() + 1, {32}, {2}};
  const tensor_view fourth{data.data(), {16}, {4}};
  using strew::detail::shares_memory;
  CHECK(!shares_memory(even.data(), even.layout(), odd.data(), odd.layout()));
  CHECK(!shares_memory(odd.data(), odd.layout(), even.data(), even.layout()));
  CHECK(shares_memory(even.data(), even.layout(), fourth.data(), fourth.layout()));
  CHECK(shares_memory(fourth.data(), fourth.layout(), even.data(), even.layout()));
}

}  // namespace

int main() {
  views_beyond_the_address_space_are_refused();
  the_message_says_the_limit();
  offsets_of_either_sign_lead_to_the_elements();
  shared_memory_is_found_at_distances_of_either_sign();
  return failures == 0 ? 0 : 1;
}
