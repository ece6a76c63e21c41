// SPDX-License-Identifier: Apache-2.0
// The contract of segments by offsets, docs/extensions.md, sentence by sentence.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"
#include "support/random_source.hpp"

#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace strew::test {
namespace {

namespace red = strew::reduction;
using offsets_type = std::vector<std::int64_t>;

// The indices for which offsets stand.
std::vector<std::int64_t> expanded(const offsets_type& offsets) {
  std::vector<std::int64_t> indices;
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    for (std::int64_t i = offsets[s]; i < offsets[s + 1]; ++i) indices.push_back(static_cast<std::int64_t>(s));
  }
  return indices;
}

// Segments by constants.
template <int... Offset>
inline constexpr std::array<int, sizeof...(Offset)> constants{Offset...};
template <int... Offset>
segments_by<tensor_view<const int>> segments_at() {
  return segments(constants<Offset...>);
}

// A float that sums do not take exactly.
std::vector<float> draw_floats(random_source& random, std::int64_t count) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(static_cast<float>(random.between(-1000, 1000)) / 7);
  return values;
}

TEST_CASE("what segments are") {
  SECTION("Segment s, of the updates offsets[s] to offsets[s + 1] - 1 along the axis, is combined with coordinate s") {
    std::array<int, 3> sums{100, 200, 300};
    index_add(sums, 0, segments_at<0, 2, 3, 5>(), std::array{1, 2, 3, 4, 5});
    CHECK(sums == std::array{103, 203, 309});
    std::array<int, 6> table{1, 2, 3, 4, 5, 6};
    const std::array<int, 8> columns{10, 20, 30, 40, 50, 60, 70, 80};
    index_add(tensor_view{table.data(), {2, 3}}, 1, segments_at<0, 1, 1, 4>(), tensor_view{columns.data(), {2, 4}});
    CHECK(table == std::array{11, 2, 93, 54, 5, 216});
  }
  SECTION("Taken by index_add, also with scaled_by, index_copy, index_reduce and scatter_update") {
    const std::array offsets{0, 2, 2, 3};
    const std::array updates{5, 7, 9};
    const std::array data{1, 2, 3};
    std::array<int, 3> output{};
    index_add(data, 0, segments(offsets), updates, scaled_by{10}, output);
    CHECK(output == std::array{121, 2, 93});
    index_copy(data, 0, segments(offsets), updates, output);
    CHECK(output == std::array{7, 2, 9});
    index_reduce(data, 0, segments(offsets), updates, red::prod, output);
    CHECK(output == std::array{35, 2, 27});
    scatter_update(data, segments(offsets), updates, -1, output);
    CHECK(output == std::array{7, 2, 9});
  }
}

// Every reduction beside the call with expanded indices, which has tests of its own, on serial executors and threads.
template <class T, class R>
void check_expanded(const R& reduce, const std::vector<T>& data, std::int64_t lanes, const offsets_type& offsets,
                    const std::vector<T>& updates) {
  const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
  const auto indices = expanded(offsets);
  const tensor_view from{data.data(), {rows, lanes}};
  const tensor_view source{updates.data(), {offsets.back(), lanes}};
  std::vector<T> expected(data.size());
  std::vector<T> output(data.size());
  const auto call = [&](auto& ex, const auto& where, std::vector<T>& to) {
    const tensor_view result{to.data(), {rows, lanes}};
    if constexpr (std::is_same_v<R, red::none_type>) {
      index_copy(ex, from, 0, where, source, result);
    } else {
      index_reduce(ex, from, 0, where, source, reduce, result);
    }
  };
  call(serial, indices, expected);
  call(serial, segments(offsets), output);
  CHECK(std::memcmp(output.data(), expected.data(), data.size() * sizeof(T)) == 0);
  for (const unsigned threads : {2U, 3U}) {
    thread_pool pool{threads};
    output.assign(data.size(), T{});
    call(pool, segments(offsets), output);
    CHECK(std::memcmp(output.data(), expected.data(), data.size() * sizeof(T)) == 0);
  }
}

