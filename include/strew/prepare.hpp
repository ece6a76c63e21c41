// SPDX-License-Identifier: Apache-2.0
// Scatters whose operands keep their layouts from call to call, so that shapes are checked and planned once, or their
// indices as well.
#ifndef STREW_PREPARE_HPP
#define STREW_PREPARE_HPP

#include <strew/config.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/generic/calls.hpp>
#include <strew/detail/generic/loops.hpp>
#include <strew/detail/plan/box.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/dense_plan.hpp>
#include <strew/detail/plan/moves.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/scratch.hpp>
#include <strew/detail/rules/scatter.hpp>
#include <strew/element.hpp>
#include <strew/executor.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/integer.hpp>
#include <strew/layout.hpp>
#include <strew/overlap.hpp>
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

namespace detail::inline STREW_CODE {

// A view of an operand that a run is given by its address.
template <class E>
constexpr bool view_operand(const char* operation, E* data, const strided_layout& layout, const char* operand,
                            tensor_view<E>& view, status& error) noexcept {
  if (tensor_view<E>::try_bind(data, layout, view).ok()) return true;
  return refuse(error, errc::null_data, operation, operand, " is null, but extents {c} hold elements", {},
                layout.extents());
}

}  // namespace detail

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

  // Reads the indices for good: `result` runs without them, as often as it is wanted. They are checked here, and what a
  // run needs of them is kept in `memory`, of at least bound_bytes() bytes at any address, which must stay as it is
  // while `result` is used: a slice, the last update of each row, or moves in an order that suits the cache. On error
  // `result` stays as it was. Errors: null_data, too_little_memory, overlap (memory and indices), index_out_of_bounds,
  // size_overflow. O(indices).
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

// A prepared scatter whose indices were read for good, by prepared_scatter::bind, into memory of the caller's. A value
// without heap, a little larger than the prepared scatter. Runs change neither it nor that memory: several threads may
// use one at once.
//
// Where operands are dense, a run only moves elements; else it is the operator's call on a copy of the indices, as it
// also is with the compiled library. The output is the same.
template <element T, index_integer Index, class Operator>
class bound_scatter {
 public:
  // No elements, on axis 0.
  constexpr bound_scatter() noexcept = default;

  // As prepared_scatter::try_run, without indices. Errors: null_data, overlap.
  STREW_KEYED status try_run(const T* data, const T* updates, T* output) const
      noexcept(detail::assigns_without_throwing<T>) {
    return try_run(serial, data, updates, output);
  }
  template <executor Ex>
  STREW_KEYED status try_run(Ex&& ex, const T* data, const T* updates, T* output) const
      noexcept(detail::assigns_without_throwing<T>&& detail::executes_without_throwing<Ex>) {
    status error;
    run_any(ex, data, updates, output, error);
    return error;
  }

  // As above; throws scatter_error.
  STREW_KEYED void run(const T* data, const T* updates, T* output) const { run(serial, data, updates, output); }
  template <executor Ex>
  STREW_KEYED void run(Ex&& ex, const T* data, const T* updates, T* output) const {
    status error;
    run_any(ex, data, updates, output, error);
    detail::raise_if_error(error);
  }

  // The bytes of a workspace (strew/workspace.hpp) with which a run is fastest; 0 where none helps: about as
  // much as the updates, where elements or rows of up to 32 bytes go to random places of an output of some MiB.
  STREW_KEYED [[nodiscard]] constexpr std::size_t workspace_bytes() const noexcept {
#if STREW_COMPILED
    return 0;
#else
    return bound_.places != nullptr ? prepared_.bytes_of_updates() : 0;
#endif
  }

