// SPDX-License-Identifier: Apache-2.0
// Every example of the documents of ScatterElementsUpdate-12, ScatterND, ScatterElements and TensorScatter, those of
// PyTorch's and NumPy's operators, and every corner on which runtimes were seen to differ.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/random_source.hpp"
#include "support/reduction_oracle.hpp"

#include <strew/strew.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

// A dense tensor with elements of its own.
template <class T>
struct tensor {
  index_list extents;
  std::vector<T> values;

  tensor(const index_list& shape, std::vector<T> elements) : extents(shape), values(std::move(elements)) {}
  tensor_view<T> view() { return {values.data(), extents}; }
  tensor_view<const T> view() const { return {values.data(), extents}; }
};
template <class T>
tensor<T> zeros(const index_list& extents) {
  std::int64_t count = 1;
  for (int k = 0; k < extents.size(); ++k) count *= extents[k];
  return {extents, std::vector<T>(static_cast<std::size_t>(count))};
}
using indices = tensor<std::int64_t>;

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0) return false;
  }
  return true;
}

// Whether two results of a reduction are the same, but for the signs and payloads of NaNs that arithmetic makes.
template <class R, class T>
bool agree(const R&, const std::vector<T>& a, const std::vector<T>& b) {
  auto how = oracle::kind::sum;  // of callables
  if constexpr (requires { R::kind; }) how = static_cast<oracle::kind>(R::kind);
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!oracle::agrees<T>(how, a[i], b[i])) return false;
  }
  return true;
}

// ScatterElementsUpdate-12 along the only axis.
template <class T, class R>
std::vector<T> elements(std::vector<T> data, std::vector<std::int64_t> at, std::vector<T> updates, R reduction) {
  const auto n = static_cast<std::int64_t>(data.size());
  const auto m = static_cast<std::int64_t>(at.size());
  tensor<T> in({n}, std::move(data));
  const indices index({m}, std::move(at));
  const tensor<T> update({m}, std::move(updates));
  tensor<T> out = in;
  v12::scatter_elements_update(in.view(), index.view(), update.view(), 0, reduction, out.view());
  v12::scatter_elements_update(in.view(), index.view(), update.view(), 0, reduction);
  CHECK(agree(reduction, in.values, out.values));
  return out.values;
}
// ScatterND along the only axis.
template <class T, class R>
std::vector<T> tuples(std::vector<T> data, std::vector<std::int64_t> at, std::vector<T> updates, R reduction) {
  const auto n = static_cast<std::int64_t>(data.size());
  const auto m = static_cast<std::int64_t>(at.size());
  tensor<T> in({n}, std::move(data));
  const indices index({m, 1}, std::move(at));
  const tensor<T> update({m}, std::move(updates));
  v15::scatter_nd_update(in.view(), index.view(), update.view(), reduction);
  return in.values;
}

TEST_CASE("ScatterElementsUpdate-12: the examples") {
  const std::vector<float> data{2, 3, 4, 6};
  const std::vector<float> updates{10, 20, 30, 40, 70, 60};
  CHECK(elements<float>(data, {1, 0, 0, -2, -1, 2}, updates, red::sum) == std::vector<float>{52, 13, 104, 76});
  CHECK(elements<float>(data, {1, 0, 0, 2, 3, 2}, updates, red::without_init(red::sum)) ==
        std::vector<float>{50, 10, 100, 70});

  const indices at({2, 2}, {1, 2, 0, 3});
  const tensor<float> two_by_two({2, 2}, {11, 12, 13, 14});
  tensor<float> out = zeros<float>({3, 4});
  v12::scatter_elements_update(out.view(), at.view(), two_by_two.view(), 1);
  CHECK(out.values == std::vector<float>{0, 11, 12, 0, 13, 0, 0, 14, 0, 0, 0, 0});
  const indices ones_at({2, 2}, {1, 1, 0, 3});
  tensor<float> ones({3, 4}, std::vector<float>(12, 1));
  v12::scatter_elements_update(ones.view(), ones_at.view(), two_by_two.view(), 1, red::sum);
  CHECK(ones.values == std::vector<float>{1, 24, 1, 1, 14, 1, 1, 15, 1, 1, 1, 1});
  tensor<float> twos({3, 4}, std::vector<float>(12, 2));
  v12::scatter_elements_update(twos.view(), ones_at.view(), two_by_two.view(), 1, red::prod);
  CHECK(twos.values == std::vector<float>{2, 264, 2, 2, 26, 2, 2, 28, 2, 2, 2, 2});

  const std::vector<float> few{1, 2, 3, 4};
  const std::vector<float> six{1, 2, 3, 4, 5, 6};
  CHECK(elements<float>(few, {0, 1, 0, 1, 2, 1}, six, red::mean) == std::vector<float>{5.0F / 3, 3.5F, 4, 4});
  CHECK(elements<float>(few, {0, 1, 0, 1, 2, 1}, six, red::without_init(red::mean)) == std::vector<float>{2, 4, 5, 4});
}

