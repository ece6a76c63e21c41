// SPDX-License-Identifier: Apache-2.0
// The kernel of reductions that also store which update an element holds, with its table.
#ifndef STREW_DETAIL_KERNELS_POSITION_KERNELS_HPP
#define STREW_DETAIL_KERNELS_POSITION_KERNELS_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/index_reader.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/loop_table.hpp>
#include <strew/detail/kernels/position_loops.hpp>
#include <strew/detail/kernels/reduce_kernels.hpp>
#include <strew/detail/kernels/reduce_runs.hpp>
#include <strew/detail/kernels/scatter_part.hpp>
#include <strew/detail/kernels/stream.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/check_positions.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/status.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

inline const erased::numbers_operand& numbers_of(const erased::request& call) noexcept {
  return *static_cast<const erased::numbers_operand*>(call.type.reduce);
}

// The rules for the numbers of a call whose other operands were checked.
template <class Overlaps>
bool check_positions(const erased::request& call, const target_axes& axes, const Overlaps& overlaps, status& error) {
  const erased::numbers_operand& numbers = numbers_of(call);
  return check_positions(call.type.rules, layouts_of(call), axes, *numbers.layout,
                         most_numbers(numbers.size, numbers.is_unsigned), overlaps, error);
}

// The rules of such a call but for those for the values of indices.
template <addressing By>
bool validate_with_positions(const erased::request& call, const shared_memory& shared, target_axes& axes,
                             status& error) noexcept {
  if (!validate<By>(call, shared, axes, error)) return false;
  const erased::numbers_operand& numbers = numbers_of(call);
  const auto overlap_with = [&](const char* data, const strided_layout& layout, std::int64_t size) {
    return find_shared(distance_between(numbers.data, data), *numbers.layout, static_cast<std::uint64_t>(numbers.size),
                       layout, static_cast<std::uint64_t>(size));
  };
  const std::int64_t size = call.type.element_size;
  const auto overlaps = [&](int operand) {
    overlap_result indices = overlap_result::no;
    switch (operand) {
      case 0:
        return overlap_with(call.data.data, *call.data.layout, size);
      case 1:
        for (int j = 0; j < call.type.components; ++j) {
          const erased::index_operand& from = call.indices[j];
          indices = combine(indices, overlap_with(from.data, *from.layout, from.loops->size));
        }
        return indices;
      case 2:
        return overlap_with(call.updates.data, *call.updates.layout, size);
      default:
        return overlap_with(call.output.data, *call.output.layout, size);
    }
  };
  return check_positions(call, axes, overlaps, error);
}

// One update after the other, after data is copied and all numbers are -1. Numbers are walked as the states of a
// reduction, with the strides of their own layout.
struct with_positions_kernel : any_other {
  static constexpr const char* name = "with positions";

  STREW_SMALL static bool run(const scatter_part& part) noexcept {
    part.copy_data();
    const erased::numbers_operand& numbers = numbers_of(part.c.call);
    clear(numbers, part.part);
    scatter_space space = part.c.space();
    space.data = numbers.layout;
    scatter_plan plan;
    part.make_plan(space, part.part, state_layout::none, plan);
    if (plan.empty()) return true;
    // From here on a plan with states, whose offsets begin at the first coordinates of the part.
    plan.has_states = true;
    std::int64_t begin = 0;
    for (int j = 0; j < plan.axes; ++j) {
      plan.state_step[j] = scaled(step_along(*numbers.layout, space.axes.first + j), numbers.size);
      begin += scaled(plan.axis[j].owned.begin, plan.state_step[j]);
    }
    run_plan(part.c, plan, {numbers.data + begin, numbers.layout, numbers.size, numbers.is_unsigned});
    return true;
  }

