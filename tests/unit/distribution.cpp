// SPDX-License-Identifier: Apache-2.0
#include "support/catch.hpp"

#include <strew/mpi/distribution.hpp>
#include <strew/view/integer.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace strew {
namespace {

using mpi::distribution;

// The rank of each coordinate, by the definitions alone.
std::vector<std::int64_t> owners_of_blocks(const std::vector<std::int64_t>& offsets) {
  std::vector<std::int64_t> owners;
  for (std::size_t r = 0; r + 1 < offsets.size(); ++r) {
    for (std::int64_t i = offsets[r]; i < offsets[r + 1]; ++i) owners.push_back(static_cast<std::int64_t>(r));
  }
  return owners;
}
std::vector<std::int64_t> owners_in_turns(std::int64_t extent, std::int64_t ranks, std::int64_t size) {
  std::vector<std::int64_t> owners;
  std::int64_t rank = 0;
  while (static_cast<std::int64_t>(owners.size()) < extent) {
    for (std::int64_t k = 0; k < size && static_cast<std::int64_t>(owners.size()) < extent; ++k) owners.push_back(rank);
    rank = (rank + 1) % ranks;
  }
  return owners;
}

void check_owners(const distribution& over, const std::vector<std::int64_t>& owners, std::int64_t ranks) {
  REQUIRE(over.is_valid());
  REQUIRE(over.extent() == static_cast<std::int64_t>(owners.size()));
  std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks), 0);
  for (std::size_t i = 0; i < owners.size(); ++i) {
    const auto coordinate = static_cast<std::int64_t>(i);
    std::int64_t& count = counts[static_cast<std::size_t>(owners[i])];
    REQUIRE(over.owner(coordinate) == owners[i]);
    REQUIRE(over.local_index(coordinate) == count);
    REQUIRE(over.global_index(owners[i], count) == coordinate);
    ++count;
  }
  for (std::int64_t r = 0; r < ranks; ++r) REQUIRE(over.local_extent(r) == counts[static_cast<std::size_t>(r)]);
}

TEST_CASE("distribution: every small one against its definition") {
  for (std::int64_t extent = 0; extent <= 20; ++extent) {
    for (std::int64_t ranks = 1; ranks <= 7; ++ranks) {
      std::vector<std::int64_t> offsets{0};
      for (std::int64_t r = 0; r < ranks; ++r) {
        offsets.push_back(offsets.back() + extent / ranks + (r < extent % ranks ? 1 : 0));
      }
      check_owners(distribution::block(extent, ranks), owners_of_blocks(offsets), ranks);
      check_owners(distribution::blocks(offsets), owners_of_blocks(offsets), ranks);
      CHECK(distribution::block(extent, ranks) == distribution::blocks(offsets));
      for (std::int64_t size = 1; size <= 6; ++size) {
        check_owners(distribution::block_cyclic(extent, ranks, size), owners_in_turns(extent, ranks, size), ranks);
      }
    }
  }
}

TEST_CASE("distribution: uneven blocks, some empty") {
  const std::vector<std::int64_t> offsets{0, 0, 5, 5, 6, 13, 13};
  check_owners(distribution::blocks(offsets), owners_of_blocks(offsets), 6);
  CHECK(distribution::blocks(offsets).is_contiguous());
  CHECK_FALSE(distribution::blocks(offsets) == distribution::block(13, 6));
}

TEST_CASE("distribution: replicated") {
  const auto whole = distribution::replicated(9);
  CHECK(whole.is_replicated());
  CHECK(whole.local_extent(3) == 9);
  CHECK(whole.global_index(3, 8) == 8);
  CHECK_FALSE(whole == distribution::block(9, 1));
}

TEST_CASE("distribution: the largest extents") {
  for (const std::int64_t ranks : {1, 2, 3, 7, 1000, 65'536}) {
    const auto even = distribution::block(int64_max, ranks);
    const auto in_turns = distribution::block_cyclic(int64_max, ranks, 4096);
    for (const auto& over : {even, in_turns}) {
      for (const std::int64_t coordinate :
           {std::int64_t{0}, int64_max / 3, int64_max / ranks, int64_max - 1, std::int64_t{1} << 62}) {
        if (coordinate >= int64_max) continue;
        const mpi::place found = over.locate(coordinate);
        CHECK(found.rank < ranks);
        CHECK(found.local < over.local_extent(found.rank));
        CHECK(over.global_index(found.rank, found.local) == coordinate);
      }
    }
    // One block of everything, however large a block is asked for.
    CHECK(distribution::block_cyclic(int64_max, ranks, int64_max).owner(int64_max - 1) == 0);
    CHECK(distribution::block_cyclic(5, ranks, int64_max).local_extent(0) == 5);
  }
}

// In constant evaluation overflow does not compile.
static_assert(distribution::block(int64_max, 1).local_extent(0) == int64_max);
static_assert(distribution::block(int64_max, 2).owner(int64_max - 1) == 1);
static_assert(distribution::block_cyclic(int64_max, 1, int64_max).owner(int64_max - 1) == 0);
static_assert([] {
  const auto in_turns = distribution::block_cyclic(int64_max, 3, 4096);
  const mpi::place last = in_turns.locate(int64_max - 1);
  return in_turns.global_index(last.rank, last.local) == int64_max - 1;
}());

TEST_CASE("distribution: what is none") {
  CHECK_FALSE(distribution::block(-1, 2).is_valid());
  CHECK_FALSE(distribution::block(5, 0).is_valid());
  CHECK_FALSE(distribution::block_cyclic(5, 2, 0).is_valid());
  CHECK_FALSE(distribution::block_cyclic(5, -2, 1).is_valid());
  CHECK_FALSE(distribution::blocks({}).is_valid());
  const std::array<std::int64_t, 1> one{0};
  CHECK_FALSE(distribution::blocks(one).is_valid());
  const std::array<std::int64_t, 3> falling{0, 4, 3};
  CHECK_FALSE(distribution::blocks(falling).is_valid());
  const std::array<std::int64_t, 2> late{1, 4};
  CHECK_FALSE(distribution::blocks(late).is_valid());
  const std::array<std::int64_t, 2> negative{0, -4};
  CHECK_FALSE(distribution::blocks(negative).is_valid());
  CHECK(distribution().is_valid());
}

TEST_CASE("divisor: as the division") {
  const std::int64_t numbers[] = {0,
                                  1,
                                  2,
                                  3,
                                  6,
                                  7,
                                  8,
                                  999,
                                  1 << 20,
                                  (std::int64_t{1} << 32) - 1,
                                  std::int64_t{1} << 32,
                                  std::int64_t{1} << 62,
                                  int64_max / 2,
                                  int64_max - 1,
                                  int64_max};
  std::vector<std::int64_t> divisors;
  for (std::int64_t by = 1; by < 3000; ++by) divisors.push_back(by);
  for (int k = 11; k < 63; ++k) {
    for (int d = -1; d <= 1; ++d) divisors.push_back((std::int64_t{1} << k) + d);
  }
  divisors.push_back(int64_max);
  for (const std::int64_t by : divisors) {
    const detail::divisor fast(by);
    for (const std::int64_t n : numbers) REQUIRE(fast.quotient(n) == n / by);
    for (const std::int64_t q : {std::int64_t{1}, int64_max / by}) {
      REQUIRE(fast.quotient(q * by) == q);
      REQUIRE(fast.quotient(q * by - 1) == q - 1);
    }
  }
}

}  // namespace
}  // namespace strew
