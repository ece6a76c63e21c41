// SPDX-License-Identifier: Apache-2.0
// Prepared and bound calls with a policy for bad indices, of operands that are dense: their bound indices become a
// schedule, without the updates that are dropped.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"
#include "support/random_source.hpp"
#include "support/with_policy.hpp"

#include <strew/bound.hpp>
#include <strew/prepare.hpp>
#include <strew/strew.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace strew::test {
namespace {

using enum index_policy;

// What a policy makes of an index, -1 if its update is dropped; by the documents of the policies.
template <class Index>
std::int64_t element_by(index_policy policy, Index index, std::int64_t extent, bool wraps) {
  const auto value = static_cast<long double>(index);
  const auto end = static_cast<long double>(extent);
  const bool counts_from_end = wraps && value < 0 && value >= -end;
  const bool is_legal = counts_from_end || (value >= 0 && value < end);
  if (is_legal && policy != wrap) return static_cast<std::int64_t>(counts_from_end ? value + end : value);
  switch (policy) {
    case drop:
      return -1;
    case clip:
      return value < 0 ? 0 : extent - 1;
    default: {
      if (value >= 0)
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(index) % static_cast<std::uint64_t>(extent));
      const std::int64_t rest = static_cast<std::int64_t>(index) % extent;
      return rest < 0 ? rest + extent : rest;
    }
  }
}

strided_layout layout_of(const index_list& extents, std::size_t size) {
  strided_layout made;
  REQUIRE(strided_layout::try_make(extents, size, made).ok());
  return made;
}

// Indices on an axis of which `bad` of 8 are outside.
template <class Index>
std::vector<Index> draw_indices(random_source& random, std::int64_t count, std::int64_t extent, int bad) {
  std::vector<Index> indices(static_cast<std::size_t>(count));
  for (Index& index : indices) {
    index = static_cast<Index>(random.below(extent));
    if (random.below(8) >= bad) continue;
    const std::array<Index, 4> outside{static_cast<Index>(extent), std::numeric_limits<Index>::max(),
                                       static_cast<Index>(-1), std::numeric_limits<Index>::min()};
    index = outside[static_cast<std::size_t>(random.below(4))];
  }
  return indices;
}

struct shape {
  std::int64_t outer;
  std::int64_t extent;
  std::int64_t inner;
  std::int64_t count;
};

// An operator by rows on axis 1 of [outer, extent, inner], summed or assigned, on one thread, on some, and with a
// workspace.
template <index_policy Policy, class Index, class Prepare>
void check_rows(random_source& random, const shape& of, int bad, bool sums, const Prepare& prepare_on) {
  CAPTURE(static_cast<int>(Policy), of.outer, of.extent, of.inner, of.count, bad, sums);
  const strided_layout table = layout_of({of.outer, of.extent, of.inner}, sizeof(float));
  const strided_layout rows = layout_of({of.outer, of.count, of.inner}, sizeof(float));
  const strided_layout places = layout_of(of.count, sizeof(Index));
  std::vector<Index> indices = draw_indices<Index>(random, of.count, of.extent, bad);
  std::vector<float> data(static_cast<std::size_t>(table.size()));
  std::vector<float> updates(static_cast<std::size_t>(rows.size()));
  // Of sizes so different that another order gives other sums.
  for (std::size_t k = 0; k < data.size(); ++k) data[k] = static_cast<float>(k % 7) * 1e7F;
  for (std::size_t k = 0; k < updates.size(); ++k)
    updates[k] = static_cast<float>(k % 1001) * (k % 3 == 0 ? 1e6F : 0.3F);
  std::vector<float> expected = data;
  for (std::int64_t o = 0; o < of.outer; ++o) {
    for (std::int64_t i = 0; i < of.count; ++i) {
      const std::int64_t target = element_by(Policy, indices[static_cast<std::size_t>(i)], of.extent, false);
      for (std::int64_t j = 0; j < of.inner && target >= 0; ++j) {
        float& to = expected[static_cast<std::size_t>((o * of.extent + target) * of.inner + j)];
        const float update = updates[static_cast<std::size_t>((o * of.count + i) * of.inner + j)];
        to = sums ? to + update : update;
      }
    }
  }
  const auto call = prepare_on(table, places, rows);
  std::vector<std::byte> memory(call.bound_bytes());
  const auto bound = call.bind(indices.data(), memory);
  const std::vector<Index> given = indices;
  for (const bool is_bound : {false, true}) {
    if (is_bound) indices.assign(indices.size(), Index{});  // which runs do not read
    const auto run = [&](const auto& ex, const float* from, float* to) {
      is_bound ? bound.run(ex, from, updates.data(), to) : call.run(ex, from, indices.data(), updates.data(), to);
    };
    for (const bool in_place : {false, true}) {
      CAPTURE(is_bound, in_place);
      const auto result_on = [&](const auto& ex) {
        std::vector<float> output = data;
        run(ex, in_place ? output.data() : data.data(), output.data());
        return output;
      };
      CHECK(result_on(serial) == expected);
      CHECK(result_on(backwards{}) == expected);
      guarded_workspace lent(static_cast<std::int64_t>(bound.workspace_bytes()));
      CHECK(result_on(workspace(lent.lend(static_cast<std::int64_t>(bound.workspace_bytes())))) == expected);
      CHECK_FALSE(lent.was_written_around());
    }
  }
}
template <index_policy Policy, class Index>
void check_policy(random_source& random) {
  // Few and many; rows of an element, of some, and longer than a cache line; all, some and no index bad.
  for (const shape& of : {shape{1, 40, 1, 9}, shape{1, 700, 1, 2500}, shape{3, 90, 5, 400}, shape{2, 60, 40, 300}}) {
    for (const int bad : {0, 2, 8}) {
      check_rows<Policy, Index>(random, of, bad, true, [](const auto& data, const auto& indices, const auto& updates) {
        return prepare<float, Index>(index_add, {data, with_policy<Policy>(indices), updates, data}, 1);
      });
      check_rows<Policy, Index>(random, of, bad, false, [](const auto& data, const auto& indices, const auto& updates) {
        return prepare<float, Index>(scatter_update, {data, with_policy<Policy>(indices), updates, data}, 1);
      });
    }
  }
}

