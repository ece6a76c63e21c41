// SPDX-License-Identifier: Apache-2.0
// Reductions on tensors whose types are known at run time: as on typed ones, at any address; and what is refused.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/random_source.hpp"

#include <strew/dynamic.hpp>
#include <strew/strew.hpp>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using strew::errc;
using strew::index_type;
using strew::reduction_kind;
using strew::status;
using strew::dynamic::element_kind;
using strew::dynamic::element_type;
using strew::test::random_source;

constexpr reduction_kind all_kinds[] = {reduction_kind::none, reduction_kind::sum, reduction_kind::sub,
                                        reduction_kind::prod, reduction_kind::min, reduction_kind::max,
                                        reduction_kind::mean};

template <class T>
T draw_value(random_source& random) {
  if constexpr (requires { typename T::value_type; }) {
    return {static_cast<typename T::value_type>(random.between(-8, 8)), 1};
  } else if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(random.between(0, 9));
  } else {
    return T(static_cast<float>(random.between(-99, 99)) / 4);
  }
}

// Elements at an odd address.
template <class T>
class misplaced {
 public:
  misplaced(const T* values, std::size_t count) : bytes_(count * sizeof(T) + 1), count_(count) {
    std::memcpy(data(), values, count * sizeof(T));
  }
  [[nodiscard]] char* data() { return bytes_.data() + 1; }
  [[nodiscard]] bool holds(const T* values) { return std::memcmp(data(), values, count_ * sizeof(T)) == 0; }

 private:
  std::vector<char> bytes_;
  std::size_t count_;
};

template <class T>
void check_type(const element_type& type) {
  constexpr std::int64_t rows = 40;
  constexpr std::int64_t lanes = 3;
  constexpr std::int64_t count = 90;
  random_source random(7);
  // Not vectors: that of bool has no elements to point at.
  const auto data = std::make_unique<T[]>(rows * lanes);
  const auto updates = std::make_unique<T[]>(count * lanes);
  const auto expected = std::make_unique<T[]>(rows * lanes);
  for (std::size_t i = 0; i < rows * lanes; ++i) data[i] = draw_value<T>(random);
  for (std::size_t i = 0; i < count * lanes; ++i) updates[i] = draw_value<T>(random);
  std::vector<std::int64_t> at(count * lanes);
  for (std::int64_t& index : at) index = random.between(-rows, rows - 1);
  const std::vector<std::int32_t> narrow(at.begin(), at.end());

  for (const reduction_kind kind : all_kinds) {
    for (const bool include_init : {true, false}) {
      INFO("reduction " << strew::reduction::name_of(kind) << ", kind of elements " << static_cast<int>(type.kind));
      const status typed = strew::reduction::try_visit<T, strew::v12::scatter_elements_update_reductions>(
          kind, include_init, [&](auto reduction) {
            strew::v12::scatter_elements_update(strew::tensor_view<const T>(data.get(), {rows, lanes}),
                                                strew::tensor_view<const std::int64_t>(at.data(), {count, lanes}),
                                                strew::tensor_view<const T>(updates.get(), {count, lanes}), 0,
                                                reduction, strew::tensor_view<T>(expected.get(), {rows, lanes}));
          });
      misplaced<T> in(data.get(), rows * lanes);
      misplaced<T> from(updates.get(), count * lanes);
      misplaced<T> to(data.get(), rows * lanes);
      const strew::dynamic::const_tensor data_tensor(in.data(), type, {rows, lanes});
      const strew::dynamic::const_tensor updates_tensor(from.data(), type, {count, lanes});
      const strew::dynamic::tensor output(to.data(), type, {rows, lanes});
      const strew::dynamic::reduction reduction{kind, include_init};
      for (const index_type integers : {index_type::int64, index_type::int32}) {
        const void* const indices = integers == index_type::int64 ? static_cast<const void*>(at.data()) : narrow.data();
        const strew::dynamic::index_tensor index(indices, integers, {count, lanes});
        const status outcome =
            strew::v12::try_scatter_elements_update(data_tensor, index, updates_tensor, 0, reduction, output);
        CHECK(outcome.code() == typed.code());
        if (typed.ok()) CHECK(to.holds(expected.get()));
        const status in_parts = strew::v12::try_scatter_elements_update(strew::test::backwards{}, data_tensor, index,
                                                                        updates_tensor, 0, reduction, output);
        CHECK(in_parts.code() == typed.code());
        if (typed.ok()) CHECK(to.holds(expected.get()));
      }
    }
  }
}

