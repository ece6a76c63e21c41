# SPDX-License-Identifier: Apache-2.0
"""Errors outside the headers: operands that do not fit, files that are not files, full disks, wrong usage.

Each ends with exit code 2 and one line on stderr; no output appears and no file changes.
"""

import os
import resource
import signal
import subprocess
import unittest

import numpy as np

from driver import ProgramTest, counting

WHOLE = ["--start=0", "--stop=99999", "--step=1"]


class Failures(ProgramTest):
    def setUp(self):
        super().setUp()
        self.save("data.npy", np.arange(15, dtype="f4").reshape(3, 5))
        self.save("indices.npy", np.array([2, 0]))
        self.save("updates.npy", np.ones((2, 5), "f4"))

    def refuse_both_ways(self, *arguments, words=()):
        self.refuse(*arguments, "-o", "out.npy", words=words)
        return self.refuse(*arguments, "--in-place", words=words)

    def test_a_bad_index_is_named_with_its_file(self):
        for operator, values, message in (
            ("scatter_update", [2, 3], "indices[1] = 3 is outside [0, 2] (axis 0 has extent 3)"),
            ("scatter_update", [-1, 0], "indices[0] = -1 is outside [0, 2]"),
            ("scatter_update", np.array([0, 2**63], "u8"), "indices[1] = 9223372036854775808 is outside [0, 2]"),
            ("scatter_update", np.array([0, 2**32], ">i8"), "indices[1] = 4294967296 is outside [0, 2]"),
            ("scatter_elements_update", [[0, 1], [2, -1]], "indices[1, 1] = -1 is outside [0, 2]"),
            ("onnx_scatter", [[0, -3], [2, -4]], "indices[1, 1] = -4 is outside [-3, 2]"),
        ):
            with self.subTest(operator=operator, message=message):
                indices = np.array(values)
                self.save("indices.npy", indices)
                self.save("updates.npy", np.ones((2, 5) if indices.ndim == 1 else (2, 2), "f4"))
                self.refuse_both_ways(
                    operator,
                    "--axis=0",
                    "data.npy",
                    "indices.npy",
                    "updates.npy",
                    words=["strew-npy: indices.npy: ", message],
                )

    def test_operands_that_do_not_fit(self):
        scatter = ["scatter_update", "--axis=0", "data.npy", "indices.npy", "updates.npy"]
        self.save("updates.npy", np.ones((2, 4), "f4"))
        self.refuse_both_ways(
            *scatter, words=["strew-npy: updates.npy: scatter_update: updates has extent 4 on axis 1"]
        )
        self.refuse_both_ways(
            "slice_scatter",
            *WHOLE,
            "data.npy",
            "updates.npy",
            words=["strew-npy: updates.npy: slice_scatter: updates has extent 2 on axis 0, expected 3"],
        )
        self.save("indices.npy", np.zeros((4, 1), "i8"))
        self.save("updates.npy", np.zeros((4, 1), "f4"))
        self.refuse_both_ways(
            "onnx_scatter",
            "--axis=1",
            "data.npy",
            "indices.npy",
            "updates.npy",
            words=["strew-npy: indices.npy: onnx::scatter: indices has extent 4 on axis 0"],
        )
        self.refuse_both_ways(
            "scatter_update",
            "--axis=2",
            "data.npy",
            "indices.npy",
            "updates.npy",
            words=["axis = 2 is outside [-2, 1]"],
        )

    def test_slices_that_are_wrong(self):
        for options, message in (
            (["--start=0", "--stop=1", "--step=0"], "step"),
            (["--start=0,0", "--stop=1", "--step=1"], "stop has length 1, expected 2"),
            (["--start=0", "--stop=1", "--step=1,1"], "step has length 2, expected 1"),
            (["--start=0", "--stop=1", "--step=1", "--axes=0,1"], "axes has length 2"),
            (["--start=0,0", "--stop=1,1", "--step=1,1", "--axes=0,-2"], "axis 0 a second time"),
            (["--start=0", "--stop=1", "--step=1", "--axes=-3"], "axes[0] = -3 is outside"),
            (["--start=0,0,0", "--stop=1,1,1", "--step=1,1,1"], "at most 2"),
            ([f"--{name}={'1,' * 70}1" for name in ("start", "stop", "step")], "more than 64"),
        ):
            with self.subTest(options=options):
                self.refuse_both_ways("slice_scatter", *options, "data.npy", "updates.npy", words=[message])

    def test_element_types_that_differ(self):
        for dtype, words in (
            ("f8", ["is float64, but data.npy is float32"]),
            ("i4", ["is int32"]),
            (">f4", ["is big-endian float32, but data.npy is float32"]),
        ):
            with self.subTest(dtype=dtype):
                self.save("updates.npy", np.ones((2, 5), dtype))
                self.refuse_both_ways(
                    "scatter_update",
                    "--axis=0",
                    "data.npy",
                    "indices.npy",
                    "updates.npy",
                    words=["strew-npy: updates.npy: ", *words],
                )

    def test_indices_that_are_no_integers(self):
        for dtype in ("?", "f8", "c8"):
            with self.subTest(dtype=dtype):
                self.save("indices.npy", np.array([1, 0], dtype))
                self.refuse_both_ways(
                    "scatter_update",
                    "--axis=0",
                    "data.npy",
                    "indices.npy",
                    "updates.npy",
                    words=["strew-npy: indices.npy: ", "indices are integers"],
                )

    def test_data_that_is_also_an_input_is_not_changed_in_place(self):
        os.link(self.path("data.npy"), self.path("hard_link.npy"))
        self.path("soft_link.npy").symlink_to("data.npy")
        for name in ("data.npy", "./data.npy", "hard_link.npy", "soft_link.npy"):
            with self.subTest(name=name):
                self.refuse(
                    "slice_scatter", *WHOLE, "data.npy", name, "--in-place", words=[f"{name}: is the same file"]
                )
        self.save("data.npy", np.arange(3))
        self.refuse("onnx_scatter", "data.npy", "data.npy", "data.npy", "--in-place", words=["is the same file"])

    def test_inputs_that_are_no_files(self):
        os.mkfifo(self.path("pipe"))
        os.mkdir(self.path("directory"))
        self.path("dangling").symlink_to("nowhere")
        for name, message in (
            ("missing.npy", "No such file"),
            ("pipe", "not a regular file"),
            ("directory", "directory"),
            ("dangling", "No such file"),
            ("/dev/null", "not a regular file"),
            ("/dev/zero", "not a regular file"),
            ("x" * 300, "too long"),
        ):
            with self.subTest(name=name):
                self.refuse("slice_scatter", *WHOLE, name, "updates.npy", "-o", "out.npy", words=[name, message])
                self.refuse("slice_scatter", *WHOLE, name, "updates.npy", "--in-place", words=[name])
                self.refuse("slice_scatter", *WHOLE, "data.npy", name, "--in-place", words=[name, message])

    def test_names_that_are_empty(self):
        for arguments, name in (
            (["", "indices.npy", "updates.npy", "-o", "out.npy"], "data"),
            (["data.npy", "", "updates.npy", "-o", "out.npy"], "indices"),
            (["data.npy", "indices.npy", "", "-o", "out.npy"], "updates"),
            (["data.npy", "indices.npy", "updates.npy", "-o", ""], "output"),
            (["data.npy", "indices.npy", "updates.npy", "--output", ""], "output"),
        ):
            with self.subTest(arguments=arguments):
                self.refuse("scatter_update", "--axis=0", *arguments, words=[f"{name}: the file name is empty"])

    def test_outputs_that_cannot_be(self):
        self.save("updates.npy", np.ones((3, 5), "f4"))
        os.mkfifo(self.path("pipe"))
        os.mkdir(self.path("directory"))
        self.path("dangling").symlink_to("nowhere")
        no_file = "is not a regular file: strew-npy writes .npy files only"
        for name, message in (
            ("directory", no_file),
            (".", no_file),
            ("pipe", no_file),
            ("/dev/null", no_file),
            ("/dev/stdout", no_file),
            ("/dev/stderr", no_file),
            ("dangling", "leads nowhere"),
            ("missing/out.npy", "No such file"),
            ("data.npy/out.npy", "Not a directory"),
            ("x" * 300, "too long"),
        ):
            with self.subTest(name=name):
                words = [f"strew-npy: {name}: ", message]
                self.refuse("slice_scatter", *WHOLE, "data.npy", "updates.npy", "-o", name, words=words)

    def test_an_output_that_is_a_standard_stream(self):
        self.save("updates.npy", np.ones((3, 5), "f4"))
        arguments = ["slice_scatter", *WHOLE, "data.npy", "updates.npy"]
        before = self.path("data.npy").read_bytes()
        for target in (["-o", "data.npy"], ["-o", "/dev/stdout"], ["--in-place"]):
            with self.subTest(target=target), open(self.path("data.npy"), "ab") as file:
                result = self.run_program(*arguments, *target, stdout=file)
                self.assertEqual(result.returncode, 2, result)
                self.assertIn("is also standard output", result.stderr)
                self.assertEqual(self.path("data.npy").read_bytes(), before)

    def test_a_deleted_file_is_no_output(self):
        self.save("updates.npy", np.ones((3, 5), "f4"))
        with open(self.path("deleted.npy"), "wb") as file:
            self.path("deleted.npy").unlink()
            name = f"/dev/fd/{file.fileno()}"
            arguments = ["slice_scatter", *WHOLE, "data.npy", "updates.npy", "-o", name]
            self.refuse(*arguments, words=[f"{name}: leads to a deleted file"], pass_fds=[file.fileno()])

    def test_read_only_files_are_not_replaced(self):
        self.save("updates.npy", np.ones((3, 5), "f4"))
        arguments = ["slice_scatter", *WHOLE, "data.npy", "updates.npy"]
        self.save("out.npy", np.arange(3))
        self.path("link.npy").symlink_to("out.npy")
        # The mode decides, not the user: root could write them all.
        for mode in (0o444, 0o400, 0o466, 0o555):
            with self.subTest(mode=oct(mode)):
                self.path("out.npy").chmod(mode)
                self.path("data.npy").chmod(mode)
                for name in ("out.npy", "link.npy", "data.npy"):
                    self.refuse(*arguments, "-o", name, words=["is read-only", "chmod u+w"])
                self.refuse(*arguments, "--in-place", words=["data.npy: is read-only", "chmod u+w"])
                self.assertEqual(os.stat(self.path("out.npy")).st_mode & 0o777, mode)
        self.path("out.npy").chmod(0o640)
        self.path("data.npy").chmod(0o640)
        self.succeed(*arguments, "-o", "out.npy")
        self.assertEqual(os.stat(self.path("out.npy")).st_mode & 0o777, 0o640)
        self.succeed(*arguments, "--in-place")
        self.assertEqual(self.path("data.npy").read_bytes(), self.path("out.npy").read_bytes())

    def test_files_of_others_are_not_replaced(self):
        if os.geteuid() != 0:
            self.skipTest("takes root, to run the program as another user")
        self.save("updates.npy", np.ones((3, 5), "f4"))
        self.save("out.npy", np.arange(3))
        self.directory.chmod(0o777)
        arguments = ["slice_scatter", *WHOLE, "data.npy", "updates.npy"]
        other = {"user": 65534, "group": 65534, "extra_groups": []}
        try:
            self.succeed(*arguments, "-o", "new.npy", **other)
        except PermissionError:
            self.skipTest("another user may not run the program")
        self.path("out.npy").chmod(0o644)
        self.refuse(*arguments, "-o", "out.npy", words=["out.npy: cannot be written: Permission denied"], **other)
        self.path("out.npy").chmod(0o646)
        self.succeed(*arguments, "-o", "out.npy", **other)

    def test_wrong_usage(self):
        slice_scatter = ["slice_scatter", *WHOLE]
        with counting(self, "wrong usage"):
            for arguments, message in (
                ([], "operator"),
                (["gather"], "operator"),
                (["--axis=0"], "operator"),
                ([*slice_scatter], "data"),
                ([*slice_scatter, "data.npy", "-o", "out.npy"], "updates"),
                ([*slice_scatter, "data.npy", "updates.npy"], "-o"),
                ([*slice_scatter, "data.npy", "updates.npy", "-o", "out.npy", "--in-place"], "-o"),
                ([*slice_scatter, "data.npy", "updates.npy", "-o"], "-o"),
                ([*slice_scatter, "data.npy", "indices.npy", "updates.npy", "-o", "out.npy"], "updates.npy"),
                ([*slice_scatter, "--axis=0", "data.npy", "updates.npy", "-o", "out.npy"], "--axis"),
                (["select_scatter", "data.npy", "updates.npy", "-o", "out.npy"], "--index"),
                (["scatter_update", "--axis=0", "data.npy", "updates.npy", "-o", "out.npy"], "updates"),
                (["scatter_update", "--axis=0,1", "data.npy", "indices.npy", "updates.npy", "-o", "o"], "'0,1'"),
                (["scatter_update", "--axis=0", *WHOLE, "data.npy", "indices.npy", "updates.npy", "-o", "o"], "--st"),
            ):
                with self.subTest(arguments=arguments):
                    self.refuse(*arguments, words=[message, "--help"])
            for number in (
                "",
                " ",
                ",",
                "1,",
                ",1",
                "1,,2",
                "1 2",
                "0x1",
                "1.0",
                "1e3",
                "+1",
                "--1",
                "one",
                "1-",
                "- 1",
                "9223372036854775808",
                "-9223372036854775809",
                "1" * 400,
                "\u0661",
                "nan",
            ):
                with self.subTest(number=number):
                    for option in ("--start", "--stop", "--step", "--axes"):
                        self.refuse(
                            *slice_scatter,
                            f"{option}={number}",
                            "data.npy",
                            "updates.npy",
                            "-o",
                            "out.npy",
                            words=["--help"],
                        )

    def test_the_first_occurrence_of_an_option_is_not_overruled(self):
        self.refuse("slice_scatter", *WHOLE, "--start=1", "data.npy", "updates.npy", "-o", "out.npy", words=["--start"])

    def test_leading_zeros_are_decimal_and_the_extremes_are_numbers(self):
        self.save("data.npy", np.arange(12))
        self.save("updates.npy", np.array([70, 60]))
        self.succeed(
            "slice_scatter",
            "--start=010",
            "--stop=9223372036854775807",
            "--step=1",
            "data.npy",
            "updates.npy",
            "-o",
            "out.npy",
        )
        self.assertEqual(np.load(self.path("out.npy")).tolist(), [*range(10), 70, 60])
        self.succeed(
            "slice_scatter",
            "--start=1",
            "--stop=-9223372036854775808",
            "--step=-1",
            "data.npy",
            "updates.npy",
            "-o",
            "out.npy",
        )
        self.assertEqual(np.load(self.path("out.npy")).tolist(), [60, 70, *range(2, 12)])

    def test_help_and_version(self):
        self.assertIn("slice_scatter", self.succeed("--help"))
        for operator in ("slice_scatter", "scatter_update", "scatter_elements_update", "onnx_scatter"):
            self.assertIn("--in-place", self.succeed(operator, "--help"))
        self.assertRegex(self.succeed("--version"), r"\Astrew-npy \d+\.\d+\.\d+\n\Z")

    def assert_report_lost(self, result, reason):
        self.assertEqual(result.returncode, 1, result)
        message = f"strew-npy: standard output: cannot be written, though all else is done: {reason}\n"
        self.assertEqual(result.stderr, message)

    def test_a_report_that_cannot_be_written(self):
        self.save("updates.npy", np.ones((3, 5), "f4"))
        updated = self.path("updates.npy").read_bytes()
        data = self.path("data.npy").read_bytes()
        arguments = ["slice_scatter", *WHOLE, "data.npy", "updates.npy"]
        read_end, write_end = os.pipe()
        os.close(read_end)
        with open("/dev/full", "w") as full, open(write_end, "w") as broken:
            for reason, options in (
                ("No space left on device", {"stdout": full}),
                ("Bad file descriptor", {"preexec_fn": lambda: os.close(1)}),
                ("Broken pipe", {"stdout": broken, "restore_signals": False}),
            ):
                with self.subTest(reason=reason):
                    self.path("data.npy").write_bytes(data)
                    self.path("out.npy").unlink(missing_ok=True)
                    for target, name in ((["-o", "out.npy"], "out.npy"), (["--in-place"], "data.npy")):
                        self.assert_report_lost(self.run_program(*arguments, *target, **options), reason)
                        self.assertEqual(self.path(name).read_bytes(), updated)
                    for wanted in (["--help"], ["slice_scatter", "--help"], ["--version"]):
                        self.assert_report_lost(self.run_program(*wanted, **options), reason)
                    self.succeed(*arguments, "-o", "out.npy", "--quiet", **options)
                    failed = self.run_program(*arguments, "-o", "", **options)
                    self.assertEqual(failed.returncode, 2, failed)
            result = self.run_program(*arguments, "-o", "out.npy", stdout=broken)
            self.assertEqual((result.returncode, result.stderr), (-signal.SIGPIPE, ""))
            self.assertEqual(sorted(self.contents()), ["data.npy", "indices.npy", "out.npy", "updates.npy"])

    def test_a_size_limit_on_the_file_of_the_report(self):
        self.save("updates.npy", np.ones((3, 5), "f4"))
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))}
        self.path("log").write_bytes(b"x" * 200)
        with open(self.path("log"), "ab") as log:
            arguments = ["slice_scatter", *WHOLE, "data.npy", "updates.npy", "-o", "out.npy"]
            result = self.run_program(*arguments, stdout=log, **limit)
        self.assert_report_lost(result, "File too large")

    def test_a_size_limit_on_files(self):
        self.save("data.npy", np.zeros((100, 100), "f4"))
        self.save("updates.npy", np.ones((100, 100), "f4"))
        # Beyond it a write also raises SIGXFSZ, which would kill the program.
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))}
        self.save("out.npy", np.arange(3))
        self.refuse(
            "slice_scatter",
            *WHOLE,
            "data.npy",
            "updates.npy",
            "-o",
            "out.npy",
            words=["strew-npy: out.npy: no space for 40128 bytes: File too large"],
            **limit,
        )


