// SPDX-License-Identifier: Apache-2.0
// Elements of every size and alignment, and elements that can be assigned from const T& and in no other way, or in
// others that do something else: operators do that one thing and nothing besides, in constant evaluation too.
#include "support/backwards.hpp"
#include "support/catch.hpp"

#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

// ---- The types. Each is made from a small number and tells it.

// Plain bytes to copy from const v3&; what a plain `=` between two variables would pick is the template.
struct with_greedy_assignment {
  float x;
  float y;
  float z;

  constexpr explicit with_greedy_assignment(int n) : x(static_cast<float>(n)), y(x + 1), z(x + 2) {}
  constexpr with_greedy_assignment(const with_greedy_assignment&) = default;
  constexpr with_greedy_assignment& operator=(const with_greedy_assignment&) = default;
  template <class U>
  constexpr with_greedy_assignment& operator=(U&&) {
    x = y = z = -1;
    return *this;
  }
  [[nodiscard]] constexpr int number() const { return y == x + 1 && z == x + 2 ? static_cast<int>(x) : -1; }
};

struct with_forbidding_templates {
  int value;
  int twice;

  constexpr explicit with_forbidding_templates(int n) : value(n), twice(2 * n) {}
  constexpr with_forbidding_templates(const with_forbidding_templates&) = default;
  template <class U>
  constexpr with_forbidding_templates(U&&) {
    static_assert(sizeof(U) == 0, "no element is made from another");
  }
  constexpr with_forbidding_templates& operator=(const with_forbidding_templates&) = default;
  template <class U>
  constexpr with_forbidding_templates& operator=(U&&) {
    static_assert(sizeof(U) == 0, "no element is assigned from anything but a const element");
    return *this;
  }
  void operator&() const = delete;
  template <class U>
  void operator,(const U&) const = delete;
  [[nodiscard]] constexpr int number() const { return twice == 2 * value ? value : -1; }
};

// Assigned from const lvalues only; otherwise as if it could but be moved.
struct seemingly_move_only {
  std::int64_t value;

  constexpr explicit seemingly_move_only(int n) : value(n) {}
  seemingly_move_only(const seemingly_move_only&) = delete;
  constexpr seemingly_move_only(seemingly_move_only&&) = default;
  constexpr seemingly_move_only& operator=(const seemingly_move_only&) = default;
  seemingly_move_only& operator=(seemingly_move_only&) = delete;
  seemingly_move_only& operator=(seemingly_move_only&&) = delete;
  ~seemingly_move_only() = default;
  [[nodiscard]] constexpr int number() const { return static_cast<int>(value); }
};

// The same, and more than its bytes.
struct assigned_by_itself {
  int value;
  int assignments = 0;

  constexpr explicit assigned_by_itself(int n) : value(n) {}
  assigned_by_itself(const assigned_by_itself&) = delete;
  constexpr assigned_by_itself& operator=(const assigned_by_itself& other) noexcept {
    value = other.value;
    ++assignments;
    return *this;
  }
  assigned_by_itself& operator=(assigned_by_itself&) = delete;
  [[nodiscard]] constexpr int number() const { return value; }
};

// What its assignments return is nobody's concern, and they may ask for an lvalue.
struct assignment_of_nothing {
  int value;

  constexpr explicit assignment_of_nothing(int n) : value(n) {}
  constexpr assignment_of_nothing(const assignment_of_nothing&) = default;
  constexpr void operator=(const assignment_of_nothing& other) & noexcept { value = other.value; }
  [[nodiscard]] constexpr int number() const { return value; }
};

struct without_default {
  short value;

  without_default() = delete;
  constexpr explicit without_default(int n) : value(static_cast<short>(n)) {}
  [[nodiscard]] constexpr int number() const { return value; }
};
struct with_throwing_default {
  std::uint16_t value;

  with_throwing_default() { throw std::runtime_error("no element is made by default"); }
  constexpr explicit with_throwing_default(int n) : value(static_cast<std::uint16_t>(n)) {}
  [[nodiscard]] constexpr int number() const { return value; }
};
struct polymorphic {
  int value;

  constexpr explicit polymorphic(int n) : value(n) {}
  constexpr polymorphic(const polymorphic&) = default;
  constexpr polymorphic& operator=(const polymorphic&) = default;
  virtual constexpr ~polymorphic() = default;
  [[nodiscard]] virtual constexpr int number() const { return value; }
};

template <std::size_t Size, std::size_t Alignment = 1>
struct alignas(Alignment) block {
  unsigned char bytes[Size];