TEST_CASE("ScatterND: the examples of OpenVINO and ONNX") {
  const std::vector<float> eight{1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(tuples<float>(eight, {4, 3, 1, 7}, {9, 10, 11, 12}, red::none) ==
        std::vector<float>{1, 11, 3, 10, 9, 6, 7, 12});
  CHECK(tuples<float>(eight, {4, 3, 1, 7, -2, -4}, {9, 10, 11, 12, 13, 14}, red::none) ==
        std::vector<float>{1, 11, 3, 10, 14, 6, 13, 12});
  const std::vector<float> four{1, 2, 3, 4};
  const std::vector<std::int64_t> at{0, 2, -3, -3, 0};
  const std::vector<float> five{10, 20, 30, 40, 50};
  CHECK(tuples<float>(four, at, five, red::none) == std::vector<float>{50, 40, 20, 4});
  CHECK(tuples<float>(four, at, five, red::sum) == std::vector<float>{61, 72, 23, 4});
  CHECK(tuples<float>(four, at, five, red::sub) == std::vector<float>{-59, -68, -17, 4});
  CHECK(tuples<float>(four, at, five, red::prod) == std::vector<float>{500, 2400, 60, 4});
  CHECK(tuples<float>(four, at, five, red::min) == std::vector<float>{1, 2, 3, 4});
  CHECK(tuples<float>(four, at, five, red::max) == std::vector<float>{50, 40, 20, 4});

  // 4x4x4 (X, X, Y, Y), [[0], [2]] <- two slices.
  tensor<float> cube = zeros<float>({4, 4, 4});
  for (std::size_t i = 0; i < 64; ++i) cube.values[i] = static_cast<float>(i % 16 + (i < 32 ? 0 : 100));
  const tensor<float> before = cube;
  tensor<float> slices({2, 4, 4}, std::vector<float>(32));
  for (std::size_t i = 0; i < 32; ++i) slices.values[i] = static_cast<float>(1000 + i);
  const indices rows({2, 1}, {0, 2});
  v3::scatter_nd_update(cube.view(), rows.view(), slices.view());
  for (std::size_t i = 0; i < 64; ++i) {
    const std::size_t slice = i / 16;
    const float expected = slice == 0 ? slices.values[i] : slice == 2 ? slices.values[i - 16] : before.values[i];
    CHECK(cube.values[i] == expected);
  }
  CHECK(updates_extents(v15::scatter_nd_update, {1000, 256, 10, 15}, {25, 125, 3}) == index_list{25, 125, 15});
}

TEST_CASE("ScatterND: k = 0 names all of data, for each of the tuples") {
  tensor<float> data({2, 2}, {1, 2, 3, 4});
  const indices none({2, 0}, {});
  const tensor<float> updates({2, 2, 2}, {10, 20, 30, 40, 100, 200, 300, 400});
  tensor<float> out = data;
  onnx::scatter_nd(data.view(), none.view(), updates.view(), red::sum, out.view());
  CHECK(out.values == std::vector<float>{111, 222, 333, 444});
  onnx::scatter_nd(data.view(), none.view(), updates.view(), out.view());
  CHECK(out.values == std::vector<float>{100, 200, 300, 400});
  const indices no_tuples({0, 0}, {});
  onnx::scatter_nd(data.view(), no_tuples.view(), tensor_view<const float>{nullptr, {0, 2, 2}}, red::sum, out.view());
  CHECK(out.values == data.values);
  const indices one_tuple({0}, {});
  onnx::scatter_nd(out.view(), one_tuple.view(), data.view(), red::sum);
  CHECK(out.values == std::vector<float>{2, 4, 6, 8});
}

TEST_CASE("ScatterND: one element may be given as any view in OpenVINO's, as a scalar in ONNX's") {
  tensor<float> data({2, 2}, {1, 2, 3, 4});
  const indices at({2}, {1, 0});
  const tensor<float> scalar({}, {9});
  const tensor<float> vector({1}, {8});
  v15::scatter_nd_update(data.view(), at.view(), scalar.view());
  CHECK(data.values == std::vector<float>{1, 2, 9, 4});
  v3::scatter_nd_update(data.view(), at.view(), vector.view());
  CHECK(data.values == std::vector<float>{1, 2, 8, 4});
  onnx::scatter_nd(data.view(), at.view(), scalar.view());
  CHECK(data.values == std::vector<float>{1, 2, 9, 4});
  CHECK(onnx::try_scatter_nd(data.view(), at.view(), vector.view()).code() == errc::rank_mismatch);
}

TEST_CASE("ScatterElements: the examples of ONNX") {
  tensor<float> grid = zeros<float>({3, 3});
  const indices at({2, 3}, {1, 0, 2, 0, 2, 1});
  const tensor<float> updates({2, 3}, {1.0F, 1.1F, 1.2F, 2.0F, 2.1F, 2.2F});
  onnx::scatter_elements(grid.view(), at.view(), updates.view());
  CHECK(grid.values == std::vector<float>{2.0F, 1.1F, 0, 1, 0, 2.2F, 0, 2.1F, 1.2F});
  tensor<float> line({1, 5}, {1, 2, 3, 4, 5});
  const indices two({1, 2}, {1, 3});
  const tensor<float> values({1, 2}, {1.1F, 2.1F});
  tensor<float> out = zeros<float>({1, 5});
  onnx::scatter_elements(line.view(), two.view(), values.view(), 1, out.view());
  CHECK(out.values == std::vector<float>{1, 1.1F, 3, 2.1F, 5});
  const indices equal({1, 2}, {1, 1});
  onnx::scatter_elements(line.view(), equal.view(), values.view(), 1, red::sum, out.view());
  CHECK(out.values == std::vector<float>{1, 2.0F + 1.1F + 2.1F, 3, 4, 5});
}

TEST_CASE("TensorScatter: linear, circular, without indices, in place") {
  const tensor<float> cache({2, 4, 1}, std::vector<float>(8));
  const tensor<float> update({2, 2, 1}, {1, 2, 3, 4});
  tensor<float> out = cache;
  const auto run = [&](std::vector<std::int64_t> w, onnx::cache_mode mode) {
    const indices at({2}, std::move(w));
    onnx::tensor_scatter(cache.view(), update.view(), at.view(), {.mode = mode, .axis = 1}, out.view());
    return out.values;
  };
  using mode = onnx::cache_mode;
  CHECK(run({1, 2}, mode::linear) == std::vector<float>{0, 1, 2, 0, 0, 0, 3, 4});
  CHECK(run({3, 2}, mode::circular) == std::vector<float>{2, 0, 0, 1, 0, 0, 3, 4});
  CHECK(run({7, 4}, mode::circular) == std::vector<float>{2, 0, 0, 1, 3, 4, 0, 0});
  onnx::tensor_scatter(cache.view(), update.view(), {}, out.view());
  CHECK(out.values == std::vector<float>{1, 2, 0, 0, 3, 4, 0, 0});
  const indices bad({2}, {3, 0});
  const status outcome = onnx::try_tensor_scatter(out.view(), update.view(), bad.view(), {});
  CHECK(std::string(outcome.message().view()) ==
        "onnx::tensor_scatter: write_indices[0] = 3 is outside [0, 2] (max_sequence_length 4, sequence_length 2)");
  const indices negative({2}, {0, -1});
  for (const mode how : {mode::linear, mode::circular}) {
    CHECK(onnx::try_tensor_scatter(out.view(), update.view(), negative.view(), {.mode = how}).code() ==
          errc::index_out_of_bounds);
  }
  CHECK(out.values == std::vector<float>{1, 2, 0, 0, 3, 4, 0, 0});
  // S = 3 of M = 3, from the largest index that there is: 2^63 - 1 = 1 mod 3.
  tensor<float> three = zeros<float>({1, 3, 1});
  const tensor<float> all({1, 3, 1}, {1, 2, 3});
  const indices last({1}, {std::numeric_limits<std::int64_t>::max()});
  onnx::tensor_scatter(three.view(), all.view(), last.view(), {.mode = mode::circular});
  CHECK(three.values == std::vector<float>{3, 1, 2});
  const tensor<std::uint64_t> huge({1}, {std::numeric_limits<std::uint64_t>::max()});  // 0 mod 3
  onnx::tensor_scatter(three.view(), all.view(), huge.view(), {.mode = mode::circular});
  CHECK(three.values == std::vector<float>{1, 2, 3});
  // No position: w may be M in linear mode, and no more.
  const tensor_view<const float> nothing(nullptr, {1, 0, 1});
  const indices at_end({1}, {3});
  const indices beyond({1}, {4});
  CHECK(onnx::try_tensor_scatter(three.view(), nothing, at_end.view(), {}).ok());
  CHECK(onnx::try_tensor_scatter(three.view(), nothing, beyond.view(), {}).code() == errc::index_out_of_bounds);
  // Shapes.
  const tensor<float> longer({1, 4, 1}, {1, 2, 3, 4});
  CHECK(onnx::try_tensor_scatter(three.view(), longer.view(), {.mode = mode::circular}).code() ==
        errc::extent_mismatch);
  CHECK(onnx::try_tensor_scatter(three.view(), all.view(), {.axis = 0}).code() == errc::axis_out_of_range);
  tensor<float> flat({1, 3}, {1, 2, 3});
  CHECK(onnx::try_tensor_scatter(flat.view(), flat.view(), {}).code() == errc::axis_out_of_range);
}

TEST_CASE("max and min: NaNs, zeros of both signs, and what is there") {
  const auto check = [](auto scatter) {
    const auto one = [&](float data, std::vector<float> updates, auto reduction) {
      std::vector<std::int64_t> at(updates.size(), 0);
      return scatter(std::vector<float>{data}, at, updates, reduction)[0];
    };
    CHECK(std::isnan(one(1, {nan}, red::max)));
    CHECK(std::isnan(one(nan, {1}, red::max)));
    CHECK(std::isnan(one(1, {nan, 2}, red::max)));
    CHECK(std::isnan(one(1, {nan, 2}, red::min)));
    CHECK(std::signbit(one(-0.0F, {0.0F}, red::max)));
    CHECK_FALSE(std::signbit(one(0.0F, {-0.0F}, red::max)));
    CHECK(std::signbit(one(-0.0F, {0.0F}, red::min)));
    CHECK_FALSE(std::signbit(one(0.0F, {-0.0F}, red::min)));
    // The first NaN keeps its bits.
    const auto first = std::bit_cast<float>(0x7fc00abcU);
    const auto second = std::bit_cast<float>(0xffc00defU);
    CHECK(std::bit_cast<std::uint32_t>(one(1, {first, second}, red::max)) == 0x7fc00abcU);
    CHECK(std::bit_cast<std::uint32_t>(one(second, {first}, red::min)) == 0xffc00defU);
  };
  check([](const auto& d, const auto& i, const auto& u, auto r) { return elements<float>(d, i, u, r); });
  check([](const auto& d, const auto& i, const auto& u, auto r) { return tuples<float>(d, i, u, r); });
}

// The rule of min and max on the bits of floating-point numbers: no instruction compares or moves any of them as such.
template <class Bits>
Bits lesser_or_greater(bool is_max, Bits current, Bits update) {
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  constexpr int mantissa = sizeof(Bits) == 8 ? 52 : 23;
  constexpr Bits infinity = static_cast<Bits>((sign - 1) >> mantissa << mantissa);
  const auto is_nan = [](Bits bits) { return (bits & ~sign) > infinity; };
  // Ascending with the number; both zeros are 0.
  const auto rank = [](Bits bits) {
    const auto magnitude = static_cast<std::int64_t>(bits & ~sign);
    return (bits & sign) != 0 ? -magnitude : magnitude;
  };
  if (is_nan(current)) return current;
  if (is_nan(update)) return update;
  const bool replaces = is_max ? rank(update) > rank(current) : rank(update) < rank(current);
  return replaces ? update : current;
}

// Scatters of elements along each axis of a matrix, with several updates of most elements.
template <class Float, class Bits>
void require_bits_of_extrema(Bits quiet, Bits infinity) {
  constexpr std::int64_t rows = 48;
  constexpr std::int64_t columns = 512;
  constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  const Bits one = std::bit_cast<Bits>(Float{1});
  std::vector<Bits> values{0, one, std::bit_cast<Bits>(Float{2}), 1, 2, infinity, infinity - 1};
  for (const Bits payload : {Bits{0}, Bits{0xabc}, Bits{0xdef}}) values.push_back(quiet | payload);
#if defined(__x86_64__) || defined(__aarch64__)  // registers of 32-bit x86 make a signalling NaN quiet
  values.push_back(infinity | 1);
  values.push_back(infinity | 2);
#endif
  for (std::size_t i = values.size(); i-- > 0;) values.push_back(values[i] | sign);
  random_source random(31);
  const auto draw = [&] {
    // Mostly numbers, so that some elements have no NaN.
    const Bits number = static_cast<Bits>(one + (static_cast<Bits>(random.below(1 << 20)) << 3));
    return random.one_in(4) ? values[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(values.size())))]
                            : static_cast<Bits>(random.one_in(2) ? number : number | sign);
  };
  std::vector<Bits> data(rows * columns);
  std::vector<Bits> updates(rows * columns);
  for (Bits& each : data) each = draw();
  for (Bits& each : updates) each = draw();
  std::vector<Float> in(data.size());
  std::vector<Float> from(2 * data.size());  // updates may be two elements apart
  std::vector<Float> out(data.size());
  std::memcpy(in.data(), data.data(), data.size() * sizeof(Float));
  for (const int axis : {0, 1}) {
    std::vector<std::int64_t> at(data.size());
    for (std::int64_t& index : at) index = random.below(axis == 0 ? rows : columns) * 2 / 3;
    const auto check = [&]<class R>(const R& reduction) {
      std::vector<Bits> expected = data;
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < columns; ++j) {
          const auto k = static_cast<std::size_t>(i * columns + j);
          Bits& target = expected[static_cast<std::size_t>(axis == 0 ? at[k] * columns + j : i * columns + at[k])];
          target = lesser_or_greater(R::kind == reduction_kind::max, target, updates[k]);
        }
      }
      for (const std::int64_t apart : {1, 2}) {
        INFO(red::name_of(R::kind) << " along axis " << axis << ", updates at a distance of " << apart);
        for (std::size_t k = 0; k < updates.size(); ++k) {
          std::memcpy(&from[k * static_cast<std::size_t>(apart)], &updates[k], sizeof(Float));
        }
        std::fill(out.begin(), out.end(), Float{});
        const index_list extents{rows, columns};
        v12::scatter_elements_update(tensor_view<const Float>{in.data(), extents},
                                     tensor_view<const std::int64_t>{at.data(), extents},
                                     tensor_view<const Float>{from.data(), extents, {columns * apart, apart}}, axis,
                                     reduction, tensor_view<Float>{out.data(), extents});
        CHECK(std::memcmp(out.data(), expected.data(), expected.size() * sizeof(Bits)) == 0);
      }
    };
    check(red::min);
    check(red::max);
  }
}

