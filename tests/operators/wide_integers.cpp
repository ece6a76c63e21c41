// SPDX-License-Identifier: Apache-2.0
// Integers of 128 bits as elements: with the extensions of GNU they are integers to the standard library, and all
// reductions have them. Built so, without Catch2, whose header is precompiled for the standard's mode.
#include <strew/print.hpp>
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <type_traits>
#include <vector>

#if !defined(__SIZEOF_INT128__)
int main() {
  std::puts("not tested: integers of 128 bits, which this compiler does not have");
}
#else

namespace {

namespace red = strew::reduction;

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;
static_assert(std::is_integral_v<wide> && std::is_integral_v<unsigned_wide>, "build this with -std=gnu++20");

constexpr wide most = std::numeric_limits<wide>::max();
constexpr wide least = std::numeric_limits<wide>::min();
constexpr unsigned_wide all_ones = std::numeric_limits<unsigned_wide>::max();

// They number no elements and name no axes.
static_assert(!strew::index_integer<wide> && !strew::index_integer<unsigned_wide>);

int failures = 0;

#define CHECK(condition) \
  if (!(condition)) std::printf("line %d: " #condition " is false\n", __LINE__), ++failures

// `first` reduced with the updates after it.
template <class T, class R, std::size_t Count>
constexpr T reduced(const R& reduction, T first, const T (&given)[Count]) {
  constexpr auto count = static_cast<std::int64_t>(Count);
  const std::int64_t zero = 0;
  T updates[Count] = {};
  for (std::size_t i = 0; i < Count; ++i) updates[i] = given[i];
  const strew::tensor_view<T> data{&first, {1}};
  const strew::tensor_view<const T> source{&updates[0], {count}};
  if constexpr (R::kind == strew::reduction_kind::mean) {
    strew::index_reduce(data, 0, strew::tensor_view<const std::int64_t>{&zero, {count}, {0}}, source, reduction);
  } else {
    strew::v15::scatter_nd_update(data, strew::tensor_view<const std::int64_t>{&zero, {count, 1}, {0, 0}}, source,
                                  reduction);
  }
  return first;
}

constexpr wide power = wide{1} << 100;
static_assert(reduced<wide>(red::mean, power, {power}) == power);
static_assert(reduced<wide>(red::mean, least, {least, least}) == least);
static_assert(reduced<unsigned_wide>(red::mean, all_ones, {all_ones}) == all_ones);
static_assert(reduced<wide>(red::sum, most, {1}) == least);
static_assert(reduced<wide>(red::prod, least, {-1}) == least);

void means_are_exact() {
  CHECK(reduced<wide>(red::mean, power, {power}) == power);
  CHECK(reduced<wide>(red::mean, most, {most, most}) == most);
  CHECK(reduced<wide>(red::mean, least, {least, least}) == least);
  CHECK(reduced<wide>(red::mean, most, {least}) == -1);  // of -1/2
  CHECK(reduced<wide>(red::mean, most, {most, most - 2}) == most - 1);
  CHECK(reduced<wide>(red::mean, least, {least, least + 2}) == least);
  CHECK(reduced<wide>(red::mean, -1, {-2}) == -2);
  CHECK(reduced<wide>(red::mean, 7, {-1, -1, -10}) == -2);
  CHECK(reduced<wide>(red::mean, -power, {1}) == -power / 2);
  CHECK(reduced<wide>(red::without_init(red::mean), 5, {most, most - 1}) == most - 1);
  CHECK(reduced<unsigned_wide>(red::mean, all_ones, {all_ones, all_ones}) == all_ones);
  CHECK(reduced<unsigned_wide>(red::mean, all_ones, {0}) == all_ones / 2);
  CHECK(reduced<unsigned_wide>(red::mean, all_ones, {all_ones, all_ones - 1}) == all_ones - 1);
}

void the_sum_of_many_is_exact() {
  constexpr std::int64_t count = 100000;
  const std::vector<std::int64_t> rows(count, 0);
  const std::vector<wide> updates(count, most);
  const std::vector<unsigned_wide> unsigned_updates(count, all_ones);
  std::vector<wide> data{most};
  std::vector<unsigned_wide> unsigned_data{all_ones};
  strew::index_reduce(data, 0, rows, updates, red::mean);
  strew::index_reduce(unsigned_data, 0, rows, unsigned_updates, red::mean);
  CHECK(data[0] == most);
  CHECK(unsigned_data[0] == all_ones);
}

void the_others_wrap_and_compare() {
  CHECK(reduced<wide>(red::sum, most, {1}) == least);
  CHECK(reduced<wide>(red::sub, least, {1}) == most);
  CHECK(reduced<wide>(red::prod, least, {-1}) == least);
  CHECK(reduced<wide>(red::prod, power, {power}) == 0);
  CHECK(reduced<wide>(red::prod, (wide{1} << 64) + 1, {3}) == (wide{3} << 64) + 3);
  CHECK(reduced<wide>(red::min, power, {power + 1, -power}) == -power);
  CHECK(reduced<wide>(red::max, -power, {-power + 1, -power - 1}) == -power + 1);
  CHECK(reduced<wide>(red::none, 1, {2, power}) == power);
  CHECK(reduced<unsigned_wide>(red::sum, all_ones, {2}) == 1);
  CHECK(reduced<unsigned_wide>(red::prod, all_ones, {all_ones}) == 1);
  CHECK(reduced<unsigned_wide>(red::min, all_ones, {all_ones - 1}) == all_ones - 1);
  CHECK(reduced<unsigned_wide>(red::max, 1, {unsigned_wide{1} << 64}) == unsigned_wide{1} << 64);
}

void all_digits_are_printed() {
  CHECK(strew::to_string(strew::tensor_view<const wide>(&power, {1})) == "[1267650600228229401496703205376]");
  CHECK(strew::to_string(strew::tensor_view<const wide>(&least, {})) == "-170141183460469231731687303715884105728");
  CHECK(strew::to_string(strew::tensor_view<const unsigned_wide>(&all_ones, {})) ==
        "340282366920938463463374607431768211455");
}

}  // namespace

int main() {
  means_are_exact();
  the_sum_of_many_is_exact();
  the_others_wrap_and_compare();
  all_digits_are_printed();
  return failures == 0 ? 0 : 1;
}

#endif
