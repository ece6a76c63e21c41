// SPDX-License-Identifier: Apache-2.0
// Opt-in: a view of a tensor of which each rank of a communicator has a part.
#ifndef STREW_MPI_DISTRIBUTED_TENSOR_VIEW_HPP
#define STREW_MPI_DISTRIBUTED_TENSOR_VIEW_HPP

#include <strew/config.hpp>
#include <strew/detail/external_tensors.hpp>
#include <strew/detail/front/argument_types.hpp>
#include <strew/detail/front/typed_indices.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/integer.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/tensor_view.hpp>

#include <mpi.h>

#include <cstdint>
#include <type_traits>

namespace strew::inline STREW_ABI {

namespace mpi {

// A tensor that is divided along one axis: this rank's part, as a view, and how the coordinates of the axis are
// divided. All other axes are whole on every rank; with a replicated axis the whole tensor is. Nothing is checked here
// but by the operators: the part has the extents of the tensor, on `axis` distribution.local_extent(rank). The
// communicator is borrowed, and must be an intracommunicator of as many ranks as the distribution has. `axis` is in
// [-rank, rank - 1] (for a tensor of rank 0, which is replicated, it is not used). O(1).
//
//   const auto rows = strew::mpi::distribution::block(1'000'000, ranks);
//   strew::mpi::distributed_tensor_view<float> table{part, 0, rows, comm};
template <class T>
class distributed_tensor_view {
  static_assert(std::is_trivially_copyable_v<std::remove_const_t<T>>,
                "strew: elements are sent between ranks as bytes, so they must be trivially copyable");

 public:
  using element_type = T;

  distributed_tensor_view(const tensor_view<T>& local, int axis, const distribution& over, MPI_Comm comm) noexcept
      : local_{local}, over_{over}, comm_{comm}, axis_{axis} {}
  // The same for reading only.
  operator distributed_tensor_view<const T>() const noexcept requires(!std::is_const_v<T>) {
    return {local_, axis_, over_, comm_};
  }

  // This rank's part.
  [[nodiscard]] const tensor_view<T>& local() const noexcept { return local_; }
  [[nodiscard]] int axis() const noexcept { return axis_; }
  [[nodiscard]] const distribution& over() const noexcept { return over_; }
  [[nodiscard]] MPI_Comm comm() const noexcept { return comm_; }

  [[nodiscard]] int rank() const noexcept { return local_.rank(); }
  // The axis counted from the first, or -1 if the tensor has no such axis or is whole on every rank.
  STREW_KEYED [[nodiscard]] int divided_axis() const noexcept {
    return over_.is_replicated() ? -1 : static_cast<int>(normalize_axis(axis_, rank()));
  }
  // The extents of the whole tensor.
  STREW_KEYED [[nodiscard]] index_list extents() const noexcept {
    index_list result = local_.extents();
    if (const int k = divided_axis(); k >= 0) result[k] = over_.extent();
    return result;
  }
  // The layout of this rank's part.
  [[nodiscard]] const strided_layout& layout() const noexcept { return local_.layout(); }

 private:
  tensor_view<T> local_;
  distribution over_;
  MPI_Comm comm_;
  int axis_;
};
template <class T>
distributed_tensor_view(const tensor_view<T>&, int, const distribution&, MPI_Comm) -> distributed_tensor_view<T>;

}  // namespace mpi

namespace detail::inline STREW_CODE {

template <class T>
struct view_traits<mpi::distributed_tensor_view<T>> {
  using element_type = T;
};
template <class T>
inline constexpr bool is_distributed<mpi::distributed_tensor_view<T>> = true;
template <index_integer Index>
inline constexpr bool is_view_of_indices<mpi::distributed_tensor_view<Index>> = true;

}  // namespace detail
}  // namespace strew

#endif  // STREW_MPI_DISTRIBUTED_TENSOR_VIEW_HPP
