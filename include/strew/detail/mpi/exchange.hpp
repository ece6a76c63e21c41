// SPDX-License-Identifier: Apache-2.0
// Sends updates to the owners of their targets, in rounds that fit the memory, and has them applied there in row-major
// order of their positions.
#ifndef STREW_DETAIL_MPI_EXCHANGE_HPP
#define STREW_DETAIL_MPI_EXCHANGE_HPP

#include <strew/config.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/mpi/exchange_memory.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/status.hpp>
#include <strew/view/integer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// What the exchange does not depend on the types for.
struct exchange_shape {
  std::int64_t item_bytes = 0;   // of an update: an element, or a row; 0 if all ranks know the one value
  std::int64_t targets = 0;      // the most of any rank
  std::int64_t positions = 0;    // of the whole tensor of indices
  bool sends_positions = false;  // for the order of updates, or as their numbers
  bool keeps_own = false;        // each rank has all updates and takes those of its own targets: nothing is sent
  bool in_one_go = false;        // whether all updates of a target have to be applied together
  std::int64_t scratch = 0;      // bytes for each received item that this rank needs to apply it
};

// The updates of a round: those of targets and positions in these ranges.
struct exchange_window {
  std::int64_t first_target;
  std::int64_t end_target;
  std::int64_t first_position;
  std::int64_t end_position;
};

// Received updates in their order.
struct received_updates {
  const std::int32_t* targets;  // counted from the first of the window
  const std::byte* values;
  const std::int64_t* positions;  // if they are sent
  std::int64_t count;
  std::byte* scratch;
};

constexpr std::int64_t most_items = 0x7fffffff;

// Items that are sent or received.
struct exchange_items {
  std::int32_t* targets = nullptr;
  std::byte* values = nullptr;
  std::int64_t* positions = nullptr;  // if they are sent
};
// A round, of which this rank sends and receives this many items. Their memory is taken from a cursor; without memory
// it only measures.
class exchange_round {
 public:
  exchange_items sent;
  exchange_items received;  // what arrives, or the same where nothing is sent
  exchange_items ordered;   // in the order of the positions
  std::byte* scratch = nullptr;

  exchange_round() noexcept = default;
  exchange_round(std::int64_t sent_count, std::int64_t received_count, const exchange_shape& of,
                 memory_cursor& next) noexcept
      : shape_{of}, count_{received_count} {
    sent = take(sent_count, of.sends_positions, next);
    received = of.keeps_own ? sent : take(received_count, of.sends_positions, next);
    ordered = received;
    if (of.sends_positions && !of.keeps_own) {
      order_ = next.take<positioned>(received_count);
      ordered = take(received_count, false, next);
    }
    scratch = next.take_bytes(received_count, of.scratch);
  }
  [[nodiscard]] static std::int64_t bytes(std::int64_t sent_count, std::int64_t received_count,
                                          const exchange_shape& of) noexcept {
    memory_cursor next;
    static_cast<void>(exchange_round(sent_count, received_count, of, next));
    return next.taken();
  }

  // Finds the order of what was received from its positions, and puts these and the targets into it.
  void find_order() const noexcept {
    if (order_ == nullptr) return;
    for (std::int64_t k = 0; k < count_; ++k) order_[k] = {received.positions[k], static_cast<std::int32_t>(k)};
    std::sort(order_, order_ + count_,
              [](const positioned& a, const positioned& b) { return a.position < b.position; });
    for (std::int64_t k = 0; k < count_; ++k) {
      ordered.targets[k] = received.targets[order_[k].slot];
      received.positions[k] = order_[k].position;
    }
  }
  // The received items in their order.
  [[nodiscard]] received_updates in_order() const noexcept {
    const std::int64_t item = shape_.item_bytes;
    for (std::int64_t k = 0; k < count_ && order_ != nullptr && item > 0; ++k) {
      std::memcpy(ordered.values + k * item, received.values + order_[k].slot * item, static_cast<std::size_t>(item));
    }
    return {ordered.targets, ordered.values, received.positions, count_, scratch};
  }

