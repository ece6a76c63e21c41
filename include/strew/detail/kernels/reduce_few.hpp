// SPDX-License-Identifier: Apache-2.0
// Reductions with states of few updates: the states are those of the targets that the indices name, not those of all
// elements of the output.
#ifndef STREW_DETAIL_KERNELS_REDUCE_FEW_HPP
#define STREW_DETAIL_KERNELS_REDUCE_FEW_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/reduce_table.hpp>
#include <strew/detail/kernels/scatter_part.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/loop_order.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/view/layout.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The different targets of some updates, in the order in which they come first.
class named_targets {
 public:
  // Numbers the targets of the updates of a run and its lines: state_offset[i] becomes `state` times the number of the
  // target of offset i. O(updates), as far as they fall into different entries.
  STREW_SMALL void number(const offset_run& of, const update_lines& lines, std::int64_t state,
                          std::int64_t* state_offset) noexcept {
    const auto entries = std::bit_ceil(static_cast<std::uint64_t>(2 * of.count * lines.count + 2));
    const int shift = 64 - std::countr_zero(entries);
    std::memset(entry_, 0, entries * sizeof(std::uint16_t));
    count_ = 0;
    for (std::int64_t line = 0; line < lines.count; ++line) {
      for (std::int64_t k = 0; k < of.count; ++k) {
        const std::int64_t i = line * lines.offsets + (of.number == nullptr ? k : std::int64_t{of.number[k]});
        const std::int64_t target = line * lines.to + of.offset[i];
        // The upper bits of a product with an odd number depend on all bits of the target.
        auto at = (static_cast<std::uint64_t>(target) * 0x9e3779b97f4a7c15U) >> shift;
        while (entry_[at] != 0 && target_[entry_[at] - 1] != target) at = (at + 1) & (entries - 1);
        if (entry_[at] == 0) {
          target_[count_] = target;
          entry_[at] = static_cast<std::uint16_t>(++count_);
        }
        state_offset[i] = (entry_[at] - 1) * state;
      }
    }
  }
  [[nodiscard]] std::int64_t count() const noexcept { return count_; }
  // The offset of target n from that of the first line.
  [[nodiscard]] std::int64_t operator[](std::int64_t n) const noexcept { return target_[n]; }

 private:
  std::int64_t count_ = 0;
  std::int64_t target_[tuning::named_positions];
  std::uint16_t entry_[4 * tuning::named_positions];  // the number of a target, from 1 on; 0: none
};

struct reduce_few {
  static constexpr const char* name = "reduce with states of the targets";

