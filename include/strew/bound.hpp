// SPDX-License-Identifier: Apache-2.0
// Bound calls: prepared calls whose indices are the same in every run and are read once.
#ifndef STREW_BOUND_HPP
#define STREW_BOUND_HPP

#include <strew/config.hpp>
#include <strew/detail/box.hpp>
#include <strew/detail/front/compiled.hpp>
#include <strew/detail/front/find_mistake.hpp>
#include <strew/detail/front/operands.hpp>
#include <strew/detail/front/submit.hpp>
#include <strew/detail/kernels/parallel.hpp>
#include <strew/detail/kernels/run_bound.hpp>
#include <strew/detail/mistakes.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/partition.hpp>
#include <strew/detail/plan/schedule.hpp>
#include <strew/detail/rules/check_operands.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/execution/executor.hpp>
#include <strew/execution/prepared_scatter.hpp>
#include <strew/prepare.hpp>
#include <strew/status.hpp>
#include <strew/view/element.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace strew::inline STREW_ABI {

// A prepared call whose indices, or mask, were checked and read by prepared_scatter::bind, which keeps what runs need
// of them in memory of the caller. A value that allocates nothing, a little larger than the prepared call. Runs change
// neither it nor that memory, so several threads may use it at once.
//
// For dense operands of operators that scatter by indices a run only moves elements, or combines updates with their
// targets: no index is read or checked. For small calls, one value as updates, converted ones, mean and without_init,
// positions, segments, and always with the compiled library, it is the operator's call on a copy of the indices. The
// output is the same.
template <element T, class Index, class Operator, class... Rest>
class bound_scatter {
  using prepared_type = prepared_scatter<T, Index, Operator, Rest...>;
  using addresses = typename prepared_type::addresses;
  using index = typename prepared_type::index;
  static constexpr bool has_tensors = addresses::has_tensors;
  static_assert(detail::explain<detail::none_if(addresses::has_indices, detail::mistake::nothing_to_bind)>());

 public:
  // A call on tensors without elements.
  constexpr bound_scatter() = default;

  // As prepared_scatter::try_run, without the address of the indices. Errors: null_data, overlap. Complexity: that of
  // the operator.
  template <class First, class... Addresses>
  STREW_KEYED status try_run(First&& first, Addresses&&... rest) const
      noexcept(prepared_type::template runs_without_throwing<First>) {
    status error;
    if constexpr (detail::is_address_of<T, First>) {
      run_any(serial, addresses::template take<true>(first, rest...), error);
    } else if constexpr (detail::explain<detail::find_mistake_of_first<T, First>()>()) {
      run_any(first, addresses::template take<true>(rest...), error);
    }
    return error;
  }
  // As try_run, but throws scatter_error.
  template <class First, class... Addresses>
  STREW_KEYED void run(First&& first, Addresses&&... rest) const {
    status error;
    if constexpr (detail::is_address_of<T, First>) {
      run_any(serial, addresses::template take<true>(first, rest...), error);
    } else if constexpr (detail::explain<detail::find_mistake_of_first<T, First>()>()) {
      run_any(first, addresses::template take<true>(rest...), error);
    }
    detail::raise_if_error(error);
  }

  // The bytes of a workspace (strew/execution/workspace.hpp) with which a run is fastest; 0 if none helps. About the
  // bytes of the updates, for elements or rows of at most 32 bytes (16 if they are combined) with random targets in an
  // output of some MiB. O(1).
  STREW_KEYED [[nodiscard]] constexpr std::size_t workspace_bytes() const noexcept {
    return static_cast<std::size_t>(made_.indices.workspace);
  }

  // Makes `result` as prepared_scatter::try_bind does; on an error it and `memory` stay as they were.
  STREW_KEYED static status try_make(const prepared_type& prepared, const typename addresses::index_address& indices,
                                     std::span<std::byte> memory,
                                     bound_scatter& result) noexcept(prepared_type::copies_without_throwing) {
    constexpr const char* operation = Operator::form.name;
    bound_scatter made;
    made.prepared_ = prepared;
    status error;
    prepared.with_indices(
        indices,
        [&](const auto& views) {
          if (memory.size() < prepared.bound_bytes()) {
            detail::refuse(error, errc::too_little_memory, operation, "memory", " has {0} bytes, expected at least {1}",
                           {saturate(memory.size()), saturate(prepared.bound_bytes())});
            return;
          }
          if (!is_apart(memory.first(prepared.bound_bytes()), views, error)) return;
          if (made.check_and_bind(views, memory, error) && made.is_copy()) made.copy_all(views, memory, error);
        },
        error);
    if (error.ok()) result = std::move(made);
    return error;
  }

