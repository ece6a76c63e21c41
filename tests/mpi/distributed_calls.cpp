// SPDX-License-Identifier: Apache-2.0
// What distributed calls promise beside their results: one error on all ranks with nothing written, the memory that
// they use, the messages that they send, offsets beyond 2^31.
#include "mpi/distributed_cases.hpp"
#include "mpi/intercepted.hpp"

#include <strew/heap_workspace.hpp>
#include <strew/mpi.hpp>
#include <strew/threads.hpp>

#include <mpi.h>
#include <sys/mman.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace strew::mpi_test {
namespace {

namespace red = reduction;

// A condition on every rank.
void check(const world& ranks, bool holds, const char* what, const status& error = {}) {
  if (holds) return;
  failures += 1;
  std::fprintf(stderr, "rank %d: failed: %s ('%s')\n", ranks.rank, what, error.message().c_str());
}

// A table of `rows` rows of 3, indices and updates of `updates` rows, in blocks.
struct operands {
  const world& ranks;
  distribution rows;
  distribution positions;
  std::vector<float> table;
  std::vector<std::int64_t> indices;
  std::vector<float> updates;
  MPI_Comm comm_of_indices;

  operands(const world& of, std::int64_t row_count, std::int64_t update_count)
      : ranks{of},
        rows{distribution::block(row_count, of.ranks)},
        positions{distribution::block(update_count, of.ranks)},
        comm_of_indices{of.comm} {
    table.assign(static_cast<std::size_t>(3 * rows.local_extent(of.rank)), 1.0F);
    const std::int64_t own = positions.local_extent(of.rank);
    for (std::int64_t i = 0; i < own; ++i) {
      const std::int64_t position = positions.global_index(of.rank, i);
      indices.push_back((position * 7) % row_count);
      for (int k = 0; k < 3; ++k) updates.push_back(static_cast<float>(position + k));
    }
  }
  [[nodiscard]] distributed_tensor<float> data() {
    return {tensor_view<float>(table.data(), {rows.local_extent(ranks.rank), 3}), 0, rows, ranks.comm};
  }
  [[nodiscard]] distributed_tensor<const std::int64_t> at() {
    return {tensor_view<const std::int64_t>(indices.data(), {positions.local_extent(ranks.rank)}), 0, positions,
            comm_of_indices};
  }
  [[nodiscard]] distributed_tensor<const float> with() {
    return {tensor_view<const float>(updates.data(), {positions.local_extent(ranks.rank), 3}), 0, positions,
            ranks.comm};
  }
  [[nodiscard]] bool is_unwritten() const {
    for (const float value : table) {
      if (value != 1.0F) return false;
    }
    return true;
  }
};

// Every rank returns the same error, and none has written.
void check_refused(const world& ranks, const operands& used, const status& error, errc code, std::string_view text,
                   const char* what) {
  check(ranks, error.code() == code, what, error);
  check(ranks, std::string_view(error.message().c_str()).find(text) != std::string_view::npos, what, error);
  check(ranks, used.is_unwritten(), what, error);
  const std::string message = error.message().c_str();
  const auto hash = static_cast<std::int64_t>(std::hash<std::string>{}(message) >> 1);
  std::int64_t both[] = {hash, -hash};
  PMPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_INT64_T, MPI_MIN, ranks.comm);
  check(ranks, both[0] == hash && both[1] == -hash, "the same message on all ranks", error);
}

void bad_indices(const world& ranks) {
  for (int finder = 0; finder < ranks.ranks; ++finder) {
    operands some(ranks, 20, 40 + ranks.ranks);
    const std::int64_t position = some.positions.global_index(finder, 0);
    if (ranks.rank == finder) some.indices[0] = 20;
    if (ranks.rank > finder) some.indices[0] = -5;  // later in row-major order
    const status error = mpi::try_index_add(some.data(), 0, some.at(), some.with());
    const std::string text = "indices[" + std::to_string(position) + "] = 20 is outside [0, 19] (axis 0 has extent 20)";
    check_refused(ranks, some, error, errc::index_out_of_bounds, text, "a bad index on one rank");
  }
#if STREW_HAS_EXCEPTIONS
  operands some(ranks, 20, 40);
  if (ranks.rank == 0) some.indices[1] = 21;
  bool was_thrown = false;
  try {
    mpi::scatter_update(some.data(), some.at(), some.with(), 0);
  } catch (const scatter_error& error) {
    was_thrown = error.code() == errc::index_out_of_bounds && error.status().coordinate() == index_list{1};
  }
  check(ranks, was_thrown && some.is_unwritten(), "all ranks throw");
#endif
}

