# SPDX-License-Identifier: Apache-2.0
"""What a terminal shows of long work, and that threads change nothing but the time it takes."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

import numpy as np

from driver import PROGRAM, ProgramTest, random_array

MIB = 1 << 20
ERASE = b"\r\x1b[K"
FRAME = re.compile(rb"\r *(\d+) % (\[[#.]*\])? ?[\d.]+ [KMG]?i?B of [\d.]+ [KMG]?i?B[^\x1b]*\x1b\[K")


class Terminal(ProgramTest):
    ROWS = 1 << 14  # of 8 KiB

    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(3)

    def large_files(self, updated_rows):
        """Files on which the program works for some time; it is stopped meanwhile, so that the time is long."""
        np.lib.format.open_memmap(self.path("data.npy"), "w+", "f4", (self.ROWS, 2048))
        self.save("indices.npy", self.rng.permutation(self.ROWS)[:updated_rows])
        np.lib.format.open_memmap(self.path("updates.npy"), "w+", "f4", (updated_rows, 2048))[:] = 1
        return ["scatter_update", "--axis=0", "data.npy", "indices.npy", "updates.npy"]

    def stop_for_a_while(self, process):
        """Stops the program as soon as it has made a temporary or given data its disk blocks."""
        names = set(os.listdir(self.directory))
        while process.poll() is None and set(os.listdir(self.directory)) == names:
            if os.stat(self.path("data.npy")).st_blocks >= MIB // 512:
                break
        process.send_signal(signal.SIGSTOP)
        time.sleep(1.2)
        # Then in small steps: the thread that draws may get a processor later than those that work.
        for _ in range(20):
            process.send_signal(signal.SIGCONT)
            time.sleep(0.001)
            process.send_signal(signal.SIGSTOP)
            time.sleep(0.01)
        process.send_signal(signal.SIGCONT)

    def run_on_terminal(
        self, *arguments, columns=80, term="xterm", pauses=True, expect=0, at_work=None, in_foreground=True
    ):
        """Returns what standard error, a terminal, shows. The program is stopped for 1.2 s while it works."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

        def lead_terminal():
            os.setsid()
            if in_foreground:
                fcntl.ioctl(2, termios.TIOCSCTTY, 0)

        process = subprocess.Popen(
            [PROGRAM, *arguments], cwd=self.directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=slave,
            env={**os.environ, "TERM": term}, preexec_fn=lead_terminal,
        )  # fmt: skip
        os.close(slave)
        if pauses:
            self.stop_for_a_while(process)
        signal_due = at_work
        shown = b""
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if signal_due is not None and FRAME.search(shown):
                process.send_signal(signal_due)
                signal_due = None
            if not select.select([master], [], [], 0.05)[0]:
                continue
            try:
                some = os.read(master, 4096)
            except OSError:  # nobody has the other end open any more
                break
            shown += some
        os.close(master)
        process.stdout.read()
        process.stdout.close()
        self.assertIn(process.wait(60), (expect, 0) if at_work else (expect,), shown)
        return shown

    def see_bar(self, *arguments, ended_by=None):
        """What a terminal shows on which there was a bar. On a busy machine the work may be done before it is stopped."""
        for _ in range(8):
            work = self.large_files(self.ROWS // 2)
            shown = self.run_on_terminal(*work, *arguments, at_work=ended_by, expect=-ended_by if ended_by else 0)
            if FRAME.search(shown) and (ended_by is None or not self.path("out.npy").exists()):
                return shown
            self.path("out.npy").unlink(missing_ok=True)
        return self.fail("no bar on a terminal")

    def expected(self):
        output = np.zeros((self.ROWS, 2048), "f4")
        output[np.load(self.path("indices.npy"))] = 1
        return output

    def test_a_bar_on_a_terminal(self):
        for threads, target in (("1", ["--in-place"]), ("2", ["-o", "out.npy"])):
            with self.subTest(threads=threads, target=target):
                shown = self.see_bar(*target, "--threads", threads)
                frames = FRAME.findall(shown)
                self.assertTrue(frames, shown)
                self.assertTrue(shown.endswith(ERASE), shown)
                self.assertTrue(all(bar for _, bar in frames), shown)
                percent = [int(number) for number, _ in frames]
                self.assertEqual(percent, sorted(percent))
                self.assertLessEqual(percent[-1], 100)
                text = shown.replace(b"checking\x1b[K", b"").decode()
                self.assertRegex(text, r"\d+ MiB of \d+ MiB|GiB")
                self.assertEqual(FRAME.sub(b"", shown).replace(b"\rchecking\x1b[K", b""), ERASE, shown)
                name = target[-1] if target[0] == "-o" else "data.npy"
                self.assertTrue(np.array_equal(np.load(self.path(name), mmap_mode="r"), self.expected()))
                self.path("out.npy").unlink(missing_ok=True)

    def test_no_bar(self):
        arguments = [*self.large_files(self.ROWS // 8), "-o", "out.npy"]
        self.assertEqual(self.run_on_terminal(*arguments, "--no-progress"), b"")
        self.assertEqual(self.run_on_terminal(*arguments, "--quiet"), b"")
        self.assertEqual(self.run_on_terminal(*arguments, in_foreground=False), b"")
        self.assertEqual(self.run_on_terminal(*arguments, term="dumb"), b"")
        # To a pipe, however long it takes.
        process = self.start(*arguments)
        self.stop_for_a_while(process)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err), (0, ""))
        self.assertRegex(out, r"\Aout.npy: [^\n]*\n\Z")

    def test_no_bar_for_short_work(self):
        self.save("data.npy", np.zeros((3, 5), "f4"))
        self.save("indices.npy", np.array([1]))
        self.save("updates.npy", np.ones((1, 5), "f4"))
        arguments = ["scatter_update", "--axis=0", "data.npy", "indices.npy", "updates.npy", "-o", "out.npy"]
        begin = time.monotonic()
        shown = self.run_on_terminal(*arguments, pauses=False)
        if time.monotonic() - begin < 1:
            self.assertEqual(shown, b"")

    def test_a_narrow_terminal(self):
        arguments = [*self.large_files(self.ROWS // 8), "-o", "out.npy"]
        for columns in (1, 40):
            with self.subTest(columns=columns):
                shown = self.run_on_terminal(*arguments, columns=columns)
                for frame in shown.split(b"\r")[1:]:
                    self.assertLess(len(frame.replace(b"\x1b[K", b"")), max(columns, 1))

    def test_errors_stand_on_a_line_of_their_own(self):
        arguments = [*self.large_files(self.ROWS // 8), "-o", "out.npy"]
        indices = np.load(self.path("indices.npy"))
        indices[-1] = self.ROWS
        self.save("indices.npy", indices)
        shown = self.run_on_terminal(*arguments, pauses=False, expect=2)
        self.assertRegex(shown, rb"\A(\rchecking\x1b\[K)*(\r\x1b\[K)?strew-npy: indices.npy: [^\r\n]*\r\n\Z")
        self.assertFalse(self.path("out.npy").exists())

    def test_a_signal_erases_the_bar_and_the_temporary(self):
        shown = self.see_bar("-o", "out.npy", ended_by=signal.SIGTERM)
        self.assertIn(ERASE, shown)
        self.assertEqual(sorted(self.contents()), ["data.npy", "indices.npy", "updates.npy"])

    def test_threads_change_no_bit(self):
        data = random_array(self.rng, (300, 4000), "f4")
        small = self.rng.integers(0, 9, (300, 4000)).astype("f4") / 7
        elements = self.rng.integers(0, 300, (280, 3900))
        self.save("data.npy", data)
        self.save("small.npy", small)
        self.save("rows.npy", self.rng.integers(0, 300, 500))
        self.save("row_updates.npy", random_array(self.rng, (500, 4000), "f4"))
        self.save("elements.npy", elements)
        self.save("element_updates.npy", self.rng.integers(0, 9, elements.shape).astype("f4") / 7)
        self.save("tuples.npy", np.stack([self.rng.integers(0, 300, 10**6), self.rng.integers(0, 4000, 10**6)], 1))
        self.save("tuple_updates.npy", self.rng.integers(0, 9, 10**6).astype("f4") / 7)
        for arguments in (
            ["slice_scatter", "--start=-1", "--stop=-9999", "--step=-1", "data.npy", "small.npy"],
            ["scatter_update", "--axis=0", "data.npy", "rows.npy", "row_updates.npy"],
            ["scatter_elements_update", "--axis=0", "data.npy", "elements.npy", "element_updates.npy"],
            ["onnx_scatter", "data.npy", "elements.npy", "element_updates.npy"],
            ["scatter_elements", "--reduction=sum", "small.npy", "elements.npy", "element_updates.npy"],
            [
                "scatter_elements",
                "--reduction=mean",
                "--without-init",
                "small.npy",
                "elements.npy",
                "element_updates.npy",
            ],
            ["scatter_nd", "--reduction=sum", "small.npy", "tuples.npy", "tuple_updates.npy"],
            ["index_reduce", "--reduction=prod", "small.npy", "rows.npy", "row_updates.npy"],
            ["put", "--reduction=sum", "small.npy", "elements.npy", "element_updates.npy"],
        ):
            outputs = []
            for threads in ([], ["--threads=1"], ["--threads=2"], ["--threads=7"]):
                self.succeed(*arguments, "-o", "out.npy", *threads)
                outputs.append(self.path("out.npy").read_bytes())
            for output in outputs:
                self.assertTrue(output == outputs[0], arguments)

    def test_threads_that_are_no_number(self):
        for count in ("-1", "1025", "many", "", "1.5"):
            self.refuse("put", "a", "b", "c", "--in-place", f"--threads={count}", words=["--threads", "--help"])

    def test_an_input_that_shrinks_under_several_threads(self):
        # The end of the updates is the share of the last thread, whose fault ends the program as the main one's does.
        for _ in range(8):  # on a busy machine the work may be done before it is stopped
            self.large_files(self.ROWS)
            arguments = ["slice_scatter", "--start=0", f"--stop={self.ROWS}", "--step=1", "data.npy", "updates.npy"]
            process = self.start(*arguments, "--in-place", "--threads=4")
            # Data is given its disk blocks when all headers are read and just before the first write.
            while process.poll() is None and os.stat(self.path("data.npy")).st_blocks < MIB // 512:
                pass
            process.send_signal(signal.SIGSTOP)
            os.truncate(self.path("updates.npy"), os.stat(self.path("updates.npy")).st_size * 3 // 4)
            process.send_signal(signal.SIGCONT)
            out, err = process.communicate(timeout=60)
            if process.returncode != 0:
                break
        self.assertEqual((process.returncode, out), (2, ""), err)
        self.assertRegex(err, r"\Astrew-npy: a file shrank [^\n]+\n\Z")


if __name__ == "__main__":
    print(f"program: {PROGRAM}")
    unittest.main(verbosity=2)
