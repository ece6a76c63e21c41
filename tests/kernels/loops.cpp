// SPDX-License-Identifier: Apache-2.0
// The innermost loops over elements, one set for each width: held to plain loops at addresses that are no multiple of
// anything, with all memory compared, so that a byte written beside an element is seen.
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/random_source.hpp"

#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/scatter_loops.hpp>
#include <strew/detail/kernels/small_scatter.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace strew::test {
namespace {

using strew::detail::any_width;
using strew::detail::copy_loops;
using strew::detail::dense_plan;
using strew::detail::scatter_features;
using strew::detail::scatter_kind;
using strew::detail::scatter_loops;
using strew::detail::scattered_run;
using strew::detail::tile_columns;

// The leaves that move elements of `width` bytes; those for int32 and those for int64 indices.
struct loop_set {
  std::int64_t width;
  const copy_loops& copy;
  const scatter_loops& by_int32;
  const scatter_loops& by_int64;
};

constexpr scatter_features everything{scatter_kind::element, true, true, true};
constexpr scatter_features rows_only{scatter_kind::row, false, true, false};

template <std::size_t Width>
loop_set leaves_of(std::int64_t width) {
  return {width, strew::detail::copy_loops_of<Width>, strew::detail::scatter_loops_of<Width, std::int32_t, everything>,
          strew::detail::scatter_loops_of<Width, std::int64_t, everything>};
}

// Each width with leaves of its own, one that no register holds, and some of those that leaves are told.
const std::vector<loop_set>& all_loops() {
  static const std::vector<loop_set> sets{leaves_of<1>(1),          leaves_of<2>(2),          leaves_of<4>(4),
                                          leaves_of<8>(8),          leaves_of<16>(16),        leaves_of<12>(12),
                                          leaves_of<any_width>(1),  leaves_of<any_width>(3),  leaves_of<any_width>(7),
                                          leaves_of<any_width>(13), leaves_of<any_width>(100)};
  return sets;
}

// Every count up to more than two vectors of bytes, and some of those from which other loops are chosen.
const std::vector<std::int64_t>& all_counts() {
  static const std::vector<std::int64_t> counts = [] {
    std::vector<std::int64_t> result;
    for (std::int64_t count = 0; count <= 70; ++count) result.push_back(count);
    for (const std::int64_t count : {127, 128, 200, 1001}) result.push_back(count);
    return result;
  }();
  return counts;
}

// Memory for elements whose offsets run from `lowest` to `highest`, with room around them; offset 0 is at an odd byte.
class arena {
 public:
  arena(std::int64_t lowest, std::int64_t highest, std::int64_t width, std::uint64_t seed)
      : first_(room - lowest), memory_(noise(highest - lowest + width + 2 * room, seed)) {}
  [[nodiscard]] char* data() { return memory_.data() + first_; }
  friend bool operator==(const arena&, const arena&) = default;

