// SPDX-License-Identifier: Apache-2.0
// Scatters whose operands keep their layouts from call to call, so that shapes are checked and planned once.
#ifndef STREW_PREPARE_HPP
#define STREW_PREPARE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/moves.hpp>
#include <strew/detail/plan/scratch.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/element.hpp>
#include <strew/executor.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>
#include <strew/layout.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#if !STREW_COMPILED
#include <strew/detail/cpu/bound.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI {

// How the operands of a prepared call lie in memory, in elements of their own.
struct operand_layouts {
  strided_layout data;
  strided_layout indices;
  strided_layout updates;
  strided_layout output;
};

template <element T, index_integer Index, class Operator>
class bound_scatter;

// A scatter of elements T by indices Index, on operands of fixed layouts; made by strew::prepare. A value without heap,
// of four layouts and about a hundred bytes (sizeof says how many; less with a smaller STREW_MAX_RANK). Runs do not
// change it: several threads may use one at once.
//
// A run has the semantics and the errors of the operator's call on views of these addresses and layouts. Dense
// row-major tensors of up to 2 KiB gain most: of them addresses and indices are checked each time, and nothing else.
// All others are views made anew, and the operator's call, as every run is with the compiled library.
template <element T, index_integer Index, class Operator>
class prepared_scatter {
  static_assert(!std::is_const_v<T> && !std::is_const_v<Index>,
                "strew: a call is prepared for element and index types without const");

 public:
  // No elements, on axis 0.
  constexpr prepared_scatter() noexcept = default;

  // Each address is that of the element at coordinate 0, null only where there are no elements. `output` may be `data`.
  // Errors: null_data, overlap, index_out_of_bounds.
  STREW_KEYED constexpr status try_run(const T* data, const Index* indices, const T* updates, T* output) const
      noexcept(detail::assigns_without_throwing<T>) {
    return try_run(serial, data, indices, updates, output);
  }
  template <executor Ex>
  STREW_KEYED constexpr status try_run(Ex&& ex, const T* data, const Index* indices, const T* updates, T* output) const
      noexcept(detail::assigns_without_throwing<T>&& detail::executes_without_throwing<Ex>) {
    status error;
    if (!run_few(data, indices, updates, output)) run_any(ex, data, indices, updates, output, error);
    return error;
  }

  // As above; throws scatter_error.
  STREW_KEYED constexpr void run(const T* data, const Index* indices, const T* updates, T* output) const {
    run(serial, data, indices, updates, output);
  }
  template <executor Ex>
  STREW_KEYED constexpr void run(Ex&& ex, const T* data, const Index* indices, const T* updates, T* output) const {
    if (run_few(data, indices, updates, output)) return;
    status error;
    run_any(ex, data, indices, updates, output, error);
    detail::raise_if_error(error);
  }

  // With strew/bound.hpp. Reads the indices for good: `result` runs without them, as often as it is wanted. They are
  // checked here, and what a run needs of them is kept in `memory`, of at least bound_bytes() bytes at any address,
  // which must stay as it is while `result` is used: a slice, the last update of each row, or moves in an order that
  // suits the cache. On error `result` stays as it was. Errors: null_data, too_little_memory, overlap (memory and
  // indices), index_out_of_bounds, size_overflow. O(indices).
  STREW_KEYED status try_bind(const Index* indices, std::span<std::byte> memory,
                              bound_scatter<T, Index, Operator>& result) const noexcept {
    return bound_scatter<T, Index, Operator>::try_make(*this, indices, memory, result);
  }
  STREW_KEYED [[nodiscard]] bound_scatter<T, Index, Operator> bind(const Index* indices,
                                                                   std::span<std::byte> memory) const {
    bound_scatter<T, Index, Operator> result;
    detail::raise_if_error(try_bind(indices, memory, result));
    return result;
  }
  // For dense operands 16 bytes an index, or where rows are longer than 64 bytes 16 an index and 4 a row of data; times
  // the positions of the axes before the scattered one if rows are shorter. Else the bytes of the indices.
  STREW_KEYED [[nodiscard]] constexpr std::size_t bound_bytes() const noexcept {
    const std::uint64_t bytes = lists_moves() ? bytes_of_moves() : bytes_of_indices();
    constexpr std::uint64_t most = (std::numeric_limits<std::size_t>::max)();
    return static_cast<std::size_t>(bytes < most ? bytes : most);
  }

