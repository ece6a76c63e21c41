// SPDX-License-Identifier: Apache-2.0
// Received updates of calls that store which update won.
#ifndef STREW_DETAIL_MPI_NUMBERED_UPDATES_HPP
#define STREW_DETAIL_MPI_NUMBERED_UPDATES_HPP

#include <strew/config.hpp>
#include <strew/detail/front/strided_copy.hpp>
#include <strew/detail/mpi/exchange.hpp>
#include <strew/detail/mpi/update_packer.hpp>
#include <strew/detail/plan/loop_nest.hpp>
#include <strew/detail/rules/operation.hpp>
#include <strew/detail/rules/target_axis.hpp>
#include <strew/detail/typed/typed_positions.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// The number of an update from its position: that, or of elements its coordinate on the axis.
class number_of_position {
 public:
  number_of_position(const operation_rules& rules, const index_list& positions, int axis) noexcept {
    if (rules.names_rows()) return;
    extent_ = positions[axis];
    for (int k = axis + 1; k < positions.size(); ++k) inner_ *= positions[k];
  }

  [[nodiscard]] std::int64_t operator()(std::int64_t position) const noexcept {
    return extent_ < 0 ? position : position / inner_ % extent_;
  }

 private:
  std::int64_t extent_ = -1;
  std::int64_t inner_ = 1;
};

// Before the first update.
template <class Ex, class Integer>
void clear_numbers(Ex& ex, const tensor_view<Integer>& numbers) {
  const auto none = static_cast<Integer>(-1);
  index_list strides = numbers.extents();
  for (int k = 0; k < strides.size(); ++k) strides[k] = 0;
  tensor_view<const Integer> all;
  static_cast<void>(tensor_view<const Integer>::try_make(&none, numbers.extents(), strides, all));
  assign(ex, all, numbers);
}

// Applies received updates to this rank's part of the output one after the other, and stores the numbers of those that
// win. `value` is that of all updates, or null.
template <class R, class T, class Integer>
void apply_numbered(const tensor_view<T>& part, const tensor_view<Integer>& numbers, const target_axes& axes,
                    const exchange_window& window, const received_updates& received, const T* value,
                    const number_of_position& number_of) {
  loop_nest<2> update;
  for (int k = 0; k < part.rank(); ++k) {
    if (!axes.contains(k)) update.add_inner(part.extent(k), {part.stride(k), numbers.stride(k)});
  }
  const auto* next = reinterpret_cast<const T*>(received.values);
  for (std::int64_t i = 0; i < received.count; ++i) {
    per_operand<2> first{};
    std::int64_t target = window.first_target + received.targets[i];
    for (int k = axes.end(); k-- > axes.first;) {
      const std::int64_t coordinate = target % part.extent(k);
      target /= part.extent(k);
      first[0] += coordinate * part.stride(k);
      first[1] += coordinate * numbers.stride(k);
    }
    const auto number = static_cast<Integer>(number_of(received.positions[i]));
    for (nest_cursor<2> at(update, 0, first); !at.done(); at.next()) {
      const T* const with = value != nullptr ? value : next++;
      T& element = part.data()[at[0]];
      if constexpr (std::is_same_v<R, reduction::none_type>) {
        std::memcpy(&element, with, sizeof(T));
      } else if (!typed::replace_if_it_wins<R>(element, *with)) {
        continue;
      }
      numbers.data()[at[1]] = number;
    }
  }
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_NUMBERED_UPDATES_HPP
