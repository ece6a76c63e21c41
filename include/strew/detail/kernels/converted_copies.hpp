// SPDX-License-Identifier: Apache-2.0
// Slices, parts, masks and caches whose updates are of another element type: copies of converted updates.
#ifndef STREW_DETAIL_KERNELS_CONVERTED_COPIES_HPP
#define STREW_DETAIL_KERNELS_CONVERTED_COPIES_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/kernel_counter.hpp>
#include <strew/detail/kernels/cache_copies.hpp>
#include <strew/detail/kernels/copy.hpp>
#include <strew/detail/kernels/copy_loops.hpp>
#include <strew/detail/kernels/index_loops.hpp>
#include <strew/detail/kernels/kernel_table.hpp>
#include <strew/detail/kernels/masked_kernels.hpp>
#include <strew/detail/kernels/masked_loops.hpp>
#include <strew/detail/kernels/part_scatter.hpp>
#include <strew/detail/kernels/trace_call.hpp>
#include <strew/detail/kernels/validated_call.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scratch_memory.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/tuning.hpp>
#include <strew/detail/typed/typed_masked.hpp>
#include <strew/status.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// These copies are a kernel in name alone, so that a trace has them.
struct converted_copies : any_other {
  static constexpr const char* name = "converted copies";
};
// Updates that are converted into a view of the output.
struct converted_copy {
  const erased::request& call;
  const copy_loops& copy;
  char* to;

  // Runs a plan whose offsets count elements and updates.
  STREW_SMALL void run(const copy_plan& plan) const noexcept {
    STREW_RAN("copy converted updates");
    alignas(scratch_memory::alignment) char block[tuning::converted_block];
    const std::int64_t size = call.type.element_size;
    const std::int64_t from_size = call.type.updates_size;
    const std::int64_t most = tuning::limits().used_converted_block / size;
    const auto run = plan.nest.innermost();
    const std::int64_t stride = scaled(run.strides[copy_plan::target], size);
    const std::int64_t from_stride = scaled(run.strides[copy_plan::source], from_size);
    for (nest_cursor<2> at(plan.nest, 1, plan.first); !at.done(); at.next()) {
      char* const first = to + at[copy_plan::target] * size;
      const char* const from = call.updates.data + at[copy_plan::source] * from_size;
      for (std::int64_t i = 0; i < run.extent; i += most) {
        const std::int64_t some = run.extent - i < most ? run.extent - i : most;
        char* const converted = stride == size ? first + i * size : block;
        call.type.converts->convert(converted, from + i * from_stride, from_stride, some);
        if (converted != block) continue;
        copy.copy_lines(first + i * stride, block, {1, {0, 0}}, {some, {stride, size}}, size);
      }
    }
  }
};

// Copies updates in parts, of which plan_part(part, plan) makes the plans.
template <class PlanPart>
void convert_in_parts(const execution_context& ctx, const converted_copy& copies, const PlanPart& plan_part) {
  struct context {
    const converted_copy& copies;
    const PlanPart& plan_part;
  };
  const strided_layout& updates = *copies.call.updates.layout;
  if (updates.empty() || only_asks_for<converted_copies>(copies.call)) return;
  const context shared{copies, plan_part};
  ctx.for_each_part({updates.extents(), updates.size(), copies.call.type.element_size},
                    {[](const void* of, const box& part, const scratch_memory&) noexcept {
                       const auto& [all, plan_copies] = *static_cast<const context*>(of);
                       plan_copies(part, all);
                     },
                     &shared});
}

inline void slice_converted(const execution_context& ctx, const erased::request& call, const copy_loops& copy,
                            status& error) {
  STREW_TRACED(ctx, call, nullptr, error, slice_converted(ctx, call, copy, error));
  const strided_layout& output = *call.output.layout;
  const shared_memory shared = find_shared(call);
  resolved_slice slice(call.data.layout->extents());
  if (!check_slice_scatter({*call.data.layout, *call.updates.layout, output}, shared, *call.slice, slice, error))
    return;
  if (!shared.in_place) copy_data_apart(ctx, call, copy);
  convert_in_parts(ctx, {call, copy, call.output.data}, [&](const box& part, const converted_copy& copies) {
    copy_plan plan;
    plan_slice(*call.updates.layout, slice, output, part, plan);
    copies.run(plan);
  });
}