TEST_CASE("every kind of element with every reduction, at odd addresses") {
  check_type<bool>({element_kind::boolean, 1});
  check_type<std::int8_t>({element_kind::signed_integer, 1});
  check_type<std::int16_t>({element_kind::signed_integer, 2});
  check_type<std::int32_t>({element_kind::signed_integer, 4});
  check_type<std::int64_t>({element_kind::signed_integer, 8});
  check_type<std::uint8_t>({element_kind::unsigned_integer, 1});
  check_type<std::uint16_t>({element_kind::unsigned_integer, 2});
  check_type<std::uint32_t>({element_kind::unsigned_integer, 4});
  check_type<std::uint64_t>({element_kind::unsigned_integer, 8});
  check_type<strew::dynamic::float16>({element_kind::floating_point, 2});
  check_type<float>({element_kind::floating_point, 4});
  check_type<double>({element_kind::floating_point, 8});
  check_type<strew::dynamic::bfloat16>({element_kind::brain_float, 2});
  check_type<std::complex<float>>({element_kind::complex, 8});
  check_type<std::complex<double>>({element_kind::complex, 16});
}

TEST_CASE("of booleans every byte but 0 is true where they are combined; moved ones keep their bytes") {
  using bytes = std::vector<unsigned char>;
  const element_type boolean{element_kind::boolean, 1};
  const bytes data{4, 0, 3, 9, 7};
  const bytes updates{2, 0, 8, 0, 5};
  const std::int64_t at[] = {0, 1, 2, 3, 0};
  const strew::dynamic::const_tensor data_tensor(data.data(), boolean, {5});
  const strew::dynamic::const_tensor updates_tensor(updates.data(), boolean, {5});
  const strew::dynamic::index_tensor indices(at, index_type::int64, {5});
  bytes result(5);
  const strew::dynamic::tensor output(result.data(), boolean, {5});
  const auto reduced = [&](reduction_kind kind, bool include_init) {
    const strew::dynamic::reduction reduction{kind, include_init};
    strew::v12::scatter_elements_update(data_tensor, indices, updates_tensor, 0, reduction, output);
    return result;
  };
  CHECK(reduced(reduction_kind::none, true) == bytes{5, 0, 8, 0, 7});
  CHECK(reduced(reduction_kind::sum, true) == bytes{1, 0, 1, 1, 7});
  CHECK(reduced(reduction_kind::max, true) == bytes{1, 0, 1, 1, 7});
  CHECK(reduced(reduction_kind::prod, true) == bytes{1, 0, 1, 0, 7});
  CHECK(reduced(reduction_kind::min, true) == bytes{1, 0, 1, 0, 7});
  CHECK(reduced(reduction_kind::sum, false) == bytes{1, 0, 8, 0, 7});
  CHECK(reduced(reduction_kind::prod, false) == bytes{1, 0, 8, 0, 7});
  strew::v15::scatter_nd_update(data_tensor, strew::dynamic::index_tensor(at, index_type::int64, {5, 1}),
                                updates_tensor, strew::reduction::sub, output);
  CHECK(result == bytes{1, 0, 0, 1, 7});
  strew::scatter_update(data_tensor, indices, updates_tensor, 0, output);
  CHECK(result == bytes{5, 0, 8, 0, 7});
  const strew::tensor_view mask(reinterpret_cast<const bool*>(updates.data()), {5});
  strew::masked_scatter(data_tensor, mask, updates_tensor, output);
  CHECK(result == bytes{2, 0, 0, 9, 8});
  strew::masked_fill(data_tensor, mask, strew::dynamic::const_tensor(data.data() + 3, boolean, {}), output);
  CHECK(result == bytes{9, 0, 9, 9, 9});
}

