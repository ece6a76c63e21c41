# SPDX-License-Identifier: Apache-2.0
"""The examples at the end of each operator's --help, run on small files and compared with plain loops."""

import re
import shlex
import unittest

import numpy as np

from driver import ProgramTest

DATA = np.arange(20, dtype="f4").reshape(4, 5)
SQUARE = np.arange(16, dtype="f4").reshape(4, 4)
ROWS = np.array([3, 0])
COLUMNS = np.array([4, 1])
ELEMENTS = np.array([[1, 1], [0, 3], [2, 0], [4, 4]])  # of each row of DATA two columns
FROM_END = np.array([[1, -1], [0, 3], [-2, 0], [4, -5]])
PAIRS = np.array([[0, 1], [3, 4], [0, 1]])  # a row and a column of DATA each
PAIRS_FROM_END = np.array([[0, 1], [-1, 4], [0, -4]])
NUMBERS = np.array([0, 7, -1])  # row-major ones
MASK = (np.arange(20) % 3 == 0).reshape(4, 5)
CACHE = np.zeros((2, 6, 3), "f4")


def like(*shape):
    return np.arange(100, 100 + np.prod(shape, dtype=int), dtype="f4").reshape(shape)


def assigned(data, updates, target_of):
    """Data after each update, in row-major order, was written to the target of its position; None: no target."""
    return reduced(data, updates, target_of, lambda current, update: update)


def reduced(data, updates, target_of, combine):
    out = data.copy()
    for position in np.ndindex(updates.shape):
        target = target_of(*position)
        if target is not None:
            out[target] = combine(out[target], updates[position])
    return out


def add(current, update):
    return current + update


def multiply(current, update):
    return current * update


def mean_of_updates(data, updates, target_of):
    out, of = data.copy(), {}
    for position in np.ndindex(updates.shape):
        of.setdefault(target_of(*position), []).append(updates[position])
    for target, met in of.items():
        out[target] = sum(met) / np.float32(len(met))
    return out


def by_mask(data, mask, updates):
    out, taken = data.copy(), iter(updates.ravel())
    for position in np.ndindex(data.shape):
        if mask[position]:
            out[position] = next(taken)
    return out


def in_row(indices):
    return lambda i, j: (i, indices[i, j])


def row(i, j):
    return (ROWS[i], j)


def column(i, j):
    return (i, COLUMNS[j])


def pair(k):
    return tuple(PAIRS_FROM_END[k])


def number(k):
    return np.unravel_index(NUMBERS[k] % 20, (4, 5))