  constexpr explicit block(int n) : bytes{} {
    for (std::size_t k = 0; k < Size; ++k) bytes[k] = static_cast<unsigned char>(n + static_cast<int>(k));
  }
  [[nodiscard]] constexpr int number() const {
    for (std::size_t k = 0; k < Size; ++k) {
      if (bytes[k] != static_cast<unsigned char>(bytes[0] + k)) return -1;
    }
    return bytes[0];
  }
};

enum class letter : char16_t { none };

template <class T>
constexpr T make(int n) {
  if constexpr (std::is_same_v<T, std::string>) {
    return std::to_string(n) + ", in a string that is too long for the buffer inside it";
  } else if constexpr (std::is_same_v<T, std::array<int, 5>>) {
    return {n, n, n, n, n};
  } else if constexpr (std::is_same_v<T, std::pair<int, char>>) {
    return {n, 'c'};
  } else if constexpr (requires { typename T::value_type; }) {
    return T(static_cast<typename T::value_type>(n));
  } else {
    return static_cast<T>(n);
  }
}
template <class T>
constexpr int number_of(const T& element) {
  if constexpr (requires { element.number(); }) {
    return element.number();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::stoi(element);
  } else if constexpr (std::is_same_v<T, std::array<int, 5>>) {
    return element[0] == element[4] ? element[2] : -1;
  } else if constexpr (std::is_same_v<T, std::pair<int, char>>) {
    return element.first;
  } else if constexpr (requires { element.real(); }) {
    return static_cast<int>(element.real());
  } else if constexpr (std::is_same_v<T, std::optional<int>>) {
    return *element;
  } else {
    return static_cast<int>(element);
  }
}

// ---- What is done to them

// Count elements that are made in place from first, first + 1, ..
template <class T, std::size_t Count>
struct elements {
  T values[Count];

  constexpr explicit elements(int first) : elements(first, std::make_index_sequence<Count>()) {}
  template <std::size_t... N>
  constexpr elements(int first, std::index_sequence<N...>) : values{make<T>(first + static_cast<int>(N))...} {}
};

using numbers = std::array<int, 12>;

template <class T>
constexpr bool hold(const elements<T, 12>& tensor, const numbers& expected) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (number_of(tensor.values[k]) != expected[k]) return false;
  }
  return true;
}

// Every operator on data (3, 4) with numbers from 0 on and updates from 20 on, on an executor or without: out of place,
// in place, and with operands that run backwards. Returns the number of the first result that is wrong, else 0.
template <class T, class... Ex>
constexpr int first_wrong(Ex&... ex) {
  using view = tensor_view<T>;
  using const_view = tensor_view<const T>;
  const std::array<int, 3> rows{2, 0, 2};
  const std::array<std::int64_t, 6> numbered{2, 0, 2, 1, 1, 3};
  const std::array<signed char, 6> wrapping{-2, 0, -2, 1, 1, -1};
  const tensor_view<const int> at_rows{rows.data(), {3}};
  const tensor_view<const std::int64_t> at{numbered.data(), {2, 3}};
  const tensor_view<const signed char> at_wrapping{wrapping.data(), {2, 3}};
  const slice_spec slice{.start = 3, .stop = 0, .step = -2, .axes = 1};
  const elements<T, 9> updates(20);
  // Of updates for one element the last wins.
  const numbers rows_expected{21, 1, 22, 3, 24, 5, 25, 7, 27, 9, 28, 11};
  const numbers elements_expected{21, 1, 22, 3, 4, 24, 6, 25, 8, 9, 10, 11};
  const numbers slice_expected{0, 21, 2, 20, 4, 23, 6, 22, 8, 25, 10, 24};

  int number = 0;
  const auto check = [&](const numbers& expected, const auto& call) {
    for (const bool reversed : {false, true}) {
      const auto turned = [&](const view& tensor) { return reversed ? reverse(tensor, 0) : tensor; };
      const elements<T, 12> data(0);
      elements<T, 12> output(100);
      elements<T, 12> in_place(0);
      const_view in{data.values, {3, 4}};
      // Rows backwards: those of data and of the output are the same in the end.
      ++number;
      call(in, turned(view{output.values, {3, 4}}));
      numbers turned_expected = expected;
      if (reversed) {
        for (std::size_t k = 0; k < 4; ++k) std::swap(turned_expected[k], turned_expected[8 + k]);
      }
      if (!hold(output, turned_expected)) return false;
      ++number;
      if (reversed) continue;
      call(view{in_place.values, {3, 4}}, view{in_place.values, {3, 4}});
      if (!hold(in_place, expected)) return false;
    }
    return true;
  };
  const bool right = check(rows_expected,
                           [&](const auto& in, const auto& out) {
                             scatter_update(ex..., in, at_rows, const_view{updates.values, {3, 3}}, 1, out);
                           }) &&
                     check(elements_expected,
                           [&](const auto& in, const auto& out) {
                             scatter_elements_update(ex..., in, at, const_view{updates.values, {2, 3}}, 1, out);
                           }) &&
                     check(elements_expected,
                           [&](const auto& in, const auto& out) {
                             onnx::scatter(ex..., in, at_wrapping, const_view{updates.values, {2, 3}}, 1, out);
                           }) &&
                     check(slice_expected, [&](const auto& in, const auto& out) {
                       slice_scatter(ex..., in, const_view{updates.values, {3, 2}}, slice, out);
                     });
  return right ? 0 : number;
}

