// SPDX-License-Identifier: Apache-2.0
// as_view on what the standard library has, or will have, and on types of one's own.
#include "support/catch.hpp"

#include <strew/strew.hpp>
#include <strew/view/as_view.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

struct callable {
  float memory[3] = {};
  template <class... Arguments>
  float operator()(const Arguments&...) const {
    return 0;
  }
};

}  // namespace

template <>
struct strew::tensor_access<callable> {
  static float* data(callable& of) { return of.memory; }
  static index_list extents(const callable&) { return 3; }
};

namespace {

using strew::as_view;
using strew::index_list;
using strew::tensor_view;

template <class Expected, class View>
constexpr bool is(const View&) {
  return std::is_same_v<View, tensor_view<Expected>>;
}

TEST_CASE("containers, spans and arrays are views of rank 1") {
  std::vector<float> vector{1, 2, 3};
  const std::vector<float>& read_only = vector;
  std::array<std::int16_t, 2> array{4, 5};
  int plain[] = {6, 7, 8, 9};
  const int constant[] = {1};
  std::string text = "ab";
  const std::vector<double> none;
  CHECK(is<float>(as_view(vector)));
  CHECK(as_view(vector).data() == vector.data());
  CHECK(as_view(vector).extents() == index_list{3});
  CHECK(as_view(vector).strides() == index_list{1});
  CHECK(is<const float>(as_view(read_only)));
  CHECK(is<std::int16_t>(as_view(array)));
  CHECK(as_view(array).size() == 2);
  CHECK(is<int>(as_view(plain)));
  CHECK(as_view(plain).extents() == index_list{4});
  CHECK(is<const int>(as_view(constant)));
  CHECK(is<char>(as_view(text)));
  CHECK(as_view(none).empty());
  // The elements of a span are not its own: neither its constness nor its end concerns them.
  const std::span<float> span(vector);
  CHECK(is<float>(as_view(span)));
  CHECK(is<const float>(as_view(std::span<const float>(vector).subspan(1))));
  CHECK(as_view(std::span(vector).subspan(1)).data() == vector.data() + 1);
  const tensor_view<float> view(vector.data(), {3});
  CHECK(is<float>(as_view(view)));
}

TEST_CASE("operators take them") {
  std::vector<float> data{0, 0, 0, 0};
  const std::array<std::int16_t, 2> indices{3, 1};
  const float updates[] = {5, 6};
  strew::scatter_update(as_view(data), as_view(indices), as_view(updates), 0);
  CHECK(data == std::vector<float>{0, 6, 0, 5});
}

constexpr int constant_sum() {
  int data[] = {1, 2, 3};
  const int updates[] = {10, 20};
  const std::array<std::int64_t, 2> at{2, 2};
  strew::index_add(as_view(data), 0, as_view(at), as_view(updates));
  return data[0] + data[1] + data[2];
}
static_assert(constant_sum() == 36);

// What std::mdspan<T, std::dextents<int, 2>, std::layout_stride> looks like.
template <class T>
struct mdspan {
  using element_type = T;
  using reference = T&;
  using data_handle_type = T*;
  T* handle;
  std::array<int, 2> sizes;
  std::array<int, 2> steps;

  static constexpr std::size_t rank() { return 2; }
  T* data_handle() const { return handle; }
  const std::array<int, 2>& extents() const { return sizes; }
  int extent(std::size_t k) const { return sizes[k]; }
  int stride(std::size_t k) const { return steps[k]; }
};

TEST_CASE("mdspans, temporary ones too") {
  double memory[6] = {};
  const auto view = as_view(mdspan<double>{memory, {3, 2}, {1, 3}});
  CHECK(is<double>(view));
  CHECK(view.extents() == index_list{3, 2});
  CHECK(view.strides() == index_list{1, 3});
  const mdspan<const double> constant{memory, {3, 2}, {2, 1}};
  CHECK(is<const double>(as_view(constant)));
}

struct matrix {
  std::vector<float> elements;
  int rows;
  int pitch;
};
struct picture {
  unsigned char* pixels;
};

}  // namespace

template <>
struct strew::tensor_access<matrix> {
  static float* data(matrix& m) { return m.elements.data(); }
  static const float* data(const matrix& m) { return m.elements.data(); }
  static index_list extents(const matrix& m) { return {m.rows, 2}; }
  static index_list strides(const matrix& m) { return {m.pitch, 1}; }
};
template <>
struct strew::tensor_access<picture> {
  static unsigned char* data(const picture& p) { return p.pixels; }
  static index_list extents(const picture&) { return {2, 3}; }
  static constexpr bool is_borrowed = true;
};

namespace {

TEST_CASE("types of one's own") {
  matrix m{{1, 2, 0, 3, 4, 0}, 2, 3};
  const matrix& read_only = m;
  CHECK(is<float>(as_view(m)));
  CHECK(is<const float>(as_view(read_only)));
  CHECK(as_view(m)(1, 0) == 3);
  unsigned char pixels[6] = {0, 1, 2, 3, 4, 5};
  CHECK(as_view(picture{pixels})(1, 2) == 5);
  strew::tensor_view<float> view;
  CHECK(strew::try_as_view(m, view).ok());
  CHECK(view(1, 0) == 3);
  m.rows = -1;
  CHECK_THROWS_AS(as_view(m), strew::scatter_error);
  CHECK(strew::try_as_view(m, view).code() == strew::errc::negative_extent);
  CHECK(view.extents() == index_list{2, 2});
}

TEST_CASE("views of const elements, with the element type said, and of a string_view") {
  std::vector<float> vector{1, 2, 3};
  tensor_view<const float> read_only;
  CHECK(strew::try_as_view(vector, read_only).ok());
  CHECK(read_only.data() == vector.data());
  CHECK(is<const float>(as_view<const float>(vector)));
  CHECK(is<float>(as_view<float>(as_view(vector))));
  using namespace std::string_view_literals;
  CHECK(is<const char>(as_view("ab"sv)));
  CHECK(as_view("ab"sv).size() == 2);
  CHECK_FALSE(strew::detail::typed_tensor<const std::vector<bool>>);
  struct blob {
    void* data() const;
    std::size_t size() const;
  };
  CHECK_FALSE(strew::detail::typed_tensor<blob>);
}

TEST_CASE("a matrix that can be called with anything is no executor where it says how it is read") {
  callable matrix;
  const std::array<int, 1> at{1};
  const std::array<float, 1> update{7};
  strew::scatter_update(matrix, at, update, 0);
  strew::index_add(matrix, 0, at, update);
  CHECK(matrix.memory[1] == 14);
}

TEST_CASE("policies on tuples of containers throw what copying throws") {
  const std::tuple<std::vector<int>> tuple;
  CHECK_FALSE(noexcept(strew::drop(tuple)));
  CHECK(noexcept(strew::drop(tensor_view<const int>())));
}

}  // namespace