  [[nodiscard]] constexpr const operand_layouts& layouts() const noexcept { return layouts_; }
  // In [0, rank - 1].
  [[nodiscard]] constexpr int axis() const noexcept { return axis_; }

  // See strew::try_prepare.
  STREW_KEYED static constexpr status try_make(const operand_layouts& layouts, const index_list& axis,
                                               prepared_scatter& result) noexcept {
    prepared_scatter made;
    status error;
    if (!check_layout(layouts.data, sizeof(T), made.layouts_.data, error) ||
        !check_layout(layouts.indices, sizeof(Index), made.layouts_.indices, error) ||
        !check_layout(layouts.updates, sizeof(T), made.layouts_.updates, error) ||
        !check_layout(layouts.output, sizeof(T), made.layouts_.output, error) ||
        !Operator::check(made.references(), axis, made.axis_, error)) {
      return error;
    }
    made.is_dense_ = detail::is_bytewise<T> && detail::plan_dense(made.references(), made.axis_, Operator::elements,
                                                                  sizeof(T), sizeof(Index), made.plan_);
    made.is_few_ = has_few && made.is_dense_ && detail::are_few(made.references(), sizeof(T));
    result = made;
    return error;
  }

 private:
  // Whether there is a leaf for a few elements.
  static constexpr bool has_few = detail::is_bytewise<T> && std::is_signed_v<Index> && sizeof(Index) >= 4;

  static constexpr bool has_lanes = Operator::elements != nullptr;

#if STREW_COMPILED
  [[nodiscard]] static constexpr bool lists_moves() noexcept {
    return false;
  }
  [[nodiscard]] static constexpr std::uint64_t bytes_of_moves() noexcept {
    return 0;
  }
#else
  [[nodiscard]] constexpr bool lists_moves() const noexcept {
    return is_dense_ && detail::plan_moves(plan_, has_lanes).can_be_listed();
  }
  [[nodiscard]] constexpr std::size_t bytes_of_updates() const noexcept {
    return static_cast<std::size_t>(detail::plan_moves(plan_, has_lanes).sorted_bytes() + detail::scratch::alignment);
  }
  [[nodiscard]] constexpr std::uint64_t bytes_of_moves() const noexcept {
    return static_cast<std::uint64_t>(detail::bytes_for(detail::plan_moves(plan_, has_lanes)));
  }
#endif
  [[nodiscard]] constexpr std::uint64_t bytes_of_indices() const noexcept {
    return detail::saturating_add(
        detail::saturating_multiply(static_cast<std::uint64_t>(layouts_.indices.size()), sizeof(Index)),
        alignof(Index) - 1);
  }

  [[nodiscard]] static constexpr bool check_layout(const strided_layout& given, std::size_t element_size,
                                                   strided_layout& checked, status& error) noexcept {
    error = strided_layout::try_make(given.extents(), given.strides(), element_size, checked);
    return error.ok();
  }
  [[nodiscard]] constexpr detail::scatter_layouts references() const noexcept {
    return {layouts_.data, layouts_.indices, layouts_.updates, layouts_.output};
  }