 private:
  // The indices are read while `memory` is written, so they must not overlap.
  template <class Indices>
  [[nodiscard]] static bool is_apart(std::span<std::byte> memory, const Indices& views, status& error) noexcept {
    if constexpr (has_tensors) {
      for (const auto& one : views) {
        if (!is_apart(memory, one, error)) return false;
      }
      return true;
    } else {
      return is_apart(memory, views.data(), views.layout(), error);
    }
  }
  [[nodiscard]] static bool is_apart(std::span<std::byte> memory, const tensor_view<const index>& view,
                                     status& error) noexcept requires has_tensors {
    return is_apart(memory, view.data(), view.layout(), error);
  }
  [[nodiscard]] static bool is_apart(std::span<std::byte> memory, const index* indices, const strided_layout& layout,
                                     status& error) noexcept {
    return detail::check_memory_apart(Operator::form.name, memory.data(), static_cast<std::int64_t>(memory.size()),
                                      indices, layout, sizeof(index), error);
  }

  [[nodiscard]] bool is_copy() const noexcept { return made_.indices.is == detail::bound_indices::form::copied; }

  // Checks the indices, and makes their schedule if they have one; otherwise they are to be copied.
  template <class Indices>
  [[nodiscard]] bool check_and_bind(const Indices& views, [[maybe_unused]] std::span<std::byte> memory, status& error) {
    if constexpr (detail::calls_library) {
      return prepared_.check_values(views, error);
    } else {
      detail::schedule_maker maker(reinterpret_cast<char*>(memory.data()), made_);
      return prepared_.check_call(views, error, prepared_.rest_, maker);
    }
  }

  // Copies all tensors of indices, each row-major but for axes along which indices are repeated, one after the other.
  template <class Indices>
  void copy_all(const Indices& views, std::span<std::byte> memory, status& error) noexcept {
    const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
    std::byte* to = memory.data() + (alignof(index) - at % alignof(index)) % alignof(index);
    if constexpr (has_tensors) {
      strided_layout layouts[max_rank + 1];
      for (std::size_t j = 0; j < views.size(); ++j) {
        copied_[j] = copy(views[j], to, layouts[j], error);
        if (!error.ok()) return;
      }
      const layouts_with_tensors& all = prepared_.layouts_;
      prepared_.layouts_ = layouts_with_tensors(all.data(), std::span<const strided_layout>(layouts, views.size()),
                                                all.updates(), all.output());
    } else {
      copied_[0] = copy(views, to, prepared_.layouts_.indices, error);
    }
  }
  // Copies one tensor to `to`, which is advanced to the end of the copy.
  [[nodiscard]] static const index* copy(const tensor_view<const index>& indices, std::byte*& to,
                                         strided_layout& layout, status& error) noexcept {
    if (indices.empty()) {
      layout = indices.layout();
      return nullptr;
    }
    index_list copied = indices.extents();
    index_list strides = indices.layout().strides();
    std::int64_t count = 1;
    for (int k = indices.rank(); k-- > 0;) {
      if (strides[k] == 0) copied[k] = 1;
      strides[k] = strides[k] == 0 ? 0 : count;
      count *= copied[k];
    }
    error = strided_layout::try_make(indices.extents(), strides, sizeof(index), layout);
    if (!error.ok()) return nullptr;
    auto* const first = static_cast<index*>(static_cast<void*>(to));
    detail::copy_plan plan;
    detail::plan_data_copy(indices.layout(), layout, detail::box(copied), plan);
    detail::typed::run_copy<index>(plan, first, indices.data());
    to += static_cast<std::size_t>(count) * sizeof(index);
    return first;
  }

  template <class Ex>
  void run_any(Ex& ex, addresses at, status& error) const {
    if (is_copy()) {
      if constexpr (has_tensors) {
        at.indices = std::span<const index* const>(copied_, prepared_.layouts_.indices().size());
      } else {
        at.indices = copied_[0];
      }
      prepared_.run_on(ex, at, error);
    } else if constexpr (!detail::calls_library) {
      const detail::schedule_runner<Ex> runner(ex, made_);
      prepared_.run_with(runner, prepared_.layouts_of_indices(), at, error);
    }
  }

  prepared_type prepared_;
  erased::bound_schedule made_;
  const index* copied_[has_tensors ? max_rank + 1 : 1] = {};
};

// The type that prepared_scatter::bind returns, for members: strew::bound<float, int, strew::scatter_update>.
template <element T, class Index, const auto& Scatter, class... Rest>
using bound = decltype(std::declval<const prepared<T, Index, Scatter, Rest...>&>().bind({}, {}));

}  // namespace strew

#endif  // STREW_BOUND_HPP
