# SPDX-License-Identifier: Apache-2.0
"""Every operator on files that NumPy wrote, against NumPy's slice assignment and plain loops."""

import itertools
import os
import unittest

import numpy as np

from driver import (
    IS_FOR_WINDOWS,
    ELEMENT_TYPES,
    INDEX_TYPES,
    OTHER_BYTE_ORDER,
    ProgramTest,
    counting,
    header_size,
    mirrored,
    random_array,
    raw_file,
    scatter_elements,
    scatter_update,
    slice_scatter,
    some,
    with_byte_orders,
)

SLICE = ["slice_scatter", "--start", "0,-1", "--stop", "4,-9", "--step", "2,-2", "--axes", "-1,1"]


class Operators(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(20240229)

    def array(self, shape, dtype="f4", order="C"):
        return random_array(self.rng, shape, dtype, order)

    def check_slice(self, data, updates, start, stop, step, axes=None):
        self.save("data.npy", data)
        self.save("updates.npy", updates)
        lists = {"start": start, "stop": stop, "step": step}
        if axes is not None:
            lists["axes"] = axes
        options = [f"--{name}={','.join(map(str, values))}" for name, values in lists.items()]
        self.check(
            ["slice_scatter", *options, "data.npy", "updates.npy"],
            slice_scatter(data, updates, start, stop, step, axes),
        )

    def check_scatter(self, operator, data, indices, updates, axis):
        self.save("data.npy", data)
        self.save("indices.npy", indices)
        self.save("updates.npy", updates)
        oracle = scatter_update if operator == "scatter_update" else scatter_elements
        self.check(
            [operator, "--axis", axis, "data.npy", "indices.npy", "updates.npy"], oracle(data, indices, updates, axis)
        )

    def test_every_element_type_in_both_byte_orders_and_both_array_orders(self):
        indices = np.array([3, 0])
        elements = self.rng.integers(0, 4, (2, 3, 2))
        signed = np.where(self.rng.integers(0, 2, elements.shape), elements, elements - 4)
        with counting(self, "element types"):
            for dtype, order, updates_order in some(itertools.product(with_byte_orders(ELEMENT_TYPES), "CF", "CF")):
                with self.subTest(dtype=dtype, order=order, updates_order=updates_order):
                    data = self.array((4, 3, 5), dtype, order)
                    self.check_slice(
                        data, self.array((4, 2, 2), dtype, updates_order), [0, -1], [4, -9], [2, -2], [-1, 1]
                    )
                    self.check_scatter("scatter_update", data, indices, self.array((2, 3, 5), dtype, updates_order), 0)
                    updates = self.array(elements.shape, dtype, updates_order)
                    self.check_scatter("scatter_elements_update", data, elements, updates, -3)
                    self.check_scatter("onnx_scatter", data, signed, updates, 0)

    def reduced(self, arguments, data, indices, updates, expected):
        self.save("data.npy", data)
        self.save("indices.npy", indices)
        self.save("updates.npy", updates)
        self.check([*arguments, "data.npy", "indices.npy", "updates.npy"], expected)

    def test_reductions(self):
        combine = {"sum": np.add, "prod": np.multiply, "min": np.minimum, "max": np.maximum}
        with counting(self, "reductions"):
            for dtype, reduction in itertools.product(["i1", "u2", "i8", "f4", "f8"], combine):
                with self.subTest(dtype=dtype, reduction=reduction):
                    data = self.rng.integers(0, 5, (4, 3)).astype(dtype)
                    indices = self.rng.integers(-4, 4, (5, 3))
                    updates = self.rng.integers(0, 5, (5, 3)).astype(dtype)
                    expected = data.copy()
                    combine[reduction].at(expected, (indices, np.arange(3)), updates)
                    self.reduced(["scatter_elements", "--reduction", reduction], data, indices, updates, expected)
                    tuples = self.rng.integers(0, 3, (6, 2))
                    updates = self.rng.integers(0, 5, 6).astype(dtype)
                    expected = data.copy()
                    combine[reduction].at(expected, tuple(tuples.T), updates)
                    self.reduced(["scatter_nd", "--reduction", reduction], data, tuples, updates, expected)
                    rows = self.rng.integers(0, 3, 4)
                    updates = self.rng.integers(0, 5, (4, 4)).astype(dtype)
                    expected = data.copy()
                    combine[reduction].at(expected, (slice(None), rows), updates)
                    self.reduced(["index_reduce", "--axis", "1", "--reduction", reduction], data, rows, updates, expected)

    def test_reductions_of_other_kinds(self):
        data = np.arange(6, dtype="i4").reshape(2, 3)
        numbers = np.array([1, -1, 1])
        updates = np.array([10, 20, 30], dtype="i4")
        self.reduced(["put"], data, numbers, updates, np.array([[0, 30, 2], [3, 4, 20]], dtype="i4"))
        self.reduced(["put", "--reduction", "add"], data, numbers, updates,
                     np.array([[0, 41, 2], [3, 4, 25]], dtype="i4"))  # fmt: skip
        line = np.array([1, 2, 3, 4], dtype="i4")
        self.reduced(["scatter_elements", "--reduction", "mean", "--without-init"], line, np.array([0, 0, 2]),
                     np.array([3, 4, -1], dtype="i4"), np.array([3, 2, -1, 4], dtype="i4"))  # fmt: skip
        truths = np.array([True, False])
        self.reduced(["scatter_nd", "--reduction", "sub"], truths, np.array([[0], [1]]), np.array([True, True]),
                     np.array([False, True]))  # fmt: skip

    def test_booleans_whose_bytes_are_neither_0_nor_1(self):
        def truths(*values):
            return np.array(values, dtype="u1").view(bool)

        data, numbers, updates = truths(4, 3, 9, 7), np.array([0, 1, 2]), truths(2, 0, 0)
        for reduction, expected in {
            "sub": truths(0, 1, 1, 7),
            "sum": truths(1, 1, 1, 7),
            "prod": truths(1, 0, 0, 7),
            "min": truths(1, 0, 0, 7),
            "max": truths(1, 1, 1, 7),
            "none": truths(2, 0, 0, 7),
        }.items():
            with self.subTest(reduction=reduction):
                self.reduced(["scatter_nd", "--reduction", reduction], data, numbers[:, None], updates, expected)
        self.reduced(["index_reduce", "--axis", "0", "--reduction", "sum", "--without-init"], data,
                     np.array([0, 1, 1]), truths(8, 2, 4), truths(8, 1, 9, 7))  # fmt: skip

    def test_every_index_type_in_both_byte_orders_and_both_array_orders(self):
        data = self.array((5, 6))
        rows = self.array((5, 2, 3))
        elements = self.array((4, 3))
        with counting(self, "index types"):
            for dtype, order in some(itertools.product(with_byte_orders(INDEX_TYPES), "CF")):
                with self.subTest(dtype=dtype, order=order):
                    row_indices = np.array([[5, 0, 3], [1, 0, 2]]).astype(dtype, order=order)
                    self.check_scatter("scatter_update", data, row_indices, rows, 1)
                    element_indices = self.rng.integers(0, 5, (4, 3)).astype(dtype, order=order)
                    self.check_scatter("scatter_elements_update", data, element_indices, elements, 0)
                    if dtype.kind == "i":
                        element_indices = self.rng.integers(-6, 6, (4, 3)).astype(dtype, order=order)
                    self.check_scatter("onnx_scatter", data, element_indices, elements, 1)

    def test_slices_of_every_direction_and_any_bounds(self):
        with counting(self, "random slices"):
            for _ in some(range(150)):
                shape = tuple(self.rng.integers(0, 7, self.rng.integers(1, 5)))
                count = int(self.rng.integers(1, len(shape) + 1))
                axes = [int(axis) for axis in self.rng.permutation(len(shape))[:count]]
                start, stop = self.rng.integers(-9, 10, (2, count)).tolist()
                step = [int(step) for step in self.rng.choice([-5, -3, -2, -1, 1, 2, 3, 5], count)]
                named = axes if self.rng.integers(0, 2) else None
                slices = [slice(None)] * len(shape)
                for k, axis in enumerate(range(count) if named is None else axes):
                    slices[axis] = slice(start[k], stop[k], step[k])
                orders = self.rng.choice(["C", "F"], 2)
                data = self.array(shape, "i2", orders[0])
                updates = self.array(data[tuple(slices)].shape, "i2", orders[1])
                with self.subTest(shape=shape, start=start, stop=stop, step=step, axes=named):
                    self.check_slice(data, updates, start, stop, step, named)

    def test_random_scatters(self):
        with counting(self, "random scatters"):
            for _ in some(range(60)):
                shape = tuple(self.rng.integers(1, 5, self.rng.integers(1, 5)))
                axis = int(self.rng.integers(-len(shape), len(shape)))
                extent = shape[axis]
                data = self.array(shape, "f8", self.rng.choice(["C", "F"]))
                with self.subTest(shape=shape, axis=axis):
                    indices = self.rng.integers(0, extent, self.rng.integers(0, 4, self.rng.integers(0, 3)))
                    indices = np.asarray(indices)  # of rank 0 too
                    k = axis % len(shape)
                    rows = self.array(shape[:k] + indices.shape + shape[k + 1 :], "f8", self.rng.choice(["C", "F"]))
                    self.check_scatter("scatter_update", data, indices, rows, axis)
                    part = tuple(self.rng.integers(0, n + 1) for n in shape)
                    updates = self.array(part, "f8")
                    self.check_scatter(
                        "scatter_elements_update", data, self.rng.integers(0, extent, part), updates, axis
                    )
                    longer = part[:k] + (int(self.rng.integers(0, 9)),) + part[k + 1 :]  # more than data has: ONNX only
                    self.check_scatter(
                        "onnx_scatter", data, self.rng.integers(-extent, extent, longer), self.array(longer, "f8"), axis
                    )

    def test_the_document_s_example_with_lists_after_a_space(self):
        data = np.arange(10, dtype="f4").reshape(2, 5)
        self.save("data.npy", data)
        self.save("updates.npy", np.array([[10, 20, 30], [40, 50, 60]], "f4"))
        expected = np.array([[10, 1, 20, 3, 30], [40, 6, 50, 8, 60]], "f4")
        self.check(
            [
                "slice_scatter",
                "--start",
                "-25",
                "--stop",
                "25",
                "--step",
                "2",
                "--axes",
                "1",
                "data.npy",
                "updates.npy",
            ],
            expected,
        )

    def test_negative_numbers_in_lists(self):
        data = self.array((4, 3, 5), "u1")
        updates = self.array((4, 2, 2), "u1")
        expected = slice_scatter(data, updates, [-2, -1], [-9, -3], [-2, -1], [-1, 1])
        for separate in (True, False):
            self.save("data.npy", data)
            self.save("updates.npy", updates)
            arguments = ["slice_scatter", "data.npy", "updates.npy"]
            for name, value in (("--start", "-2,-1"), ("--stop", "-9,-3"), ("--step", "-2,-1"), ("--axes", "-1,1")):
                arguments += [name, value] if separate else [f"{name}={value}"]
            self.check(arguments, expected)

    def test_onnx_scatter_works_on_axis_0_unless_told_otherwise(self):
        data = self.array((3, 2))
        indices = np.array([[-1, 0]])
        updates = self.array((1, 2))
        for name, array in (("data", data), ("indices", indices), ("updates", updates)):
            self.save(f"{name}.npy", array)
        self.check(
            ["onnx_scatter", "data.npy", "indices.npy", "updates.npy"], scatter_elements(data, indices, updates, 0)
        )

    def test_the_last_of_equal_indices_wins(self):
        data = self.array((3, 2))
        self.check_scatter("scatter_update", data, np.array([1, 1, 2, 1]), self.array((4, 2)), 0)
        self.check_scatter("onnx_scatter", data, np.array([[1, 1, -1, 1]]), self.array((1, 4)), 1)

    def test_empty_arrays(self):
        self.check_slice(self.array((2, 0, 4)), self.array((1, 0, 4)), [0], [1], [1])
        self.check_slice(self.array((0,)), self.array((0,)), [3], [-3], [-1])
        self.check_scatter("scatter_update", self.array((2, 0, 4)), np.zeros((0, 3), "i8"), self.array((2, 0, 3, 4)), 1)
        self.check_scatter("scatter_elements_update", self.array((0, 3)), np.zeros((0, 3), "u2"), self.array((0, 3)), 0)
        self.check_scatter("onnx_scatter", self.array((2, 3)), np.zeros((2, 0), ">i4"), self.array((2, 0)), 1)

    def test_as_many_axes_as_numpy_has(self):
        rank = 32  # of any NumPy; version 2 has 64
        shape = (2,) * 6 + (1,) * (rank - 7) + (3,)
        self.check_slice(self.array(shape, "i4", "F"), self.array(shape[:-1] + (2,), "i4"), [2], [-9], [-2], [rank - 1])
        self.check_scatter(
            "scatter_elements_update", self.array(shape), self.rng.integers(0, 3, shape), self.array(shape), -1
        )

    def test_every_format_version(self):
        data = self.array((4, 3), ">f8", "F")
        indices = np.array([2, 0], "i4")
        updates = self.array((4, 2), ">f8")
        for version in ((1, 0), (2, 0), (3, 0)):
            with self.subTest(version=version):
                self.save("data.npy", data, version)
                self.save("indices.npy", indices, version)
                self.save("updates.npy", updates, version)
                self.check(
                    ["scatter_update", "--axis=1", "data.npy", "indices.npy", "updates.npy"],
                    scatter_update(data, indices, updates, 1),
                )

    def test_headers_of_other_writers(self):
        elements = np.arange(6, dtype="<i4").tobytes()
        self.save("updates.npy", mirrored(np.array([[70, 80, 90]], "<i4")))  # little-endian for each program
        expected = mirrored(np.array([[70, 80, 90], [3, 4, 5]], "<i4"))
        for header in (
            "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}",
            "{'shape':(2,3,),'fortran_order':False,'descr':'<i4'}\n",
            '{"descr": "<i4", "fortran_order": False, "shape": (2, 3), }   \n',
            "{ 'fortran_order' : False ,\n 'descr' : '<i4' , 'shape' : ( 2 , 3 ) , }",
            "{'descr': '<i4', 'fortran_order': False, 'shape': (2L, 3L), }",
        ):
            with self.subTest(header=header):
                self.path("data.npy").write_bytes(raw_file(header, elements))
                self.check(["slice_scatter", "--start=0", "--stop=1", "--step=1", "data.npy", "updates.npy"], expected)

    def test_elements_at_any_address(self):
        # A header of any length: elements and indices may lie at addresses that are no multiple of their size.
        data = self.array((3, 2), "c16")
        indices = np.array([2, 0], "i8")
        updates = self.array((2, 2), "c16")
        for padding in range(17):
            with self.subTest(padding=padding):
                for name, array in (("data", data), ("indices", indices), ("updates", updates)):
                    array = mirrored(array)
                    header = repr(np.lib.format.header_data_from_array_1_0(array)) + " " * padding
                    self.path(f"{name}.npy").write_bytes(raw_file(header, array.tobytes()))
                self.check(
                    ["scatter_update", "--axis=0", "data.npy", "indices.npy", "updates.npy"],
                    scatter_update(data, indices, updates, 0),
                )

    @unittest.skipIf(IS_FOR_WINDOWS, "Windows replaces no file that is mapped")
    def test_the_output_may_be_any_input(self):
        data = self.array((3, 2), "i8")
        indices = np.array([2, 0])
        updates = self.array((2, 2), "i8")
        expected = scatter_update(data, indices, updates, 0)
        for target in ("data.npy", "indices.npy", "updates.npy"):
            with self.subTest(target=target):
                for name, array in (("data", data), ("indices", indices), ("updates", updates)):
                    self.save(f"{name}.npy", array)
                self.succeed("scatter_update", "--axis=0", "data.npy", "indices.npy", "updates.npy", "-o", target)
                self.assertEqual(self.load(target).tobytes(), expected.tobytes())
                self.assertEqual(len(self.contents()), 3)

    def test_names_in_any_script(self):
        data = self.array((4,), "f4")
        self.save("dätä 数.npy", data)
        self.succeed("slice_scatter", "--start=1", "--value=7", "dätä 数.npy", "-o", "πλάκα.npy")
        self.assertEqual(self.load("πλάκα.npy").tolist()[1:], [7, 7, 7])
        self.succeed("slice_scatter", "--start=1", "--value=7", "dätä 数.npy", "--in-place")
        self.assertEqual(self.path("dätä 数.npy").read_bytes(), self.path("πλάκα.npy").read_bytes())
        self.assertEqual(len(self.contents()), 2)

    def test_one_file_may_serve_as_data_and_updates_when_the_output_is_another(self):
        data = self.array((4,), "f4")
        self.save("data.npy", data)
        self.succeed("slice_scatter", "--start=-1", "--stop=-9", "--step=-1", "data.npy", "data.npy", "-o", "out.npy")
        self.assertEqual(self.load("out.npy").tobytes(), data[::-1].tobytes())

    @unittest.skipIf(IS_FOR_WINDOWS, "Windows has other links and other permissions")
    def test_a_link_stays_a_link_and_permissions_stay(self):
        self.save("data.npy", np.zeros(3))
        self.save("updates.npy", np.ones(3))
        self.save("real.npy", np.zeros(1))
        os.chmod(self.path("real.npy"), 0o640)
        self.path("link.npy").symlink_to("real.npy")
        self.succeed("slice_scatter", "--start=0", "--stop=3", "--step=1", "data.npy", "updates.npy", "-o", "link.npy")
        self.assertTrue(self.path("link.npy").is_symlink())
        self.assertEqual(self.load("real.npy").tolist(), [1, 1, 1])
        self.assertEqual(os.stat(self.path("real.npy")).st_mode & 0o777, 0o640)

    def test_the_report_says_what_was_done(self):
        self.save("data.npy", self.array((4, 3, 5), ">f4"))
        self.save("updates.npy", self.array((4, 2, 2), ">f4"))
        self.assertEqual(
            self.succeed(*SLICE, "data.npy", "updates.npy", "-o", "out.npy"),
            f"out.npy: {OTHER_BYTE_ORDER} float32 (4, 3, 5), 16 elements from updates.npy\n",
        )
        self.assertEqual(
            self.succeed(*SLICE, "data.npy", "updates.npy", "--in-place"),
            f"data.npy: {OTHER_BYTE_ORDER} float32 (4, 3, 5), 16 elements from updates.npy\n",
        )

    def test_the_header_size_helper_agrees_with_numpy(self):
        self.save("data.npy", self.array((2, 3)))
        loaded = np.load(self.path("data.npy"), mmap_mode="r")
        self.assertEqual(header_size(self.path("data.npy")), loaded.offset)


if __name__ == "__main__":
    unittest.main(verbosity=2)
