# SPDX-License-Identifier: Apache-2.0
"""The jobs as graphs of OpenVINO. The first input is a parameter and the output another tensor, or it is a variable of
the model (ReadValue and Assign), whichever is faster. There is no operator that counts: `ones` is a tensor of ones."""

from openvino import opset15 as ops


def histogram(counts, samples, ones):
    return ops.scatter_elements_update(counts, samples, ones, axis=0, reduction="sum")


def embedding_gradient(gradient, tokens, upstream):
    return ops.scatter_nd_update(gradient, ops.unsqueeze(tokens, 1), upstream, "sum")


def kv_cache(cache, token, positions):
    indices = ops.broadcast(ops.unsqueeze(positions, [1, 2, 3]), ops.shape_of(token))
    return ops.scatter_elements_update(cache, indices, token, axis=2)


def table_rows(table, rows, updates):
    return ops.scatter_update(table, rows, updates, axis=0)


def splat(image, y, x, colours):
    indices = ops.concat([ops.unsqueeze(y, 1), ops.unsqueeze(x, 1)], 1)
    return ops.scatter_nd_update(image, indices, colours, "sum")


def strided_slice(matrix, updates):
    return ops.slice_scatter(matrix, updates, start=[0], stop=[2**31 - 1], step=[2], axes=[1])


def random_elements(array, positions, values):
    return ops.scatter_elements_update(array, positions, values, axis=0)
