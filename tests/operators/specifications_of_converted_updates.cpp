// SPDX-License-Identifier: Apache-2.0
// Each sentence of "Updates of another element type" in docs/extensions.md.
#include "support/catch.hpp"
#include "support/conversion_oracle.hpp"
#include "support/random_source.hpp"

#include <strew/bound.hpp>
#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {
struct wide_number;
}  // namespace
}  // namespace strew::test

template <>
struct strew::reduction::floating<strew::test::wide_number> {
  using accumulator = double;
  template <class T>
  static constexpr bool is_nan(const T& number) noexcept {
    return number.value != number.value;
  }
};

namespace strew::test {
namespace {

namespace red = strew::reduction;
using dynamic::bfloat16;
using dynamic::float16;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

template <class T>
using oracle_type = std::conditional_t<std::is_same_v<T, bfloat16>, strew::test::bfloat16, T>;

bool is_nan(double value) {
  return std::isnan(value);
}

// An update as an element: by an assignment, of single elements and of a row of 40, and in a constant's loops.
template <class T, class U>
T converted_to(const U& update) {
  const std::array<std::int64_t, 1> first{0};
  T element[1]{};
  const U updates[1]{update};
  index_copy(element, 0, first, converted(updates));
  std::array<T, 40> row{};
  std::array<U, 40> row_updates{};
  row_updates.fill(update);
  index_copy(tensor_view<T>(row.data(), {1, 40}), 0, first,
             converted(tensor_view<const U>(row_updates.data(), {1, 40})));
  for (const T& each : row) CHECK(std::memcmp(&each, element, sizeof each) == 0);
  return element[0];
}
// The same as a double.
template <class T, class U>
double value_of(const U& update) {
  return static_cast<double>(static_cast<float>(converted_to<T>(update)));
}

TEST_CASE("converted: each update becomes an element before it is combined") {
  // Each update becomes a T before it is combined with an element, and the call is otherwise that on the converted
  // updates.
  std::vector<float16> halves{float16(0.5F), float16(2), float16(-8), float16(4)};
  std::vector<float> table{1, 2, 3};
  index_add(table, 0, std::vector{2, 0, 2, 1}, converted(halves));
  CHECK(table == std::vector<float>{3, 6, -4.5F});
  // Rounded before the sum: 2049 is no float16.
  std::vector<float16> sum{float16(1)};
  const std::vector<float> large{2049};
  index_add(sum, 0, std::vector{0}, converted(large));
  CHECK(static_cast<float>(sum[0]) == 2048);
}

TEST_CASE("converted: floating-point updates of floating-point elements") {
  SECTION("exactly if T has its value") {
    CHECK(value_of<float>(0.1F) == 0.1F);
    CHECK(value_of<float>(float16(0.1F)) == static_cast<float>(float16(0.1F)));
    CHECK(converted_to<double>(bfloat16(3)) == 3.0);
    CHECK(converted_to<double>(1e-45F) == static_cast<double>(1e-45F));
    CHECK(value_of<float16>(5.9604644775390625e-8) == 5.9604644775390625e-8);  // the smallest
  }
  SECTION("otherwise it is rounded once, to the nearest, ties to even") {
    CHECK(value_of<float16>(1.00048828125) == 1);                  // half of the last bit: even
    CHECK(value_of<float16>(1.00146484375) == 1.001953125);        // half: up to even
    CHECK(value_of<float16>(1.0004882812500002) == 1.0009765625);  // above the half by the last bit of a double
    CHECK(value_of<bfloat16>(1.00390625) == 1);
    CHECK(value_of<bfloat16>(1.0039062500000002) == 1.0078125);
    CHECK(converted_to<float>(1 + 0x1p-24) == 1);
    CHECK(converted_to<float>(1 + 0x1p-24 + 0x1p-52) == 1 + 0x1p-23F);
  }
  SECTION("beyond the largest element it becomes infinity of its sign") {
    CHECK(value_of<float16>(65519.99) == 65504);
    CHECK(value_of<float16>(65520.0F) == inf);
    CHECK(value_of<float16>(-1e300) == -inf);
    CHECK(converted_to<float>(1e39) == std::numeric_limits<float>::infinity());
    CHECK(converted_to<float>(-1e39) == -std::numeric_limits<float>::infinity());
    CHECK(value_of<bfloat16>(3.4e38F) == inf);
  }
  SECTION("infinities and NaNs remain") {
    CHECK(value_of<float16>(inf) == inf);
    CHECK(value_of<bfloat16>(-inf) == -inf);
    CHECK(is_nan(value_of<float16>(nan)));
    CHECK(is_nan(value_of<bfloat16>(static_cast<float>(nan))));
    CHECK(is_nan(static_cast<double>(converted_to<float>(nan))));
    CHECK(is_nan(converted_to<double>(float16(static_cast<float>(nan)))));
  }
}

TEST_CASE("converted: integers") {
  SECTION("become floating-point elements rounded once, to the nearest, ties to even; beyond the largest infinity") {
    CHECK(value_of<float16>(2049) == 2048);
    CHECK(value_of<float16>(2051) == 2052);
    CHECK(value_of<float16>(65519) == 65504);
    CHECK(value_of<float16>(65520) == inf);
    CHECK(value_of<float16>(std::numeric_limits<std::int64_t>::min()) == -inf);
    CHECK(converted_to<float>(std::int64_t{16777217}) == 16777216);
    CHECK(converted_to<float>(std::int64_t{16777219}) == 16777220);
    // Not by a double: its last bit would be rounded away first.
    CHECK(converted_to<float>((std::int64_t{1} << 60) + (std::int64_t{1} << 36) + 1) == 0x1p60F + 0x1p37F);
    CHECK(value_of<bfloat16>((std::int64_t{1} << 60) + (std::int64_t{1} << 52) + 1) == 0x1p60 + 0x1p53);
    CHECK(value_of<bfloat16>((std::int64_t{1} << 60) + (std::int64_t{1} << 52)) == 0x1p60);
    CHECK(value_of<bfloat16>(-(std::int64_t{1} << 60) - (std::int64_t{1} << 52) - 1) == -0x1p60 - 0x1p53);
    CHECK(converted_to<double>(std::numeric_limits<std::uint64_t>::max()) == 0x1p64);
  }
  SECTION("become integers modulo 2^bits") {
    CHECK(converted_to<std::int8_t>(300) == 44);
    CHECK(converted_to<std::uint8_t>(-1) == 255);
    CHECK(converted_to<std::int64_t>(-5) == -5);
    CHECK(converted_to<std::int32_t>(std::uint64_t{0xffffffff80000000U}) == std::numeric_limits<std::int32_t>::min());
  }
}

TEST_CASE("converted: bools") {
  SECTION("a bool becomes 0 or 1, by its value: every byte but 0 is true") {
    CHECK(converted_to<float>(true) == 1);
    CHECK(converted_to<std::int64_t>(false) == 0);
    const std::array<unsigned char, 4> bytes{0, 1, 2, 255};
    std::vector<int> sums(4, 10);
    const dynamic::element_type boolean = dynamic::element_type_of<bool>;
    index_add(dynamic::tensor(sums.data(), dynamic::element_type_of<int>, {4}), 0, std::vector{0, 1, 2, 3},
              converted(dynamic::const_tensor(bytes.data(), boolean, {4})));
    CHECK(sums == std::vector{10, 11, 11, 11});
  }
  SECTION("a number that is not complex becomes true if it is not 0; a NaN is true") {
    CHECK(converted_to<bool>(256));
    CHECK(converted_to<bool>(0.25));
    CHECK(converted_to<bool>(nan));
    CHECK(converted_to<bool>(float16(static_cast<float>(nan))));
    CHECK(!converted_to<bool>(-0.0));
    CHECK(!converted_to<bool>(float16(-0.0F)));
    CHECK(!converted_to<bool>(0));
  }
}

TEST_CASE("converted: complex numbers") {
  // A complex number becomes a complex one part by part. Any other number becomes the real part of a complex element,
  // whose imaginary part is 0.
  using small = std::complex<float>;
  using wide = std::complex<double>;
  CHECK(converted_to<small>(wide(1 + 0x1p-24, -1e300)) == small(1, -std::numeric_limits<float>::infinity()));
  CHECK(converted_to<wide>(small(0.5F, 3)) == wide(0.5, 3));
  CHECK(converted_to<small>(16777217) == small(16777216, 0));
  CHECK(converted_to<wide>(float16(0.5F)) == wide(0.5, 0));
  CHECK(converted_to<wide>(true) == wide(1, 0));
}

// A number in 80 bytes.
struct wide_number {
  double value = 0;
  char rest[72] = {};

