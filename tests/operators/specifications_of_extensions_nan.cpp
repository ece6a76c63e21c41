// SPDX-License-Identifier: Apache-2.0
// Each sentence of "Reductions without NaNs" in docs/extensions.md.
#include "support/catch.hpp"
#include "support/random_source.hpp"
#include "support/reduction_oracle.hpp"

#include <strew/bound.hpp>
#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <array>
#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

namespace red = strew::reduction;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

constexpr auto nan_sum = red::without_nan(red::sum);
constexpr auto nan_prod = red::without_nan(red::prod);
constexpr auto nan_min = red::without_nan(red::min);
constexpr auto nan_max = red::without_nan(red::max);
constexpr auto nan_mean = red::without_nan(red::mean);

using indices = std::vector<std::int64_t>;

// Bits that are no padding.
template <class T>
bool same_bits(const T& a, const T& b) {
  return oracle::agrees<T>(oracle::kind::none, a, b);
}

// A tensor of rank 1, or of two equal columns, so that rows are reduced too.
template <class T, class R>
std::vector<T> reduced(std::vector<T> data, const indices& at, const std::vector<T>& updates, R reduce) {
  std::vector<T> rows;
  std::vector<T> row_updates;
  for (const T& each : data) rows.insert(rows.end(), 2, each);
  for (const T& each : updates) row_updates.insert(row_updates.end(), 2, each);
  const auto n = static_cast<std::int64_t>(data.size());
  const auto m = static_cast<std::int64_t>(at.size());
  scatter_reduce(data, 0, at, updates, reduce);
  index_reduce(tensor_view<T>(rows.data(), {n, 2}), 0, at, tensor_view<const T>(row_updates.data(), {m, 2}), reduce);
  for (std::size_t i = 0; i < data.size(); ++i) {
    CHECK(same_bits(data[i], rows[2 * i]));
    CHECK(same_bits(data[i], rows[2 * i + 1]));
  }
  return data;
}
// The same of one element.
template <class T, class R>
T of_one(T data, const std::vector<T>& updates, R reduce) {
  return reduced<T>({data}, indices(updates.size(), 0), updates, reduce)[0];
}

// Calls body(reduction, without_nan of it) for each, with and without the old value.
template <class T, class Body>
void for_each_reduction(const Body& body) {
  const auto with_and_without = [&](auto reduce) {
    body(reduce, red::without_nan(reduce));
    body(red::without_init(reduce), red::without_init(red::without_nan(reduce)));
  };
  const auto one = [&]<class R>(R reduce) {
    if constexpr (reducible_by<T, R>) with_and_without(reduce);
  };
  one(red::sum);
  one(red::prod);
  one(red::min);
  one(red::max);
  one(red::mean);
}

template <class T>
T nan_of() {
  if constexpr (oracle::is_complex<T>) {
    return T(1, std::numeric_limits<typename T::value_type>::quiet_NaN());
  } else {
    return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
  }
}
template <class T>
T number(int value) {
  if constexpr (oracle::is_complex<T>) {
    using part = typename T::value_type;
    return T(static_cast<part>(value), static_cast<part>(1 - value));
  } else {
    return static_cast<T>(static_cast<float>(value) / 4);
  }
}

using types_with_nan = std::tuple<float, double, long double, std::complex<float>, std::complex<double>, bfloat16,
                                  dynamic::float16, dynamic::bfloat16>;
using types_without = std::tuple<std::int8_t, std::uint16_t, std::int32_t, std::uint64_t>;

TEST_CASE("without_nan: the examples") {
  const std::vector<float> data{1, 2, 3, 4};
  const indices at{0, 0, 1, 1, 2, 0};
  const std::vector<float> updates{nan, 2, 3, nan, nan, 5};
  CHECK(reduced(data, at, updates, nan_sum) == std::vector<float>{8, 5, 3, 4});
  CHECK(reduced(data, at, updates, nan_mean) == std::vector<float>{8.0F / 3, 2.5F, 3, 4});
  CHECK(reduced(data, at, updates, red::without_init(nan_mean)) == std::vector<float>{3.5F, 3, 3, 4});
  CHECK(reduced(data, at, updates, nan_prod) == std::vector<float>{10, 6, 3, 4});
  CHECK(reduced(data, at, updates, nan_min) == std::vector<float>{1, 2, 3, 4});
  CHECK(reduced(data, at, updates, nan_max) == std::vector<float>{5, 3, 3, 4});
  CHECK(reduced(data, at, updates, red::without_init(nan_min)) == std::vector<float>{2, 3, 3, 4});
}

