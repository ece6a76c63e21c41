// SPDX-License-Identifier: Apache-2.0
// The way of a call by segments: rules, offsets, parts, and runs of segments for the loops.
#ifndef STREW_DETAIL_KERNELS_SEGMENT_KERNELS_HPP
#define STREW_DETAIL_KERNELS_SEGMENT_KERNELS_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/segment_loops.hpp>
#include <strew/detail/kernels/trace_call.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/check_segments.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/status.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// A validated call.
struct segmented_call {
  const erased::request& call;
  segments_function run;
  bool in_place;
  int axis;
  bool has_one_each = false;  // whether each segment has one update

  [[nodiscard]] std::int64_t segments() const noexcept { return call.output.layout->extent(axis); }
  [[nodiscard]] std::int64_t updates() const noexcept { return call.updates.layout->extent(axis); }
  [[nodiscard]] std::int64_t offset(std::int64_t i) const noexcept {
    return index_bits(call.indices[0], i * call.indices[0].layout->stride(0));
  }
  // Offsets from number i on: where they are, or `count` of them in a buffer.
  [[nodiscard]] segment_offsets read(std::int64_t i, std::int64_t count, std::int64_t* buffer) const noexcept {
    const erased::index_operand& from = call.indices[0];
    const std::int64_t stride = scaled(from.layout->stride(0), from.loops->size);
    const char* const first = from.data + i * stride;
    if (from.loops->size == 8 && stride == 8) return {first};
    read_bits(*from.loops, first, stride, count, buffer);
    return {reinterpret_cast<const char*>(buffer)};
  }
};

// Properties of segments, as flags of a check.
inline constexpr unsigned other_lengths = 2;  // some segment has not one update

// Finds whether some offset is negative or less than the one before, by a sign (of numbers that are not negative no
// difference overflows), and whether some segment has not one update.
STREW_INLINE unsigned check_offsets_loop(const segment_offsets& offsets, std::int64_t count) noexcept {
  std::uint64_t signs = 0;
  std::uint64_t others = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto end = static_cast<std::uint64_t>(offsets[i + 1]);
    const std::uint64_t length = end - static_cast<std::uint64_t>(offsets[i]);
    signs |= end | length;
    others |= length ^ 1;
  }
  return (static_cast<std::int64_t>(signs) < 0 ? bad_index : nothing_found) |
         (others != 0 ? other_lengths : nothing_found);
}
STREW_VECTORISED_AVX2 inline unsigned check_offsets_in_vectors(const segment_offsets& offsets,
                                                               std::int64_t count) noexcept {
  return check_offsets_loop(offsets, count);
}
inline unsigned check_segment_offsets(const void* of, std::int64_t begin, std::int64_t count) noexcept {
  const auto& all = *static_cast<const segmented_call*>(of);
  std::int64_t buffer[tuning::positions + 1];
  unsigned found = nothing_found;
  for (const std::int64_t end = begin + count; begin < end; begin += tuning::positions) {
    const std::int64_t n = end - begin < tuning::positions ? end - begin : tuning::positions;
    const segment_offsets offsets = all.read(begin, n + 1, buffer);
    if (chooses_vectors(n)) {
      STREW_RAN("check_offsets in vectors");
      found |= check_offsets_in_vectors(offsets, n);
    } else {
      STREW_RAN("check_offsets");
      found |= check_offsets_loop(offsets, n);
    }
  }
  return found;
}
// Checks the offsets; finds whether each segment has one update.
inline bool check_offsets(const execution_context& ctx, segmented_call& all, status& error) {
  if (all.offset(0) == 0 && all.offset(all.segments()) == all.updates()) {
    // An unsigned offset of 2^63 or more has the bits of a negative one.
    const unsigned found = ctx.find_flags(all.segments(), {check_segment_offsets, &all});
    all.has_one_each = (found & other_lengths) == 0;
    if ((found & bad_index) == 0) return true;
  }
  const bool is_unsigned = all.call.indices[0].loops->is_unsigned;
  return check_offsets(
      all.call.type.rules, *all.call.updates.layout, all.axis, all.segments(),
      [&](std::int64_t i) {
        return raw_index{all.offset(i), is_unsigned};
      },
      error);
}

