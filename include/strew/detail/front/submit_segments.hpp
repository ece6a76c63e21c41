// SPDX-License-Identifier: Apache-2.0
// Calls that address their targets by segments.
#ifndef STREW_DETAIL_FRONT_SUBMIT_SEGMENTS_HPP
#define STREW_DETAIL_FRONT_SUBMIT_SEGMENTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/kernels/segment_kernels.hpp>
#include <strew/detail/kernels/segment_loops.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/check_segments.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Offset i of segments.
template <class Offset>
constexpr raw_index offset_at(const tensor_view<Offset>& offsets, std::int64_t i) noexcept {
  return {static_cast<std::int64_t>(offsets.data()[i * offsets.stride(0)]), std::is_unsigned_v<Offset>};
}

// Legal segments as the indices for which they stand: that of a position is found when it is read. For loops over a
// type.
template <class Offset>
class indices_of_segments {
 public:
  static constexpr bool are_legal = true;

  constexpr indices_of_segments(const tensor_view<Offset>& offsets, std::int64_t positions) noexcept
      : offsets_{offsets} {
    static_cast<void>(strided_layout::try_make(positions, 1, positions_));  // no larger than the updates
  }

  [[nodiscard]] constexpr int count() const noexcept { return 1; }
  [[nodiscard]] constexpr const strided_layout& layout(int) const noexcept { return positions_; }
  // The segment of a position.
  [[nodiscard]] constexpr raw_index at(int, std::int64_t position) const noexcept {
    std::int64_t segment = 0;
    std::int64_t end = offsets_.extent(0) - 1;
    while (end - segment > 1) {
      const std::int64_t middle = segment + (end - segment) / 2;
      (offset_at(offsets_, middle).bits <= position ? segment : end) = middle;
    }
    return {segment, false};
  }
  template <class T>
  [[nodiscard]] constexpr overlap_result overlaps_with(const tensor_view<T>&) const noexcept {
    return overlap_result::no;  // as is checked before
  }

 private:
  const tensor_view<Offset>& offsets_;
  strided_layout positions_;
};

template <class Offsets>
struct way_of<segments_of<Offsets>> {
  static constexpr int most() noexcept { return 1; }
  static constexpr bool uses_memory = false;

  template <const operation_rules& Rules, class Call>
  static constexpr void run_typed(const execution_context* ctx, const Call& call, status& error) {
    const Offsets& offsets = call.where.offsets;
    shared_memory shared = typed::find_shared(call.data, call.updates, call.output);
    shared.indices = typed::overlaps_with(call.output, offsets);
    if (!check_call<Rules>(call, shared, error)) return;
    const auto axis = static_cast<int>(normalize_axis((*call.axis)[0], call.data.layout().rank()));
    const indices_of_segments where(offsets, call.updates.extent(axis));
    typed::scatter<Rules>(
        ctx, operands_of<index_policy::error>(call.data, where, call.updates, call.output, call.reduce, call.axis),
        error);
  }
  // All rules but, if the offsets have no memory, those for their values.
  template <const operation_rules& Rules, class Call>
  static constexpr bool check_call(const Call& call, const shared_memory& shared, status& error) noexcept {
    const Offsets& offsets = call.where.offsets;
    const scatter_layouts at{call.data.layout(), offsets.layout(), call.updates.layout(), call.output.layout()};
    int axis = 0;
    if (!check_segments(Rules, at, shared, *call.axis, axis, error)) return false;
    if constexpr (requires { offset_at(offsets, 0); }) {
      return check_offsets(
          Rules, at.updates, axis, at.data.extent(axis), [&](std::int64_t i) { return offset_at(offsets, i); }, error);
    }
    return true;
  }
  template <class Loops, class Call>
  static void address(const Call& call, erased::index_operand* offsets, erased::request& request) noexcept {
    *offsets = operand_of<Loops>(call.where.offsets);
    request.axis = call.axis;
    request.indices = offsets;
  }
  template <const operation_rules& Rules, index_policy Policy, class T, class R, class Ex>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    run_segments(ctx, request, segment_loop_of<T, R>, error);
  }
  template <const operation_rules& Rules, class R>
  static void run_in_library(const erased::request& request, const executor_ref& ex, status& error) {
    erased::segment_scatter(request, ex, error);
  }
};

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_SEGMENTS_HPP
