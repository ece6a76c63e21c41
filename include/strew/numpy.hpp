// SPDX-License-Identifier: Apache-2.0
// The operators by their equivalents in NumPy.
//
//   numpy.put_along_axis(a, indices, values, axis)     put_along_axis
//   numpy.put(a, ind, v)                               put; v has as many elements as ind
//   a[i0, i1] = v, of arrays of indices                index_put
//   numpy.add.at(a, (i0, i1), v)                       index_put with reduction::sum; also multiply, maximum, minimum
//                                                      as callables
//   a[start:stop:step] = v                             slice_scatter
//   a[mask] = v                                        masked_scatter; masked_fill for a scalar
#ifndef STREW_NUMPY_HPP
#define STREW_NUMPY_HPP

#include <strew/operators/index_put.hpp>
#include <strew/operators/masked_fill.hpp>
#include <strew/operators/masked_scatter.hpp>
#include <strew/operators/put.hpp>
#include <strew/operators/put_along_axis.hpp>
#include <strew/operators/slice_scatter.hpp>

#endif  // STREW_NUMPY_HPP
