# SPDX-License-Identifier: Apache-2.0
"""Every system call on a file that fails in turn, limits of the file size at every byte of interest, and SIGKILL at every
such call and at random moments: an output is whole or not there, or what it was before; with --in-place each byte is
old or new, and nothing has changed after an error.

STREW_NPY_KILLS is the number of random moments."""

import errno
import os
import random
import resource
import signal
import time
import unittest

import numpy as np

from driver import EVERY, ProgramTest

FAIL_AT_CALL = os.environ["STREW_NPY_FAIL_AT_CALL"]  # a library, see there
KILLS = int(os.environ.get("STREW_NPY_KILLS", 500 // EVERY))
ERRORS = (errno.ENOSPC, errno.EIO, errno.EDQUOT)


class Interruptions(ProgramTest):
    def setUp(self):
        super().setUp()
        self.prepare(40)

    def prepare(self, rows, columns=30):
        """Operands, and what the command makes of them."""
        rng = np.random.default_rng(rows)
        data = rng.random((rows, columns), "f4")
        indices = rng.permutation(rows)[: rows // 2]
        updates = rng.random((rows // 2, columns), "f4")
        self.save("data.npy", data)
        self.save("indices.npy", indices)
        self.save("updates.npy", updates)
        data[indices] = updates
        self.save("expected.npy", data)
        self.inputs = self.contents()
        self.old, self.new = self.inputs["data.npy"], self.inputs.pop("expected.npy")
        self.path("expected.npy").unlink()
        self.command = ["scatter_update", "--axis=0", "data.npy", "indices.npy", "updates.npy"]

    def reset(self, output):
        """The operands, and the output that the command is to replace: None for none."""
        for name in self.contents():
            self.path(name).unlink()
        for name, content in self.inputs.items():
            self.path(name).write_bytes(content)
        if output is not None:
            self.path("out.npy").write_bytes(output)

    def run_with_fault(self, call, fault, *target):
        """Runs the command; returns the result and whether the call was reached."""
        read_end, write_end = os.pipe()
        env = {
            **os.environ,
            "LD_PRELOAD": FAIL_AT_CALL,
            "STREW_NPY_FAIL_CALL": str(call),
            "STREW_NPY_FAIL_WITH": str(fault),
            "STREW_NPY_FAIL_REPORT": str(write_end),
        }
        result = self.run_program(*self.command, *target, env=env, pass_fds=[write_end])
        os.close(write_end)
        with open(read_end, "rb") as report:
            return result, report.read() != b""

    def assert_others_unchanged(self, target):
        for name, content in self.inputs.items():
            if name != target:
                self.assertEqual(self.path(name).read_bytes(), content, name)

    def temporaries(self):
        return [name for name in self.contents() if name.startswith(".strew-npy.")]

    def assert_old_or_new(self, content, message=""):
        """Each byte of data that was changed in place."""
        got, old, new = (np.frombuffer(each, "u1") for each in (content, self.old, self.new))
        self.assertEqual(got.size, old.size, message)
        self.assertTrue(((got == old) | (got == new)).all(), message)

    def test_a_call_that_fails_leaves_the_output_whole_or_as_it_was(self):
        faults = 0
        for fault in ERRORS:
            for before in (None, b"an older file"):
                call, is_reached = 0, True
                while is_reached:
                    with self.subTest(error=errno.errorcode[fault], before=before, call=call):
                        self.reset(before)
                        result, is_reached = self.run_with_fault(call, fault, "-o", "out.npy")
                        call += 1
                        self.assert_others_unchanged("out.npy")
                        self.assertEqual(self.temporaries(), [])
                        output = self.contents().get("out.npy")
                        if result.returncode == 2:
                            self.assert_refusal(result)
                            self.assertEqual(output, before)
                        else:
                            self.assertEqual((result.returncode, result.stderr), (0, ""))
                            self.assertEqual(output, self.new)
                faults += call - 1
                self.assertGreater(call, 10)
        print(f"calls that failed, with -o: {faults}", flush=True)

    def test_a_call_that_fails_leaves_data_changed_or_as_it_was(self):
        faults = 0
        for fault in ERRORS:
            call, is_reached = 0, True
            while is_reached:
                with self.subTest(error=errno.errorcode[fault], call=call):
                    self.reset(None)
                    result, is_reached = self.run_with_fault(call, fault, "--in-place")
                    call += 1
                    self.assert_others_unchanged("data.npy")
                    content = self.path("data.npy").read_bytes()
                    if result.returncode == 2:
                        self.assert_refusal(result)
                        self.assertEqual(content, self.old)
                    else:
                        self.assertEqual((result.returncode, result.stderr), (0, ""))
                        self.assertEqual(content, self.new)
            faults += call - 1
            self.assertGreater(call, 5)
        print(f"calls that failed, with --in-place: {faults}", flush=True)

    def test_killed_at_every_call(self):
        kills = 0
        for fault in ("kill", "kill_after"):
            for before, target in ((None, ["-o", "out.npy"]), (b"older", ["-o", "out.npy"]), (None, ["--in-place"])):
                call, is_reached = 0, True
                while is_reached:
                    with self.subTest(fault=fault, before=before, target=target, call=call):
                        self.reset(before)
                        result, is_reached = self.run_with_fault(call, fault, *target)
                        call += 1
                        self.assertEqual(result.returncode, -signal.SIGKILL if is_reached else 0, result)
                        if "--in-place" in target:
                            self.assert_others_unchanged("data.npy")
                            self.assert_old_or_new(self.path("data.npy").read_bytes())
                        else:
                            self.assert_others_unchanged("out.npy")
                            self.assertIn(self.contents().get("out.npy"), (before, self.new))
                            # What is left is in nobody's way.
                            self.succeed(*self.command, "-o", "out.npy")
                            self.assertEqual(self.path("out.npy").read_bytes(), self.new)
                kills += call - 1
        print(f"killed at calls: {kills}", flush=True)

    def test_a_limit_of_the_size_at_every_byte_of_interest(self):
        size = len(self.new)
        limits = sorted({0, 1, 64, 127, 128, 129, 4095, 4096, 4097, size // 2, size - 1, size, size + 1})
        for limit in limits:
            for before in (None, b"older"):
                with self.subTest(limit=limit, before=before):
                    self.reset(before)
                    limited = {"preexec_fn": lambda limit=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (limit,) * 2)}
                    result = self.run_program(*self.command, "-o", "out.npy", **limited)
                    self.assertEqual(result.returncode, 0 if limit >= size else 2, result)
                    self.assertEqual(self.contents().get("out.npy"), self.new if limit >= size else before)
                    self.assertEqual(self.temporaries(), [])
                    self.assert_others_unchanged("out.npy")

    def kill_at_random(self, seed, before, *target):
        """Kills the program at a moment of its run; returns whether it was still running."""
        self.reset(before)
        process = self.start(*self.command, *target)
        time.sleep(random.Random(seed).random() * self.duration)
        process.kill()
        process.communicate()
        return process.returncode == -signal.SIGKILL

    def test_killed_at_random_moments(self):
        self.prepare(2000, 250)
        begin = time.monotonic()
        self.reset(None)
        self.succeed(*self.command, "-o", "out.npy")
        self.duration = 1.2 * (time.monotonic() - begin)
        running = whole = part = 0
        for seed in range(KILLS):
            with self.subTest(seed=seed):
                if seed % 2 == 0:
                    before = b"an older file" if seed % 4 == 0 else None
                    running += self.kill_at_random(seed, before, "-o", "out.npy")
                    output = self.contents().get("out.npy")
                    self.assertIn(output, (before, self.new), "neither whole nor absent")
                    whole += output == self.new
                    self.assert_others_unchanged("out.npy")
                else:
                    running += self.kill_at_random(seed, None, "--in-place")
                    content = self.path("data.npy").read_bytes()
                    self.assert_old_or_new(content)
                    part += content not in (self.old, self.new)
                    self.assert_others_unchanged("data.npy")
        print(
            f"killed at {KILLS} random moments, {running} of them before its end: "
            f"{whole} outputs whole, {part} files changed in part by --in-place",
            flush=True,
        )


if __name__ == "__main__":
    unittest.main(verbosity=2)