 private:
  // An item's place among the received ones, to be sorted by its position.
  struct positioned {
    std::int64_t position;
    std::int32_t slot;
  };

  [[nodiscard]] exchange_items take(std::int64_t count, bool has_positions, memory_cursor& next) const noexcept {
    exchange_items taken{next.take<std::int32_t>(count), next.take_bytes(count, shape_.item_bytes), nullptr};
    if (has_positions) taken.positions = next.take<std::int64_t>(count);
    return taken;
  }

  exchange_shape shape_;
  std::int64_t count_ = 0;       // received
  positioned* order_ = nullptr;  // null if they arrive in their order
};

// The bytes of five tables of counts, at any address.
[[nodiscard]] constexpr std::int64_t bytes_of_tables(std::int64_t ranks) noexcept {
  return sum_of_bytes(tuning::cache_line, 5 * bytes_of_part(ranks, sizeof(int)));
}
// The items of which a rank can send and receive as many in a round, with `bytes` beside the tables.
[[nodiscard]] inline std::int64_t capacity_of_round(std::int64_t bytes, const exchange_shape& shape) noexcept {
  std::int64_t least_fitting = 1;
  std::int64_t beyond = tuning::limits().most_exchanged + 1;
  while (beyond - least_fitting > 1) {
    const std::int64_t middle = least_fitting + (beyond - least_fitting) / 2;
    (exchange_round::bytes(middle, middle, shape) <= bytes ? least_fitting : beyond) = middle;
  }
  return least_fitting;
}

// Takes the tables of counts.
inline item_counts take_tables(memory_cursor& next, std::int64_t ranks) noexcept {
  item_counts tables{};
  tables.sent = next.take<int>(ranks);
  tables.sent_begin = next.take<int>(ranks);
  tables.received = next.take<int>(ranks);
  tables.received_begin = next.take<int>(ranks);
  return tables;
}

// A Call has these members:
//
//   route(window, visit)          calls visit(owner, target, offset, position) for this rank's updates in the window
//   pack(offset, to)              writes the update at an offset
//   begin()                       called once, before the first update is applied
//   apply(window, updates, memory) applies them in their order
//
// Returns false with the error that the workspace is too small, before anything is written, or that MPI has
// failed.
template <class Call>
class exchange {
 public:
  exchange(communicator& ranks, const exchange_shape& shape, const exchange_memory& memory, const char* operation,
           const Call& call) noexcept
      : ranks_{ranks}, shape_{shape}, operation_{operation}, call_{call} {
    use(memory);
  }

