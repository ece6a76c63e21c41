// SPDX-License-Identifier: Apache-2.0
// Operators on layouts without memory, for prepared calls: they check everything and write nothing. The functions of
// the front have overloads for them here. Values of indices are checked if they have memory.
#ifndef STREW_DETAIL_FRONT_SUBMIT_LAYOUTS_HPP
#define STREW_DETAIL_FRONT_SUBMIT_LAYOUTS_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_caches.hpp>
#include <strew/detail/front/submit_masks.hpp>
#include <strew/detail/front/submit_reductions.hpp>
#include <strew/detail/front/submit_segments.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/kernels/masked_loops.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_positions.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/check_slice.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/typed_masked.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/detail/typed/typed_slices.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// An operand of elements T that is a layout without memory.
template <class T>
class layout_view {
 public:
  constexpr explicit layout_view(const strided_layout& layout) noexcept : layout_{layout} {}

  [[nodiscard]] constexpr const strided_layout& layout() const noexcept { return layout_; }
  [[nodiscard]] constexpr const index_list& extents() const noexcept { return layout_.extents(); }
  [[nodiscard]] constexpr const index_list& strides() const noexcept { return layout_.strides(); }
  [[nodiscard]] constexpr int rank() const noexcept { return layout_.rank(); }
  [[nodiscard]] constexpr std::int64_t size() const noexcept { return layout_.size(); }

 private:
  strided_layout layout_;
};
template <class T>
struct view_traits<layout_view<T>> {
  using element_type = T;
};

template <class T>
constexpr layout_view<const std::remove_const_t<T>> read_only(const layout_view<T>& view) noexcept {
  return layout_view<const std::remove_const_t<T>>(view.layout());
}
template <class T>
constexpr layout_view<T> flat(const layout_view<T>& view) noexcept {
  strided_layout layout;
  static_cast<void>(strided_layout::try_make(view.size(), sizeof(T), layout));  // no larger than the view
  return layout_view<T>(layout);
}

template <class T>
constexpr bool repeat(const char* operation, const layout_view<T>& element, const index_list& extents,
                      layout_view<T>& result, status& error) noexcept {
  strided_layout layout;
  if (!make_repeated(operation, element.rank(), extents, sizeof(T), layout, error)) return false;
  result = layout_view<T>(layout);
  return true;
}

// Whether an executor makes the schedule of bound indices.
template <class Ex>
inline constexpr bool makes_schedules = false;

// The layouts of indices: of one tensor (for multi-indices without its last axis), or of several.
class layouts_of_indices {
 public:
  constexpr layouts_of_indices(const strided_layout& layout, int count) noexcept : positions_{layout}, count_{count} {}

  [[nodiscard]] constexpr int count() const noexcept { return count_; }
  [[nodiscard]] constexpr const strided_layout& layout(int) const noexcept { return positions_; }

 private:
  strided_layout positions_;
  int count_;
};
struct layout_array {
  const strided_layout* first;
  int size;

  [[nodiscard]] constexpr int count() const noexcept { return size; }
  [[nodiscard]] constexpr const strided_layout& layout(int j) const noexcept { return first[j]; }
};
template <>
inline constexpr bool are_tensors_of_indices<layout_array> = true;

template <class Index>
constexpr layouts_of_indices source_of(const layout_view<Index>& indices) noexcept {
  return {indices.layout(), 1};
}
template <class Index>
constexpr layouts_of_indices source_of(const layout_view<Index>& indices, int count) noexcept {
  return {without_last_axis(indices.layout()), count};
}
constexpr layout_array source_of(const layout_array& indices) noexcept {
  return indices;
}

