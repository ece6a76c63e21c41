// SPDX-License-Identifier: Apache-2.0
// What the tests of distributed tensors share: whole tensors, which all ranks draw alike, and the parts that a rank
// has.
#ifndef STREW_TESTS_MPI_DISTRIBUTED_CASES_HPP
#define STREW_TESTS_MPI_DISTRIBUTED_CASES_HPP

#include "support/random_source.hpp"

#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace strew::mpi_test {

using mpi::distribution;
using test::random_source;
template <class T>
using distributed_tensor = mpi::distributed_tensor_view<T>;

inline int failures = 0;
inline std::int64_t served = 0;
inline std::int64_t refused = 0;

struct world {
  MPI_Comm comm;
  int rank = 0;
  int ranks = 1;

  explicit world(MPI_Comm of) : comm{of} {
    MPI_Comm_rank(of, &rank);
    MPI_Comm_size(of, &ranks);
  }
  [[nodiscard]] bool all_equal(int value) const {
    int both[] = {value, -value};
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_INT, MPI_MIN, comm);
    return both[0] == -both[1];
  }
  [[nodiscard]] std::int64_t sum(std::int64_t value) const {
    PMPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, comm);
    return value;
  }
  // Prints the outcome of all ranks; the exit status of the program.
  [[nodiscard]] int finish(const char* name) const {
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, comm);
    if (rank == 0) {
      std::printf("%s: %d ranks, %lld calls served, %lld refused, %d failures\n", name, ranks,
                  static_cast<long long>(served), static_cast<long long>(refused), failures);
    }
    MPI_Finalize();
    return failures == 0 ? 0 : 1;
  }
};

// Row-major.
template <class T>
struct tensor {
  index_list extents;
  std::vector<T> values;

  explicit tensor(const index_list& of) : extents{of} {
    std::size_t size = 1;
    for (const std::int64_t extent : of) size *= static_cast<std::size_t>(extent);
    values.resize(size);
  }
  void fill(random_source& random) {
    for (T& value : values) {
      value = static_cast<T>(random.below(2000) - 1000);
      if constexpr (std::is_floating_point_v<T>) {
        value /= T{7};
        const std::int64_t special = random.below(60);
        if (special == 0) value = -T{0};
        if (special == 1) value = std::numeric_limits<T>::quiet_NaN();
        if (special == 2) value = std::numeric_limits<T>::infinity();
      }
    }
  }
  [[nodiscard]] tensor_view<T> view() { return {values.data(), extents}; }
  [[nodiscard]] tensor_view<const T> view() const { return {values.data(), extents}; }
};

struct division {
  int axis = 0;
  distribution over;
};

// A slice of one axis; it may begin and end outside.
inline slice_spec draw_slice(random_source& random, const index_list& extents, int axis) {
  const std::int64_t extent = extents[axis];
  const std::int64_t step = random.one_in(2) ? 1 : random.one_in(2) ? -1 : 2;
  return {.start = random.below(2 * extent + 3) - extent - 1,
          .stop = random.below(2 * extent + 3) - extent - 1,
          .step = step,
          .axes = axis};
}

// Offsets outlive the distributions that borrow them.
inline distribution draw_division(random_source& random, std::int64_t extent, const world& ranks) {
  static std::deque<std::vector<std::int64_t>> kept;
  switch (random.below(3)) {
    case 0:
      return distribution::block(extent, ranks.ranks);
    case 1: {
      std::vector<std::int64_t> offsets(static_cast<std::size_t>(ranks.ranks) + 1, 0);
      for (int r = 1; r < ranks.ranks; ++r) {
        const std::int64_t begin = offsets[static_cast<std::size_t>(r) - 1];
        offsets[static_cast<std::size_t>(r)] = random.one_in(3) ? begin : begin + random.below(extent - begin + 1);
      }
      offsets.back() = extent;
      kept.push_back(offsets);
      return distribution::blocks(kept.back());
    }
    default:
      return distribution::block_cyclic(extent, ranks.ranks, 1 + random.below(4));
  }
}

// The elements of a rank's part, in row-major order.
template <class T>
std::vector<T> cut(const tensor<T>& whole, const division& how, const world& ranks) {
  std::vector<T> result;
  std::vector<std::int64_t> at(static_cast<std::size_t>(whole.extents.size()), 0);
  for (const T& value : whole.values) {
    const bool is_own = whole.extents.empty() || how.over.is_replicated() ||
                        how.over.owner(at[static_cast<std::size_t>(how.axis)]) == ranks.rank;
    if (is_own) result.push_back(value);
    for (int k = whole.extents.size(); k-- > 0;) {
      if (++at[static_cast<std::size_t>(k)] < whole.extents[k]) break;
      at[static_cast<std::size_t>(k)] = 0;
    }
  }
  return result;
}

