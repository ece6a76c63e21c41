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
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// What the exchange does not depend on the types for.
struct exchange_shape {
  std::int64_t item_bytes = 0;   // of an update: an element, or a row; 0 if all ranks know the one value
  std::int64_t targets = 0;      // the most of any rank
  std::int64_t positions = 0;    // of the whole tensor of indices
  bool sends_positions = false;  // since updates do not arrive in the order of their positions
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
  std::int64_t count;
  std::byte* scratch;
};

constexpr std::int64_t most_items = 0x7fffffff;

// An item's place among the received ones, to be sorted by its position.
struct positioned {
  std::int64_t position;
  std::int32_t slot;
};

// Sorts what was received, listed as positioned[count], by its position.
inline void sort_by_position(positioned* list, const std::int64_t* positions, std::int64_t count) noexcept {
  for (std::int64_t k = 0; k < count; ++k) list[k] = {positions[k], static_cast<std::int32_t>(k)};
  std::sort(list, list + count, [](const positioned& a, const positioned& b) { return a.position < b.position; });
}

// The bytes of the parts of an exchange's memory.
struct exchange_sizes {
  // Five tables of counts.
  [[nodiscard]] static constexpr std::int64_t of_tables(std::int64_t ranks) noexcept {
    return 5 * bytes_of_part(ranks, sizeof(int));
  }
  // Targets and values, and positions if they are sent.
  [[nodiscard]] static constexpr std::int64_t of_items(std::int64_t count, const exchange_shape& shape) noexcept {
    const std::int64_t bytes = sum_of_bytes(bytes_of_part(count, 4), bytes_of_part(count, shape.item_bytes));
    return shape.sends_positions ? sum_of_bytes(bytes, bytes_of_part(count, 8)) : bytes;
  }
  // Besides, to sort received items: their order, and room to put them into it.
  [[nodiscard]] static constexpr std::int64_t of_sorting(std::int64_t count, const exchange_shape& shape) noexcept {
    if (!shape.sends_positions) return 0;
    return sum_of_bytes(bytes_of_part(count, sizeof(positioned)),
                        sum_of_bytes(bytes_of_part(count, 4), bytes_of_part(count, shape.item_bytes)));
  }
  [[nodiscard]] static constexpr std::int64_t of_round(std::int64_t sent, std::int64_t received,
                                                       const exchange_shape& shape) noexcept {
    const std::int64_t arriving = shape.keeps_own ? 0 : of_items(received, shape);
    const std::int64_t kept = sum_of_bytes(arriving, bytes_of_part(received, shape.scratch));
    return sum_of_bytes(of_items(sent, shape), sum_of_bytes(kept, of_sorting(received, shape)));
  }
  // The tables of counts, at any address.
  [[nodiscard]] static constexpr std::int64_t fixed_bytes(std::int64_t ranks) noexcept {
    return sum_of_bytes(tuning::cache_line, of_tables(ranks));
  }
  // The items of which a rank can send and receive as many in a round, with `bytes` beside the tables.
  [[nodiscard]] static constexpr std::int64_t capacity(std::int64_t bytes, const exchange_shape& shape) noexcept {
    std::int64_t least_fitting = 1;
    std::int64_t beyond = tuning::limits().most_exchanged + 1;
    while (beyond - least_fitting > 1) {
      const std::int64_t middle = least_fitting + (beyond - least_fitting) / 2;
      (of_round(middle, middle, shape) <= bytes ? least_fitting : beyond) = middle;
    }
    return least_fitting;
  }
};

// Takes the tables of counts.
inline item_counts take_tables(memory_cursor& next, std::int64_t ranks) noexcept {
  item_counts tables{};
  tables.sent = next.take<int>(ranks);
  tables.sent_begin = next.take<int>(ranks);
  tables.received = next.take<int>(ranks);
  tables.received_begin = next.take<int>(ranks);
  return tables;
}

// Memory that stays as large as it is.
struct no_growth {};

// A Call has these members:
//
//   route(window, visit)          calls visit(owner, target, offset, position) for this rank's updates in the window
//   pack(offset, to)              writes the update at an offset
//   begin()                       called once, before the first update is applied
//   apply(window, updates, memory) applies them in their order
//
// Returns false with the error that too little memory has been lent, before anything is written, or that MPI has
// failed.
template <class Call>
class exchange {
 public:
  exchange(communicator& ranks, const exchange_shape& shape, const exchange_memory& memory, const char* operation,
           const Call& call) noexcept
      : ranks_{ranks}, shape_{shape}, operation_{operation}, call_{call} {
    use(memory);
  }