# By the operator and its arguments: the files, and the expected result.
ELEMENTWISE = {"data": DATA, "indices": ELEMENTS, "updates": like(4, 2)}
FROM_ENDS = {**ELEMENTWISE, "indices": FROM_END}
EXAMPLES = {
    "slice_scatter --start 1 --stop 9 --step 2 --axes 1 data.npy updates.npy -o out.npy": (
        {"data": DATA, "updates": like(4, 2)}, lambda data, updates: assigned(data, updates, lambda i, j: (i, 1 + 2 * j))),
    "slice_scatter --step -1 --axes 1 data.npy updates.npy -o out.npy": (
        {"data": DATA, "updates": like(4, 5)}, lambda data, updates: assigned(data, updates, lambda i, j: (i, 4 - j))),
    "slice_scatter --start -2 --value 0 data.npy --in-place": (
        {"data": DATA}, lambda data: assigned(data, np.zeros((2, 5), "f4"), lambda i, j: (2 + i, j))),
    "scatter_update data.npy rows.npy updates.npy -o out.npy": (
        {"data": DATA, "rows": ROWS, "updates": like(2, 5)},
        lambda data, rows, updates: assigned(data, updates, row)),
    "scatter_update --axis 1 --bad-indices drop data.npy columns.npy updates.npy --in-place": (
        {"data": DATA, "columns": np.array([4, 9]), "updates": like(4, 2)},
        lambda data, columns, updates: assigned(data, updates, lambda i, j: (i, 4) if j == 0 else None)),
    "scatter_elements_update --axis 1 data.npy indices.npy updates.npy -o out.npy": (
        ELEMENTWISE, lambda data, indices, updates: assigned(data, updates, in_row(indices))),
    "onnx_scatter --axis 1 data.npy indices.npy updates.npy -o out.npy": (
        FROM_ENDS, lambda data, indices, updates: assigned(data, updates, in_row(indices))),
    "scatter_elements --axis 1 --reduction max data.npy indices.npy updates.npy -o out.npy": (
        FROM_ENDS, lambda data, indices, updates: reduced(data, updates, in_row(indices), max)),
    "scatter_elements --axis 1 --reduction mean --without-init data.npy indices.npy updates.npy -o out.npy": (
        FROM_ENDS, lambda data, indices, updates: mean_of_updates(data, updates, in_row(indices % 5))),
    "onnx_scatter_elements --axis -1 --reduction sum data.npy indices.npy updates.npy -o out.npy": (
        FROM_ENDS, lambda data, indices, updates: reduced(data, updates, in_row(indices), add)),
    "scatter --axis 1 data.npy indices.npy updates.npy -o out.npy": (
        ELEMENTWISE, lambda data, indices, updates: assigned(data, updates, in_row(indices))),
    "scatter --axis 1 --value 0 data.npy indices.npy -o out.npy": (
        {"data": DATA, "indices": ELEMENTS},
        lambda data, indices: assigned(data, np.zeros((4, 2), "f4"), in_row(indices))),
    "scatter_add --axis 1 data.npy indices.npy updates.npy -o out.npy": (
        ELEMENTWISE, lambda data, indices, updates: reduced(data, updates, in_row(indices), add)),
    "scatter_add --value 1 counts.npy bins.npy --in-place": (
        {"counts": np.zeros(9, "i4"), "bins": np.array([2, 7, 2, 0, 2])},
        lambda counts, bins: reduced(counts, np.ones(5, "i4"), lambda k: bins[k], add)),
    "scatter_reduce --axis 1 --reduction prod data.npy indices.npy updates.npy -o out.npy": (
        ELEMENTWISE, lambda data, indices, updates: reduced(data, updates, in_row(indices), multiply)),
    "put_along_axis --axis -1 data.npy indices.npy updates.npy -o out.npy": (
        FROM_ENDS, lambda data, indices, updates: assigned(data, updates, in_row(indices))),
    "index_copy --axis 1 data.npy columns.npy updates.npy -o out.npy": (
        {"data": DATA, "columns": COLUMNS, "updates": like(4, 2)},
        lambda data, columns, updates: assigned(data, updates, column)),
    "index_add data.npy rows.npy updates.npy --in-place": (
        {"data": DATA, "rows": ROWS, "updates": like(2, 5)},
        lambda data, rows, updates: reduced(data, updates, row, add)),
    "index_add --alpha -1 data.npy rows.npy updates.npy -o out.npy": (
        {"data": DATA, "rows": ROWS, "updates": like(2, 5)},
        lambda data, rows, updates: reduced(data, -updates, row, add)),
    "index_reduce --reduction max data.npy rows.npy updates.npy -o out.npy": (
        {"data": DATA, "rows": ROWS, "updates": like(2, 5) % 20},
        lambda data, rows, updates: reduced(data, updates, row, max)),
    "index_fill --axis 1 --value -1 data.npy columns.npy -o out.npy": (
        {"data": DATA, "columns": COLUMNS},
        lambda data, columns: assigned(data, np.full((4, 2), -1, "f4"), column)),
    "scatter_nd_update data.npy indices.npy updates.npy -o out.npy": (
        {"data": DATA, "indices": PAIRS, "updates": like(3)},
        lambda data, indices, updates: assigned(data, updates, pair)),
    "scatter_nd --reduction sum data.npy indices.npy updates.npy -o out.npy": (
        {"data": DATA, "indices": PAIRS_FROM_END, "updates": like(3)},
        lambda data, indices, updates: reduced(data, updates, pair, add)),
    "onnx_scatter_nd --reduction max data.npy indices.npy updates.npy -o out.npy": (
        {"data": DATA, "indices": PAIRS_FROM_END, "updates": like(3) % 20},
        lambda data, indices, updates: reduced(data, updates, pair, max)),
    "index_put data.npy rows.npy columns.npy updates.npy -o out.npy": (
        {"data": DATA, "rows": ROWS, "columns": COLUMNS, "updates": like(2)},
        lambda data, rows, columns, updates: assigned(data, updates, lambda k: (rows[k], columns[k]))),
    "index_put --reduction sum --value 1 data.npy rows.npy columns.npy --in-place": (
        {"data": DATA, "rows": np.array([1, 1]), "columns": np.array([2, 2])},
        lambda data, rows, columns: reduced(data, np.ones(2, "f4"), lambda k: (rows[k], columns[k]), add)),
    "put data.npy indices.npy updates.npy -o out.npy": (
        {"data": DATA, "indices": NUMBERS, "updates": like(3)},
        lambda data, indices, updates: assigned(data, updates, number)),
    "put --bad-indices wrap --value 0 data.npy indices.npy --in-place": (
        {"data": DATA, "indices": NUMBERS + 20},
        lambda data, indices: assigned(data, np.zeros(3, "f4"), number)),
    "select_scatter --index -1 data.npy updates.npy -o out.npy": (
        {"data": DATA, "updates": like(5)}, lambda data, updates: assigned(data, updates, lambda j: (3, j))),
    "diagonal_scatter --offset 1 data.npy updates.npy -o out.npy": (
        {"data": SQUARE, "updates": like(3)}, lambda data, updates: assigned(data, updates, lambda k: (k, k + 1))),
    "diagonal_scatter --value 1 data.npy --in-place": (
        {"data": SQUARE}, lambda data: assigned(data, np.ones(4, "f4"), lambda k: (k, k))),
    "masked_scatter data.npy mask.npy updates.npy -o out.npy": (
        {"data": DATA, "mask": MASK, "updates": like(7)}, by_mask),
    "masked_fill --value nan data.npy mask.npy -o out.npy": (
        {"data": DATA, "mask": MASK}, lambda data, mask: by_mask(data, mask, np.full(7, np.nan, "f4"))),
    "onnx_tensor_scatter cache.npy keys.npy positions.npy --in-place": (
        {"cache": CACHE, "keys": like(2, 2, 3), "positions": np.array([0, 4])},
        lambda cache, keys, positions: assigned(cache, keys, lambda b, t, d: (b, positions[b] + t, d))),
    "onnx_tensor_scatter --axis 1 --mode circular cache.npy keys.npy positions.npy -o out.npy": (
        {"cache": CACHE, "keys": like(2, 2, 3), "positions": np.array([5, 9])},
        lambda cache, keys, positions: assigned(cache, keys, lambda b, t, d: (b, (positions[b] + t) % 6, d))),
}  # fmt: skip