 private:
  static constexpr std::int64_t room = 33;
  std::int64_t first_;
  std::vector<char> memory_;
};

// For `count` elements `stride` bytes apart.
arena arena_for(std::int64_t stride, std::int64_t count, std::int64_t width, std::uint64_t seed) {
  const std::int64_t last = count > 0 ? (count - 1) * stride : 0;
  return {std::min<std::int64_t>(last, 0), std::max<std::int64_t>(last, 0), width, seed};
}

void copy_element(char* to, const char* from, std::int64_t width) {
  for (std::int64_t k = 0; k < width; ++k) to[k] = from[k];
}

TEST_CASE("a run is copied between any two strides, in any number of elements", "[leaves]") {
  for (const loop_set& loops : all_loops()) {
    const std::int64_t w = loops.width;
    for (const std::int64_t to_stride : {w, 2 * w, 3 * w + 1, -w, -2 * w - 1}) {
      for (const std::int64_t from_stride : {w, -w, std::int64_t{0}, 2 * w, -2 * w, 5 * w + 3, std::int64_t{1}}) {
        for (const std::int64_t count : all_counts()) {
          const arena before = arena_for(to_stride, count, w, 1);
          arena source = arena_for(from_stride, count, w, 2);
          arena expected = before;
          for (std::int64_t i = 0; i < count; ++i) {
            copy_element(expected.data() + i * to_stride, source.data() + i * from_stride, w);
          }
          arena target = before;
          loops.copy.copy_lines(target.data(), source.data(), {1, {}}, {count, {to_stride, from_stride}}, w);
          if (target == expected) continue;
          CAPTURE(w, to_stride, from_stride, count);
          FAIL("the run was not copied, or more than it");
        }
      }
    }
  }
}

TEST_CASE("lines of runs of any length are copied between any strides", "[leaves]") {
  for (const loop_set& loops : all_loops()) {
    const std::int64_t w = loops.width;
    for (const std::int64_t to_stride : {w, 2 * w, -w}) {
      for (const std::int64_t from_stride : {w, std::int64_t{0}, -3 * w}) {
        for (std::int64_t count = 1; count <= 20; ++count) {
          const std::int64_t line = 2 * w * 20 + 5;
          const std::int64_t last = 4 * line + 19 * 3 * w;
          const arena before(-last, last, w, 1);
          arena source(-last, last, w, 2);
          arena expected = before;
          for (std::int64_t l = 0; l < 5; ++l) {
            for (std::int64_t i = 0; i < count; ++i) {
              copy_element(expected.data() + l * line + i * to_stride, source.data() - l * w + i * from_stride, w);
            }
          }
          arena target = before;
          loops.copy.copy_lines(target.data(), source.data(), {5, {line, -w}}, {count, {to_stride, from_stride}}, w);
          if (target == expected) continue;
          CAPTURE(w, to_stride, from_stride, count);
          FAIL("the lines were not copied, or more than they");
        }
      }
    }
  }
}

TEST_CASE("blocks of any size are copied, and nothing else", "[leaves]") {
  for (std::int64_t bytes = 1; bytes <= 300; ++bytes) {
    for (const std::int64_t gap : {0, 1, 19}) {
      const std::int64_t to_stride = bytes + gap;
      const std::int64_t from_stride = bytes + 19 - gap;
      constexpr std::int64_t count = 3;
      const arena before(0, (count - 1) * to_stride + bytes - 1, 1, 1);
      arena source(0, (count - 1) * from_stride + bytes - 1, 1, 2);
      arena expected = before;
      for (std::int64_t i = 0; i < count; ++i) {
        copy_element(expected.data() + i * to_stride, source.data() + i * from_stride, bytes);
      }
      arena target = before;
      strew::detail::copy_blocks(target.data(), to_stride, source.data(), from_stride, count, bytes);
      if (target == expected) continue;
      CAPTURE(bytes, gap);
      FAIL("the blocks were not copied, or more than they");
    }
  }
}

void check_interleave(copy_loops::interleave_function interleave, std::int64_t block) {
  for (std::int64_t step = 2; strew::detail::may_interleave(block, step * block); ++step) {
    for (const std::int64_t count : all_counts()) {
      const arena before = arena_for(block, count * step, block, 1);
      arena data = arena_for(block, count * step, block, 2);
      arena updates = arena_for(block, count, block, 3);
      arena expected = before;
      for (std::int64_t i = 0; i < count * step; ++i) {
        const char* const from = i % step == 0 ? updates.data() + i / step * block : data.data() + i * block;
        copy_element(expected.data() + i * block, from, block);
      }
      arena target = before;
      interleave(step, target.data(), data.data(), updates.data(), count);
      if (target == expected) continue;
      CAPTURE(block, step, count);
      FAIL("something was interleaved wrongly, or more than it");
    }
  }
}

TEST_CASE("updates and data are interleaved at every step that leaves are made for", "[leaves]") {
  for (const loop_set& loops : all_loops()) {
    if (loops.copy.interleave != nullptr) check_interleave(loops.copy.interleave, loops.width);
    if (loops.copy.interleave_8 != nullptr) check_interleave(loops.copy.interleave_8, 8);
  }
}

TEST_CASE("widths that registers hold are interleaved, others are not", "[leaves]") {
  for (const loop_set& loops : all_loops()) {
    const bool told = &loops.copy == &strew::detail::copy_loops_of<any_width>;
    CHECK((loops.copy.interleave != nullptr) == (!told && loops.width != 12));
    CHECK((loops.copy.interleave_8 == nullptr || loops.width < 8));
  }
}

// Indices of one of the loops' integers, at an odd address.
class index_array {
 public:
  // `step` integers apart, backwards if it is negative.
  index_array(const std::vector<std::int64_t>& values, bool as_64, std::int64_t step = 1)
      : stride_(step * (as_64 ? 8 : 4)) {
    const std::int64_t last = static_cast<std::int64_t>(values.empty() ? 0 : values.size() - 1) * stride_;
    first_ = 1 + (last < 0 ? -last : 0);
    bytes_.resize(static_cast<std::size_t>(first_ + (last < 0 ? 0 : last) + 8));
    for (std::size_t k = 0; k < values.size(); ++k) {
      char* const at = bytes_.data() + first_ + static_cast<std::int64_t>(k) * stride_;
      const auto value = static_cast<std::int32_t>(values[k]);
      std::memcpy(at, as_64 ? static_cast<const void*>(&values[k]) : &value, as_64 ? 8 : 4);
    }
  }
  [[nodiscard]] const char* data() const { return bytes_.data() + first_; }
  [[nodiscard]] std::int64_t stride() const { return stride_; }