TEST_CASE("max and min of elements have the bits of the rule, for NaNs, zeros, infinities and subnormal numbers") {
  require_bits_of_extrema<float>(std::uint32_t{0x7fc00000}, std::uint32_t{0x7f800000});
  require_bits_of_extrema<double>(std::uint64_t{0x7ff8000000000000}, std::uint64_t{0x7ff0000000000000});
}

TEST_CASE("integers wrap, bool is a lattice, strings are concatenated in order") {
  using i8 = std::int8_t;
  using u8 = std::uint8_t;
  CHECK(elements<i8>({100}, {0}, {100}, red::sum) == std::vector<i8>{-56});
  CHECK(elements<i8>({100}, {0}, {3}, red::prod) == std::vector<i8>{44});
  CHECK(elements<i8>({-128}, {0}, {-1}, red::prod) == std::vector<i8>{-128});
  CHECK(tuples<u8>({5}, {0}, {7}, red::sub) == std::vector<u8>{254});
  CHECK(tuples<i8>({-128}, {0}, {1}, red::sub) == std::vector<i8>{127});
  CHECK(elements<std::uint16_t>({65535}, {0}, {65535}, red::prod) == std::vector<std::uint16_t>{1});
  constexpr std::int64_t two_62 = std::int64_t{1} << 62;
  CHECK(elements<std::int64_t>({two_62}, {0}, {two_62}, red::sum) == std::vector<std::int64_t>{int64_min});
  constexpr std::int64_t odd = (std::int64_t{1} << 53) + 1;
  CHECK(elements<std::int64_t>({odd}, {0}, {0}, red::sum) == std::vector<std::int64_t>{odd});

  const bool values[] = {false, true};
  const std::int64_t zero = 0;
  for (const bool a : values) {
    for (const bool b : values) {
      const auto one = [&](auto reduction) {
        bool data = a;
        v15::scatter_nd_update(tensor_view<bool>(&data, {1}), tensor_view<const std::int64_t>(&zero, {1, 1}),
                               tensor_view<const bool>(&b, {1}), reduction);
        return data;
      };
      CHECK(one(red::sum) == (a || b));
      CHECK(one(red::prod) == (a && b));
      CHECK(one(red::sub) == (a != b));
      CHECK(one(red::min) == (a && b));
      CHECK(one(red::max) == (a || b));
    }
  }
  const auto words = [&](auto reduction) {
    tensor<std::string> data({1}, {"a"});
    const indices twice({2}, {0, 0});
    const tensor<std::string> updates({2}, {"x", "y"});
    v12::scatter_elements_update(data.view(), twice.view(), updates.view(), 0, reduction);
    return data.values[0];
  };
  CHECK(words(red::sum) == "axy");
  CHECK(words(red::max) == "y");
  CHECK(words(red::without_init(red::sum)) == "xy");
}

