// SPDX-License-Identifier: Apache-2.0
// Scatters whose updates are of another element type: the loops of the reduction, which get blocks of converted
// updates.
#ifndef STREW_DETAIL_KERNELS_CONVERTED_LOOPS_HPP
#define STREW_DETAIL_KERNELS_CONVERTED_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/each_update.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/pipeline.hpp>
#include <strew/detail/kernels/reduce_kernels.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/status.hpp>
#include <strew/view/integer.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The reduction of a call with a conversion.
struct converted_reduction {
  const conversion& how;
  const reduce_loops& loops;
  const void* reduce;
  std::int64_t unit;  // bytes of an element
};

// The updates that are converted together, of some lanes of each: into a block on the stack, of contiguous elements.
class converted_block {
 public:
  converted_block(const converted_reduction& of, const row_run& row) noexcept
      : of_{of}, row_{row}, most_{tuning::limits().used_converted_block / row.unit} {
    STREW_EXPECT(most_ >= 1);
  }

  // Combines all updates of a line, some at a time.
  void combine_line(const update_run& run) noexcept {
    const std::int64_t lanes = row_.extent < most_ ? row_.extent : most_;
    std::int64_t most = most_ / lanes;
    if (run.number != nullptr && most > most_listed) most = most_listed;
    for (std::int64_t k = 0; k < run.count; k += most) {
      update_run some = run;
      some.count = run.count - k < most ? run.count - k : most;
      some.lines = nullptr;
      some.to += k * run.to_stride;
      some.from += k * run.from_stride;
      some.offset += k;
      if (run.states != nullptr) {
        some.states += k * run.state_stride;
        some.state_offset += k;
      }
      if (run.number != nullptr) list(run, k, some);
      // A row in pieces is one update, whose lanes may have one state: each piece begins with that of the row.
      const bool has_one_state = run.states != nullptr && row_.state_stride == 0 && lanes < row_.extent;
      char* const state = has_one_state ? some.states + some.state_offset[0] : nullptr;
      char before[most_state];
      const auto state_size = static_cast<std::size_t>(of_.loops.state_size);
      STREW_EXPECT(!has_one_state || (some.count == 1 && state_size <= sizeof before));
      if (has_one_state) std::memcpy(before, state, state_size);
      for (std::int64_t i = 0; i < row_.extent; i += lanes) {
        if (has_one_state) std::memcpy(state, before, state_size);
        combine(run, k, some, i, row_.extent - i < lanes ? row_.extent - i : lanes);
      }
    }
  }
  // Combines lines of few updates, several at a time. Returns false, with nothing done, if they are not few.
  bool combine_lines(const update_run& run) noexcept {
    const std::int64_t in_line = run.count * row_.extent;
    if (run.lines == nullptr || run.number != nullptr || in_line > most_ / 2) return false;
    const std::int64_t most = most_ / in_line;
    update_lines lines = *run.lines;
    update_run some = run;
    some.lines = &lines;
    some.from = block_;
    some.from_stride = row_.extent * row_.unit;
    lines.from = in_line * row_.unit;
    for (std::int64_t k = 0; k < run.lines->count; k += most) {
      lines.count = run.lines->count - k < most ? run.lines->count - k : most;
      const char* const from = run.from + k * run.lines->from;
      convert(from, {lines.count, run.count, row_.extent}, {run.lines->from, run.from_stride, row_.from_stride});
      combine_converted(some, row_.extent);
      some.to += lines.count * lines.to;
      some.offset += lines.count * lines.offsets;
      if (run.states != nullptr) {
        some.states += lines.count * lines.state;
        some.state_offset += lines.count * lines.offsets;
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t most_state = 16;  // bytes of the state of a row
  static constexpr std::int64_t most_listed = tuning::positions / 4;

  // The targets of updates from k on of those with a number, as offsets.
  void list(const update_run& run, std::int64_t k, update_run& some) noexcept {
    for (std::int64_t j = 0; j < some.count; ++j) {
      const std::int64_t i = run.number[k + j];
      offset_[j] = i * run.to_stride + run.offset[i];
      if (run.states != nullptr) state_offset_[j] = i * run.state_stride + run.state_offset[i];
    }
    some.to = run.to;
    some.states = run.states;
    some.to_stride = some.state_stride = 0;
    some.offset = offset_;
    some.state_offset = state_offset_;
    some.number = nullptr;
  }
  // Combines `some` of the updates of a line, from number k on, on lanes i to i + lanes - 1.
  void combine(const update_run& run, std::int64_t k, const update_run& some, std::int64_t i,
               std::int64_t lanes) noexcept {
    const char* const from = (run.number == nullptr ? some.from : run.from) + i * row_.from_stride;
    // Rows whose targets are not in the cache are prefetched as they are converted: 0.9 to 0.95 of the time.
    const bool prefetches = run.ahead > 0 && !of_.loops.assigns && lanes * row_.unit >= tuning::prefetched_target;
    if (run.number == nullptr && !prefetches) {
      convert(from, {1, some.count, lanes}, {0, run.from_stride, row_.from_stride});
    } else {
      const prefetched_bytes what =
          prefetched_of(run, {lanes, row_.to_stride, row_.unit, row_.state_stride, row_.unit});
      for (std::int64_t j = 0; j < some.count; ++j) {
        const std::int64_t number = run.number == nullptr ? j : run.number[k + j];
        if (prefetches) {
          prefetch(some.to + j * some.to_stride + some.offset[j] + i * row_.to_stride, what.target, what.step);
        }
        of_.how.convert(block_ + j * lanes * row_.unit, from + number * run.from_stride, row_.from_stride, lanes);
      }
    }
    update_run converted = some;
    converted.to += i * row_.to_stride;
    if (converted.states != nullptr) converted.states += i * row_.state_stride;
    converted.from = block_;
    converted.from_stride = lanes * row_.unit;
    combine_converted(converted, lanes);
  }
  void combine_converted(const update_run& run, std::int64_t lanes) const noexcept {
    const row_run row{lanes, row_.to_stride, row_.unit, row_.state_stride, row_.unit};
    (lanes == 1 ? of_.loops.elements : of_.loops.rows)(of_.reduce, run, row);
  }
  // Converts a box of updates, the innermost axes as one run if they are one. Strides in bytes.
  void convert(const char* from, std::array<std::int64_t, 3> count, std::array<std::int64_t, 3> stride) noexcept {
    for (std::size_t k = 2; k-- > 0;) {
      if (count[2] == 1) stride[2] = stride[k];
      if (count[k] != 1 && count[2] != 1 && stride[k] != scaled(stride[2], count[2])) break;
      count[2] *= count[k];
      count[k] = 1;
    }
    char* to = block_;
    for (std::int64_t i = 0; i < count[0]; ++i) {
      for (std::int64_t j = 0; j < count[1]; ++j, to += count[2] * row_.unit) {
        of_.how.convert(to, from + i * stride[0] + j * stride[1], stride[2], count[2]);
      }
    }
  }

  const converted_reduction& of_;
  const row_run& row_;
  std::int64_t most_;  // elements
  alignas(scratch_memory::alignment) char block_[tuning::converted_block];
  std::int64_t offset_[most_listed];
  std::int64_t state_offset_[most_listed];
};

inline void combine_converted(const void* object, const update_run& all, const row_run& row) noexcept {
  STREW_RAN("combine converted updates");
  if (all.count == 0) return;
  converted_block block(*static_cast<const converted_reduction*>(object), row);
  if (block.combine_lines(all)) return;
  update_run run = all;
  for (std::int64_t line = 1;; ++line) {
    block.combine_line(run);
    if (run.lines == nullptr || line == run.lines->count) return;
    run.to += run.lines->to;
    run.from += run.lines->from;
    run.offset += run.lines->offsets;
    if (run.states != nullptr) {
      run.states += run.lines->state;
      run.state_offset += run.lines->offsets;
    }
  }
}

// Lines of single elements whose indices the loops read in place. Returns false if indices are checked and one is
// illegal.
template <bool Checks>
bool combine_converted_lines(const void* object, const direct_run& all) noexcept {
  STREW_RAN("combine converted lines");
  const auto& of = *static_cast<const converted_reduction*>(object);
  alignas(scratch_memory::alignment) char block[tuning::converted_block];
  const std::int64_t most = tuning::limits().used_converted_block / of.unit;
  direct_run some = all;
  some.from = block;
  some.from_stride = of.unit;
  some.lines = 1;
  for (std::int64_t line = 0; line < all.lines; ++line) {
    for (std::int64_t k = 0; k < all.count; k += most) {
      some.count = all.count - k < most ? all.count - k : most;
      some.to = all.to + line * all.to_line + k * all.to_stride;
      some.indices = all.indices + line * all.index_line + k * all.index_stride;
      of.how.convert(block, all.from + line * all.from_line + k * all.from_stride, all.from_stride, some.count);
      if constexpr (Checks) {
        if (!of.loops.checked(of.reduce, some)) return false;
      } else {
        of.loops.direct(of.reduce, some);
      }
    }
  }
  return true;
}
inline void combine_converted_legal_lines(const void* object, const direct_run& all) noexcept {
  static_cast<void>(combine_converted_lines<false>(object, all));
}

template <bool HasStates>
inline constexpr call_kernels kernels_of_converted{
    nullptr,
    run_table<calls_that_reduce<std::conditional_t<HasStates, reduce_kernels_with_states, reduce_kernels_of_rows>>>,
    HasStates ? nullptr : run_table<private_copies_first>};

// Runs a scatter by indices with the loops for its elements.
inline void scatter_converted(const execution_context& ctx, const erased::request& call,
                              const reachable_loops& reachable, status& error) {
  const reduce_loops& of = *reachable.reduce;
  const converted_reduction reduction{*call.type.converts, of, call.type.reduce, call.type.element_size};
  reduce_loops loops{combine_converted, combine_converted, of.finish, of.grid, of.state_size};
  loops.keeps_order = of.keeps_order;
  loops.assigns = of.assigns;
  loops.read_own = of.read_own;
  if (of.direct != nullptr) {
    loops.integer_size = of.integer_size;
    loops.direct = combine_converted_legal_lines;
    if (of.checked != nullptr) loops.checked = combine_converted_lines<true>;
  }
  erased::call_type type = call.type;
  type.reduce = &reduction;
  erased::request converted{type, call.data, call.updates, call.output, call.indices, {call.axis}};
  const bool has_states = of.grid != state_layout::none;
  run_request(ctx, converted,
              {reachable.copy, nullptr, &loops, reachable.validate,
               has_states ? &kernels_of_converted<true> : &kernels_of_converted<false>, false},
              error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_CONVERTED_LOOPS_HPP
