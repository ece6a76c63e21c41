// SPDX-License-Identifier: Apache-2.0
// The rules of every operator: the output has the extents of data and distinct elements, and shares no memory with an
// input.
#ifndef STREW_DETAIL_RULES_CHECK_OPERANDS_HPP
#define STREW_DETAIL_RULES_CHECK_OPERANDS_HPP

#include <strew/config.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The overlap of each operand with the output.
struct shared_memory {
  bool in_place = false;                     // data is the same view as the output
  overlap_result data = overlap_result::no;  // otherwise
  overlap_result indices = overlap_result::no;
  overlap_result updates = overlap_result::no;
};

// overlaps_data(), overlaps_updates() and overlaps_indices(j) return the overlap of an input with the output; the first
// is not called in place.
template <class OverlapsData, class OverlapsUpdates, class OverlapsIndices>
constexpr shared_memory find_shared(bool in_place, const OverlapsData& overlaps_data,
                                    const OverlapsUpdates& overlaps_updates, int components,
                                    const OverlapsIndices& overlaps_indices) noexcept {
  shared_memory shared{in_place, in_place ? overlap_result::no : overlaps_data(), overlap_result::no,
                       overlaps_updates()};
  for (int j = 0; j < components; ++j) shared.indices = combine(shared.indices, overlaps_indices(j));
  return shared;
}

// Checks that a list is the extents of a shape: not too long, no negative entries.
constexpr bool check_shape(const char* operation, const char* name, const index_list& extents, status& error) noexcept {
  if (extents.overflowed()) {
    return refuse(error, errc::too_many_axes, operation, name, " has more than {0} entries (STREW_MAX_RANK)",
                  {max_rank});
  }
  for (int k = 0; k < extents.size(); ++k) {
    if (extents[k] < 0) {
      return refuse(error, errc::negative_extent, operation, name, "{c} = {0} is negative", {extents[k]}, k);
    }
  }
  return true;
}

constexpr bool check_data_rank(const char* operation, int rank, status& error) noexcept {
  if (rank < 1) return refuse(error, errc::rank_mismatch, operation, "data", " has rank 0, expected at least 1");
  return true;
}

// Checks that the operand has the extents of another one, called `other`.
constexpr bool check_extents(const char* operation, const char* operand, const index_list& extents,
                             const index_list& expected, const char* other, status& error) noexcept {
  if (extents.size() != expected.size()) {
    return refuse(error, errc::rank_mismatch, operation, operand, " has rank {0}, expected {1} as {o} has",
                  {extents.size(), expected.size()}, {}, other);
  }
  for (int k = 0; k < extents.size(); ++k) {
    if (extents[k] != expected[k]) {
      return refuse(error, errc::extent_mismatch, operation, operand,
                    " has extent {0} on axis {1}, expected {2} as {o} has", {extents[k], k, expected[k]}, {}, other);
    }
  }
  return true;
}

constexpr bool check_apart(const char* operation, overlap_result shares_memory, const char* input,
                           status& error) noexcept {
  if (shares_memory == overlap_result::no) return true;
  return refuse(error, errc::overlap, operation, "output",
                shares_memory == overlap_result::yes
                    ? " shares memory with {o}"
                    : " has strides too contrived to tell that it shares no memory with {o}",
                {}, {}, input);
}

// Checks that memory which is written while indices are read shares nothing with them.
inline bool check_memory_apart(const char* operation, const void* memory, std::int64_t bytes, const void* indices,
                               const strided_layout& layout, std::size_t index_size, status& error) noexcept {
  strided_layout written;
  error = strided_layout::try_make(bytes, 1, written);
  if (!error.ok()) return false;
  const overlap_result shared = find_shared(distance_between(memory, indices), written, 1, layout, index_size);
  return shared == overlap_result::no ||
         refuse(error, errc::overlap, operation, "memory", " shares memory with {o}", {}, {}, "indices");
}

// Checks that data has an axis, and that the output has the extents of data, distinct elements, and is data itself (in
// place) or shares no memory with it.
constexpr bool check_output(const char* operation, const strided_layout& data, const strided_layout& output,
                            const shared_memory& shared, status& error) noexcept {
  if (!check_data_rank(operation, data.rank(), error)) return false;
  if (!check_extents(operation, "output", output.extents(), data.extents(), "data", error)) return false;
  if (const overlap_result repeated = find_repeated(output); repeated != overlap_result::no) {
    return refuse(error, errc::repeated_element, operation, "output",
                  repeated == overlap_result::yes
                      ? " holds some element twice (a stride of 0, or axes that overlap)"
                      : " has strides too contrived to tell that it holds no element twice");
  }
  return check_apart(operation, shared.data, "data without being the very same view", error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_CHECK_OPERANDS_HPP