void mismatched_calls(const world& ranks) {
  if (ranks.ranks == 1) return;
  const bool is_other = ranks.rank == ranks.ranks - 1;
  const auto expect = [&](const char* what, const auto& call) {
    operands some(ranks, 20, 40);
    const status error = call(some);
    check(ranks, error.code() == errc::mismatched_calls, what, error);
    check(ranks, some.is_unwritten(), what, error);
  };
  expect("another operator", [&](operands& some) {
    return is_other ? mpi::try_index_copy(some.data(), 0, some.at(), some.with())
                    : mpi::try_index_add(some.data(), 0, some.at(), some.with());
  });
  expect("another reduction", [&](operands& some) {
    return is_other ? mpi::try_index_reduce(some.data(), 0, some.at(), some.with(), red::max)
                    : mpi::try_index_reduce(some.data(), 0, some.at(), some.with(), red::min);
  });
  expect("another policy", [&](operands& some) {
    return is_other ? mpi::try_index_add(some.data(), 0, drop(some.at()), some.with())
                    : mpi::try_index_add(some.data(), 0, clip(some.at()), some.with());
  });
  expect("another value",
         [&](operands& some) { return mpi::try_index_add(some.data(), 0, some.at(), is_other ? 2.0F : 3.0F); });
  expect("another distribution", [&](operands& some) {
    if (is_other) some.rows = distribution::block_cyclic(20, ranks.ranks, 20 / ranks.ranks + 1);
    return mpi::try_index_add(some.data(), 0, some.at(), some.with());
  });
  expect("another factor", [&](operands& some) {
    return mpi::try_index_add(some.data(), 0, some.at(), some.with(), scaled_by{is_other ? 2.0F : 3.0F});
  });
  expect("a reduction that may throw", [&](operands& some) {
    const auto quiet = [](float a, float b) noexcept { return a + b; };
    const auto loud = [](float a, float b) { return a + b; };
    return is_other ? mpi::try_index_reduce(some.data(), 0, some.at(), some.with(), loud)
                    : mpi::try_index_reduce(some.data(), 0, some.at(), some.with(), quiet);
  });
  expect("an axis that is none",
         [&](operands& some) { return mpi::try_index_add(some.data(), is_other ? 7 : 0, some.at(), some.with()); });
  expect("a value that does not fit, on one rank",
         [&](operands& some) { return mpi::try_index_add(some.data(), 0, some.at(), is_other ? 1e300 : 1.0); });
  expect("a factor that does not fit, on one rank", [&](operands& some) {
    return mpi::try_index_add(some.data(), 0, some.at(), some.with(), scaled_by{is_other ? 1e300 : 1.0});
  });
  // Multi-indices with more components than axes end before the operands are compared.
  expect("too many components, on one rank", [&](operands& some) {
    const std::int64_t own = some.positions.local_extent(ranks.rank);
    std::vector<std::int64_t> pairs(static_cast<std::size_t>(own * 3), 0);
    std::vector<float> values(static_cast<std::size_t>(own), 0.0F);
    const distributed_tensor<std::int64_t> at{tensor_view<std::int64_t>(pairs.data(), {own, is_other ? 3 : 2}), 0,
                                              some.positions, ranks.comm};
    const distributed_tensor<float> with{tensor_view<float>(values.data(), {own}), 0, some.positions, ranks.comm};
    return mpi::onnx::try_scatter_nd(some.data(), at, with, red::sum);
  });
}