// "Updates that are NaN are left out: the output is that of r for the other updates, in their order, as if those had
// not been among them." Also: "Those of r: the updates of one element in row-major order".
TEMPLATE_LIST_TEST_CASE("without_nan: the output is that of the other updates", "", types_with_nan) {
  random_source random(1);
  for (int repeat = 0; repeat < 30; ++repeat) {
    const auto elements = static_cast<std::size_t>(random.between(1, 6));
    std::vector<TestType> data;
    for (std::size_t i = 0; i < elements; ++i)
      data.push_back(number<TestType>(static_cast<int>(random.between(-9, 9))));
    indices at;
    indices at_others;
    std::vector<TestType> updates;
    std::vector<TestType> others;
    for (std::int64_t i = random.between(0, 40); i > 0; --i) {
      at.push_back(random.below(static_cast<std::int64_t>(elements)));
      const bool is_nan = random.one_in(2);
      updates.push_back(is_nan ? nan_of<TestType>() : number<TestType>(static_cast<int>(random.between(-9, 9))));
      if (is_nan) continue;
      at_others.push_back(at.back());
      others.push_back(updates.back());
    }
    for_each_reduction<TestType>([&](auto with, auto without) {
      const std::vector<TestType> expected = reduced(data, at_others, others, with);
      const std::vector<TestType> found = reduced(data, at, updates, without);
      for (std::size_t i = 0; i < elements; ++i) {
        CHECK(oracle::agrees<TestType>(static_cast<oracle::kind>(with.kind), found[i], expected[i]));
      }
    });
  }
}

// The same: of a row some updates may be NaN, and each element is without its own.
TEST_CASE("without_nan: rows of which some updates are NaN") {
  const auto rows = [](auto reduce) {
    std::vector<float> data{1, 2, 3};
    const std::vector<float> updates{nan, 5, 6, 7, nan, nan, nan, 8, nan};
    index_reduce(tensor_view<float>(data.data(), {1, 3}), 0, indices{0, 0, 0},
                 tensor_view<const float>(updates.data(), {3, 3}), reduce);
    return data;
  };
  CHECK(rows(nan_sum) == std::vector<float>{8, 15, 9});
  CHECK(rows(nan_mean) == std::vector<float>{4, 5, 4.5F});
  CHECK(rows(red::without_init(nan_sum)) == std::vector<float>{7, 13, 6});
  CHECK(rows(red::without_init(nan_mean)) == std::vector<float>{7, 6.5F, 6});
  CHECK(rows(red::without_init(nan_max)) == std::vector<float>{7, 8, 6});
}

// "A number is a NaN whatever its sign and payload, quiet or signalling."
TEST_CASE("without_nan: all NaNs are left out") {
  for (const std::uint32_t bits : {0x7f800001U, 0x7fc00000U, 0x7fffffffU, 0xff800001U, 0xffc12345U, 0xffffffffU}) {
    const auto update = std::bit_cast<float>(bits);
    for_each_reduction<float>([&](auto, auto without) {
      CHECK(same_bits(of_one<float>(1.5F, {update, update}, without), 1.5F));
    });
  }
  for (const std::uint16_t bits : std::initializer_list<std::uint16_t>{0x7c01, 0x7e00, 0x7fff, 0xfc01, 0xffff}) {
    const auto update = std::bit_cast<dynamic::float16>(bits);
    const auto data = std::bit_cast<dynamic::float16>(std::uint16_t{0x3c00});
    for_each_reduction<dynamic::float16>([&](auto, auto without) {
      CHECK(same_bits(of_one(data, {update, update}, without), data));
    });
  }
}

// "A complex number is a NaN if its real or its imaginary part is one."
TEST_CASE("without_nan: either part of a complex number") {
  using complex = std::complex<float>;
  const std::vector<complex> updates{{nan, 1}, {1, nan}, {nan, nan}, {2, 3}};
  CHECK(of_one(complex(1, 1), updates, nan_sum) == complex(3, 4));
  CHECK(of_one(complex(1, 1), updates, nan_prod) == complex(-1, 5));
  CHECK(of_one(complex(1, 1), updates, nan_mean) == complex(1.5F, 2));
  CHECK(of_one(complex(1, 1), updates, red::without_init(nan_sum)) == complex(2, 3));
}

