// SPDX-License-Identifier: Apache-2.0
// TensorScatter-24 (ONNX): writes consecutive positions of each sample of a key/value cache.
#ifndef STREW_OPERATORS_TENSOR_SCATTER_HPP
#define STREW_OPERATORS_TENSOR_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/signatures.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/front/submit_caches.hpp>
#include <strew/detail/rules/check_caches.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/view/index.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace onnx {

// Whether positions past the end of the cache are an error (linear) or continue at position 0 (circular).
enum class cache_mode : unsigned char { linear, circular };
// The attributes of TensorScatter. `axis` is that of the positions, in [-r, r-1] and not 0, for a cache of rank r.
struct tensor_scatter_options {
  cache_mode mode = cache_mode::linear;
  std::int64_t axis = -2;
};

}  // namespace onnx

namespace detail::inline STREW_CODE {

// past_cache, update, write_indices (if any), options, output (if any).
struct tensor_scatter_operator {
  static constexpr signature form{.name = tensor_scatter_rules.name,
                                  .inputs = 3,
                                  .least_before = 2,
                                  .most_before = 3,
                                  .order = tensor_order::updates_first,
                                  .takes_value = false};
  using options = onnx::tensor_scatter_options;
  using shapes = shapes_without_updates<addressing::slices>;

  template <class Call, class Data, class Updates, class Indices>
  static constexpr void run(const Call& call, const Data& cache, const Updates& update, const Indices& write_indices,
                            const options& chosen) {
    const auto indices = read_only(write_indices);
    run_checked(call, cache, update, &indices, chosen);
  }
  template <class Call, class Data, class Updates>
  static constexpr void run(const Call& call, const Data& cache, const Updates& update, const options& chosen) {
    constexpr const tensor_view<const std::int64_t>* none = nullptr;
    run_checked(call, cache, update, none, chosen);
  }
  template <class... Arguments>
  static constexpr bool lacks_options(type_list<Arguments...>) noexcept {
    return (!std::is_convertible_v<const Arguments&, const options&> && ...);
  }
  template <class... Arguments>
  static constexpr mistake find_wrong_order(type_list<Arguments...>) noexcept {
    return mistake::missing_options;
  }

 private:
  template <class Call, class Data, class Updates, class Indices>
  static constexpr void run_checked(const Call& call, const Data& cache, const Updates& update, const Indices* indices,
                                    const options& chosen) {
    const cache_spec how{chosen.mode == onnx::cache_mode::circular, chosen.axis};
    const cache_positions<Indices> where{indices, how};
    const auto& updates = read_only(update);
    submit<tensor_scatter_rules>(
        call.ex, operands_of<index_policy::error>(read_only(cache), where, updates, call.output), call.error);
  }
};

}  // namespace detail

namespace onnx {

// output = past_cache; output[b, .., (w[b] + j), ..] = update[b, .., j, ..], with the position on `axis`; w is
// write_indices.
//
//   past_cache[B, .., M, ..], update[B, .., S, ..], write_indices[B] -> output[B, .., M, ..]
//
//   tensor_scatter(past_cache, update, write_indices, {.mode = cache_mode::circular, .axis = -2}, output)
//
// with an executor first if there is one; without `write_indices` they are 0; without `output` in place, the usual
// case: then only S positions of each sample are written. The options are required, but may be {}. r >= 2; `axis` is in
// [-r, r-1] and not 0; S <= M in both modes. linear: each w is in [0, M - S]; circular: each w >= 0, and positions are
// taken modulo M.
//
// `output` may be exactly the view `past_cache`. Otherwise it must not share memory with an input. Its elements must be
// distinct. Errors, all found before the first write: rank_mismatch, axis_out_of_range, extent_mismatch,
// repeated_element, overlap, index_out_of_bounds. If an assignment of T or an executor throws, some updates may not be
// applied. O(past_cache.size()), in place O(update.size()); no heap. Specification: TensorScatter-24, ONNX.
STREW_KEYED inline constexpr strew::detail::throwing<strew::detail::tensor_scatter_operator> tensor_scatter;
// Without exceptions: returns what tensor_scatter throws.
STREW_KEYED inline constexpr strew::detail::attempted<strew::detail::tensor_scatter_operator> try_tensor_scatter;

}  // namespace onnx
}  // namespace strew

#endif  // STREW_OPERATORS_TENSOR_SCATTER_HPP
