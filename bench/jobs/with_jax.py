# SPDX-License-Identifier: Apache-2.0
"""The jobs as users of JAX write them, each under `jax.jit` with `donate_argnums=0`: the first argument is reused."""

import jax
import jax.numpy as jnp


def histogram(counts, samples):
    return jnp.bincount(samples, length=256)


def embedding_gradient(gradient, tokens, upstream):
    return gradient.at[tokens].add(upstream)


def kv_cache_by_at(cache, token, positions):
    return cache.at[jnp.arange(len(positions)), :, positions].set(token[:, :, 0])


def kv_cache_by_dynamic_update_slice(cache, token, positions):
    return jax.vmap(lambda c, t, p: jax.lax.dynamic_update_slice(c, t, (0, p, 0)))(cache, token, positions)


def table_rows(table, rows, updates):
    return table.at[rows].set(updates)


def splat(image, y, x, colours):
    return image.at[y, x].add(colours)


def strided_slice(matrix, updates):
    return matrix.at[:, ::2].set(updates)


def random_elements(array, positions, values):
    return array.at[positions].set(values)