  // `capacity`: the least of any rank. Where the updates do not fit into the memory of some rank all at once,
  // grow(bytes) may return more of it.
  template <class Grow>
  bool run(std::int64_t capacity, const Grow& grow, status& error) {
    const exchange_window all{0, shape_.targets, 0, shape_.positions};
    bool fits = false;
    if (!count(all, fits)) return ranks_.refuse_failure(operation_, error);
    // All ranks know whether it fits all of them, but where nothing is sent; memory is then reserved before.
    if (!fits && !shape_.keeps_own) {
      if constexpr (!std::is_same_v<Grow, no_growth>) {
        const std::int64_t round = exchange_sizes::of_round(sent_, received_, shape_);
        use(grow(sum_of_bytes(exchange_sizes::fixed_bytes(ranks_.ranks()), round)));
      }
      // Memory that could not be allocated again may be less than before.
      const std::int64_t bytes = buffers_.rest().bytes;
      capacity = bytes < exchange_sizes::of_round(1, 1, shape_) ? 0 : exchange_sizes::capacity(bytes, shape_);
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
    const exchange_window all{0, shape_.targets, 0, shape_.positions};
    const auto ranks = static_cast<std::size_t>(ranks_.ranks());
    std::memcpy(plan.counts.sent, counts_.sent, ranks * sizeof(int));
    std::memcpy(plan.counts.sent_begin, counts_.sent_begin, ranks * sizeof(int));
    std::memcpy(plan.counts.received, counts_.received, ranks * sizeof(int));
    std::memcpy(plan.counts.received_begin, counts_.received_begin, ranks * sizeof(int));
    const auto for_each_slot = [&](const auto& body) {
      for (std::size_t r = 0; r < ranks; ++r) next_[r] = counts_.sent_begin[r];
      call_.route(all, [&](std::int64_t owner, std::int64_t target, std::int64_t offset, std::int64_t position) {
        body(next_[owner]++, target, offset, position);
      });
    };
    // What is sent once lies in the memory of the offsets, which are found last.
    auto* const sent_targets = reinterpret_cast<std::int32_t*>(plan.offsets);
    for_each_slot([&](int slot, std::int64_t target, std::int64_t, std::int64_t) {
      (shape_.keeps_own ? plan.targets : sent_targets)[slot] = static_cast<std::int32_t>(target);
    });
    if (!shape_.keeps_own && !ranks_.exchange(sent_targets, plan.targets, counts_, MPI_INT32_T)) return false;
    if (shape_.sends_positions) {
      for_each_slot(
          [&](int slot, std::int64_t, std::int64_t, std::int64_t position) { plan.offsets[slot] = position; });
      if (!ranks_.exchange(plan.offsets, plan.positions, counts_, MPI_INT64_T)) return false;
      plan.find_order();
    }
    for_each_slot([&](int slot, std::int64_t, std::int64_t offset, std::int64_t) { plan.offsets[slot] = offset; });
    return true;
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

  // Counts the updates of a window, and finds whether they fit into the memory of all ranks.
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
           exchange_sizes::of_round(sent_, received_, shape_) <= buffers_.rest().bytes;
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

  struct items {
    std::int32_t* targets;
    std::byte* values;
    std::int64_t* positions;
  };
  items take_items(std::int64_t count, memory_cursor& next) const noexcept {
    items taken{next.take<std::int32_t>(count), next.take_bytes(count, shape_.item_bytes), nullptr};
    if (shape_.sends_positions) taken.positions = next.take<std::int64_t>(count);
    return taken;
  }

  // Moves the updates that were counted.
  bool transfer(const exchange_window& window) {
    memory_cursor next = buffers_;
    const items sent = take_items(sent_, next);
    for (int r = 0; r < ranks_.ranks(); ++r) next_[r] = counts_.sent_begin[r];
    const std::int64_t bytes = shape_.item_bytes;
    call_.route(window, [&](std::int64_t owner, std::int64_t target, std::int64_t offset, std::int64_t position) {
      const int slot = next_[owner]++;
      sent.targets[slot] = static_cast<std::int32_t>(target - window.first_target);
      if (bytes > 0) call_.pack(offset, sent.values + slot * bytes);
      if (shape_.sends_positions) sent.positions[slot] = position;
    });
    items arrived = sent;
    if (!shape_.keeps_own) {
      arrived = take_items(received_, next);
      if (!ranks_.exchange(sent.targets, arrived.targets, counts_, MPI_INT32_T)) return false;
      if (bytes > 0) {
        const bytes_type item(bytes);
        if (!ranks_.take(item.code())) return false;
        if (!ranks_.exchange(sent.values, arrived.values, counts_, item.type())) return false;
      }
      if (shape_.sends_positions && !ranks_.exchange(sent.positions, arrived.positions, counts_, MPI_INT64_T)) {
        return false;
      }
    }
    if (shape_.sends_positions) arrived = sorted(arrived, next);
    if (received_ > 0) {
      std::byte* const scratch = next.take_bytes(received_, shape_.scratch);
      call_.apply(window, {arrived.targets, arrived.values, received_, scratch}, next.rest());
    }
    return true;
  }
  // Puts items into the order of their positions.
  items sorted(const items& arrived, memory_cursor& next) const noexcept {
    auto* const order = next.take<positioned>(received_);
    const items in_order{next.take<std::int32_t>(received_), next.take_bytes(received_, shape_.item_bytes), nullptr};
    sort_by_position(order, arrived.positions, received_);
    const std::int64_t item = shape_.item_bytes;
    for (std::int64_t k = 0; k < received_; ++k) {
      const std::int64_t from = order[k].slot;
      in_order.targets[k] = arrived.targets[from];
      if (item > 0)
        std::memcpy(in_order.values + k * item, arrived.values + from * item, static_cast<std::size_t>(item));
    }
    return in_order;
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
