// SPDX-License-Identifier: Apache-2.0
// The docstrings of the operators. What all calls share is in that of the package.
#ifndef STREW_PYTHON_DOCS_HPP
#define STREW_PYTHON_DOCS_HPP

namespace strew_python::docs {

inline constexpr const char* slice_scatter =
    R"(A copy of data with a slice replaced: output[start:stop:step, ..] = updates.

data     array of any rank r
updates  array with the extents of the slice, or one value
start, stop, step, axes
         an integer for one axis, or lists of one length. Bounds clamp as those of Python's slices; a bound left out
         is the beginning or the end in the direction of the step. Without axes they are those of axes 0, 1, ..

>>> import numpy as np, strew
>>> strew.slice_scatter(np.zeros(6, int), np.array([7, 8]), start=1, stop=5, step=2)
array([0, 7, 0, 8, 0, 0])

Specification: OpenVINO SliceScatter-15.
)";

inline constexpr const char* scatter_update =
    R"(A copy of data with rows of an axis replaced: output[.., indices[i..], ..] = updates[.., i.., ..].

data     array of rank r >= 1
indices  integers of any shape, each in [0, extent of the axis - 1], or segments(offsets)
updates  array shaped data[:axis] + indices + data[axis + 1:], or one value
axis     in [-r, r - 1]

Of equal indices the last wins. On an error nothing is written.

>>> import numpy as np, strew
>>> strew.scatter_update(np.zeros((3, 2), int), [2, 0], np.array([[1, 2], [3, 4]]), 0)
array([[3, 4],
       [0, 0],
       [1, 2]])

Specification: OpenVINO ScatterUpdate-3.
)";

inline constexpr const char* index_copy =
    R"(As scatter_update, with PyTorch's order of arguments: the rows of `source` replace those that `index` selects.

data    array of rank r >= 1
axis    in [-r, r - 1]
index   integers, each in [0, extent of the axis - 1], or segments(offsets)
source  array shaped data[:axis] + index + data[axis + 1:], or one value

>>> import numpy as np, strew
>>> strew.index_copy(np.zeros((3, 2), int), 0, [0, 0], np.array([[1, 2], [3, 4]]))
array([[3, 4],
       [0, 0],
       [0, 0]])

Specification: torch.Tensor.index_copy_.
)";

inline constexpr const char* index_add =
    R"(Adds rows: output[.., index[i..], ..] += alpha * source[.., i.., ..], in the order of the rows of source.

data    array of numbers of rank r >= 1
axis    in [-r, r - 1]
index   integers, each in [0, extent of the axis - 1], or segments(offsets)
source  array shaped data[:axis] + index + data[axis + 1:], or one value
alpha   a factor; each product is rounded before it is added. Other values than 1 take memory for the products

The result has the same bits at any number of threads.

>>> import numpy as np, strew
>>> strew.index_add(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]))
array([4., 0., 2.])

Specification: torch.Tensor.index_add_.
)";

inline constexpr const char* index_reduce =
    R"(Combines rows: output[.., index[i..], ..] = f(output[..], source[.., i.., ..]), in the order of the rows of source.

data       array of numbers of rank r >= 1
axis       in [-r, r - 1]
index      integers, each in [0, extent of the axis - 1], or segments(offsets)
source     array shaped data[:axis] + index + data[axis + 1:], or one value
reduction  sum, prod, min, max or mean; means of integers are rounded down
include_init
           False: a row with updates starts from the first of them

>>> import numpy as np, strew
>>> strew.index_reduce(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]), "max")
array([3., 0., 2.])

Specification: torch.Tensor.index_reduce_.
)";

inline constexpr const char* index_fill = R"(A copy of data with whole rows of an axis set to one value.

data   array of rank r >= 1
axis   in [-r, r - 1]
index  integers, each in [-extent, extent - 1] of the axis
value  a number, or an array of rank 0

>>> import numpy as np, strew
>>> strew.index_fill(np.zeros((2, 3), int), 1, [0, -1], 7)
array([[7, 0, 7],
       [7, 0, 7]])

Specification: torch.Tensor.index_fill_.
)";

