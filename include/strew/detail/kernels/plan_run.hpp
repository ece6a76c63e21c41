// SPDX-License-Identifier: Apache-2.0
// What the loops of one part of a scatter have in common, and the questions that choose between them.
#ifndef STREW_DETAIL_KERNELS_PLAN_RUN_HPP
#define STREW_DETAIL_KERNELS_PLAN_RUN_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/tuning.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

using nest_axis = loop_nest<4>::axis;

// Whether contiguous indices of `size` bytes are all equal. Comparing the first and the last one rejects most inputs.
STREW_NOINLINE inline bool are_equal(const char* indices, std::int64_t count, std::int64_t size) noexcept {
  const auto bytes = static_cast<std::size_t>(size);
  return std::memcmp(indices, indices + (count - 1) * size, bytes) == 0 &&
         std::memcmp(indices, indices + count / 2 * size, bytes) == 0 &&
         std::memcmp(indices, indices + size, static_cast<std::size_t>((count - 1) * size)) == 0;
}
// Whether all indices of a run are equal.
inline bool have_one_index(const erased::index_operand& from, std::int64_t first, std::int64_t stride,
                           std::int64_t count) noexcept {
  return stride == 0 || (stride == from.loops->size && are_equal(from.data + first, count, stride));
}

// Data up to `end`, which is copied ahead of the updates. A function, so that calls that copy none do not have it.
struct data_ahead {
  lagged_copy* blocks = nullptr;
  std::int64_t end = 0;
  void (*advance_to)(lagged_copy& blocks, std::int64_t end) noexcept = nullptr;
};

// What the loops of one part have in common.
struct plan_run {
  const validated_call& c;
  const reduce_loops& loops;
  const scatter_plan& plan;
  char* states;
  index_reader& reader;
  std::int64_t ahead;  // see update_run
  const data_ahead& data;

  [[nodiscard]] char* to(std::int64_t offset) const noexcept { return c.call.output.data + offset; }
  [[nodiscard]] const char* from(std::int64_t offset) const noexcept { return c.call.updates.data + offset; }
  [[nodiscard]] char* state(std::int64_t offset) const noexcept {
    return states == nullptr ? nullptr : states + offset;
  }
  [[nodiscard]] const char* index(std::int64_t offset) const noexcept { return c.call.indices[0].data + offset; }

  // Whether loops read indices in place.
  [[nodiscard]] bool is_in_place() const noexcept { return c.call.indices[0].loops->is_canonical_index; }
  // Whether loops take the indices of a run, those of one axis: in place, or as they are read into a buffer.
  [[nodiscard]] bool is_direct(const nest_axis& run) const noexcept {
    const index_loops& of = *c.call.indices[0].loops;
    const target_axis& axis = plan.axis[0];
    const bool is_run = states == nullptr && leaves_legal_indices(c.call.type.policy) && axis.owns_all() &&
                        (is_in_place() || (!c.checks && run.extent >= tuning::limits().shortest_read_run));
    if (!is_run || c.reachable.scatter != nullptr) return is_run;
    return loops.direct != nullptr && of.loop_size == loops.integer_size &&
           (c.checks ? run.strides[scatter_plan::output] == 0 && axis.stride == plan.unit
                     : !axis.wraps || of.is_unsigned);
  }
  // Whether indices are a slice along one run of positions, whose updates are reduced line by line.
  [[nodiscard]] bool is_slice(const nest_axis& run, std::int64_t line) const noexcept {
    return !c.checks && c.indices.is_slice && loops.line != nullptr && states == nullptr && plan.owns_all() &&
           has_one_lane(c) && run.strides[scatter_plan::output] == 0 && run.strides[scatter_plan::updates] == line &&
           c.step() == line && run.extent * line >= tuning::limits().shortest_line;
  }
  STREW_NOINLINE void copy_data(std::int64_t before_end = 0) const noexcept {
    if (data.blocks != nullptr) data.advance_to(*data.blocks, data.end - before_end);
  }
  // Copies data before `bytes` bytes of the output from `offset` on, and not in them.
  void skip_data(std::int64_t offset, std::int64_t bytes) const noexcept {
    if (data.blocks == nullptr) return;
    const std::int64_t begin = data.blocks->position_of(to(offset));
    data.advance_to(*data.blocks, begin);
    data.blocks->skip_to(begin + bytes);
  }
  void reduce_line(std::int64_t to_offset, std::int64_t from_offset, std::int64_t bytes) const noexcept {
    loops.line(c.call.type.reduce, to(to_offset), from(from_offset), bytes / plan.unit, plan.unit);
  }
};

// Whether runs of a nest may be contiguous in the output and in the updates, so that those with one index are lines;
// shorter ones would be combined as soon as their indices are compared.
inline bool may_be_alike(const plan_run& all, const nest_axis& run) noexcept {
  using p = scatter_plan;
  const std::int64_t unit = all.plan.unit;
  return !all.c.checks && all.loops.line != nullptr && all.states == nullptr && all.plan.owns_all() &&
         run.strides[p::output] == unit && run.strides[p::updates] == unit &&
         run.extent * unit / 4 >= tuning::limits().shortest_line;
}
// Reduces the run at a position as a line if all its indices are equal. Returns false, with nothing done, otherwise.
STREW_SMALL inline bool run_as_line(const plan_run& all, const nest_axis& run, const per_operand<4>& at) noexcept {
  using p = scatter_plan;
  if (!have_one_index(all.c.call.indices[0], at[p::index], run.strides[p::index], run.extent)) return false;
  STREW_RAN("reduce lanes that share an index");
  const offset_run read = all.reader.read_offsets({0, at[p::index], 0, 1});
  // Otherwise dropped.
  if (read.count != 0) all.reduce_line(at[p::output] + read.offset[0], at[p::updates], run.extent * all.plan.unit);
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_PLAN_RUN_HPP