// "Infinities are no NaNs: they are combined, and a NaN that the arithmetic makes, as of inf - inf, stays."
TEST_CASE("without_nan: infinities are combined") {
  CHECK(of_one<float>(1, {inf, nan}, nan_sum) == inf);
  CHECK(oracle::is_nan(of_one<float>(inf, {-inf, 1}, nan_sum)));
  CHECK(oracle::is_nan(of_one<float>(1, {inf, -inf, nan, 2}, nan_mean)));
  CHECK(oracle::is_nan(of_one<float>(0, {inf, 3}, nan_prod)));
  CHECK(of_one<float>(1, {-inf, nan}, nan_min) == -inf);
}

// "A NaN of data is data and stays: sums, products and means with it are NaN, and min and max keep its bits."
TEST_CASE("without_nan: a NaN of data stays") {
  const auto data = std::bit_cast<float>(0xffc12345U);
  CHECK(oracle::is_nan(of_one<float>(data, {1, nan, 2}, nan_sum)));
  CHECK(oracle::is_nan(of_one<float>(data, {1, nan, 2}, nan_prod)));
  CHECK(oracle::is_nan(of_one<float>(data, {1, nan, 2}, nan_mean)));
  CHECK(same_bits(of_one<float>(data, {1, nan, 2}, nan_min), data));
  CHECK(same_bits(of_one<float>(data, {1, nan, 2}, nan_max), data));
  CHECK(of_one<float>(data, {nan, 1, 2}, red::without_init(nan_sum)) == 3);
}

// "An element all of whose updates are NaN keeps its bits, with without_init and of a mean too: a -0.0 stays -0.0, a
// NaN its payload."
// In memory, since registers of 32-bit x86 change signalling NaNs.
template <class T, class Bits, class R>
bool keeps_bits(Bits data, const std::vector<Bits>& updates, R reduce) {
  Bits element = data;
  scatter_reduce(
      tensor_view<T>(reinterpret_cast<T*>(&element), {1}), 0, indices(updates.size(), 0),
      tensor_view<const T>(reinterpret_cast<const T*>(updates.data()), {static_cast<std::int64_t>(updates.size())}),
      reduce);
  return element == data;
}
TEST_CASE("without_nan: an element all of whose updates are NaN keeps its bits") {
  for (const std::uint32_t bits : {0x80000000U, 0U, 0xffc12345U, 0x7f800123U, 0x7f800000U, 0x3f800000U, 1U}) {
    for_each_reduction<float>([&](auto, auto without) {
      CHECK(keeps_bits<float, std::uint32_t>(bits, {0x7fc00000U, 0xffc00001U, 0x7f800001U}, without));
    });
  }
  for (const std::uint16_t bits : std::initializer_list<std::uint16_t>{0x8000, 0xfe12, 0x7c01, 1}) {
    for_each_reduction<dynamic::float16>([&](auto, auto without) {
      CHECK(keeps_bits<dynamic::float16, std::uint16_t>(bits, {0x7e00, 0xfc01}, without));
    });
  }
}

// "With without_init an element starts from the first of its updates that is no NaN, bit for bit."
TEST_CASE("without_nan: without_init starts from the first that is none") {
  for_each_reduction<float>([&](auto with, auto without) {
    if constexpr (requires { typename decltype(with)::reduction_type; }) {
      CHECK(same_bits(of_one<float>(7, {nan, -0.0F, nan}, without), -0.0F));
      CHECK(same_bits(of_one<float>(nan, {nan, 3, nan}, without), 3.0F));
    }
  });
}

// "mean divides by the number of updates that are no NaNs, and one more with data."
TEMPLATE_LIST_TEST_CASE("without_nan: a mean divides by the number of the others", "", types_with_nan) {
  const auto of = [](int value) { return static_cast<TestType>(static_cast<float>(value)); };
  const TestType update = nan_of<TestType>();
  const std::vector<TestType> updates{update, of(2), update, of(9), update, update};
  CHECK(same_bits(of_one(of(1), updates, nan_mean), of(4)));
  CHECK(same_bits(of_one(of(1), {update, of(2), of(4)}, red::without_init(nan_mean)), of(3)));
}