  // `capacity`: the least of any rank. Where the updates do not fit into the memory of some rank all at once, memory
  // that grows does so.
  template <bool Grows, class Memory>
  bool run(std::int64_t capacity, [[maybe_unused]] Memory& memory, status& error) {
    const exchange_window all{0, shape_.targets, 0, shape_.positions};
    bool fits = false;
    if (!count(all, fits)) return ranks_.refuse_failure(operation_, error);
    // All ranks know whether it fits all of them, but where nothing is sent; memory is then reserved before.
    if (!fits && !shape_.keeps_own) {
      if constexpr (Grows) {
        const std::int64_t round = exchange_round::bytes(sent_, received_, shape_);
        use(memory.reserve(sum_of_bytes(bytes_of_tables(ranks_.ranks()), round)));
      }
      // Memory that could not be allocated again may be less than before.
      const std::int64_t bytes = buffers_.rest().bytes;
      capacity = bytes < exchange_round::bytes(1, 1, shape_) ? 0 : capacity_of_round(bytes, shape_);
      if (!ranks_.minimum(&capacity, 1)) return ranks_.refuse_failure(operation_, error);
      if (capacity == 0) {
        return refuse(error, errc::too_little_memory, operation_, "workspace", " of some rank could not be allocated");
      }
      if (!count(all, fits)) return ranks_.refuse_failure(operation_, error);
    }
    if (shape_.in_one_go) {
      status refused;
      std::int64_t is_possible = fits || rounds(capacity, false, refused) ? 1 : 0;
      // Ranks that send nothing have not told each other yet.
      if (shape_.keeps_own && !ranks_.minimum(&is_possible, 1)) return ranks_.refuse_failure(operation_, error);
      if (!ranks_.ok()) return ranks_.refuse_failure(operation_, error);
      if (is_possible == 0) return refuse_target(error);
    }
    call_.begin();
    if (fits) return transfer(all) || ranks_.refuse_failure(operation_, error);
    return rounds(capacity, true, error);
  }
  // Finds what runs with the same indices need: who sends which updates, and their targets. `plan` has the shape.
  template <class Plan>
  bool count_all(Plan& plan) {
    bool fits = false;
    if (!count({0, shape_.targets, 0, shape_.positions}, fits)) return false;
    plan.sent = sent_;
    plan.received = received_;
    return true;
  }
  template <class Plan>
  bool fill(Plan& plan) {
    const std::size_t bytes = static_cast<std::size_t>(ranks_.ranks()) * sizeof(int);
    std::memcpy(plan.counts.sent, counts_.sent, bytes);
    std::memcpy(plan.counts.sent_begin, counts_.sent_begin, bytes);
    std::memcpy(plan.counts.received, counts_.received, bytes);
    std::memcpy(plan.counts.received_begin, counts_.received_begin, bytes);
    return send_targets({0, shape_.targets, 0, shape_.positions}, plan.round,
                        [&](int slot, std::int64_t offset) { plan.offsets[slot] = offset; });
  }

 private:
  void use(const exchange_memory& memory) noexcept {
    buffers_ = memory_cursor(memory);
    const int ranks = ranks_.ranks();
    counts_ = take_tables(buffers_, ranks);
    next_ = buffers_.take<int>(ranks);
  }
  bool refuse_target(status& error) const noexcept {
    return refuse(error, errc::too_little_memory, operation_, "workspace",
                  " is too small on some rank for all updates of one target, which this reduction takes together");
  }
  // Windows of targets, so that all updates of a target are in one round: else those of a later rank could be applied
  // before those of an earlier one.
  bool rounds(std::int64_t capacity, bool moves, status& error) {
    exchange_window window{0, 0, 0, shape_.positions};
    std::int64_t width = shape_.targets < most_items ? shape_.targets : most_items;
    int fitted = 0;
    while (window.first_target < shape_.targets) {
      const std::int64_t rest = shape_.targets - window.first_target;
      window.end_target = window.first_target + (width < rest ? width : rest);
      bool fits = false;
      if (!count(window, fits)) return ranks_.refuse_failure(operation_, error);
      if (!fits && window.end_target - window.first_target > 1) {
        width = (window.end_target - window.first_target) / 2;
        fitted = 0;
        continue;
      }
      if (fits) {
        if (moves && !transfer(window)) return ranks_.refuse_failure(operation_, error);
      } else if (shape_.in_one_go) {
        return refuse_target(error);
      } else if (moves && !pieces(window, capacity)) {
        return ranks_.refuse_failure(operation_, error);
      }
      window.first_target = window.end_target;
      // A window that does not fit costs another count, so wider ones are tried now and then alone.
      if (++fitted % 4 == 0 && width <= most_items / 2) width *= 2;
    }
    return true;
  }

  // The updates of one target on each rank, piece by piece in the order of their positions. No rank sends or receives
  // more than a piece.
  bool pieces(exchange_window window, std::int64_t capacity) {
    for (std::int64_t first = 0; first < shape_.positions; first += capacity) {
      window.first_position = first;
      window.end_position = shape_.positions - first < capacity ? shape_.positions : first + capacity;
      bool fits = false;
      if (!count(window, fits) || !transfer(window)) return false;
    }
    return true;
  }

