// SPDX-License-Identifier: Apache-2.0
// Booleans as other libraries have them, in bytes that are neither 0 nor 1: where they are combined every byte but 0 is
// true and the result is 0 or 1; where they are moved they keep their bits. UndefinedBehaviorSanitizer sees no bool of
// them loaded.
#include "support/backwards.hpp"
#include "support/catch.hpp"
#include "support/guarded_workspace.hpp"
#include "support/random_source.hpp"

#include <strew/print.hpp>
#include <strew/strew.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace strew::test {
namespace {

namespace red = strew::reduction;

using bytes = std::vector<unsigned char>;

tensor_view<bool> writable(bytes& of, const index_list& extents) {
  return {reinterpret_cast<bool*>(of.data()), extents};
}
tensor_view<const bool> readable(const bytes& of, const index_list& extents) {
  return {reinterpret_cast<const bool*>(of.data()), extents};
}

bytes draw(random_source& random, std::int64_t count) {
  bytes result;
  for (std::int64_t i = 0; i < count; ++i) {
    result.push_back(static_cast<unsigned char>(random.one_in(3) ? 0 : random.one_in(3) ? 1 : random.below(256)));
  }
  return result;
}

// What the document says of two truth values.
bool combined(reduction_kind kind, bool a, bool b) {
  switch (kind) {
    case reduction_kind::sum:
    case reduction_kind::max:
      return a || b;
    case reduction_kind::sub:
      return a != b;
    default:
      return a && b;
  }
}

// Updates of `width` bytes for the rows that `at` names.
bytes reduce_rows(const bytes& data, const std::vector<std::int64_t>& at, const bytes& updates, std::size_t width,
                  reduction_kind kind, bool init) {
  bytes output = data;
  std::vector<bool> was_touched(data.size(), init);
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (std::size_t e = 0; e < width; ++e) {
      const std::size_t to = static_cast<std::size_t>(at[i]) * width + e;
      const unsigned char update = updates[i * width + e];
      const bool is_moved = kind == reduction_kind::none || !was_touched[to];
      output[to] = is_moved ? update : combined(kind, output[to] != 0, update != 0);
      was_touched[to] = true;
    }
  }
  return output;
}

// Calls body(reduction, kind, init) for each that bool has.
template <class Body>
void for_each_reduction(const Body& body) {
  body(red::none, reduction_kind::none, true);
  body(red::sum, reduction_kind::sum, true);
  body(red::sub, reduction_kind::sub, true);
  body(red::prod, reduction_kind::prod, true);
  body(red::min, reduction_kind::min, true);
  body(red::max, reduction_kind::max, true);
}
template <class Body>
void for_each_reduction_without_init(const Body& body) {
  body(red::without_init(red::sum), reduction_kind::sum, false);
  body(red::without_init(red::prod), reduction_kind::prod, false);
  body(red::without_init(red::min), reduction_kind::min, false);
  body(red::without_init(red::max), reduction_kind::max, false);
}

struct rows_case {
  std::int64_t rows;
  std::int64_t width;
  std::vector<std::int64_t> at;
  bytes data;
  bytes updates;

  rows_case(std::int64_t row_count, std::int64_t update_count, std::int64_t row_width)
      : rows{row_count}, width{row_width} {
    random_source random(static_cast<std::uint64_t>(31 + width));
    for (std::int64_t i = 0; i < update_count; ++i) at.push_back(random.below(rows));
    data = draw(random, rows * width);
    updates = draw(random, update_count * width);
  }
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(at.size()); }
  [[nodiscard]] bytes expected(reduction_kind kind, bool init) const {
    return reduce_rows(data, at, updates, static_cast<std::size_t>(width), kind, init);
  }
};

TEST_CASE("slices that tuples name, of any width") {
  const auto width = GENERATE(std::int64_t{1}, std::int64_t{2}, std::int64_t{16}, std::int64_t{37});
  const rows_case of(50, 120, width);
  const tensor_view<const std::int64_t> tuples{of.at.data(), {of.count(), 1}};
  for_each_reduction([&](const auto& reduction, reduction_kind kind, bool init) {
    INFO(red::name_of(kind) << ", width " << width);
    const bytes expected = of.expected(kind, init);
    bytes output(of.data.size());
    v15::scatter_nd_update(readable(of.data, {of.rows, width}), tuples, readable(of.updates, {of.count(), width}),
                           reduction, writable(output, {of.rows, width}));
    CHECK(output == expected);
    bytes in_place = of.data;
    v15::scatter_nd_update(backwards{}, writable(in_place, {of.rows, width}), tuples,
                           readable(of.updates, {of.count(), width}), reduction);
    CHECK(in_place == expected);
    guarded_workspace memory(20000);
    bytes with_memory = of.data;
    v15::scatter_nd_update(workspace{memory.lend(20000)}, writable(with_memory, {of.rows, width}), tuples,
                           readable(of.updates, {of.count(), width}), reduction);
    CHECK(with_memory == expected);
  });
}