TEST_CASE("the bits of segments") {
  SECTION("the same bits for every reduction, at every number of threads") {
    random_source random(1);
    for (const std::int64_t lanes : {1, 3, 4, 5, 16, 37}) {
      for (const std::int64_t most : {1, 3, 30}) {
        offsets_type offsets{0};
        for (int s = 0; s < 40; ++s) offsets.push_back(offsets.back() + random.between(0, most));
        // One segment is longer than the share of a thread.
        offsets.push_back(offsets.back() + random.between(0, 3) * 40 * most);
        const auto rows = static_cast<std::int64_t>(offsets.size()) - 1;
        const auto data = draw_floats(random, rows * lanes);
        const auto updates = draw_floats(random, offsets.back() * lanes);
        check_expanded(red::none, data, lanes, offsets, updates);
        check_expanded(red::sum, data, lanes, offsets, updates);
        check_expanded(red::prod, data, lanes, offsets, updates);
        check_expanded(red::min, data, lanes, offsets, updates);
        check_expanded(red::max, data, lanes, offsets, updates);
        check_expanded(red::mean, data, lanes, offsets, updates);
        check_expanded(red::without_init(red::sum), data, lanes, offsets, updates);
        check_expanded(red::without_init(red::mean), data, lanes, offsets, updates);
        check_expanded([](float a, float b) noexcept { return a / 2 + b; }, data, lanes, offsets, updates);
        check_expanded(red::mean, std::vector<std::int16_t>(data.begin(), data.end()), lanes, offsets,
                       std::vector<std::int16_t>(updates.begin(), updates.end()));
      }
    }
  }
  SECTION("So the updates of a segment are combined one after the other in their order") {
    std::array<float, 1> sum{0};
    index_add(sum, 0, segments_at<0, 3>(), std::array{1e8F, -1e8F, 1.0F});
    CHECK(sum[0] == 1.0F);  // 1e8F + 1 - 1e8F is 0
  }
  SECTION("the last one of a segment is assigned") {
    std::array<int, 2> data{1, 2};
    index_copy(data, 0, segments_at<0, 3, 3>(), std::array{5, 6, 7});
    CHECK(data == std::array{7, 2});
  }
  SECTION("A segment without updates leaves data's elements, copied out of place and not written in place") {
    const std::array<unsigned char, 3> odd{2, 1, 2};  // bytes of bools that are neither 0 nor 1
    std::array<bool, 3> data{};
    std::memcpy(data.data(), odd.data(), 3);
    const bool updates[] = {true};
    std::array<bool, 3> output{};
    index_add(data, 0, segments_at<0, 0, 1, 1>(), updates, output);
    CHECK(std::memcmp(output.data(), odd.data(), 3) == 0);
    index_add(data, 0, segments_at<0, 0, 1, 1>(), updates);
    CHECK(std::memcmp(data.data(), odd.data(), 3) == 0);
  }
}

template <class I>
void check_offset_type() {
  const std::array<I, 4> offsets{0, 1, 1, 3};
  std::array<int, 3> data{1, 2, 3};
  index_add(data, 0, segments(offsets), std::array{10, 20, 30});
  CHECK(data == std::array{11, 2, 53});
}

