// SPDX-License-Identifier: Apache-2.0
// What the functions of the compiled library for scatters by indices share.
#ifndef STREW_SRC_COMPILED_SCATTER_BY_HPP
#define STREW_SRC_COMPILED_SCATTER_BY_HPP

#include <strew/detail/front/compiled.hpp>
#include <strew/detail/kernels/dispatch.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/view/index_list.hpp>

namespace strew::inline STREW_ABI::erased {

namespace library {

// The type of a call, with what requests to the library leave out: the rare forms of indices, and the number of indices
// that address a target together.
inline call_type complete(const call_type& asked, int components) noexcept {
  call_type type = asked;
  type.rare = detail::has_rare_indices(asked.rules, asked.policy) ? &detail::rare_forms_of_indices : nullptr;
  type.components = components;
  return type;
}

// One value for all targets, as updates of the given extents.
inline bool repeat(const request& given, const char* operation, const index_list& extents, strided_layout& layout,
                   status& error) noexcept {
  return detail::make_repeated(operation, given.updates.layout->rank(), extents,
                               static_cast<std::size_t>(given.type.element_size), layout, error);
}

// Calls body(request), with the one value in the place of updates repeated.
template <detail::addressing By, class Body>
void with_repeated(const request& given, status& error, const Body& body) {
  const call_type& type = given.type;
  index_list extents;
  strided_layout repeated;
  request found = given;
  found.updates.layout = &repeated;
  if (detail::find_scatter_updates<By>(type.rules, given.data.layout->extents(), given.indices[0].layout->extents(),
                                       given.axis, type.components, extents, error) &&
      repeat(given, type.rules.name, extents, repeated, error)) {
    body(found);
  }
}
// The reductions of a family. Sums without NaNs are in that which reduces, or in that of sums if there is no other.
constexpr reduction_set reductions_of(detail::addressing by, combining how) noexcept {
  const bool sums_only = by == detail::addressing::tensors || by == detail::addressing::numbers;
  switch (how) {
    case combining::assigns:
      return {.has_sum = false, .has_prod = false, .has_order = false};
    case combining::sums:
      return {.has_none = false, .has_prod = false, .has_order = false, .may_skip_nan = sums_only};
    case combining::reduces:
      break;
  }
  reduction_set all = all_reductions;
  all.has_none = false;
  all.may_skip_nan = true;
  return all;
}

// Runs a request by the loops of a family. Plain scatters have loops that check indices themselves, by one rule; all
// others run by those that can wrap indices, whose rule is checked before. All rows that are combined are strict.
template <detail::addressing By, combining How>
STREW_INLINE void run_as_given(const request& request, const executor_ref& ex, status& error) {
  using enum detail::addressing;
  constexpr reduction_set set = reductions_of(By, How);
  constexpr bool may_be_plain = (By == rows || By == elements) && How == combining::assigns;
  constexpr bool is_strict = By == rows && How != combining::assigns;
  if constexpr (may_be_plain || is_strict) {
    if (is_strict || request.type.rules.rule == index_rule::strict) {
      return detail::dispatch_scatter<By, index_rule::strict, set, true>(request, ex, error);
    }
  }
  if constexpr (!is_strict) detail::dispatch_scatter<By, index_rule::wrapping, set, true>(request, ex, error);
}
// Whose updates are of another element type.
template <detail::addressing By, combining How>
STREW_NOINLINE void run_converted(const request& given, const executor_ref& ex, status& error) {
  constexpr bool is_strict = By == detail::addressing::rows && How != combining::assigns;
  constexpr index_rule rule = is_strict ? index_rule::strict : index_rule::wrapping;
  detail::dispatch_reduction<By, rule, reductions_of(By, How), true, true>(given, ex, error);
}
template <detail::addressing By, combining How>
STREW_NOINLINE void run_repeated(const request& given, const executor_ref& ex, status& error) {
  with_repeated<By>(given, error, [&](const request& found) { run_as_given<By, How>(found, ex, error); });
}
template <detail::addressing By, combining How>
STREW_INLINE void run(const request& request, const executor_ref& ex, status& error) {
  if (request.type.repeats) return run_repeated<By, How>(request, ex, error);
  if (request.type.converts != nullptr) return run_converted<By, How>(request, ex, error);
  run_as_given<By, How>(request, ex, error);
}

// Calls with one tensor of single indices.
template <detail::addressing By, combining How>
STREW_NOINLINE void scatter_by_rare(const request& given, const executor_ref& ex, status& error) {
  const call_type type = complete(given.type, 1);
  run<By, How>({type, given.data, given.updates, given.output, given.indices, {given.axis}}, ex, error);
}
template <detail::addressing By, combining How>
STREW_INLINE void scatter_by_one(const request& given, const executor_ref& ex, status& error) {
  if (detail::has_rare_indices(given.type.rules, given.type.policy)) return scatter_by_rare<By, How>(given, ex, error);
  run<By, How>(given, ex, error);
}

// Calls with row-major numbers, which are offsets in row-major tensors.
template <combining How>
STREW_INLINE void scatter_by_numbers(const request& given, const executor_ref& ex, status& error) {
  const strided_layout& data = *given.data.layout;
  request operands = given;
  strided_layout flat;
  if (data.is_row_major() && given.output.layout->is_row_major() && data.extents() == given.output.layout->extents() &&
      data.rank() > 0) {
    // Cannot fail: no larger than data.
    static_cast<void>(strided_layout::try_make(data.size(), static_cast<std::size_t>(given.type.element_size), flat));
    operands.data.layout = &flat;
    operands.output.layout = &flat;
  }
  scatter_by_one<detail::addressing::numbers, How>(operands, ex, error);
}

// Multi-indices along the last axis of a tensor: their positions, and the address of each component.
inline bool split_multi_indices(const char* operation, const index_operand& from, int data_rank,
                                strided_layout& positions, index_operand* numbers, int& count, status& error) noexcept {
  const strided_layout& all = *from.layout;
  if (!detail::check_multi_indices(operation, all.extents(), data_rank, count, error)) return false;
  positions = detail::without_last_axis(all);
  const std::int64_t step = count > 1 && !positions.empty() ? all.stride(all.rank() - 1) * from.loops->size : 0;
  for (int j = 0; j < count || j == 0; ++j) numbers[j] = {from.data + j * step, &positions, from.loops};
  return true;
}

// More tensors of indices than max_rank: sets that error, unless the other operands have one.
inline void refuse_tensors(const request& given, const detail::operation_rules& rules, status& error) {
  const call_type none{rules, given.type.element_size, given.type.updates_size, index_policy::error, false, nullptr, 0};
  const request others{none, given.data, given.updates, given.output, nullptr, {nullptr}};
  const auto extents_of = [&](int) -> const index_list& { return given.data.layout->extents(); };
  static_cast<void>(detail::check_tensor_scatter(rules, detail::layouts_of(given), detail::find_shared(others),
                                                 {0, given.type.components}, extents_of, error));
}

// Calls body.operator()<By>(request) for the way of addressing of a request, with the loops for its indices.
template <class Body>
void with_addressing(const request& given, status& error, const Body& body) {
  using enum detail::addressing;
  if (given.type.components > max_rank) return refuse_tensors(given, given.type.rules, error);
  const call_type type = complete(given.type, given.type.components);
  const request call{type, given.data, given.updates, given.output, given.indices, {given.axis}};
  switch (type.rules.by) {
    case rows:
      return body.template operator()<rows>(call);
    case elements:
      return body.template operator()<elements>(call);
    case multi_indices:
      return body.template operator()<multi_indices>(call);
    case tensors:
      return body.template operator()<tensors>(call);
    case numbers:
      return body.template operator()<numbers>(call);
    default:
      STREW_ASSERT(false);
  }
}

template <combining How>
STREW_INLINE void scatter_by_multi_indices(const request& given, const executor_ref& ex, status& error) {
  strided_layout positions;
  index_operand split[max_rank];
  const index_operand* indices = given.indices;
  int count = given.type.components;
  if (count == multi_indices_in_one_tensor) {
    if (!split_multi_indices(given.type.rules.name, given.indices[0], given.data.layout->rank(), positions, split,
                             count, error)) {
      return;
    }
    indices = split;
  }
  const call_type type = complete(given.type, count);
  run<detail::addressing::multi_indices, How>({type, given.data, given.updates, given.output, indices, {nullptr}}, ex,
                                              error);
}

template <combining How>
STREW_INLINE void scatter_by_tensors(const request& given, const executor_ref& ex, status& error) {
  const call_type type = complete(given.type, given.type.components);
  if (given.type.components > max_rank) return refuse_tensors(given, type.rules, error);
  run<detail::addressing::tensors, How>({type, given.data, given.updates, given.output, given.indices, {nullptr}}, ex,
                                        error);
}

}  // namespace library

// Each family is a function of its own, so that small calls do not pay for the variables of others.
template <unsigned char Family>
void scatter_by(const request& given, const executor_ref& ex, status& error) {
  using enum detail::addressing;
  constexpr auto by = static_cast<detail::addressing>(Family / 3);
  constexpr auto how = static_cast<combining>(Family % 3);
  static_assert(Family == family_of(by, how));
  if constexpr (by == numbers) {
    library::scatter_by_numbers<how>(given, ex, error);
  } else if constexpr (by == multi_indices) {
    library::scatter_by_multi_indices<how>(given, ex, error);
  } else if constexpr (by == tensors) {
    library::scatter_by_tensors<how>(given, ex, error);
  } else {
    library::scatter_by_one<by, how>(given, ex, error);
  }
}

}  // namespace strew::erased

#endif  // STREW_SRC_COMPILED_SCATTER_BY_HPP
