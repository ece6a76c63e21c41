# SPDX-License-Identifier: Apache-2.0
"""Files that are larger than the memory of the program, and interruptions."""

import os
import resource
import shutil
import signal
import time
import unittest

import numpy as np

from driver import PROGRAM, ProgramTest

MIB = 1 << 20
GIB = 1 << 30

# The signals that may be caught and that end a process by default.
OTHER_SIGNALS = ("KILL", "STOP", "CHLD", "CONT", "TSTP", "TTIN", "TTOU", "URG", "WINCH")
ENDING_SIGNALS = signal.valid_signals() - {getattr(signal, "SIG" + name) for name in OTHER_SIGNALS}
# Sanitizers handle these themselves, even if they are ignored.
FAULTS = {signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGTRAP}


def leave_no_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class LargeFiles(ProgramTest):
    def need_disk(self, size):
        free = shutil.disk_usage(self.directory).free
        if free < size + GIB:
            self.skipTest(f"needs {size // MIB} MiB of free disk and 1 GiB to spare, there are {free // MIB} MiB")

    def sparse(self, name, shape, dtype="f4"):
        """A sparse file of zeros."""
        return np.lib.format.open_memmap(self.path(name), "w+", dtype, shape)

    def run_measured(self, *arguments, **options):
        """Returns seconds and the peak of resident memory in MiB, mapped pages included."""
        begin = time.monotonic()
        process = self.start(*arguments, **options)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - begin
        with process:
            self.assertEqual((process.returncode, process.stderr.read()), (0, ""))
        return seconds, usage.ru_maxrss / 1024

    def test_a_few_rows_of_4_gib_in_place(self):
        rows, columns = 1 << 20, 1 << 10
        self.need_disk(4 * GIB)
        data = self.sparse("data.npy", (rows, columns))
        self.assertGreater(os.stat(self.path("data.npy")).st_size, 4 * GIB)
        indices = np.array([0, 777_777, rows - 1])
        updates = np.random.default_rng(4).random((3, columns), "f4")
        self.save("indices.npy", indices)
        self.save("updates.npy", updates)
        seconds, peak = self.run_measured(
            "scatter_update", "--axis=0", "data.npy", "indices.npy", "updates.npy", "--in-place"
        )
        print(f"3 rows of 4 GiB in place: {seconds:.2f} s, peak {peak:.0f} MiB", flush=True)
        np.testing.assert_array_equal(data[indices], updates)
        for untouched in (1, 777_776, 777_778, rows - 2):
            self.assertFalse(data[untouched].any())
        self.assertLess(peak, 256)
        self.assertLess(seconds, 30)

    def test_an_output_many_times_as_large_as_the_memory_allowed(self):
        # Limits private memory, in which a copy would be, but not mapped files.
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_DATA, (48 * MIB, 48 * MIB))}
        if self.run_program("--version", **limit).returncode != 0:
            self.skipTest("this build does not start in 48 MiB of private memory (sanitizers take more)")
        self.need_disk(512 * MIB)
        rows, columns = 1 << 15, 1 << 12
        data = self.sparse("data.npy", (rows, columns))
        data[5] = 5
        updates = self.sparse("updates.npy", (rows, columns // 4))
        updates[rows - 1] = 7
        seconds, _ = self.run_measured(
            "slice_scatter",
            "--start=-1",
            "--stop=-99999",
            "--step=-4",
            "--axes=1",
            "data.npy",
            "updates.npy",
            "-o",
            "out.npy",
            **limit,
        )
        print(f"512 MiB to another file with at most 48 MiB of private memory: {seconds:.2f} s", flush=True)
        output = np.load(self.path("out.npy"), mmap_mode="r")
        expected = np.full(columns, 5, "f4")
        expected[3::4] = 0
        np.testing.assert_array_equal(output[5], expected)
        expected[:] = 0
        expected[3::4] = 7
        np.testing.assert_array_equal(output[rows - 1], expected)
        self.assertFalse(output[6 : rows - 1].any())

    def stop_at_work(self, **options):
        """A run that is stopped when its temporary file exists."""
        self.need_disk(512 * MIB)
        self.sparse("data.npy", (1 << 17, 1 << 10))
        self.sparse("updates.npy", (1, 1 << 10))
        for name in self.contents_by_name() - {"data.npy", "updates.npy"}:
            self.path(name).unlink()  # an earlier run's, which failed the test
        self.names = set(self.contents_by_name())
        arguments = ["slice_scatter", "--start=0", "--stop=1", "--step=1", "data.npy", "updates.npy", "-o", "out.npy"]
        process = self.start_and_stop(*arguments, **options)
        self.assertEqual(len(self.contents_by_name() - self.names), 1)
        self.assertFalse(self.path("out.npy").exists())
        return process

    def contents_by_name(self):
        return set(os.listdir(self.directory))

    def resume(self, process):
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(self.contents_by_name(), self.names)
        self.assertEqual(out, "")
        return process.returncode, err

    def test_ended_by_a_signal_at_work(self):
        for number in sorted(ENDING_SIGNALS):
            with self.subTest(signal=signal.strsignal(number)):
                process = self.stop_at_work(preexec_fn=leave_no_core)
                process.send_signal(number)
                self.assertEqual(self.resume(process), (-number, ""))

    def test_signals_that_were_ignored_at_the_start_stay_ignored(self):
        ignored = ENDING_SIGNALS - FAULTS

        def ignore_all():
            for number in ignored:
                signal.signal(number, signal.SIG_IGN)

        process = self.stop_at_work(preexec_fn=ignore_all, restore_signals=False)
        for number in ignored:
            process.send_signal(number)
        process.send_signal(signal.SIGCONT)
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertEqual(self.contents_by_name(), self.names | {"out.npy"})

    def test_nothing_is_printed_into_data_where_standard_streams_are_closed(self):
        self.need_disk(512 * MIB)
        for closed in ([2], [1, 2], [0, 1, 2], [0, 2]):
            with self.subTest(closed=closed):
                rows = self.sparse("data.npy", (1 << 17, 1 << 10)).shape[0]
                self.sparse("updates.npy", (rows, 1 << 10))
                header = self.start_of_data()
                process = self.start_and_stop(
                    "slice_scatter",
                    "--start=0",
                    f"--stop={rows}",
                    "--step=1",
                    "data.npy",
                    "updates.npy",
                    "--in-place",
                    preexec_fn=lambda closed=closed: [os.close(number) for number in closed],
                )
                os.truncate(self.path("updates.npy"), 128)
                process.send_signal(signal.SIGCONT)
                process.communicate(timeout=60)
                self.assertEqual(self.start_of_data(), header)
                self.assertEqual(process.returncode, 2)

    def start_of_data(self):
        with open(self.path("data.npy"), "rb") as file:
            return file.read(128)

    def test_an_input_that_shrinks_while_it_is_read(self):
        process = self.stop_at_work()
        os.truncate(self.path("data.npy"), 128)
        code, err = self.resume(process)
        self.assertEqual(code, 2)
        self.assertRegex(err, r"\Astrew-npy: a file shrank [^\n]+\n\Z")


if __name__ == "__main__":
    print(f"program: {PROGRAM}")
    unittest.main(verbosity=2)