// "The type decides whether there are NaNs", "For integers, bool and all others without_nan(r) is r itself, and runs
// the same code; a bool counts as true by the same bytes."
TEMPLATE_LIST_TEST_CASE("without_nan: types without NaNs", "", types_without) {
  const auto of = [](int value) { return static_cast<TestType>(value); };
  const std::vector<TestType> data{of(1), of(0), of(7), of(3)};
  const std::vector<TestType> updates{of(5), of(0), of(3), of(1), of(100)};
  for_each_reduction<TestType>([&](auto with, auto without) {
    CHECK(reduced<TestType>(data, {0, 1, 0, 2, 3}, updates, without) ==
          reduced<TestType>(data, {0, 1, 0, 2, 3}, updates, with));
    static_assert(std::is_same_v<strew::detail::reduction_for<TestType, decltype(without)>, decltype(with)>);
    static_assert(!std::is_same_v<strew::detail::reduction_for<float, decltype(without)>, decltype(with)>);
  });
}
TEST_CASE("without_nan: a bool whose byte is not 0 is true") {
  static_assert(
      std::is_same_v<strew::detail::reduction_for<bool, red::without_nan_type<red::sum_type>>, red::sum_type>);
  unsigned char bytes[] = {0, 2, 0};
  const unsigned char updates[] = {3, 0, 0};
  const auto flags = [](const unsigned char* from) { return reinterpret_cast<const bool*>(from); };
  const indices at{0, 1, 2};
  scatter_reduce(tensor_view<bool>(reinterpret_cast<bool*>(bytes), {3}), 0, at, tensor_view(flags(updates), {3}),
                 nan_sum);
  CHECK((bytes[0] == 1 && bytes[1] == 1 && bytes[2] == 0));
}
TEST_CASE("without_nan: elements that are no numbers") {
  std::vector<std::string> data{"a", "b"};
  scatter_reduce(data, 0, indices{0, 0, 1}, std::vector<std::string>{"x", "y", "z"}, nan_sum);
  CHECK(data == std::vector<std::string>{"axy", "bz"});
  scatter_reduce(data, 0, indices{0, 1}, std::vector<std::string>{"b", "a"}, red::without_init(nan_max));
  CHECK(data == std::vector<std::string>{"b", "a"});
}

// "16-bit floats are rounded at each step, and their mean once, as by r."
TEST_CASE("without_nan: 16-bit floats are rounded as by the reduction") {
  const auto of = [](float value) { return dynamic::float16(value); };
  const std::vector<dynamic::float16> updates{of(1), of(nan), of(1)};
  CHECK(static_cast<float>(of_one(of(2048), updates, nan_sum)) == 2048);
  CHECK(same_bits(of_one(of(2048), updates, nan_mean), of(2050.0F / 3)));
}

// "Indices are checked for all updates: an illegal index is an error where the update is a NaN too."
TEST_CASE("without_nan: the index of a NaN is checked") {
  std::vector<float> data{1, 2};
  const std::vector<float> updates{5, nan};
  CHECK(try_scatter_reduce(data, 0, indices{0, 2}, updates, nan_sum).code() == errc::index_out_of_bounds);
  CHECK(data == std::vector<float>{1, 2});
}

// "without_nan of none, sub, a callable, or a reduction that it wraps already does not compile, nor does
// without_nan(without_init(r))".
template <class R>
concept can_wrap = requires(R reduce) {
  red::without_nan(reduce);
};
template <class R>
concept can_omit = requires(R reduce) {
  red::without_init(reduce);
};
TEST_CASE("without_nan: what it does not take") {
  struct callable {
    float operator()(float a, float b) const { return a + b; }
  };
  STATIC_REQUIRE(can_wrap<red::sum_type>);
  STATIC_REQUIRE(can_wrap<red::mean_type>);
  STATIC_REQUIRE(!can_wrap<red::none_type>);
  STATIC_REQUIRE(!can_wrap<red::sub_type>);
  STATIC_REQUIRE(!can_wrap<callable>);
  STATIC_REQUIRE(!can_wrap<red::without_nan_type<red::sum_type>>);
  STATIC_REQUIRE(!can_wrap<red::without_init_type<red::sum_type>>);
  STATIC_REQUIRE(can_omit<red::without_nan_type<red::mean_type>>);
  STATIC_REQUIRE(!can_omit<red::without_init_type<red::without_nan_type<red::mean_type>>>);
  // "A reduction that the operator or the element type lacks does not compile."
  STATIC_REQUIRE(!reducible_by<std::complex<float>, red::without_nan_type<red::min_type>>);
  STATIC_REQUIRE(!reducible_by<bool, red::without_nan_type<red::mean_type>>);
}

