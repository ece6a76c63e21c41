// SPDX-License-Identifier: Apache-2.0
// An exchange whose updates and targets are known: what is left of the indices once they are bound.
#ifndef STREW_DETAIL_MPI_EXCHANGE_PLAN_HPP
#define STREW_DETAIL_MPI_EXCHANGE_PLAN_HPP

#include <strew/config.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/exchange.hpp>
#include <strew/detail/mpi/exchange_memory.hpp>
#include <strew/execution/executor.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
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
  std::int32_t* targets = nullptr;  // of the received updates, in the order in which they are applied
  std::int32_t* order = nullptr;    // where each of these is among the received ones; null if in their order
  std::byte* sent_values = nullptr;
  std::byte* received_values = nullptr;
  std::byte* ordered_values = nullptr;
  std::byte* scratch = nullptr;
  std::int64_t* positions = nullptr;  // for bind alone, to find the order
  positioned* sorted = nullptr;

  // The bytes of all this, at any address.
  [[nodiscard]] std::int64_t bytes(std::int64_t ranks) const noexcept {
    exchange_plan measured = *this;
    memory_cursor next;
    measured.divide(next, ranks);
    return next.measured();
  }
  void divide(memory_cursor& next, std::int64_t ranks) noexcept {
    counts = take_tables(next, ranks);
    offsets = next.take<std::int64_t>(sent);
    targets = next.take<std::int32_t>(received);
    sent_values = next.take_bytes(sent, shape.item_bytes);
    received_values = shape.keeps_own ? sent_values : next.take_bytes(received, shape.item_bytes);
    ordered_values = received_values;
    if (shape.sends_positions) {
      order = next.take<std::int32_t>(received);
      ordered_values = next.take_bytes(received, shape.item_bytes);
      positions = next.take<std::int64_t>(received);
      sorted = next.take<positioned>(received);
    }
    scratch = next.take_bytes(received, shape.scratch);
  }
  // Finds the order of what was received from its positions.
  void find_order() noexcept {
    sort_by_position(sorted, positions, received);
    auto* const unordered = reinterpret_cast<std::int32_t*>(positions);
    for (std::int64_t k = 0; k < received; ++k) unordered[k] = targets[k];
    for (std::int64_t k = 0; k < received; ++k) {
      order[k] = sorted[k].slot;
      targets[k] = unordered[order[k]];
    }
  }
  // Puts received values into the order of their positions.
  void put_in_order() const noexcept {
    if (order == nullptr || shape.item_bytes == 0) return;
    const auto bytes = static_cast<std::size_t>(shape.item_bytes);
    for (std::int64_t k = 0; k < received; ++k) {
      std::memcpy(ordered_values + k * shape.item_bytes, received_values + order[k] * shape.item_bytes, bytes);
    }
  }
};

// Executors of calls that bind indices, or run with bound ones: the front hands them to run_distributed.
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
