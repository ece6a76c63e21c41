// SPDX-License-Identifier: Apache-2.0
// Bound calls on tensors whose types are known at run time only: the counterpart of strew/bound.hpp for
// strew/dynamic.hpp. Opt-in.
#ifndef STREW_DYNAMIC_SCHEDULE_HPP
#define STREW_DYNAMIC_SCHEDULE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/submit_bound_dynamic.hpp>
#include <strew/detail/plan/schedule.hpp>
#include <strew/execution/executor.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace strew::inline STREW_ABI::dynamic {

// The schedule of the indices of a call that is made repeatedly with the same indices, and operands of the same
// extents. It takes the place of the executor in the calls of one operator, with one reduction, that scatters by
// indices, on tensors of strew/dynamic.hpp:
//
//   strew::dynamic::schedule bound;
//   strew::index_add(bound.measure(), data, 0, index, source, output);       // checks shapes, touches no elements
//   std::vector<std::byte> memory(bound.bytes());
//   strew::index_add(bound.make(memory), data, 0, index, source, output);    // checks the indices, too
//   for (..) strew::index_add(bound.run(pool), data, 0, index, source, output);  // reads no indices
//
// bytes() is 0 for calls without a schedule: operands that are not dense, lanes that share indices, small calls, mean
// and without_init, reductions without NaNs, one value as updates, converted ones, positions, segments. Then make()
// checks the indices all the same, and runs are usual calls with a copy of the indices. Of the tensors of `measure` and
// `make` only extents, strides and types are used, and, if there is a schedule, of the indices of `run` only the
// extents. The memory must outlive the schedule, must not move, and must not overlap an operand. A schedule may be run
// by several threads at once.
//
// Errors: those of the operator; extent_mismatch if a run's operands are not dense or differ in extents or element
// size, or if the operator is another one; too_little_memory; overlap, also of the memory and the indices of make. On
// an error of measure or make the schedule and its memory stay as they were. make: O(indices log indices); run: O(data
// + updates). No heap.
class schedule {
 public:
  // These take the place of the executor; the executor of a run must outlive its call. They are const, so that generic
  // code may take them as it takes executors, by auto&.
  [[nodiscard]] const detail::schedule_measurement measure() noexcept { return {bytes_}; }
  [[nodiscard]] const detail::schedule_making make(std::span<std::byte> memory) noexcept {
    return {bytes_, made_, memory};
  }
  template <executor Ex>
  [[nodiscard]] const detail::schedule_run<Ex> run(Ex& ex) const noexcept {
    return {made_, ex};
  }
  [[nodiscard]] const detail::schedule_run<const serial_executor> run() const noexcept { return {made_, serial}; }

  // The bytes of the schedule; after measure. 0: the call has none.
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  std::uint64_t bytes_ = 0;
  erased::bound_schedule made_;
};

}  // namespace strew::dynamic

#endif  // STREW_DYNAMIC_SCHEDULE_HPP