TEST_CASE("mean: exact and rounded down for integers, one rounding for 16-bit floats") {
  const auto mean = [](auto data, auto updates) {
    using T = typename decltype(updates)::value_type;
    return elements<T>({static_cast<T>(data)}, std::vector<std::int64_t>(updates.size(), 0), updates, red::mean)[0];
  };
  using ints = std::vector<std::int32_t>;
  CHECK(mean(1, ints{-2}) == -1);
  CHECK(mean(-1, ints{-2}) == -2);
  CHECK(mean(7, ints{-1, -1, -10}) == -2);
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  CHECK(mean(most, ints{most}) == most);
  CHECK(mean(100, std::vector<std::int8_t>{100, 100}) == 100);
  CHECK(mean(200, std::vector<std::uint8_t>{200, 200}) == 200);
  CHECK(mean(int64_max, std::vector<std::int64_t>{int64_max}) == int64_max);
  CHECK(mean(int64_min, std::vector<std::int64_t>{int64_min, int64_min, int64_max}) ==
        int64_min / 2 - 1);  // (-3 * 2^63 + 2^63 - 1) / 4, rounded down
  constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
  CHECK(mean(largest, std::vector<std::uint64_t>{largest, largest}) == largest);
  constexpr std::int64_t odd = (std::int64_t{1} << 53) + 1;
  CHECK(mean(odd, std::vector<std::int64_t>{odd}) == odd);
  CHECK(std::isinf(mean(3e38F, std::vector<float>{3e38F})));
  const auto of_halves = [&](auto half, float data, std::vector<float> updates) {
    using T = decltype(half);
    tensor<T> in({1}, {static_cast<T>(data)});
    tensor<T> us({static_cast<std::int64_t>(updates.size())}, {});
    for (const float u : updates) us.values.push_back(static_cast<T>(u));
    const indices at({us.extents[0]}, std::vector<std::int64_t>(updates.size(), 0));
    v12::scatter_elements_update(in.view(), at.view(), us.view(), 0, red::mean);
    return static_cast<float>(in.values[0]);
  };
  CHECK(of_halves(bfloat16{}, 256, {1, 1, 1, 1}) == 52);
#if STREW_HAS_FLOAT16 && !defined(_GLIBCXX_DEBUG)  // whose messages take a typeid that g++ 12 does not have
  CHECK(of_halves(_Float16{}, 60000, {60000}) == 60000);
  CHECK(of_halves(_Float16{}, 2048, {1, 1, 1, 1, 1, 1, 1}) == 257);
#else
  WARN("not tested: _Float16, which this compiler does not have, or not in checked containers");
#endif
}

TEST_CASE("16-bit floats are rounded at each step") {
  const auto reduce = [](auto half, float data, std::vector<float> updates, auto reduction) {
    using T = decltype(half);
    tensor<T> in({1}, {static_cast<T>(data)});
    tensor<T> us({static_cast<std::int64_t>(updates.size())}, {});
    for (const float u : updates) us.values.push_back(static_cast<T>(u));
    const indices at({us.extents[0]}, std::vector<std::int64_t>(updates.size(), 0));
    v12::scatter_elements_update(in.view(), at.view(), us.view(), 0, reduction);
    return static_cast<float>(in.values[0]);
  };
  CHECK(reduce(bfloat16{}, 256, {1, 1, 1, 1}, red::sum) == 256);
#if STREW_HAS_FLOAT16 && !defined(_GLIBCXX_DEBUG)
  CHECK(reduce(_Float16{}, 2048, {1, 1, 1, 1}, red::sum) == 2048);
  CHECK(reduce(_Float16{}, 65504, {8, 8}, red::sum) == 65504);
  CHECK(reduce(_Float16{}, 1e-4F, {1e-4F, 1e4F}, red::prod) == 0);
#else
  WARN("not tested: _Float16, which this compiler does not have, or not in checked containers");
#endif
  CHECK(elements<float>({1e20F}, {0, 0, 0}, {1, -1e20F, 1}, red::sum) == std::vector<float>{1});
}

TEST_CASE("a NaN stays a NaN; min, max and assignment keep its sign and payload, on any threads and in any memory") {
  constexpr std::int64_t rows = 100;
  constexpr std::int64_t count = 5000;
  random_source random(12);
  const auto draw = [&random] {
    const auto payload = static_cast<std::uint32_t>(random.below(1 << 20)) + 1;
    return random.one_in(3) ? std::bit_cast<float>((random.one_in(2) ? 0x7fc00000U : 0xffc00000U) | payload)
                            : static_cast<float>(random.between(-20, 20)) / 4;
  };
  tensor<float> data = zeros<float>({rows});
  tensor<float> updates = zeros<float>({count});
  indices at = zeros<std::int64_t>({count});
  for (float& value : data.values) value = draw();
  for (float& value : updates.values) value = draw();
  for (std::int64_t& index : at.values) index = random.below(rows);
  std::vector<oracle::update_of<float>> listed;
  for (std::size_t i = 0; i < count; ++i) {
    listed.push_back({static_cast<std::size_t>(at.values[i]), updates.values[i]});
  }
  const auto check = [&]<class R>(const R& reduction) {
    const auto expected = oracle::reduce_all(data.values, listed, static_cast<oracle::kind>(R::kind), true);
    INFO(red::name_of(R::kind));
    const auto require_same = [&](const auto& ex) {
      tensor<float> out = zeros<float>({rows});
      scatter_reduce(ex, data.view(), 0, at.view(), updates.view(), reduction, out.view());
      CHECK(agree(reduction, out.values, expected));
    };
    std::vector<std::byte> memory(100000);
    require_same(serial);
    const backwards three;
    require_same(three);
    require_same(workspace{memory});
    require_same(workspace{memory, three});
  };
  check(red::sum);
  check(red::prod);
  check(red::mean);
  check(red::min);
  check(red::max);
}

