// SPDX-License-Identifier: Apache-2.0
// The targets of this rank's updates: their owners, and their numbers there.
#ifndef STREW_DETAIL_MPI_TARGET_FINDER_HPP
#define STREW_DETAIL_MPI_TARGET_FINDER_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/policy.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// What says where the targets of a call are. Each form has a class, which is the `where` of a distributed call, with
//
//   form, may_be_illegal          whether there are indices or the like that have to be checked
//   extents(), axis(), over()     of the positions of the whole tensor: its extents, the divided axis, its distribution
//   count(), source()             the indices of an update, and those of this rank: count(), layout(j), at(j, offset)
//   for_each(body)                calls body(operand, view) for each distributed tensor of it
//   add_to(fingerprint)
//   find_bad, finder_of_bad, refuse_bad  the number of the first illegal index, who has it, and its error
//
// and for calls that send nothing local(), the `where` of a call on this rank, or assign_part.
enum class target_form : unsigned char {
  read,      // by indices
  computed,  // from the coordinates of updates: slices, parts and caches
  found,     // from the coordinates of updates, by segments
  selected,  // by a mask: the target of a position is the selected element of that number
};

// Where the positions of this rank are among those of the whole tensor of indices.
struct position_places {
  index_list extents;  // of the whole tensor
  index_list parts;    // of this rank's part
  int axis = -1;       // the divided one, if any
  const mpi::distribution* over = nullptr;
  int rank = 0;

  [[nodiscard]] std::int64_t count() const noexcept {
    std::int64_t result = 1;
    for (const std::int64_t extent : extents) result *= extent;
    return result;
  }
  // The row-major number of a coordinate of this rank's part.
  [[nodiscard]] std::int64_t number(const index_list& coordinate) const noexcept {
    std::int64_t result = 0;
    for (int k = 0; k < extents.size(); ++k) {
      const std::int64_t global = k == axis ? over->global_index(rank, coordinate[k]) : coordinate[k];
      result = result * extents[k] + global;
    }
    return result;
  }
};

// The update at a position: the owner of its target, and the row-major number of the target among the targets of that
// rank: of the coordinates on the target axes, of which one is divided.
struct routed_update {
  std::int64_t owner;
  std::int64_t target;
  std::int64_t offset;    // of the update in this rank's part of updates
  std::int64_t position;  // its row-major number in the whole tensor of indices, if that is asked for
};

// How the targets of a call are divided.
struct target_places {
  const operation_rules& rules;
  index_policy policy;
  target_axes axes;
  index_list extents;  // of data
  int divided;         // the divided axis, one of the target axes
  int moved;           // elements: the axis on which indices select
  const mpi::distribution& over;

  // The targets of each coordinate on the divided axis: the products of the extents of the target axes after it, and
  // before it.
  [[nodiscard]] std::int64_t inner() const noexcept { return product(divided + 1, axes.end()); }
  [[nodiscard]] std::int64_t outer() const noexcept { return product(axes.first, divided); }
  // The most targets of any rank.
  [[nodiscard]] std::int64_t most() const noexcept {
    std::int64_t most_local = 0;
    for (std::int64_t r = 0; r < over.ranks(); ++r) {
      const std::int64_t local = over.local_extent(r);
      most_local = local > most_local ? local : most_local;
    }
    return outer() * most_local * inner();
  }

 private:
  [[nodiscard]] std::int64_t product(int first, int end) const noexcept {
    std::int64_t result = 1;
    for (int k = first; k < end; ++k) result *= extents[k];
    return result;
  }
};

// Advances the coordinate on all axes but the last; false at the end.
inline bool next_row(const index_list& extents, index_list& coordinate) noexcept {
  for (int k = extents.size() - 1; k-- > 0;) {
    if (++coordinate[k] < extents[k]) return true;
    coordinate[k] = 0;
  }
  return false;
}

