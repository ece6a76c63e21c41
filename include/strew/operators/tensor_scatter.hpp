// SPDX-License-Identifier: Apache-2.0
// TensorScatter-24 (ONNX): writes consecutive positions of each sample of a key/value cache.
#ifndef STREW_OPERATORS_TENSOR_SCATTER_HPP
#define STREW_OPERATORS_TENSOR_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/descriptor.hpp>
#include <strew/detail/front/parse.hpp>
#include <strew/detail/front/submit_caches.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/operation.hpp>

#include <cstdint>

namespace strew::inline STREW_ABI {

namespace onnx {

// Whether positions past the end of the cache are an error (linear) or continue at position 0 (circular).
enum class cache_mode : unsigned char { linear, circular };
// The attributes of TensorScatter. `axis` is that of the positions, in [-r, r - 1] and not 0, for a cache of rank r.
struct tensor_scatter_options {
  cache_mode mode = cache_mode::linear;
  std::int64_t axis = -2;
};

}  // namespace onnx

namespace detail::inline STREW_CODE {

template <>
struct options_of<role::cache_options> {
  using options = onnx::tensor_scatter_options;
  static constexpr cache_spec spec_of(const options& of) noexcept {
    return {of.mode == onnx::cache_mode::circular, of.axis};
  }
};
inline constexpr operation tensor_scatter_operation{
    .rules = tensor_scatter_rules,
    .arguments = {role::data, role::updates, role::indices, role::cache_options},
    .missing_options = mistake::missing_options,
    .may_omit_indices = true,
    .takes_value = false};

}  // namespace detail

namespace onnx {

// output = past_cache; output[b, .., (w[b] + j), ..] = update[b, .., j, ..], with the position on `axis`; w is
// write_indices.
//
//   past_cache[B, .., M, ..], update[B, .., S, ..], write_indices[B] -> output[B, .., M, ..]
//
//   tensor_scatter(past_cache, update, write_indices, {.mode = cache_mode::circular, .axis = -2}, output)
//
// An executor may come first. Without `write_indices` they are 0. Without `output` the call is in place, as is usual,
// and only S positions of each sample are written. The options are required, but may be {}. r >= 2; `axis` is in [-r,
// r - 1] and not 0; S <= M in both modes. linear: each w is in [0, M - S]; circular: each w >= 0, and positions are
// taken modulo M.
//
// `output` may be exactly the view `past_cache`. Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, axis_out_of_range, extent_mismatch,
// repeated_element, overlap, index_out_of_bounds. If an assignment of T or an executor throws, some updates may not be
// applied. O(past_cache.size()), in place O(update.size()); no heap. Specification: TensorScatter-24, ONNX.
STREW_KEYED inline constexpr strew::detail::throwing<strew::detail::described<strew::detail::tensor_scatter_operation>>
    tensor_scatter;
// Without exceptions: returns what tensor_scatter throws.
STREW_KEYED inline constexpr strew::detail::attempted<strew::detail::described<strew::detail::tensor_scatter_operation>>
    try_tensor_scatter;

}  // namespace onnx
}  // namespace strew

#endif  // STREW_OPERATORS_TENSOR_SCATTER_HPP
