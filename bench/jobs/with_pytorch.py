# SPDX-License-Identifier: Apache-2.0
"""The jobs as users of PyTorch write them, in place."""

import torch


def histogram_by_bincount(counts, samples):
    return torch.bincount(samples, minlength=256)


def histogram_by_index_add(counts, samples):
    counts.index_add_(0, samples, torch.ones((), dtype=counts.dtype).expand(len(samples)))


def embedding_gradient_by_index_add(gradient, tokens, upstream):
    gradient.index_add_(0, tokens, upstream)


def embedding_gradient_by_index_put(gradient, tokens, upstream):
    gradient.index_put_((tokens,), upstream, accumulate=True)


def embedding_gradient_by_scatter_add(gradient, tokens, upstream):
    gradient.scatter_add_(0, tokens[:, None].expand_as(upstream), upstream)


def kv_cache_by_assignment(cache, token, positions):
    cache[torch.arange(len(positions)), :, positions] = token[:, :, 0]


def kv_cache_by_scatter(cache, token, positions):
    cache.scatter_(2, positions[:, None, None, None].expand_as(token), token)


def table_rows_by_index_copy(table, rows, updates):
    table.index_copy_(0, rows, updates)


def table_rows_by_assignment(table, rows, updates):
    table[rows] = updates


def splat_by_index_put(image, y, x, colours):
    image.index_put_((y, x), colours, accumulate=True)


def splat_by_index_add(image, y, x, colours):
    image.view(-1, 3).index_add_(0, y * image.shape[1] + x, colours)


def splat_by_scatter_add(image, y, x, colours):
    pixels = y * image.shape[1] + x
    image.view(-1, 3).scatter_add_(0, pixels[:, None].expand_as(colours), colours)


def strided_slice(matrix, updates):
    matrix[:, ::2] = updates


def random_elements_by_scatter(array, positions, values):
    array.scatter_(0, positions, values)


def random_elements_by_index_copy(array, positions, values):
    array.index_copy_(0, positions, values)


def random_elements_by_put(array, positions, values):
    array.put_(positions, values)