 private:
  std::int64_t stride_;
  std::int64_t first_ = 0;
  std::vector<char> bytes_;
};

// A run of updates that may be scattered, its memory and where update i goes by the document.
struct scatter_case {
  std::int64_t width;
  std::int64_t extent;
  std::int64_t to_stride;
  std::int64_t axis_stride;
  std::int64_t from_stride;
  std::int64_t count;

  [[nodiscard]] arena target() const {
    const std::int64_t along = (count > 0 ? count - 1 : 0) * to_stride;
    const std::int64_t across = (extent - 1) * axis_stride;
    return {std::min<std::int64_t>(along, 0) + std::min<std::int64_t>(across, 0),
            std::max<std::int64_t>(along, 0) + std::max<std::int64_t>(across, 0), width, 1};
  }
  [[nodiscard]] arena updates() const { return arena_for(from_stride, count, width, 2); }
  [[nodiscard]] scattered_run run(arena& to, arena& from, std::int64_t index_stride) const {
    return {to.data(), to_stride, axis_stride, from.data(), from_stride, index_stride, width, extent};
  }
  void scatter_one(arena& to, arena& from, std::int64_t i, std::int64_t element) const {
    copy_element(to.data() + i * to_stride + element * axis_stride, from.data() + i * from_stride, width);
  }
};

// Along a contiguous axis, along others, across lanes, and what broadcast and reversed operands make of them.
std::vector<scatter_case> scatter_cases(std::int64_t w, std::int64_t count) {
  return {{w, 9, 0, w, w, count},          {w, 100, 0, w, w, count},   {w, 9, 0, 3 * w + 1, w, count},
          {w, 9, 0, -w, 2 * w, count},     {w, 9, 0, w, -w, count},    {w, 9, 0, w, 0, count},
          {w, 5, w, count * w, w, count},  {w, 5, 5 * w, w, w, count}, {w, 5, -w, count * w, 2 * w + 1, count},
          {w, 5, 6 * w, -w, -3 * w, count}};
}

TEST_CASE("each update goes to the element that its index names, the last of equal ones wins", "[leaves]") {
  random_source random(3);
  for (const loop_set& loops : all_loops()) {
    for (const std::int64_t count : all_counts()) {
      for (const scatter_case& c : scatter_cases(loops.width, count)) {
        for (const bool wraps : {false, true}) {
          std::vector<std::int64_t> indices;
          for (std::int64_t i = 0; i < count; ++i)
            indices.push_back(random.between(wraps ? -c.extent : 0, c.extent - 1));
          const arena before = c.target();
          arena updates = c.updates();
          arena expected = before;
          for (std::int64_t i = 0; i < count; ++i) {
            const std::int64_t index = indices[static_cast<std::size_t>(i)];
            c.scatter_one(expected, updates, i, index < 0 ? index + c.extent : index);
          }
          for (const std::int64_t step : {1, 2, -1, -3}) {
            for (const bool as_64 : {false, true}) {
              const scatter_loops& by = as_64 ? loops.by_int64 : loops.by_int32;
              const index_array array(indices, as_64, step);
              arena target = before;
              (wraps ? by.wrapping : by.scatter)(c.run(target, updates, array.stride()), array.data(), count);
              if (target == expected) continue;
              CAPTURE(c.width, count, c.extent, c.to_stride, c.axis_stride, c.from_stride, wraps, as_64, step);
              FAIL("an update went elsewhere, or in another order");
            }
          }
        }
      }
    }
  }
}

// A tile of rows of `extent` rows that lie 2^shift elements apart, of which some columns are scattered to.
void check_tile(const loop_set& loops, std::int64_t columns, int shift, std::int64_t rows, random_source& random) {
  constexpr std::int64_t extent = 7;
  const std::int64_t w = loops.width;
  const std::int64_t index_columns = columns + 3;  // the last are not looked at
  const std::int64_t update_stride = (columns + 2) * w + 1;
  std::vector<std::int64_t> indices;
  for (std::int64_t k = 0; k < rows * index_columns; ++k) indices.push_back(random.below(extent));
  const arena before(0, (extent << shift) * w, w, 1);
  arena updates = arena_for(update_stride, rows + 1, w, 2);
  arena expected = before;
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const std::int64_t to = (indices[static_cast<std::size_t>(row * index_columns + j)] << shift) + j;
      copy_element(expected.data() + to * w, updates.data() + row * update_stride + j * w, w);
    }
  }
  for (const bool as_64 : {false, true}) {
    const index_array array(indices, as_64);
    arena target = before;
    const tile_columns into{target.data(),  shift,         columns,
                            updates.data(), update_stride, index_columns * (as_64 ? 8 : 4)};
    (as_64 ? loops.by_int64 : loops.by_int32).tile(into, array.data(), rows);
    if (target == expected) continue;
    CAPTURE(w, columns, shift, rows, as_64);
    FAIL("an update went elsewhere, or in another order");
  }
}