// "By name, dynamic::reduction_without_nan and reduction::try_visit_without_nan return unsupported_reduction for these,
// and for none and sub; nothing was written."
TEST_CASE("without_nan: by name") {
  using enum reduction_kind;
  std::vector<float> data{1, 2};
  const std::vector<float> updates{5, nan};
  const indices at{0, 1};
  const dynamic::tensor to(data.data(), dynamic::element_type_of<float>, {2});
  const dynamic::const_tensor from(updates.data(), dynamic::element_type_of<float>, {2});
  const dynamic::index_tensor where(at.data(), index_type::int64, {2});
  for (const reduction_kind kind : {none, sub}) {
    CHECK(v12::try_scatter_elements_update(to, where, from, 0, dynamic::reduction_without_nan{kind}).code() ==
          errc::unsupported_reduction);
    const auto body = [](auto) { FAIL("is not offered"); };
    CHECK(red::try_visit_without_nan<float>(kind, true, body).code() == errc::unsupported_reduction);
    CHECK(red::try_visit_without_nan<float>(kind, false, body).code() == errc::unsupported_reduction);
  }
  CHECK(onnx::try_scatter_elements(to, where, from, 0, dynamic::reduction_without_nan{mean}).code() ==
        errc::unsupported_reduction);
  const auto error = v12::try_scatter_elements_update(to, where, from, 0, dynamic::reduction_without_nan{none});
  CHECK(std::string(error.message().view()) ==
        "scatter_elements_update: reduction none without NaNs is not one of the operator's");
  CHECK(data == std::vector<float>{1, 2});
  red::visit_without_nan<float>(mean, false, [&](auto reduce) {
    if constexpr (decltype(reduce)::kind == mean) {
      scatter_reduce(data, 0, indices{0, 0, 0}, std::vector<float>{nan, 3, 6}, reduce);
    }
  });
  CHECK(data == std::vector<float>{4.5F, 2});
}

// "With skips_nan false, reduction_without_nan is dynamic::reduction."
TEST_CASE("without_nan: the flag of run-time types") {
  for (const bool skips_nan : {false, true}) {
    std::vector<float> data{1, 2};
    const std::vector<float> updates{5, nan};
    const indices at{0, 1};
    const dynamic::tensor to(data.data(), dynamic::element_type_of<float>, {2});
    const dynamic::const_tensor from(updates.data(), dynamic::element_type_of<float>, {2});
    const dynamic::index_tensor where(at.data(), index_type::int64, {2});
    const dynamic::reduction_without_nan how{reduction_kind::sum, true, skips_nan};
    scatter_reduce(to, 0, where, from, how);
    CHECK(data[0] == 6);
    CHECK((skips_nan ? data[1] == 2 : oracle::is_nan(data[1])));
  }
}