// The checks of a call. The executor makes the schedule of bound indices, if it is one that does so: see
// submit_bound.hpp.
template <const operation_rules& Rules, class Ex, class Where, class Call>
constexpr void check_layouts([[maybe_unused]] Ex& ex, const Where& indices, const Call& call, status& error) noexcept {
  const auto extents_of = [&](int j) -> const index_list& { return indices.layout(j).extents(); };
  const target_addressing<decltype(extents_of)> places{call.axis, indices.count(), extents_of};
  const scatter_layouts at{call.data.layout(), indices.layout(0), call.updates.layout(), call.output.layout()};
  target_axes axes;
  if (!check_scatter<Rules.by>(Rules, at, {}, places, axes, error)) return;
  if constexpr (has_positions<std::remove_cvref_t<decltype(call.reduce)>>) {
    const auto& numbers = call.reduce.numbers;
    const auto no_overlap = [](int) { return overlap_result::no; };
    using integer = std::remove_cvref_t<decltype(*numbers.data())>;
    if (!check_positions<integer>(Rules, at, axes, numbers.layout(), no_overlap, error)) return;
  }
  if constexpr (makes_schedules<Ex>) {
    if (ex.template make<Rules, Call>(indices, at, axes, error)) return;
  }
  if constexpr (requires { indices.at(0, 0); }) {
    static_cast<void>(typed::check_indices({Rules, Call::policy, axes, call.output.layout()}, indices, error));
  }
}
template <const operation_rules&, class Ex, class Call>
constexpr void check_layouts(Ex&, const slice_spec& slice, const Call& call, status& error) noexcept {
  resolved_slice replaced(call.data.extents());
  static_cast<void>(check_slice_scatter({call.data.layout(), call.updates.layout(), call.output.layout()}, {}, slice,
                                        replaced, error));
}
template <const operation_rules&, class Ex, class Call>
constexpr void check_layouts(Ex&, const part_spec& spec, const Call& call, status& error) noexcept {
  output_part part;
  static_cast<void>(
      find_part({call.data.layout(), call.updates.layout(), call.output.layout()}, {}, spec, part, error));
}
template <const operation_rules& Rules, class Ex, class Mask, class Call>
constexpr void check_layouts(Ex&, const mask_of<Mask>& where, const Call& call, status& error) noexcept {
  const masked_layouts at{call.data.layout(), where.mask.layout(), call.updates.layout(), call.output.layout()};
  if (!check_masked(Rules, at, {}, error)) return;
  if constexpr (requires { where.mask.data(); }) {
    if (Rules.takes_any_single_element) return;
    const masked_operands<byte_elements<1>> operands{{1, 1}, address(where.mask.data()), nullptr, nullptr, nullptr};
    const std::int64_t selected = masked_call<byte_elements<1>>(nullptr, at, operands).count();
    static_cast<void>(check_source_size(Rules, call.updates.size(), selected, error));
  }
}
template <const operation_rules& Rules, class Ex, class Offsets, class Call>
constexpr void check_layouts(Ex&, const segments_of<Offsets>&, const Call& call, status& error) noexcept {
  static_cast<void>(way_of<segments_of<Offsets>>::template check_call<Rules>(call, {}, error));
}
template <const operation_rules&, class Ex, class Indices, class Call>
constexpr void check_layouts(Ex&, const cache_positions<Indices>& where, const Call& call, status& error) noexcept {
  const slice_layouts at{call.data.layout(), call.updates.layout(), call.output.layout()};
  const Indices* const starts = where.write_indices;
  int axis = 0;
  if (!check_caches(at, {}, where.how, axis, error) || starts == nullptr ||
      !check_write_indices_extents(at.data, starts->extents(), overlap_result::no, error)) {
    return;
  }
  if constexpr (requires { starts->data(); }) {
    static_cast<void>(check_write_indices(
        at, where.how, axis, [&](std::int64_t i) { return write_index_at(*starts, i); }, error));
  }
}

template <const operation_rules& Rules, reduction_set Set = only_none, class Ex, index_policy Policy, class D,
          class Where, class U, class T, class R>
constexpr void submit(Ex& ex,
                      const call_operands<Policy, layout_view<D>, Where, layout_view<U>, layout_view<T>, R>& call,
                      status& error) noexcept {
  check_layouts<Rules>(ex, call.where, call, error);
}

// Updates that are converted: a call that has no schedule, so that its executor makes none.
template <const operation_rules& Rules, reduction_set Set = only_none, class Ex, index_policy Policy, class D,
          class Where, class U, class T, class R>
constexpr void submit(
    Ex&, const call_operands<Policy, layout_view<D>, Where, converted_updates<layout_view<U>>, layout_view<T>, R>& call,
    status& error) noexcept {
  submit<Rules, Set>(
      serial, operands_of<Policy>(call.data, call.where, call.updates.updates, call.output, call.reduce, call.axis),
      error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_LAYOUTS_HPP
