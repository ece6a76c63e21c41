# SPDX-License-Identifier: Apache-2.0
"""The jobs as users of NumPy write them. Several ways of one job differ in what follows `_by_`."""

import numpy as np


def histogram(counts, samples):
    return np.bincount(samples, minlength=256)


def embedding_gradient_by_add_at(gradient, tokens, upstream):
    np.add.at(gradient, tokens, upstream)


def embedding_gradient_by_sorting(gradient, tokens, upstream):
    order = np.argsort(tokens, kind="stable")
    rows, starts = np.unique(tokens[order], return_index=True)
    gradient[rows] += np.add.reduceat(upstream[order], starts)


def kv_cache(cache, token, positions):
    cache[np.arange(len(positions)), :, positions] = token[:, :, 0]


def table_rows(table, rows, updates):
    table[rows] = updates


def splat_by_add_at(image, y, x, colours):
    np.add.at(image, (y, x), colours)


def splat_by_bincount(image, y, x, colours):
    height, width, channels = image.shape
    pixels = y * width + x
    for k in range(channels):
        image[:, :, k] += np.bincount(pixels, colours[:, k], height * width).reshape(height, width)


def strided_slice(matrix, updates):
    matrix[:, ::2] = updates


def random_elements_by_assignment(array, positions, values):
    array[positions] = values


def random_elements_by_put_along_axis(array, positions, values):
    np.put_along_axis(array, positions, values, 0)