// Combines the segments and the lanes of a box of the output.
inline void run_part_of_segments(const segmented_call& all, const box& part) noexcept {
  constexpr std::size_t to = 0;
  constexpr std::size_t data = 1;
  constexpr std::size_t updates = 2;
  const erased::request& c = all.call;
  const std::int64_t unit = c.type.element_size;
  const bool has_updates = !c.updates.layout->empty();
  const auto strides_of = [&](int k) {
    return per_operand<3>{scaled(step_along(*c.output.layout, k), unit), scaled(step_along(*c.data.layout, k), unit),
                          has_updates ? scaled(step_along(*c.updates.layout, k), unit) : 0};
  };
  loop_nest<3> lanes;
  per_operand<3> first{};
  for (int k = 0; k < c.output.layout->rank(); ++k) {
    if (k == all.axis) continue;
    const per_operand<3> strides = strides_of(k);
    for (std::size_t i = 0; i < 3; ++i) first[i] += scaled(strides[i], part[k].begin);
    lanes.add_inner(part[k].count, strides);
  }
  if (lanes.empty()) return;
  const per_operand<3> moved = lanes.sort_by(updates);
  for (std::size_t i = 0; i < 3; ++i) first[i] += moved[i];
  const auto row = lanes.innermost();
  const per_operand<3> step = strides_of(all.axis);
  std::int64_t buffer[tuning::positions + 1];
  const axis_range some = part[all.axis];
  segment_run run{nullptr,
                  nullptr,
                  nullptr,
                  {step[to], step[data], step[updates]},
                  {row.strides[to], row.strides[data], row.strides[updates]},
                  row.extent,
                  {nullptr},
                  some.count,
                  all.in_place,
                  c.updates.layout->size() >= tuning::limits().rows_prefetched_from / unit,
                  unit};
  const bool is_joined = all.has_one_each && run.may_join();
  const std::int64_t most = is_joined ? some.count : tuning::limits().used_positions;
  if (is_joined) run.join();
  for (std::int64_t s = 0; s < some.count; s += most) {
    if (!is_joined) run.count = some.count - s < most ? some.count - s : most;
    run.offsets = all.read(some.begin + s, run.count + 1, buffer);
    for (nest_cursor<3> at(lanes, 1, first); !at.done(); at.next()) {
      run.to = c.output.data + at[to] + (some.begin + s) * step[to];
      run.data = c.data.data + at[data] + (some.begin + s) * step[data];
      run.updates = c.updates.data + at[updates];
      all.run(c.type.reduce, run);
    }
  }
}

// How a call is cut for an executor: into pieces of consecutive segments with about as many updates each, and, if one
// segment has more than its share, into pieces of one axis of lanes.
class segment_cuts {
 public:
  segment_cuts(const execution_context& ctx, const segmented_call& all) noexcept : all_{all} {
    const strided_layout& output = *all.call.output.layout;
    const std::int64_t size = all.call.type.element_size;
    // For hostile strides of 0 the sum may be beyond 64 bits.
    const std::int64_t moved = saturate(saturating_add(static_cast<std::uint64_t>(all.call.updates.layout->size()),
                                                       static_cast<std::uint64_t>(all.in_place ? 0 : output.size())));
    const std::int64_t most = moved / smallest_part_of(size);
    const auto at_most = [](std::int64_t a, std::int64_t b) { return a < b ? a : b; };
    if (!ctx.has_threads() || most < 2) return;
    pieces_ = at_most(at_most(tuning::parts_a_thread * ctx.threads(), most), all.segments());
    const std::uint64_t share = work() / static_cast<std::uint64_t>(pieces_);
    std::uint64_t largest = 0;
    for (std::int64_t i = 0; i < pieces_; ++i) {
      const std::uint64_t own = work_before(begin(i + 1)) - work_before(begin(i));
      largest = own > largest ? own : largest;
    }
    if (largest / 2 <= share) return;
    for (int k = 0; k < output.rank(); ++k) {
      if (k == all.axis || (lanes_ >= 0 && output.extent(k) <= output.extent(lanes_))) continue;
      lanes_ = k;
    }
    if (lanes_ < 0) return;
    const auto stride = static_cast<std::int64_t>(magnitude(all.call.updates.layout->stride(lanes_)));
    const std::int64_t bytes = stride > tuning::limits().shortest_block ? stride : stride * size;
    grain_ = bytes > 0 && bytes < tuning::limits().shortest_block ? tuning::limits().shortest_block / bytes : 1;
    lane_pieces_ = at_most(at_most(ctx.threads(), most), output.extent(lanes_) / grain_);
    if (lane_pieces_ < 1) lane_pieces_ = 1;
  }

