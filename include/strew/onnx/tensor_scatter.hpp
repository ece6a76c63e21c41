// SPDX-License-Identifier: Apache-2.0
// TensorScatter-24 (ONNX): the update of a cache, one run of positions a sample.
#ifndef STREW_ONNX_TENSOR_SCATTER_HPP
#define STREW_ONNX_TENSOR_SCATTER_HPP

#include <strew/config.hpp>
#include <strew/detail/front/assign.hpp>
#include <strew/detail/front/general.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/rules/operands.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace onnx {

enum class cache_mode : unsigned char { linear, circular };
struct tensor_scatter_options {
  cache_mode mode = cache_mode::linear;
  std::int64_t axis = -2;
};

}  // namespace onnx

namespace detail::inline STREW_CODE {

struct tensor_scatter_caller {
  static constexpr const char* operation = "onnx::tensor_scatter";

  // write_indices is null where they are left out: all 0.
  template <class Ex, class T, class Index>
  static constexpr void run(Ex& ex, status& error, const tensor_view<const T>& cache,
                            const tensor_view<const T>& update, const tensor_view<const Index>* write_indices,
                            const onnx::tensor_scatter_options& options, const tensor_view<T>& output) {
    const shared_memory shared = generic::find_shared(cache, update, output);
    int axis = 0;
    if (!check_shapes(cache.layout(), update.layout(), output.layout(), shared, options, axis, error)) return;
    const std::int64_t samples = cache.extent(0);
    const std::int64_t length = cache.extent(axis);
    const std::int64_t count = update.extent(axis);
    const bool is_circular = options.mode == onnx::cache_mode::circular;
    if (write_indices != nullptr) {
      if (!(check_extents(operation, "write_indices", write_indices->extents(), index_list(samples),
                          "one for each sample of past_cache", error) &&
            check_apart(operation, generic::meets(output, *write_indices), "write_indices", error))) {
        return;
      }
      for (std::int64_t i = 0; i < samples; ++i) {
        const Index first = write_indices->data()[i * write_indices->stride(0)];
        const std::int64_t value = saturate(first);
        if (value >= 0 && (is_circular || value <= length - count)) continue;
        refuse(error, errc::index_out_of_bounds, operation, "write_indices",
               is_circular ? "{c} = {0} is negative (max_sequence_length {2}, sequence_length {3})"
                           : "{c} = {0} is outside [0, {1}] (max_sequence_length {2}, sequence_length {3})",
               {static_cast<std::int64_t>(first), length - count, length, count}, i);
        if (std::is_unsigned_v<Index>) error.first_number_is_unsigned();
        return;
      }
    }
    if (!shared.in_place) assign(ex, cache, output, error);
    for (std::int64_t i = 0; i < samples && !update.empty() && error.ok(); ++i) {
      std::uint64_t first = 0;
      if (write_indices != nullptr) {
        first = static_cast<std::uint64_t>(write_indices->data()[i * write_indices->stride(0)]);
      }
      const auto start = static_cast<std::int64_t>(first % static_cast<std::uint64_t>(length));
      const std::int64_t whole = length - start < count ? length - start : count;
      write(ex, update, output, i, axis, 0, start, whole, error);
      if (whole < count) write(ex, update, output, i, axis, whole, 0, count - whole, error);
    }
  }