inline constexpr const char* scatter_elements_update =
    R"(A copy of data with elements along an axis replaced: output[i.., indices[i.., j, k..], k..] = updates[i.., j, k..].

data     array of rank r >= 1
indices  integers of rank r, each in [0, extent of the axis - 1]; nowhere longer than data
updates  array shaped as indices, or one value
axis     in [-r, r - 1]

Version 12, strew.v12.scatter_elements_update, counts negative indices from the end and has reductions.

>>> import numpy as np, strew
>>> strew.scatter_elements_update(np.zeros((2, 3), int), [[2, 0]], np.array([[5, 6]]), 1)
array([[6, 0, 5],
       [0, 0, 0]])

Specification: OpenVINO ScatterElementsUpdate-3.
)";

inline constexpr const char* v12_scatter_elements_update =
    R"(Elements along an axis, replaced by or combined with updates[i.., j, k..]: output[i.., indices[i.., j, k..], k..].

data       array of rank r >= 1
indices    integers of rank r, each in [-extent, extent - 1] of the axis; off the axis at most as long as data
updates    array shaped as indices, or one value
axis       in [-r, r - 1]
reduction  none, sum, prod, min, max or mean; means of integers are rounded down
include_init
           False: an element with updates starts from the first of them

>>> import numpy as np, strew
>>> strew.v12.scatter_elements_update(np.array([2, 3, 4, 6]), [1, 0, 0, -2, -1, 2],
...                                   np.array([10, 20, 30, 40, 70, 60]), 0, "sum")
array([ 52,  13, 104,  76])

Specification: OpenVINO ScatterElementsUpdate-12.
)";

inline constexpr const char* scatter =
    R"(As scatter_elements_update, with PyTorch's order of arguments; on the axis the index may be longer than data.

data    array of rank r >= 1
axis    in [-r, r - 1]
index   integers of rank r, each in [0, extent of the axis - 1]; off the axis at most as long as data
source  array shaped as index, or one value

>>> import numpy as np, strew
>>> strew.scatter(np.zeros((2, 3), int), 1, [[2, 0]], np.array([[5, 6]]))
array([[6, 0, 5],
       [0, 0, 0]])

Specification: torch.Tensor.scatter_.
)";

inline constexpr const char* scatter_add =
    R"(Adds elements along an axis: output[i.., index[i.., j, k..], k..] += source[i.., j, k..], in row-major order.

data    array of numbers of rank r >= 1
axis    in [-r, r - 1]
index   integers of rank r, each in [0, extent of the axis - 1]; off the axis at most as long as data
source  array shaped as index, or one value

>>> import numpy as np, strew
>>> strew.scatter_add(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]))
array([4., 0., 2.])

Specification: torch.Tensor.scatter_add_.
)";

inline constexpr const char* scatter_reduce =
    R"(Combines elements along an axis: output[i.., index[i.., j, k..], k..] = f(output[..], source[i.., j, k..]).

data       array of numbers of rank r >= 1
axis       in [-r, r - 1]
index      integers of rank r, each in [0, extent of the axis - 1]; off the axis at most as long as data
source     array shaped as index, or one value
reduction  sum, prod, min, max or mean; means of integers are rounded down
include_init
           False: an element with updates starts from the first of them

>>> import numpy as np, strew
>>> strew.scatter_reduce(np.zeros(3), 0, [0, 2, 0], np.array([1.0, 2.0, 3.0]), "mean", include_init=False)
array([2., 0., 2.])

Specification: torch.Tensor.scatter_reduce_.
)";

inline constexpr const char* put_along_axis =
    R"(A copy of data with elements along an axis replaced; numpy.put_along_axis writes in place, and broadcasts.

data     array of rank r >= 1
indices  integers of rank r, each in [-extent, extent - 1] of the axis; off the axis at most as long as data
values   array shaped as indices, or one value
axis     in [-r, r - 1]

strew.numpy.put_along_axis writes to its array, broadcasts and converts as NumPy does.

>>> import numpy as np, strew
>>> strew.put_along_axis(np.zeros((2, 3), int), [[-1], [0]], 9, 1)
array([[0, 0, 9],
       [9, 0, 0]])