class FullDisk(ProgramTest):
    size = 256 * 1024

    def setUp(self):
        super().setUp()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={self.size}", "strew-npy", str(self.directory)]
        try:
            result = subprocess.run(mount, capture_output=True, text=True)
        except FileNotFoundError:
            self.skipTest("no mount command for a small disk")
        if result.returncode != 0:
            self.skipTest(f"cannot mount a small disk: {result.stderr.strip()}")
        self.addCleanup(subprocess.run, ["umount", "--lazy", str(self.directory)])

    def test_a_disk_without_room_for_the_output(self):
        self.save("data.npy", np.zeros((100, 400), "f4"))
        self.save("updates.npy", np.ones((1, 400), "f4"))
        self.refuse(
            "slice_scatter",
            "--start=0",
            "--stop=1",
            "--step=1",
            "data.npy",
            "updates.npy",
            "-o",
            "out.npy",
            words=["strew-npy: out.npy: no space for 160128 bytes: No space left on device"],
        )
        self.succeed("slice_scatter", "--start=0", "--stop=1", "--step=1", "data.npy", "updates.npy", "--in-place")

    def test_a_disk_without_room_for_the_holes_of_data(self):
        self.save("updates.npy", np.ones((1, 1000), "f4"))
        np.lib.format.open_memmap(self.path("data.npy"), "w+", "f4", (1000, 1000)).flush()
        before = self.path("data.npy").read_bytes()
        result = self.run_program(
            "slice_scatter", "--start=9", "--stop=10", "--step=1", "data.npy", "updates.npy", "--in-place"
        )
        self.assert_refusal(result, "strew-npy: data.npy: no space for 4000128 bytes: No space left on device")
        self.assertEqual(self.path("data.npy").read_bytes(), before)


if __name__ == "__main__":
    unittest.main(verbosity=2)