TEST_CASE("without what was there: the first update is copied bit for bit") {
  CHECK(same_bits(elements<float>({7}, {0}, {-0.0F}, red::without_init(red::sum)), {-0.0F}));
  CHECK(elements<float>({7}, {0}, {inf}, red::without_init(red::min)) == std::vector<float>{inf});
  CHECK(elements<float>({7}, {0}, {-inf}, red::without_init(red::max)) == std::vector<float>{-inf});
  CHECK(std::isnan(elements<float>({7}, {0, 0}, {nan, 3}, red::without_init(red::min))[0]));
  CHECK(elements<float>({nan}, {0}, {1}, red::without_init(red::min)) == std::vector<float>{1});
  // By way of memory, as 32-bit x86 returns floats from functions in registers that make a signalling NaN quiet.
  const std::uint32_t signalling = 0x7f800001U;
  std::vector<float> update(1);
  std::memcpy(update.data(), &signalling, sizeof signalling);
  for (const auto& values : {elements<float>({7}, {0}, update, red::without_init(red::sum)),
                             elements<float>({7}, {0}, update, red::without_init(red::prod)),
                             elements<float>({7}, {0}, update, red::without_init(red::mean))}) {
    CHECK(std::memcmp(values.data(), &signalling, sizeof signalling) == 0);
  }
  bool data[] = {true, true};
  const bool updates[] = {false, true};
  const std::int64_t at[] = {0, 0};
  scatter_reduce(tensor_view<bool>(data, {2}), 0, tensor_view<const std::int64_t>(at, {2}),
                 tensor_view<const bool>(updates, {2}), red::without_init(red::sum));
  CHECK(data[0]);
  scatter_reduce(tensor_view<bool>(data, {2}), 0, tensor_view<const std::int64_t>(at, {2}),
                 tensor_view<const bool>(updates, {2}), red::without_init(red::prod));
  CHECK_FALSE(data[0]);
}

TEST_CASE("bad indices are named, the rules of versions differ") {
  tensor<float> four({4}, {1, 2, 3, 4});
  const tensor<float> one({1}, {9});
  const auto message = [&](const status& outcome) { return std::string(outcome.message().view()); };
  const auto at = [](std::int64_t value) { return indices({1}, {value}); };
  const auto tuple = [](std::int64_t value) { return indices({1, 1}, {value}); };
  CHECK(message(v12::try_scatter_elements_update(four.view(), at(4).view(), one.view(), 0)) ==
        "scatter_elements_update: indices[0] = 4 is outside [-4, 3] (axis 0 has extent 4)");
  CHECK(message(v12::try_scatter_elements_update(four.view(), at(-5).view(), one.view(), 0, red::sum)) ==
        "scatter_elements_update: indices[0] = -5 is outside [-4, 3] (axis 0 has extent 4)");
  CHECK(message(v15::try_scatter_nd_update(four.view(), tuple(std::int64_t{1} << 32).view(), one.view())) ==
        "scatter_nd_update: indices[0, 0] = 4294967296 is outside [-4, 3] (axis 0 of data has extent 4)");
  CHECK(message(v3::try_scatter_nd_update(four.view(), tuple(-1).view(), one.view())) ==
        "scatter_nd_update: indices[0, 0] = -1 is outside [0, 3] (axis 0 of data has extent 4)");
  CHECK(try_scatter_elements_update(four.view(), at(-1).view(), one.view(), 0).code() == errc::index_out_of_bounds);
  const tensor<std::uint8_t> byte({1}, {200});
  CHECK(v12::try_scatter_elements_update(four.view(), byte.view(), one.view(), 0, red::sum).code() ==
        errc::index_out_of_bounds);
  const tensor<std::uint64_t> huge({1, 1}, {std::uint64_t{1} << 63});
  CHECK(message(v15::try_scatter_nd_update(four.view(), huge.view(), one.view())) ==
        "scatter_nd_update: indices[0, 0] = 9223372036854775808 is outside [-4, 3] (axis 0 of data has extent 4)");
  CHECK(message(try_put(four.view(), at(-5).view(), one.view())) ==
        "put: indices[0] = -5 is outside [-4, 3] (data has 4 elements)");
  CHECK(message(try_index_put(four.view(), std::tuple{at(4).view()}, one.view())) ==
        "index_put: indices[0] for axis 0 = 4 is outside [-4, 3] (axis 0 of data has extent 4)");
  CHECK(four.values == std::vector<float>{1, 2, 3, 4});

  // The document's own example of a message.
  tensor<float> grid = zeros<float>({4, 4});
  const indices tuples_of_two({4, 2}, {0, 0, 1, 1, 2, 2, 3, 7});
  const tensor<float> four_updates({4}, {1, 2, 3, 4});
  CHECK(message(v15::try_scatter_nd_update(grid.view(), tuples_of_two.view(), four_updates.view())) ==
        "scatter_nd_update: indices[3, 1] = 7 is outside [-4, 3] (axis 1 of data has extent 4)");

  // No element to name, and slices that hold none.
  const tensor_view<float> empty(nullptr, {0});
  CHECK(v12::try_scatter_elements_update(empty, at(0).view(), one.view(), 0, red::sum).code() ==
        errc::index_out_of_bounds);
  const tensor_view<float> two_by_none(nullptr, {2, 0});
  const indices five({1, 1}, {5});
  CHECK(v15::try_scatter_nd_update(two_by_none, five.view(), tensor_view<const float>(nullptr, {1, 0})).code() ==
        errc::index_out_of_bounds);
  // Ranks and extents.
  tensor<float> scalar({}, {3});
  CHECK(v12::try_scatter_elements_update(scalar.view(), indices({}, {0}).view(), scalar.view(), 0, red::sum).code() ==
        errc::rank_mismatch);
  CHECK(onnx::try_scatter_nd(four.view(), indices({1, 2}, {0, 0}).view(), one.view()).code() == errc::extent_mismatch);
  CHECK(onnx::try_scatter_nd(four.view(), tuple(0).view(), four.view()).code() != errc::ok);
  // Longer than data along the axis is fine, off it is not.
  tensor<float> two({2}, {1, 2});
  const indices many({5}, {0, 1, 0, 1, 1});
  const tensor<float> values({5}, {1, 2, 3, 4, 5});
  CHECK(v12::try_scatter_elements_update(two.view(), many.view(), values.view(), 0, red::sum).ok());
  CHECK(two.values == std::vector<float>{5, 13});
}

