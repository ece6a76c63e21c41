// SPDX-License-Identifier: Apache-2.0
// The rules of TensorScatter.
#ifndef STREW_DETAIL_RULES_CHECK_CACHES_HPP
#define STREW_DETAIL_RULES_CHECK_CACHES_HPP

#include <strew/config.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/rules/check_scatter.hpp>
#include <strew/detail/rules/check_slice.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/status.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

inline constexpr operation_rules tensor_scatter_rules{"onnx::tensor_scatter", addressing::slices};

struct cache_spec {
  bool is_circular;
  std::int64_t axis;
};

// All rules but those for write_indices. `at.data` is past_cache.
constexpr bool check_caches(const slice_layouts& at, const shared_memory& shared, const cache_spec& how, int& axis,
                            status& error) noexcept {
  constexpr const char* operation = tensor_scatter_rules.name;
  const auto& [cache, update, output] = at;
  if (max_rank < 2 || cache.rank() < 2) {
    return refuse(error, errc::rank_mismatch, operation, "past_cache", " has rank {0}, expected at least 2",
                  {cache.rank()});
  }
  if (!(check_output(operation, cache, output, shared, error) &&
        check_axis({operation, "axis", {}}, how.axis, {"past_cache", cache.rank()}, axis, error))) {
    return false;
  }
  if (axis == 0) {
    return refuse(error, errc::axis_out_of_range, operation, "axis", " = {0} names axis 0, on which the samples stand",
                  {how.axis});
  }
  if (update.rank() != cache.rank()) {
    return refuse(error, errc::rank_mismatch, operation, "update", " has rank {0}, expected {1} as past_cache has",
                  {update.rank(), cache.rank()});
  }
  for (int k = 0; k < cache.rank(); ++k) {
    const bool fits = k == axis ? update.extent(k) <= cache.extent(k) : update.extent(k) == cache.extent(k);
    if (!fits) {
      return refuse(error, errc::extent_mismatch, operation, "update",
                    k == axis ? " has extent {0} on axis {1}, expected at most {2} as past_cache has"
                              : " has extent {0} on axis {1}, expected {2} as past_cache has",
                    {update.extent(k), k, cache.extent(k)});
    }
  }
  return check_apart(operation, shared.updates, "update", error);
}

// Checks that there is one index for each sample.
constexpr bool check_write_indices_extents(const strided_layout& cache, const index_list& extents,
                                           overlap_result shared, status& error) noexcept {
  constexpr const char* operation = tensor_scatter_rules.name;
  return check_extents(operation, "write_indices", extents, index_list(cache.extent(0)),
                       "one for each sample of past_cache", error) &&
         check_apart(operation, shared, "write_indices", error);
}

// Whether an update of `count` positions may begin at an index of a cache of `length`.
constexpr bool is_legal_start(const cache_spec& how, const raw_index& first, std::int64_t length,
                              std::int64_t count) noexcept {
  const std::int64_t value = first.is_unsigned && first.bits < 0 ? int64_max : first.bits;
  return value >= 0 && (how.is_circular || value <= length - count);
}

// Checks that each update begins at a legal position and, in the linear mode, ends within the cache. index_at(i) is the
// raw_index of sample i.
template <class IndexAt>
constexpr bool check_write_indices(const slice_layouts& at, const cache_spec& how, int axis, const IndexAt& index_at,
                                   status& error) noexcept {
  const std::int64_t length = at.data.extent(axis);
  const std::int64_t count = at.updates.extent(axis);
  for (std::int64_t i = 0; i < at.data.extent(0); ++i) {
    const raw_index first = index_at(i);
    if (is_legal_start(how, first, length, count)) continue;
    refuse(error, errc::index_out_of_bounds, tensor_scatter_rules.name, "write_indices",
           how.is_circular ? "{c} = {0} is negative (max_sequence_length {2}, sequence_length {3})"
                           : "{c} = {0} is outside [0, {1}] (max_sequence_length {2}, sequence_length {3})",
           {first.bits, length - count, length, count}, i);
    if (first.is_unsigned) error.first_number_is_unsigned();
    return false;
  }
  return true;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_CHECK_CACHES_HPP
