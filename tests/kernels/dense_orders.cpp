// SPDX-License-Identifier: Apache-2.0
// Whatever is, or becomes, a slice of a dense tensor whose axes lie in any order: blocks of it may then follow each
// other without data between them, while those of the updates do not.
#include "support/catch.hpp"
#include "support/kernel_limits.hpp"
#include "support/oracle.hpp"
#include "support/placed_bytes.hpp"

#include <strew/bound.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string>
#include <vector>

namespace strew::test {
namespace {

// Dense, the axes lying in memory in the given order, the last innermost.
placement place_in_order(const shape& extents, const std::vector<std::size_t>& order) {
  shape strides(extents.size());
  std::int64_t stride = 1;
  for (std::size_t k = order.size(); k-- > 0;) {
    strides[order[k]] = stride;
    stride *= extents[order[k]];
  }
  return place(extents, strides);
}

std::vector<std::vector<std::size_t>> all_orders(std::size_t rank) {
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < rank; ++k) order.push_back(k);
  std::vector<std::vector<std::size_t>> result;
  do result.push_back(order);
  while (std::next_permutation(order.begin(), order.end()));
  return result;
}

template <class T>
struct tensors {
  placed_bytes data;
  placed_bytes updates;
  placed_bytes output;

  tensors(const placement& data_place, const placement& updates_place)
      : data(data_place, sizeof(T), 64, 0),
        updates(updates_place, sizeof(T), 0, 0),
        output(data_place, sizeof(T), 64, 0) {
    fill(data, 1);
    fill(updates, 100'000);
    fill(output, 200'000);
  }

 private:
  static void fill(const placed_bytes& tensor, std::uint32_t first) {
    for (std::size_t i = 0; i < tensor.size(); ++i) {
      char bytes[sizeof(T)] = {};
      const auto number = static_cast<std::uint32_t>(first + i);
      std::memcpy(bytes, &number, sizeof(T) < 4 ? sizeof(T) : 4);
      std::memcpy(tensor.element(i), bytes, sizeof(T));
    }
  }
};

// Runs call() and holds all memory of the output to the oracle's.
template <class T, class Call>
void check(const tensors<T>& on, const oracle::provenance& expected, const std::string& what, const Call& call) {
  std::vector<char> image = on.output.image();
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const char* const from =
        expected[i] == oracle::kept ? on.data.element(i) : on.updates.element(static_cast<std::size_t>(expected[i]));
    std::memcpy(on.output.in_image(image, i), from, sizeof(T));
  }
  const std::vector<char> before = on.output.image();
  call();
  if (!on.output.is_like(image)) FAIL(what << " differs, or was written beyond");
  on.output.restore(before);
}

std::string text_of(const placed_bytes& tensor) {
  std::string text;
  for (const std::int64_t extent : tensor.extents()) text += std::to_string(extent) + ' ';
  text += "with strides ";
  for (const std::int64_t stride : tensor.strides()) text += std::to_string(stride) + ' ';
  return text;
}

// Elements first, first + step, .. of axis 0 by way of everything that comes to a slice.
template <class T>
void check_all_ways(const tensors<T>& on, std::int64_t first, std::int64_t step, std::int64_t count) {
  const shape data = on.data.extents();
  const auto in = view_of<const T>(on.data);
  const auto with = view_of<const T>(on.updates);
  const auto out = view_of<T>(on.output);
  const std::int64_t stop = first + count * step;
  const oracle::provenance expected = oracle::slice_scatter(data, {{first, stop, step, 0}});
  INFO("output " << text_of(on.output) << ", updates " << text_of(on.updates) << ", slice " << first << ':' << stop
                 << ':' << step);
  check(on, expected, "slice_scatter",
        [&] { slice_scatter(in, with, {.start = first, .stop = stop, .step = step, .axes = 0}, out); });
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < count; ++i) numbers.push_back(first + i * step);
  const tensor_view<const std::int64_t> indices(numbers.data(), {count});
  check(on, expected, "scatter_update", [&] { scatter_update(in, indices, with, 0, out); });
  check(on, expected, "index_copy", [&] { index_copy(in, 0, indices, with, out); });
  const auto prepared =
      prepare<T, std::int64_t>(scatter_update, {in.layout(), indices.layout(), with.layout(), out.layout()}, 0);
  check(on, expected, "a prepared scatter_update",
        [&] { prepared.run(in.data(), indices.data(), with.data(), out.data()); });
  std::vector<std::byte> kept(prepared.bound_bytes());
  const auto bound = prepared.bind(indices.data(), kept);
  check(on, expected, "a bound scatter_update", [&] { bound.run(in.data(), with.data(), out.data()); });
  const auto per_lane = broadcast(tensor_view<const std::int64_t>(numbers.data(), {count, 1, 1}), with.extents());
  check(on, expected, "scatter_elements_update", [&] { scatter_elements_update(in, per_lane, with, 0, out); });
}

template <class T>
void check_orders_of(const shape& extents) {
  const auto orders = all_orders(extents.size());
  for (const auto& order : orders) {
    const placement where = place_in_order(extents, order);
    for (const std::int64_t count : {std::int64_t{1}, extents[0] / 3, extents[0] / 2, extents[0] - 1, extents[0]}) {
      if (count < 1) continue;
      shape updates = extents;
      updates[0] = count;
      for (const auto& order_of_updates : orders) {
        const tensors<T> on(where, place_in_order(updates, order_of_updates));
        check_all_ways(on, 0, 1, count);
        if (count > 1 && 2 * count <= extents[0]) check_all_ways(on, 0, 2, count);
        if (count < extents[0]) check_all_ways(on, extents[0] - count, 1, count);
      }
    }
  }
}

TEST_CASE("the smallest slices of transposed dense outputs that were written beyond their end", "[orders]") {
  // With the thresholds that were measured it takes 1 KiB of output.
  const tensors<float> on(place_in_order({11, 12, 2}, {1, 0, 2}), place_in_order({4, 12, 2}, {0, 1, 2}));
  REQUIRE(on.output.strides() == shape{2, 22, 1});
  check_all_ways(on, 0, 1, 4);
  // With others some elements do.
  limits_for_test limits;
  limits.set_smallest();
  const tensors<float> small(place_in_order({3, 2, 2}, {1, 0, 2}), place_in_order({2, 2, 2}, {0, 1, 2}));
  check_all_ways(small, 0, 1, 2);
}

TEST_CASE("slices of dense outputs in any order of axes, of any shape up to 12 x 12 x 5", "[orders]") {
  for (const std::int64_t a : {3, 8, 11, 12}) {
    for (const std::int64_t b : {2, 7, 12}) {
      for (const std::int64_t c : {1, 2, 3, 4, 5}) check_orders_of<float>({a, b, c});
    }
  }
}

TEMPLATE_TEST_CASE("slices of dense outputs in any order of axes, whatever kernel runs", "[orders]", std::uint8_t,
                   std::uint16_t, float, double) {
  limits_for_test limits;
  for (int setting = 0; setting < 12; ++setting) {
    random_source random(static_cast<std::uint64_t>(setting));
    if (setting == 0) limits.set_smallest();
    if (setting == 1) limits.set_largest();
    if (setting > 1) limits.draw(random);
    for (const shape& extents : {shape{4, 3, 2}, {5, 2, 4}, {3, 4, 8}, {6, 5, 1}}) check_orders_of<TestType>(extents);
  }
}

TEST_CASE("coordinates, diagonals and caches of dense outputs in any order of axes", "[orders]") {
  limits_for_test limits;
  for (const bool smallest : {false, true}) {
    if (smallest) limits.set_smallest();
    const shape extents{4, 12, 17, 2};
    for (const auto& order : all_orders(4)) {
      const placement where = place_in_order(extents, order);
      const std::int64_t axis = static_cast<std::int64_t>(order[1]);
      shape one = extents;
      one.erase(std::next(one.begin(), static_cast<std::ptrdiff_t>(axis)));
      for (const auto& order_of_updates : all_orders(3)) {
        const tensors<float> on(where, place_in_order(one, order_of_updates));
        oracle::provenance expected(on.data.size(), oracle::kept);
        for_each_coordinate(one, [&](const shape& at) {
          shape target = at;
          target.insert(std::next(target.begin(), static_cast<std::ptrdiff_t>(axis)), 1);
          expected[oracle::position_of(target, extents)] = static_cast<std::int64_t>(oracle::position_of(at, one));
        });
        check(on, expected, "select_scatter", [&] {
          select_scatter(view_of<const float>(on.data), view_of<const float>(on.updates), axis, 1,
                         view_of<float>(on.output));
        });
      }
      const shape new_tokens{4, 12, 3, 2};
      const tensors<float> cache(where, place_in_order(new_tokens, order));
      const std::int64_t starts[] = {0, 3, 14, 5};
      oracle::provenance expected(cache.data.size(), oracle::kept);
      for_each_coordinate(new_tokens, [&](const shape& at) {
        shape target = at;
        target[2] += starts[at[0]];
        expected[oracle::position_of(target, extents)] = static_cast<std::int64_t>(oracle::position_of(at, new_tokens));
      });
      check(cache, expected, "tensor_scatter", [&] {
        onnx::tensor_scatter(view_of<const float>(cache.data), view_of<const float>(cache.updates),
                             tensor_view<const std::int64_t>(starts, {4}), {}, view_of<float>(cache.output));
      });
    }
  }
}

}  // namespace
}  // namespace strew::test
