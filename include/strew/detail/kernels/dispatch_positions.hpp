// SPDX-License-Identifier: Apache-2.0
// The choice of loops at run time for calls that also store which update an element holds.
#ifndef STREW_DETAIL_KERNELS_DISPATCH_POSITIONS_HPP
#define STREW_DETAIL_KERNELS_DISPATCH_POSITIONS_HPP

#include <strew/config.hpp>
#include <strew/detail/kernels/dispatch.hpp>
#include <strew/detail/kernels/pipeline.hpp>
#include <strew/detail/kernels/position_kernels.hpp>
#include <strew/detail/kernels/position_loops.hpp>
#include <strew/detail/number_types.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/request.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/execution/executor.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The loops for none, min or max of an element type; null if it lacks the reduction.
inline const reduce_loops* find_position_loops(const erased::call_type& type) noexcept {
  const erased::reduction_choice& named = type.named;
  const reduce_loops* found = nullptr;
  if (named.kind == reduction_kind::none) {
    with_width(type.element_size, [&](auto width) { found = &assigning_position_loops_of<width()>; });
  } else {
    with_element_type({named.of, type.element_size}, [&]<class T>() {
      if constexpr (reduction::max_type::takes<T>) {
        found = named.kind == reduction_kind::max ? &position_loops_of<T, reduction::max_type>
                                                  : &position_loops_of<T, reduction::min_type>;
      }
      return true;
    });
  }
  return found;
}

// Of a call with numbers.
template <addressing By>
STREW_NOINLINE void dispatch_with_positions(const erased::request& request, const executor_ref& ex, status& error) {
  const erased::call_type& type = request.type;
  const reduce_loops* const loops = type.named.is_offered ? find_position_loops(type) : nullptr;
  if (loops == nullptr) {
    static_cast<void>(refuse_reduction(type, error));
    return;
  }
  run_request(context_of(ex), request, loops_with_positions<By>(*find_copy_loops(type.element_size), *loops), error);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_KERNELS_DISPATCH_POSITIONS_HPP