TEST_CASE("the operands of segments") {
  SECTION("offsets is a tensor of rank 1 of any integers that are legal as indices, with any stride") {
    check_offset_type<signed char>();
    check_offset_type<unsigned char>();
    check_offset_type<short>();
    check_offset_type<unsigned short>();
    check_offset_type<int>();
    check_offset_type<unsigned>();
    check_offset_type<long>();
    check_offset_type<unsigned long>();
    check_offset_type<long long>();
    check_offset_type<unsigned long long>();
    const std::array<std::int64_t, 8> spread{3, -1, 1, -1, 1, -1, 0, -1};
    std::array<int, 3> data{1, 2, 3};
    index_add(data, 0, segments(tensor_view{spread.data() + 6, {4}, {-2}}), std::array{10, 20, 30});
    CHECK(data == std::array{11, 2, 53});
    const std::int32_t zero = 0;  // a stride of 0: no updates
    index_add(data, 0, segments(tensor_view{&zero, {4}, {0}}), tensor_view{static_cast<const int*>(nullptr), {0}});
    CHECK(data == std::array{11, 2, 53});
  }
  SECTION("one entry more than data has coordinates on the axis") {
    std::vector<int> none;
    index_add(none, 0, segments_at<0>(), none);
    CHECK(try_index_add(none, 0, segments_at<1>(), std::vector{1}).code() == errc::index_out_of_bounds);
  }
  SECTION("Constant evaluation, and elements that cannot be copied as bytes") {
    constexpr auto sums = [] {
      std::array<int, 4> data{1, 2, 3, 4};
      const std::array<unsigned char, 3> offsets{0, 1, 3};
      const std::array<int, 6> updates{10, 20, 30, 40, 50, 60};
      index_reduce(tensor_view{data.data(), {2, 2}}, 1, segments(offsets), tensor_view{updates.data(), {2, 3}},
                   red::without_init(red::sum));
      return data;
    }();
    CHECK(sums == std::array{10, 50, 40, 110});
    std::array<std::string, 3> words{"a", "b", "c"};
    index_add(words, 0, segments_at<0, 2, 2, 3>(), std::array<std::string, 3>{"x", "y", "z"});
    CHECK(words == std::array<std::string, 3>{"axy", "b", "cz"});
  }
  SECTION("Tensors whose types are known at run time only") {
    std::array<float, 3> data{1, 2, 3};
    const std::array<float, 3> updates{10, 20, 30};
    const std::array<std::int16_t, 4> offsets{0, 2, 2, 3};
    const dynamic::tensor sums(data.data(), dynamic::element_type_of<float>, {3});
    const dynamic::const_tensor values(updates.data(), dynamic::element_type_of<float>, {3});
    const dynamic::index_tensor given(offsets.data(), index_type::int16, {4});
    index_reduce(sums, 0, segments(given), values, red::mean);
    CHECK(data == std::array<float, 3>{31.0F / 3, 2, 16.5F});
    scatter_update(sums, segments(given), values, 0);
    CHECK(data == std::array<float, 3>{20, 2, 30});
    const std::array<std::int16_t, 4> bad{0, 2, 1, 3};
    CHECK(std::string_view(
              try_index_add(sums, 0, segments(dynamic::index_tensor(bad.data(), index_type::int16, {4})), values)
                  .message()) ==
          "index_add: offsets[2] = 1 is outside [2, 3] (from the offset before it to the number of updates on axis 0)");
    CHECK(data == std::array<float, 3>{20, 2, 30});

    // Bound: offsets are checked when their schedule would be made, and runs read them.
    dynamic::schedule bound;
    const auto add = [&](const auto& step, const dynamic::index_tensor& at) {
      return try_index_add(step, sums, 0, segments(at), values);
    };
    const dynamic::index_tensor contrary(bad.data(), index_type::int16, {4});
    CHECK(add(bound.measure(), contrary).ok());
    CHECK(bound.bytes() == 0);
    CHECK(add(bound.measure(), dynamic::index_tensor(bad.data(), index_type::int16, {3})).code() ==
          errc::extent_mismatch);
    CHECK(add(bound.make({}), contrary).code() == errc::index_out_of_bounds);
    REQUIRE(add(bound.make({}), given).ok());
    REQUIRE(add(bound.run(), given).ok());
    CHECK(data == std::array<float, 3>{50, 2, 60});
    const auto reduce = [&](reduction_kind kind) {
      return try_index_reduce(bound.measure(), sums, 0, segments(given), values, dynamic::reduction{kind, true});
    };
    CHECK(reduce(reduction_kind::max).ok());
    CHECK(reduce(reduction_kind::sub).code() == errc::unsupported_reduction);
  }
}

// The message of a call on [rows, 2] in place of zeros, which must not write.
template <class I>
std::string refused(errc code, const std::vector<I>& offsets, const index_list& updates_extents, std::int64_t rows) {
  std::vector<float> data(static_cast<std::size_t>(2 * rows));
  const std::vector<float> updates(1000, 1.0F);
  const tensor_view view{data.data(), {rows, 2}};
  const tensor_view source{updates.data(), updates_extents};
  const status outcome = try_index_add(view, 0, segments(offsets), source);
  CHECK(outcome.code() == code);
  for (const float element : data) CHECK(element == 0);
  std::vector<float> output(data.size(), 7.0F);
  CHECK(try_index_copy(view, 0, segments(offsets), source, tensor_view{output.data(), {rows, 2}}).code() == code);
  for (const float element : output) CHECK(element == 7);
  thread_pool pool{2};
  CHECK(try_index_reduce(pool, view, 0, segments(offsets), source, red::mean).code() == code);
  for (const float element : data) CHECK(element == 0);
  return std::string(outcome.message().view());
}

