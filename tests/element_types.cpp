// SPDX-License-Identifier: Apache-2.0
// Every kind of element: all arithmetic types, 16-bit floats, complex numbers, strings, structures of odd sizes, and a
// type that owns memory and throws when it is copied.
#include "catch.hpp"
#include "element_values.hpp"
#include "operator_calls.hpp"
#include "random_source.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace strew::test {
namespace {

using element_types =
    std::tuple<bool, char, signed char, unsigned char, wchar_t, char8_t, char16_t, char32_t, short, unsigned short, int,
               unsigned int, long, unsigned long, long long, unsigned long long, float, double, long double,
#if defined(__FLT16_MAX__)
               _Float16,
#endif
               std::complex<float>, std::complex<double>, std::string, colour, record, int*>;

// All forms of a call on operands in every arrangement, against the oracle.
template <class Operator, class T, class Where>
void check(const shape& indices, const std::vector<int>& index_values, const shape& updates, const Where& where,
           const oracle::provenance& expected) {
  const shape data{3, 4};
  for (const arrangement kind : {arrangement::contiguous, arrangement::padded, arrangement::permuted,
                                 arrangement::reversed, arrangement::interleaved}) {
    random_source random(static_cast<std::uint64_t>(kind));
    operands<T> on{guarded_buffer<T>(place(kind, data, random)), guarded_buffer<int>(indices, index_values),
                   guarded_buffer<T>(place(kind, updates, random)), guarded_buffer<T>(place(kind, data, random))};
    on.data.fill_from(1);
    on.updates.fill_from(1001);
    for (const form how : all_forms) {
      operands<T> after = on;
      REQUIRE(run<Operator>(how, after, where).ok());
      REQUIRE(deviation(how, on, after, expected) == "");
    }
  }
}

// Indices with duplicates on axis 1 of data (3, 4).
const std::vector<int> three_indices{2, 0, 2};
const std::vector<int> six_indices{2, 0, 2, 1, 1, 3};

template <class T>
void check_all_operators() {
  const shape data{3, 4};
  check<scatter_update_operator, T>({3}, three_indices, {3, 3}, 1, oracle::scatter_update(data, {3}, three_indices, 1));
  check<scatter_elements_update_operator, T>({2, 3}, six_indices, {2, 3}, 1,
                                             oracle::scatter_elements(data, {2, 3}, six_indices, 1));
  check<onnx_scatter_operator, T>({2, 3}, six_indices, {2, 3}, 1,
                                  oracle::scatter_elements(data, {2, 3}, six_indices, 1));
  check<slice_scatter_operator, T>({0}, {}, {3, 2}, slice_spec{.start = 3, .stop = 0, .step = -2, .axes = 1},
                                   oracle::slice_scatter(data, {{3, 0, -2, 1}}));
}

TEMPLATE_LIST_TEST_CASE("all operators move elements of this type", "", element_types) {
  check_all_operators<TestType>();
}

struct copy_failed : std::runtime_error {
  copy_failed() : std::runtime_error("no copy") {}
};

// Owns memory, knows how many of its kind live, can be moved, and throws at a copy assignment chosen by the test.
class fragile {
 public:
  static inline std::int64_t living = 0;
  static inline std::int64_t copies_until_failure = -1;  // negative: never

  fragile() : fragile(0) {}
  explicit fragile(int value) : value_(std::make_unique<int>(value)) { ++living; }
  fragile(const fragile& other) : fragile(*other.value_) {}
  fragile(fragile&& other) noexcept : value_(std::move(other.value_)) { ++living; }
  fragile& operator=(const fragile& other) {
    if (copies_until_failure == 0) throw copy_failed();
    --copies_until_failure;
    value_ = std::make_unique<int>(*other.value_);
    return *this;
  }
  fragile& operator=(fragile&& other) noexcept {
    value_ = std::move(other.value_);
    return *this;
  }
  ~fragile() { --living; }

  [[nodiscard]] int value() const { return value_ == nullptr ? -1 : *value_; }  // -1: moved from

