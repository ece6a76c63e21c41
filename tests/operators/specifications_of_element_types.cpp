// SPDX-License-Identifier: Apache-2.0
// The element types that ONNX lists for its operators, one by one: their elements are moved bit for bit.
#include "support/catch.hpp"
#include "support/element_values.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

namespace strew::test {
namespace {

// The 8-bit floats of ONNX, each a type of one byte to a library that moves them.
template <int>
struct float8 {
  std::uint8_t bits = 0;
};
using float8e4m3fn = float8<0>;
using float8e4m3fnuz = float8<1>;
using float8e5m2 = float8<2>;
using float8e5m2fnuz = float8<3>;
using float8e8m0 = float8<4>;

using types_of_scatter = std::tuple<bool, std::complex<double>, std::complex<float>, double, float, dynamic::float16,
                                    std::int16_t, std::int32_t, std::int64_t, std::int8_t, std::string, std::uint16_t,
                                    std::uint32_t, std::uint64_t, std::uint8_t>;
using types_since_13 = decltype(std::tuple_cat(types_of_scatter{}, std::tuple<dynamic::bfloat16>{}));
using types_of_tensor_scatter = decltype(std::tuple_cat(
    types_since_13{}, std::tuple<float8e4m3fn, float8e4m3fnuz, float8e5m2, float8e5m2fnuz, float8e8m0>{}));

// Of a type with two values data has one and updates the other.
template <class T>
T value_of(std::uint64_t n) {
  if constexpr (std::is_same_v<T, bool>) {
    return n >= 100;
  } else if constexpr (sizeof(T) == 1 && !std::is_integral_v<T>) {
    return T{static_cast<std::uint8_t>(n)};
  } else {
    return nth_value<T>(n);
  }
}

// data 2x3 counting from 0, updates from 100, and an output.
template <class T>
struct small_operands {
  T data[6];
  T updates[6];
  T output[6];

  small_operands() {
    for (std::size_t i = 0; i < 6; ++i) {
      data[i] = value_of<T>(i);
      updates[i] = value_of<T>(100 + i);
      output[i] = value_of<T>(50);
    }
  }
  tensor_view<const T> from() const { return {data, {2, 3}}; }
  tensor_view<T> to() { return {output, {2, 3}}; }
  // Whether the output has these elements: numbers of data, or of updates from 100 on.
  bool holds(const std::uint64_t (&expected)[6]) const {
    for (std::size_t i = 0; i < 6; ++i) {
      if (!same(output[i], value_of<T>(expected[i]))) return false;
    }
    return true;
  }
};

TEMPLATE_LIST_TEST_CASE("ONNX Scatter-9 and -11 take this element type", "", types_of_scatter) {
  small_operands<TestType> on;
  const std::int64_t indices[] = {1, 0};
  onnx::scatter(on.from(), tensor_view<const std::int64_t>(indices, {1, 2}), tensor_view(on.updates, {1, 2}), 0,
                on.to());
  CHECK(on.holds({0, 101, 2, 100, 4, 5}));
}

TEMPLATE_LIST_TEST_CASE("ScatterElements and ScatterND take this element type", "", types_since_13) {
  small_operands<TestType> on;
  const std::int64_t indices[] = {1, -2};
  const tensor_view updates(on.updates, {1, 2});
  onnx::scatter_elements(on.from(), tensor_view<const std::int64_t>(indices, {1, 2}), updates, 0, on.to());
  CHECK(on.holds({0, 101, 2, 100, 4, 5}));
  const std::int32_t narrow[] = {1, -2};
  onnx::scatter_elements(on.from(), tensor_view<const std::int32_t>(narrow, {1, 2}), updates, 0, on.to());
  CHECK(on.holds({0, 101, 2, 100, 4, 5}));
  onnx::scatter_nd(on.from(), tensor_view<const std::int64_t>(indices, {1, 2}), tensor_view(on.updates, {1}), on.to());
  CHECK(on.holds({0, 1, 2, 3, 100, 5}));
}

TEMPLATE_LIST_TEST_CASE("TensorScatter-24 takes this element type", "", types_of_tensor_scatter) {
  small_operands<TestType> on;
  const std::int64_t write_indices[] = {1, 2};
  onnx::tensor_scatter(on.from(), tensor_view<const TestType>(on.updates, {2, 1}),
                       tensor_view<const std::int64_t>(write_indices, {2}), {.axis = 1}, on.to());
  CHECK(on.holds({0, 100, 2, 3, 4, 101}));
}

// Where types are known at run time only; typed calls do not compile, see compile/reject.
TEST_CASE("updates and outputs of another element type than data are refused") {
  using enum dynamic::element_kind;
  std::byte memory[4 * 64] = {};
  const std::int64_t numbers[] = {0, 0};
  const dynamic::index_tensor pairs(numbers, index_type::int64, {1, 2});
  const dynamic::index_tensor flat(numbers, index_type::int64, {2});
  const auto at = [&](int place, dynamic::element_type type, const index_list& extents) {
    return dynamic::tensor(memory + 64 * place, type, extents);
  };
  const dynamic::element_type real{floating_point, 4};
  const dynamic::element_type others[] = {{floating_point, 8}, {signed_integer, 4}, {brain_float, 2}, {boolean, 1}};
  const auto check = [&](const index_list& of_updates, const auto& call) {
    const auto data = at(0, real, {2, 2});
    CHECK(call(data, at(1, real, of_updates), at(2, real, {2, 2})).code() == errc::ok);
    for (const dynamic::element_type& other : others) {
      CHECK(call(data, at(1, other, of_updates), at(2, real, {2, 2})).code() == errc::type_mismatch);
      CHECK(call(data, at(1, real, of_updates), at(2, other, {2, 2})).code() == errc::type_mismatch);
    }
  };
  check({1, 2}, [&](const auto& data, const auto& updates, const auto& output) {
    return v12::try_scatter_elements_update(data, pairs, updates, 0, output);
  });
  check({1, 2}, [&](const auto& data, const auto& updates, const auto& output) {
    return onnx::try_scatter(data, pairs, updates, 0, output);
  });
  check({1, 2}, [&](const auto& data, const auto& updates, const auto& output) {
    return onnx::try_scatter_elements(data, pairs, updates, 0, output);
  });
  check({1}, [&](const auto& data, const auto& updates, const auto& output) {
    return v3::try_scatter_nd_update(data, pairs, updates, output);
  });
  check({1}, [&](const auto& data, const auto& updates, const auto& output) {
    return v15::try_scatter_nd_update(data, pairs, updates, output);
  });
  check({1}, [&](const auto& data, const auto& updates, const auto& output) {
    return onnx::try_scatter_nd(data, pairs, updates, output);
  });
  check({2, 1}, [&](const auto& data, const auto& updates, const auto& output) {
    return onnx::try_tensor_scatter(data, updates, flat, {.axis = 1}, output);
  });
  const dynamic::index_tensor two[] = {flat, flat};
  check({2}, [&](const auto& data, const auto& updates, const auto& output) {
    return try_index_put(data, std::span(two), updates, dynamic::reduction{}, output);
  });
}

}  // namespace
}  // namespace strew::test