 private:
  // Sets all numbers of a part to -1: all bits of an integer.
  STREW_SMALL static void clear(const erased::numbers_operand& numbers, const box& part) noexcept {
    loop_nest<1> nest;
    per_operand<1> first{};
    for (int k = 0; k < numbers.layout->rank(); ++k) {
      const std::int64_t stride = scaled(numbers.layout->stride(k), numbers.size);
      first[0] += scaled(stride, part[k].begin);
      nest.add_inner(part[k].count, {stride});
    }
    first[0] += nest.sort_by(0)[0];
    const auto run = nest.innermost();
    const bool is_contiguous = run.strides[0] == numbers.size || run.extent == 1;
    const auto bytes = static_cast<std::size_t>(is_contiguous ? run.extent * numbers.size : numbers.size);
    for (nest_cursor<1> at(nest, 1, first); !at.done(); at.next()) {
      const std::int64_t steps = is_contiguous ? 1 : run.extent;
      for (std::int64_t i = 0; i < steps; ++i) std::memset(numbers.data + at[0] + i * run.strides[0], 0xff, bytes);
    }
  }

  // Inside are positions, or the columns if these are closer together. Numbers are in the plan in units of elements.
  STREW_SMALL static void run_plan(const validated_call& c, const scatter_plan& plan,
                                   const erased::numbers_operand& numbers) noexcept {
    using p = scatter_plan;
    const auto state = [&](std::int64_t offset) { return offset / plan.unit * numbers.size; };
    const auto positions = plan.positions.innermost();
    const auto columns = plan.columns.innermost();
    const auto distance = [](const loop_nest<4>::axis& axis) {
      return magnitude(axis.strides[p::updates]) / 2 + magnitude(axis.strides[p::index]) / 2;
    };
    const bool has_columns = plan.columns.rank() > 0 && plan.positions.rank() <= 1 &&
                             (positions.extent == 1 || distance(columns) < distance(positions));
    if (has_columns) STREW_RAN("numbered columns inside");
    if (!has_columns) STREW_RAN("numbered positions inside");
    const auto run = has_columns ? columns : positions;
    const auto lanes = plan.lanes.innermost();
    const row_run row{lanes.extent, lanes.strides[p::output], lanes.strides[p::updates], state(lanes.strides[p::data]),
                      plan.unit};
    index_reader reader(c.call, plan, false, nullptr);
    update_run next{};
    next.to_stride = run.strides[p::output];
    next.from_stride = run.strides[p::updates];
    next.state_stride = state(run.strides[p::data]);
    next.ahead = prefetched_elements(
        static_cast<std::uint64_t>(c.facts.output_bytes + c.call.output.layout->size() * numbers.size));
    for (nest_cursor<4> column(plan.columns, has_columns ? 1 : 0, plan.first); !column.done(); column.next()) {
      std::int64_t number = plan.first_number;
      for (nest_cursor<4> at(plan.positions, has_columns ? 0 : 1, column.position()); !at.done(); at.next()) {
        for (std::int64_t i = 0; i < run.extent;) {
          const numbered_run numbered{number, has_columns ? 0 : 1, numbers.size};
          const offset_run read = reader.read_offsets(
              {number, at[p::index] + i * run.strides[p::index], run.strides[p::index], run.extent - i});
          next.offset = read.offset;
          next.state_offset = read.state_offset;
          next.number = read.number;
          next.count = read.count;
          for (nest_cursor<4> lane(plan.lanes, 1, {}); !lane.done(); lane.next()) {
            next.to = c.call.output.data + at[p::output] + lane[p::output] + i * run.strides[p::output];
            next.from = c.call.updates.data + at[p::updates] + lane[p::updates] + i * run.strides[p::updates];
            next.states = numbers.data + state(at[p::data] + lane[p::data] + i * run.strides[p::data]);
            c.reachable.reduce->rows(&numbered, next, row);
          }
          i += read.taken;
          if (!has_columns) number += read.taken;
        }
        if (has_columns) ++number;
      }
    }
  }
};

using kernels_with_positions = kernel_table<with_positions_kernel>;
template <>
inline constexpr bool writes_all<kernels_with_positions> = true;
inline constexpr call_kernels position_kernels{nullptr, run_table<calls_that_reduce<kernels_with_positions>>, nullptr};

// The loops and kernels of a call.
template <addressing By>
constexpr reachable_loops loops_with_positions(const copy_loops& copy, const reduce_loops& loops) noexcept {
  return {&copy, nullptr, &loops, validate_with_positions<By>, &position_kernels, false};
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_POSITION_KERNELS_HPP
