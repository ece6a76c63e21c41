// SPDX-License-Identifier: Apache-2.0
// What the innermost loops of reductions are called with: runs of updates, and the layout of a row.
#ifndef STREW_DETAIL_KERNELS_REDUCE_RUNS_HPP
#define STREW_DETAIL_KERNELS_REDUCE_RUNS_HPP

#include <strew/config.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// How far apart runs are that are made by one call: their targets, updates and states in bytes, and their offsets.
struct update_lines {
  std::int64_t count;
  std::int64_t to;
  std::int64_t from;
  std::int64_t state;
  std::int64_t offsets;
};
// Updates and their targets: that of update i is `to` + i * to_stride + offset[i], and its state correspondingly. If
// `number` is not null, only the updates with these numbers are applied. The same for each of `lines`, if they are not
// null. Strides and offsets are in bytes.
struct update_run {
  char* to;
  std::int64_t to_stride;
  const char* from;
  std::int64_t from_stride;
  char* states;
  std::int64_t state_stride;
  const std::int64_t* offset;
  const std::int64_t* state_offset;
  const std::uint16_t* number;
  std::int64_t count;
  std::int64_t ahead = 0;  // how many elements ahead targets are prefetched; 0: not, since they are in the cache
  const update_lines* lines = nullptr;
};
// Lines of updates that are combined with single elements, selected by indices. Those that are not checked
// are owned and not negative; those that are checked are one line.
struct direct_run {
  char* to;
  std::int64_t to_stride;
  std::int64_t weight;  // bytes for a step of 1 in an index
  const char* from;
  std::int64_t from_stride;
  const char* indices;
  std::int64_t index_stride;
  std::int64_t count;
  std::int64_t ahead;        // as in update_run
  bool streams;              // whether indices and updates are prefetched
  std::int64_t extent = 0;   // of the axis, for the check
  std::int64_t wrapped = 0;  // what is added to negative indices that are checked
  std::int64_t lines = 1;
  std::int64_t to_line = 0;
  std::int64_t from_line = 0;
  std::int64_t index_line = 0;
};
// The layout of the elements of a row.
struct row_run {
  std::int64_t extent;
  std::int64_t to_stride;
  std::int64_t from_stride;
  std::int64_t state_stride;
  std::int64_t unit;  // bytes of an element
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_RUNS_HPP