// The same at run time on more elements than small calls have, against loops that know nothing of strides.
template <class T, class... Ex>
std::string what_is_wrong_with_many(Ex&... ex) {
  constexpr std::size_t rows = 40;
  constexpr std::size_t columns = 30;
  const index_list extents{rows, columns};
  std::vector<int> data_numbers(rows * columns);
  std::vector<int> update_numbers(rows * columns);
  std::vector<T> data;
  std::vector<T> updates;
  for (std::size_t k = 0; k < rows * columns; ++k) {
    data.push_back(make<T>(data_numbers[k] = static_cast<int>(k % 100)));
    updates.push_back(make<T>(update_numbers[k] = static_cast<int>(100 + k % 97)));
  }
  std::vector<int> row_of_row(rows);
  for (std::size_t k = 0; k < rows; ++k) row_of_row[k] = static_cast<int>(k * k * 3 % rows);
  std::vector<int> row_of(rows * columns);
  for (std::size_t k = 0; k < row_of.size(); ++k) row_of[k] = static_cast<int>(k * k * 7 % rows);
  const tensor_view<const T> in{data.data(), extents};
  const tensor_view<const T> up{updates.data(), extents};
  const tensor_view<const int> at_rows{row_of_row.data(), {rows}};
  const tensor_view<const int> at{row_of.data(), extents};

  const auto differs = [&](const std::vector<T>& output, const std::vector<int>& expected) {
    for (std::size_t k = 0; k < expected.size(); ++k) {
      if (number_of(output[k]) != expected[k]) return true;
    }
    return false;
  };
  std::vector<T> output = updates;
  const tensor_view<T> out{output.data(), extents};
  std::vector<int> expected = data_numbers;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      expected[static_cast<std::size_t>(row_of_row[i]) * columns + j] = update_numbers[i * columns + j];
    }
  }
  scatter_update(ex..., in, at_rows, up, 0, out);
  if (differs(output, expected)) return "scatter_update";

  expected = data_numbers;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      expected[static_cast<std::size_t>(row_of[i * columns + j]) * columns + j] = update_numbers[i * columns + j];
    }
  }
  scatter_elements_update(ex..., in, at, up, 0, out);
  if (differs(output, expected)) return "scatter_elements_update";

  for (int& row : row_of) row -= static_cast<int>(rows) * (row % 2);
  output = data;
  onnx::scatter(ex..., out, at, up, 0);
  if (differs(output, expected)) return "onnx::scatter";

  for (const std::size_t step : {2U, 3U, 5U}) {
    expected = data_numbers;
    const index_list updates_extents = {rows, columns / step};
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns / step; ++j) {
        expected[i * columns + j * step] = update_numbers[i * (columns / step) + j];
      }
    }
    slice_scatter(ex..., in, tensor_view<const T>{updates.data(), updates_extents},
                  {.start = 0, .stop = columns, .step = step, .axes = 1}, out);
    if (differs(output, expected)) return "slice_scatter";
  }
  return "";
}

}  // namespace

TEMPLATE_TEST_CASE("elements are assigned from const elements, and nothing else is done to them", "",
                   with_greedy_assignment, seemingly_move_only, assigned_by_itself, with_throwing_default) {
  STATIC_REQUIRE(first_wrong<TestType>() == 0);
  CHECK(first_wrong<TestType>() == 0);
  backwards ex;
  CHECK(first_wrong<TestType>(ex) == 0);
}