void mistakes_of_one_rank(const world& ranks) {
  const int last = ranks.ranks - 1;
  const std::string who = " of rank " + std::to_string(last);
  {
    operands some(ranks, 20, 40);
    if (ranks.rank == last) some.updates.resize(some.updates.size() + 3);
    const std::int64_t own = some.positions.local_extent(ranks.rank) + (ranks.rank == last ? 1 : 0);
    const distributed_tensor<const float> with{tensor_view<const float>(some.updates.data(), {own, 3}), 0,
                                               some.positions, ranks.comm};
    const status error = mpi::try_index_add(some.data(), 0, some.at(), with);
    check_refused(ranks, some, error, errc::extent_mismatch, "updates" + who, "a part of another extent");
  }
  {
    operands some(ranks, 20, 20);
    const bool shares = ranks.rank == last;
    const distributed_tensor<const float> with{
        tensor_view<const float>(shares ? some.table.data() : some.updates.data(),
                                 {some.positions.local_extent(ranks.rank), 3}),
        0, some.positions, ranks.comm};
    const status error = mpi::try_index_add(some.data(), 0, some.at(), with);
    check_refused(ranks, some, error, errc::overlap, "output" + who + " shares memory with updates", "an overlap");
  }
  {
    operands some(ranks, 20 + 2 * ranks.ranks, 40);
    const bool repeats = ranks.rank == last;
    const distributed_tensor<float> data{
        tensor_view<float>(some.table.data(), {some.rows.local_extent(ranks.rank), 3}, {repeats ? 0 : 3, 1}), 0,
        some.rows, ranks.comm};
    const status error = mpi::try_index_add(data, 0, some.at(), some.with());
    check_refused(ranks, some, error, errc::repeated_element, "output" + who, "an element twice");
  }
  if (ranks.ranks > 1) {
    operands some(ranks, 20, 40);
    if (ranks.rank == last) some.comm_of_indices = MPI_COMM_SELF;
    const status error = mpi::try_index_add(some.data(), 0, some.at(), some.with());
    check_refused(ranks, some, error, errc::unsupported_distribution, "indices" + who, "another communicator");
  }
  {
    operands some(ranks, 20, 40);
    const distributed_tensor<float> data{some.data().local(), 0, some.rows, MPI_COMM_NULL};
    check(ranks, mpi::try_index_add(data, 0, some.at(), some.with()).code() == errc::communication, "no communicator");
  }
}

void unsupported_distributions(const world& ranks) {
  if (ranks.ranks == 1) return;
  const auto whole = [](std::int64_t extent) { return distribution::replicated(extent); };
  const auto expect = [&](const char* text, const distribution& of_data, int axis_of_data,
                          const distribution& of_indices, const distribution& of_updates, int axis_of_updates) {
    operands some(ranks, 12, 12);
    some.table.assign(36, 1.0F);
    some.indices.assign(12, 0);
    some.updates.assign(36, 0.0F);
    const auto part = [&](const distribution& over, std::int64_t extent) {
      return over.is_replicated() || over.ranks() != ranks.ranks ? extent : over.local_extent(ranks.rank);
    };
    const index_list data_extents{axis_of_data == 0 ? part(of_data, 12) : 12, axis_of_data == 1 ? part(of_data, 3) : 3};
    const index_list update_extents{axis_of_updates == 0 ? part(of_updates, 12) : 12,
                                    axis_of_updates == 1 ? part(of_updates, 3) : 3};
    const distributed_tensor<float> data{tensor_view<float>(some.table.data(), data_extents), axis_of_data, of_data,
                                         ranks.comm};
    const distributed_tensor<const std::int64_t> at{
        tensor_view<const std::int64_t>(some.indices.data(), {part(of_indices, 12)}), 0, of_indices, ranks.comm};
    const distributed_tensor<const float> with{tensor_view<const float>(some.updates.data(), update_extents),
                                               axis_of_updates, of_updates, ranks.comm};
    const status error = mpi::try_index_add(data, 0, at, with);
    check_refused(ranks, some, error, errc::unsupported_distribution, text, text);
  };
  const distribution rows = distribution::block(12, ranks.ranks);
  const distribution columns = distribution::block(3, ranks.ranks);
  const distribution turns = distribution::block_cyclic(12, ranks.ranks, 1);
  const distribution turns_of_columns = distribution::block_cyclic(3, ranks.ranks, 1);
  expect("indices is divided, but data is whole on every rank", whole(12), 0, rows, rows, 0);
  expect("updates is divided, but data is whole on every rank", whole(12), 0, whole(12), rows, 0);
  expect("updates is divided, but indices is whole on every rank", rows, 0, whole(12), rows, 0);
  expect("updates is not distributed as indices is", rows, 0, rows, turns, 0);
  expect("updates is not distributed as indices is", rows, 0, rows, columns, 1);
  expect("indices is divided, but selects on axes along which data is not", columns, 1, rows, rows, 0);
  expect("updates is not distributed as data is", columns, 1, whole(12), turns_of_columns, 1);
  expect("the part of data is not one range of it", turns_of_columns, 1, whole(12), whole(12), 0);
  expect("data is divided among ", distribution::block(12, ranks.ranks + 1), 0, rows, rows, 0);
}