TEST_CASE("the last of many tuples is bad: nothing is written") {
  tensor<float> data({3}, {1, 2, 3});
  std::vector<std::int64_t> at(5000, 1);
  at.back() = 3;
  const indices index({5000, 1}, at);
  const tensor<float> updates({5000}, std::vector<float>(5000, 1));
  CHECK(v15::try_scatter_nd_update(data.view(), index.view(), updates.view(), red::sum).coordinate() ==
        index_list{4999, 0});
  CHECK(data.values == std::vector<float>{1, 2, 3});
}

TEST_CASE("empty tuples without end, broadcast updates, views in another order") {
  const tensor_view<const float> none(nullptr, {0});
  constexpr std::int64_t many = std::numeric_limits<std::ptrdiff_t>::max() >> 23;
  const tensor_view<const std::int64_t> tuples(nullptr, {many, 0});
  tensor_view<float> out(nullptr, {0});
  CHECK(onnx::try_scatter_nd(none, tuples, tensor_view<const float>(nullptr, {many, 0}), red::sum, out).ok());
  tensor<float> data({3}, {1, 2, 3});
  const float five = 5;
  const indices at({3, 1}, {0, 2, 0});
  v15::scatter_nd_update(data.view(), at.view(), tensor_view<const float>(&five, {3}, {0}), red::sum);
  CHECK(data.values == std::vector<float>{11, 2, 8});
  // Order is that of the view: reversed, the first in memory is the last and wins.
  const indices same({3}, {1, 1, 1});
  const tensor<float> updates({3}, {7, 8, 9});
  index_copy(data.view(), 0, same.view(), reverse(updates.view(), 0));
  CHECK(data.values[1] == 7);
}

TEST_CASE("a mean over more elements than there are cells, and a lane that only its last index touches") {
  const std::size_t n = 20000;
  tensor<float> data({static_cast<std::int64_t>(n)}, std::vector<float>(n, 1));
  std::vector<std::int64_t> at(n, 7);
  at.back() = static_cast<std::int64_t>(n) - 1;
  const indices index({static_cast<std::int64_t>(n)}, at);
  const tensor<float> updates({static_cast<std::int64_t>(n)}, std::vector<float>(n, 3));
  tensor<float> means = data;
  scatter_reduce(data.view(), 0, index.view(), updates.view(), red::without_init(red::mean), means.view());
  CHECK(means.values[7] == 3);
  CHECK(means.values.back() == 3);
  CHECK(means.values[8] == 1);
}

TEST_CASE("index_add, scaled and not, index_copy, index_reduce, index_fill") {
  tensor<float> data({3, 2}, {0, 0, 1, 1, 2, 2});
  const indices at({2}, {0, 0});
  const tensor<float> source({2, 2}, {1, 2, 3, 4});
  tensor<float> out = zeros<float>({3, 2});
  index_add(data.view(), 0, at.view(), source.view(), out.view());
  CHECK(out.values == std::vector<float>{4, 6, 1, 1, 2, 2});
  index_add(data.view(), 0, at.view(), source.view(), scaled_by{-1.0F}, out.view());
  CHECK(out.values == std::vector<float>{-4, -6, 1, 1, 2, 2});
  index_add(data.view(), 0, at.view(), source.view(), scaled_by{2}, out.view());
  CHECK(out.values == std::vector<float>{8, 12, 1, 1, 2, 2});
  index_copy(data.view(), 0, at.view(), source.view(), out.view());
  CHECK(out.values == std::vector<float>{3, 4, 1, 1, 2, 2});
  index_reduce(data.view(), 0, at.view(), source.view(), red::max, out.view());
  CHECK(out.values == std::vector<float>{3, 4, 1, 1, 2, 2});
  index_reduce(data.view(), 0, at.view(), source.view(), red::without_init(red::prod), out.view());
  CHECK(out.values == std::vector<float>{3, 8, 1, 1, 2, 2});
  index_fill(data.view(), -1, indices({1}, {-1}).view(), 9, out.view());
  CHECK(out.values == std::vector<float>{0, 9, 1, 9, 2, 9});
  CHECK(try_index_copy(data.view(), 0, indices({2}, {0, -1}).view(), source.view(), out.view()).code() ==
        errc::index_out_of_bounds);
  CHECK(updates_extents(index_add, {3, 2}, 0, {2}) == index_list{2, 2});

  // A product that is rounded before it is added: with a fused one the sum would be 2^-24 here.
  const float a = 1.0F + std::ldexp(1.0F, -12);
  tensor<float> rounded({1, 1}, {-(a * a)});
  const tensor<float> factor({1, 1}, {a});
  index_add(rounded.view(), 0, indices({1}, {0}).view(), factor.view(), scaled_by{a});
  CHECK(rounded.values[0] == 0);
}

TEST_CASE("a scaled sum of long rows rounds its products, too") {
  const float a = 1.0F + std::ldexp(1.0F, -12);
  tensor<float> sums({2, 5000}, std::vector<float>(10000, -(a * a)));
  const tensor<float> source({1, 5000}, std::vector<float>(5000, a));
  index_add(sums.view(), 0, indices({1}, {1}).view(), source.view(), scaled_by{a});
  for (std::size_t i = 0; i < 10000; ++i) REQUIRE(sums.values[i] == (i < 5000 ? -(a * a) : 0));
}

TEST_CASE("index_put and put") {
  tensor<float> data({2, 3}, {0, 1, 2, 3, 4, 5});
  const indices rows({2}, {0, -1});
  const tensor<std::int8_t> columns({2}, {2, 0});
  const tensor<float> values({2}, {10, 20});
  tensor<float> out = zeros<float>({2, 3});
  index_put(data.view(), std::tuple{rows.view(), columns.view()}, values.view(), out.view());
  CHECK(out.values == std::vector<float>{0, 1, 10, 20, 4, 5});
  const indices both({2}, {1, 1});
  const tensor<float> two_rows({2, 3}, {1, 1, 1, 2, 2, 2});
  index_put(data.view(), std::tuple{both.view()}, two_rows.view(), red::sum, out.view());
  CHECK(out.values == std::vector<float>{0, 1, 2, 6, 7, 8});

  const indices numbers({3}, {1, -1, 1});
  const tensor<float> three({3}, {10, 20, 30});
  put(data.view(), numbers.view(), three.view(), out.view());
  CHECK(out.values == std::vector<float>{0, 30, 2, 3, 4, 20});
  put(data.view(), numbers.view(), three.view(), red::sum, out.view());
  CHECK(out.values == std::vector<float>{0, 41, 2, 3, 4, 25});
  put(transpose(data.view()), numbers.view(), three.view());  // numbers count along the view
  CHECK(data.values == std::vector<float>{0, 1, 2, 30, 4, 20});
  // NumPy's modes.
  tensor<float> four({4}, {0, 1, 2, 3});
  const indices far({2}, {5, -6});
  const tensor<float> ends({2}, {50, 60});
  put(four.view(), wrap(far.view()), ends.view());
  CHECK(four.values == std::vector<float>{0, 50, 60, 3});
  put(four.view(), clip(far.view()), ends.view());
  CHECK(four.values == std::vector<float>{60, 50, 60, 50});
}

