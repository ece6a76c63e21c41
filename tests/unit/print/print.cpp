// SPDX-License-Identifier: Apache-2.0
// Tensors as text. What NumPy has too was copied from NumPy 2.4.6, where str() printed it; compare_with_numpy.py
// compares some thousand arrays more.
#include "support/catch.hpp"
#include "support/random_source.hpp"

#include <strew/dynamic.hpp>
#include <strew/print.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

using strew::tensor_view;
using strew::to_string;

namespace {

struct fraction {
  int above = 0;
  int below = 1;

  friend std::ostream& operator<<(std::ostream& stream, const fraction& number) {
    return stream << number.above << '/' << number.below;
  }
};
struct unprintable {
  int value = 0;
};
enum class color : std::uint8_t { red, green = 200 };

template <class T>
std::string printed(const T& value) {
  std::ostringstream stream;
  stream << value;
  return stream.str();
}

std::string print_bits(std::uint16_t bits, strew::dynamic::element_kind kind) {
  return to_string(strew::dynamic::const_tensor{&bits, {kind, 2}, {}});
}

}  // namespace

TEST_CASE("tensors are printed as NumPy prints them", "[print]") {
  const int counts[] = {0, 1, 2, 3, 4, 5, 6, 7, -8, 9, 10, 11};
  CHECK(printed(tensor_view{counts, {12}}) == "[ 0  1  2  3  4  5  6  7 -8  9 10 11]");
  CHECK(printed(tensor_view{counts, {2, 2, 3}}) == "[[[ 0  1  2]\n  [ 3  4  5]]\n\n [[ 6  7 -8]\n  [ 9 10 11]]]");
  CHECK(printed(strew::transpose(tensor_view{counts, {2, 3}})) == "[[0 3]\n [1 4]\n [2 5]]");
  CHECK(printed(strew::reverse(tensor_view{counts, {4}}, 0)) == "[3 2 1 0]");
  CHECK(to_string(tensor_view{counts, {12}}, {.line_width = 20}) == "[ 0  1  2  3  4  5\n  6  7 -8  9 10 11]");

  const double numbers[] = {1, 2.5, -3, 0.125};
  CHECK(to_string(tensor_view{numbers, {4}}) == "[ 1.     2.5   -3.     0.125]");
  CHECK(to_string(tensor_view{numbers, {4}}, {.precision = 1}) == "[ 1.   2.5 -3.   0.1]");
  const double infinity = std::numeric_limits<double>::infinity();
  const double special[] = {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity, -0.0, 1.5};
  CHECK(to_string(tensor_view{special, {5}}) == "[ nan  inf -inf -0.   1.5]");
  const double wide[] = {1e-9, 1, 2.5e10};
  CHECK(to_string(tensor_view{wide, {3}}) == "[1.0e-09 1.0e+00 2.5e+10]");
  const float tenth[] = {0.1F, 0.2F, 0.30000001F};
  CHECK(to_string(tensor_view{tenth, {3}}) == "[0.1 0.2 0.3]");
  // Both differ from NumPy before 2.3.
  const float large[] = {1234567, 1};
  CHECK(to_string(tensor_view{large, {2}}) == "[1.234567e+06 1.000000e+00]");
  CHECK(to_string(tensor_view{large, {}}) == "1.234567e+06");

  const bool answers[] = {true, false};
  CHECK(to_string(tensor_view{answers, {2}}) == "[ True False]");
  const std::complex<double> points[] = {{1, 2}, {-1.5, -0.25}};
  CHECK(to_string(tensor_view{points, {2}}) == "[ 1. +2.j   -1.5-0.25j]");
}

TEST_CASE("a tensor of rank 0 is printed as a scalar, one without elements as []", "[print]") {
  const double number = 1;
  const bool answer = true;
  const std::complex<float> point{0, -1};
  CHECK(to_string(tensor_view{&number, {}}) == "1.0");
  CHECK(to_string(tensor_view{&answer, {}}) == "True");
  CHECK(to_string(tensor_view{&point, {}}) == "-1j");
  CHECK(to_string(tensor_view<const double>{}) == "[]");
  CHECK(to_string(tensor_view<int>{nullptr, {3, 0, 2}}) == "[]");
}