TEST_CASE("columns of updates go to the rows of a tile that their indices name", "[leaves]") {
  random_source random(5);
  for (const loop_set& loops : all_loops()) {
    if (loops.by_int64.tile == nullptr) continue;
    for (std::int64_t columns = 0; columns <= 257; columns += columns == 70 ? 57 : columns == 129 ? 126 : 1) {
      int shift = 0;
      while ((std::int64_t{1} << shift) < columns) ++shift;
      for (const std::int64_t rows : {0, 1, 3, 20}) {
        check_tile(loops, columns, shift, rows, random);
        if (rows == 3) check_tile(loops, columns, shift + 1, rows, random);
      }
    }
  }
}

TEST_CASE("a call holds the leaves that it can reach, and no others", "[leaves]") {
  for (const loop_set& loops : all_loops()) {
    const bool told = loops.by_int64.width == static_cast<std::int64_t>(any_width);
    CHECK((told || loops.by_int64.width == loops.width));
    CHECK((loops.by_int64.tile != nullptr) == (!told && loops.width != 12));
    CHECK(loops.by_int64.wider == nullptr);
  }
  constexpr scatter_loops of_rows = strew::detail::scatter_loops_of<4, std::int64_t, rows_only>;
  CHECK(of_rows.wrapping == nullptr);
  CHECK(of_rows.tile == nullptr);
}

// A row of a few elements is moved as one element of its size.
TEST_CASE("rows find leaves of twice the width, up to the widest", "[leaves]") {
  random_source random(6);
  std::int64_t width = 4;
  for (const auto* by = &strew::detail::scatter_loops_of<4, std::int64_t, rows_only>; by != nullptr;
       by = by->wider, width *= 2) {
    CHECK(by->width == width);
    for (const std::int64_t count : all_counts()) {
      for (const scatter_case& c : scatter_cases(width, count)) {
        std::vector<std::int64_t> indices;
        for (std::int64_t i = 0; i < count; ++i) indices.push_back(random.below(c.extent));
        const arena before = c.target();
        arena updates = c.updates();
        arena expected = before;
        for (std::int64_t i = 0; i < count; ++i) {
          c.scatter_one(expected, updates, i, indices[static_cast<std::size_t>(i)]);
        }
        arena target = before;
        const index_array array(indices, true);
        by->scatter(c.run(target, updates, array.stride()), array.data(), count);
        if (target == expected) continue;
        CAPTURE(c.width, count, c.extent, c.to_stride, c.axis_stride, c.from_stride);
        FAIL("an update went elsewhere, or in another order");
      }
    }
  }
  CHECK(width == 2 * static_cast<std::int64_t>(strew::detail::widest_row_loop));
}

TEST_CASE("a few bytes are copied, at any address, and none beside them", "[leaves]") {
  for (std::int64_t bytes = 0; bytes <= 300; ++bytes) {
    for (std::int64_t offset = 0; offset < 16; ++offset) {
      const arena before(0, 320, 1, 1);
      arena source(0, 320, 1, 2);
      arena expected = before;
      copy_element(expected.data() + offset, source.data() + 15 - offset, bytes);
      arena target = before;
      strew::detail::copy_small(target.data() + offset, source.data() + 15 - offset, bytes);
      if (target == expected) continue;
      CAPTURE(bytes, offset);
      FAIL("other bytes were copied");
    }
  }
}

dense_plan dense(std::int64_t outer, std::int64_t extent, std::int64_t count, std::int64_t inner, std::int64_t width) {
  return {outer, extent, count, inner, width, outer * extent * inner * width, outer * count * inner * width, 0};
}