 private:
  static constexpr bool check_shapes(const strided_layout& cache, const strided_layout& update,
                                     const strided_layout& output, const shared_memory& shared,
                                     const onnx::tensor_scatter_options& options, int& axis, status& error) noexcept {
    if (max_rank < 2 || cache.rank() < 2) {
      return refuse(error, errc::rank_mismatch, operation, "past_cache", " has rank {0}, expected at least 2",
                    {cache.rank()});
    }
    if (!(check_output(operation, cache, output, shared, error) &&
          check_axis(operation, "axis", {}, options.axis, cache.rank(), "past_cache", axis, error))) {
      return false;
    }
    if (axis == 0) {
      return refuse(error, errc::axis_out_of_range, operation, "axis",
                    " = {0} names axis 0, on which the samples stand", {options.axis});
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

  // Positions [from, from + count) of a sample's update to those from `to` on.
  template <class Ex, class T>
  static constexpr void write(Ex& ex, const tensor_view<const T>& update, const tensor_view<T>& output,
                              std::int64_t sample, int axis, std::int64_t from, std::int64_t to, std::int64_t count,
                              status& error) {
    index_list extents;
    index_list from_strides;
    index_list to_strides;
    for (int k = 1; k < update.rank(); ++k) {
      extents.push_back(k == axis ? count : update.extent(k));
      from_strides.push_back(update.stride(k));
      to_strides.push_back(output.stride(k));
    }
    assign(ex, part_of(update, sample * update.stride(0) + from * update.stride(axis), extents, from_strides),
           part_of(output, sample * output.stride(0) + to * output.stride(axis), extents, to_strides), error);
  }
};

template <class Report>
struct tensor_scatter_operator {
  using result = typename Report::result;
  using options_type = onnx::tensor_scatter_options;

  template <class Ex, class Data, class Updates, class Indices, class Output>
  constexpr result operator()(Ex&& ex, const Data& cache, const Updates& update, const Indices& write_indices,
                              const options_type& options, Output&& output) const
      noexcept(calls_without_throwing<Report, Ex, Output>) {
    if constexpr (check_executor<Ex>() && check_scatter_types<viewed<const Data&>, viewed<const Indices&>,
                                                              viewed<const Updates&>, viewed<Output>>()) {
      status error;
      with_views(
          error,
          [&](const auto& from, const auto& with, const auto& at, const auto& to) {
            const auto indices = read_only(at);
            with_typed_views(tensor_scatter_caller::operation, read_only(from), read_only(with), to, error,
                             [&](const auto& c, const auto& u, const auto& o) {
                               tensor_scatter_caller::run(ex, error, c, u, &indices, options, o);
                             });
          },
          cache, update, write_indices, static_cast<Output&&>(output));
      return Report::report(error);
    }
  }
  template <executor_like Ex, class Data, class Updates, class Output>
  constexpr result operator()(Ex&& ex, const Data& cache, const Updates& update, const options_type& options,
                              Output&& output) const noexcept(calls_without_throwing<Report, Ex, Output>) {
    if constexpr (check_executor<Ex>() &&
                  check_operand_types<viewed<const Data&>, viewed<const Updates&>, viewed<Output>>()) {
      status error;
      with_views(
          error,
          [&](const auto& from, const auto& with, const auto& to) {
            constexpr const tensor_view<const std::int64_t>* none = nullptr;
            with_typed_views(tensor_scatter_caller::operation, read_only(from), read_only(with), to, error,
                             [&](const auto& c, const auto& u, const auto& o) {
                               tensor_scatter_caller::run(ex, error, c, u, none, options, o);
                             });
          },
          cache, update, static_cast<Output&&>(output));
      return Report::report(error);
    }
  }
  template <class Data, class Updates, class Indices, class Output>
    requires(!executor_like<Data>)
  constexpr result operator()(const Data& cache, const Updates& update, const Indices& write_indices,
                              const options_type& options, Output&& output) const
      noexcept(calls_without_throwing<Report, const serial_executor, Output>) {
    return (*this)(serial, cache, update, write_indices, options, static_cast<Output&&>(output));
  }
  template <class Data, class Updates, class Output>
    requires(!executor_like<Data>)
  constexpr result operator()(const Data& cache, const Updates& update, const options_type& options,
                              Output&& output) const
      noexcept(calls_without_throwing<Report, const serial_executor, Output>) {
    return (*this)(serial, cache, update, options, static_cast<Output&&>(output));
  }

  // In place: the cache is the output.
  template <executor_like Ex, class Data, class Updates, class Indices>
  constexpr result operator()(Ex&& ex, Data&& cache, const Updates& update, const Indices& write_indices,
                              const options_type& options) const noexcept(calls_without_throwing<Report, Ex, Data>) {
    if constexpr (check_data_is_writable<Data>()) {
      return in_place<Report>(static_cast<Data&&>(cache), [&](const auto& both) -> result {
        return (*this)(ex, both, update, write_indices, options, both);
      });
    }
  }
  template <executor_like Ex, class Data, class Updates>
  constexpr result operator()(Ex&& ex, Data&& cache, const Updates& update, const options_type& options) const
      noexcept(calls_without_throwing<Report, Ex, Data>) {
    if constexpr (check_data_is_writable<Data>()) {
      return in_place<Report>(static_cast<Data&&>(cache),
                              [&](const auto& both) -> result { return (*this)(ex, both, update, options, both); });
    }
  }
  template <class Data, class Updates, class Indices>
    requires(!executor_like<Data>)
  constexpr result operator()(Data&& cache, const Updates& update, const Indices& write_indices,
                              const options_type& options) const
      noexcept(calls_without_throwing<Report, const serial_executor, Data>) {
    if constexpr (check_data_is_writable<Data>()) {
      return in_place<Report>(static_cast<Data&&>(cache), [&](const auto& both) -> result {
        return (*this)(serial, both, update, write_indices, options, both);
      });
    }
  }
  template <class Data, class Updates>
    requires(!executor_like<Data>)
  constexpr result operator()(Data&& cache, const Updates& update, const options_type& options) const
      noexcept(calls_without_throwing<Report, const serial_executor, Data>) {
    if constexpr (check_data_is_writable<Data>()) {
      return in_place<Report>(static_cast<Data&&>(cache),
                              [&](const auto& both) -> result { return (*this)(serial, both, update, options, both); });
    }
  }

  // None of these forms.
  template <class... Arguments>
    requires(!std::is_convertible_v<const Arguments&, const options_type&> && ...)
  constexpr result operator()(const Arguments&...) const {
    static_assert(is_never<Arguments...>,
                  "strew: options are missing, {} will do; the order is executor (if any), past_cache, update, "
                  "write_indices (if any), {.mode = .., .axis = ..}, output (if any)");
  }
};

}  // namespace detail

namespace onnx {

// output = past_cache; output[b, .., (w[b] + j), ..] = update[b, .., j, ..], where the position stands on `axis`.
//
//   past_cache[B, .., M, ..], update[B, .., S, ..], write_indices[B] -> output[B, .., M, ..]
//
//   tensor_scatter(past_cache, update, write_indices, {.mode = cache_mode::circular, .axis = -2}, output)
//
// with an executor first if there is one; without `write_indices` they are 0; without `output` in place, which is what
// it is for: only S positions a sample are written. The options are always given, {} will do. r >= 2; `axis` in
// [-r, r-1] and not 0; S <= M in both modes. linear: each w in [0, M - S]; circular: each w >= 0, positions are taken
// modulo M. Errors, all found before the first write: rank_mismatch, axis_out_of_range, extent_mismatch,
// repeated_element, overlap, index_out_of_bounds. Should an executor throw, some updates may not be applied.
// O(past_cache.size()), in place O(update.size()); no heap.
// Document: TensorScatter-24, ONNX.
STREW_KEYED inline constexpr strew::detail::tensor_scatter_operator<strew::detail::by_exception> tensor_scatter;
// Without exceptions: returns what tensor_scatter throws.
STREW_KEYED inline constexpr strew::detail::tensor_scatter_operator<strew::detail::by_status> try_tensor_scatter;

}  // namespace onnx
}  // namespace strew

#endif  // STREW_ONNX_TENSOR_SCATTER_HPP
