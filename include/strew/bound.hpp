// SPDX-License-Identifier: Apache-2.0
// Prepared scatters whose indices, too, stay the same from call to call: they are read once.
#ifndef STREW_BOUND_HPP
#define STREW_BOUND_HPP

#include <strew/config.hpp>
#include <strew/detail/cpu/sharing.hpp>
#include <strew/detail/front/back_end.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/generic/calls.hpp>
#include <strew/detail/generic/loops.hpp>
#include <strew/detail/plan/box.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/moves.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/element.hpp>
#include <strew/executor.hpp>
#include <strew/integer.hpp>
#include <strew/layout.hpp>
#include <strew/overlap.hpp>
#include <strew/prepare.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>

#if !STREW_COMPILED
#include <strew/detail/cpu/bound.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

namespace strew::inline STREW_ABI {

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
    if constexpr (detail::is_bytewise<T>) {  // of others the indices are copied
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
    }
#endif
  }

  prepared_scatter<T, Index, Operator> prepared_;
  detail::bound_indices bound_;
  const Index* copied_ = nullptr;
};

// The type of what prepared_scatter::bind returns, for members: strew::bound<float, int, strew::scatter_update>.
template <element T, index_integer Index, const auto& Scatter>
using bound = bound_scatter<T, Index, typename std::remove_cvref_t<decltype(Scatter)>::operator_type>;

}  // namespace strew

#endif  // STREW_BOUND_HPP
