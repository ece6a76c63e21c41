// SPDX-License-Identifier: Apache-2.0
// Indices read for the scatter leaves: from where they are if they are plain and all owned, else by way of a buffer.
#ifndef STREW_DETAIL_CPU_TARGETS_HPP
#define STREW_DETAIL_CPU_TARGETS_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/index_leaves.hpp>
#include <strew/detail/plan/target_axis.hpp>
#include <strew/detail/tuning.hpp>

#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

STREW_VECTORISED inline void wrap_targets(std::int64_t* target, std::int64_t count, std::int64_t extent) noexcept {
  for (std::int64_t i = 0; i < count; ++i) target[i] += target[i] < 0 ? extent : 0;
}

// Some indices of a run as the leaves take them.
struct target_run {
  const void* indices;  // contiguous, of the loops' integer, not wrapped; or targets, see below
  // Null: all of them. Else these ones alone, and `indices` holds 64-bit targets.
  const std::uint16_t* number;
  std::int64_t count;
  std::int64_t taken;  // the indices of the run that this stands for

  [[nodiscard]] std::int64_t target(std::int64_t i) const noexcept {
    return load<std::int64_t>(static_cast<const char*>(indices) + i * 8);
  }
  // Of a run with numbers, which always comes from the buffer.
  [[nodiscard]] const std::int64_t* targets() const noexcept { return static_cast<const std::int64_t*>(indices); }
};

class target_reader {
 public:
  target_reader(const index_source& indices, const target_axis& axis) noexcept : indices_{indices}, axis_{axis} {}

  // Whether the leaves can read a run with this stride from where it is.
  [[nodiscard]] bool is_direct(std::int64_t stride) const noexcept {
    return indices_.leaves.is_loop_index && stride == indices_.leaves.size && axis_.owns_all();
  }

  // Up to `left` indices, `stride` bytes apart from `first` on, for the leaves of the loops' integer.
  [[nodiscard]] target_run read(std::int64_t first, std::int64_t stride, std::int64_t left) noexcept {
    if (is_direct(stride)) return {indices_.data + first, nullptr, left, left};
    if (!axis_.owns_all()) return read_targets(first, stride, left);
    if (!is_known(first, stride, left, form::indices)) {
      const std::int64_t n = left < tuning::limits().used_positions ? left : tuning::limits().used_positions;
      indices_.leaves.read(indices_.data + first, stride, n, targets_);
      known_ = {targets_, nullptr, n, n};
    }
    return known_;
  }

  // The same as 64-bit targets, none of them negative, all of them owned.
  [[nodiscard]] target_run read_targets(std::int64_t first, std::int64_t stride, std::int64_t left) noexcept {
    if (is_direct(stride) && indices_.leaves.loop_size == 8 && !axis_.wraps) {
      return {indices_.data + first, nullptr, left, left};
    }
    if (is_known(first, stride, left, form::targets)) return known_;
    const std::int64_t n = left < tuning::limits().used_positions ? left : tuning::limits().used_positions;
    indices_.leaves.read_64(indices_.data + first, stride, n, targets_);
    if (axis_.wraps) wrap_targets(targets_, n, axis_.extent);
    known_ = axis_.owns_all() ? target_run{targets_, nullptr, n, n} : target_run{targets_, numbers_, keep_own(n), n};
    return known_;
  }

 private:
  enum class form { none, indices, targets };

  // Whether the buffer holds these indices already: those of one run serve all positions outside of it.
  [[nodiscard]] bool is_known(std::int64_t first, std::int64_t stride, std::int64_t left, form as) noexcept {
    if (as == form_ && first == first_ && stride == stride_ && left == left_) return true;
    form_ = as;
    first_ = first;
    stride_ = stride;
    left_ = left;
    return false;
  }

  // Lists every number and keeps those whose target is owned: a branch on random targets would be mispredicted half the
  // time.
  [[nodiscard]] std::int64_t keep_own(std::int64_t count) noexcept {
    const axis_range owned = axis_.owned;
    std::int64_t kept = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      numbers_[kept] = static_cast<std::uint16_t>(i);
      kept += owned.contains(targets_[i]) ? 1 : 0;
    }
    return kept;
  }

  const index_source& indices_;
  const target_axis& axis_;
  form form_ = form::none;
  std::int64_t first_ = 0;
  std::int64_t stride_ = 0;
  std::int64_t left_ = 0;
  target_run known_{};
  std::int64_t targets_[tuning::positions];
  std::uint16_t numbers_[tuning::positions];
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_CPU_TARGETS_HPP