class Examples(ProgramTest):
    def operators(self):
        listed = re.search(r"\nSubcommands:\n(.*?)\n\n", self.succeed("--help"), re.DOTALL)[1]
        return [line.split()[0] for line in listed.splitlines()]

    def examples(self, operator):
        """The command lines with which its help ends."""
        last = self.succeed(operator, "--help").split("\n\n")[-1]
        return re.search(r"^Examples:\n((?:  strew-npy [^\n]+\n)+)\Z", last, re.MULTILINE)[1].splitlines()

    def test_each_help_ends_with_one_to_three_of_that_operator(self):
        listed = []
        for operator in self.operators():
            with self.subTest(operator=operator):
                examples = self.examples(operator)
                self.assertIn(len(examples), (1, 2, 3))
                for line in examples:
                    self.assertTrue(line.startswith(f"  strew-npy {operator} "), line)
                    self.assertLess(len(line), 120)
                listed += [line.removeprefix("  strew-npy ") for line in examples]
        self.assertEqual(sorted(listed), sorted(EXAMPLES))

    def test_they_do_what_plain_loops_do(self):
        for command, (files, expected_of) in EXAMPLES.items():
            with self.subTest(command=command):
                for name, array in files.items():
                    self.save(f"{name}.npy", array)
                before = self.path(f"{list(files)[0]}.npy").read_bytes()
                arguments = shlex.split(command)
                self.assertLessEqual({word for word in arguments if word.endswith(".npy")},
                                     {"out.npy", *(f"{name}.npy" for name in files)})  # fmt: skip
                self.assertEqual(self.succeed(*arguments, "--check"), "")
                self.succeed(*arguments)
                result = f"{list(files)[0]}.npy" if arguments[-1] == "--in-place" else "out.npy"
                self.assert_file_holds(result, expected_of(*files.values()), before)

    def test_the_top_help_has_one_of_them(self):
        example = re.search(r"^Example: strew-npy ([^\n]+)$", self.succeed("--help"), re.MULTILINE)[1]
        self.assertIn(example, EXAMPLES)


if __name__ == "__main__":
    unittest.main(verbosity=2)
