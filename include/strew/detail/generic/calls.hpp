// SPDX-License-Identifier: Apache-2.0
// The calls on typed elements, from the check to the loops.
#ifndef STREW_DETAIL_GENERIC_CALLS_HPP
#define STREW_DETAIL_GENERIC_CALLS_HPP

#include <strew/config.hpp>
#include <strew/detail/generic/loops.hpp>
#include <strew/detail/plan/box.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/elements_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/rows_plan.hpp>
#include <strew/detail/plan/scratch.hpp>
#include <strew/detail/plan/slice_plan.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/detail/rules/slice_scatter.hpp>
#include <strew/index.hpp>
#include <strew/layout.hpp>
#include <strew/overlap.hpp>
#include <strew/slice_spec.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE::generic {

template <class T, class Input>
constexpr answer meets(const tensor_view<T>& output, const tensor_view<Input>& input) noexcept {
  return strew::detail::find_shared<T, std::remove_const_t<Input>>(output.data(), output.layout(), input.data(),
                                                                   input.layout());
}

// Which operands share memory with the output.
template <class T>
constexpr shared_memory find_shared(const tensor_view<const T>& data, const tensor_view<const T>& updates,
                                    const tensor_view<T>& output) noexcept {
  shared_memory shared;
  shared.in_place = data.data() == output.data() && data.layout() == output.layout();
  if (!shared.in_place) shared.data = meets(output, data);
  shared.updates = meets(output, updates);
  return shared;
}

// Calls part(box) for the parts of a call. `who` is null for all in one: in constant evaluation, and for elements whose
// assignment may throw, since bodies of executors may not.
template <class Part>
constexpr void for_each_part(const workers* who, const work& job, const Part& part) {
  if (who == nullptr) {
    part(box(job.extents));
    return;
  }
  who->for_each_part(job, {[](const void* context, const box& cut, const scratch&) noexcept {
                             (*static_cast<const Part*>(context))(cut);
                           },
                           &part});
}

// The output as a copy of data, as far as it lies in the box.
template <class T>
constexpr void copy_data(const box& part, const tensor_view<const T>& data, const tensor_view<T>& output) {
  copy_plan plan;
  plan_data_copy(data.layout(), output.layout(), part, plan);
  run_copy(plan, output.data(), data.data());
}

template <class T>
constexpr void slice_scatter(const workers* who, const tensor_view<const T>& data, const tensor_view<const T>& updates,
                             const slice_spec& spec, const tensor_view<T>& output, status& error) {
  const shared_memory shared = find_shared(data, updates, output);
  resolved_slice slice(data.extents());
  if (!check_slice_scatter({data.layout(), updates.layout(), output.layout()}, shared, spec, slice, error)) return;
  for_each_part(who, {output.extents(), output.size(), sizeof(T)}, [&](const box& part) {
    if (!shared.in_place) copy_data(part, data, output);
    copy_plan plan;
    plan_slice(updates.layout(), slice, output.layout(), slice.coordinates_within(part), plan);
    run_copy(plan, output.data(), updates.data());
  });
}

// Checks the indices one by one; those along an axis of stride 0 once.
template <class Index>
constexpr bool check_indices(const char* operation, const tensor_view<const Index>& indices, int axis,
                             std::int64_t extent, index_rule rule, status& error) noexcept {
  if (indices.empty()) return true;
  index_list coordinate = indices.extents();
  for (int k = 0; k < coordinate.size(); ++k) coordinate[k] = 0;
  do {
    const Index index = indices[coordinate];
    if (normalize_index(index, extent, rule) == out_of_bounds) {
      return refuse_index(operation, static_cast<std::int64_t>(index), std::is_unsigned_v<Index>, coordinate, axis,
                          extent, rule, error);
    }
  } while (next_distinct(indices.layout(), coordinate));
  return true;
}

template <class T, class Index>
constexpr void scatter_rows(const workers* who, const tensor_view<const T>& data,
                            const tensor_view<const Index>& indices, const tensor_view<const T>& updates,
                            const char* operation, const index_list& axis, const tensor_view<T>& output,
                            status& error) {
  shared_memory shared = find_shared(data, updates, output);
  shared.indices = meets(output, indices);
  int k = 0;
  if (!(check_rows(operation, {data.layout(), indices.layout(), updates.layout(), output.layout()}, shared, axis, k,
                   error) &&
        check_indices(operation, indices, k, data.extent(k), index_rule::strict, error))) {
    return;
  }
  const work job{output.extents(), output.size(), sizeof(T), k};
  for_each_part(who, job, [&](const box& part) {
    if (!shared.in_place) copy_data(part, data, output);
    rows_plan plan;
    plan_rows(indices.layout(), updates.layout(), k, output.layout(), part, plan);
    run_rows(plan, output.data(), indices.data(), updates.data());
  });
}

template <class T, class Index>
constexpr void scatter_elements(const workers* who, const tensor_view<const T>& data,
                                const tensor_view<const Index>& indices, const tensor_view<const T>& updates,
                                const elements_rules& rules, const index_list& axis, const tensor_view<T>& output,
                                status& error) {
  shared_memory shared = find_shared(data, updates, output);
  shared.indices = meets(output, indices);
  int k = 0;
  if (!(check_elements(rules, {data.layout(), indices.layout(), updates.layout(), output.layout()}, shared, axis, k,
                       error) &&
        check_indices(rules.operation, indices, k, data.extent(k), rules.rule, error))) {
    return;
  }
  const work job{output.extents(), output.size(), sizeof(T), k, true};
  for_each_part(who, job, [&](const box& part) {
    if (!shared.in_place) copy_data(part, data, output);
    elements_plan plan;
    plan_elements(data.layout(), indices.layout(), updates.layout(), k, output.layout(), part, plan);
    run_elements(plan, output.data(), indices.data(), updates.data());
  });
}

}  // namespace strew::detail::generic

#endif  // STREW_DETAIL_GENERIC_CALLS_HPP