void memory(const world& ranks) {
  if (ranks.ranks == 1) return;
  // A row of 40 KB, more than the stack that is used without lent memory.
  const std::int64_t width = 10'000;
  const distribution rows = distribution::block(ranks.ranks, ranks.ranks);
  std::vector<float> row(static_cast<std::size_t>(width), 1.0F);
  std::vector<float> update(static_cast<std::size_t>(width), 2.0F);
  const std::int64_t target = (ranks.rank + 1) % ranks.ranks;
  const distributed_tensor<float> data{tensor_view<float>(row.data(), {1, width}), 0, rows, ranks.comm};
  const distributed_tensor<const std::int64_t> at{tensor_view<const std::int64_t>(&target, {1}), 0, rows, ranks.comm};
  const distributed_tensor<float> with{tensor_view<float>(update.data(), {1, width}), 0, rows, ranks.comm};
  status error = mpi::try_index_add(data, 0, at, with);
  check(ranks, error.code() == errc::too_little_memory && row[0] == 1.0F, "a row larger than the stack", error);
  std::vector<std::byte> bytes(100'000);
  error = mpi::try_index_add(workspace{bytes}, data, 0, at, with);
  check(ranks, error.ok() && row[0] == 3.0F && row.back() == 3.0F, "the same with memory", error);
  heap_workspace heap;
  error = mpi::try_index_add(heap, data, 0, at, with);
  check(ranks, error.ok() && row[0] == 5.0F, "the same with memory of the heap", error);
  check(ranks, heap.bytes() >= 80'000 && heap.bytes() < 200'000, "memory of the heap for one round");

  // All updates of one target do not fit: sums take them in pieces, a mean cannot.
  operands hot(ranks, 20, 20'000);
  for (std::int64_t& index : hot.indices) index = 7;
  error = mpi::try_index_reduce(hot.data(), 0, hot.at(), hot.with(), red::mean);
  check_refused(ranks, hot, error, errc::too_little_memory, "all updates of one target", "a mean of a hot row");
  std::vector<float> expected(3, 1.0F);
  for (int position = 0; position < 20'000; ++position) {
    for (int k = 0; k < 3; ++k) expected[static_cast<std::size_t>(k)] += static_cast<float>(position + k);
  }
  error = mpi::try_index_add(hot.data(), 0, hot.at(), hot.with());
  bool is_right = error.ok();
  const mpi::place found = hot.rows.locate(7);
  for (std::size_t i = 0; i < hot.table.size(); ++i) {
    const bool is_hot = found.rank == ranks.rank && i / 3 == static_cast<std::size_t>(found.local);
    is_right = is_right && hot.table[i] == (is_hot ? expected[i % 3] : 1.0F);
  }
  check(ranks, is_right, "sums of a hot row in pieces", error);
}

// Values and parts without elements, or with more than their rank has.
void corners(const world& ranks) {
  {
    operands some(ranks, 20, 40);
    const status error = mpi::try_index_fill(some.data(), 0, some.at(), tensor_view<const float>{});
    check_refused(ranks, some, error, errc::rank_mismatch, "value", "a value that is no scalar");
  }
  {
    std::vector<float> all(6, 1.0F);
    const distributed_tensor<float> data{tensor_view<float>(all.data(), {6}), 0, distribution::replicated(6),
                                         ranks.comm};
    const status error = mpi::try_slice_scatter(data, 4.0F, {});
    check(ranks, error.ok() && all == std::vector<float>(6, 4.0F), "one value for all of a whole tensor", error);
  }
  {
    // Rows of 128 KiB, of which the last rank has none.
    const std::int64_t width = 32'768;
    const distribution rows = distribution::block(ranks.ranks < 2 ? 1 : ranks.ranks - 1, ranks.ranks);
    const std::int64_t own = rows.local_extent(ranks.rank);
    std::vector<float> part(static_cast<std::size_t>(own * width), 1.0F);
    std::vector<float> updates(static_cast<std::size_t>(own * width), 2.0F);
    std::vector<std::int64_t> indices(static_cast<std::size_t>(own), 0);
    const distributed_tensor<float> data{tensor_view<float>(part.data(), {own, width}), 0, rows, ranks.comm};
    const distributed_tensor<std::int64_t> at{tensor_view<std::int64_t>(indices.data(), {own}), 0, rows, ranks.comm};
    const distributed_tensor<float> with{tensor_view<float>(updates.data(), {own, width}), 0, rows, ranks.comm};
    heap_workspace heap;
    const status error = mpi::try_index_reduce(heap, data, 0, at, with, red::mean);
    const auto count = static_cast<float>(rows.extent());
    const float expected = ranks.rank == 0 ? (1.0F + 2.0F * count) / (1.0F + count) : 1.0F;
    check(ranks, error.ok() && (part.empty() || part[5] == expected), "a rank without elements", error);
  }
  {
    // Bound updates without elements, whose axes are not one in memory.
    const distribution rows = distribution::block(10, ranks.ranks);
    const std::int64_t own = rows.local_extent(ranks.rank);
    std::vector<float> part(static_cast<std::size_t>(own * 3), 1.0F);
    std::vector<float> updates(static_cast<std::size_t>(own * 12), 2.0F);
    std::vector<std::int64_t> indices(static_cast<std::size_t>(own), 9);
    const distributed_tensor<float> data{tensor_view<float>(part.data(), {own, 0, 3}), 0, rows, ranks.comm};
    const distributed_tensor<std::int64_t> at{tensor_view<std::int64_t>(indices.data(), {own}), 0, rows, ranks.comm};
    const distributed_tensor<float> with{tensor_view<float>(updates.data(), {own, 0, 3}, {12, 4, 1}), 0, rows,
                                         ranks.comm};
    auto plan = mpi::prepare<float, std::int64_t>(mpi::index_add, data, 0, at, with);
    std::vector<std::byte> bytes(plan.bound_bytes(at));
    plan.bind(at, bytes);
    const status error = plan.try_run(part.data(), updates.data());
    check(ranks, error.ok() && part == std::vector<float>(part.size(), 1.0F), "bound updates without elements", error);
  }
  {
    operands some(ranks, 20, 40);
    const float one = 1.0F;
    const auto value = tensor_view<const float>(&one, {});
    auto plan = mpi::prepare<float, std::int64_t>(mpi::index_fill, some.data(), 0, some.at(), value);
    std::vector<std::byte> bytes(plan.bound_bytes(some.at()));
    plan.bind(some.at(), bytes);
    check(ranks, plan.try_run(some.table.data()).ok() && some.is_unwritten(), "a bound value");
  }
}

#if STREW_HAS_EXCEPTIONS
// The rank whose executor throws still takes part in what all ranks do.
void throwing_executors(const world& ranks) {
#if STREW_TEST_BUILD
  detail::tuning::set_by_tests.smallest_part = detail::tuning::set_by_tests.smallest_check = 1;
  detail::tuning::set_by_tests.small_output = 0;
#endif
  const int thrower = ranks.ranks - 1;
  const auto executor = [&](std::size_t n, const task& body) {
    if (ranks.rank == thrower) throw std::runtime_error("the executor");
    for (std::size_t i = 0; i < n; ++i) body(i);
  };
  operands some(ranks, 2000, 40'000);
  std::vector<std::byte> bytes(40'000);
  bool was_thrown = false;
  status error;
  try {
    error = mpi::try_index_add(workspace{bytes, executor}, some.data(), 0, some.at(), some.with());
  } catch (const std::runtime_error&) {
    was_thrown = true;
  }
  check(ranks, was_thrown == (ranks.rank == thrower) && error.ok(), "an executor that throws", error);
#if STREW_TEST_BUILD
  detail::tuning::set_by_tests = {};
#endif
}

void throwing_reductions(const world& ranks) {
  operands some(ranks, 20, 40);
  const int thrower = ranks.ranks - 1;
  const auto reduce = [&](float a, float b) {
    if (ranks.rank == thrower) throw std::runtime_error("the reduction");
    return a + b;
  };
  bool was_thrown = false;
  status error;
  try {
    error = mpi::try_index_reduce(some.data(), 0, some.at(), some.with(), reduce);
  } catch (const std::runtime_error&) {
    was_thrown = true;
  }
  check(ranks, was_thrown == (ranks.rank == thrower), "the rank whose reduction throws", error);
  if (ranks.rank != thrower) check(ranks, error.code() == errc::communication, "the other ranks", error);
}
#endif

void failing_communication(const world& ranks) {
  if (ranks.ranks == 1) return;
  for (int number = 0; number < 5; ++number) {
    operands some(ranks, 20, 40);
    calls.collectives = 0;
    calls.fails_at = number;
    const status error = mpi::try_index_add(some.data(), 0, some.at(), some.with());
    calls.fails_at = -1;
    check(ranks, error.code() == errc::communication, "MPI fails", error);
  }
}

// Binding others with the memory of bound indices fails, and these are run again.
void failed_binds(const world& ranks) {
  operands some(ranks, 20, 40);
  std::vector<float> expected = some.table;
  for (std::int64_t position = 0; position < 40; ++position) {
    const std::int64_t row = (position * 7) % 20;
    if (some.rows.owner(row) != ranks.rank) continue;
    for (int k = 0; k < 3; ++k) {
      expected[static_cast<std::size_t>(some.rows.local_index(row) * 3 + k)] += static_cast<float>(position + k);
    }
  }
  auto plan = mpi::prepare<float, std::int64_t>(mpi::index_add, some.data(), 0, some.at(), some.with());
  std::vector<std::byte> memory(plan.bound_bytes(some.at()) + 4096);
  const auto still_runs = [&] {
    some.table.assign(some.table.size(), 1.0F);
    const status error = plan.try_run(some.table.data(), some.updates.data());
    check(ranks, error.ok() && some.table == expected, "bound indices are run again", error);
  };
  plan.bind(some.at(), memory);
  still_runs();

  operands other(ranks, 20, 40);
  for (std::int64_t& index : other.indices) index = 19 - index;
  const bool is_last = ranks.rank == ranks.ranks - 1;
  const std::vector<std::byte> before = memory;
  const std::int64_t last = other.indices.back();
  if (is_last) other.indices.back() = 20;
  status error = plan.try_bind(other.at(), memory);
  check(ranks, error.code() == errc::index_out_of_bounds && memory == before, "a bad index of the last rank", error);
  still_runs();
  other.indices.back() = last;
  if (ranks.ranks > 1) {
    error = plan.try_bind(other.at(), is_last ? std::span<std::byte>() : std::span(memory));
    check(ranks, error.code() == errc::too_little_memory && memory == before, "no memory of the last rank", error);
    still_runs();
    // Once MPI has failed nothing need be bound, but no run uses memory that was written half-way.
    for (int number = 0;; ++number) {
      plan.bind(some.at(), memory);
      const std::vector<std::byte> kept = memory;
      calls.collectives = 0;
      calls.fails_at = number;
      error = plan.try_bind(other.at(), memory);
      calls.fails_at = -1;
      if (error.ok()) break;
      check(ranks, error.code() == errc::communication, "MPI fails", error);
      if (memory == kept) {
        still_runs();
      } else {
        some.table.assign(some.table.size(), 1.0F);
        error = plan.try_run(some.table.data(), some.updates.data());
        check(ranks, error.code() == errc::null_data && some.is_unwritten(), "nothing is bound", error);
      }
    }
  }
}

void messages(const world& ranks) {
  if (ranks.ranks == 1) return;
  operands some(ranks, 20, 40);
  std::int64_t sent = 0;
  std::vector<int> to(static_cast<std::size_t>(ranks.ranks), 0);
  for (const std::int64_t index : some.indices) {
    const std::int64_t owner = some.rows.owner(index);
    if (owner == ranks.rank) continue;
    sent += 1;
    to[static_cast<std::size_t>(owner)] = 1;
  }
  std::int64_t partners = 0;
  for (const int each : to) partners += each;
  calls = {.delays = calls.delays, .yields = calls.yields};
  status error = mpi::try_index_add(some.data(), 0, some.at(), some.with());
  check(ranks, error.ok() && calls.collectives == 5, "five collective calls", error);
  check(ranks, calls.bytes == sent * 16, "a target and three floats for each update", error);
  check(ranks, calls.messages == 2 * partners, "two messages to each partner", error);
  calls = {.delays = calls.delays, .yields = calls.yields};
  error = mpi::try_index_add(some.data(), 0, some.at(), 1.0F);
  check(ranks, error.ok() && calls.collectives == 4 && calls.bytes == sent * 4, "a value is not sent", error);
  // Whole indices and updates: nothing is sent.
  std::vector<std::int64_t> indices(40, 3);
  const distributed_tensor<std::int64_t> at{tensor_view<std::int64_t>(indices.data(), {40}), 0,
                                            distribution::replicated(40), ranks.comm};
  calls = {.delays = calls.delays, .yields = calls.yields};
  error = mpi::try_index_add(some.data(), 0, at, 1.0F);
  check(ranks, error.ok() && calls.collectives == 1 && calls.bytes == 0, "whole operands are agreed on alone", error);
}

// Local targets beyond 2^31, of which only a few pages are ever touched.
void large_offsets(const world& ranks) {
  const std::int64_t local = (std::int64_t{1} << 32) + 11;
  void* const memory = ::mmap(nullptr, static_cast<std::size_t>(local), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    if (ranks.rank == 0) std::printf("not tested: offsets beyond 2^31, since the system reserves no address space\n");
    return;
  }
  auto* const bytes = static_cast<std::uint8_t*>(memory);
  const distribution over = distribution::block(local * ranks.ranks, ranks.ranks);
  const distribution positions = distribution::block(3 * ranks.ranks, ranks.ranks);
  // Each rank writes to the three ends of the next one's part.
  const std::int64_t next = (ranks.rank + 1) % ranks.ranks * local;
  const std::int64_t indices[] = {next, next + (std::int64_t{1} << 31) + 5, next + local - 1};
  const std::uint8_t updates[] = {1, 2, 3};
  const distributed_tensor<std::uint8_t> data{tensor_view<std::uint8_t>(bytes, {local}), 0, over, ranks.comm};
  const distributed_tensor<const std::int64_t> at{tensor_view<const std::int64_t>(indices, {3}), 0, positions,
                                                  ranks.comm};
  const distributed_tensor<const std::uint8_t> with{tensor_view<const std::uint8_t>(updates, {3}), 0, positions,
                                                    ranks.comm};
  const status error = mpi::try_index_add(data, 0, at, with);
  check(ranks, error.ok() && bytes[0] == 1 && bytes[(std::int64_t{1} << 31) + 5] == 2 && bytes[local - 1] == 3,
        "offsets beyond 2^31", error);
  ::munmap(memory, static_cast<std::size_t>(local));

  // A type of more bytes than an int counts.
  const std::int64_t row = (std::int64_t{5} << 30) + 7;
  const detail::bytes_type type(row);
  MPI_Count size = 0;
  MPI_Type_size_x(type.type(), &size);
  MPI_Count lowest = 0;
  MPI_Count extent = 0;
  MPI_Type_get_extent_x(type.type(), &lowest, &extent);
  check(ranks, type.code() == MPI_SUCCESS && size == row && lowest == 0 && extent == row, "a row beyond 2^31 bytes");
}

#if STREW_TEST_BUILD
// As if MPI's counts could hold no more than five items.
void injected_limits(const world& ranks) {
  detail::tuning::set_by_tests.most_exchanged = 5;
  operands some(ranks, 50, 300);
  const status error = mpi::try_index_add(some.data(), 0, some.at(), some.with());
  detail::tuning::set_by_tests = {};
  std::vector<float> expected(150, 1.0F);
  for (std::int64_t position = 0; position < 300; ++position) {
    for (int k = 0; k < 3; ++k) {
      expected[static_cast<std::size_t>(position * 7 % 50 * 3 + k)] += static_cast<float>(position + k);
    }
  }
  bool is_right = error.ok();
  for (std::size_t i = 0; i < some.table.size(); ++i) {
    const auto global = static_cast<std::size_t>(some.rows.global_index(ranks.rank, static_cast<std::int64_t>(i / 3)));
    is_right = is_right && some.table[i] == expected[global * 3 + i % 3];
  }
  check(ranks, is_right, "rounds of five items", error);
}
#endif

// Two threads call at the same time, each on a communicator of its own.
// A mask of any type selects by bytes that are not 0. The source has an element for each element of data, in row-major
// order of all ranks.
template <class M>
void masks(const world& ranks, const char* what) {
  constexpr unsigned char bytes[] = {0, 1, 2, 0x80, 0xff, 0, 0x40, 0};
  constexpr std::int64_t size = 43;
  const distribution over = distribution::block(size, ranks.ranks);
  const index_list extents{over.local_extent(ranks.rank)};
  std::vector<unsigned char> selected;
  std::vector<float> data, source, scattered, filled;
  for (std::int64_t i = 0, next = 0; i < size; ++i) {
    const unsigned char byte = bytes[static_cast<std::size_t>(i * 5 % 8)];
    const float update = byte != 0 ? static_cast<float>(100 + next++) : 1.0F;
    if (over.owner(i) != ranks.rank) continue;
    selected.push_back(byte);
    data.push_back(1.0F);
    source.push_back(static_cast<float>(100 + i));
    scattered.push_back(update);
    filled.push_back(byte != 0 ? 9.0F : 1.0F);
  }
  const distributed_tensor<float> table(tensor_view<float>(data.data(), extents), 0, over, ranks.comm);
  const distributed_tensor<const float> from(tensor_view<const float>(source.data(), extents), 0, over, ranks.comm);
  const distributed_tensor<const M> mask(tensor_view<const M>(reinterpret_cast<const M*>(selected.data()), extents), 0,
                                         over, ranks.comm);
  std::vector<std::byte> memory(1 << 16);
  status error = mpi::try_masked_scatter(workspace{memory}, table, mask, from);
  check(ranks, error.ok() && data == scattered, what, error);
  data.assign(data.size(), 1.0F);
  error = mpi::try_masked_fill(table, mask, 9);
  check(ranks, error.ok() && data == filled, what, error);
}

void concurrent_calls(const world& ranks, int provided) {
  if (provided < MPI_THREAD_MULTIPLE) {
    if (ranks.rank == 0) std::printf("not tested: concurrent calls, since MPI lacks MPI_THREAD_MULTIPLE\n");
    return;
  }
  MPI_Comm comms[2];
  for (MPI_Comm& comm : comms) MPI_Comm_dup(ranks.comm, &comm);
  bool is_right[2] = {};
  const auto call = [&](int which) {
    const world own(comms[which]);
    bool all = true;
    for (int repeat = 0; repeat < (own.ranks > 4 ? 3 : 20); ++repeat) {
      operands some(own, 20, 60);
      all = all && mpi::try_index_add(some.data(), 0, some.at(), some.with()).ok();
      operands again(own, 20, 60);
      all = all && mpi::try_index_add(again.data(), 0, again.at(), again.with()).ok() && some.table == again.table;
    }
    is_right[which] = all;
  };
  std::thread other(call, 1);
  call(0);
  other.join();
  check(ranks, is_right[0] && is_right[1], "concurrent calls");
  for (MPI_Comm& comm : comms) MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace strew::mpi_test

int main(int count, char** arguments) {
  using namespace strew::mpi_test;
  int provided = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_MULTIPLE, &provided);
  const world ranks(MPI_COMM_WORLD);
  if (count > 1 && std::string_view(arguments[1]) == "killed") {
    // The last rank dies while the others wait for it.
    operands some(ranks, 20, 40);
    if (ranks.rank == ranks.ranks - 1) std::raise(SIGKILL);
    static_cast<void>(strew::mpi::try_index_add(some.data(), 0, some.at(), some.with()));
    return ranks.finish("a rank was killed, and nobody noticed");
  }
  bad_indices(ranks);
  mismatched_calls(ranks);
  mistakes_of_one_rank(ranks);
  unsupported_distributions(ranks);
  memory(ranks);
  corners(ranks);
#if STREW_HAS_EXCEPTIONS
  throwing_reductions(ranks);
  throwing_executors(ranks);
#endif
  failing_communication(ranks);
  failed_binds(ranks);
  messages(ranks);
  large_offsets(ranks);
  masks<bool>(ranks, "masks of bool");
  masks<char>(ranks, "masks of char");
  masks<signed char>(ranks, "masks of signed char");
  masks<unsigned char>(ranks, "masks of unsigned char");
  masks<std::byte>(ranks, "masks of std::byte");
#if STREW_TEST_BUILD
  injected_limits(ranks);
#endif
  concurrent_calls(ranks, provided);
  return ranks.finish("distributed_calls");
}
