// SPDX-License-Identifier: Apache-2.0
// An exchange whose updates and targets are known: what is left of the indices once they are bound.
#ifndef STREW_DETAIL_MPI_EXCHANGE_PLAN_HPP
#define STREW_DETAIL_MPI_EXCHANGE_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/exchange.hpp>
#include <strew/detail/mpi/exchange_memory.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/execution/executor.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

struct exchange_plan {
  bool is_bound = false;
  bool sends = false;  // whether there is anything in it: updates are sent, or chosen among those of all ranks
  exchange_shape shape{};
  item_counts counts{};
  std::int64_t sent = 0;
  std::int64_t received = 0;
  std::int64_t* offsets = nullptr;  // of the updates in this rank's part, in the order in which they are sent
  exchange_round round;             // all updates, whose targets and order were found by bind

  // The bytes of all this, at any address.
  [[nodiscard]] std::int64_t bytes(std::int64_t ranks) const noexcept {
    exchange_plan measured = *this;
    memory_cursor next;
    measured.divide(next, ranks);
    return sum_of_bytes(next.taken(), tuning::cache_line);
  }
  void divide(memory_cursor& next, std::int64_t ranks) noexcept {
    counts = take_tables(next, ranks);
    offsets = next.take<std::int64_t>(sent);
    round = exchange_round(sent, received, shape, next);
  }
};

// Executors of calls that bind indices, or run with bound ones: the front hands them to distributed_call.
struct plan_binder {
  exchange_plan* plan;
  std::span<std::byte> memory;
  bool only_counts;

  void operator()(std::size_t, const task&) const noexcept {}
};
enum class plan_step : unsigned char { all, begin, end };
template <class Ex>
struct plan_runner {
  const exchange_plan* plan;
  Ex* ex;
  MPI_Request* request;
  MPI_Datatype item;
  plan_step step;

  void operator()(std::size_t n, const task& body) const { (*ex)(n, body); }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_EXCHANGE_PLAN_HPP
