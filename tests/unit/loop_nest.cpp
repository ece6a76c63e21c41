// SPDX-License-Identifier: Apache-2.0
// The laws of nested loops over several operands: coalesced or not, they visit what plainly nested loops visit.
#include "support/catch.hpp"
#include "support/constify.hpp"
#include "support/coordinates.hpp"
#include "support/random_source.hpp"

#include <strew/config.hpp>
#include <strew/detail/plan/loop_nest.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

using strew::detail::loop_nest;
using strew::detail::nest_cursor;
using strew::detail::per_operand;
using strew::test::coordinate;
using strew::test::for_each_coordinate;

namespace {

template <std::size_t Operands>
using offsets = std::array<std::int64_t, Operands>;

// The axes of a nest, outermost first: an extent and a stride for each operand.
template <std::size_t Operands>
struct axes {
  coordinate extents;
  std::array<coordinate, Operands> strides;

  // By loops over coordinates.
  [[nodiscard]] std::vector<offsets<Operands>> positions() const {
    std::vector<offsets<Operands>> result;
    for_each_coordinate(extents, [&](const coordinate& at) {
      offsets<Operands> position{};
      for (std::size_t i = 0; i < Operands; ++i) position[i] = strew::test::offset_of(at, strides[i]);
      result.push_back(position);
    });
    return result;
  }

  [[nodiscard]] loop_nest<Operands> nest() const {
    loop_nest<Operands> result;
    for (std::size_t k = 0; k < extents.size(); ++k) {
      per_operand<Operands> steps{};
      for (std::size_t i = 0; i < Operands; ++i) steps[i] = strides[i][k];
      result.add_inner(extents[k], steps);
    }
    return result;
  }
};

// The axes of a nest from axis `first` on.
template <std::size_t Operands>
axes<Operands> axes_of(const loop_nest<Operands>& nest, int first = 0) {
  axes<Operands> result;
  for (int k = std::max(first, 0); k < nest.rank(); ++k) {
    result.extents.push_back(nest[k].extent);
    for (std::size_t i = 0; i < Operands; ++i) result.strides[i].push_back(nest[k].strides[i]);
  }
  return result;
}

// The positions of a cursor that leaves the `inner` innermost axes to its user, who runs along them by plain loops.
template <std::size_t Operands>
std::vector<offsets<Operands>> visited_by(const loop_nest<Operands>& nest, int inner = 1,
                                          const per_operand<Operands>& first = {}) {
  const std::vector<offsets<Operands>> along_them = axes_of(nest, nest.rank() - inner).positions();
  std::vector<offsets<Operands>> result;
  for (nest_cursor<Operands> at(nest, inner, first); !at.done(); at.next()) {
    for (const offsets<Operands>& further : along_them) {
      offsets<Operands> position{};
      for (std::size_t i = 0; i < Operands; ++i) position[i] = at[i] + further[i];
      result.push_back(position);
    }
  }
  return result;
}

// Strides of a tensor in memory, its axes in row-major or any other order, here and there padded, reversed or
// broadcast: some neighbours can merge and some cannot.
coordinate random_strides(const coordinate& extents, strew::test::random_source& random) {
  std::vector<std::size_t> from_the_innermost = random.order(extents.size());
  if (random.one_in(2)) std::sort(from_the_innermost.rbegin(), from_the_innermost.rend());
  coordinate strides(extents.size());
  std::int64_t stride = 1;
  for (const std::size_t axis : from_the_innermost) {
    strides[axis] = stride;
    stride *= std::max<std::int64_t>(extents[axis], 1);
    if (random.one_in(6)) stride += random.between(1, 3);
  }
  for (std::int64_t& s : strides) {
    if (random.one_in(8)) s = -s;
    if (random.one_in(8)) s = 0;
  }
  if (random.one_in(8)) {
    for (std::int64_t& s : strides) s = -s;
  }
  return strides;
}

template <std::size_t Operands>
void check_random_nests(int count) {
  strew::test::random_source random(2026);
  int merged = 0;
  for (int trial = 0; trial < count; ++trial) {
    axes<Operands> a;
    for (std::int64_t rank = random.between(0, 5); rank > 0; --rank) {
      a.extents.push_back(random.one_in(15) ? 0 : random.between(1, 3));
    }
    for (coordinate& strides : a.strides) strides = random_strides(a.extents, random);
    CAPTURE(a.extents, a.strides[0]);
    const std::vector<offsets<Operands>> expected = a.positions();

    const loop_nest<Operands> nest = a.nest();
    for (const int inner : {0, 1, 2, 9}) {
      if (visited_by(nest, inner) != expected) FAIL("the nest visits other positions, or in another order");
    }
    if (nest.empty() != expected.empty()) FAIL("the nest is wrong about being empty");
    if (nest.rank() > static_cast<int>(a.extents.size())) FAIL("the nest has too many axes");
    merged += nest.rank() + 1 < static_cast<int>(a.extents.size());

    for (std::size_t operand = 0; operand < Operands; ++operand) {
      loop_nest<Operands> sorted = nest;
      const per_operand<Operands> moved = sorted.sort_by(operand);
      if (sorted.empty() != nest.empty()) FAIL("sorting changed whether the nest is empty");
      if (nest.empty()) continue;
      std::vector<offsets<Operands>> visited = visited_by(sorted, 1, moved);
      for (int k = 0; k < sorted.rank(); ++k) {
        if (sorted[k].extent < 2 || sorted[k].strides[operand] < 0) FAIL("an axis is trivial or walks downwards");
        if (k > 0 && sorted[k].strides[operand] > sorted[k - 1].strides[operand]) FAIL("the axes are not sorted");
      }
      std::vector<offsets<Operands>> in_any_order = expected;
      std::sort(in_any_order.begin(), in_any_order.end());
      std::sort(visited.begin(), visited.end());
      if (visited != in_any_order) FAIL("the sorted nest visits other positions, or not as often");
    }
    if (nest.rank() > 0 && !nest.empty()) {
      const auto k = static_cast<int>(random.below(nest.rank()));
      const std::int64_t kept = random.between(0, nest[k].extent);
      loop_nest<Operands> shorter = nest;
      shorter.set_extent(k, kept);
      axes<Operands> plain = axes_of(nest);
      plain.extents[static_cast<std::size_t>(k)] = kept;
      if (visited_by(shorter) != plain.positions()) FAIL("the nest that was cut short visits other positions");
    }
  }
  CHECK(merged > count / 20);
}

// The extents that are left after coalescing.
template <std::size_t Operands>
coordinate extents_of(const loop_nest<Operands>& nest) {
  return axes_of(nest).extents;
}

}  // namespace

