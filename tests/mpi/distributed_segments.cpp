// SPDX-License-Identifier: Apache-2.0
// Segments on distributed tensors: the bits and the errors of one rank, however the operands are divided.
#include "mpi/distributed_cases.hpp"

#include <strew/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace strew::mpi_test {
namespace {

namespace red = reduction;

void expect(const world& ranks, bool holds, std::uint64_t seed, const char* what, const status& error = {}) {
  if (holds) return;
  failures += 1;
  std::fprintf(stderr, "rank %d, seed %llu: %s ('%s')\n", ranks.rank, static_cast<unsigned long long>(seed), what,
               error.message().c_str());
}

// All ranks draw the same case.
void run_case(const world& ranks, std::uint64_t seed) {
  random_source random(seed);
  const index_list extents{random.between(1, 7), random.between(1, 6)};
  const int axis = static_cast<int>(random.below(2));
  std::vector<std::int32_t> offsets{0};
  const std::int64_t most = random.pick<std::int64_t>({0, 1, 3, 12});
  for (std::int64_t s = 0; s < extents[axis]; ++s) {
    offsets.push_back(offsets.back() + static_cast<std::int32_t>(random.between(0, most)));
  }
  index_list of_updates = extents;
  of_updates[axis] = offsets.back();
  const bool is_bad = random.one_in(8);
  if (is_bad) random.pick_any(offsets) += random.one_in(2) ? 1 : -1;

  tensor<float> data(extents);
  tensor<float> updates(of_updates);
  data.fill(random);
  updates.fill(random);
  const int divided = static_cast<int>(random.below(2));
  const division rows{divided, random.one_in(8) ? distribution::replicated(extents[divided])
                                                : draw_division(random, extents[divided], ranks)};
  const int of_source = static_cast<int>(random.below(2));
  const bool is_like_data = !rows.over.is_replicated() && divided != axis && random.one_in(2);
  const division sources = is_like_data
                               ? rows
                               : division{of_source, random.one_in(2) || rows.over.is_replicated()
                                                         ? distribution::replicated(of_updates[of_source])
                                                         : draw_division(random, of_updates[of_source], ranks)};
  part<float> own(random, data, rows, ranks);
  part<float> source(random, updates, sources, ranks);
  const std::vector<float> before = own.values();
  const tensor_view<const std::int32_t> all{offsets.data(), {offsets.size()}};
  const distributed_tensor<const std::int32_t> given{all, 0, distribution::replicated(all.size()), ranks.comm};

  tensor<float> expected = data;
  const std::int64_t how = random.below(4);
  const auto call = [&](const auto& to, const auto& from, const auto& where) {
    switch (how) {
      case 0:
        return try_index_add(to, axis, where, from);
      case 1:
        return try_scatter_update(to, where, from, axis);
      case 2:
        return try_index_reduce(to, axis, where, from, red::mean);
      default:
        return try_index_reduce(to, axis, where, from, red::without_init(red::sum));
    }
  };
  const status serial_outcome = call(expected.view(), updates.view(), segments(all));
  const status outcome = call(own.view(), source.view(), segments(given));
  expect(ranks, ranks.all_equal(static_cast<int>(outcome.code())), seed, "one status on all ranks", outcome);
  if (outcome.code() == errc::unsupported_distribution) {
    refused += 1;
    const std::vector<float> after = own.values();
    expect(ranks, after.empty() || std::memcmp(after.data(), before.data(), after.size() * sizeof(float)) == 0, seed,
           "written in spite of an error");
    return;
  }
  served += 1;
  expect(ranks, outcome.ok() || is_bad, seed, "refused", outcome);
  expect(ranks, outcome.message().view() == serial_outcome.message().view(), seed, "another error than one rank has",
         outcome);
  const std::vector<float> wanted = cut(expected, rows, ranks);
  const std::vector<float> values = own.values();
  bool is_same = values.size() == wanted.size();
  for (std::size_t i = 0; is_same && i < values.size(); ++i) {
    is_same =
        std::memcmp(&values[i], &wanted[i], sizeof(float)) == 0 || (wanted[i] != wanted[i] && values[i] != values[i]);
  }
  expect(ranks, is_same, seed, "another result than one rank has");
}

// Bound segments are not read again where updates are sent.
void check_bound(const world& ranks) {
  if (ranks.ranks == 1) return;
  const auto rows = distribution::block(6, ranks.ranks);
  const auto positions = distribution::block(10, ranks.ranks);
  std::vector<float> sums(static_cast<std::size_t>(rows.local_extent(ranks.rank)), 1.0F);
  std::vector<float> updates;
  for (std::int64_t i = 0; i < positions.local_extent(ranks.rank); ++i) {
    updates.push_back(static_cast<float>(positions.global_index(ranks.rank, i)));
  }
  std::vector<int> offsets{0, 2, 2, 5, 6, 6, 10};
  const distributed_tensor<float> data{tensor_view<float>(sums.data(), {sums.size()}), 0, rows, ranks.comm};
  const distributed_tensor<const float> from{tensor_view<const float>(updates.data(), {updates.size()}), 0, positions,
                                             ranks.comm};
  const auto given = segments(distributed_tensor<const int>{tensor_view<const int>(offsets.data(), {7}), 0,
                                                            distribution::replicated(7), ranks.comm});
  auto prepared = mpi::prepare<float, int>(strew::index_add, data, 0, given, from);
  std::vector<std::byte> memory(prepared.bound_bytes(given));
  prepared.bind(given, memory);
  prepared.run(sums.data(), updates.data());
  const std::vector<float> expected{2, 1, 10, 6, 1, 31};
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows.global_index(ranks.rank, static_cast<std::int64_t>(i)));
    expect(ranks, sums[i] == expected[row], 0, "bound segments");
  }
  offsets[2] = 1;
  expect(ranks, prepared.try_bind(given, memory).code() == errc::index_out_of_bounds, 0, "bad offsets are not bound");
  prepared.run(sums.data(), updates.data());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto row = static_cast<std::size_t>(rows.global_index(ranks.rank, static_cast<std::int64_t>(i)));
    expect(ranks, sums[i] == 2 * expected[row] - 1, 0, "what was bound before stays bound");
  }
}