TEST_CASE("prepared and bound rows with a policy equal naive loops", "[prepare]") {
  random_source random(5501);
  check_policy<drop, int>(random);
  check_policy<clip, std::uint16_t>(random);
  check_policy<wrap, std::uint64_t>(random);
  check_policy<drop, std::int64_t>(random);
  check_policy<wrap, std::int8_t>(random);
}

TEST_CASE("prepared and bound multi-indices of which a component is bad are dropped whole", "[prepare]") {
  random_source random(5502);
  for (const std::int64_t count : {7, 3000}) {
    const strided_layout table = layout_of({40, 30, 2}, sizeof(int));
    const strided_layout some = layout_of({count, 2}, sizeof(int));
    const strided_layout line = layout_of(count, sizeof(std::int16_t));
    const auto firsts = draw_indices<std::int16_t>(random, count, 40, 1);
    const auto seconds = draw_indices<std::int16_t>(random, count, 30, 1);
    std::vector<int> data(static_cast<std::size_t>(table.size()), 1);
    std::vector<int> updates(static_cast<std::size_t>(some.size()));
    for (std::size_t k = 0; k < updates.size(); ++k) updates[k] = static_cast<int>(k);
    std::vector<int> expected = data;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::int64_t first = element_by(drop, firsts[static_cast<std::size_t>(i)], 40, true);
      const std::int64_t second = element_by(drop, seconds[static_cast<std::size_t>(i)], 30, true);
      if (first < 0 || second < 0) continue;
      for (std::int64_t j = 0; j < 2; ++j) {
        expected[static_cast<std::size_t>((first * 30 + second) * 2 + j)] +=
            updates[static_cast<std::size_t>(i * 2 + j)];
      }
    }
    const auto call = prepare<int, std::int16_t>(index_put, {table, strew::drop(std::array{line, line}), some, table},
                                                 reduction::sum);
    const std::array<const std::int16_t*, 2> both{firsts.data(), seconds.data()};
    std::vector<int> output(data.size());
    call.run(data.data(), both, updates.data(), output.data());
    CHECK(output == expected);
    std::vector<std::byte> memory(call.bound_bytes());
    const auto bound = call.bind(both, memory);
    output.assign(output.size(), 0);
    bound.run(backwards{}, data.data(), updates.data(), output.data());
    CHECK(output == expected);
  }
}

TEST_CASE("a prepared call with a policy is named by its type, and refuses other numbers of layouts", "[prepare]") {
  const strided_layout table = layout_of(8, sizeof(float));
  const strided_layout some = layout_of(3, sizeof(float));
  prepared<float, indices_with_policy<clip, int>, index_add, std::int64_t> call;
  const std::array<int, 3> indices{-5, 9, 2};
  const std::array<float, 3> updates{1, 2, 4};
  REQUIRE(try_prepare(index_add, {table, strew::clip(some), some}, 0, call).ok());
  std::vector<float> data(8, 0.0F);
  call.run(data.data(), indices.data(), updates.data());
  CHECK(data == std::vector<float>{1, 0, 4, 0, 0, 0, 0, 2});
  const status refused = try_prepare(index_add, {table, strew::clip(some)}, 0, call);
  CHECK(refused.code() == errc::count_mismatch);
  CHECK(std::string(refused.message().view()) == "index_add: layouts has 2 entries, expected 3 or 4");
  call.run(data.data(), indices.data(), updates.data());  // as it was
  CHECK(data == std::vector<float>{2, 0, 8, 0, 0, 0, 0, 4});
  CHECK_THROWS_AS((prepare<float, int>(index_fill, {table, strew::drop(some), some, table}, 0, 1.0F)), scatter_error);
  const auto filled = prepare<float, int>(index_fill, {table, strew::drop(some)}, 0, 1.0F);
  filled.run(data.data(), indices.data());  // -5 counts from the end, as in PyTorch
  CHECK(data == std::vector<float>{2, 0, 1, 1, 0, 0, 0, 4});
}

TEST_CASE("an index on an axis without elements is dropped, and neither clipped nor wrapped", "[prepare]") {
  const strided_layout none = layout_of({0, 2}, sizeof(float));
  const strided_layout one = layout_of(1, sizeof(int));
  const strided_layout row = layout_of({1, 2}, sizeof(float));
  const int index = 0;
  const std::array<float, 2> updates{1, 2};
  std::vector<std::byte> memory(64);
  const auto dropped = prepare<float, int>(index_add, {none, strew::drop(one), row}, 0);
  CHECK(dropped.try_run(nullptr, &index, updates.data()).ok());
  CHECK_NOTHROW(dropped.bind(&index, memory).run(nullptr, updates.data()));
  const auto clipped = prepare<float, int>(index_add, {none, strew::clip(one), row}, 0);
  CHECK(clipped.try_run(nullptr, &index, updates.data()).code() == errc::index_out_of_bounds);
  CHECK_THROWS_AS(clipped.bind(&index, memory), scatter_error);
}

}  // namespace
}  // namespace strew::test