template <class Half>
void check_half_views(strew::dynamic::element_kind kind) {
  std::vector<Half> data{Half(1), Half(2)};
  const std::vector<Half> updates{Half(0.5F), Half(4)};
  const std::vector<std::int64_t> indices{1, 1};
  const strew::tensor_view<Half> typed(data.data(), {2});
  const strew::dynamic::tensor view(typed);
  CHECK(view.type() == strew::dynamic::element_type{kind, 2});
  strew::index_add(view, 0, strew::dynamic::index_tensor(strew::tensor_view<const std::int64_t>(indices.data(), {2})),
                   strew::dynamic::const_tensor(strew::tensor_view<const Half>(updates.data(), {2})));
  CHECK(static_cast<float>(data[1]) == 6.5F);
}
TEST_CASE("a view of 16-bit floating-point numbers is a tensor of their kind, which can be summed") {
  check_half_views<strew::dynamic::float16>(strew::dynamic::element_kind::floating_point);
  check_half_views<strew::dynamic::bfloat16>(strew::dynamic::element_kind::brain_float);
}

TEST_CASE("halves convert as the hardware does, all of them") {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    strew::dynamic::float16 half;
    half.bits = static_cast<std::uint16_t>(bits);
    const bool is_nan = (bits & 0x7fffU) > 0x7c00U;
    const strew::dynamic::float16 again(static_cast<float>(half));
    if (is_nan) {
      CHECK((again.bits & 0x7fffU) > 0x7c00U);
    } else {
      REQUIRE(again.bits == bits);
    }
#if STREW_HAS_FLOAT16
    const auto hardware = __builtin_bit_cast(_Float16, half.bits);
    if (!is_nan) REQUIRE(static_cast<float>(half) == static_cast<float>(hardware));
#endif
  }
#if STREW_HAS_FLOAT16
  random_source random(3);
  for (int i = 0; i < 300000; ++i) {
    const auto bits = static_cast<std::uint32_t>(random.below(std::int64_t{1} << 32));
    const auto value = __builtin_bit_cast(float, bits);
    if (value != value) continue;
    REQUIRE(strew::dynamic::float16(value).bits == __builtin_bit_cast(std::uint16_t, static_cast<_Float16>(value)));
  }
#else
  WARN("not compared with _Float16, which this compiler does not have");
#endif
}

