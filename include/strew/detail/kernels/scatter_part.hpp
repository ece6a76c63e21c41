// SPDX-License-Identifier: Apache-2.0
// Scatters in parts, a part, and the kernel that runs any of them.
#ifndef STREW_DETAIL_KERNELS_SCATTER_PART_HPP
#define STREW_DETAIL_KERNELS_SCATTER_PART_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/run_plan.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/tuning.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A part of a scatter: its box, the copy of data before it (out of place), and its share of the workspace.
struct scatter_part {
  const validated_call& c;
  const box& part;
  const scratch_memory& memory;
  copy_plan data{};
  const scatter_plan* whole = nullptr;  // the plan of all of the part, if it was made before

  scatter_part(const validated_call& call, const box& in, const scratch_memory& share) noexcept
      : c{call}, part{in}, memory{share} {
    if (!c.in_place) c.plan_data(part, data);
  }

  [[nodiscard]] const reduce_loops& loops() const noexcept { return *c.reachable.reduce; }
  // Whether data is one run in row-major order, so that it can be copied just ahead of the scatter.
  [[nodiscard]] bool is_over_flat() const noexcept { return !c.in_place && data.is_row_major; }
  [[nodiscard]] lagged_copy blocks() const noexcept {
    return {c.call.output.data + data.first[copy_plan::target], c.call.data.data + data.first[copy_plan::source],
            is_over_flat() ? data.flat_size() : 0, c.facts.copies_streamed_from};
  }
  // Copies all of data, out of place.
  void copy_data() const noexcept {
    if (!c.in_place) run_copy(data, c.call.output.data, c.call.data.data, *c.reachable.copy);
  }
  void make_plan(const box& in, state_layout grid, scatter_plan& plan) const noexcept {
    make_plan(c.space(), in, grid, plan);
  }
  void run_whole(const scatter_plan& plan, const data_ahead& data_of = {}) const noexcept {
    if (!plan.empty()) static_cast<void>(run_plan(c, plan, nullptr, state_layout::none, data_of));
  }
  // Makes the plan of all of the part, with the strides of data.
  void make_plan_with_data(scatter_plan& plan) const noexcept {
    scatter_space space = c.space();
    space.data = c.call.data.layout;
    make_plan(space, part, state_layout::none, plan);
  }
  STREW_SMALL void make_plan(const scatter_space& space, const box& in, state_layout grid,
                             scatter_plan& plan) const noexcept {
    plan.unit = c.call.type.element_size;
    plan.updates_unit = c.call.type.updates_size;
    plan.index_unit = c.call.indices[0].loops->size;
    plan.state_unit = loops().state_size;
    plan.combines = !loops().assigns;
    plan_scatter(space, in, grid, plan);
    const auto run = plan.positions.innermost();
    if (c.indices.ascends() && plan.positions.rank() == 1) {
      STREW_RAN("updates by ascending indices");
      // The first component is one run, whose stride a plan by numbers does not have.
      const std::int64_t stride =
          space.by_number ? stride_of_run(space.positions) * plan.index_unit : run.strides[scatter_plan::index];
      plan.keep(c.indices.find_own(c.index(), plan.first[scatter_plan::index], stride, run.extent, plan.axis[0].owned));
    }
  }
};

// Any part: one update after the other, with data copied before, if it is one run just ahead of them.
struct one_after_the_other : any_other {
  static constexpr const char* name = "one update after the other";

  STREW_SMALL static bool run(const scatter_part& part) noexcept {
    const bool is_flat = part.is_over_flat();
    if (is_flat) STREW_RAN("updates over a copy");
    if (!is_flat && !part.c.in_place) STREW_RAN("updates after a copy");
    if (part.c.in_place) STREW_RAN("updates in place");
    if (!is_flat) part.copy_data();
    lagged_copy blocks = part.blocks();
    const pieces all{part, is_flat ? &blocks : nullptr};
    const scatter_space space = part.c.space();
    const std::int64_t count = space.has_rows ? space.positions.size() : space.positions.extent(space.axes.first);
    if (is_flat || count > tuning::limits().used_positions) {
      for_each_piece(space, part.part, part.c.call.type.element_size, {run_piece, &all});
    } else {
      run_piece(&all, part.part, 0);
    }
    if (is_flat) blocks.finish();
    return true;
  }

