// SPDX-License-Identifier: Apache-2.0
// The rules for each operand of a distributed call: its distribution, which all ranks know, and this rank's part.
#ifndef STREW_DETAIL_MPI_CHECK_DISTRIBUTED_HPP
#define STREW_DETAIL_MPI_CHECK_DISTRIBUTED_HPP

#include <strew/config.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/detail/typed/reduction_step.hpp>
#include <strew/detail/typed/typed_scatter.hpp>
#include <strew/dynamic/element_type.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/status.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// Whether the result depends on the order of updates.
template <class T, class R>
constexpr bool depends_on_order() noexcept {
  using bare = std::remove_const_t<T>;
  if constexpr (!named_reduction<R> || omits_init<R>) {
    return true;
  } else {
    return !std::is_integral_v<bare> || R::kind == reduction_kind::none || R::kind == reduction_kind::mean;
  }
}

inline bool refuse_distribution(const char* operation, const char* operand, const char* text, status& error) noexcept {
  return refuse(error, errc::unsupported_distribution, operation, operand, text);
}

// Checks that a distribution is one, of an axis that the tensor has, among the ranks of its communicator.
template <class View>
bool check_distribution(const char* operation, const char* operand, const View& view, int ranks,
                        status& error) noexcept {
  const mpi::distribution& over = view.over();
  if (!over.is_valid()) {
    return refuse(error, errc::unsupported_distribution, operation, operand,
                  " has a distribution of {0} coordinates over {1} ranks that is none", {over.extent(), over.ranks()});
  }
  if (over.is_replicated()) return true;
  if (view.divided_axis() < 0) {
    return refuse(error, errc::axis_out_of_range, operation, operand,
                  " is divided along axis {0}, which is outside [{1}, {2}]",
                  {view.axis(), -view.rank(), view.rank() - 1});
  }
  if (over.ranks() != ranks) {
    return refuse(error, errc::unsupported_distribution, operation, operand,
                  " is divided among {0} ranks, but its communicator has {1}", {over.ranks(), ranks});
  }
  return true;
}
// Whether two tensors of the same extents are divided alike.
template <class A, class B>
bool are_alike(const A& a, const B& b) noexcept {
  return a.divided_axis() == b.divided_axis() && (a.divided_axis() < 0 || a.over() == b.over());
}

// Checks that this rank's part has the extent of its distribution, and the communicator of data.
template <class View>
void check_part(communicator& ranks, local_error::of operand, const View& view, local_error& error) noexcept {
  if (!error.ok()) return;
  if (!ranks.is_like(view.comm())) {
    error = {local_error::kind::communicator, operand, {}};
    return;
  }
  const int axis = view.axis() < 0 ? view.axis() + view.rank() : view.axis();
  if (axis < 0 || axis >= view.rank()) return;  // of rank 0, or whole with an axis that is not used
  const std::int64_t expected = view.over().local_extent(ranks.rank());
  if (view.local().extent(axis) != expected) {
    error = {local_error::kind::wrong_extent, operand, {axis, expected}};
  }
}
// Checks that this rank's part of what is written holds no element twice.
template <class T>
void check_distinct(const tensor_view<T>& written, local_error::of operand, local_error& error) noexcept {
  if (error.ok() && written.rank() > 0 && find_repeated(written.layout()) != overlap_result::no) {
    error = {local_error::kind::repeated, operand, {}};
  }
}
template <class T, class Input>
void check_part_apart(const tensor_view<T>& written, local_error::of operand, const tensor_view<Input>& input,
                      local_error& error, local_error::kind kind = local_error::kind::overlaps) noexcept {
  if (error.ok() && typed::overlaps_with(written, input) != overlap_result::no) error = {kind, operand, {}};
}

// The bytes of a value that all ranks give alike, but for those that have padding.
template <class T>
void add_bytes_of(fingerprint& call, const T& value) noexcept {
  constexpr bool has_no_padding = std::has_unique_object_representations_v<T> || std::is_same_v<T, float> ||
                                  std::is_same_v<T, double> || (is_std_complex<T> && sizeof(T) <= 16);
  if constexpr (has_no_padding) call.add_bytes(&reinterpret_cast<const char&>(value), sizeof(T));
}
// The one value of a call, if it is a view of one.
template <class T>
void add_value(fingerprint& call, const tensor_view<const T>& element) noexcept {
  call.add(element.rank());
  if (element.rank() == 0) add_bytes_of(call, *element.data());
}

// The properties of elements, of a reduction, and of an operand that must be the same on all ranks.
template <class T>
void add_element_type(fingerprint& call) noexcept {
  call.add(static_cast<std::int64_t>(sizeof(T)));
  call.add(static_cast<std::int64_t>(dynamic::element_type_of<T>.kind));
}
template <class T, class R>
void add_reduction(fingerprint& call, const R& reduce) noexcept {
  if constexpr (named_reduction<R>) {
    call.add(static_cast<std::int64_t>(R::kind));
    call.add((omits_init<R> ? 1 : 0) + (skips_nan<R> ? 2 : 0));
  } else {
    call.add(-static_cast<std::int64_t>(sizeof(R)));
    if constexpr (std::is_same_v<R, scaled_sum<T>>) add_bytes_of(call, reduce.alpha);
  }
  // Ranks that wait for each other in another way.
  call.add(reduces_without_throwing<T, R>() ? 1 : 0);
  call.add(static_cast<std::int64_t>(reduction_step<T, R>::grid));
}
template <class View>
void add_operand(fingerprint& call, const View& view) noexcept {
  call.add(view.extents());
  call.add(view.divided_axis());
  call.add(view.over());
}
template <class View>
void add_indices(fingerprint& call, const View& view) noexcept {
  using index = std::remove_const_t<view_element<View>>;
  call.add(static_cast<std::int64_t>(sizeof(index)) * (std::is_signed_v<index> ? 1 : -1));
  add_operand(call, view);
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MPI_CHECK_DISTRIBUTED_HPP