// A rank's part of a tensor, in memory of random strides.
template <class T>
class part {
 public:
  part(random_source& random, const tensor<T>& whole, const division& how, const world& ranks)
      : how_{how}, comm_{ranks.comm}, extents_{whole.extents}, strides_{whole.extents} {
    if (!extents_.empty() && !how.over.is_replicated()) extents_[how.axis] = how.over.local_extent(ranks.rank);
    // The order of the axes in memory, and gaps, are drawn alike on all ranks.
    const auto rank = static_cast<std::size_t>(extents_.size());
    std::vector<std::size_t> order = random.order(rank);
    if (!random.one_in(3)) std::sort(order.begin(), order.end());
    const bool has_gaps = random.one_in(3);
    std::int64_t size = 1;
    for (std::size_t k = order.size(); k-- > 0;) {
      const auto axis = static_cast<int>(order[k]);
      strides_[axis] = size;
      const std::int64_t extent = extents_[axis];
      size *= (extent < 1 ? 1 : extent) + (has_gaps ? random.below(2) : 0);
    }
    memory_.resize(static_cast<std::size_t>(size));
    const std::vector<T> own = cut(whole, how, ranks);
    std::size_t next = 0;
    for_each_offset([&](std::int64_t offset) { memory_[static_cast<std::size_t>(offset)] = own[next++]; });
  }

  [[nodiscard]] distributed_tensor<T> view() {
    return {tensor_view<T>(memory_.data(), extents_, strides_), how_.axis, how_.over, comm_};
  }
  [[nodiscard]] T* address() { return memory_.data(); }
  // Takes the elements of another tensor of the same extents.
  void assign(const tensor<T>& whole, const division& how, const world& ranks) {
    const std::vector<T> own = cut(whole, how, ranks);
    std::size_t next = 0;
    for_each_offset([&](std::int64_t offset) { memory_[static_cast<std::size_t>(offset)] = own[next++]; });
  }
  [[nodiscard]] std::vector<T> values() const {
    std::vector<T> result;
    for_each_offset([&](std::int64_t offset) { result.push_back(memory_[static_cast<std::size_t>(offset)]); });
    return result;
  }

 private:
  template <class Body>
  void for_each_offset(const Body& body) const {
    for (const std::int64_t extent : extents_) {
      if (extent == 0) return;
    }
    index_list at = extents_;
    for (int k = 0; k < at.size(); ++k) at[k] = 0;
    while (true) {
      std::int64_t offset = 0;
      for (int k = 0; k < at.size(); ++k) offset += at[k] * strides_[k];
      body(offset);
      int k = at.size();
      while (k-- > 0) {
        if (++at[k] < extents_[k]) break;
        at[k] = 0;
      }
      if (k < 0) return;
    }
  }

  division how_;
  MPI_Comm comm_;
  index_list extents_;
  index_list strides_;
  std::vector<T> memory_;
};

// NaNs as NaNs, all else bit for bit.
template <class T>
bool equal_bits(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(a[k]) && std::isnan(b[k])) continue;
    }
    if (std::memcmp(&a[k], &b[k], sizeof(T)) != 0) return false;
  }
  return true;
}

inline bool same_text(const status& a, const status& b) {
  return std::string(a.message().c_str()) == b.message().c_str() && a.code() == b.code();
}

// The program of random cases: calls run(random, ranks) for each seed. Arguments: the first seed, the number of cases.
template <class Run>
int run_cases(int count, char** arguments, const char* name, const Run& run) {
  int provided = 0;
  MPI_Init_thread(&count, &arguments, MPI_THREAD_FUNNELED, &provided);
  const world ranks(MPI_COMM_WORLD);
  const std::uint64_t first = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
  // No more than STREW_RANDOM_CASES, if that is set.
  const std::uint64_t wanted = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 300;
  const std::uint64_t cases = std::min(wanted, test::number_from("STREW_RANDOM_CASES", wanted));
  for (std::uint64_t seed = first; seed < first + cases && failures < 5; ++seed) {
    random_source random(seed);
    const int before = failures;
    run(random, ranks);
    if (failures > before)
      std::fprintf(stderr, "rank %d: seed %llu\n", ranks.rank, static_cast<unsigned long long>(seed));
  }
  return ranks.finish(name);
}

}  // namespace strew::mpi_test

#endif  // STREW_TESTS_MPI_DISTRIBUTED_CASES_HPP
