// SPDX-License-Identifier: Apache-2.0
// Opt-in: the operators on tensors that are divided among the ranks of an MPI communicator. The results are those of
// the same call on one rank, bit for bit, and so are errors: all ranks return one, before any of them has written.
#ifndef STREW_MPI_HPP
#define STREW_MPI_HPP

#include <strew/config.hpp>
#include <strew/detail/mpi/distributed_masks.hpp>
#include <strew/detail/mpi/distributed_parts.hpp>
#include <strew/detail/mpi/distributed_segments.hpp>
#include <strew/detail/mpi/run_distributed.hpp>
#include <strew/mpi/distributed_tensor_view.hpp>
#include <strew/mpi/distribution.hpp>
#include <strew/mpi/prepared_distributed_scatter.hpp>
#include <strew/onnx.hpp>
#include <strew/openvino.hpp>
#include <strew/operators/converted.hpp>
#include <strew/operators/diagonal_scatter.hpp>
#include <strew/operators/index_add.hpp>
#include <strew/operators/index_copy.hpp>
#include <strew/operators/index_fill.hpp>
#include <strew/operators/index_policy.hpp>
#include <strew/operators/index_put.hpp>
#include <strew/operators/index_reduce.hpp>
#include <strew/operators/masked_fill.hpp>
#include <strew/operators/masked_scatter.hpp>
#include <strew/operators/put.hpp>
#include <strew/operators/put_along_axis.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/scatter.hpp>
#include <strew/operators/scatter_add.hpp>
#include <strew/operators/scatter_reduce.hpp>
#include <strew/operators/segments.hpp>
#include <strew/operators/select_scatter.hpp>
#include <strew/operators/with_positions.hpp>

namespace strew::inline STREW_ABI::mpi {

// The operators with the calls that they have for tensor_views, on distributed_tensor_views: data, indices, updates and
// output are distributed, one value in the place of updates is the same on all ranks. Every call is collective: all
// ranks of the communicator make it, in the same order as their other calls on that communicator.
//
//   strew::mpi::index_add(table, 0, indices, gradients);
//
// The output is that of the serial operator on the gathered tensors, at any number of ranks: updates are sent to the
// owners of their targets and applied there in row-major order of the indices. Without `output` in place; data and
// output are distributed alike. What the operands' distributions may be:
//
//   - data divided along an axis on which indices select: indices along any axis, updates as they are; or both whole on
//     every rank, and each rank takes the updates of its own targets.
//   - data divided along another axis: indices whole on every rank; updates as data, or whole if data is in contiguous
//     blocks. Nothing is sent, nor by scatters of elements whose indices are divided as data is.
//   - data whole on every rank: all operands are.
//
// Segments take the place of indices that are divided as the updates are along the axis: every rank has all offsets,
// the same ones, and finds the segment of an update from its coordinate in the whole tensor, in O(log(data's extent)).
//
// Updates may be strew::converted(updates), of a type that is the same on all ranks; they are converted before they are
// sent.
//
// reduction::with_positions takes numbers that are a distributed tensor, divided as the output is: the numbers of
// updates of the whole tensor.
//
// Errors: those of the serial operator, agreed before any rank writes: for a bad index the first in row-major order of
// the whole tensor, with its coordinate there. Besides unsupported_distribution, mismatched_calls (the calls of the
// ranks differ), too_little_memory, and communication (MPI has failed, under MPI_ERRORS_RETURN; elements then hold
// their old or new values, and the communicator should not be used again). If a reduction throws on a rank, that rank
// throws it and the others return communication.
//
// A workspace as the first argument holds the updates that are sent and received: with workspace{span, executor} as
// many rounds are made as the smallest span on any rank needs, with a heap_workspace one round, for which it allocates
// all that this rank sends and receives, unless set_limit says less. Without either 32 KiB of the stack are used. MPI
// is called on the calling thread alone, so MPI_THREAD_FUNNELED suffices; threads of the executor apply updates.
// Concurrent calls need communicators of their own, which MPI_THREAD_MULTIPLE allows.
//
// O(elements of this rank + indices of this rank + updates received), in each of the rounds; five collective calls with
// one round, four more with each further one.
using strew::diagonal_scatter;
using strew::index_add;
using strew::index_copy;
using strew::index_fill;
using strew::index_put;
using strew::index_reduce;
using strew::masked_fill;
using strew::masked_scatter;
using strew::put;
using strew::put_along_axis;
using strew::scatter;
using strew::scatter_add;
using strew::scatter_elements_update;
using strew::scatter_reduce;
using strew::scatter_update;
using strew::select_scatter;
using strew::slice_scatter;
using strew::try_diagonal_scatter;
using strew::try_index_add;
using strew::try_index_copy;
using strew::try_index_fill;
using strew::try_index_put;
using strew::try_index_reduce;
using strew::try_masked_fill;
using strew::try_masked_scatter;
using strew::try_put;
using strew::try_put_along_axis;
using strew::try_scatter;
using strew::try_scatter_add;
using strew::try_scatter_elements_update;
using strew::try_scatter_reduce;
using strew::try_scatter_update;
using strew::try_select_scatter;
using strew::try_slice_scatter;

namespace v3 {
using strew::v3::scatter_elements_update;
using strew::v3::scatter_nd_update;
using strew::v3::scatter_update;
using strew::v3::try_scatter_elements_update;
using strew::v3::try_scatter_nd_update;
using strew::v3::try_scatter_update;
}  // namespace v3
namespace v12 {
using strew::v12::scatter_elements_update;
using strew::v12::try_scatter_elements_update;
}  // namespace v12
namespace v14 {
using strew::v14::scatter_nd_update;
using strew::v14::try_scatter_nd_update;
}  // namespace v14
namespace v15 {
using strew::v15::scatter_nd_update;
using strew::v15::slice_scatter;
using strew::v15::try_scatter_nd_update;
using strew::v15::try_slice_scatter;
}  // namespace v15
namespace onnx {
using strew::onnx::cache_mode;
using strew::onnx::scatter;
using strew::onnx::scatter_elements;
using strew::onnx::scatter_nd;
using strew::onnx::tensor_scatter;
using strew::onnx::tensor_scatter_options;
using strew::onnx::try_scatter;
using strew::onnx::try_scatter_elements;
using strew::onnx::try_scatter_nd;
using strew::onnx::try_tensor_scatter;
}  // namespace onnx

}  // namespace strew::mpi

#endif  // STREW_MPI_HPP