 private:
  struct pieces {
    const scatter_part& part;
    lagged_copy* blocks;
  };
  STREW_SMALL static void run_piece(const void* of, const box& piece, std::int64_t end) noexcept {
    const auto& [part, blocks] = *static_cast<const pieces*>(of);
    const data_ahead data{blocks, end, [](lagged_copy& copy, std::int64_t to) noexcept { copy.advance_to(to); }};
    if (part.whole != nullptr && &piece == &part.part) return part.run_whole(*part.whole, data);
    scatter_plan plan;
    part.make_plan(piece, state_layout::none, plan);
    part.run_whole(plan, data);
  }
};

// The bytes that one position of the indices addresses.
constexpr std::int64_t bytes_of_row(const erased::request& call, const target_axes& axes) noexcept {
  const strided_layout& output = *call.output.layout;
  std::int64_t bytes = call.type.element_size;
  for (int k = axes.end(); k < output.rank(); ++k) bytes *= output.extent(k);
  return bytes;
}

// Whether the call is run as one part: several parts would each read all indices, which is expensive with short rows,
// most of all for multi-indices. Row-major numbers address elements on any axis, so each part would have to read them
// all.
STREW_INLINE constexpr bool runs_as_one_part(const erased::request& call, const target_axes& axes,
                                             bool ascends) noexcept {
  const strided_layout& output = *call.output.layout;
  if (call.type.rules.by == addressing::numbers && output.rank() != 1) return true;
  const std::int64_t shortest = call.type.components > 1 ? tuning::limits().shortest_shared_multi_index_row
                                                         : tuning::limits().shortest_shared_row;
  const bool has_other_axes = axes.first > 0 || (!call.type.rules.names_rows() && output.rank() > 1);
  return !has_other_axes && !ascends && bytes_of_row(call, axes) < shortest;
}

// ---- Parts

// Runs a part by the first kernel of a table.
template <class Part, class Kernels>
STREW_SMALL void run_part(const void* context, const box& in, const scratch_memory& memory) noexcept {
  Part part(*static_cast<const validated_call*>(context), in, memory);
  Kernels::run(part);
}

// Whether kernels also write where there is no update in place, so that parts must cover all of the output.
template <class Kernels>
inline constexpr bool writes_all = false;

// In parts, if there is an executor, each of them by the first kernel of a table.
template <class Part, class Kernels>
struct scatter_in_parts : any_other {
  static constexpr const char* name = "in parts";

  STREW_SMALL static bool run(const scatter_job& job) {
    validated_call& c = job.c;
    const strided_layout& output = *c.call.output.layout;
    if (output.empty()) return true;  // the pointers may be null
    if (std::is_same_v<Part, scatter_part> && runs_as_one_part(c.call, c.axes, c.indices.ascends())) {
      run_part<Part, Kernels>(&c, box(output.extents()), job.ctx.memory());
      return true;
    }
    const strided_layout& indices = *c.call.indices[0].layout;
    const bool has_columns = !c.call.type.rules.names_rows();
    const std::int64_t updates = c.call.updates.layout->size();
    work_shape all{output.extents(),
                   c.moved(),
                   c.call.type.element_size,
                   c.axes.first,
                   has_columns || c.cuts_rows(),
                   c.indices.ascends(),
                   c.axes.count,
                   &output,
                   has_columns && updates > c.moved() / tuning::few_beside_data,
                   writes_all<Kernels> ? nullptr : &c.call};
    if (has_columns && !indices.empty()) job.ctx.keep_rows(c.index(), indices, c.axes.first, all);
    job.ctx.for_each_part(all, {run_part<Part, Kernels>, &c});
    return true;
  }
};

template <class Part, class Kernels>
inline constexpr bool runs_table<scatter_in_parts<Part, Kernels>> = true;

// Runs the first kernel of a table after the general checks.
template <class Table>
bool run_table(const scatter_job& job) {
  return Table::run(job);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_SCATTER_PART_HPP
