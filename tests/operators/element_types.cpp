// SPDX-License-Identifier: Apache-2.0
// Every kind of element in every form of a call: integers and floats of each size, complex numbers, strings, structures
// and pointers. odd_elements.cpp has those whose assignment is their own.
#include "support/catch.hpp"
#include "support/element_values.hpp"
#include "support/operator_calls.hpp"
#include "support/random_source.hpp"

#include <strew/strew.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace strew::test {
namespace {

using element_types = std::tuple<bool, char, char16_t, int, unsigned long long, float, double, long double,
#if STREW_HAS_FLOAT16
                                 _Float16,
#endif
                                 std::complex<double>, std::string, colour, record, int*>;

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
