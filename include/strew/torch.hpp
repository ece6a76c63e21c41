// SPDX-License-Identifier: Apache-2.0
// The operators by their names in PyTorch, whose in-place forms end in an underscore.
//
//   Tensor.scatter, .scatter_add, .scatter_reduce           scatter, scatter_add, scatter_reduce
//   Tensor.index_add, .index_copy, .index_reduce,
//   .index_fill                                             index_add, index_copy, index_reduce, index_fill
//   Tensor.index_put, .put                                  index_put, put; reduction::sum for accumulate=True
//   Tensor.masked_scatter, .masked_fill                     masked_scatter, masked_fill
//   slice_scatter, select_scatter, diagonal_scatter         slice_scatter, select_scatter, diagonal_scatter
//
// amax and amin are reduction::max and reduction::min; include_self=False is reduction::without_init(..); alpha is
// scaled_by{alpha}.
#ifndef STREW_TORCH_HPP
#define STREW_TORCH_HPP

#include <strew/operators/diagonal_scatter.hpp>
#include <strew/operators/index_add.hpp>
#include <strew/operators/index_copy.hpp>
#include <strew/operators/index_fill.hpp>
#include <strew/operators/index_put.hpp>
#include <strew/operators/index_reduce.hpp>
#include <strew/operators/masked_fill.hpp>
#include <strew/operators/masked_scatter.hpp>
#include <strew/operators/put.hpp>
#include <strew/operators/scatter.hpp>
#include <strew/operators/scatter_add.hpp>
#include <strew/operators/scatter_reduce.hpp>
#include <strew/operators/select_scatter.hpp>
#include <strew/operators/slice_scatter.hpp>

#endif  // STREW_TORCH_HPP
