# SPDX-License-Identifier: Apache-2.0
"""--check and --dry-run: they have the errors of a run, with the same messages, and write nothing."""

import os
import resource
import signal
import unittest

import numpy as np

from driver import ProgramTest, random_array

MODES = ("--check", "--dry-run")


class Rehearsal(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(7)
        self.save("data.npy", np.arange(15, dtype="f4").reshape(3, 5))
        self.save("indices.npy", np.array([2, 0]))
        self.save("updates.npy", np.ones((2, 5), "f4"))

    SCATTER = ["scatter_update", "--axis=0", "data.npy", "indices.npy", "updates.npy"]

    def leaves_all_as_it_was(self, *arguments, **options):
        before = self.contents()
        stamps = {name: os.stat(self.path(name)).st_mtime_ns for name in before}
        printed = self.succeed(*arguments, **options)
        self.assertEqual(self.contents(), before)
        self.assertEqual({name: os.stat(self.path(name)).st_mtime_ns for name in before}, stamps)
        return printed

    def test_check_prints_nothing_and_needs_no_output(self):
        self.assertEqual(self.leaves_all_as_it_was(*self.SCATTER, "--check"), "")
        self.assertEqual(self.leaves_all_as_it_was(*self.SCATTER, "--check", "-o", "out.npy"), "")
        self.assertEqual(self.leaves_all_as_it_was(*self.SCATTER, "--check", "--in-place"), "")

    def test_dry_run_prints_what_would_be_done(self):
        size = os.stat(self.path("data.npy")).st_size
        operands = (
            "operator: scatter_update, axis 0\n"
            "data:     data.npy: float32 (3, 5), 60 bytes\n"
            "indices:  indices.npy: int64 (2,), 16 bytes\n"
            "updates:  updates.npy: float32 (2, 5), 40 bytes\n"
        )
        self.assertEqual(
            self.leaves_all_as_it_was(*self.SCATTER, "--dry-run", "-o", "out.npy"),
            f"{operands}result:   out.npy, {size} bytes, would be a new file\n",
        )
        self.path("out.npy").write_bytes(b"1234567")
        self.assertEqual(
            self.leaves_all_as_it_was(*self.SCATTER, "--dry-run", "-o", "out.npy"),
            f"{operands}result:   out.npy, {size} bytes, would be written in the place of a file of 7 bytes\n",
        )
        self.assertEqual(
            self.leaves_all_as_it_was(*self.SCATTER, "--dry-run", "--in-place"),
            f"{operands}result:   data.npy would be changed in place by 40 bytes of updates\n",
        )
        self.assertEqual(self.leaves_all_as_it_was(*self.SCATTER, "--dry-run", "--in-place", "-q"), "")

    def test_dry_run_names_the_options_of_each_operator(self):
        self.save("updates.npy", np.ones((3, 2), "f4"))
        self.save("whole.npy", np.ones((3, 5), "f4"))
        self.save("elements.npy", np.zeros((3, 2), "i4"))
        for arguments, first in (
            (["slice_scatter", "--start=0", "--stop=9", "--step=4", "--axes=1", "data.npy", "updates.npy"],
             "slice_scatter, start (0,), stop (9,), step (4,), axes (1,)"),
            (["slice_scatter", "--start=0", "--stop=9", "--step=1", "data.npy", "whole.npy"],
             "slice_scatter, start (0,), stop (9,), step (1,)"),
            (["scatter_elements", "--reduction=mean", "--without-init", "--axis=-1", "data.npy", "elements.npy",
              "updates.npy"], "scatter_elements, axis -1, reduction mean without init"),
            (["put", "--reduction=add", "data.npy", "elements.npy", "updates.npy"], "put, reduction sum"),
        ):  # fmt: skip
            with self.subTest(first=first):
                printed = self.leaves_all_as_it_was(*arguments, "--dry-run", "-o", "out.npy")
                self.assertEqual(printed.splitlines()[0], f"operator: {first}")

    def test_they_exclude_each_other(self):
        self.refuse(*self.SCATTER, "--check", "--dry-run", words=["exclude each other", "--help"])
        self.refuse(*self.SCATTER, "--dry-run", words=["-o", "--help"])

    def refuse_in_the_same_words(self, *arguments, target):
        said = self.refuse(*arguments, *target)
        for mode in MODES:
            self.assertEqual(self.refuse(*arguments, *target, mode), said)

    def test_what_a_run_refuses_they_refuse_in_the_same_words(self):
        wrong_indices = np.zeros(100_000, "i4")
        wrong_indices[77_777] = 3
        wrong = {
            "shape.npy": np.ones((2, 4), "f4"),
            "type.npy": np.ones((2, 5), "f8"),
            "outside.npy": np.array([0, 3]),
            "negative.npy": np.array([-1, 0]),
            "swapped.npy": np.array([0, 3], ">i4"),
            "floats.npy": np.array([0.0, 1.0]),
            "many.npy": wrong_indices,
            "updates_of_many.npy": np.ones((100_000, 5), "f4"),
        }
        for name, array in wrong.items():
            self.save(name, array)
        self.path("damaged.npy").write_bytes(b"\x93NUMPY")
        scatter = ["scatter_update", "--axis=0", "data.npy"]
        for arguments in (
            [*scatter, "indices.npy", "shape.npy"],
            [*scatter, "indices.npy", "type.npy"],
            [*scatter, "outside.npy", "updates.npy"],
            [*scatter, "negative.npy", "updates.npy"],
            [*scatter, "swapped.npy", "updates.npy"],
            [*scatter, "floats.npy", "updates.npy"],
            [*scatter, "many.npy", "updates_of_many.npy"],
            [*scatter, "damaged.npy", "updates.npy"],
            [*scatter, "missing.npy", "updates.npy"],
            ["scatter_update", "--axis=2", "data.npy", "indices.npy", "updates.npy"],
            ["slice_scatter", "--start=0", "--stop=1", "--step=0", "data.npy", "updates.npy"],
            ["slice_scatter", "--start=0", "--stop=1", "--step=1", "data.npy", "updates.npy"],
            ["index_reduce", "--reduction=mean", "data.npy", "outside.npy", "updates.npy"],
            ["put", "--reduction=prod", "data.npy", "indices.npy", "indices.npy"],
            ["scatter_nd", "data.npy", "many.npy", "updates.npy"],
        ):
            for target in (["-o", "out.npy"], ["--in-place"]):
                with self.subTest(arguments=arguments, target=target):
                    self.refuse_in_the_same_words(*arguments, target=target)

    def test_outputs_that_cannot_be(self):
        os.mkdir(self.path("directory"))
        self.save("read_only.npy", np.arange(3))
        self.path("read_only.npy").chmod(0o444)
        self.path("dangling").symlink_to("nowhere")
        for name in ("directory", "read_only.npy", "dangling", "missing/out.npy", "data.npy/out.npy", "x" * 300,
                     "out.npz", "out.npz:member", "/dev/null"):  # fmt: skip
            with self.subTest(name=name):
                self.refuse_in_the_same_words(*self.SCATTER, target=["-o", name])
        self.path("data.npy").chmod(0o444)
        self.refuse_in_the_same_words(*self.SCATTER, target=["--in-place"])
        os.link(self.path("updates.npy"), self.path("same.npy"))
        self.path("data.npy").chmod(0o644)
        self.refuse_in_the_same_words(
            "slice_scatter", "--start=0", "--stop=9", "--step=1", "updates.npy", "same.npy", target=["--in-place"]
        )

    def test_a_directory_that_may_not_be_written(self):
        if os.geteuid() != 0:
            self.skipTest("takes root, to run the program as another user")
        self.directory.chmod(0o755)
        other = {"user": 65534, "group": 65534, "extra_groups": []}
        try:
            self.succeed("--version", **other)
        except PermissionError:
            self.skipTest("another user may not run the program")
        for mode in ([], *([one] for one in MODES)):
            self.refuse(*self.SCATTER, "-o", "out.npy", *mode, words=["out.npy: cannot be created"], **other)

    def test_every_operator_on_arrays_small_and_large(self):
        for rows in (3, 4000):
            data = random_array(self.rng, (rows, 40), "f8")
            self.save("data.npy", data)
            self.save("rows.npy", self.rng.integers(0, rows, 100))
            self.save("row_updates.npy", random_array(self.rng, (100, 40), "f8"))
            self.save("elements.npy", self.rng.integers(0, rows, (rows, 30)))
            self.save("element_updates.npy", random_array(self.rng, (rows, 30), "f8"))
            self.save("tuples.npy", np.stack([self.rng.integers(0, rows, 50), self.rng.integers(0, 40, 50)], 1))
            self.save("tuple_updates.npy", random_array(self.rng, (50,), "f8"))
            for arguments in (
                ["slice_scatter", "--start=0", "--stop=99999", "--step=1", "data.npy", "data.npy"],
                ["scatter_update", "--axis=0", "data.npy", "rows.npy", "row_updates.npy"],
                ["scatter_elements_update", "--axis=0", "data.npy", "elements.npy", "element_updates.npy"],
                ["onnx_scatter", "data.npy", "elements.npy", "element_updates.npy"],
                ["scatter_elements", "--reduction=mean", "data.npy", "elements.npy", "element_updates.npy"],
                ["scatter_nd", "--reduction=sum", "data.npy", "tuples.npy", "tuple_updates.npy"],
                ["index_reduce", "--reduction=prod", "data.npy", "rows.npy", "row_updates.npy"],
                ["put", "data.npy", "elements.npy", "element_updates.npy"],
            ):
                with self.subTest(arguments=arguments, rows=rows):
                    self.assertEqual(self.leaves_all_as_it_was(*arguments, "--check"), "")
                    if arguments[-1] != "data.npy":
                        self.leaves_all_as_it_was(*arguments, "--dry-run", "--in-place")

    def test_arrays_without_elements(self):
        self.save("data.npy", np.zeros((0, 5), "f4"))
        self.save("indices.npy", np.zeros(0, "i8"))
        self.save("updates.npy", np.zeros((0, 5), "f4"))
        self.assertEqual(self.leaves_all_as_it_was(*self.SCATTER, "--check"), "")
        self.leaves_all_as_it_was(*self.SCATTER, "--dry-run", "--in-place")

    def test_data_larger_than_memory_is_checked_in_little(self):
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_DATA, (48 << 20, 48 << 20))}
        if self.run_program("--version", **limit).returncode != 0:
            self.skipTest("this build does not start in 48 MiB of private memory (sanitizers take more)")
        np.lib.format.open_memmap(self.path("data.npy"), "w+", "f4", (1 << 28, 16))  # 16 GiB that take no disk
        self.save("indices.npy", np.array([1, 0, (1 << 28) - 1]))
        self.save("updates.npy", np.ones((3, 16), "f4"))
        self.assertEqual(self.succeed(*self.SCATTER, "--check", **limit), "")
        self.assertLess(os.stat(self.path("data.npy")).st_blocks * 512, 1 << 20)
        self.save("indices.npy", np.array([1, 0, 1 << 28]))
        self.assert_refusal(self.run_program(*self.SCATTER, "--check", **limit), "indices[2] = 268435456")

    def test_it_works_where_the_fault_is_ignored_or_blocked(self):
        def ignore():
            signal.signal(signal.SIGSEGV, signal.SIG_IGN)

        def block():
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGSEGV})

        for preparation in (ignore, block):
            with self.subTest(preparation=preparation.__name__):
                self.assertEqual(self.leaves_all_as_it_was(*self.SCATTER, "--check", preexec_fn=preparation), "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