TEMPLATE_TEST_CASE("elements of any size and alignment are moved whole", "", (block<3>), (block<12>), (block<100>),
                   (block<4096>), (block<256, 128>)) {
  if constexpr (sizeof(TestType) <= 32) STATIC_REQUIRE(first_wrong<TestType>() == 0);
  CHECK(first_wrong<TestType>() == 0);
}
#if STREW_TEST_AT_LENGTH
TEMPLATE_TEST_CASE("elements of more kinds are assigned from const elements, and nothing else is done to them", "",
                   with_forbidding_templates, assignment_of_nothing, without_default) {
  STATIC_REQUIRE(first_wrong<TestType>() == 0);
  CHECK(first_wrong<TestType>() == 0);
  backwards ex;
  CHECK(first_wrong<TestType>(ex) == 0);
}
TEMPLATE_TEST_CASE("many elements of more sizes are moved as few are", "", (block<12>), (block<64, 64>), long double) {
  CHECK(what_is_wrong_with_many<TestType>() == "");
  backwards ex;
  CHECK(what_is_wrong_with_many<TestType>(ex) == "");
}
TEMPLATE_TEST_CASE("elements of more sizes and alignments are moved whole", "", (block<24>), (block<32, 32>),
                   (block<64, 64>), (block<192, 64>)) {
  if constexpr (sizeof(TestType) <= 32) STATIC_REQUIRE(first_wrong<TestType>() == 0);
  CHECK(first_wrong<TestType>() == 0);
}
#endif

TEMPLATE_TEST_CASE("elements of the standard library and of the language are assigned, in constant evaluation too", "",
                   long double, std::complex<float>, letter, (std::array<int, 5>)) {
  STATIC_REQUIRE(first_wrong<TestType>() == 0);
  CHECK(first_wrong<TestType>() == 0);
}

TEMPLATE_TEST_CASE("elements that are assigned by functions of their own are assigned at run time", "", std::string,
                   polymorphic, (std::pair<int, char>), std::optional<int>, std::complex<long double>) {
  CHECK(first_wrong<TestType>() == 0);
  backwards ex;
  CHECK(first_wrong<TestType>(ex) == 0);
}

TEMPLATE_TEST_CASE("many elements of any size are moved as few are", "", with_greedy_assignment, (block<3>),
                   (block<100>), std::string) {
  CHECK(what_is_wrong_with_many<TestType>() == "");
  backwards ex;
  CHECK(what_is_wrong_with_many<TestType>(ex) == "");
}

namespace {

// Knows how often it was assigned.
struct counted {
  std::int64_t value = 0;
  int assignments = 0;

  counted& operator=(const counted& other) noexcept {
    value = other.value;
    ++assignments;
    return *this;
  }
};

}  // namespace

TEST_CASE("a pool assigns each element as often as one thread does: once from data, once from each update") {
  constexpr std::int64_t rows = 3000;
  std::vector<counted> data(rows * 2), updates(rows * 2), output(rows * 2);
  std::vector<int> indices(rows);
  std::vector<int> expected_assignments(rows, 1);
  std::vector<std::int64_t> expected(rows * 2);
  for (std::size_t k = 0; k < expected.size(); ++k) {
    expected[k] = data[k].value = static_cast<std::int64_t>(k);
    updates[k].value = static_cast<std::int64_t>(1'000'000 + k);
  }
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const std::size_t row = i * i % rows;
    indices[i] = static_cast<int>(row);
    ++expected_assignments[row];
    expected[2 * row] = updates[2 * i].value;
    expected[2 * row + 1] = updates[2 * i + 1].value;
  }
  thread_pool pool{4};
  STATIC_REQUIRE(
      noexcept(try_scatter_update(pool, tensor_view<counted>{}, tensor_view<int>{}, tensor_view<counted>{}, 0)));
  scatter_update(pool, tensor_view{data.data(), {rows, 2}}, tensor_view{indices.data(), {rows}},
                 tensor_view{updates.data(), {rows, 2}}, 0, tensor_view{output.data(), {rows, 2}});
  int wrong = 0;
  for (std::size_t k = 0; k < output.size(); ++k) {
    wrong += output[k].value == expected[k] && output[k].assignments == expected_assignments[k / 2] ? 0 : 1;
  }
  CHECK(wrong == 0);
}

namespace {

struct tag {};
struct item : tag {
  char letter;
};

constexpr bool leaves_letter(bool in_place) {
  item output{{}, 'a'};
  const item data{{}, 'b'};
  const item update{{}, 'c'};
  const int index = 0;
  const tensor_view<tag> out{&output, {1}};
  const tensor_view<const tag> up{&update, {1}};
  const tensor_view<const int> at{&index, {1}};
  const tensor_view<const tag> in = in_place ? tensor_view<const tag>{out} : tensor_view<const tag>{&data, {1}};
  scatter_update(in, at, up, 0, out);
  scatter_elements_update(in, at, up, 0, out);
  onnx::scatter(in, at, up, out);
  slice_scatter(in, up, {.start = 0, .stop = 1, .step = 1}, out);
  return output.letter == 'a';
}

}  // namespace

TEST_CASE("an empty base is assigned without a byte of what follows it, in constant evaluation too") {
  STATIC_REQUIRE(leaves_letter(false));
  STATIC_REQUIRE(leaves_letter(true));
  CHECK(leaves_letter(false));
  CHECK(leaves_letter(true));
}

}  // namespace strew::test