TEST_CASE("tuples, rows, numbers and policies, what a kind or an operator lacks") {
  std::vector<float> data{1, 2, 3, 4};
  const std::vector<float> updates{10, 20};
  const std::vector<std::int8_t> at{-1, 9};
  const element_type type{element_kind::floating_point, 4};
  const strew::dynamic::tensor view(data.data(), type, {4});
  const strew::dynamic::const_tensor from(updates.data(), type, {2});
  const strew::dynamic::index_tensor index(at.data(), index_type::int8, {2});
  const strew::dynamic::index_tensor tuples(at.data(), index_type::int8, {2, 1});
  const strew::dynamic::reduction sum{reduction_kind::sum};
  strew::index_add(view, 0, strew::drop(index), from);
  CHECK(data == std::vector<float>{1, 2, 3, 4});  // both are out of a strict rule
  strew::onnx::scatter_nd(view, strew::drop(tuples), from, sum);
  CHECK(data == std::vector<float>{1, 2, 3, 14});
  strew::put(view, strew::wrap(index), from, sum);
  CHECK(data == std::vector<float>{1, 22, 3, 24});
  CHECK(strew::onnx::try_scatter_nd(view, tuples, from, sum).code() == errc::index_out_of_bounds);
  const auto code = [&](reduction_kind kind) {
    return strew::onnx::try_scatter_nd(view, strew::drop(tuples), from, strew::dynamic::reduction{kind}).code();
  };
  CHECK(code(reduction_kind::mean) == errc::unsupported_reduction);
  CHECK(code(reduction_kind::sub) == errc::unsupported_reduction);
  CHECK(code(reduction_kind::max) == errc::ok);
  const auto text = [&](reduction_kind kind, bool include_init) {
    const auto found = strew::onnx::try_scatter_nd(view, tuples, from, strew::dynamic::reduction{kind, include_init});
    return std::string(found.message());
  };
  CHECK(text(reduction_kind::mean, true) == "onnx::scatter_nd: reduction mean is not one of the operator's");
  CHECK(text(reduction_kind::sum, false) ==
        "onnx::scatter_nd: reduction sum without the elements of data is not one of the operator's");
  const element_type opaque{element_kind::opaque, 4};
  const strew::dynamic::tensor bytes(data.data(), opaque, {4});
  CHECK(strew::onnx::try_scatter_nd(bytes, strew::drop(tuples),
                                    strew::dynamic::const_tensor(updates.data(), opaque, {2}), sum)
            .code() == errc::unsupported_reduction);
  CHECK(strew::onnx::try_scatter_nd(
            view, strew::drop(tuples),
            strew::dynamic::const_tensor(updates.data(), {element_kind::signed_integer, 4}, {2}), sum)
            .code() == errc::type_mismatch);
  std::vector<float> cache{0, 0, 0, 0};
  const std::int64_t first = 3;
  strew::onnx::tensor_scatter(
      strew::dynamic::tensor(cache.data(), type, {1, 4}), strew::dynamic::const_tensor(updates.data(), type, {1, 2}),
      strew::tensor_view<const std::int64_t>(&first, {1}), {.mode = strew::onnx::cache_mode::circular, .axis = 1});
  CHECK(cache == std::vector<float>{20, 0, 0, 10});
}

TEST_CASE("masks and single values") {
  const element_type type{element_kind::floating_point, 4};
  std::vector<float> data{1, 2, 3, 4};
  const bool selected[] = {true, false, false, true};
  const float nine = 9;
  const std::int16_t at = -2;
  const strew::dynamic::tensor view(data.data(), type, {4});
  const strew::dynamic::const_tensor value(&nine, type, {});
  const strew::dynamic::index_tensor index(&at, index_type::int16, {1});
  const strew::tensor_view<const bool> mask(selected, {4});
  strew::masked_fill(view, mask, value);
  CHECK(data == std::vector<float>{9, 2, 3, 9});
  std::vector<float> output(4);
  strew::index_fill(strew::test::backwards{}, view, 0, index, value, strew::dynamic::tensor(output.data(), type, {4}));
  CHECK(output == std::vector<float>{9, 2, 9, 9});
  strew::masked_scatter(view, mask, strew::dynamic::const_tensor(output.data(), type, {2, 2}));
  CHECK(data == std::vector<float>{9, 2, 3, 2});
  const auto message = [&](const strew::dynamic::const_tensor& wrong) {
    return std::string(strew::try_index_fill(view, 0, index, wrong).message().view());
  };
  CHECK(message({&nine, type, {1}}) == "index_fill: value has rank 1, expected 0");
  CHECK(message({&nine, {element_kind::floating_point, 2}, {}}) ==
        "index_fill: updates has elements of 2 bytes, expected 4 as data has");
  CHECK(message({&nine, {element_kind::signed_integer, 4}, {}}) ==
        "index_fill: updates has elements of another kind than data (of 4 bytes both)");
  CHECK(data == std::vector<float>{9, 2, 3, 2});
}