// What ranks pass that differs, or is divided.
void check_refused(const world& ranks) {
  std::vector<float> memory(6, 1.0F);
  const std::vector<float> updates(4, 1.0F);
  std::vector<std::int64_t> offsets{0, 1, 2, 2, 4};
  const auto rows = distribution::replicated(4);
  const distributed_tensor<float> data{tensor_view<float>(memory.data(), {4}), 0, rows, ranks.comm};
  const distributed_tensor<const float> from{tensor_view<const float>(updates.data(), {4}), 0, rows, ranks.comm};
  const auto call = [&](const distribution& over, std::int64_t count) {
    return try_index_add(data, 0,
                         segments(distributed_tensor<const std::int64_t>{
                             tensor_view<const std::int64_t>(offsets.data(), {count}), 0, over, ranks.comm}),
                         from);
  };
  if (ranks.ranks > 1) {
    const auto over = distribution::block(5, ranks.ranks);
    expect(ranks, call(over, over.local_extent(ranks.rank)).code() == errc::unsupported_distribution, 0,
           "offsets are divided");
    if (ranks.rank == 1) offsets[1] = 2;
    expect(ranks, call(distribution::replicated(5), 5).code() == errc::mismatched_calls, 0, "offsets differ");
    if (ranks.rank == 1) offsets[1] = 9;  // not legal on one rank
    expect(ranks, call(distribution::replicated(5), 5).code() == errc::mismatched_calls, 0, "one has a bad offset");
    offsets[1] = 1;
    const std::int64_t count = ranks.rank == 0 ? 4 : 5;
    expect(ranks, !call(distribution::replicated(count), count).ok(), 0, "one has fewer offsets");
  }
  expect(ranks, memory == std::vector<float>(6, 1.0F), 0, "written in spite of an error");
  const status legal = call(distribution::replicated(5), 5);
  expect(ranks, legal.ok() && memory[3] == 3.0F && memory[2] == 1.0F, 0, "legal offsets", legal);
}

}  // namespace
}  // namespace strew::mpi_test

int main(int count, char** arguments) {
  using namespace strew::mpi_test;
  MPI_Init(&count, &arguments);
  const world ranks(MPI_COMM_WORLD);
  const std::uint64_t cases = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000;
  for (std::uint64_t seed = 1; seed <= cases; ++seed) run_case(ranks, seed);
  check_bound(ranks);
  check_refused(ranks);
  return ranks.finish("distributed_segments");
}
