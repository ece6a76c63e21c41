// SPDX-License-Identifier: Apache-2.0
// The time of distributed sums, beside other ways to make them: records of a target and a value by MPI_Alltoallv, one
// sided accumulation, and PETSc's star forest where it is installed. Medians of runs in turns; prints rows of a table.
#include <strew/heap_workspace.hpp>
#include <strew/mpi.hpp>

#include <mpi.h>

#if STREW_HAS_PETSC
#include <petscsf.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace {

using strew::mpi::distributed_tensor_view;
using strew::mpi::distribution;

enum class pattern { uniform, skewed, local };

// The parts of one rank: a table of rows, indices and updates.
struct problem {
  int rank;
  int ranks;
  std::int64_t width;
  distribution rows;
  distribution positions;
  std::vector<double> table;
  std::vector<std::int64_t> indices;
  std::vector<double> updates;

  problem(std::int64_t row_count, std::int64_t width_of_row, std::int64_t update_count, pattern how)
      : width{width_of_row} {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    rows = distribution::block(row_count, ranks);
    positions = distribution::block(update_count, ranks);
    table.assign(static_cast<std::size_t>(rows.local_extent(rank) * width), 0.0);
    updates.assign(static_cast<std::size_t>(positions.local_extent(rank) * width), 1.5);
    std::mt19937_64 random(static_cast<std::uint64_t>(rank) + 1);
    const std::int64_t own = rows.local_extent(rank);
    for (std::int64_t i = 0; i < positions.local_extent(rank); ++i) {
      const double unit = static_cast<double>(random() >> 11) / 9007199254740992.0;
      std::int64_t row = 0;
      if (how == pattern::uniform) row = static_cast<std::int64_t>(unit * static_cast<double>(row_count));
      if (how == pattern::skewed) {  // as Zipf's law: small numbers are common, on all scales
        const double scale = std::pow(static_cast<double>(row_count), unit);
        row = static_cast<std::int64_t>(scale) * 7919 % row_count;
      }
      if (how == pattern::local)
        row = rows.global_index(rank, static_cast<std::int64_t>(unit * static_cast<double>(own)));
      indices.push_back(row < row_count ? row : row_count - 1);
    }
  }
  [[nodiscard]] distributed_tensor_view<double> data() {
    return {strew::tensor_view<double>(table.data(), {rows.local_extent(rank), width}), 0, rows, MPI_COMM_WORLD};
  }
  [[nodiscard]] distributed_tensor_view<const std::int64_t> at() const {
    return {strew::tensor_view<const std::int64_t>(indices.data(), {positions.local_extent(rank)}), 0, positions,
            MPI_COMM_WORLD};
  }
  [[nodiscard]] distributed_tensor_view<const double> with() const {
    return {strew::tensor_view<const double>(updates.data(), {positions.local_extent(rank), width}), 0, positions,
            MPI_COMM_WORLD};
  }
};

// What a program without strew does: a record for each update and owner, received and added. Neither checks nor rounds.
void by_records(problem& on) {
  const auto ranks = static_cast<std::size_t>(on.ranks);
  const std::size_t record = sizeof(std::int64_t) + static_cast<std::size_t>(on.width) * sizeof(double);
  std::vector<int> sent(ranks, 0), sent_begin(ranks, 0), received(ranks, 0), received_begin(ranks, 0);
  for (const std::int64_t index : on.indices)
    sent[static_cast<std::size_t>(on.rows.owner(index))] += static_cast<int>(record);
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (std::size_t r = 1; r < ranks; ++r) {
    sent_begin[r] = sent_begin[r - 1] + sent[r - 1];
    received_begin[r] = received_begin[r - 1] + received[r - 1];
  }
  std::vector<char> to(on.indices.size() * record);
  std::vector<char> from(static_cast<std::size_t>(received_begin.back() + received.back()));
  std::vector<int> next = sent_begin;
  for (std::size_t i = 0; i < on.indices.size(); ++i) {
    const strew::mpi::place found = on.rows.locate(on.indices[i]);
    char* const at = to.data() + next[static_cast<std::size_t>(found.rank)];
    next[static_cast<std::size_t>(found.rank)] += static_cast<int>(record);
    std::memcpy(at, &found.local, sizeof found.local);
    std::memcpy(at + sizeof found.local, on.updates.data() + i * static_cast<std::size_t>(on.width),
                record - sizeof found.local);
  }
  MPI_Alltoallv(to.data(), sent.data(), sent_begin.data(), MPI_BYTE, from.data(), received.data(),
                received_begin.data(), MPI_BYTE, MPI_COMM_WORLD);
  for (std::size_t k = 0; k < from.size(); k += record) {
    std::int64_t row = 0;
    std::memcpy(&row, from.data() + k, sizeof row);
    for (std::int64_t c = 0; c < on.width; ++c) {
      double value = 0;
      std::memcpy(&value, from.data() + k + sizeof row + static_cast<std::size_t>(c) * sizeof(double), sizeof value);
      on.table[static_cast<std::size_t>(row * on.width + c)] += value;
    }
  }
}