inline void part_converted(const execution_context& ctx, const erased::request& call, const copy_loops& copy,
                           status& error) {
  STREW_TRACED(ctx, call, nullptr, error, part_converted(ctx, call, copy, error));
  const shared_memory shared = find_shared(call);
  output_part part;
  if (!find_part({*call.data.layout, *call.updates.layout, *call.output.layout}, shared, *call.part, part, error))
    return;
  if (!shared.in_place) copy_data_apart(ctx, call, copy);
  strided_layout layout;
  const auto size = static_cast<std::size_t>(call.type.element_size);
  static_cast<void>(strided_layout::try_make(part.extents, part.strides, size, layout));  // inside the output
  const std::int64_t offset = layout.empty() ? 0 : part.offset * call.type.element_size;
  convert_in_parts(ctx, {call, copy, call.output.data + offset}, [&](const box& in, const converted_copy& copies) {
    copy_plan plan;
    plan_data_copy(*call.updates.layout, layout, in, plan);
    copies.run(plan);
  });
}

inline void caches_converted(const execution_context& ctx, const erased::request& call, const copy_loops& copy,
                             status& error) {
  STREW_TRACED(ctx, call, nullptr, error, caches_converted(ctx, call, copy, error));
  int axis = 0;
  bool in_place = false;
  if (!check_cache_request(call, axis, in_place, error)) return;
  if (!in_place) copy_data_apart(ctx, call, copy);
  convert_in_parts(ctx, {call, copy, call.output.data}, [&](const box& part, const converted_copy& copies) {
    const auto length = static_cast<std::uint64_t>(call.output.layout->extent(axis));
    for (std::int64_t i = part[0].begin; i < part[0].begin + part[0].count; ++i) {
      const std::int64_t given =
          call.indices == nullptr ? 0 : index_bits(*call.indices, i * call.indices->layout->stride(0));
      const auto start = static_cast<std::int64_t>(static_cast<std::uint64_t>(given) % length);
      for_each_cache_copy({*call.updates.layout, *call.output.layout, axis}, part, i, start, 1,
                          [&](const copy_plan& plan) { copies.run(plan); });
    }
  });
}

// Elements of a width whose source has updates of another type.
template <std::size_t Width>
struct converted_elements : byte_elements<Width> {
  const erased::request& call;

  [[nodiscard]] std::int64_t source_unit() const noexcept { return call.type.updates_size; }
  // Up to 64 elements of the mask at a time, whose updates are converted together.
  static void put_runs(const masked_run<converted_elements>& all, element_reader<converted_elements>& source) noexcept {
    STREW_RAN("masked converted updates", Width);
    if (only_asks_for<converted_copies>(all.elements.call)) return;
    const auto& of = all.elements;
    alignas(16) char converted[largest_converted_element];
    const std::int64_t fit = largest_converted_element / of.size;
    const std::int64_t most = fit < mask_bits ? fit : mask_bits;
    for (masked_run<converted_elements> run = all;; run.next()) {
      for (std::int64_t i = 0; i < run.count; i += most) {
        const std::int64_t count = run.count - i < most ? run.count - i : most;
        char* const to = run.to + i * run.to_stride;
        if (run.data != nullptr) {
          copy_run<Width>(to, run.to_stride, run.data + i * run.data_stride, run.data_stride, count, of.size);
        }
        const std::uint64_t bits = load_mask_bits(run.mask + i * run.mask_stride, run.mask_stride, count);
        const std::int64_t selected = std::popcount(bits);
        for (std::int64_t k = 0; k < selected;) {
          const std::int64_t left = source.run_left();
          const std::int64_t some = left < selected - k ? left : selected - k;
          of.call.type.converts->convert(converted + k * of.size, source.here(), source.stride(), some);
          source.skip(some);
          k += some;
        }
        put_bits<Width>(to, run.to_stride, bits, converted, of.size, of.size);
      }
      if (--run.rows == 0) return;
    }
  }
};

template <std::size_t Width>
void mask_converted(const execution_context& ctx, const erased::request& call, status& error) {
  STREW_TRACED(ctx, call, nullptr, error, mask_converted<Width>(ctx, call, error));
  bool in_place = false;
  if (!check_masked_request(call, in_place, error)) return;
  const masked_layouts at{*call.data.layout, *call.indices->layout, *call.updates.layout, *call.output.layout};
  const std::int64_t size = call.type.element_size;
  const masked_operands<converted_elements<Width>> operands{{{size, size}, call},
                                                            call.indices->data,
                                                            in_place ? nullptr : call.data.data,
                                                            call.updates.data,
                                                            call.output.data};
  put_selected(&ctx, call.type.rules, at, operands, error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_CONVERTED_COPIES_HPP
