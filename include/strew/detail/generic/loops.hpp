// SPDX-License-Identifier: Apache-2.0
// The motions as plain loops over a type: for constant evaluation, and for elements that are more than their bytes.
// Elements are assigned from const T&, one at a time, and nothing else is done to them.
#ifndef STREW_DETAIL_GENERIC_LOOPS_HPP
#define STREW_DETAIL_GENERIC_LOOPS_HPP

#include <strew/config.hpp>
#include <strew/detail/plan/copy_plan.hpp>
#include <strew/detail/plan/elements_plan.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/plan/rows_plan.hpp>
#include <strew/element.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE::generic {

// The element that a legal index names.
template <class Index>
constexpr std::int64_t element_of(Index index, std::int64_t extent) noexcept {
  const auto value = static_cast<std::int64_t>(index);
  if constexpr (std::is_signed_v<Index>) {
    return value < 0 ? value + extent : value;
  } else {
    return value;
  }
}

template <class T>
constexpr void copy(const loop_nest<2>& nest, const per_operand<2>& first, T* to, const T* from) {
  const auto run = nest.innermost();
  for (nest_cursor<2> at(nest, 1, first); !at.done(); at.next()) {
    for (std::int64_t i = 0; i < run.extent; ++i) {
      strew::detail::assign(to[at[0] + i * run.strides[0]], from[at[1] + i * run.strides[1]]);
    }
  }
}

template <class T>
constexpr void run_copy(const copy_plan& plan, T* to, const T* from) {
  copy(plan.nest, plan.first, to, from);
}

template <class T, class Index>
constexpr void run_rows(const rows_plan& plan, T* output, const Index* indices, const T* updates) {
  using p = rows_plan;
  if (plan.empty()) return;
  const auto run = plan.indices.innermost();
  for (nest_cursor<2> outer(plan.outer, 0, plan.first); !outer.done(); outer.next()) {
    for (nest_cursor<2> at(plan.indices, 1, {plan.first_index, outer[p::updates]}); !at.done(); at.next()) {
      for (std::int64_t i = 0; i < run.extent; ++i) {
        const auto row = static_cast<std::int64_t>(indices[at[p::index] + i * run.strides[p::index]]);
        if (!plan.axis.owned.contains(row)) continue;
        const per_operand<2> first{outer[p::output] + row * plan.axis.stride,
                                   at[p::updates] + i * run.strides[p::updates]};
        copy(plan.row, first, output, updates);
      }
    }
  }
}

template <class T, class Index>
constexpr void run_elements(const elements_plan& plan, T* output, const Index* indices, const T* updates) {
  using p = elements_plan;
  if (plan.empty()) return;
  const auto run = plan.inner.innermost();
  for (nest_cursor<4> outer(plan.outer, 0, plan.first); !outer.done(); outer.next()) {
    per_operand<4> first = outer.position();
    for (std::int64_t row = 0; row < plan.count; ++row) {
      for (nest_cursor<4> at(plan.inner, 1, first); !at.done(); at.next()) {
        for (std::int64_t i = 0; i < run.extent; ++i) {
          const std::int64_t element = element_of(indices[at[p::index] + i * run.strides[p::index]], plan.axis.extent);
          if (!plan.axis.owned.contains(element)) continue;
          output[at[p::output] + i * run.strides[p::output] + element * plan.axis.stride] =
              updates[at[p::updates] + i * run.strides[p::updates]];
        }
      }
      first[p::updates] += plan.update_stride;
      first[p::index] += plan.index_stride;
    }
  }
}

}  // namespace strew::detail::generic

#endif  // STREW_DETAIL_GENERIC_LOOPS_HPP