  STREW_SMALL static bool may(const scatter_part& part) noexcept {
    const erased::request& call = part.c.call;
    const reduce_loops& loops = part.loops();
    const strided_layout& indices = *call.indices[0].layout;
    const std::int64_t positions = part.c.space().has_rows ? indices.size() : indices.extent(part.c.axes.first);
    return !loops.keeps_order && call.type.components > 0 && call.type.rules.by != addressing::numbers &&
           positions <= most_positions(loops);
  }
  // Targets are found in a table, for all lanes once; states of all elements are cleared and read.
  STREW_SMALL static bool pays(const scatter_part& part) noexcept {
    const erased::request& call = part.c.call;
    const std::int64_t updates = call.updates.layout->size();
    const std::int64_t positions = call.indices[0].layout->size();
    const std::int64_t lanes = updates / (positions < 1 ? 1 : positions);
    const std::int64_t most = tuning::limits().states_an_update;
    return may(part) &&
           call.output.layout->size() / (updates < 1 ? 1 : updates) >= most / 8 + most / (lanes < 1 ? 1 : lanes);
  }
  STREW_SMALL static bool run(const scatter_part& part) noexcept {
    using p = scatter_plan;
    scatter_plan plan;
    part.make_plan(part.part, state_layout::none, plan);
    if (plan.positions.rank() > 1) return false;
    part.copy_data();
    if (plan.empty()) return true;
    const reduce_loops& loops = part.loops();
    loop_nest<4> lanes = plan.lanes;
    static_cast<void>(sort_lanes(plan, lanes, false));
    const auto inside = lanes.innermost();
    const auto run = plan.positions.innermost();
    index_reader reader(part.c.call, plan, false, nullptr);
    // As many columns at a time as there is memory for.
    const bool has_lines = plan.columns.rank() > 0 && !reader.keeps_some();
    const auto column = has_lines ? plan.columns.innermost() : loop_nest<4>::axis{1, {}};
    const std::int64_t most_columns = most_positions(loops) / run.extent;
    named_targets targets;
    std::int64_t state_offset[tuning::named_positions];
    alignas(scratch_memory::alignment) char states[most_states];
    const bool are_shared = loops.grid == state_layout::rows;
    STREW_RAN("states of the targets");
    for (nest_cursor<4> at(plan.columns, has_lines ? 1 : 0, plan.first); !at.done(); at.next()) {
      for (std::int64_t c = 0, columns = 0; c < column.extent; c += columns) {
        columns = column.extent - c < most_columns ? column.extent - c : most_columns;
        const offset_run read =
            reader.read_offsets({plan.first_number, at[p::index] + c * column.strides[p::index], run.strides[p::index],
                                 columns * run.extent, column.strides[p::index], run.extent});
        if (read.count == 0) continue;
        const offset_run offsets{read.offset, nullptr, read.number, has_lines ? run.extent : read.count, 0};
        const update_lines lines{columns, column.strides[p::output], column.strides[p::updates], 0, run.extent};
        const std::int64_t updates = columns * offsets.count;
        // So many lanes that there is memory for their states.
        const std::int64_t most = used_states() / (updates * loops.state_size);
        const std::int64_t together = are_shared || inside.extent < most ? inside.extent : most;
        if (together < inside.extent) STREW_RAN("states of the targets of some lanes");
        const std::int64_t state = loops.state_size * (are_shared ? 1 : together);
        targets.number(offsets, lines, state, state_offset);
        const std::int64_t to_column = c * column.strides[p::output];
        const std::int64_t from_column = c * column.strides[p::updates];
        row_run row{together, inside.strides[p::output], inside.strides[p::updates], are_shared ? 0 : loops.state_size,
                    plan.unit};
        for (nest_cursor<4> lane(lanes, 1, at.position()); !lane.done(); lane.next()) {
          for (std::int64_t i = 0; i < inside.extent; i += together) {
            char* const to = part.c.call.output.data + lane[p::output] + to_column + i * row.to_stride;
            const char* const from = part.c.call.updates.data + lane[p::updates] + from_column + i * row.from_stride;
            row.extent = inside.extent - i < together ? inside.extent - i : together;
            std::memset(states, 0, static_cast<std::size_t>(targets.count() * state));
            const update_run all{to,
                                 0,
                                 from,
                                 run.strides[p::updates],
                                 states,
                                 0,
                                 offsets.offset,
                                 state_offset,
                                 offsets.number,
                                 offsets.count,
                                 0,
                                 &lines};
            (row.extent == 1 ? loops.elements : loops.rows)(part.c.call.type.reduce, all, row);
            for (std::int64_t n = 0; loops.finish != nullptr && n < targets.count(); ++n) {
              loops.finish(to + targets[n], row.to_stride, states + n * state, row.state_stride, row.extent);
            }
          }
        }
      }
    }
    return true;
  }

 private:
  static constexpr std::int64_t most_states = tuning::states_on_stack / 2;  // bytes
  static std::int64_t most_positions(const reduce_loops& loops) noexcept {
    const std::int64_t used = tuning::limits().used_positions;
    const std::int64_t most = used < tuning::named_positions ? used : tuning::named_positions;
    return most < used_states() / loops.state_size ? most : used_states() / loops.state_size;
  }
  static std::int64_t used_states() noexcept {
    return tuning::limits().used_states < most_states ? tuning::limits().used_states : most_states;
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_REDUCE_FEW_HPP