// "Every form of a call."
template <class Call>
void check_form(const Call& call) {
  const indices at{0, 0, 1, 1, 2, 0};
  const std::vector<float> updates{nan, 2, 3, nan, nan, 5};
  const std::vector<float> data{1, 2, 3, 4};
  std::vector<float> output(4, -1);
  call(tensor_view<const float>(data.data(), {4}), tensor_view<const std::int64_t>(at.data(), {6}),
       tensor_view<const float>(updates.data(), {6}), tensor_view<float>(output.data(), {4}));
  CHECK(output == std::vector<float>{3.5F, 3, 3, 4});
}
TEST_CASE("without_nan: every form") {
  const auto mean = red::without_init(nan_mean);
  check_form([&](auto data, auto at, auto updates, auto output) {
    CHECK(try_scatter_reduce(data, 0, at, updates, mean, output).ok());
  });
  check_form([&](auto data, auto at, auto updates, auto output) {
    thread_pool pool(2);
    scatter_reduce(pool, data, 0, at, updates, mean, output);
  });
  check_form([&](auto data, auto at, auto updates, auto output) {
    heap_workspace memory;
    scatter_reduce(memory, data, 0, at, updates, mean, output);
  });
  check_form([&](auto data, auto at, auto updates, auto output) {
    const auto call = prepare<float, std::int64_t>(
        scatter_reduce, {data.layout(), at.layout(), updates.layout(), output.layout()}, 0, mean);
    call.run(data.data(), at.data(), updates.data(), output.data());
  });
  check_form([&](auto data, auto at, auto updates, auto output) {
    const dynamic::const_tensor from(data.data(), dynamic::element_type_of<float>, data.extents());
    const dynamic::index_tensor where(at.data(), index_type::int64, at.extents());
    const dynamic::const_tensor with(updates.data(), dynamic::element_type_of<float>, updates.extents());
    const dynamic::tensor to(output.data(), dynamic::element_type_of<float>, output.extents());
    scatter_reduce(from, 0, where, with, mean, to);
  });
  // One value for all targets.
  std::vector<float> data{1, 2};
  scatter_reduce(data, 0, indices{0, 1, 1}, nan, nan_sum);
  CHECK(data == std::vector<float>{1, 2});
  v15::scatter_nd_update(data, tensor_view<const std::int64_t>(indices{1}.data(), {1, 1}), 3.0F, nan_prod);
  CHECK(data == std::vector<float>{1, 6});
  put(data, indices{0, 0}, std::vector<float>{nan, 3}, nan_sum);
  CHECK(data == std::vector<float>{4, 6});
  index_put(data, std::tuple{indices{0, 1}}, std::vector<float>{nan, 3}, nan_sum);
  CHECK(data == std::vector<float>{4, 9});
}

// "Bound calls of run-time types keep a copy of the indices, no schedule."
TEST_CASE("without_nan: bound calls of run-time types have no schedule") {
  std::vector<float> data(4096, 1);
  const std::vector<float> updates(4096, nan);
  const indices at(4096, 7);
  const dynamic::tensor to(data.data(), dynamic::element_type_of<float>, {4096});
  const dynamic::const_tensor from(updates.data(), dynamic::element_type_of<float>, {4096});
  const dynamic::index_tensor where(at.data(), index_type::int64, {4096});
  dynamic::schedule bound;
  index_reduce(bound.measure(), to, 0, where, from, nan_sum);
  CHECK(bound.bytes() == 0);
  index_reduce(bound.measure(), to, 0, where, from, red::sum);
  CHECK(bound.bytes() > 0);
}

// "In constant evaluation the result is the same."
template <class R>
constexpr bool gives(R reduce, std::array<float, 2> expected) {
  std::array<float, 2> data{1, 2};
  const std::array<float, 4> updates{nan, 3, nan, 5};
  const std::array<std::int64_t, 4> at{0, 0, 1, 0};
  scatter_reduce(tensor_view<float>(data.data(), {2}), 0, tensor_view<const std::int64_t>(at.data(), {4}),
                 tensor_view<const float>(updates.data(), {4}), reduce);
  return data == expected;
}
static_assert(gives(nan_sum, {9, 2}));
static_assert(gives(nan_prod, {15, 2}));
static_assert(gives(nan_min, {1, 2}));
static_assert(gives(nan_max, {5, 2}));
static_assert(gives(nan_mean, {3, 2}));
static_assert(gives(red::without_init(nan_mean), {4, 2}));
static_assert(gives(red::without_init(nan_sum), {8, 2}));

// "mean, and without_init of any reduction, keep a state for each element, where r may keep one for each row or none: a
// byte for without_init, 8 bytes for a mean, 16 for one of 16-bit floats. States are in a workspace".
TEST_CASE("without_nan: the bytes of a workspace") {
  const index_list data{100000, 10};
  const index_list rows{100000};
  const std::size_t elements = 1000000;
  const auto bytes = [&]<class T>(T, auto reduce) { return workspace_bytes<T>(index_reduce, data, rows, 0, reduce); };
  const auto is_about = [&](std::size_t found, std::size_t each) {
    return found >= each * elements && found <= each * elements + 1024;
  };
  CHECK(is_about(bytes(0.0F, red::without_init(nan_sum)), 1));
  CHECK(is_about(bytes(0.0F, nan_mean), 8));
  CHECK(is_about(bytes(dynamic::float16(), nan_mean), 16));
  CHECK(bytes(0, red::without_init(nan_sum)) == bytes(0, red::without_init(red::sum)));
}

}  // namespace
}  // namespace strew::test