  // Makes a call on a few dense elements. False where it is another one, or illegal.
  [[nodiscard]] constexpr bool run_few(const T* data, const Index* indices, const T* updates,
                                       T* output) const noexcept {
#if STREW_COMPILED
    static_cast<void>(data), static_cast<void>(indices), static_cast<void>(updates), static_cast<void>(output);
#else
    if constexpr (has_few) {
      if (!std::is_constant_evaluated() && is_few_) {
        constexpr auto kind = Operator::elements == nullptr ? detail::scatter_kind::row : detail::scatter_kind::element;
        constexpr auto few = detail::leaves_for<T, Index, Operator::rule, kind, serial_executor>.scatter->few;
        char* const to = reinterpret_cast<char*>(output);
        const bool has_all = data != nullptr && indices != nullptr && updates != nullptr && output != nullptr;
        return has_all &&
               detail::are_apart(plan_, to, detail::address(data), detail::address(indices),
                                 detail::address(updates)) &&
               few(plan_, to, detail::address(data), detail::address(indices), detail::address(updates));
      }
    }
#endif
    return false;
  }

  template <class Ex>
  constexpr void run_any(Ex& ex, const T* data, const Index* indices, const T* updates, T* output,
                         status& error) const {
    tensor_view<const T> data_view;
    tensor_view<const Index> indices_view;
    tensor_view<const T> updates_view;
    tensor_view<T> output_view;
    if (detail::view_operand(Operator::name, data, layouts_.data, "data", data_view, error) &&
        detail::view_operand(Operator::name, indices, layouts_.indices, "indices", indices_view, error) &&
        detail::view_operand(Operator::name, updates, layouts_.updates, "updates", updates_view, error) &&
        detail::view_operand(Operator::name, output, layouts_.output, "output", output_view, error)) {
      detail::run_call(Operator{}, ex, data_view, indices_view, updates_view, axis_, output_view, error);
    }
  }
  friend class bound_scatter<T, Index, Operator>;

  operand_layouts layouts_{};
  detail::dense_plan plan_{};
  int axis_ = 0;
  bool is_dense_ = false;
  bool is_few_ = false;
};

// The type of what strew::prepare returns, for members: strew::prepared<float, int, strew::scatter_update>.
template <element T, index_integer Index, const auto& Scatter>
using prepared = prepared_scatter<T, Index, typename std::remove_cvref_t<decltype(Scatter)>::operator_type>;

// Checks and plans a scatter once, to be run on many sets of operands:
//
//   const auto update = strew::prepare<float, std::int64_t>(
//       strew::scatter_update, {data.layout(), indices.layout(), updates.layout(), output.layout()}, axis);
//   for (..) update.run(data, indices, updates, output);  // addresses
//
//   std::vector<std::byte> memory(update.bound_bytes());
//   const auto bound = update.bind(indices, memory);  // where the indices stay the same, too
//   for (..) bound.run(data, updates, output);
//
// For strew::scatter_update, strew::scatter_elements_update and strew::onnx::scatter, whose comments say what must
// hold. Throws scatter_error: the operator's errors that do not depend on addresses and indices, and size_overflow
// where a layout is one for smaller elements. O(rank).
template <element T, index_integer Index, class Operator, bool AxisMayBeLeftOut>
STREW_KEYED [[nodiscard]] constexpr prepared_scatter<T, Index, Operator> prepare(
    const detail::indexed_operator<Operator, detail::by_exception, AxisMayBeLeftOut>&, const operand_layouts& layouts,
    const index_list& axis) {
  prepared_scatter<T, Index, Operator> result;
  detail::raise_if_error(prepared_scatter<T, Index, Operator>::try_make(layouts, axis, result));
  return result;
}

// Without exceptions: on error `result` stays as it was.
template <element T, index_integer Index, class Operator, bool AxisMayBeLeftOut>
STREW_KEYED constexpr status try_prepare(
    const detail::indexed_operator<Operator, detail::by_exception, AxisMayBeLeftOut>&, const operand_layouts& layouts,
    const index_list& axis, prepared_scatter<T, Index, Operator>& result) noexcept {
  return prepared_scatter<T, Index, Operator>::try_make(layouts, axis, result);
}

}  // namespace strew

#endif  // STREW_PREPARE_HPP