Specification: numpy.put_along_axis.
)";

inline constexpr const char* index_put =
    R"(Slices addressed by a tensor of indices for each axis: output[i0[n], i1[n], .., ..] = values[n, ..], or += .

data       array of rank r >= 1
indices    a tuple of at most r arrays of integers of one shape, the indices of axes 0, 1, ..; each in
           [-extent, extent - 1] of its axis
values     array shaped as one of the indices + data[len(indices):], or one value
reduction  none or sum

>>> import numpy as np, strew
>>> strew.index_put(np.zeros((2, 3), int), ([0, 1, 0], [2, 0, 2]), np.array([1, 2, 3]), "sum")
array([[0, 0, 4],
       [2, 0, 0]])

Specification: torch.Tensor.index_put_.
)";

inline constexpr const char* put =
    R"(Elements addressed by their row-major numbers: output.flat[index[n..]] = source[n..], or += .

data       array of rank r >= 1, whatever its strides
index      integers of any shape, each in [-size, size - 1]
source     array shaped as index, or one value
reduction  none or sum

>>> import numpy as np, strew
>>> strew.put(np.zeros((2, 3), int), [-1, 0], np.array([5, 6]))
array([[6, 0, 0],
       [0, 0, 5]])

numpy.put writes in place; so do put_ here and strew.numpy.put, which converts and repeats its values as NumPy does.

Specification: torch.Tensor.put_, numpy.put.
)";

inline constexpr const char* select_scatter =
    R"(A copy of data with one coordinate of an axis replaced: output[.., index, ..] = source.

data    array of rank r >= 1
source  array shaped as data without the axis, or one value
axis    in [-r, r - 1]
index   in [-extent, extent - 1] of the axis

>>> import numpy as np, strew
>>> strew.select_scatter(np.array([[0, 1, 2], [3, 4, 5]]), np.array([7, 8, 9]), 0, -1)
array([[0, 1, 2],
       [7, 8, 9]])

Specification: torch.select_scatter.
)";

inline constexpr const char* diagonal_scatter = R"(A copy of data with a diagonal of two of its axes replaced.

data    array of rank r >= 2
source  array shaped as data without both axes and with the length of the diagonal last, or one value
offset  which diagonal: of the elements whose coordinate on axis2 is that on axis1 plus offset
axis1, axis2
        two axes, each in [-r, r - 1]

>>> import numpy as np, strew
>>> strew.diagonal_scatter(np.array([[0, 1, 2], [3, 4, 5]]), np.array([7, 8]), 1)
array([[0, 7, 2],
       [3, 4, 8]])

Specification: torch.diagonal_scatter.
)";

inline constexpr const char* masked_scatter =
    R"(A copy of data in which the elements that a mask selects are replaced by those of source, both in row-major order.

data    array of any rank
mask    array of bool, int8 or uint8 shaped as data, where what is not 0 selects; or lists of bools
source  array of any shape with at least as many elements as the mask selects

>>> import numpy as np, strew
>>> strew.masked_scatter(np.arange(4), np.array([False, True, False, True]), np.array([7, 8, 9]))
array([0, 7, 2, 8])

Specification: torch.Tensor.masked_scatter_.
)";

inline constexpr const char* masked_fill =
    R"(A copy of data in which the elements that a mask selects are set to one value.

data   array of any rank
mask   array of bool, int8 or uint8 shaped as data, where what is not 0 selects; or lists of bools
value  a number, or an array of rank 0

>>> import numpy as np, strew
>>> strew.masked_fill(np.arange(4), np.array([False, True, False, True]), 9)
array([0, 9, 2, 9])

Specification: torch.Tensor.masked_fill_.
)";

inline constexpr const char* v3_scatter_nd_update =
    R"(Slices addressed by multi-indices, replaced: output[indices[n..], ..] = updates[n.., ..].

data       array of rank r >= 1
indices    integers shaped (.., k), k <= r, with a multi-index in each row; component j in [0, extent - 1]
updates    array shaped indices[:-1] + data[k:], or one value

