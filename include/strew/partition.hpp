// SPDX-License-Identifier: Apache-2.0
// How one call is shared out to an executor: the output is cut into boxes, and each box is computed by itself from all
// the updates that fall into it. Every element belongs to one box, so the result never depends on the cuts.
#ifndef STREW_PARTITION_HPP
#define STREW_PARTITION_HPP

#include <strew/box.hpp>
#include <strew/config.hpp>
#include <strew/executor.hpp>
#include <strew/index_list.hpp>
#include <strew/kernel/run.hpp>
#include <strew/kernel/scratch.hpp>
#include <strew/workspace.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::detail {

// What there is to share out, and where it may be cut.
struct work {
  const index_list& extents;  // the coordinates that may be written
  std::int64_t elements;      // roughly how many are moved
  int scatter_axis = -1;      // the axis on which indices choose the coordinate
  bool inside_first = false;  // whether the axes inside the scatter axis are cut before it
  bool ascends = false;       // whether indices ascend, so that each part finds its own ones without reading all
};

// A tensor cut into boxes of about one size.
class partition {
 public:
  constexpr partition(const work& job, std::int64_t element_size, std::int64_t threads) noexcept
      : extents_{job.extents}, element_size_{element_size} {
    for (int k = 0; k < rank(); ++k) cuts_[k] = grain_[k] = 1;
    const std::int64_t most = job.elements / (smallest_part < element_size ? 1 : smallest_part / element_size);
    if (threads < 2 || most < 2) return;
    const auto at_most = [&](std::int64_t parts) { return parts < most ? parts : most; };
    const std::int64_t plenty = at_most(parts_a_thread * threads);
    const int outer = job.scatter_axis < 0 ? rank() : job.scatter_axis;
    for (int k = 0; k < outer; ++k) cut(k, plenty);
    if (outer == rank()) return;
    // Each part of a cut of the scatter axis reads all indices. That is little beside long rows; beside rows of a cache
    // line it pays for as many parts as there are threads, and beside single elements only if these are far from the
    // cache.
    const std::int64_t row = bytes_inside(outer);
    const bool is_far = job.elements / 128 >= (smallest_part - 1) / element_size;
    const bool reads_little = job.ascends || row >= 16 * cache_line;
    const std::int64_t across = reads_little ? plenty : row >= cache_line || is_far ? at_most(threads) : 1;
    if (!job.inside_first) cut(outer, across);
    for (int k = outer + 1; k < rank(); ++k) cut(k, job.inside_first ? plenty : at_most(threads));
    if (job.inside_first) cut(outer, across);
  }

  [[nodiscard]] constexpr std::int64_t size() const noexcept { return size_; }

  // Box number `part`; they count in row-major order.
  [[nodiscard]] constexpr box operator[](std::int64_t part) const noexcept {
    box result(extents_);
    for (int k = rank(); k-- > 0;) {
      const std::int64_t i = part % cuts_[k];
      part /= cuts_[k];
      const std::int64_t begin = cut_position(k, i);
      result.narrow(k, {begin, cut_position(k, i + 1) - begin});
    }
    return result;
  }

 private:
  // More parts than threads, so that one thread that is held up does not hold up all.
  static constexpr std::int64_t parts_a_thread = most_parts_a_thread / 2;  // rounding may double it
  // Cuts are so many bytes of the output apart: no cache line is fought over, and blocks are worth copying.
  static constexpr std::int64_t shortest_block = smallest_part < 256 ? smallest_part : 256;

  [[nodiscard]] constexpr int rank() const noexcept { return extents_.size(); }

  // The bytes of one coordinate of axis k; where they are 256 or more, some number of which that is true.
  [[nodiscard]] constexpr std::int64_t bytes_inside(int k) const noexcept {
    std::int64_t bytes = element_size_;
    for (int j = k + 1; j < rank() && bytes < 256; ++j) bytes *= extents_[j];
    return bytes;
  }

  // Cuts axis k so that there are about `wanted` parts, if there are not yet.
  constexpr void cut(int k, std::int64_t wanted) noexcept {
    if (size_ >= wanted) return;
    const std::int64_t inner = bytes_inside(k);
    grain_[k] = inner < shortest_block ? (shortest_block + inner - 1) / inner : 1;
    const std::int64_t most = extents_[k] / grain_[k];
    const std::int64_t pieces = (wanted + size_ - 1) / size_;
    cuts_[k] = pieces < most ? pieces : most < 1 ? 1 : most;
    size_ *= cuts_[k];
  }

  // Where piece i of axis k begins: at a multiple of the grain, but the end.
  [[nodiscard]] constexpr std::int64_t cut_position(int k, std::int64_t i) const noexcept {
    const std::int64_t extent = extents_[k];
    if (i == cuts_[k]) return extent;
    const std::int64_t position = extent / cuts_[k] * i + extent % cuts_[k] * i / cuts_[k];
    return position - position % grain_[k];
  }

  const index_list& extents_;
  std::int64_t element_size_;
  std::int64_t cuts_[max_rank] = {};
  std::int64_t grain_[max_rank] = {};
  std::int64_t size_ = 1;
};

// Calls body(part, memory) for boxes that make up the tensor: for one box, all of it, where cutting does not pay, in
// constant evaluation, and where an assignment of T may throw, since an executor cannot hand an exception on. `memory`
// is the part's own share of the executor's.
template <class T, class Ex, class Body>
constexpr void for_each_part(Ex& ex, const work& job, const Body& body) {
  const scratch memory = scratch_of(ex);
  if constexpr (assigns_without_throwing<T> && !std::is_same_v<std::remove_const_t<Ex>, serial_executor>) {
    if (!std::is_constant_evaluated()) {
      const partition parts(job, sizeof(T), static_cast<std::int64_t>(concurrency_of(ex)));
      if (parts.size() > 1) {
        const auto run_part = [&](std::size_t i) noexcept {
          const auto part = static_cast<std::int64_t>(i);
          body(parts[part], memory.part(part, parts.size()));
        };
        ex(static_cast<std::size_t>(parts.size()), run_part);
        return;
      }
    }
  }
  body(box(job.extents), memory);
}

}  // namespace strew::detail

#endif  // STREW_PARTITION_HPP
