# SPDX-License-Identifier: Apache-2.0
"""The jobs: what is updated, with what, and the result, by NumPy."""

import dataclasses
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "peers"))
from cases import aligned, aligned_copy  # noqa: E402

MI = 1 << 20


@dataclasses.dataclass
class Job:
    """`operands` are in the order of the arguments of each library's function; the first is updated in place."""

    name: str
    title: str
    sizes: str
    operands: dict
    expected: np.ndarray

    def __post_init__(self):
        self.initial = self.target.copy()

    @property
    def target(self):
        return next(iter(self.operands.values()))

    def reset(self):
        np.copyto(self.target, self.initial)


def numbers(generator, shape):
    """Small integers as floats: their sums are exact in any order."""
    result = aligned(shape, np.float32)
    result[...] = generator.integers(1, 16, shape, np.int8)
    return result


def histogram(r, scale):
    """`int64` samples of a normal distribution, as brightnesses of a picture are, counted in 256 bins of `int64`."""
    count = 16 * MI // scale
    samples = aligned_copy(np.clip(r.normal(128, 40, count), 0, 255), np.int64)
    counts = aligned_copy(np.zeros(256), np.int64)
    sizes = f"{count / MI:g} Mi samples, 256 bins"
    return Job("histogram", "Histogram", sizes, {"counts": counts, "samples": samples},
               np.bincount(samples, minlength=256))


def embedding_gradient(r, scale):
    """Each token adds a row of `float32` to the row of its word. The words follow Zipf's law: one token in eleven is
    the most common word."""
    rows, depth, count = 50_000 // scale, 256, 65_536 // scale
    probabilities = 1 / np.arange(1, rows + 1)
    ranks = r.choice(rows, count, p=probabilities / probabilities.sum())
    tokens = aligned_copy(r.permutation(rows)[ranks], np.int64)
    gradient, upstream = numbers(r, (rows, depth)), numbers(r, (count, depth))
    expected = gradient.copy()
    np.add.at(expected, tokens, upstream)
    sizes = f"{count:,} tokens into {rows:,} × {depth}"
    return Job("embedding_gradient", "Embedding gradient", sizes,
               {"gradient": gradient, "tokens": tokens, "upstream": upstream}, expected)


def kv_cache(r, scale):
    """The new token of each sequence is written to all heads at a position of its own. Calls repeat the same positions,
    so the rows stay in the cache of the processor."""
    batch, heads, length, depth = 16, 32, 2048 // scale, 128
    cache, token = numbers(r, (batch, heads, length, depth)), numbers(r, (batch, heads, 1, depth))
    token += 100
    positions = aligned_copy(r.integers(0, length, batch), np.int64)
    expected = cache.copy()
    for sequence, position in enumerate(positions):
        expected[sequence, :, position] = token[sequence, :, 0]
    sizes = f"a token each in {batch} × {heads} × {length} × {depth}"
    return Job("kv_cache", "Key/value cache", sizes, {"cache": cache, "token": token, "positions": positions}, expected)


def table_rows(r, scale):
    """Rows of `float32` at random, each once, are replaced by others."""
    extent, depth, count = MI // scale, 64, 100_000 // scale
    table, updates = numbers(r, (extent, depth)), numbers(r, (count, depth))
    updates += 100
    rows = aligned_copy(r.permutation(extent)[:count], np.int64)
    expected = table.copy()
    expected[rows] = updates
    sizes = f"{count:,} rows of {extent / MI:g} Mi × {depth}"
    return Job("table_rows", "Rows into a table", sizes, {"table": table, "rows": rows, "updates": updates}, expected)


def splat(r, scale):
    """Points add a colour of three channels of `float32` to the pixel (y, x) on which they lie, most of them near the
    middle."""
    side, count = 1024, 2 * MI // scale
    image, colours = numbers(r, (side, side, 3)), numbers(r, (count, 3))
    y, x = (aligned_copy(np.clip(r.normal(side / 2, side / 5, count), 0, side - 1), np.int64) for _ in range(2))
    expected = image.copy()
    np.add.at(expected, (y, x), colours)
    sizes = f"{count / MI:g} Mi points into {side} × {side} × 3"
    return Job("splat", "2-D splatting", sizes, {"image": image, "y": y, "x": x, "colours": colours}, expected)


def strided_slice(r, scale):
    """Every second column of a matrix of `float32` is replaced."""
    rows, columns = 4096 // scale, 4096
    matrix, updates = numbers(r, (rows, columns)), numbers(r, (rows, columns // 2))
    updates += 100
    expected = matrix.copy()
    expected[:, ::2] = updates
    sizes = f"every second column of {rows} × {columns}"
    return Job("strided_slice", "Strided slice", sizes, {"matrix": matrix, "updates": updates}, expected)


def random_elements(r, scale):
    """Elements of `float32` at random positions of one axis, each once, are replaced."""
    extent, count = 16 * MI // scale, 4 * MI // scale
    array, values = numbers(r, (extent,)), numbers(r, (count,))
    values += 100
    positions = aligned_copy(r.permutation(extent)[:count], np.int64)
    expected = array.copy()
    expected[positions] = values
    sizes = f"{count / MI:g} Mi of {extent / MI:g} Mi"
    return Job("random_elements", "Random elements", sizes,
               {"array": array, "positions": positions, "values": values}, expected)


JOBS = (histogram, embedding_gradient, kv_cache, table_rows, splat, strided_slice, random_elements)


def made(scale):
    """Each job in turn, with sizes divided by `scale`."""
    for make in JOBS:
        yield make(np.random.default_rng(1), scale)