// An illegal index, not negative, or less than -extent: often at the end of the integer's range.
std::int64_t draw_bad_index(random_source& random, std::int64_t extent, bool as_64) {
  const std::int64_t most = as_64 ? strew::int64_max : (std::numeric_limits<std::int32_t>::max)();
  return random.pick<std::int64_t>(
      {extent, -extent - 1, 1 << 30, -(1 << 30), most, -most - 1, most - extent, -most - 1 + extent});
}

// A scatter of a few elements or rows, all in one loop, out of place and in place.
template <class Target>
void check_few(scatter_loops::small_function few, const std::vector<std::int64_t>& indices, bool as_64, bool legal,
               const dense_plan& s, const Target& target) {
  const std::int64_t data_size = s.output_bytes;
  const std::int64_t update_size = s.updates_bytes;
  arena data(0, data_size, 0, 2);
  arena updates(0, update_size, 0, 3);
  const index_array array(indices, as_64);
  for (const bool in_place : {false, true}) {
    arena output(0, data_size, 0, 1);
    if (in_place) copy_element(output.data(), data.data(), data_size);
    arena expected = output;
    if (legal) {
      copy_element(expected.data(), data.data(), data_size);
      for (std::int64_t at = 0; at < s.outer * s.count * s.inner; ++at) {
        const std::int64_t o = at / s.inner / s.count;
        const std::int64_t to = (o * s.extent + target(at)) * s.inner + at % s.inner;
        copy_element(expected.data() + to * s.width, updates.data() + at * s.width, s.width);
      }
    }
    const char* const from = in_place ? output.data() : data.data();
    if (few(s, output.data(), from, array.data(), updates.data()) == legal && output == expected) continue;
    CAPTURE(s.outer, s.extent, s.count, s.inner, s.width, as_64, legal, in_place);
    FAIL("the output differs, or it was written though an index was bad");
  }
}

TEST_CASE("small dense tensors are scattered without a plan, or left alone where an index is bad", "[leaves]") {
  random_source random(7);
  const auto any_of = [&](std::int64_t count, std::int64_t low, std::int64_t high, bool legal, std::int64_t bad) {
    std::vector<std::int64_t> indices;
    for (std::int64_t k = 0; k < count; ++k) indices.push_back(random.between(low, high));
    if (!legal) indices[static_cast<std::size_t>(random.below(count))] = bad;
    return indices;
  };
  for (const loop_set& loops : all_loops()) {
    for (int trial = 0; trial < 300; ++trial) {
      const dense_plan s =
          dense(random.between(1, 3), random.between(1, 9), random.between(1, 6), random.between(1, 5), loops.width);
      const bool legal = !random.one_in(4);
      for (const bool as_64 : {false, true}) {
        const std::int64_t lanes = s.outer * s.count * s.inner;
        const std::int64_t bad = draw_bad_index(random, s.extent, as_64);
        const std::vector<std::int64_t> wrapping = any_of(lanes, -s.extent, s.extent - 1, legal, bad);
        check_few((as_64 ? loops.by_int64 : loops.by_int32).run_small, wrapping, as_64, legal, s, [&](std::int64_t at) {
          const std::int64_t index = wrapping[static_cast<std::size_t>(at)];
          return index < 0 ? index + s.extent : index;
        });
        if (loops.width != 4) continue;  // the same loops
        const std::int64_t strictly_bad = random.one_in(2) ? -1 : bad;
        const std::vector<std::int64_t> strict = any_of(lanes, 0, s.extent - 1, legal, strictly_bad);
        check_few(as_64 ? strew::detail::scatter_small_elements<4, std::int64_t, false>
                        : strew::detail::scatter_small_elements<4, std::int32_t, false>,
                  strict, as_64, legal, s, [&](std::int64_t at) { return strict[static_cast<std::size_t>(at)]; });
      }
    }
  }
  for (int trial = 0; trial < 3000; ++trial) {
    const dense_plan s = dense(random.between(1, 3), random.between(1, 9), random.between(1, 6), random.between(1, 30),
                               random.between(1, 17));
    const bool legal = !random.one_in(4);
    for (const bool as_64 : {false, true}) {
      const std::int64_t bad = random.one_in(5) ? -1 : draw_bad_index(random, s.extent, as_64);
      const std::vector<std::int64_t> rows = any_of(s.count, 0, s.extent - 1, legal, bad);
      check_few(
          as_64 ? strew::detail::scatter_small_rows<std::int64_t> : strew::detail::scatter_small_rows<std::int32_t>,
          rows, as_64, legal, s,
          [&](std::int64_t at) { return rows[static_cast<std::size_t>(at / s.inner % s.count)]; });
    }
  }
}

}  // namespace
}  // namespace strew::test