TEST_CASE("of a large tensor the ends of each axis are read and no more", "[print]") {
  const int one = 1;
  const std::int64_t extent = 1 << 15;
  CHECK(to_string(tensor_view{&one, {extent, extent}, {0, 0}}, {.edge_items = 1}) == "[[1 ... 1]\n ...\n [1 ... 1]]");
  std::vector<int> counted(1001);
  for (int k = 0; k < 1001; ++k) counted[static_cast<std::size_t>(k)] = k;
  CHECK(to_string(tensor_view{counted.data(), {1001}}) == "[   0    1    2 ...  998  999 1000]");
  CHECK(to_string(tensor_view{counted.data(), {1000}}).size() > 3000);
  CHECK(to_string(tensor_view{counted.data(), {1001}}, {.threshold = 1001}).size() > 3000);
}

TEST_CASE("the text of a tensor of many axes is bounded", "[print]") {
  const int one = 1;
  const strew::index_list sevens = std::vector<int>(11, 7);  // as many as 32 bits can address
  const strew::index_list zeros = std::vector<int>(11, 0);
  const std::string text = to_string(tensor_view{&one, sevens, zeros});
  CHECK(text.starts_with("[[[[[[[[[[[1 1 1 ... 1 1 1]\n"));
  CHECK(text.size() < 1000000);
  // Six axes are shown as ever, of the five around them one coordinate each.
  std::string end = " 1 1 1]]]]]]";
  for (std::size_t axis = 5; axis-- > 0;) {
    end += std::string(11 - axis - 1, '\n') + std::string(axis + 1, ' ') + "...]";
  }
  CHECK(text.ends_with(end));
}

TEST_CASE("options out of range are brought into it", "[print]") {
  const double numbers[] = {0.5, 1.0 / 3};
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  const tensor_view view{numbers, {2}};
  CHECK(to_string(view, {.precision = -5}) == to_string(view, {.precision = 0}));
  CHECK(to_string(view, {.precision = 2000000000}) == "[0.5                0.3333333333333333]");
  CHECK(to_string(view, {.line_width = least}) == "[0.5\n 0.33333333]");
  CHECK(to_string(view, {.threshold = most, .edge_items = most, .line_width = most}) == to_string(view));
  CHECK(to_string(view, {.threshold = least, .edge_items = least}) == "[0.5        0.33333333]");
  const tensor_view<const double> longer{numbers, {100}, {0}};
  CHECK(to_string(longer, {.threshold = 0, .edge_items = 0}) == "[0.5 ... 0.5]");
  CHECK(to_string(longer, {.threshold = 0, .edge_items = most}) == to_string(longer));
}

TEST_CASE("characters, bytes and enumerations are printed as numbers", "[print]") {
  const char letters[] = {'a', 'b'};
  const std::byte bytes[] = {std::byte{7}, std::byte{255}};
  const color colors[] = {color::red, color::green};
  CHECK(to_string(tensor_view{letters, {2}}) == "[97 98]");
  CHECK(to_string(tensor_view{bytes, {2}}) == "[  7 255]");
  CHECK(to_string(tensor_view{colors, {2}}) == "[  0 200]");
}

TEST_CASE("elements of other types are printed by their operator<<, padded on the left", "[print]") {
  const fraction fractions[] = {{1, 2}, {22, 7}, {355, 113}, {1, 1}};
  CHECK(printed(tensor_view{fractions, {2, 2}}) == "[[    1/2    22/7]\n [355/113     1/1]]");
  STATIC_REQUIRE(strew::printable<fraction>);
  STATIC_REQUIRE_FALSE(strew::printable<unprintable>);
}

TEST_CASE("tensors of types that are known at run time only are printed by their kind", "[print]") {
  using namespace strew::dynamic;
  const float numbers[] = {1, 2, 3.5F, 4};
  CHECK(printed(const_tensor{tensor_view{numbers, {2, 2}}}) == "[[1.  2. ]\n [3.5 4. ]]");
  const std::int16_t places[] = {3, -1};
  CHECK(printed(index_tensor{tensor_view{places, {2}}}) == "[ 3 -1]");
  // At an address that no float has, with steps of 5 bytes.
  alignas(8) unsigned char bytes[] = {9, 0, 0, 0x80, 0x3F, 9, 0, 0, 0, 0x40};
  if (std::endian::native == std::endian::little) {
    CHECK(to_string(const_tensor{bytes + 1, {element_kind::floating_point, 4}, {}}) == "1.0");
    CHECK(to_string(const_tensor{bytes + 6, {element_kind::floating_point, 4}, {}}) == "2.0");
  }
  CHECK(to_string(const_tensor{bytes, {element_kind::opaque, 5}, {2}}) ==
        R"([b'\x09\x00\x00\x80\x3F' b'\x09\x00\x00\x00\x40'])");
  CHECK(to_string(const_tensor{bytes, {element_kind::floating_point, 5}, {}}) == R"(b'\x09\x00\x00\x80\x3F')");
  const std::vector<char> zeros(17);
  CHECK(to_string(const_tensor{zeros.data(), {element_kind::opaque, 17}, {}}).ends_with(R"(\x00\x00...')"));
  CHECK(to_string(const_tensor{bytes, {element_kind::boolean, 1}, {2}}) == "[ True False]");
}

