# SPDX-License-Identifier: Apache-2.0
"""How a pattern is computed: by strew's forms of the call, and by products and segments of other libraries, whose
set-up, like that of a bound call, is made once and reads the indices only."""

import dataclasses
import functools
from collections.abc import Callable

import numpy as np

import strew_calls
from cases import aligned  # of the peers

try:
    import scipy
    import scipy.sparse
except ImportError:
    scipy = None
try:
    import torch
except ImportError:
    torch = None
try:
    import eigen_product
except ImportError:
    eigen_product = None


@dataclasses.dataclass
class Way:
    run: Callable
    returns_sums: bool = False  # run returns the sums of the updates alone, rather than writing the output


def scratch(size):
    """Memory of which every page has been written."""
    memory = aligned((size,), np.uint8)
    memory.fill(0)
    return memory


class Strew:
    """The forms of a call. `bytes` are those of the memory that each needs, and of the workspaces."""

    def __init__(self, pattern, threads):
        strew_calls.use_threads(threads)
        self.make_call = functools.partial(getattr(strew_calls, pattern.operator), pattern.data, pattern.indices,
                                           pattern.updates, pattern.output)
        call = self.call = self.make_call()
        self.kept = scratch(call.bound_bytes)
        call.bind(self.kept)
        self.bytes = {"kept": call.bound_bytes, "workspace": call.workspace_bytes,
                      "bound_workspace": call.bound_workspace_bytes}
        self.ways = {"plain": Way(call.plain), "prepared": Way(call.prepared), "bound": Way(call.bound)}
        memory = scratch(max(self.bytes["workspace"], self.bytes["bound_workspace"]))
        for form in ("plain", "prepared", "bound"):
            size = self.bytes["bound_workspace" if form == "bound" else "workspace"]
            if size > 0:
                run = getattr(call, form + "_with_workspace")
                self.ways[form + "_with_workspace"] = Way(functools.partial(run, memory[:size]))
        # Not ways, since they do not write the output.
        other = self.make_call()
        self.set_ups = {"bind": functools.partial(other.bind, self.kept), "set_up": self.set_up}

    def set_up(self):
        """All that comes before the first run of a bound call, memory included."""
        call = self.make_call()
        call.bind(aligned((call.bound_bytes,), np.uint8))


class Products:
    """The updates as a matrix, multiplied by one of ones, a row for each target; and segments of sorted updates."""

    def __init__(self, pattern):
        self.pattern = pattern
        if scipy is None or not pattern.is_sum:
            self.matrix = None
            return
        updates = pattern.targets.size
        at = (pattern.targets.astype(np.int32), np.arange(updates, dtype=np.int32))
        self.matrix = scipy.sparse.coo_matrix((np.ones(updates, np.float32), at), (pattern.rows, updates)).tocsr()

    def ways(self, threads):
        if self.matrix is None:
            return {}
        pattern, matrix = self.pattern, self.matrix
        updates = pattern.update_rows
        ways = {"SciPy": Way(lambda: matrix @ updates, returns_sums=True)}
        if eigen_product is not None:
            eigen_product.use_threads(threads)
            ways["Eigen"] = Way(functools.partial(
                eigen_product.add_product, matrix.indptr, matrix.indices, matrix.data, pattern.data, updates,
                pattern.output))
        if torch is not None:
            torch.set_num_threads(threads)
            ways |= self.ways_of_torch(updates)
        return ways

    def ways_of_torch(self, updates):
        pattern, matrix = self.pattern, self.matrix
        starts, order, ones = (torch.from_numpy(array) for array in (matrix.indptr, matrix.indices, matrix.data))
        rows, targets = torch.from_numpy(updates), torch.from_numpy(pattern.targets)
        output = torch.from_numpy(pattern.output).view(pattern.rows, *updates.shape[1:])
        data = torch.from_numpy(pattern.data).view(output.shape)
        offsets = starts.long()
        with_values = torch.sparse_csr_tensor(starts, order, ones, matrix.shape, check_invariants=False)

        def segment_reduce():
            return torch.segment_reduce(rows.index_select(0, order), "sum", offsets=offsets, axis=0, unsafe=True,
                                        initial=0).numpy()

        def index_add():
            output.copy_(data)
            output.index_add_(0, targets, rows)

        return {
            "PyTorch, sparse": Way(lambda: (with_values @ rows).numpy(), returns_sums=True),
            "PyTorch, segments": Way(segment_reduce, returns_sums=True),
            "PyTorch, index_add_": Way(index_add),
        }


def versions():
    found = {"NumPy": np.__version__}
    if scipy is not None:
        found["SciPy"] = scipy.__version__
    if eigen_product is not None:
        found["Eigen"] = eigen_product.version
    if torch is not None:
        found["PyTorch"] = torch.__version__
    return found