// One-sided: the order of updates is not defined, nor are their bits.
void by_accumulation(problem& on, MPI_Win window) {
  MPI_Win_fence(0, window);
  for (std::size_t i = 0; i < on.indices.size(); ++i) {
    const strew::mpi::place found = on.rows.locate(on.indices[i]);
    const auto count = static_cast<int>(on.width);
    MPI_Accumulate(on.updates.data() + i * static_cast<std::size_t>(on.width), count, MPI_DOUBLE,
                   static_cast<int>(found.rank), found.local * on.width, count, MPI_DOUBLE, MPI_SUM, window);
  }
  MPI_Win_fence(0, window);
}

struct form {
  std::string name;
  std::function<void()> run;
  std::vector<double> times;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

void measure(const char* title, std::int64_t rows, std::int64_t width, std::int64_t updates, pattern how) {
  problem on(rows, width, updates, how);
  strew::heap_workspace memory;
  auto data = on.data();
  const auto at = on.at();
  const auto with = on.with();
  auto plan = strew::mpi::prepare<double, std::int64_t>(strew::mpi::index_add, data, 0, at, with);
  std::vector<std::byte> bound(plan.bound_bytes(at));
  double bind_time = MPI_Wtime();
  plan.bind(at, bound);
  bind_time = MPI_Wtime() - bind_time;

  std::vector<form> forms;
  forms.push_back({"strew", [&] { strew::mpi::index_add(memory, data, 0, at, with); }, {}});
  forms.push_back({"strew, bound", [&] { plan.run(on.table.data(), on.updates.data()); }, {}});
  forms.push_back({"records", [&] { by_records(on); }, {}});
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(on.table.data(), static_cast<MPI_Aint>(on.table.size() * sizeof(double)), sizeof(double),
                 MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  if (updates <= 100'000) forms.push_back({"accumulation", [&] { by_accumulation(on, window); }, {}});
#if STREW_HAS_PETSC
  PetscSF forest;
  std::vector<PetscSFNode> roots;
  for (const std::int64_t index : on.indices) {
    const strew::mpi::place found = on.rows.locate(index);
    roots.push_back({static_cast<PetscInt>(found.rank), static_cast<PetscInt>(found.local)});
  }
  MPI_Datatype row = MPIU_REAL;
  if (width > 1) {
    MPI_Type_contiguous(static_cast<int>(width), MPIU_REAL, &row);
    MPI_Type_commit(&row);
  }
  PetscSFCreate(PETSC_COMM_WORLD, &forest);
  PetscSFSetGraph(forest, static_cast<PetscInt>(on.rows.local_extent(on.rank)), static_cast<PetscInt>(roots.size()),
                  nullptr, PETSC_COPY_VALUES, roots.data(), PETSC_COPY_VALUES);
  PetscSFSetUp(forest);
  const auto reduce = [&] {
    PetscSFReduceBegin(forest, row, on.updates.data(), on.table.data(), MPIU_SUM);
    PetscSFReduceEnd(forest, row, on.updates.data(), on.table.data(), MPIU_SUM);
  };
  forms.push_back({"PETSc's star forest, set up", reduce, {}});
#endif
  for (int repeat = 0; repeat < 9; ++repeat) {
    for (form& each : forms) {
      MPI_Barrier(MPI_COMM_WORLD);
      double time = MPI_Wtime();
      each.run();
      time = MPI_Wtime() - time;
      MPI_Allreduce(MPI_IN_PLACE, &time, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
      if (repeat > 0) each.times.push_back(time);
    }
  }
  if (on.rank == 0) {
    std::printf("| %s | %d |", title, on.ranks);
    for (const form& each : forms) std::printf(" %s %.3f ms |", each.name.c_str(), 1e3 * median(each.times));
    std::printf(" bind %.3f ms | %zu bytes |\n", 1e3 * bind_time, bound.size());
    std::fflush(stdout);
  }
#if STREW_HAS_PETSC
  PetscSFDestroy(&forest);
  if (width > 1) MPI_Type_free(&row);
#endif
  MPI_Win_free(&window);
}

}  // namespace

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
#if STREW_HAS_PETSC
  PetscInitialize(&count, &arguments, nullptr, nullptr);
#endif
  constexpr std::int64_t mi = 1 << 20;
  measure("100 elements of 1 Ki, uniform", 1024, 1, 100, pattern::uniform);
  measure("10 Ki elements of 64 Ki, uniform", 65'536, 1, 10'240, pattern::uniform);
  measure("2 Mi elements of 4 Mi, uniform", 4 * mi, 1, 2 * mi, pattern::uniform);
  measure("2 Mi elements of 4 Mi, Zipf", 4 * mi, 1, 2 * mi, pattern::skewed);
  measure("2 Mi elements of 4 Mi, own block", 4 * mi, 1, 2 * mi, pattern::local);
  measure("128 Ki rows of 16 of 256 Ki, uniform", mi / 4, 16, mi / 8, pattern::uniform);
  measure("128 Ki rows of 16 of 256 Ki, Zipf", mi / 4, 16, mi / 8, pattern::skewed);
  measure("32 Ki rows of 128 of 64 Ki, uniform", mi / 16, 128, mi / 32, pattern::uniform);
#if STREW_HAS_PETSC
  PetscFinalize();
#endif
  MPI_Finalize();
}
