// SPDX-License-Identifier: Apache-2.0
// The indices of a distributed call: as those of a call on one rank, with the parts of all tensors.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_INDICES_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_INDICES_HPP

#include <strew/config.hpp>
#include <strew/detail/front/argument_types.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/communicator.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <tuple>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// A tensor of single indices, or of multi-indices of `components` along its last axis.
template <class Index, bool HasComponents>
class distributed_indices {
 public:
  distributed_indices(const mpi::distributed_tensor_view<Index>& indices, int components) noexcept
      : indices_{indices}, components_{components} {}

  [[nodiscard]] auto local() const noexcept {
    if constexpr (HasComponents) {
      return source_of(indices_.local(), components_);
    } else {
      return source_of(indices_.local());
    }
  }
  [[nodiscard]] int count() const noexcept { return components_; }
  // Of the whole tensor, without the axis of the components.
  [[nodiscard]] index_list extents() const noexcept {
    const index_list all = indices_.extents();
    if (!HasComponents) return all;
    index_list positions;
    for (int k = 0; k + 1 < all.size(); ++k) positions.push_back(all[k]);
    return positions;
  }
  [[nodiscard]] const mpi::distribution& over() const noexcept { return indices_.over(); }
  // The divided axis; -1 if all ranks have all indices.
  [[nodiscard]] int axis() const noexcept { return indices_.divided_axis(); }

  void add_to(fingerprint& call) const noexcept {
    call.add(indices_.extents());
    call.add(indices_.divided_axis());
    call.add(indices_.over());
    call.add(static_cast<std::int64_t>(sizeof(Index)) * (std::is_signed_v<Index> ? 1 : -1));
  }
  // Calls body(view, divided axis, distribution, communicator) for each tensor.
  template <class Body>
  void for_each(const Body& body) const {
    body(indices_);
  }

 private:
  const mpi::distributed_tensor_view<Index>& indices_;
  int components_;
};

// Multi-indices with a tensor for each component, which are divided alike.
template <class... Index>
class distributed_index_tensors {
 public:
  explicit distributed_index_tensors(const std::tuple<mpi::distributed_tensor_view<Index>...>& indices) noexcept
      : indices_{indices},
        parts_{std::apply([](const auto&... each) { return std::tuple{each.local()...}; }, indices)} {}

  [[nodiscard]] index_tensors_of<Index...> local() const noexcept { return source_of(parts_); }
  [[nodiscard]] int count() const noexcept { return static_cast<int>(sizeof...(Index)); }
  [[nodiscard]] index_list extents() const noexcept { return std::get<0>(indices_).extents(); }
  [[nodiscard]] const mpi::distribution& over() const noexcept { return std::get<0>(indices_).over(); }
  [[nodiscard]] int axis() const noexcept { return std::get<0>(indices_).divided_axis(); }

  void add_to(fingerprint& call) const noexcept {
    for_each([&]<class One>(const mpi::distributed_tensor_view<One>& view) {
      call.add(view.extents());
      call.add(view.divided_axis());
      call.add(view.over());
      call.add(static_cast<std::int64_t>(sizeof(One)) * (std::is_signed_v<One> ? 1 : -1));
    });
  }
  template <class Body>
  void for_each(const Body& body) const {
    std::apply([&](const auto&... each) { (body(each), ...); }, indices_);
  }

 private:
  const std::tuple<mpi::distributed_tensor_view<Index>...>& indices_;
  std::tuple<tensor_view<Index>...> parts_;
};

// With one value in the place of updates. A value that elements cannot represent may be one on this rank alone.
template <class T, class Value, class Body>
void with_repeated(const call_form& form, const mpi::distributed_tensor_view<T>& data, const Value& value,
                   status& error, const Body& body) {
  with_repeated(form, data.local(), value, error, body);
  if (error.code() == errc::value_out_of_range) end_refused_call(data.comm(), form.name, error);
}

}  // namespace detail

namespace mpi {

// Found by their arguments, as the functions of other views are.
template <class Index>
STREW_KEYED strew::detail::distributed_indices<Index, false> source_of(
    const distributed_tensor_view<Index>& indices) noexcept {
  return {indices, 1};
}
template <class Index>
STREW_KEYED strew::detail::distributed_indices<Index, true> source_of(const distributed_tensor_view<Index>& indices,
                                                                      int count) noexcept {
  return {indices, count};
}
template <class... Index>
STREW_KEYED strew::detail::distributed_index_tensors<Index...> source_of(
    const std::tuple<distributed_tensor_view<Index>...>& indices) noexcept {
  return strew::detail::distributed_index_tensors<Index...>(indices);
}
template <class T>
STREW_KEYED distributed_tensor_view<const std::remove_const_t<T>> read_only(
    const distributed_tensor_view<T>& view) noexcept {
  return view;
}
template <class T>
STREW_KEYED distributed_tensor_view<T> flat(const distributed_tensor_view<T>& view) noexcept {
  return view;
}
// See end_refused of detail.
template <class T>
STREW_KEYED void end_refused(const distributed_tensor_view<T>& data, const char* operation, status& error) noexcept {
  strew::detail::end_refused_call(data.comm(), operation, error);
}

}  // namespace mpi
}  // namespace strew

#endif  // STREW_DETAIL_MPI_DISTRIBUTED_INDICES_HPP
