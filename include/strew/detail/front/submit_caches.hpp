// SPDX-License-Identifier: Apache-2.0
// Calls that address their targets by the first position in each sample of a cache.
#ifndef STREW_DETAIL_FRONT_SUBMIT_CACHES_HPP
#define STREW_DETAIL_FRONT_SUBMIT_CACHES_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/kernels/cache_copies.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/detail/typed/typed_slices.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// `write_indices` is null if it is left out: then each index is 0.
template <class Indices>
struct cache_positions {
  const Indices* write_indices;
  const cache_spec& how;
};

// Index i of the operand.
template <class Index>
constexpr raw_index write_index_at(const tensor_view<Index>& indices, std::int64_t i) noexcept {
  return {static_cast<std::int64_t>(indices.data()[i * indices.stride(0)]), std::is_unsigned_v<Index>};
}

template <class Indices>
struct way_of<cache_positions<Indices>> {
  static constexpr int most() noexcept { return 1; }
  static constexpr bool uses_memory = false;

  template <const operation_rules&, class Call>
  static constexpr void run_typed(const execution_context* ctx, const Call& call, status& error) {
    const auto& cache = call.data;
    const auto& update = call.updates;
    const auto& output = call.output;
    const Indices* const write_indices = call.where.write_indices;
    const cache_spec& how = call.where.how;
    const slice_layouts at{cache.layout(), update.layout(), output.layout()};
    const shared_memory shared = typed::find_shared(cache, update, output);
    int axis = 0;
    if (!check_caches(at, shared, how, axis, error)) return;
    const auto index_at = [&](std::int64_t i) { return write_index_at(*write_indices, i); };
    if (write_indices != nullptr &&
        !(check_write_indices_extents(cache.layout(), write_indices->extents(),
                                      typed::overlaps_with(output, *write_indices), error) &&
          check_write_indices(at, how, axis, index_at, error))) {
      return;
    }
    if (!shared.in_place) typed::copy_all(ctx, cache, output);
    if (update.empty()) return;
    using element = std::remove_cvref_t<decltype(*output.data())>;
    const cache_layouts in{update.layout(), output.layout(), axis};
    const auto length = static_cast<std::uint64_t>(output.extent(axis));
    typed::for_each_part(ctx, {update.extents(), update.size(), sizeof(element)}, [&](const box& part) {
      for (std::int64_t i = part[0].begin; i < part[0].begin + part[0].count; ++i) {
        const std::int64_t first = write_indices == nullptr ? 0 : index_at(i).bits;
        const auto start = static_cast<std::int64_t>(static_cast<std::uint64_t>(first) % length);
        for_each_cache_copy(in, part, i, start, 1, [&](const copy_plan& plan) {
          typed::run_copy<element>(plan, output.data(), update.data());
        });
      }
    });
  }
  template <class Loops, class Call>
  static void address(const Call& call, erased::index_operand* starts, erased::request& request) noexcept {
    const Indices* const given = call.where.write_indices;
    if (given != nullptr) {
      *starts = operand_of<Loops>(*given);
      request.indices = starts;
    }
    request.cache = &call.where.how;
  }
  template <const operation_rules& Rules, index_policy Policy, class T, class R, class Ex>
  static void run(const execution_context& ctx, const erased::request& request, status& error) {
    run_caches(ctx, request, copy_loops_of<loop_width<T>>, error);
  }
  template <const operation_rules& Rules, class R>
  static void run_in_library(const erased::request& request, const executor_ref& ex, status& error) {
    erased::tensor_scatter(request, ex, error);
  }
};

template <class Given, class R>
constexpr void submit_by(by_role<role::cache_options>, const Given& given, const R&) {
  const auto& options = given.template get<role::cache_options>();
  const cache_spec how = options_of<addressing_role(Given::op)>::spec_of(options);
  const auto& updates = read_only(given.updates());
  const auto submit_with = [&](const auto* write_indices) {
    const cache_positions<std::remove_cvref_t<decltype(*write_indices)>> where{write_indices, how};
    submit<Given::op.rules>(
        given.call.ex, operands_of<index_policy::error>(read_only(given.data()), where, updates, given.call.output),
        given.call.error);
  };
  if constexpr (Given::has(role::indices)) {
    const auto& indices = read_only(given.template get<role::indices>());
    submit_with(&indices);
  } else {
    submit_with(static_cast<const tensor_view<const std::int64_t>*>(nullptr));
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_FRONT_SUBMIT_CACHES_HPP