TEST_CASE("index_put takes any number of tensors of any index types") {
  using strew::dynamic::index_tensor;
  const element_type type{element_kind::floating_point, 4};
  std::vector<float> data(2 * 3 * 2);
  const strew::dynamic::tensor view(data.data(), type, {2, 3, 2});
  const std::vector<std::int16_t> first{1, -1, 0};
  const std::vector<std::uint64_t> second{2, 2, 0};
  const std::vector<std::int32_t> third{0, 0, 1};
  const std::vector<float> values{1, 10, 100, 1000, 10000, 100000};
  const index_tensor indices[] = {{first.data(), index_type::int16, {3}},
                                  {second.data(), index_type::uint64, {3}},
                                  {third.data(), index_type::int32, {3}}};
  const auto of_values = [&](const strew::index_list& extents) {
    return strew::dynamic::const_tensor(values.data(), type, extents);
  };
  const strew::dynamic::reduction sum{reduction_kind::sum};

  SECTION("as many as there are axes") {
    strew::index_put(view, std::span(indices), of_values({3}), sum);
    CHECK(data == std::vector<float>{0, 100, 0, 0, 0, 0, 0, 0, 0, 0, 11, 0});
  }
  SECTION("fewer: slices, the last of equal tuples winning") {
    strew::index_put(view, std::span(indices, 2), of_values({3, 2}), strew::dynamic::reduction{});
    CHECK(data == std::vector<float>{10000, 100000, 0, 0, 0, 0, 0, 0, 0, 0, 100, 1000});
  }
  SECTION("in a vector, with a named reduction, a policy and an output") {
    const std::vector<index_tensor> some(indices, indices + 1);
    std::vector<float> output(data.size(), -1);
    strew::index_put(view, strew::clip(std::span(some)),
                     strew::dynamic::const_tensor(data.data(), type, {3, 3, 2}, {0, 0, 0}), strew::reduction::sum,
                     strew::dynamic::tensor(output.data(), type, {2, 3, 2}));
    CHECK(output == data);
  }
  SECTION("what is wrong is named, and nothing is written") {
    const std::vector<float> before = data;
    const auto message = [&](std::span<const index_tensor> tensors, const strew::index_list& extents) {
      return std::string(strew::try_index_put(view, tensors, of_values(extents), sum).message().view());
    };
    CHECK(message({}, {3}) == "index_put: indices holds no tensor, expected at least 1");
    const std::vector<index_tensor> four(4, indices[0]);
    CHECK(message(four, {3}) == "index_put: indices holds 4 tensors, expected at most 3 (the rank of data)");
    const std::vector<index_tensor> many(100000, indices[0]);
    CHECK(strew::try_index_put(view, std::span(many), of_values({3}), sum).code() == errc::rank_mismatch);
    const index_tensor out_of_bounds[] = {indices[1], indices[0]};
    CHECK(message(out_of_bounds, {3, 2}) ==
          "index_put: indices[0] for axis 0 = 2 is outside [-2, 1] (axis 0 of data has extent 2)");
    const index_tensor shorter[] = {indices[0], {third.data(), index_type::int32, {2}}};
    CHECK(strew::try_index_put(view, std::span(shorter), of_values({3, 2}), sum).code() == errc::extent_mismatch);
    const index_tensor in_the_output[] = {indices[0], {data.data(), index_type::int32, {3}}};
    CHECK(message(in_the_output, {3, 2}) == "index_put: output shares memory with indices");
    CHECK(data == before);
  }
}

TEST_CASE("indices whose type is part of the call go with tensors whose types are known at run time") {
  std::vector<float> memory(4);
  const std::vector<float> values{1, 2};
  const strew::dynamic::tensor data{strew::tensor_view{memory.data(), {4}}};
  const strew::dynamic::const_tensor updates{strew::tensor_view{values.data(), {2}}};
  const std::vector<int> rows{1, 1};
  strew::index_add(data, 0, rows, updates);
  strew::put(data, strew::tensor_view{rows.data(), {2}}, updates, strew::reduction::sum);
  const std::vector<long> tuples{2, 3};
  strew::v15::scatter_nd_update(data, strew::tensor_view{tuples.data(), {2, 1}}, updates, strew::reduction::sum);
  CHECK(memory == std::vector<float>{0, 6, 1, 2});
  const std::vector<int> outside{4, 0};
  CHECK(strew::try_index_add(data, 0, outside, updates).code() == errc::index_out_of_bounds);
}

}  // namespace