TEST_CASE("without what was there the first update is moved, and the rest combined") {
  const auto width = GENERATE(std::int64_t{1}, std::int64_t{5}, std::int64_t{16});
  const rows_case of(70, 90, width);
  const tensor_view<const std::int64_t> rows{of.at.data(), {of.count()}};
  for_each_reduction_without_init([&](const auto& reduction, reduction_kind kind, bool init) {
    INFO(red::name_of(kind) << ", width " << width);
    bytes output(of.data.size());
    index_reduce(readable(of.data, {of.rows, width}), 0, rows, readable(of.updates, {of.count(), width}), reduction,
                 writable(output, {of.rows, width}));
    CHECK(output == of.expected(kind, init));
  });
}

TEST_CASE("elements along an outer axis") {
  constexpr std::int64_t rows = 40;
  constexpr std::int64_t columns = 200;
  constexpr std::int64_t count = 60;
  random_source random(8);
  const bytes data = draw(random, rows * columns);
  const bytes updates = draw(random, count * columns);
  std::vector<std::int64_t> at(count * columns);
  for (std::int64_t& index : at) index = random.between(-rows, rows - 1);
  // As elements of one row-major axis.
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < at.size(); ++i) {
    places.push_back((at[i] + rows) % rows * columns + static_cast<std::int64_t>(i) % columns);
  }
  const auto check = [&](const auto& reduction, reduction_kind kind, bool init) {
    const bytes expected = reduce_rows(data, places, updates, 1, kind, init);
    guarded_workspace memory(100000);
    for (const std::int64_t lent : {0, 100000}) {
      bytes output(data.size());
      v12::scatter_elements_update(workspace{memory.lend(lent)}, readable(data, {rows, columns}),
                                   tensor_view<const std::int64_t>{at.data(), {count, columns}},
                                   readable(updates, {count, columns}), 0, reduction,
                                   writable(output, {rows, columns}));
      CHECK(output == expected);
    }
  };
  check(red::sum, reduction_kind::sum, true);
  check(red::min, reduction_kind::min, true);
  check(red::without_init(red::prod), reduction_kind::prod, false);
}

TEST_CASE("callables are given true or false, also those that may throw") {
  const rows_case of(50, 120, 3);
  const tensor_view<const std::int64_t> rows{of.at.data(), {of.count()}};
  const auto check = [&](const auto& differ) {
    bytes output(of.data.size());
    index_reduce(readable(of.data, {of.rows, 3}), 0, rows, readable(of.updates, {of.count(), 3}), differ,
                 writable(output, {of.rows, 3}));
    CHECK(output == of.expected(reduction_kind::sub, true));
  };
  check([](bool a, bool b) noexcept { return a != b; });
  check([](bool a, bool b) { return a != b; });
  check([](const bool& a, const bool& b) { return static_cast<int>(a) + static_cast<int>(b) == 1; });
}

TEST_CASE("a scaled sum") {
  const rows_case of(50, 120, 20);
  const tensor_view<const std::int64_t> rows{of.at.data(), {of.count()}};
  bytes output = of.data;
  index_add(writable(output, {50, 20}), 0, rows, readable(of.updates, {of.count(), 20}), scaled_by{true});
  CHECK(output == of.expected(reduction_kind::sum, true));
}

TEST_CASE("masks move what they select") {
  const auto stride = GENERATE(std::int64_t{1}, std::int64_t{2});
  constexpr std::int64_t count = 300;
  random_source random(4);
  const bytes data = draw(random, count);
  const bytes source = draw(random, count);
  const bytes mask = draw(random, 2 * count);
  bytes scattered = data;
  bytes filled = data;
  std::size_t next = 0;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (mask[i * static_cast<std::size_t>(stride)] == 0) continue;
    scattered[i] = source[next++];
    filled[i] = source[7];
  }
  const tensor_view<const bool> selected{reinterpret_cast<const bool*>(mask.data()), {count}, {stride}};
  const tensor_view<const bool> value{reinterpret_cast<const bool*>(source.data()) + 7, {}};
  bytes output(data.size());
  masked_scatter(readable(data, {count}), selected, readable(source, {count}), writable(output, {count}));
  CHECK(output == scattered);
  masked_fill(backwards{}, readable(data, {count}), selected, value, writable(output, {count}));
  CHECK(output == filled);
  output = data;
  masked_scatter(writable(output, {count}), selected, readable(source, {count}));
  CHECK(output == scattered);
}

TEST_CASE("every byte but 0 is printed as True") {
  const bytes values{0, 1, 2, 255};
  CHECK(to_string(readable(values, {4})) == "[False  True  True  True]");
}

}  // namespace
}  // namespace strew::test