  // See prepared_scatter::try_bind.
  STREW_KEYED static status try_make(const prepared_scatter<T, Index, Operator>& prepared, const Index* indices,
                                     std::span<std::byte> memory, bound_scatter& result) noexcept {
    constexpr const char* operation = Operator::name;
    bound_scatter made;
    made.prepared_ = prepared;
    const operand_layouts& layouts = prepared.layouts_;
    tensor_view<const Index> view;
    status error;
    if (!detail::view_operand(operation, indices, layouts.indices, "indices", view, error)) return error;
    if (memory.size() < prepared.bound_bytes()) {
      detail::refuse(error, errc::too_little_memory, operation, "memory", " has {0} bytes, expected at least {1}",
                     {saturate(memory.size()), saturate(prepared.bound_bytes())});
      return error;
    }
    // The indices are read while what is kept of them is written.
    strided_layout kept;
    const auto bytes = static_cast<std::int64_t>(prepared.bound_bytes());  // no more than memory has
    error = strided_layout::try_make(bytes, 1, kept);
    if (!error.ok()) return error;
    const detail::answer shared =
        detail::find_shared(detail::distance_between(memory.data(), indices), kept, 1, layouts.indices, sizeof(Index));
    if (shared != detail::answer::no) {
      detail::refuse(error, errc::overlap, operation, "memory", " shares memory with {o}", {}, {}, "indices");
      return error;
    }
    const std::int64_t extent = layouts.data.extent(prepared.axis_);
#if !STREW_COMPILED
    if constexpr (detail::is_bytewise<T>) {
      const auto& leaves = detail::index_leaves_of<detail::sized_index<Index>, Operator::rule>;
      detail::bind_indices(prepared.lists_moves() ? &prepared.plan_ : nullptr, {detail::address(indices), leaves},
                           layouts.indices, {operation, prepared.axis_, extent, Operator::rule},
                           Operator::elements != nullptr, reinterpret_cast<char*>(memory.data()), made.bound_, error);
      if (!error.ok()) return error;
    }
#endif
    if (made.bound_.is == detail::bound_indices::form::copied &&
        (!detail::generic::check_indices(operation, view, prepared.axis_, extent, Operator::rule, error) ||
         !made.copy(view, memory, error))) {
      return error;
    }
    result = made;
    return error;
  }

 private:
  // Copies the indices, row-major.
  [[nodiscard]] bool copy(const tensor_view<const Index>& indices, std::span<std::byte> memory,
                          status& error) noexcept {
    if (indices.empty()) return true;
    strided_layout layout;
    error = strided_layout::try_make(indices.extents(), sizeof(Index), layout);
    if (!error.ok()) return false;
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    const std::size_t skipped = (alignof(Index) - address % alignof(Index)) % alignof(Index);
    auto* const to = static_cast<Index*>(static_cast<void*>(memory.data() + skipped));
    detail::copy_plan plan;
    detail::plan_data_copy(indices.layout(), layout, detail::box(layout.extents()), plan);
    detail::generic::run_copy(plan, to, indices.data());
    prepared_.layouts_.indices = layout;
    copied_ = to;
    return true;
  }

  template <class Ex>
  void run_any(Ex& ex, const T* data, const T* updates, T* output, status& error) const {
    if (bound_.is == detail::bound_indices::form::copied) {
      prepared_.run_any(ex, data, copied_, updates, output, error);
      return;
    }
#if !STREW_COMPILED
    constexpr const char* operation = Operator::name;
    const operand_layouts& layouts = prepared_.layouts_;
    tensor_view<const T> data_view;
    tensor_view<const T> updates_view;
    tensor_view<T> output_view;
    if (detail::view_operand(operation, data, layouts.data, "data", data_view, error) &&
        detail::view_operand(operation, updates, layouts.updates, "updates", updates_view, error) &&
        detail::view_operand(operation, output, layouts.output, "output", output_view, error)) {
      const executor_ref ref = detail::refer_to(ex);
      detail::run_bound({ref, detail::sharing_of<std::remove_const_t<Ex>>()},
                        detail::erase(data_view, updates_view, output_view), detail::leaves_for_slices<T>,
                        prepared_.plan_, prepared_.axis_, Operator::elements, bound_, operation, error);
    }
#endif
  }

  prepared_scatter<T, Index, Operator> prepared_;
  detail::bound_indices bound_;
  const Index* copied_ = nullptr;
};

// The types of what strew::prepare and bind return, for members: strew::prepared<float, int, strew::scatter_update>.
template <element T, index_integer Index, const auto& Scatter>
using prepared = prepared_scatter<T, Index, typename std::remove_cvref_t<decltype(Scatter)>::operator_type>;
template <element T, index_integer Index, const auto& Scatter>
using bound = bound_scatter<T, Index, typename std::remove_cvref_t<decltype(Scatter)>::operator_type>;

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
