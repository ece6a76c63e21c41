// SPDX-License-Identifier: Apache-2.0
// The compiled library: the back end of all operators.
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/kernels/cache_copies.hpp>
#include <strew/detail/kernels/dispatch.hpp>
#include <strew/detail/kernels/dispatch_bound.hpp>
#include <strew/detail/kernels/run_masked.hpp>
#include <strew/detail/plan/scatter_plan.hpp>
#include <strew/detail/rules/updates_extents.hpp>
#include <strew/view/index_list.hpp>

namespace strew::inline STREW_ABI::erased {

namespace {

const detail::index_loops* find_loops(index_rule rule, index_type type) noexcept {
  return rule == index_rule::strict ? detail::find_index_loops<index_rule::strict>(type)
                                    : detail::find_index_loops<index_rule::wrapping>(type);
}

// The type of a call, with what requests to the library leave out: the rare forms of indices, and the number of indices
// that address a target together.
call_type complete(const call_type& asked, int components) noexcept {
  return {asked.rules,
          asked.element_size,
          asked.policy,
          asked.repeats,
          detail::has_rare_indices(asked.rules, asked.policy) ? &detail::rare_forms_of_indices : nullptr,
          components,
          asked.named,
          asked.reduce};
}

// One value for all targets, as updates of the given extents.
bool repeat(const request& given, const char* operation, const index_list& extents, strided_layout& layout,
            status& error) noexcept {
  return detail::make_repeated(operation, given.updates.layout->rank(), extents,
                               static_cast<std::size_t>(given.type.element_size), layout, error);
}

template <detail::addressing By>
STREW_INLINE void run_as_given(const request& request, const executor_ref& ex, status& error) {
  if (request.type.rules.rule == index_rule::strict) {
    detail::dispatch_scatter<By, index_rule::strict, all_reductions, true>(request, ex, error);
  } else {
    detail::dispatch_scatter<By, index_rule::wrapping, all_reductions, true>(request, ex, error);
  }
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
template <detail::addressing By>
STREW_NOINLINE void run_repeated(const request& given, const executor_ref& ex, status& error) {
  with_repeated<By>(given, error, [&](const request& found) { run_as_given<By>(found, ex, error); });
}
template <detail::addressing By>
void run(const request& request, const executor_ref& ex, status& error) {
  if (request.type.repeats) return run_repeated<By>(request, ex, error);
  run_as_given<By>(request, ex, error);
}

// Each kind of call is a function of its own, so that small calls do not pay for the variables of others.

// Calls with one tensor of single indices.
template <detail::addressing By>
STREW_INLINE void scatter_by_one(const request& given, const request& operands, const executor_ref& ex, status& error) {
  const call_type& asked = given.type;
  index_operand indices = given.indices[0];
  indices.loops = find_loops(asked.rules.rule, indices.loops->type);
  const auto run_as = [&](const call_type& type) {
    run<By>({type, operands.data, operands.updates, operands.output, &indices, {given.axis}}, ex, error);
  };
  if (detail::has_rare_indices(asked.rules, asked.policy)) {
    run_as(complete(asked, 1));
  } else {
    run_as(asked);
  }
}

// Calls with row-major numbers, which are offsets in row-major tensors.
STREW_NOINLINE void scatter_by_numbers(const request& given, const executor_ref& ex, status& error) {
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
  scatter_by_one<detail::addressing::numbers>(given, operands, ex, error);
}

// Multi-indices along the last axis of a tensor: their positions, and the address of each component.
bool split_multi_indices(const char* operation, const index_operand& from, int data_rank, strided_layout& positions,
                         index_operand* numbers, int& count, status& error) noexcept {
  const strided_layout& all = *from.layout;
  if (!detail::check_multi_indices(operation, all.extents(), data_rank, count, error)) return false;
  positions = detail::without_last_axis(all);
  const std::int64_t step = count > 1 && !positions.empty() ? all.stride(all.rank() - 1) * from.loops->size : 0;
  for (int j = 0; j < count || j == 0; ++j) numbers[j] = {from.data + j * step, &positions, from.loops};
  return true;
}

// More tensors of indices than max_rank: sets that error, unless the other operands have one.
void refuse_tensors(const request& given, const detail::operation_rules& rules, status& error) {
  const call_type none{rules, given.type.element_size, index_policy::error, false, nullptr, 0};
  const request others{none, given.data, given.updates, given.output, nullptr, {nullptr}};
  const auto extents_of = [&](int) -> const index_list& { return given.data.layout->extents(); };
  static_cast<void>(detail::check_tensor_scatter(rules, detail::layouts_of(given), detail::find_shared(others),
                                                 {0, given.type.components}, extents_of, error));
}

STREW_NOINLINE void scatter_by_multi_indices(const request& given, const executor_ref& ex, status& error) {
  strided_layout positions;
  index_operand indices[max_rank];
  int count = given.type.components;
  if (count == multi_indices_in_one_tensor) {
    if (!split_multi_indices(given.type.rules.name, given.indices[0], given.data.layout->rank(), positions, indices,
                             count, error)) {
      return;
    }
  } else {
    for (int j = 0; j < count || j == 0; ++j) indices[j] = given.indices[j];
  }
  const call_type type = complete(given.type, count);
  const auto* const loops = find_loops(type.rules.rule, indices[0].loops->type);
  for (int j = 0; j < count || j == 0; ++j) indices[j].loops = loops;
  run<detail::addressing::multi_indices>({type, given.data, given.updates, given.output, indices, {nullptr}}, ex,
                                         error);
}

STREW_NOINLINE void scatter_by_tensors(const request& given, const executor_ref& ex, status& error) {
  const call_type type = complete(given.type, given.type.components);
  if (given.type.components > max_rank) return refuse_tensors(given, type.rules, error);
  index_operand indices[max_rank];
  for (int j = 0; j < given.type.components; ++j) {
    indices[j] = given.indices[j];
    indices[j].loops = find_loops(type.rules.rule, indices[j].loops->type);
  }
  run<detail::addressing::tensors>({type, given.data, given.updates, given.output, indices, {nullptr}}, ex, error);
}

}  // namespace

const detail::scatter_texts texts_of_axis = detail::texts_of_axis;
const detail::scatter_texts texts_of_multi_indices = detail::texts_of_multi_indices;
const detail::scatter_texts texts_of_tensors = detail::texts_of_tensors;
const detail::scatter_texts texts_of_numbers = detail::texts_of_numbers;

namespace {

STREW_NOINLINE void fill_slice(const request& given, const executor_ref& ex, status& error) {
  index_list extents;
  strided_layout repeated;
  const char* const operation = given.type.rules.name;
  request found = given;
  found.updates.layout = &repeated;
  if (detail::find_slice_updates(operation, given.data.layout->extents(), *given.slice, extents, error) &&
      repeat(given, operation, extents, repeated, error)) {
    detail::dispatch_slices(found, ex, error);
  }
}

STREW_NOINLINE void fill_part(const request& given, const executor_ref& ex, status& error) {
  index_list extents;
  strided_layout repeated;
  request found = given;
  found.updates.layout = &repeated;
  if (detail::find_part_updates(given.data.layout->extents(), *given.part, extents, error) &&
      repeat(given, given.type.rules.name, extents, repeated, error)) {
    detail::dispatch_part(found, ex, error);
  }
}

}  // namespace

void slice_scatter(const request& request, const executor_ref& ex, status& error) {
  if (request.type.repeats) return fill_slice(request, ex, error);
  detail::dispatch_slices(request, ex, error);
}

void part_scatter(const request& request, const executor_ref& ex, status& error) {
  if (request.type.repeats) return fill_part(request, ex, error);
  detail::dispatch_part(request, ex, error);
}

void scatter(const request& given, const executor_ref& ex, status& error) {
  using enum detail::addressing;
  switch (given.type.rules.by) {
    case rows:
      return scatter_by_one<rows>(given, given, ex, error);
    case elements:
      return scatter_by_one<elements>(given, given, ex, error);
    case multi_indices:
      return scatter_by_multi_indices(given, ex, error);
    case tensors:
      return scatter_by_tensors(given, ex, error);
    case numbers:
      return scatter_by_numbers(given, ex, error);
    default:
      STREW_ASSERT(false);
  }
}

void masked_scatter(const request& given, const executor_ref& ex, status& error) {
  strided_layout repeated;
  request found = given;
  if (given.type.repeats) {
    if (!repeat(given, given.type.rules.name, given.data.layout->extents(), repeated, error)) return;
    found.updates.layout = &repeated;
  }
  detail::dispatch_masked(found, ex, error);
}

void tensor_scatter(const request& request, const executor_ref& ex, status& error) {
  detail::dispatch_caches(request, ex, error);
}

namespace {

// Calls body.operator()<By>(request), with one value in the place of updates repeated.
template <detail::addressing By, class Body>
void with_updates(const request& given, status& error, const Body& body) {
  if (!given.type.repeats) return body.template operator()<By>(given);
  with_repeated<By>(given, error, [&](const request& found) { body.template operator()<By>(found); });
}

// The same for the way of addressing of a request, with the loops for its indices.
template <class Body>
void with_addressing(const request& given, status& error, const Body& body) {
  using enum detail::addressing;
  if (given.type.components > max_rank) return refuse_tensors(given, given.type.rules, error);
  const call_type type = complete(given.type, given.type.components);
  index_operand indices[max_rank];
  for (int j = 0; j < type.components || j == 0; ++j) {
    indices[j] = given.indices[j];
    indices[j].loops = find_loops(type.rules.rule, indices[j].loops->type);
  }
  request call{type, given.data, given.updates, given.output, indices, {nullptr}};
  call.axis = given.axis;
  switch (type.rules.by) {
    case rows:
      return with_updates<rows>(call, error, body);
    case elements:
      return with_updates<elements>(call, error, body);
    case multi_indices:
      return with_updates<multi_indices>(call, error, body);
    case tensors:
      return with_updates<tensors>(call, error, body);
    case numbers:
      return with_updates<numbers>(call, error, body);
    default:
      STREW_ASSERT(false);
  }
}

}  // namespace

void measure_schedule(const request& given, std::uint64_t& bytes, status& error) {
  with_addressing(given, error, [&]<detail::addressing By>(const request& call) {
    detail::measure_schedule<By>(call, bytes, error);
  });
}

void make_schedule(const request& given, char* memory, bound_schedule& made, status& error) {
  with_addressing(given, error, [&]<detail::addressing By>(const request& call) {
    detail::make_schedule<By>(call, memory, made, error);
  });
}

void run_by_schedule(const request& given, const bound_schedule& made, const executor_ref& ex, status& error) {
  with_addressing(given, error, [&]<detail::addressing By>(const request& call) {
    detail::run_by_schedule<By>(call, made, ex, error);
  });
}

}  // namespace strew::erased