  // Counts the updates of a window, and finds whether they fit into the memory of all ranks. Their targets are found
  // again where they are packed: to keep them takes as much memory as most updates do, which is the caller's, so that
  // rounds would be smaller and messages more. Bound calls have that memory, and keep them.
  bool count(const exchange_window& window, bool& fits) {
    for (int r = 0; r < ranks_.ranks(); ++r) counts_.sent[r] = 0;
    bool is_too_many = false;
    call_.route(window, [&](std::int64_t owner, std::int64_t, std::int64_t, std::int64_t) {
      int& own = counts_.sent[owner];
      if (own == most_items) {
        is_too_many = true;
      } else {
        ++own;
      }
    });
    if (shape_.keeps_own) {
      for (int r = 0; r < ranks_.ranks(); ++r) counts_.received[r] = counts_.sent[r];
    } else if (!ranks_.exchange_counts(counts_)) {
      return false;
    }
    sent_ = begin_of(counts_.sent, counts_.sent_begin);
    received_ = begin_of(counts_.received, counts_.received_begin);
    const std::int64_t most = tuning::limits().most_exchanged;
    if (is_too_many) sent_ = most_items + 1;
    const bool is_narrow = window.end_target - window.first_target <= most_items;
    fits = is_narrow && sent_ <= most && received_ <= most &&
           exchange_round::bytes(sent_, received_, shape_) <= buffers_.rest().bytes;
    if (shape_.keeps_own) return true;
    std::int64_t fits_all = fits ? 1 : 0;
    if (!ranks_.minimum(&fits_all, 1)) return false;
    fits = fits_all == 1;
    return true;
  }
  std::int64_t begin_of(const int* counts, int* begin) const noexcept {
    std::int64_t sum = 0;
    for (int r = 0; r < ranks_.ranks(); ++r) {
      begin[r] = static_cast<int>(sum < most_items ? sum : most_items);
      sum += counts[r];
    }
    return sum;
  }

  // Tells the owners the targets of the updates that were counted, and finds their order there. Calls found(slot,
  // offset) for each that this rank sends.
  template <class Found>
  bool send_targets(const exchange_window& window, const exchange_round& round, const Found& found) {
    for (int r = 0; r < ranks_.ranks(); ++r) next_[r] = counts_.sent_begin[r];
    call_.route(window, [&](std::int64_t owner, std::int64_t target, std::int64_t offset, std::int64_t position) {
      const int slot = next_[owner]++;
      round.sent.targets[slot] = static_cast<std::int32_t>(target - window.first_target);
      if (shape_.sends_positions) round.sent.positions[slot] = position;
      found(slot, offset);
    });
    if (shape_.keeps_own) return true;
    if (!ranks_.exchange(round.sent.targets, round.received.targets, counts_, MPI_INT32_T)) return false;
    if (shape_.sends_positions &&
        !ranks_.exchange(round.sent.positions, round.received.positions, counts_, MPI_INT64_T)) {
      return false;
    }
    round.find_order();
    return true;
  }
  // Moves the updates that were counted.
  bool transfer(const exchange_window& window) {
    memory_cursor next = buffers_;
    const exchange_round round(sent_, received_, shape_, next);
    const std::int64_t bytes = shape_.item_bytes;
    const bool has_targets = send_targets(window, round, [&](int slot, std::int64_t offset) {
      if (bytes > 0) call_.pack(offset, round.sent.values + slot * bytes);
    });
    if (!has_targets) return false;
    if (bytes > 0 && !shape_.keeps_own) {
      const bytes_type item(bytes);
      if (!ranks_.take(item.code())) return false;
      if (!ranks_.exchange(round.sent.values, round.received.values, counts_, item.type())) return false;
    }
    if (received_ > 0) call_.apply(window, round.in_order(), next.rest());
    return true;
  }

  communicator& ranks_;
  exchange_shape shape_;
  const char* operation_;
  const Call& call_;
  item_counts counts_{};
  int* next_ = nullptr;
  memory_cursor buffers_;
  std::int64_t sent_ = 0;
  std::int64_t received_ = 0;
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_EXCHANGE_HPP