TEST_CASE("bfloat16 is printed with the digits that distinguish it from its neighbours", "[print]") {
  const auto print = [](std::uint16_t bits) { return print_bits(bits, strew::dynamic::element_kind::brain_float); };
  CHECK(print(0x3F80) == "1.0");
  CHECK(print(0x3DCD) == "0.1");   // 0.10009765625
  CHECK(print(0x4049) == "3.14");  // 3.140625, between 3.125 and 3.15625
  CHECK(print(0xC2F7) == "-123.5");
  CHECK(print(0x7F7F) == "3.39e+38");
  CHECK(print(0x0001) == "9e-41");  // 9.18e-41, the least of all
  CHECK(print(0x7F80) == "inf");
  CHECK(print(0xFFC0) == "nan");
  // By their definition: read as a double, they are nearer to the number than to any other.
  const auto value_of = [](unsigned bits) {
    const std::uint32_t wide = bits << 16;
    return static_cast<double>(std::bit_cast<float>(wide));
  };
  for (unsigned bits = 0; bits < 0x7F7F; bits += 5) {
    const double number = std::stod(print(static_cast<std::uint16_t>(bits)));
    const double below = bits == 0 ? 0 : (value_of(bits) + value_of(bits - 1)) / 2;
    const double above = (value_of(bits) + value_of(bits + 1)) / 2;
    REQUIRE((number >= below && number <= above));
  }
}

// libc++ has them by the second way.
TEST_CASE("long doubles have the same digits by both ways to write them", "[print]") {
  using namespace strew::detail::printing;
  const auto text = [](const decimal& number) {
    return (number.is_negative ? "-" : "") + std::string(number.digits, number.digits + number.count) + "e" +
           std::to_string(number.exponent);
  };
  strew::test::random_source random(1);
  using limits = std::numeric_limits<long double>;
#if defined(__MINGW32__)
  constexpr bool reads_exactly = false;
  WARN("shortest digits of powers of two are not compared: MinGW's strtold takes numbers just below for the power");
#else
  constexpr bool reads_exactly = true;
#endif
  const auto is_power_of_two = [](long double number) {
    int exponent = 0;
    return std::fabs(std::frexp(number, &exponent)) == 0.5L;
  };
  for (int k = 0; k < 20'000; ++k) {
    const auto exponent =
        static_cast<int>(random.between(limits::min_exponent - limits::digits, limits::max_exponent - 2));
    const auto fraction = static_cast<long double>(random.below(std::int64_t{1} << 62));
    long double number = std::ldexp(1.0L, exponent);
    // Powers of two, numbers of few digits, and any.
    if (k % 3 == 1) number = static_cast<long double>(random.below(100'000)) / 1000;
    if (k % 3 == 2) number *= 1 + std::ldexp(fraction, -62);
    if (random.one_in(2)) number = -number;
    const int count = static_cast<int>(random.below(30));
    CAPTURE(number, exponent, count);
    if ((reads_exactly || !is_power_of_two(number)) && text(shortest_by_print(number)) != text(shortest(number))) {
      FAIL_CHECK("other shortest digits");
    }
    if (text(rounded_by_print(number, std::chars_format::scientific, count)) != text(rounded(number, count)))
      FAIL_CHECK("other digits");
    if (std::fabs(number) > 1e17L) continue;
    if (text(rounded_by_print(number, std::chars_format::fixed, count)) != text(rounded_to_places(number, count))) {
      FAIL_CHECK("other digits after the point");
    }
  }
}

TEST_CASE("lists and statuses are printed as messages have them", "[print]") {
  CHECK(printed(strew::index_list{2, -3}) == "[2, -3]");
  CHECK(printed(strew::index_list{}) == "[]");
  CHECK(printed(strew::status{}) == "ok");
  tensor_view<int> view;
  CHECK(printed(tensor_view<int>::try_make(nullptr, {2, 3}, view)) ==
        "tensor_view: data is null, but extents [2, 3] hold elements");
}