 private:
  std::unique_ptr<int> value_;
};

std::vector<fragile> fragile_from(int first, int count) {
  std::vector<fragile> result;
  for (int k = 0; k < count; ++k) result.emplace_back(first + k);
  return result;
}

std::vector<int> values_of(const std::vector<fragile>& elements) {
  std::vector<int> result;
  for (const fragile& element : elements) result.push_back(element.value());
  return result;
}

// Calls the operator again and again, the n-th copy failing, until none does.
template <class Call>
void check_with_failing_copies(bool in_place, const std::vector<int>& expected, Call call) {
  const std::int64_t living_before = fragile::living;
  int failures = 0;
  for (bool done = false; !done; ++failures) {
    std::vector<fragile> data = fragile_from(0, 6);
    std::vector<fragile> updates = fragile_from(100, 4);
    std::vector<fragile> output = fragile_from(200, 6);
    std::vector<fragile>& target = in_place ? data : output;
    const std::vector<int> data_before = values_of(data);
    const std::vector<int> target_before = values_of(target);
    const std::int64_t living_during = fragile::living;

    fragile::copies_until_failure = failures;
    try {
      call(tensor_view<fragile>{data.data(), {3, 2}}, tensor_view<fragile>{updates.data(), {2, 2}},
           tensor_view<fragile>{target.data(), {3, 2}});
      done = true;
    } catch (const copy_failed&) {
    }
    fragile::copies_until_failure = -1;

    REQUIRE(fragile::living == living_during);
    REQUIRE(values_of(updates) == std::vector<int>{100, 101, 102, 103});
    if (!in_place) REQUIRE(values_of(data) == data_before);
    const std::vector<int> after = values_of(target);
    if (done) REQUIRE(after == expected);
    for (std::size_t k = 0; k < after.size(); ++k) {
      REQUIRE((after[k] == target_before[k] || after[k] == data_before[k] || after[k] == expected[k]));
    }
  }
  CHECK(failures > 4);  // each of the four updates has failed once
  CHECK(fragile::living == living_before);
}

TEST_CASE("when a copy throws, every element holds its old or its new value and nothing leaks") {
  const std::vector<int> rows{2, 0};
  const std::vector<int> elements{2, 0, 0, 1};
  const tensor_view<const int> at_rows{rows.data(), {2}};
  const tensor_view<const int> at_elements{elements.data(), {2, 2}};
  const slice_spec slice{.start = 0, .stop = 3, .step = 2};
  const std::vector<int> rows_expected{102, 103, 2, 3, 100, 101};
  const std::vector<int> elements_expected{102, 101, 2, 103, 100, 5};
  const std::vector<int> slice_expected{100, 101, 2, 3, 102, 103};
  const auto forms_of = [](const std::vector<int>& expected, auto throwing, auto attempted) {
    for (const bool in_place : {false, true}) {
      check_with_failing_copies(in_place, expected, throwing);
      check_with_failing_copies(in_place, expected, attempted);
    }
  };

  forms_of(
      rows_expected, [&](auto data, auto updates, auto output) { scatter_update(data, at_rows, updates, 0, output); },
      [&](auto data, auto updates, auto output) {
        const status outcome = try_scatter_update(data, at_rows, updates, 0, output);
        REQUIRE(outcome.ok());
      });
  forms_of(
      elements_expected,
      [&](auto data, auto updates, auto output) { scatter_elements_update(data, at_elements, updates, 0, output); },
      [&](auto data, auto updates, auto output) {
        const status outcome = try_scatter_elements_update(data, at_elements, updates, 0, output);
        REQUIRE(outcome.ok());
      });
  forms_of(
      elements_expected,
      [&](auto data, auto updates, auto output) { onnx::scatter(data, at_elements, updates, 0, output); },
      [&](auto data, auto updates, auto output) {
        const status outcome = onnx::try_scatter(data, at_elements, updates, 0, output);
        REQUIRE(outcome.ok());
      });
  forms_of(
      slice_expected, [&](auto data, auto updates, auto output) { slice_scatter(data, updates, slice, output); },
      [&](auto data, auto updates, auto output) {
        const status outcome = try_slice_scatter(data, updates, slice, output);
        REQUIRE(outcome.ok());
      });
}

template <class T>
using view = tensor_view<T>;

TEST_CASE("the try_ forms are noexcept exactly where the assignment is") {
  const view<int> of_int;
  const view<fragile> of_fragile;
  const slice_spec slice;
  const index_list axis = 0;
  STATIC_REQUIRE(noexcept(try_slice_scatter(of_int, of_int, slice, of_int)));
  STATIC_REQUIRE(noexcept(try_slice_scatter(of_int, of_int, slice)));
  STATIC_REQUIRE(noexcept(try_scatter_update(of_int, of_int, of_int, axis, of_int)));
  STATIC_REQUIRE(noexcept(try_scatter_elements_update(of_int, of_int, of_int, axis)));
  STATIC_REQUIRE(noexcept(onnx::try_scatter(of_int, of_int, of_int)));
  STATIC_REQUIRE(!noexcept(try_slice_scatter(of_fragile, of_fragile, slice, of_fragile)));
  STATIC_REQUIRE(!noexcept(try_scatter_update(of_fragile, of_int, of_fragile, axis)));
  STATIC_REQUIRE(!noexcept(try_scatter_elements_update(of_fragile, of_int, of_fragile, axis, of_fragile)));
  STATIC_REQUIRE(!noexcept(onnx::try_scatter(of_fragile, of_int, of_fragile, axis)));
  STATIC_REQUIRE(!noexcept(scatter_update(of_int, of_int, of_int, axis)));
}

// A trivially copyable type whose assignment is more than its bytes: copying the bytes would be wrong.
struct signed_copy {
  int value = 0;
  const void* copied_to = nullptr;

  signed_copy() = default;
  explicit signed_copy(int v) : value(v) {}
  signed_copy(const signed_copy&) = default;
  signed_copy& operator=(const signed_copy& other) {
    value = other.value;
    copied_to = this;
    return *this;
  }
};

TEST_CASE("an assignment of the user's own is called, not bypassed by copying bytes") {
  std::vector<signed_copy> data{signed_copy(0), signed_copy(1), signed_copy(2)};
  std::vector<signed_copy> updates{signed_copy(10), signed_copy(11)};
  std::vector<signed_copy> output(3);
  const std::vector<int> indices{1, 2};
  scatter_update(tensor_view<signed_copy>{data.data(), {3}}, tensor_view<const int>{indices.data(), {2}},
                 tensor_view<signed_copy>{updates.data(), {2}}, 0, tensor_view<signed_copy>{output.data(), {3}});
  for (const signed_copy& element : output) CHECK(element.copied_to == &element);
  CHECK(output[0].value == 0);
  CHECK(output[1].value == 10);
  CHECK(output[2].value == 11);
}

}  // namespace
}  // namespace strew::test
