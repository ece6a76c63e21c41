// SPDX-License-Identifier: Apache-2.0
// The core cases of every operator in constant evaluation, where undefined behaviour does not compile, and again at
// run time.
#include "support/catch.hpp"
#include "support/constify.hpp"

#include <strew/strew.hpp>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

namespace strew::test {
namespace {

template <class T, std::size_t N>
constexpr bool equal(const std::array<T, N>& a, const std::array<T, N>& b) {
  for (std::size_t k = 0; k < N; ++k) {
    if (!(a[k] == b[k])) return false;
  }
  return true;
}

TEST_CASE("slice_scatter: the examples of its document") {
  constify([](auto& expect) {
    const std::array<float, 10> data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const std::array<float, 6> updates{10, 20, 30, 40, 50, 60};
    std::array<float, 10> output{};
    const tensor_view<float> out{output.data(), {2, 5}};
    const tensor_view<const float> in{data.data(), {2, 5}};
    slice_scatter(in, tensor_view<const float>{updates.data(), {1, 5}}, {.start = 0, .stop = 1, .step = 1, .axes = 0},
                  out);
    expect(equal(output, {10, 20, 30, 40, 50, 5, 6, 7, 8, 9}));
    slice_scatter(in, tensor_view<const float>{updates.data(), {2, 3}},
                  {.start = {-25}, .stop = {25}, .step = {2}, .axes = {1}}, out);
    expect(equal(output, {10, 1, 20, 3, 30, 40, 6, 50, 8, 60}));
  });
  constify([](auto& expect) {
    std::array<int, 15> data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    const std::array<int, 4> updates{50, 60, 70, 80};
    slice_scatter(tensor_view<int>{data.data(), {3, 5}}, tensor_view<const int>{updates.data(), {2, 2}},
                  {.start = {0, 1}, .stop = {3, 5}, .step = {2, 2}});
    expect(equal(data, {0, 50, 2, 60, 4, 5, 6, 7, 8, 9, 10, 70, 12, 80, 14}));
  });
}

TEST_CASE("slice_scatter: backwards, empty, and over strided operands") {
  constify([](auto& expect) {
    std::array<int, 10> data{0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const std::array<int, 3> updates{90, 60, 30};
    const tensor_view<int> out{data.data(), {10}};
    expect(
        try_slice_scatter(out, tensor_view<const int>{updates.data(), {3}}, {.start = 9, .stop = 0, .step = -3}).ok());
    expect(equal(data, {0, 1, 2, 30, 4, 5, 60, 7, 8, 90}));
    expect(try_slice_scatter(out, tensor_view<const int>{}, {.start = 3, .stop = 3, .step = 1}).ok());
    expect(equal(data, {0, 1, 2, 30, 4, 5, 60, 7, 8, 90}));
    const auto columns = transpose(reverse(tensor_view<int>{data.data(), {5, 2}}, 0));
    slice_scatter(columns, broadcast(tensor_view<const int>{updates.data(), {1}}, {2, 1}),
                  {.start = 0, .stop = std::numeric_limits<int>::max(), .step = 9, .axes = -1});
    expect(equal(data, {0, 1, 2, 30, 4, 5, 60, 7, 90, 90}));
  });
}

TEST_CASE("scatter_update: the example of its document, in place and out of place") {
  constify([](auto& expect) {
    std::array<float, 15> data{-1, 1, -1, 3, 4, -1, 6, -1, 8, 9, -1, 11, 1, 13, 14};
    const std::array<std::int64_t, 2> indices{0, 2};
    const std::array<float, 6> updates{1, 1, 1, 1, 1, 2};
    const tensor_view<float> in{data.data(), {3, 5}};
    const tensor_view<const std::int64_t> at{indices.data(), {2}};
    const tensor_view<const float> from{updates.data(), {3, 2}};
    std::array<float, 15> output{};
    scatter_update(in, at, from, 1, tensor_view<float>{output.data(), {3, 5}});
    expect(equal(output, {1, 1, 1, 3, 4, 1, 6, 1, 8, 9, 1, 11, 2, 13, 14}));
    scatter_update(in, at, from, -1);
    expect(equal(data, output));
  });
}

TEST_CASE("scatter_update: duplicates, indices of rank 0 and 2, a bad index") {
  constify([](auto& expect) {
    std::array<int, 6> data{0, 1, 2, 3, 4, 5};
    const std::array<unsigned char, 4> indices{2, 0, 2, 7};
    const std::array<int, 8> updates{10, 11, 12, 13, 14, 15, 16, 17};
    const tensor_view<int> out{data.data(), {3, 2}};
    const tensor_view<const unsigned char> first{indices.data(), {}};
    scatter_update(out, tensor_view<const unsigned char>{indices.data(), {3}},
                   tensor_view<const int>{updates.data(), {3, 2}}, 0);
    expect(equal(data, {12, 13, 2, 3, 14, 15}));
    scatter_update(out, first, tensor_view<const int>{updates.data(), {2}}, 0);
    expect(equal(data, {12, 13, 2, 3, 10, 11}));
    const status outcome = try_scatter_update(out, tensor_view<const unsigned char>{indices.data(), {2, 2}},
                                              tensor_view<const int>{updates.data(), {2, 2, 2}}, 0);
    expect(outcome.code() == errc::index_out_of_bounds);
    expect(outcome.message().view() ==
           std::string_view("scatter_update: indices[1, 1] = 7 is outside [0, 2] (axis 0 has extent 3)"));
    expect(equal(data, {12, 13, 2, 3, 10, 11}));
  });
}

TEST_CASE("scatter_elements_update: every axis, and its errors") {
  constify([](auto& expect) {
    const std::array<int, 6> data{0, 1, 2, 3, 4, 5};
    const std::array<short, 4> indices{1, 0, 1, 1};
    const std::array<int, 4> updates{10, 11, 12, 13};
    std::array<int, 6> output{};
    const tensor_view<const int> in{data.data(), {2, 3}};
    const tensor_view<const short> at{indices.data(), {2, 2}};
    const tensor_view<const int> from{updates.data(), {2, 2}};
    const tensor_view<int> out{output.data(), {2, 3}};
    scatter_elements_update(in, at, from, 0, out);
    expect(equal(output, {0, 11, 2, 12, 13, 5}));
    scatter_elements_update(in, at, from, 1, out);
    expect(equal(output, {11, 10, 2, 3, 13, 5}));
    expect(try_scatter_elements_update(in, at, from, 2, out).code() == errc::axis_out_of_range);
    expect(try_scatter_elements_update(in, from, from, 0, out).code() == errc::index_out_of_bounds);
    expect(equal(output, {11, 10, 2, 3, 13, 5}));
  });
}

TEST_CASE("onnx::scatter: the examples of its document and negative indices") {
  constify([](auto& expect) {
    std::array<double, 9> data{};
    const std::array<int, 6> indices{1, 0, 2, 0, 2, 1};
    const std::array<double, 6> updates{1.0, 1.1, 1.2, 2.0, 2.1, 2.2};
    onnx::scatter(tensor_view<double>{data.data(), {3, 3}}, tensor_view<const int>{indices.data(), {2, 3}},
                  tensor_view<const double>{updates.data(), {2, 3}});
    expect(equal(data, {2.0, 1.1, 0, 1.0, 0, 2.2, 0, 2.1, 1.2}));
  });
  constify([](auto& expect) {
    std::array<int, 5> data{1, 2, 3, 4, 5};
    const std::array<std::int64_t, 3> indices{-4, 3, -2};
    const std::array<int, 3> updates{10, 20, 30};
    const tensor_view<int> out{data.data(), {1, 5}};
    const tensor_view<const int> from{updates.data(), {1, 3}};
    onnx::scatter(out, tensor_view<const std::int64_t>{indices.data(), {1, 3}}, from, 1);
    expect(equal(data, {1, 10, 3, 30, 5}));
    const std::array<std::int64_t, 3> bad{4, std::numeric_limits<std::int64_t>::min(), 5};
    const status outcome = onnx::try_scatter(out, tensor_view<const std::int64_t>{bad.data(), {1, 3}}, from, 1, out);
    expect(outcome.code() == errc::index_out_of_bounds);
    expect(outcome.coordinate() == index_list{0, 1});
    expect(equal(data, {1, 10, 3, 30, 5}));
  });
}

TEST_CASE("outputs that overlap an input or themselves are refused in constant evaluation too") {
  constify([](auto& expect) {
    std::array<int, 8> memory{0, 1, 2, 3, 4, 5, 6, 7};
    const tensor_view<int> in{memory.data(), {2, 2}};
    const tensor_view<int> shifted{memory.data() + 1, {2, 2}};
    const tensor_view<int> apart{memory.data() + 4, {2, 2}};
    const tensor_view<int> folded{memory.data(), {2, 2}, {1, 1}};
    expect(try_slice_scatter(in, apart, {}, shifted).code() == errc::overlap);
    expect(try_slice_scatter(in, shifted, {}, in).code() == errc::overlap);
    expect(try_slice_scatter(in, apart, {}, folded).code() == errc::repeated_element);
    expect(try_slice_scatter(in, apart, {}, in).ok());
    expect(equal(memory, {4, 5, 6, 7, 4, 5, 6, 7}));
  });
}

TEST_CASE("two columns of one matrix are output and updates in constant evaluation") {
  constify([](auto& expect) {
    std::array<int, 6> matrix{0, 10, 1, 11, 2, 12};
    const std::array<int, 3> indices{2, 1, 0};
    const tensor_view<int> left{matrix.data(), {3}, {2}};
    const tensor_view<int> right{matrix.data() + 1, {3}, {2}};
    scatter_update(left, tensor_view<const int>{indices.data(), {3}}, right, 0);
    expect(equal(matrix, {12, 10, 11, 11, 10, 12}));
  });
}

struct fraction {
  int numerator = 0;
  int denominator = 1;
  friend constexpr bool operator==(const fraction&, const fraction&) = default;
};

TEST_CASE("a user's own element type works in constant evaluation") {
  constify([](auto& expect) {
    std::array<fraction, 3> data{};
    const std::array<fraction, 2> updates{fraction{1, 2}, fraction{3, 4}};
    const std::array<unsigned long long, 2> indices{2, 0};
    scatter_elements_update(tensor_view<fraction>{data.data(), {3}},
                            tensor_view<const unsigned long long>{indices.data(), {2}},
                            tensor_view<const fraction>{updates.data(), {2}}, 0);
    expect(equal(data, {fraction{3, 4}, fraction{}, fraction{1, 2}}));
  });
}

static_assert(updates_extents(slice_scatter, {2, 5}, {.start = 0, .stop = 1, .step = 1, .axes = 0}) ==
              index_list{1, 5});
static_assert(updates_extents(scatter_update, {3, 5}, {2}, 1) == index_list{3, 2});

}  // namespace
}  // namespace strew::test