TEST_CASE("the errors of segments") {
  using enum errc;
  const std::uint64_t huge = std::uint64_t{1} << 63;
  constexpr auto lowest = (std::numeric_limits<std::int64_t>::min)();
  constexpr auto highest = (std::numeric_limits<std::int64_t>::max)();

  SECTION("The first is 0") {
    CHECK(refused<int>(index_out_of_bounds, {1, 2, 4}, {4, 2}, 2) ==
          "index_add: offsets[0] = 1 is outside [0, 0] (segments begin with the first update)");
    CHECK(refused<std::int64_t>(index_out_of_bounds, {lowest, 2, 4}, {4, 2}, 2) ==
          "index_add: offsets[0] = -9223372036854775808 is outside [0, 0] (segments begin with the first update)");
    CHECK(refused<std::uint64_t>(index_out_of_bounds, {huge, 2, 4}, {4, 2}, 2) ==
          "index_add: offsets[0] = 9223372036854775808 is outside [0, 0] (segments begin with the first update)");
  }
  SECTION("none is less than the one before") {
    CHECK(refused<int>(index_out_of_bounds, {0, 3, 2, 4}, {4, 2}, 3) ==
          "index_add: offsets[2] = 2 is outside [3, 4] (from the offset before it to the number of updates on axis 0)");
    CHECK(
        refused<signed char>(index_out_of_bounds, {0, 3, -2, 4}, {4, 2}, 3) ==
        "index_add: offsets[2] = -2 is outside [3, 4] (from the offset before it to the number of updates on axis 0)");
    CHECK(refused<std::int64_t>(index_out_of_bounds, {0, highest, 4}, {4, 2}, 2) ==
          "index_add: offsets[1] = 9223372036854775807 is outside [0, 4] (from the offset before it to the number of "
          "updates on "
          "axis 0)");
    CHECK(refused<std::int64_t>(index_out_of_bounds, {0, highest, lowest, 4}, {4, 2}, 3) ==
          "index_add: offsets[1] = 9223372036854775807 is outside [0, 4] (from the offset before it to the number of "
          "updates on "
          "axis 0)");
    CHECK(refused<std::uint64_t>(index_out_of_bounds, {0, ~std::uint64_t{0}, 4}, {4, 2}, 2) ==
          "index_add: offsets[1] = 18446744073709551615 is outside [0, 4] (from the offset before it to the number of "
          "updates "
          "on axis 0)");
    // Also far from the beginning.
    offsets_type many;
    for (std::int64_t s = 0; s <= 100; ++s) many.push_back(s * 4);
    many[77] -= 5;
    CHECK(refused(index_out_of_bounds, many, {400, 2}, 100) ==
          "index_add: offsets[77] = 303 is outside [304, 400] (from the offset before it to the number of updates on "
          "axis 0)");
  }
  SECTION("the last is n, the number of updates along the axis") {
    CHECK(refused<int>(index_out_of_bounds, {0, 3, 3}, {4, 2}, 2) ==
          "index_add: offsets[2] = 3 is outside [4, 4] (the number of updates on axis 0)");
    CHECK(refused<int>(index_out_of_bounds, {0, 3, 5}, {4, 2}, 2) ==
          "index_add: offsets[2] = 5 is outside [4, 4] (the number of updates on axis 0)");
    CHECK(refused<std::uint64_t>(index_out_of_bounds, {0, 3, huge}, {4, 2}, 2) ==
          "index_add: offsets[2] = 9223372036854775808 is outside [4, 4] (the number of updates on axis 0)");
    CHECK(refused<int>(index_out_of_bounds, {0, 0, 0}, {4, 2}, 2) ==
          "index_add: offsets[2] = 0 is outside [4, 4] (the number of updates on axis 0)");
  }
  SECTION("rank_mismatch (not of rank 1), extent_mismatch (another number of entries)") {
    CHECK(refused<int>(extent_mismatch, {0, 4}, {4, 2}, 2) ==
          "index_add: offsets has extent 2 on axis 0, expected one more than the 2 of data on axis 0");
    CHECK(refused<int>(extent_mismatch, {0, 1, 2, 4}, {4, 2}, 2) ==
          "index_add: offsets has extent 4 on axis 0, expected one more than the 2 of data on axis 0");
    CHECK(refused<int>(extent_mismatch, {}, {4, 2}, 2) ==
          "index_add: offsets has extent 0 on axis 0, expected one more than the 2 of data on axis 0");
    std::array<float, 2> data{};
    const std::array<int, 4> square{0, 1, 2, 4};
    CHECK(std::string_view(
              try_index_add(data, 0, segments(tensor_view{square.data(), {2, 2}}), std::array<float, 4>{}).message()) ==
          "index_add: offsets has rank 2, expected 1");
    CHECK(try_index_add(data, 0, segments(tensor_view{square.data(), {}}), std::array<float, 4>{}).code() ==
          rank_mismatch);
  }
  SECTION("The updates have the extents of data but for the axis") {
    CHECK(refused<int>(extent_mismatch, {0, 1, 4}, {4, 3}, 2) ==
          "index_add: updates has extent 3 on axis 1, expected 2 as data has");
    CHECK(refused<int>(rank_mismatch, {0, 1, 4}, {4}, 2) == "index_add: updates has rank 1, expected 2 as data has");
    CHECK(refused<int>(rank_mismatch, {0, 1, 4}, {4, 2, 1}, 2) ==
          "index_add: updates has rank 3, expected 2 as data has");
  }
  SECTION("overlap (with the output)") {
    std::array<int, 6> memory{0, 1, 1, 4, 5, 6};
    const tensor_view data{memory.data(), {2}};
    const status outcome = try_index_add(data, 0, segments(tensor_view{memory.data() + 1, {3}}), std::array{1});
    CHECK(outcome.code() == overlap);
    CHECK(std::string_view(outcome.message()) == "index_add: output shares memory with offsets");
    CHECK(memory == std::array{0, 1, 1, 4, 5, 6});
    CHECK(try_index_add(data, 0, segments_at<0, 1, 1>(), tensor_view{memory.data() + 1, {1}}).code() == overlap);
  }
  SECTION("Errors are those of the operator") {
    std::array<int, 2> data{};
    CHECK(try_index_add(data, 1, segments_at<0, 1, 1>(), std::array{1}).code() == axis_out_of_range);
    CHECK(try_scatter_update(data, segments_at<0, 1, 1>(), std::array{1}, {0, 0}).code() == count_mismatch);
  }
  SECTION("the same errors for elements that cannot be copied as bytes") {
    std::array<std::string, 2> words{"a", "b"};
    const std::array<std::string, 2> updates{"x", "y"};
    CHECK(std::string_view(try_index_add(words, 0, segments_at<0, 3, 2>(), updates).message()) ==
          "index_add: offsets[1] = 3 is outside [0, 2] (from the offset before it to the number of updates on axis 0)");
    CHECK(words == std::array<std::string, 2>{"a", "b"});
  }
}

