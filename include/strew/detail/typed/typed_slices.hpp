// SPDX-License-Identifier: Apache-2.0
// Copies of views, and SliceScatter, as loops over a type.
#ifndef STREW_DETAIL_TYPED_TYPED_SLICES_HPP
#define STREW_DETAIL_TYPED_TYPED_SLICES_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_slice.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/status.hpp>
#include <strew/view/slice_spec.hpp>
#include <strew/view/tensor_view.hpp>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

namespace typed {

// to = from. Both have the same extents and share no memory; this is not checked.
template <class From, class T>
constexpr void copy_all(const execution_context* ctx, const From& from, const tensor_view<T>& to) {
  if (to.empty()) return;
  for_each_part(ctx, {to.extents(), to.size(), sizeof(T)}, [&](const box& part) { copy_data(part, from, to); });
}

template <class D, class Updates, class T>
constexpr void slice_scatter(const execution_context* ctx, const tensor_view<D>& data, const Updates& updates,
                             const slice_spec& spec, const tensor_view<T>& output, status& error) {
  const shared_memory shared = find_shared(data, updates, output);
  resolved_slice slice(data.extents());
  if (!check_slice_scatter({data.layout(), updates.layout(), output.layout()}, shared, spec, slice, error)) return;
  for_each_part(ctx, {output.extents(), output.size(), sizeof(T)}, [&](const box& part) {
    if (!shared.in_place) copy_data(part, data, output);
    copy_plan plan;
    plan_slice(updates.layout(), slice, output.layout(), slice.coordinates_within(part), plan);
    run_copy<T>(plan, output.data(), updates.data());
  });
}

}  // namespace typed

}  // namespace strew::detail

#endif  // STREW_DETAIL_TYPED_TYPED_SLICES_HPP