TEST_CASE("put_along_axis, scatter_add: elements by other names") {
  tensor<float> data({2, 3}, {0, 0, 0, 0, 0, 0});
  const indices at({2, 1}, {-1, 0});
  const tensor<float> values({2, 1}, {7, 8});
  put_along_axis(data.view(), at.view(), values.view(), 1);
  CHECK(data.values == std::vector<float>{0, 0, 7, 8, 0, 0});
  const indices twice({2, 2}, {0, 0, 2, 1});
  const tensor<float> four({2, 2}, {1, 2, 3, 4});
  scatter_add(data.view(), 1, twice.view(), four.view());
  CHECK(data.values == std::vector<float>{3, 0, 7, 8, 4, 3});
  CHECK(try_scatter_add(data.view(), 1, at.view(), values.view()).code() == errc::index_out_of_bounds);
}

TEST_CASE("select_scatter and diagonal_scatter") {
  const tensor<float> data({2, 3}, {0, 1, 2, 3, 4, 5});
  tensor<float> out = zeros<float>({2, 3});
  select_scatter(data.view(), tensor<float>({3}, {7, 8, 9}).view(), 0, -1, out.view());
  CHECK(out.values == std::vector<float>{0, 1, 2, 7, 8, 9});
  select_scatter(data.view(), tensor<float>({2}, {7, 8}).view(), 1, 1, out.view());
  CHECK(out.values == std::vector<float>{0, 7, 2, 3, 8, 5});
  tensor<float> line({3}, {1, 2, 3});
  select_scatter(line.view(), tensor<float>({}, {9}).view(), 0, 2);
  CHECK(line.values == std::vector<float>{1, 2, 9});
  CHECK(std::string(try_select_scatter(line.view(), tensor<float>({}, {9}).view(), 0, 3).message().view()) ==
        "select_scatter: index = 3 is outside [-3, 2] (axis 0 of data has extent 3)");
  CHECK(updates_extents(select_scatter, {2, 3, 4}, -2) == index_list{2, 4});

  diagonal_scatter(data.view(), tensor<float>({2}, {7, 8}).view(), 0, 0, 1, out.view());
  CHECK(out.values == std::vector<float>{7, 1, 2, 3, 8, 5});
  diagonal_scatter(data.view(), tensor<float>({2}, {7, 8}).view(), 1, 0, 1, out.view());
  CHECK(out.values == std::vector<float>{0, 7, 2, 3, 4, 8});
  diagonal_scatter(data.view(), tensor<float>({1}, {7}).view(), -1, 0, 1, out.view());
  CHECK(out.values == std::vector<float>{0, 1, 2, 7, 4, 5});
  diagonal_scatter(data.view(), tensor<float>({1}, {7}).view(), 1, -1, 0, out.view());
  CHECK(out.values == std::vector<float>{0, 1, 2, 7, 4, 5});
  const tensor_view<const float> nothing(nullptr, {0});
  diagonal_scatter(data.view(), nothing, std::numeric_limits<std::int64_t>::min(), 0, 1, out.view());
  CHECK(out.values == data.values);
  diagonal_scatter(data.view(), nothing, std::numeric_limits<std::uint64_t>::max(), 0, 1, out.view());
  CHECK(out.values == data.values);
  CHECK(try_diagonal_scatter(data.view(), nothing, 0, 1, -1, out.view()).code() == errc::repeated_axis);
  CHECK(updates_extents(diagonal_scatter, {2, 3, 4}, 1, 0, 2) == index_list{3, 2});
}

TEST_CASE("masked_scatter and masked_fill") {
  const tensor<float> data({2, 3}, {0, 1, 2, 3, 4, 5});
  const bool mask[] = {false, true, true, false, true, true};
  const tensor_view<const bool> at(mask, {2, 3});
  tensor<float> out = zeros<float>({2, 3});
  masked_scatter(data.view(), at, tensor<float>({5}, {10, 20, 30, 40, 50}).view(), out.view());
  CHECK(out.values == std::vector<float>{0, 10, 20, 3, 30, 40});
  CHECK(std::string(
            try_masked_scatter(data.view(), at, tensor<float>({3}, {1, 2, 3}).view(), out.view()).message().view()) ==
        "masked_scatter: source has 3 elements, mask selects 4");
  CHECK(out.values == std::vector<float>{0, 10, 20, 3, 30, 40});
  masked_fill(data.view(), at, 9, out.view());
  CHECK(out.values == std::vector<float>{0, 9, 9, 3, 9, 9});
  masked_scatter(out.view(), at, transpose(tensor<float>({2, 2}, {1, 2, 3, 4}).view()));
  CHECK(out.values == std::vector<float>{0, 1, 3, 3, 2, 4});
  const bool nowhere[6] = {};
  masked_scatter(data.view(), tensor_view<const bool>(nowhere, {2, 3}), tensor_view<const float>(nullptr, {0}),
                 out.view());
  CHECK(out.values == data.values);
  tensor<float> scalar({}, {1});
  const bool yes = true;
  masked_scatter(scalar.view(), tensor_view<const bool>(&yes, {}), tensor<float>({1}, {5}).view());
  CHECK(scalar.values[0] == 5);
  CHECK(try_masked_fill(out.view(), tensor_view<const bool>(mask, {6}), 1).code() == errc::rank_mismatch);
}

// As libraries in other languages may have them: every byte but 0 stands for true.
TEST_CASE("long masks of any bytes, on executors, by a value in a view") {
  random_source random(77);
  const auto stride = GENERATE(std::int64_t{1}, std::int64_t{-1}, std::int64_t{3});
  const auto count = GENERATE(std::int64_t{7}, std::int64_t{64}, std::int64_t{517});
  const auto selected = GENERATE(std::int64_t{0}, std::int64_t{1}, std::int64_t{5}, std::int64_t{9});  // of ten
  std::vector<unsigned char> bytes(static_cast<std::size_t>(3 * count));
  for (unsigned char& byte : bytes)
    byte = random.below(10) < selected ? static_cast<unsigned char>(1 + random.below(255)) : 0;
  const std::int64_t first = stride < 0 ? count - 1 : 0;
  const tensor_view<const bool> mask(reinterpret_cast<const bool*>(bytes.data()) + first, {count}, {stride});
  tensor<std::int16_t> data = zeros<std::int16_t>({count});
  tensor<std::int16_t> source = zeros<std::int16_t>({count});
  for (std::int64_t i = 0; i < count; ++i)
    source.values[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(i + 1);
  std::vector<std::int16_t> scattered = data.values;
  std::vector<std::int16_t> filled = data.values;
  std::int16_t next = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    if (bytes[static_cast<std::size_t>(first + i * stride)] == 0) continue;
    scattered[static_cast<std::size_t>(i)] = next++;
    filled[static_cast<std::size_t>(i)] = -5;
  }
  tensor<std::int16_t> out = zeros<std::int16_t>({count});
  masked_scatter(data.view(), mask, source.view(), out.view());
  CHECK(out.values == scattered);
  masked_scatter(backwards{}, data.view(), mask, source.view(), out.view());
  CHECK(out.values == scattered);
  const std::int16_t value = -5;
  const tensor_view<const std::int16_t> scalar(&value, {});
  masked_fill(backwards{}, data.view(), mask, scalar, out.view());
  CHECK(out.values == filled);
  masked_fill(out.view(), mask, 0);
  CHECK(out.values == data.values);
  CHECK(std::string(try_masked_fill(out.view(), mask, source.view()).message().view()) ==
        "masked_fill: value has rank 1, expected 0");
  index_fill(out.view(), 0, indices({1}, {-1}).view(), scalar);
  CHECK(out.values.back() == -5);
  const tensor_view<const std::int16_t> inside(out.values.data(), {});
  CHECK(std::string(try_masked_fill(out.view(), mask, inside).message().view()) ==
        "masked_fill: output shares memory with value");
}