TEST_CASE("a nest visits the positions of plainly nested loops, in their order", "[loop_nest]") {
  check_random_nests<2>(10000);
  check_random_nests<4>(10000);
}

TEST_CASE("all small nests of two operands visit the positions of plainly nested loops", "[loop_nest]") {
  int checked = 0;
  for (std::size_t rank = 0; rank <= 2; ++rank) {
    strew::test::for_each_shape(rank, 3, [&](const coordinate& extents) {
      for_each_coordinate(coordinate(2 * rank, 7), [&](const coordinate& shifted) {
        axes<2> a{extents, {}};
        for (std::size_t k = 0; k < rank; ++k) {
          a.strides[0].push_back(shifted[k] - 3);
          a.strides[1].push_back(shifted[rank + k] - 3);
        }
        if (visited_by(a.nest()) != a.positions()) {
          CAPTURE(extents, a.strides[0], a.strides[1]);
          FAIL("the nest visits other positions, or in another order");
        }
        ++checked;
      });
    });
  }
  CHECK(checked == 1 + 4 * 49 + 16 * 2401);
}

TEST_CASE("axes of extent 1 vanish", "[loop_nest]") {
  CHECK(axes<1>{{1, 1, 1}, {{{5, -7, 0}}}}.nest().rank() == 0);
  CHECK(extents_of(axes<1>{{1, 4, 1}, {{{5, 2, 9}}}}.nest()) == coordinate{4});
}

