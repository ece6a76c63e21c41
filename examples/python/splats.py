# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Points to pictures: sums, counts and maxima on a grid
#
# A cloud of points becomes a picture by scatters: the sum of the brightness of the points in each pixel, their number,
# the brightest of them. The cells below run one after the other in any editor that knows `# %%`, or all at once:
# `python splats.py [picture.png]`.

# %%
import sys

import numpy as np

import strew

# %% [markdown]
# A million points on two spirals, and the pixel of each: a row and a column. The pixels of some points lie outside of
# the picture.

# %%
random = np.random.default_rng(1)
count, size = 1_000_000, 512
turn = random.random(count) ** 0.5 * 4 * np.pi
arm = random.integers(0, 2, count) * np.pi
radius = turn / (4 * np.pi) * 300 + random.normal(0, 9, count)
row = np.rint(size / 2 + radius * np.sin(turn + arm)).astype(np.int32)
column = np.rint(size / 2 + radius * np.cos(turn + arm)).astype(np.int32)
brightness = (1 / (1 + turn)).astype(np.float32)
print(f"{np.count_nonzero((row < 0) | (row >= size) | (column < 0) | (column >= size))} points are outside")

# %% [markdown]
# An index out of bounds is an error before anything is written. It says which:

# %%
total = np.zeros((size, size), np.float32)
try:
    strew.index_put(total, (row, column), brightness, "sum", out=total)
except strew.OutOfBoundsError as error:
    print(error)
assert not total.any()

# %% [markdown]
# Here points outside are not errors: `mode="drop"` leaves them out. The sums have the same bits on two threads.

# %%
strew.index_put(total, (row, column), brightness, "sum", mode="drop", out=total)
again = strew.index_put(np.zeros_like(total), (row, column), brightness, "sum", mode="drop", threads=2)
assert total.tobytes() == again.tobytes()
counts = strew.index_put(np.zeros((size, size), np.int32), (row, column), 1, "sum", mode="drop")

# %% [markdown]
# The brightest point of each pixel: multi-indices, one row for each point.

# %%
places = np.stack([row, column], axis=1)
brightest = strew.v15.scatter_nd_update(np.zeros_like(total), places, brightness, "max", mode="drop")

# %% [markdown]
# The points move through a hundred frames, each in its own pixel: the indices stay the same, the brightness changes. They are bound
# once; runs neither read nor check them.

# %%
inside = (row >= 0) & (row < size) & (column >= 0) & (column < size)
pixels, lights = (row * size + column)[inside], brightness[inside]
frame = np.zeros(size * size, np.float32)
bound = strew.prepare(strew.index_add, frame, 0, pixels, lights).bind(pixels)
frames = [bound.run(frame, lights * np.float32(k)).sum() for k in range(5)]
assert np.allclose(frames, [k * frames[1] for k in range(5)], rtol=1e-3)

# %% [markdown]
# The three pictures.

# %%
if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(12, 4.4))
    for axis, (title, picture) in zip(
        axes, (("sum of brightness", total), ("number of points", counts), ("brightest point", brightest))
    ):
        axis.imshow(np.log1p(picture), cmap="magma")
        axis.set_title(title)
        axis.axis("off")
    figure.tight_layout()
    figure.savefig(sys.argv[1], dpi=60)