// Each element is then its old one or its new one, never data's in the place of one that the mask selects.
TEST_CASE("an executor that throws leaves no element of a masked scatter half made") {
  const std::vector<int> data{10, 11, 12, 13, 14, 15, 16, 17};
  const bool bits[] = {true, false, true, false, true, false, true, false};
  const tensor_view<const int> from(data.data(), {8});
  const tensor_view<const bool> mask(bits, {8});
  for (int allowed = 0; allowed < 40; ++allowed) {
    int left = allowed;
    const auto gives_up = [&](std::size_t n, const task& body) {
      for (std::size_t i = 0; i < n; ++i) {
        if (--left < 0) throw 1;
        body(i);
      }
    };
    std::vector<int> out(8, 1);
    try {
      masked_fill(gives_up, from, mask, 99, tensor_view<int>(out.data(), {8}));
    } catch (int) {
    }
    for (std::size_t i = 0; i < 8; ++i) CHECK((out[i] == 1 || out[i] == (bits[i] ? 99 : data[i])));
  }
}

struct made_of_int {
  int value = 0;
  made_of_int() = default;
  made_of_int(int number) : value(number) {
    if (number < 0) throw number;
  }
};

TEST_CASE("what makes an element of a value may throw") {
  std::vector<made_of_int> elements(2);
  const bool bits[] = {true, true};
  const tensor_view<made_of_int> view(elements.data(), {2});
  const tensor_view<const bool> mask(bits, {2});
  const std::int64_t first = 0;
  const tensor_view<const std::int64_t> at(&first, {1});
  CHECK_FALSE(noexcept(try_masked_fill(view, mask, 7)));
  CHECK(noexcept(try_masked_fill(view, mask, view)));
  CHECK_FALSE(noexcept(try_index_fill(view, 0, at, 7)));
  CHECK_THROWS_AS(try_masked_fill(view, mask, -1), int);
  CHECK_THROWS_AS(try_index_fill(view, 0, at, -1), int);
}

TEST_CASE("a reduction of the caller's, and reductions by name") {
  const auto power = [](float a, float b) { return std::pow(a, b); };
  CHECK(elements<float>({3}, {0, 0}, {2, 2}, power) == std::vector<float>{81});
  reduction_kind kind{};
  CHECK(red::parse("amax", kind));
  CHECK(kind == reduction_kind::max);
  CHECK(red::parse("add", kind));
  CHECK(kind == reduction_kind::sum);
  CHECK_FALSE(red::parse("median", kind));
  int calls = 0;
  red::visit<float, v12::scatter_elements_update_reductions>(reduction_kind::mean, false, [&](auto reduction) {
    ++calls;
    CHECK(elements<float>({9}, {0, 0}, {1, 2}, reduction) == std::vector<float>{1.5F});
  });
  CHECK(calls == 1);
  const auto nothing = [&](auto) { ++calls; };
  CHECK(red::try_visit<bool>(reduction_kind::mean, true, nothing).code() == errc::unsupported_reduction);
  CHECK(red::try_visit<std::complex<float>>(reduction_kind::max, true, nothing).code() == errc::unsupported_reduction);
  CHECK(red::try_visit<float>(reduction_kind::sub, false, nothing).code() == errc::unsupported_reduction);
  CHECK_THROWS_AS(red::visit<bool>(reduction_kind::mean, true, nothing), scatter_error);
  CHECK(calls == 1);
}

TEST_CASE("policies: of the first operators, too") {
  tensor<float> data({4}, {1, 2, 3, 4});
  const indices at({4}, {-1, 9, -9, 2});
  const tensor<float> updates({4}, {10, 20, 30, 40});
  tensor<float> out = zeros<float>({4});
  scatter_update(data.view(), drop(at.view()), updates.view(), 0, out.view());
  CHECK(out.values == std::vector<float>{1, 2, 40, 4});
  scatter_update(data.view(), clip(at.view()), updates.view(), 0, out.view());
  CHECK(out.values == std::vector<float>{30, 2, 40, 20});
  scatter_elements_update(data.view(), wrap(at.view()), updates.view(), 0, out.view());
  CHECK(out.values == std::vector<float>{1, 20, 40, 30});  // -1 -> 3, 9 -> 1, -9 -> 3, 2
  onnx::scatter(data.view(), drop(at.view()), updates.view(), 0, out.view());
  CHECK(out.values == std::vector<float>{1, 2, 40, 10});
  onnx::scatter(data.view(), clip(at.view()), updates.view(), 0, out.view());
  CHECK(out.values == std::vector<float>{30, 2, 40, 20});
  const indices good({2}, {3, 0});
  scatter_update(data.view(), assume_valid(good.view()), tensor<float>({2}, {5, 6}).view(), 0, out.view());
  CHECK(out.values == std::vector<float>{6, 2, 3, 5});
  const tensor_view<float> empty(nullptr, {0});
  CHECK(try_scatter_update(empty, drop(good.view()), tensor<float>({2}, {5, 6}).view(), 0).ok());
  CHECK(try_scatter_update(empty, clip(good.view()), tensor<float>({2}, {5, 6}).view(), 0).code() ==
        errc::index_out_of_bounds);
  const tensor<std::uint64_t> huge({1}, {std::numeric_limits<std::uint64_t>::max()});  // 3 modulo 4
  scatter_update(data.view(), wrap(huge.view()), tensor<float>({1}, {7}).view(), 0, out.view());
  CHECK(out.values == std::vector<float>{1, 2, 3, 7});
  // A segment sum drops ids that name no segment.
  tensor<float> sums = zeros<float>({2});
  index_add(sums.view(), 0, drop(indices({4}, {0, 1, -1, 5}).view()), updates.view());
  CHECK(sums.values == std::vector<float>{10, 20});
}

}  // namespace
}  // namespace strew::test