// Calls visit(update) for each update of this rank whose index is not dropped, in row-major order of the positions.
// `steps` are the strides of the positions in updates. A mask needs positions.
template <bool NeedsPosition, class Source, class Visit>
void for_each_update(const target_places& to, const position_places& at, const Source& indices, const index_list& steps,
                     const Visit& visit) {
  const int rank = at.parts.size();
  index_list coordinate = at.parts;
  for (int k = 0; k < rank; ++k) {
    if (at.parts[k] == 0) return;
    coordinate[k] = 0;
  }
  const bool by_elements = to.rules.by == addressing::elements;
  const bool by_numbers = to.rules.by == addressing::numbers;
  const std::int64_t inner = to.inner();
  const std::int64_t outer = to.outer();
  const divisor by_inner(inner < 1 ? 1 : inner);
  const divisor by_extent(to.over.extent() < 1 ? 1 : to.over.extent());
  const int components = by_elements || by_numbers ? 1 : to.axes.count;
  const std::int64_t numbers = by_numbers ? outer * to.over.extent() * inner : 0;
  const auto extent_of = [&](int j) {
    return by_numbers ? numbers : by_elements ? to.extents[to.moved] : to.extents[to.axes.first + j];
  };
  const std::int64_t columns = rank == 0 ? 1 : at.parts[rank - 1];
  const bool last_is_divided = rank > 0 && at.axis == rank - 1;
  do {
    std::int64_t begin[max_rank + 1];
    std::int64_t step[max_rank + 1];
    for (int j = 0; j < components; ++j) {
      begin[j] = indices.layout(j).offset(coordinate);
      step[j] = rank == 0 ? 0 : indices.layout(j).stride(rank - 1);
    }
    std::int64_t offset = 0;
    for (int k = 0; k < rank; ++k) offset += coordinate[k] * steps[k];
    std::int64_t position = 0;
    if constexpr (NeedsPosition) position = at.number(coordinate);
    const auto next = [&](std::int64_t i) {
      if (rank > 0) offset += steps[rank - 1];
      if constexpr (NeedsPosition) {
        position = last_is_divided && i + 1 < columns
                       ? position + at.over->global_index(at.rank, i + 1) - at.over->global_index(at.rank, i)
                       : position + 1;
      }
    };
    if (!by_numbers && !by_elements && to.axes.count == 1) {
      // One index, which selects on the divided axis. What does not change from one to the next is found before.
      const std::int64_t extent = to.extents[to.divided];
      const auto run = [&](const auto& resolved, const auto& locate) {
        for (std::int64_t i = 0; i < columns; ++i) {
          const std::int64_t value = resolved(indices.at(0, begin[0] + i * step[0]));
          if (value != out_of_bounds) {
            const mpi::place found = locate(value);
            visit(routed_update{found.rank, found.local, offset, position});
          }
          next(i);
        }
      };
      const auto run_with = [&](const auto& locate) {
        if (to.rules.by == addressing::mask) {
          // The targets have numbers as the positions have, of which there may be more.
          run([&](const raw_index&) { return position < extent ? position : out_of_bounds; }, locate);
        } else if (leaves_legal_indices(to.policy)) {
          run([&](const raw_index& index) { return index.bits < 0 ? index.bits + extent : index.bits; }, locate);
        } else {
          run(
              [&](const raw_index& index) {
                return resolve_index(index.bits, index.is_unsigned, extent, to.rules.rule, to.policy);
              },
              locate);
        }
      };
      if (to.over.how() == mpi::distribution::kind::block) {
        run_with(block_locator(to.over));
      } else {
        run_with([&](std::int64_t value) { return to.over.locate(value); });
      }
      continue;
    }
    for (std::int64_t i = 0; i < columns; ++i) {
      // The coordinates on the target axes: before the divided one, on it, and after it.
      std::int64_t before = 0;
      std::int64_t on = 0;
      std::int64_t after = 0;
      bool is_dropped = false;
      const auto resolve = [&](int j) {
        const raw_index index = indices.at(j, begin[j] + i * step[j]);
        const std::int64_t value = resolve_index(index.bits, index.is_unsigned, extent_of(j), to.rules.rule, to.policy);
        is_dropped = is_dropped || value == out_of_bounds;
        return value;
      };
      if (by_numbers) {
        const std::int64_t number = resolve(0);
        if (!is_dropped) {
          const std::int64_t line = by_inner.quotient(number);
          after = number - line * inner;
          before = by_extent.quotient(line);
          on = line - before * to.over.extent();
        }
      } else {
        for (int k = to.axes.first; k < to.axes.end(); ++k) {
          const bool selects = !by_elements || k == to.moved;
          std::int64_t value = 0;
          if (selects) {
            value = resolve(by_elements ? 0 : k - to.axes.first);
          } else {
            value = k == rank - 1 ? i : coordinate[k];
            if (k == at.axis) value = at.over->global_index(at.rank, value);
          }
          if (k < to.divided) {
            before = before * to.extents[k] + value;
          } else if (k == to.divided) {
            on = value;
          } else {
            after = after * to.extents[k] + value;
          }
        }
      }
      if (!is_dropped) {
        const mpi::place found = to.over.locate(on);
        const std::int64_t lines = before == 0 ? 0 : before * to.over.local_extent(found.rank);
        visit(routed_update{found.rank, (lines + found.local) * inner + after, offset, position});
      }
      next(i);
    }
  } while (next_row(at.parts, coordinate));
}

// Whether all indices are legal, without policies: a pass without branches.
template <class Source>
bool are_legal(const index_constraint& constraint, const index_list& parts, const Source& indices) {
  const int last = parts.size() - 1;
  const std::int64_t columns = last < 0 ? 1 : parts[last];
  index_list coordinate = parts;
  for (int k = 0; k <= last; ++k) coordinate[k] = 0;
  bool is_bad = false;
  do {
    for (int j = 0; j < constraint.count(); ++j) {
      const strided_layout& layout = indices.layout(j);
      const std::int64_t begin = layout.offset(coordinate);
      const std::int64_t step = last < 0 ? 0 : layout.stride(last);
      // Added to a signed index, so that one comparison of unsigned numbers decides.
      const auto legal = static_cast<std::uint64_t>(constraint.extent(j));
      const std::uint64_t below = constraint.rules.rule == index_rule::wrapping ? legal : 0;
      for (std::int64_t i = 0; i < columns; ++i) {
        const raw_index index = indices.at(j, begin + i * step);
        const auto bits = static_cast<std::uint64_t>(index.bits);
        is_bad = is_bad || (index.is_unsigned ? bits >= legal : bits + below >= legal + below);
      }
    }
  } while (!is_bad && next_row(parts, coordinate));
  return !is_bad;
}

// The first position of this rank with an illegal index, as position * components + component; -1 if there is none.
template <class Source>
std::int64_t find_bad_index(const index_constraint& constraint, const position_places& at, const Source& indices,
                            raw_index& bad) {
  if (!constraint.needs_check() || indices.layout(0).empty()) return -1;
  if (constraint.policy == index_policy::error && are_legal(constraint, at.parts, indices)) return -1;
  const auto index_at = [&](int j, const index_list& position) {
    return indices.at(j, indices.layout(j).offset(position));
  };
  std::int64_t number = -1;
  find_first_bad_index(constraint, indices.layout(0), index_at,
                       [&](const index_list& position, int j, const raw_index& index) {
                         bad = index;
                         number = at.number(position) * constraint.count() + j;
                         return false;
                       });
  return number;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_TARGET_FINDER_HPP