TEST_CASE("neighbours that all operands cross with one stride are a single axis", "[loop_nest]") {
  CHECK(extents_of(axes<1>{{2, 3, 4}, {{{12, 4, 1}}}}.nest()) == coordinate{24});
  CHECK(extents_of(axes<2>{{2, 3, 4}, {{{12, 4, 1}, {-24, -8, -2}}}}.nest()) == coordinate{24});
  CHECK(extents_of(axes<2>{{2, 3, 4}, {{{12, 4, 1}, {0, 0, 0}}}}.nest()) == coordinate{24});
  CHECK(extents_of(axes<2>{{2, 3, 4}, {{{12, 4, 1}, {15, 4, 1}}}}.nest()) == coordinate{2, 12});
  CHECK(extents_of(axes<2>{{2, 3, 4}, {{{12, 4, 1}, {15, 5, 1}}}}.nest()) == coordinate{6, 4});
  CHECK(extents_of(axes<2>{{2, 3, 4}, {{{12, 4, 1}, {12, 4, -1}}}}.nest()) == coordinate{6, 4});
  CHECK(extents_of(axes<2>{{2, 1, 4}, {{{4, 99, 1}, {8, -3, 2}}}}.nest()) == coordinate{8});
}

TEST_CASE("a nest with an axis of extent 0 does nothing", "[loop_nest]") {
  for (const coordinate& extents : {coordinate{0}, coordinate{0, 3}, coordinate{3, 0}, coordinate{2, 0, 2}}) {
    const coordinate strides(extents.size(), 1);
    const loop_nest<1> nest = axes<1>{extents, {{strides}}}.nest();
    CHECK(nest.empty());
    CHECK(visited_by(nest).empty());
  }
}

TEST_CASE("sorting makes one operand walk upwards and joins what then fits", "[loop_nest]") {
  loop_nest<2> transposed = axes<2>{{3, 4}, {{{1, 3}, {4, 1}}}}.nest();
  CHECK(transposed.sort_by(0)[0] == 0);
  CHECK(transposed[0].strides[0] == 3);
  CHECK(transposed[1].strides[1] == 4);

  loop_nest<2> backwards = axes<2>{{3, 4}, {{{-4, -1}, {-4, -1}}}}.nest();
  const per_operand<2> moved = backwards.sort_by(0);
  CHECK(moved[0] == -11);
  CHECK(moved[1] == -11);
  CHECK(extents_of(backwards) == coordinate{12});
  CHECK(backwards[0].strides[0] == 1);

  loop_nest<2> permuted = axes<2>{{2, 3, 4}, {{{1, 8, 2}, {1, 8, 2}}}}.nest();
  static_cast<void>(permuted.sort_by(1));
  CHECK(extents_of(permuted) == coordinate{24});
}

TEST_CASE("a nest of the largest rank", "[loop_nest]") {
  axes<1> a;
  std::int64_t stride = 1;
  for (int k = 0; k < strew::max_rank; ++k) {
    a.extents.push_back(2);
    a.strides[0].push_back(stride);  // the other way round than row-major, so that nothing merges
    stride *= 2;
  }
  loop_nest<1> nest = a.nest();
  REQUIRE(nest.rank() == strew::max_rank);
  CHECK(visited_by(nest) == a.positions());
  static_cast<void>(nest.sort_by(0));
  CHECK(extents_of(nest) == coordinate{std::int64_t{1} << strew::max_rank});
}

TEST_CASE("nests in constant evaluation", "[loop_nest]") {
  strew::test::constify([](auto& expect) {
    loop_nest<2> nest;
    int runs = 0;
    std::int64_t sum = 0;
    const auto visit = [&](const per_operand<2>& first) {
      runs = 0;
      sum = 0;
      const auto run = nest.innermost();
      for (nest_cursor<2> at(nest, 1, first); !at.done(); at.next()) {
        ++runs;
        for (std::int64_t n = 0; n < run.extent; ++n) {
          sum += 100 * (at[0] + n * run.strides[0]) + at.position()[1] + n * run.strides[1];
        }
      }
    };
    visit({7, 8});
    expect(runs == 1 && sum == 708);  // rank 0 is one position

    nest.add_inner(2, {10, 1});
    nest.add_inner(3, {2, 2});
    visit({});
    expect(nest.rank() == 2 && runs == 2 && sum == 100 * (0 + 2 + 4 + 10 + 12 + 14) + (0 + 2 + 4 + 1 + 3 + 5));
    expect(nest.sort_by(1)[0] == 0 && nest[0].strides[1] == 2 && !nest.empty());

    nest.add_inner(0, {1, 1});
    visit({});
    expect(runs == 0 && nest.empty());
  });
}
