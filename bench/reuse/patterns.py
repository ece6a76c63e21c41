# SPDX-License-Identifier: Apache-2.0
"""The patterns: indices that stay the same in many calls, with operands, and the result by NumPy."""

import dataclasses
import math
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "jobs"))
from jobs import MI, aligned, aligned_copy, numbers  # noqa: E402

KI = 1024


class Pattern:
    """output = data, with updates at the targets: sums, or assignments. `targets` has the number of a row of the output
    for each row of the updates; `indices` are the same in the form that strew's operator takes."""

    def __init__(self, name, title, operator, r, values, targets, slice_shape=(), grid=None, extent=None,
                 index_shape=None):
        self.name, self.title, self.operator = name, title, operator
        self.targets, self.slice_shape = targets, slice_shape
        shape = (grid or (extent,)) + slice_shape
        self.rows, self.width = math.prod(grid or (extent,)), math.prod(slice_shape)
        indices = np.stack(np.unravel_index(targets, grid), axis=-1) if grid else targets.reshape(index_shape or (-1,))
        self.indices = aligned_copy(indices, np.int64)
        self.data = values(r, shape)
        self.updates = values(r, (index_shape or targets.shape) + slice_shape)
        self.output = aligned(shape, np.float32)
        self.expected = self.data.copy()
        at = tuple(np.moveaxis(self.indices, -1, 0)) if grid else self.indices
        if self.is_sum:
            np.add.at(self.expected, at, self.updates)
        else:
            self.expected[at] = self.updates

    @property
    def is_sum(self):
        return self.operator != "scatter_elements_update"

    @property
    def update_rows(self):
        """The updates as a matrix of a row for each target; without slices as a vector."""
        return self.updates.reshape((-1, self.width) if self.slice_shape else -1)

    @property
    def sizes(self):
        slices = "".join(f" × {n}" for n in self.slice_shape)
        return f"{count(self.targets.size)} into {count(self.rows)}{slices}"


def fractions(r, shape):
    """Floats of many magnitudes: their sums depend on the order."""
    result = aligned(shape, np.float32)
    np.ldexp(r.standard_normal(shape, np.float32), r.integers(-8, 8, shape, np.int8), out=result)
    return result


def count(number):
    for unit, name in ((MI, " Mi"), (KI, " Ki")):
        if number >= unit:
            return f"{number / unit:.3g}{name}"
    return f"{number}"


def zipf(r, extent, samples):
    """Numbers of which the k-th most common has a probability of 1 / k, in a random order."""
    probabilities = np.cumsum(1 / np.arange(1, extent + 1))
    ranks = np.searchsorted(probabilities, r.random(samples) * probabilities[-1])
    return r.permutation(extent)[np.minimum(ranks, extent - 1)]


def hexahedra(side):
    """The numbers of the eight nodes of each of side^3 hexahedra, in the order of a loop over z, y and x."""
    z, y, x = np.ogrid[:side, :side, :side]
    nodes = side + 1
    first = (z * nodes + y) * nodes + x
    corners = [(k * nodes + j) * nodes + i for k in (0, 1) for j in (0, 1) for i in (0, 1)]
    return np.stack([first + corner for corner in corners], axis=-1).reshape(-1, 8)


@dataclasses.dataclass(frozen=True)
class Recipe:
    """How a pattern is made: `make(r, scale)` returns the arguments of Pattern."""

    name: str
    title: str
    operator: str
    make: object

    def made(self, scale, values=numbers):
        r = np.random.default_rng(1)
        return Pattern(self.name, self.title, self.operator, r, values, **self.make(r, scale))


def line(extent, updates):
    def make(r, scale):
        size = max(extent // scale, 1)
        return {"extent": size, "targets": r.integers(0, size, max(updates // scale, 1))}

    return make


def rows(width, share):
    """A table of 32 MiB; share: updates for each row."""

    def make(r, scale):
        size = max(8 * MI // width // scale, 2)
        return {"extent": size, "slice_shape": (width,), "targets": r.integers(0, size, int(size * share))}

    return make


def elements_of_mesh(components):
    def make(r, scale):
        side = max(round(160 / scale ** (1 / 3)), 2)
        nodes = hexahedra(side)
        return {"extent": (side + 1) ** 3, "slice_shape": (components,) if components > 1 else (),
                "index_shape": nodes.shape, "targets": nodes.reshape(-1)}

    return make


def graph(draw):
    def make(r, scale):
        nodes, edges = max(128 * KI // scale, 2), max(2 * MI // scale, 1)
        return {"extent": nodes, "slice_shape": (64,), "targets": draw(r, nodes, edges)}

    return make


def tokens(r, scale):
    words = max(100_000 // scale, 2)
    return {"extent": words, "slice_shape": (128,), "targets": zipf(r, words, max(64 * KI // scale, 1))}


def grid(r, scale):
    side = max(round(2048 / scale**0.5), 2)
    return {"grid": (side, side), "targets": r.integers(0, side * side, max(4 * MI // scale, 1))}


def uniform(r, nodes, edges):
    return r.integers(0, nodes, edges)


RECIPES = (
    *(Recipe(f"sum_{extent}m_{updates}m", f"1-D sum, {updates} M into {extent} M", "index_add",
             line(extent * MI, updates * MI)) for extent, updates in ((4, 4), (4, 8), (64, 64), (64, 128))),
    Recipe("elements_4m_4m", "the same as elements, 4 M into 4 M", "scatter_elements_sum", line(4 * MI, 4 * MI)),
    *(Recipe(f"rows_{width}_{name}", f"rows of {width}, {title}", "index_add", rows(width, share))
      for width in (4, 8, 16, 32, 64) for name, title, share in (("half", "half as many updates", 0.5),
                                                                 ("all", "as many updates", 1))),
    Recipe("mesh", "finite elements, 160³ hexahedra", "index_add", elements_of_mesh(1)),
    Recipe("mesh_3", "the same, 3 components", "index_add", elements_of_mesh(3)),
    Recipe("graph_uniform", "graph, random edges", "index_add", graph(uniform)),
    Recipe("graph_power", "graph, power law", "index_add", graph(zipf)),
    Recipe("embedding", "embedding gradient", "index_add", tokens),
    Recipe("grid", "multi-indices, 2048 × 2048", "scatter_nd_sum", grid),
    Recipe("assign_4m", "1-D assignment, 4 M into 4 M", "scatter_elements_update", line(4 * MI, 4 * MI)),
    Recipe("assign_64m", "1-D assignment, 64 M into 64 M", "scatter_elements_update", line(64 * MI, 64 * MI)),
)  # fmt: skip