  [[nodiscard]] std::int64_t size() const noexcept { return pieces_ * lane_pieces_; }
  [[nodiscard]] box operator[](std::int64_t part) const noexcept {
    box result(all_.call.output.layout->extents());
    const std::int64_t piece = part / lane_pieces_;
    const std::int64_t first = begin(piece);
    result.narrow(all_.axis, {first, begin(piece + 1) - first});
    if (lane_pieces_ > 1) {
      const std::int64_t extent = all_.call.output.layout->extent(lanes_);
      const std::int64_t each = extent / grain_ / lane_pieces_ * grain_;
      const std::int64_t lane = part % lane_pieces_;
      result.narrow(lanes_, {lane * each, lane + 1 == lane_pieces_ ? extent - lane * each : each});
    }
    return result;
  }

 private:
  // The updates and the elements of segments: those before segment s, and all of them. Below 2^64.
  [[nodiscard]] std::uint64_t work_before(std::int64_t s) const noexcept {
    return static_cast<std::uint64_t>(all_.offset(s)) + static_cast<std::uint64_t>(s);
  }
  [[nodiscard]] std::uint64_t work() const noexcept { return work_before(all_.segments()); }
  // The first segment of a piece.
  [[nodiscard]] std::int64_t begin(std::int64_t piece) const noexcept {
    const auto i = static_cast<std::uint64_t>(piece);
    const auto pieces = static_cast<std::uint64_t>(pieces_);
    const std::uint64_t before = work() / pieces * i + work() % pieces * i / pieces;
    std::int64_t low = 0;
    std::int64_t high = all_.segments();
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (work_before(middle) < before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  const segmented_call& all_;
  std::int64_t pieces_ = 1;
  std::int64_t lane_pieces_ = 1;
  std::int64_t grain_ = 1;  // lanes
  int lanes_ = -1;          // the axis
};

// Checks all but the values of the offsets; sets the axis.
inline bool check_segments(const erased::request& call, int& axis, bool& in_place, status& error) noexcept {
  const shared_memory shared = find_shared(call);
  in_place = shared.in_place;
  return check_segments(call.type.rules, layouts_of(call), shared, *call.axis, axis, error);
}

// A kernel in name alone, so that a trace has it.
struct segments_in_registers : any_other {
  static constexpr const char* name = "segments";
};
// Checks and runs a call by segments.
STREW_NOINLINE inline void run_segments(const execution_context& ctx, const erased::request& call,
                                        segments_function run, status& error) {
  STREW_TRACED(ctx, call, nullptr, error, run_segments(ctx, call, run, error));
  segmented_call all{call, run, false, 0};
  if (!check_segments(call, all.axis, all.in_place, error) || !check_offsets(ctx, all, error) ||
      call.output.layout->empty() || only_asks_for<segments_in_registers>(call)) {
    return;
  }
  const segment_cuts cuts(ctx, all);
  struct context {
    const segmented_call& all;
    const segment_cuts& cuts;
  };
  const context parts{all, cuts};
  ctx.for_each(cuts.size(), {[](const void* it, std::int64_t i) noexcept {
                               const auto& of = *static_cast<const context*>(it);
                               run_part_of_segments(of.all, of.cuts[i]);
                             },
                             &parts});
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_SEGMENT_KERNELS_HPP
