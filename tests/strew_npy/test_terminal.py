# SPDX-License-Identifier: Apache-2.0
"""The output of long work on a terminal; threads change only the time."""

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

from driver import PROGRAM, WORK_IN_STEPS, ProgramTest, random_array

ERASE = b"\r\x1b[K"
FRAME = re.compile(rb"\r *(\d+) % (\[[#.]*\])? ?[\d.]+ [KMG]?i?B of [\d.]+ [KMG]?i?B[^\x1b]*\x1b\[K")


class TerminalTest(ProgramTest):
    """A program whose standard error is a terminal."""

    def start_on_terminal(self, start, *arguments, columns=80, term="xterm", in_foreground=True, **options):
        """The process, and the other end of its terminal."""
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))

        def lead_terminal():
            os.setsid()
            if in_foreground:
                fcntl.ioctl(2, termios.TIOCSCTTY, 0)

        env = {**os.environ, "TERM": term}
        process = start(*arguments, stderr=slave, env=env, preexec_fn=lead_terminal, **options)
        os.close(slave)
        return process, master

    def read_terminal(self, master, until=None):
        """The output on the terminal from here on, until it matches or the terminal is closed."""
        shown = b""
        end = time.monotonic() + 60
        while until is None or not until.search(shown):
            self.assertLess(time.monotonic(), end, shown)
            if not select.select([master], [], [], 0.05)[0]:
                continue
            try:
                shown += os.read(master, 4096)
            except OSError:  # nobody has the other end open any more
                break
        return shown


class Bar(TerminalTest):
    """The bar alone, of work that waits for its test."""

    PARTS = 16  # of 1 GiB

    def start_work(self, threads, **options):
        binary = {"text": False, "errors": None, "bufsize": 0}

        def start(*arguments, **others):
            return self.start_another(WORK_IN_STEPS, *arguments, stdin=subprocess.PIPE, **binary, **others)

        return self.start_on_terminal(start, threads, self.PARTS, **options)

    def end(self, process, master):
        """The output at the end of a program that has had all its steps."""
        process.stdin.close()
        shown = self.read_terminal(master)
        process.stdout.close()
        return process.wait(60), shown

    def test_a_bar_shows_each_step(self):
        for threads in (1, 2, 7):
            with self.subTest(threads=threads):
                process, master = self.start_work(threads)
                shown = self.read_terminal(master, re.compile(rb"checking\x1b\[K"))
                process.stdin.write(b".")
                for done in range(self.PARTS):
                    share = done * 100 // self.PARTS
                    filled = done * 30 // self.PARTS
                    bar = b"[" + b"#" * filled + b"." * (30 - filled) + b"]"
                    numbers = rb"%d (GiB|B) of 16 GiB" % done if done > 9 else rb"%d(\.0)? (GiB|B) of 16 GiB" % done
                    left = rb", [\d.]+ [KMGTPE]?i?B/s, [\d:]+( s)? left" if done > 0 else b""
                    frame = re.compile(rb"\r *%d %% %s %s%s\x1b\[K" % (share, re.escape(bar), numbers, left))
                    shown += self.read_terminal(master, frame)
                    process.stdin.write(b".")
                code, rest = self.end(process, master)
                shown += rest
                self.assertEqual(code, 0)
                self.assertTrue(shown.endswith(ERASE), shown)
                frames = FRAME.findall(shown)
                percent = [int(number) for number, _ in frames]
                self.assertEqual(percent, sorted(percent))
                self.assertLessEqual(percent[-1], 100)
                self.assertTrue(all(bar for _, bar in frames), shown)
                self.assertEqual(FRAME.sub(b"", shown).replace(b"\rchecking\x1b[K", b""), ERASE, shown)

    def test_a_narrow_terminal(self):
        for columns in (1, 2, 10, 40):
            with self.subTest(columns=columns):
                process, master = self.start_work(1, columns=columns)
                shown = self.read_terminal(master, re.compile(rb"\x1b\[K"))
                process.stdin.write(b".." * 8)
                shown += self.read_terminal(master, re.compile(rb"\x1b\[K.*\x1b\[K", re.DOTALL))
                code, rest = self.end(process, master)
                self.assertEqual(code, 0)
                for frame in (shown + rest).split(b"\r")[1:]:
                    self.assertLess(len(frame.replace(b"\x1b[K", b"")), max(columns, 1))

    def test_a_signal_erases_the_bar(self):
        process, master = self.start_work(2)
        process.stdin.write(b"....")
        shown = self.read_terminal(master, FRAME)
        self.assertNotIn(ERASE, shown)
        process.send_signal(signal.SIGTERM)
        code, rest = self.end(process, master)
        self.assertEqual(code, -signal.SIGTERM)
        self.assertIn(ERASE, rest)

    def test_nowhere_to_draw(self):
        for options in ({"term": "dumb"}, {"in_foreground": False}):
            with self.subTest(**options):
                process, master = self.start_work(2, **options)
                process.stdin.write(b"....")
                time.sleep(1.3)
                code, shown = self.end(process, master)
                self.assertEqual((code, shown), (0, b""))


