// SPDX-License-Identifier: Apache-2.0
// The innermost loops over indices: for each of the eight types every run of indices is judged and read as a plain loop
// would, at every stride and at every address.
#include "support/catch.hpp"
#include "support/index_kinds.hpp"

#include <strew/view/integer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace strew::test {
namespace {

using strew::detail::bad_index;
using strew::detail::index_loops;
using strew::detail::negative_index;
using strew::detail::nothing_found;

// Indices in memory, `stride` bytes apart, at addresses that are no multiple of anything.
class placed_indices {
 public:
  placed_indices(const index_kind& kind, const std::vector<wide>& values, std::int64_t stride)
      : stride_(stride), count_(static_cast<std::int64_t>(values.size())) {
    const std::int64_t last = count_ == 0 ? 0 : (count_ - 1) * stride;
    first_ = 1 + (last < 0 ? -last : 0);
    const std::int64_t bytes = first_ + (last > 0 ? last : 0) + kind.size;
    memory_ = kind.array(values, stride, first_, bytes);
  }
  [[nodiscard]] const char* data() const { return memory_.data() + first_; }
  [[nodiscard]] unsigned check(const index_loops& loops, std::int64_t extent) const {
    return loops.check_run(data(), stride_, count_, extent);
  }

 private:
  std::int64_t stride_;
  std::int64_t count_;
  std::int64_t first_;
  std::vector<char> memory_;
};

// Contiguous, apart, downwards, and steps that are no multiple of the size.
std::vector<std::int64_t> strides_of(const index_kind& kind) {
  return {kind.size, 2 * kind.size, 3 * kind.size + 1, -kind.size, -2 * kind.size - 1};
}

// What a run holds, judged one by one. Of a run with bad indices nothing else is asked.
unsigned judge(const std::vector<wide>& values, std::int64_t extent, index_rule rule) {
  unsigned found = nothing_found;
  for (const wide value : values) {
    if (!is_legal(value, extent, rule)) return bad_index;
    if (value < 0) found |= negative_index;
  }
  return found;
}

unsigned without_details_of_bad_runs(unsigned found) {
  return (found & bad_index) != 0 ? static_cast<unsigned>(bad_index) : found;
}

// Extents around the limits of the type, where an index's range and the axis's end meet.
std::vector<std::int64_t> extents_around_limits(const index_kind& kind) {
  std::vector<std::int64_t> extents{0, 1, 2, 3, 300, 65537, int64_max - 1, int64_max};
  for (const wide limit : {kind.highest.half(), kind.highest}) {
    for (wide extent = limit - 2; extent <= limit + 3; ++extent) {
      if (extent <= int64_max) extents.push_back(static_cast<std::int64_t>(extent));
    }
  }
  return extents;
}

// All values of the short types, the notable ones of the others.
std::vector<wide> values_of(const index_kind& kind) {
  if (kind.size > 1) return kind.notable_values();
  std::vector<wide> values;
  for (wide value = kind.lowest; value <= kind.highest; ++value) values.push_back(value);
  return values;
}

TEST_CASE("any value of any type is accepted or refused, alone and among legal ones", "[index_loops]") {
  for (const index_kind& kind : index_kinds()) {
    for (const index_rule rule : index_rules) {
      for (const std::int64_t extent : extents_around_limits(kind)) {
        std::vector<wide> legal;
        for (const wide value : values_of(kind)) {
          if (is_legal(value, extent, rule)) legal.push_back(value);
        }
        const index_loops& loops = kind.loops(rule);
        bool right = true;
        const auto check = [&](const std::vector<wide>& values, std::int64_t stride) {
          const unsigned found = placed_indices(kind, values, stride).check(loops, extent);
          right = right && without_details_of_bad_runs(found) == judge(values, extent, rule);
        };
        check(legal, kind.size);
        std::size_t next = 0;
        for (const wide value : values_of(kind)) {
          check({value}, kind.size);
          if (legal.empty()) continue;
          std::vector<wide> run;
          for (std::size_t i = 0; i < 19; ++i) run.push_back(legal[next++ % legal.size()]);
          run[next % 19] = value;
          for (const std::int64_t stride : strides_of(kind)) check(run, stride);
        }
        if (!right) {
          CAPTURE(kind.name, extent, static_cast<int>(rule));
          FAIL("a legal index was refused, an illegal one accepted, or a negative one missed");
        }
      }
    }
  }
}

// Runs of every length up to more than two vectors, and past the blocks in which indices are read.
TEST_CASE("one bad or negative index is found wherever it stands in a run of any length", "[index_loops]") {
  constexpr std::int64_t extent = 100;
  std::vector<std::size_t> lengths;
  for (std::size_t n = 1; n <= 70; ++n) lengths.push_back(n);
  for (const std::size_t n : {511U, 512U, 513U, 1030U}) lengths.push_back(n);
  for (const index_kind& kind : index_kinds()) {
    for (const index_rule rule : index_rules) {
      for (const std::int64_t stride : strides_of(kind)) {
        bool right = true;
        for (const std::size_t length : lengths) {
          std::vector<wide> values;
          for (std::size_t i = 0; i < length; ++i) values.push_back(static_cast<wide>(i * 37 % 100));
          for (std::size_t at = 0; at<length; at += length> 70 ? 127 : 1) {
            for (const wide odd : {wide{100}, wide{-1}}) {
              if (!kind.holds(odd)) continue;
              std::vector<wide> bent = values;
              bent[at] = odd;
              const unsigned found = placed_indices(kind, bent, stride).check(kind.loops(rule), extent);
              right = right && without_details_of_bad_runs(found) == judge(bent, extent, rule);
            }
          }
        }
        if (!right) {
          CAPTURE(kind.name, stride, static_cast<int>(rule));
          FAIL("an index was missed");
        }
      }
    }
  }
}

TEST_CASE("an index that is repeated by a stride of 0 is judged as one", "[index_loops]") {
  for (const index_kind& kind : index_kinds()) {
    for (const index_rule rule : index_rules) {
      for (const wide value : kind.notable_values()) {
        std::vector<char> memory = kind.array({value}, 0, 1, 1 + kind.size);
        for (const std::int64_t count : {1, 2, 70, 1000}) {
          const unsigned found = kind.loops(rule).check_run(memory.data() + 1, 0, count, 7);
          if (without_details_of_bad_runs(found) != judge({value}, 7, rule)) {
            CAPTURE(kind.name, static_cast<int>(rule), count);
            FAIL("a repeated index was judged otherwise");
          }
        }
      }
    }
  }
}

TEST_CASE("no index is bad, whatever the extent", "[index_loops]") {
  for (const index_kind& kind : index_kinds()) {
    for (const index_rule rule : index_rules) {
      for (const std::int64_t extent : {std::int64_t{0}, std::int64_t{5}, int64_max}) {
        CHECK(kind.loops(rule).check_run(nullptr, kind.size, 0, extent) == nothing_found);
      }
    }
  }
}

// Values of 64 bits that an int64 does not hold become its largest; such an index is always bad.
TEST_CASE("indices are read as the loops' integers and as 64-bit ones, and nothing else is written", "[index_loops]") {
  constexpr std::size_t guard = 16;
  for (const index_kind& kind : index_kinds()) {
    const std::vector<wide> notable = kind.notable_values();
    std::vector<std::int64_t> strides = strides_of(kind);
    strides.push_back(0);
    for (const std::int64_t stride : strides) {
      for (std::size_t count = 0; count <= 70; ++count) {
        std::vector<wide> values;
        for (std::size_t i = 0; i < count; ++i) values.push_back(notable[(stride == 0 ? count : i) % notable.size()]);
        const placed_indices placed(kind, values, stride);
        const index_loops& loops = kind.strict;
        for (const bool as_64 : {false, true}) {
          const std::size_t size = as_64 ? 8 : static_cast<std::size_t>(loops.loop_size);
          std::vector<char> expected(2 * guard + 1 + count * size, '\x5a');
          std::vector<char> read = expected;
          for (std::size_t i = 0; i < count; ++i) {
            const wide value = std::min(values[i], wide{int64_max});
            const index_kind& as = index_kinds()[size == 8 ? 3 : 2];
            as.store(value, expected.data() + guard + 1 + i * size);
          }
          (as_64 ? loops.read_64 : loops.read)(placed.data(), stride, static_cast<std::int64_t>(count),
                                               read.data() + guard + 1);
          if (read != expected) {
            CAPTURE(kind.name, stride, count, as_64);
            FAIL("an index was read as another, or beside its place");
          }
        }
      }
    }
  }
}

TEST_CASE("the leaves of a type say what the type is", "[index_loops]") {
  for (const index_kind& kind : index_kinds()) {
    CAPTURE(kind.name);
    for (const index_rule rule : index_rules) {
      const index_loops& loops = kind.loops(rule);
      CHECK(loops.size == kind.size);
      CHECK(loops.is_unsigned == (kind.lowest == 0));
      const std::string name = kind.name;
      CHECK(loops.loop_size == (kind.size < 4 || name == "int32" ? 4 : 8));
      CHECK(loops.is_canonical_index == (name == "int32" || kind.size == 8));
    }
  }
}

TEST_CASE("a single index is read at any offset from the first", "[index_loops]") {
  for (const index_kind& kind : index_kinds()) {
    const std::vector<wide> values = kind.notable_values();
    const placed_indices placed(kind, values, 2 * kind.size + 1);
    const strew::detail::index_source source{placed.data(), kind.wrapping};
    for (std::size_t i = 0; i < values.size(); ++i) {
      CHECK(source[static_cast<std::int64_t>(i) * (2 * kind.size + 1)] == std::min(values[i], wide{int64_max}));
    }
  }
}

}  // namespace
}  // namespace strew::test
