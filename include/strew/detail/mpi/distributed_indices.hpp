// SPDX-License-Identifier: Apache-2.0
// Targets of distributed tensors that are selected by indices: as those of a call on one rank, with the parts of all
// tensors.
#ifndef STREW_DETAIL_MPI_DISTRIBUTED_INDICES_HPP
#define STREW_DETAIL_MPI_DISTRIBUTED_INDICES_HPP

#include <strew/config.hpp>
#include <strew/detail/front/argument_types.hpp>
#include <strew/detail/front/operators.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/detail/mpi/agreement.hpp>
#include <strew/detail/mpi/check_distributed.hpp>
#include <strew/detail/mpi/target_finder.hpp>
#include <strew/detail/rules/targets.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/status.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/tensor_view.hpp>

#include <cstdint>
#include <tuple>

namespace strew::inline STREW_ABI {

namespace detail::inline STREW_CODE {

// How the indices of a call are given.
enum class given_indices : unsigned char {
  single,         // one tensor
  multi_indices,  // one tensor, with the components along its last axis
  tensors,        // one for each component, which are divided alike
};

template <given_indices Given, class... Index>
class distributed_indices {
 public:
  static constexpr target_form form = target_form::read;
  static constexpr bool may_be_illegal = true;

  distributed_indices(const std::tuple<mpi::distributed_tensor_view<Index>...>& indices, int components) noexcept
      : indices_{indices},
        parts_{std::apply([](const auto&... each) { return std::tuple{each.local()...}; }, indices)},
        components_{components} {}

  // The indices of this rank, as those of a call on it.
  [[nodiscard]] auto local() const noexcept {
    if constexpr (Given == given_indices::tensors) {
      return source_of(parts_);
    } else if constexpr (Given == given_indices::multi_indices) {
      return source_of(std::get<0>(parts_), components_);
    } else {
      return source_of(std::get<0>(parts_));
    }
  }
  [[nodiscard]] auto source() const noexcept { return local(); }
  [[nodiscard]] int count() const noexcept { return components_; }
  // Of the whole tensor, without the axis of the components.
  [[nodiscard]] index_list extents() const noexcept {
    const index_list all = std::get<0>(indices_).extents();
    if (Given != given_indices::multi_indices) return all;
    index_list positions;
    for (int k = 0; k + 1 < all.size(); ++k) positions.push_back(all[k]);
    return positions;
  }
  [[nodiscard]] const mpi::distribution& over() const noexcept { return std::get<0>(indices_).over(); }
  // The divided axis; -1 if all ranks have all indices.
  [[nodiscard]] int axis() const noexcept { return std::get<0>(indices_).divided_axis(); }

  void add_to(fingerprint& call) const noexcept {
    for_each([&](local_error::of, const auto& view) { add_indices(call, view); });
  }
  // Calls body(operand, view) for each tensor.
  template <class Body>
  void for_each(const Body& body) const {
    std::apply([&](const auto&... each) { (body(local_error::of::indices, each), ...); }, indices_);
  }

  // The first index of this rank that is illegal, as position * components + component; -1 if there is none.
  [[nodiscard]] std::int64_t find_bad(const index_constraint& constraint, const position_places& at,
                                      raw_index& bad) const {
    return find_bad_index(constraint, at, local(), bad);
  }
  // The rank that has an index of that number.
  [[nodiscard]] int finder_of_bad(const index_constraint& constraint, std::int64_t number) const noexcept {
    return axis() < 0 ? 0 : static_cast<int>(over().owner(coordinate_of(number / constraint.count())[axis()]));
  }
  bool refuse_bad(const index_constraint& constraint, std::int64_t number, const raw_index& bad,
                  status& error) const noexcept {
    return refuse_index(constraint, bad, coordinate_of(number / constraint.count()),
                        static_cast<int>(number % constraint.count()), error);
  }

 private:
  [[nodiscard]] index_list coordinate_of(std::int64_t position) const noexcept {
    const index_list positions = extents();
    index_list coordinate = positions;
    for (int k = positions.size(); k-- > 0;) {
      coordinate[k] = position % positions[k];
      position /= positions[k];
    }
    return coordinate;
  }

  std::tuple<mpi::distributed_tensor_view<Index>...> indices_;
  std::tuple<tensor_view<Index>...> parts_;
  int components_;
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
STREW_KEYED auto source_of(const distributed_tensor_view<Index>& indices) noexcept {
  using strew::detail::given_indices;
  return strew::detail::distributed_indices<given_indices::single, Index>(std::tuple{indices}, 1);
}
template <class Index>
STREW_KEYED auto source_of(const distributed_tensor_view<Index>& indices, int count) noexcept {
  using strew::detail::given_indices;
  return strew::detail::distributed_indices<given_indices::multi_indices, Index>(std::tuple{indices}, count);
}
template <class... Index>
STREW_KEYED auto source_of(const std::tuple<distributed_tensor_view<Index>...>& indices) noexcept {
  using strew::detail::given_indices;
  constexpr int count = static_cast<int>(sizeof...(Index));
  return strew::detail::distributed_indices<given_indices::tensors, Index...>(indices, count);
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