  wide_number() = default;
  explicit wide_number(double of) : value{of} {}
  explicit operator double() const { return value; }
};

template <class T, class U>
void check_masks() {
  std::vector<T> data(150);
  std::vector<U> updates;
  std::vector<T> output(150);
  std::array<bool, 150> mask{};
  for (std::size_t i = 0; i < 150; ++i) {
    data[i] = T(-static_cast<double>(i));
    mask[i] = i % 7 != 3;
    if (mask[i]) updates.push_back(static_cast<U>(static_cast<float>(i + 100)));
  }
  const auto call = [&](std::size_t count) {
    return try_masked_scatter(data, mask, converted(tensor_view<const U>(updates.data(), {std::int64_t(count)})),
                              output);
  };
  CHECK(call(updates.size() - 1).code() == errc::too_few_elements);
  REQUIRE(call(updates.size()).ok());
  for (std::size_t i = 0; i < 150; ++i) {
    const T expected = mask[i] ? T(static_cast<double>(i + 100)) : data[i];
    if constexpr (std::is_same_v<T, wide_number>) {
      CHECK(output[i].value == expected.value);
    } else {
      CHECK(output[i] == expected);
    }
  }
}

TEST_CASE("converted: masks of elements of every size") {
  check_masks<std::complex<long double>, std::complex<float>>();
  check_masks<wide_number, float>();
  check_masks<double, std::int16_t>();
}

TEST_CASE("converted: types that are known at run time only") {
  // Floating-point updates for elements that are integers .. with run-time types both are the error type_mismatch.
  // Elements that are no numbers have no conversions.
  using dynamic::element_type_of;
  std::array<std::int64_t, 2> words{7, 8};
  std::array<std::complex<float>, 1> pairs{};
  const auto add = [&](const dynamic::element_type& to, const dynamic::element_type& from) {
    return try_index_add(dynamic::tensor(words.data(), to, {1}), 0, std::vector{0},
                         converted(dynamic::const_tensor(pairs.data(), from, {1})));
  };
  const status of_float = add(element_type_of<int>, element_type_of<float>);
  CHECK(of_float.code() == errc::type_mismatch);
  CHECK(std::string(of_float.message().view()) ==
        "index_add: updates has elements of a type that is not converted to that of data");
  CHECK(add(element_type_of<float>, element_type_of<std::complex<float>>).code() == errc::type_mismatch);
  CHECK(add(element_type_of<bool>, element_type_of<std::complex<float>>).code() == errc::type_mismatch);
  CHECK(add(element_type_of<float>, {dynamic::element_kind::opaque, 8}).code() == errc::type_mismatch);
  CHECK(words == std::array<std::int64_t, 2>{7, 8});
}

TEST_CASE("converted: updates of data's type") {
  // If U is T the call is that without converted.
  std::vector<std::string> names{"a", "b"};
  const std::vector<std::string> updates{"c"};
  index_copy(names, 0, std::vector{1}, converted(updates));
  CHECK(names == std::vector<std::string>{"a", "c"});
  std::vector<float> sums{1};
  const std::vector<float> ones{1};
  index_add(sums, 0, std::vector{0}, converted(ones));
  CHECK(sums[0] == 2);
}

TEST_CASE("converted: errors are those of the operator") {
  std::vector<float> data{1, 2};
  const std::vector<double> updates{5, 6, 7};
  const status shape = try_index_add(data, 0, std::vector{0, 1}, converted(updates));
  CHECK(shape.code() == errc::extent_mismatch);
  CHECK(std::string(shape.message().view()).find("updates") != std::string::npos);
  const status index = try_index_add(data, 0, std::vector{0, 1, 2}, converted(updates));
  CHECK(index.code() == errc::index_out_of_bounds);
  CHECK(data == std::vector<float>{1, 2});
  // Updates may not share memory with the output, whatever their type.
  alignas(8) std::array<char, 32> memory{};
  auto* const floats = reinterpret_cast<float*>(memory.data());
  const auto* const doubles = reinterpret_cast<const double*>(memory.data());
  const auto add = [&](std::int64_t first) {
    return try_index_add(tensor_view<float>(floats, {2}), 0, std::vector{0},
                         converted(tensor_view<const double>(doubles + first, {1})));
  };
  CHECK(add(0).code() == errc::overlap);
  CHECK(add(1).ok());
  // Half of an update: elements of 4 bytes, of which the output has the third.
  CHECK(try_index_add(tensor_view<float>(floats + 1, {1}), 0, std::vector{0},
                      converted(tensor_view<const double>(doubles, {1})))
            .code() == errc::overlap);
}

TEST_CASE("converted: prepared and bound calls") {
  // A prepared call has converted_from<U> as the last of its arguments that are not tensors; its runs, also those with
  // bound indices, take the address of updates of type U.
  std::vector<float> data{1, 2, 3, 4};
  const std::vector<int> at{2, 0, 2};
  const std::vector<double> updates{0.5, 1 + 0x1p-24, 4};
  const strided_layout of_data = tensor_view<float>(data.data(), {4}).layout();
  const strided_layout of_updates = tensor_view<const double>(updates.data(), {3}).layout();
  const auto add = prepare<float, int>(index_add, {of_data, of_updates, of_updates}, 0, converted_from<double>);
  add.run(data.data(), at.data(), updates.data());
  CHECK(data == std::vector<float>{2, 2, 7.5F, 4});
  std::vector<std::byte> memory(add.bound_bytes());
  const auto bound = add.bind(at.data(), memory);
  std::vector<float> output(4);
  bound.run(data.data(), updates.data(), output.data());
  CHECK(output == std::vector<float>{3, 2, 12, 4});
  const auto update =
      prepare<float, int>(scatter_update, {of_data, of_updates, of_updates, of_data}, 0, converted_from<double>);
  update.run(data.data(), at.data(), updates.data(), output.data());
  CHECK(output == std::vector<float>{1, 2, 4, 4});
  const auto slice =
      prepare<float>(slice_scatter, {of_data, of_updates}, {.start = 1, .stop = 4}, converted_from<double>);
  slice.run(data.data(), updates.data());
  CHECK(data == std::vector<float>{2, 0.5F, 1, 4});
  const auto mean = prepare<float, int>(index_reduce, {of_data, of_updates, of_updates}, 0,
                                        red::without_init(red::mean), converted_from<double>);
  mean.run(data.data(), at.data(), updates.data());
  CHECK(data == std::vector<float>{1, 0.5F, 2.25F, 4});
  CHECK(mean.try_run(data.data(), std::vector{2, 4, 2}.data(), updates.data()).code() == errc::index_out_of_bounds);
  // With run-time types.
  const dynamic::tensor any(data.data(), dynamic::element_type_of<float>, {4});
  const dynamic::index_tensor indices(at.data(), index_type::int32, {3});
  const dynamic::const_tensor doubles(updates.data(), dynamic::element_type_of<double>, {3});
  dynamic::schedule schedule;
  index_add(schedule.measure(), any, 0, indices, converted(doubles));
  std::vector<std::byte> kept(static_cast<std::size_t>(schedule.bytes()));
  index_add(schedule.make(kept), any, 0, indices, converted(doubles));
  index_add(schedule.run(serial), any, 0, indices, converted(doubles));
  CHECK(data == std::vector<float>{2, 0.5F, 6.75F, 4});
}

// Constants: the same rules in loops over the type.
constexpr float sum_in_constant() {
  std::array<float, 2> sums{1, 1};
  const std::array<double, 3> updates{0.5, 1 + 0x1p-24, 1e300};
  const std::array<int, 3> at{0, 1, 1};
  index_add(sums, 0, at, converted(updates));
  return sums[0];
}
static_assert(sum_in_constant() == 1.5F);
constexpr bool infinity_in_constant() {
  std::array<float, 3> elements{};
  const std::array<double, 3> updates{1e300, -1e300, 1 + 0x1p-24};
  slice_scatter(elements, converted(updates), {.start = 0, .stop = 3});
  return elements[0] > std::numeric_limits<float>::max() && elements[1] < 0 && elements[2] == 1;
}
static_assert(infinity_in_constant());
constexpr bool masked_in_constant() {
  std::array<std::int64_t, 3> elements{7, 8, 9};
  const std::array<std::int8_t, 2> updates{-1, -2};
  const std::array<char, 3> mask{1, 0, 1};
  masked_scatter(elements, mask, converted(updates));
  return elements == std::array<std::int64_t, 3>{-1, 8, -2};
}
static_assert(masked_in_constant());

// ---- Every pair of types beside the nearest number

template <class T, class U>
void check_pair(random_source& random) {
  using to = oracle_type<T>;
  using from = oracle_type<U>;
  if constexpr (oracle::is_converted_to<to, from>()) {
    static_assert(strew::detail::converts_to<T, U>());
    constexpr std::size_t count = 53;
    std::array<unsigned char, count * sizeof(U)> bytes{};
    for (unsigned char& byte : bytes) byte = static_cast<unsigned char>(random.below(256));
    // Some small ones, and of 64 bits many that are near halves of last bits.
    if constexpr (std::is_integral_v<U> && sizeof(U) == 8) {
      for (std::size_t i = 0; i < count; i += 2) {
        const std::int64_t shift = random.below(62);
        const std::int64_t value =
            (std::int64_t{1} << shift) + (std::int64_t{1} << random.below(shift + 1)) + random.between(-1, 1);
        const auto given = static_cast<U>(random.one_in(2) ? value : -value);
        std::memcpy(bytes.data() + i * sizeof(U), &given, sizeof given);
      }
    }
    if constexpr (std::is_same_v<U, double>) {
      for (std::size_t i = 0; i < count; i += 2) {
        const double middle = std::ldexp(static_cast<double>(random.between(1024, 2048) * 2 + 1),
                                         static_cast<int>(random.between(-170, 130)));
        const double given = random.one_in(3) ? middle : std::nextafter(middle, random.one_in(2) ? 0.0 : 1e300);
        std::memcpy(bytes.data() + i * sizeof(U), &given, sizeof given);
      }
    }
    std::array<T, count> elements{};
    const auto size = static_cast<std::int64_t>(count);
    const std::int64_t stride = random.pick<std::int64_t>({1, -1});
    const dynamic::const_tensor updates(bytes.data() + (stride < 0 ? (count - 1) * sizeof(U) : 0),
                                        dynamic::element_type_of<U>, {size}, {stride});
    std::vector<std::int64_t> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = static_cast<std::int64_t>(i);
    index_copy(dynamic::tensor(elements.data(), dynamic::element_type_of<T>, {size}), 0, all, converted(updates));
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t source = stride < 0 ? count - 1 - i : i;
      const to expected = oracle::convert<to, from>(reinterpret_cast<const char*>(bytes.data()) + source * sizeof(U));
      to found;
      std::memcpy(static_cast<void*>(&found), &elements[i], sizeof found);
      if (!oracle::agrees<to>(oracle::kind::sum, expected, found)) {
        CAPTURE(i, dynamic::element_type_of<T>.kind, sizeof(T), dynamic::element_type_of<U>.kind, sizeof(U));
        FAIL("another element");
      }
    }
  }
}
template <class T, class... From>
void check_pairs_to(random_source& random) {
  (check_pair<T, From>(random), ...);
}
template <class... Types>
void check_all_pairs(random_source& random) {
  (check_pairs_to<Types, Types...>(random), ...);
}

TEST_CASE("converted: every pair of types, beside a search for the nearest number") {
  random_source random(58);
  for (int round = 0; round < 20; ++round) {
    check_all_pairs<bool, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                    std::uint32_t, std::uint64_t, bfloat16,
#if STREW_HAS_FLOAT16
                    _Float16,
#endif
                    float, double, std::complex<float>, std::complex<double>>(random);
  }
}

TEST_CASE("converted: on threads the bits are the same") {
  constexpr std::int64_t rows = 300;
  constexpr std::int64_t lanes = 70;
  constexpr std::int64_t count = 5000;
  random_source random(59);
  std::vector<std::int32_t> at(count);
  for (auto& each : at) each = static_cast<std::int32_t>(random.below(rows));
  std::vector<double> updates(count * lanes);
  for (auto& each : updates) each = static_cast<double>(random.below(1000)) / 7;
  std::vector<float> one(rows * lanes);
  std::vector<float> several = one;
  std::vector<float> expected = one;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < lanes; ++k) {
      float& sum = expected[static_cast<std::size_t>(at[i]) * lanes + k];
      sum = sum + static_cast<float>(updates[i * lanes + k]);
    }
  }
  const tensor_view<const double> view(updates.data(), {count, lanes});
  index_add(tensor_view<float>(one.data(), {rows, lanes}), 0, at, converted(view));
  thread_pool pool(3);
  index_add(pool, tensor_view<float>(several.data(), {rows, lanes}), 0, at, converted(view));
  CHECK(one == expected);
  CHECK(several == expected);
}

}  // namespace
}  // namespace strew::test