TEST_CASE("prepared and bound calls by segments") {
  std::array<float, 3> sums{1, 2, 3};
  const std::array<float, 4> values{10, 20, 30, 40};
  std::array<int, 4> offsets{0, 2, 2, 4};
  const strided_layout rows = tensor_view{sums.data(), {3}}.layout();
  const strided_layout entries = tensor_view{offsets.data(), {4}}.layout();
  const strided_layout updates = tensor_view{values.data(), {4}}.layout();

  SECTION("A prepared call has strew::segments(layout) in the place of the layout of the indices") {
    const auto call = prepare<float, int>(index_add, {rows, segments(entries), updates}, 0);
    call.run(sums.data(), offsets.data(), values.data());
    CHECK(sums == std::array<float, 3>{31, 2, 73});
    prepared<float, segments_by<int>, index_copy, std::int64_t> copy;
    REQUIRE(try_prepare(index_copy, {rows, segments(entries), updates, rows}, 0, copy).ok());
    copy.run(sums.data(), offsets.data(), values.data(), sums.data());
    CHECK(sums == std::array<float, 3>{20, 2, 40});
    CHECK(try_prepare(index_copy, {rows, segments(updates), entries}, 1, copy).code() == errc::axis_out_of_range);
    CHECK(try_prepare(index_copy, {rows, segments(rows), updates}, 0, copy).code() == errc::extent_mismatch);
    offsets[1] = 5;
    CHECK(copy.try_run(sums.data(), offsets.data(), values.data(), sums.data()).code() == errc::index_out_of_bounds);
    CHECK(sums == std::array<float, 3>{20, 2, 40});
  }
  SECTION("A bound call keeps a copy of the offsets") {
    const auto call = prepare<float, int>(scatter_update, {rows, segments(entries), updates}, 0);
    std::vector<std::byte> memory(call.bound_bytes());
    const auto bound = call.bind(offsets.data(), memory);
    offsets = {9, 9, 9, 9};
    bound.run(sums.data(), values.data());
    CHECK(sums == std::array<float, 3>{20, 2, 40});
    auto other = bound;
    CHECK(call.try_bind(offsets.data(), memory, other).code() == errc::index_out_of_bounds);
    bound.run(sums.data(), values.data());
    CHECK(sums == std::array<float, 3>{20, 2, 40});
  }
}

}  // namespace
}  // namespace strew::test
