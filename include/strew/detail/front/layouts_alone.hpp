// SPDX-License-Identifier: Apache-2.0
// Operators on layouts without memory, for prepared calls: they check everything and write nothing. The functions of
// the front have overloads for them here. Values of indices are checked if they have memory.
#ifndef STREW_DETAIL_FRONT_LAYOUTS_ALONE_HPP
#define STREW_DETAIL_FRONT_LAYOUTS_ALONE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/check_masked.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/part_view.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/typed_masked.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
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

// The executor makes the schedule of bound indices, if it is one that does so: see bound_schedule.hpp.
template <const operation_rules& Rules, reduction_set Set, class Ex, index_policy Policy, class D, class Indices,
          class U, class T, class R>
constexpr void run_scatter(
    [[maybe_unused]] Ex& ex,
    const typed_operands<Policy, layout_view<D>, Indices, layout_view<U>, layout_view<T>, R>& call,
    status& error) noexcept {
  const Indices& indices = call.indices;
  const auto extents_of = [&](int j) -> const index_list& { return indices.layout(j).extents(); };
  const target_addressing<decltype(extents_of)> places{call.axis, indices.count(), extents_of};
  const scatter_layouts at{call.data.layout(), indices.layout(0), call.updates.layout(), call.output.layout()};
  target_axes axes;
  if (!check_scatter<Rules.by>(Rules, at, {}, places, axes, error)) return;
  if constexpr (makes_schedules<Ex> && Policy == index_policy::error) {
    if (ex.template make<Rules, std::remove_const_t<T>, R>(indices, at, axes, error)) return;
  }
  if constexpr (requires { indices.at(0, 0); }) {
    static_cast<void>(typed::check_indices({Rules, Policy, axes, call.output.layout()}, indices, error));
  }
}

template <class Ex, class D, class U, class T>
constexpr void run_slice_scatter(Ex&, const layout_view<D>& data, const layout_view<U>& updates,
                                 const slice_spec& slice, const layout_view<T>& output, status& error) noexcept {
  resolved_slice replaced(data.extents());
  static_cast<void>(
      check_slice_scatter({data.layout(), updates.layout(), output.layout()}, {}, slice, replaced, error));
}

template <const operation_rules& Rules, class Ex, class D, class Mask, class S, class T>
constexpr void run_masked_scatter(Ex&, const layout_view<D>& data, const Mask& mask, const layout_view<S>& source,
                                  const layout_view<T>& output, status& error) noexcept {
  const masked_layouts at{data.layout(), mask.layout(), source.layout(), output.layout()};
  if (!check_masked(Rules, at, {}, error)) return;
  if constexpr (requires { mask.data(); }) {
    if (Rules.takes_any_single_element) return;
    const masked_operands<typed_elements<char>> operands{{}, address(mask.data()), nullptr, nullptr, nullptr};
    const std::int64_t selected = masked_call<typed_elements<char>>(nullptr, at, operands).count();
    static_cast<void>(check_source_size(Rules, source.size(), selected, error));
  }
}

template <class Ex, class D, class U, class Indices, class T>
constexpr void run_tensor_scatter(Ex&, const layout_view<D>& cache, const layout_view<U>& update,
                                  const Indices* write_indices, const cache_spec& how, const layout_view<T>& output,
                                  status& error) noexcept {
  const slice_layouts at{cache.layout(), update.layout(), output.layout()};
  int axis = 0;
  if (!check_caches(at, {}, how, axis, error) || write_indices == nullptr ||
      !check_write_indices_extents(cache.layout(), write_indices->extents(), overlap_result::no, error)) {
    return;
  }
  if constexpr (requires { write_indices->data(); }) {
    using index = std::remove_const_t<view_element<Indices>>;
    const auto index_at = [&](std::int64_t i) {
      return raw_index{static_cast<std::int64_t>(write_indices->data()[i * write_indices->stride(0)]),
                       std::is_unsigned_v<index>};
    };
    static_cast<void>(check_write_indices(at, how, axis, index_at, error));
  }
}

template <class Ex, class D, class U, class T>
constexpr void run_part_scatter(Ex&, const layout_view<D>& data, const layout_view<U>& source, const part_spec& spec,
                                const layout_view<T>& output, status& error) noexcept {
  output_part part;
  static_cast<void>(find_part({data.layout(), source.layout(), output.layout()}, {}, spec, part, error));
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_LAYOUTS_ALONE_HPP