class Terminal(TerminalTest):
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

    def go_on_after_a_while(self, process):
        time.sleep(1.2)
        process.send_signal(signal.SIGCONT)

    def run_on_terminal(self, *arguments, pauses=True, expect=0, signalled=None, **options):
        """Returns what the terminal shows of a program that pauses for 1.2 s before it writes, and is sent a signal then."""
        start = self.start_and_stop if pauses else self.start
        process, master = self.start_on_terminal(start, *arguments, **options)
        if pauses:
            if signalled is not None:
                process.send_signal(signalled)
            self.go_on_after_a_while(process)
        shown = self.read_terminal(master)
        process.stdout.read()
        process.stdout.close()
        self.assertEqual(process.wait(60), expect, shown)
        return shown

    def expected(self):
        output = np.zeros((self.ROWS, 2048), "f4")
        output[np.load(self.path("indices.npy"))] = 1
        return output

    def test_a_terminal_is_left_as_it_was(self):
        # A bar may or may not be drawn here: the work may be done before.
        frames = 0
        for threads, target in (("1", ["--in-place"]), ("2", ["-o", "out.npy"])):
            with self.subTest(threads=threads, target=target):
                work = self.large_files(self.ROWS // 2)
                shown = self.run_on_terminal(*work, *target, "--threads", threads)
                frames += len(FRAME.findall(shown))
                rest = FRAME.sub(b"", shown).replace(b"\rchecking\x1b[K", b"")
                self.assertEqual(rest, ERASE if shown else b"", shown)
                name = target[-1] if target[0] == "-o" else "data.npy"
                self.assertTrue(np.array_equal(np.load(self.path(name), mmap_mode="r"), self.expected()))
        print(f"bars drawn by strew-npy itself: {frames}", flush=True)

    def test_no_bar(self):
        arguments = [*self.large_files(self.ROWS // 8), "-o", "out.npy"]
        self.assertEqual(self.run_on_terminal(*arguments, "--no-progress"), b"")
        self.assertEqual(self.run_on_terminal(*arguments, "--quiet"), b"")
        # To a pipe, however long it takes.
        process = self.start_and_stop(*arguments)
        self.go_on_after_a_while(process)
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

    def test_errors_stand_on_a_line_of_their_own(self):
        arguments = [*self.large_files(self.ROWS // 8), "-o", "out.npy"]
        indices = np.load(self.path("indices.npy"))
        indices[-1] = self.ROWS
        self.save("indices.npy", indices)
        shown = self.run_on_terminal(*arguments, pauses=False, expect=2)
        self.assertRegex(shown, rb"\A(\rchecking\x1b\[K)*(\r\x1b\[K)?strew-npy: indices.npy: [^\r\n]*\r\n\Z")
        self.assertFalse(self.path("out.npy").exists())

    def test_a_signal_removes_the_temporary(self):
        arguments = [*self.large_files(self.ROWS // 8), "-o", "out.npy"]
        self.run_on_terminal(*arguments, signalled=signal.SIGTERM, expect=-signal.SIGTERM)
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
        # The end of the updates is the share of the last thread. Its fault ends the program like the main thread's.
        self.large_files(self.ROWS)
        arguments = ["slice_scatter", "--start=0", f"--stop={self.ROWS}", "--step=1", "data.npy", "updates.npy"]
        process = self.start_and_stop(*arguments, "--in-place", "--threads=4")
        os.truncate(self.path("updates.npy"), os.stat(self.path("updates.npy")).st_size * 3 // 4)
        process.send_signal(signal.SIGCONT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (2, ""), err)
        self.assertRegex(err, r"\Astrew-npy: a file shrank [^\n]+\n\Z")


if __name__ == "__main__":
    print(f"program: {PROGRAM}")
    unittest.main(verbosity=2)