>>> import numpy as np, strew
>>> strew.v3.scatter_nd_update(np.arange(1, 9), [[4], [3], [1], [7]], np.array([9, 10, 11, 12]))
array([ 1, 11,  3, 10,  9,  6,  7, 12])

Specification: OpenVINO ScatterNDUpdate-3.
)";

inline constexpr const char* v15_scatter_nd_update =
    R"(Slices addressed by multi-indices: output[indices[n..], ..] is replaced by, or combined with, updates[n.., ..].

data       array of rank r >= 1
indices    integers shaped (.., k), k <= r, with a multi-index in each row; component j in [-extent, extent - 1]
updates    array shaped indices[:-1] + data[k:], or one value
reduction  none, sum, sub, prod, min or max

>>> import numpy as np, strew
>>> strew.v15.scatter_nd_update(np.arange(1, 9), [[4], [3], [1], [7]], np.array([9, 10, 11, 12]))
array([ 1, 11,  3, 10,  9,  6,  7, 12])

Specification: OpenVINO ScatterNDUpdate-14 and -15.
)";

inline constexpr const char* onnx_scatter =
    R"(A copy of data with elements along an axis replaced: output[i.., indices[i.., j, k..], k..] = updates[i.., j, k..].

data     array of rank r >= 1
indices  integers of rank r, each in [-extent, extent - 1] of the axis; off the axis at most as long as data
updates  array shaped as indices, or one value
axis     in [-r, r - 1]

>>> import numpy as np, strew
>>> strew.onnx.scatter(np.array([[1, 2, 3, 4, 5]]), [[1, -2]], np.array([[11, 21]]), 1)
array([[ 1, 11,  3, 21,  5]])

Specification: ONNX Scatter-9 and -11.
)";

inline constexpr const char* onnx_scatter_elements =
    R"(Elements along an axis, replaced by or combined with updates[i.., j, k..]: output[i.., indices[i.., j, k..], k..].

data       array of rank r >= 1
indices    integers of rank r, each in [-extent, extent - 1] of the axis; off the axis at most as long as data
updates    array shaped as indices, or one value
axis       in [-r, r - 1]
reduction  none, sum, prod, min or max

>>> import numpy as np, strew
>>> strew.onnx.scatter_elements(np.array([[1, 2, 3, 4, 5]]), [[1, 3]], np.array([[11, 21]]), 1)
array([[ 1, 11,  3, 21,  5]])

Specification: ONNX ScatterElements-11, -13, -16 and -18.
)";

inline constexpr const char* onnx_scatter_nd =
    R"(Slices addressed by multi-indices: output[indices[n..], ..] is replaced by, or combined with, updates[n.., ..].

data       array of rank r >= 1
indices    integers shaped (.., k), k <= r, with a multi-index in each row; component j in [-extent, extent - 1]
updates    array shaped indices[:-1] + data[k:], or one value
reduction  none, sum, prod, min or max

>>> import numpy as np, strew
>>> strew.onnx.scatter_nd(np.arange(1, 9), [[4], [3], [1], [7]], np.array([9, 10, 11, 12]))
array([ 1, 11,  3, 10,  9,  6,  7, 12])

Specification: ONNX ScatterND-11, -13, -16 and -18.
)";

inline constexpr const char* onnx_tensor_scatter =
    R"(Writes into a cache: of each sample b the S positions from write_indices[b] on are replaced by those of update.

past_cache     array of rank r >= 2, with samples on axis 0
update         array shaped as past_cache, with extent S on the axis of positions
write_indices  an integer for each sample; all are 0 if left out
mode           linear; or circular: positions count modulo the length of the cache
axis           of the positions, not 0

>>> import numpy as np, strew
>>> cache = np.zeros((2, 4), int)
>>> strew.onnx.tensor_scatter(cache, np.array([[1, 2], [3, 4]]), [3, 2], mode="circular", axis=1)
array([[2, 0, 0, 1],
       [0, 0, 3, 4]])

Specification: ONNX TensorScatter-24.
)";

}  // namespace strew_python::docs

#endif  // STREW_PYTHON_DOCS_HPP
