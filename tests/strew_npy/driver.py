# SPDX-License-Identifier: Apache-2.0
"""Shared by all tests of strew-npy: runs the program, checks the files that it leaves, and computes expected results.

The expected results come from NumPy's slice assignment and from plain loops over the operators' definitions.
"""

import contextlib
import itertools
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

import numpy as np

PROGRAM = os.environ["STREW_NPY"]
README = pathlib.Path(__file__).resolve().parents[2] / "examples/strew_npy/README.md"
EMULATOR = os.environ.get("STREW_NPY_EMULATOR", "").split()  # a command that runs it
STOP_BEFORE_WRITING = os.environ.get("STREW_NPY_STOP_BEFORE_WRITING")  # a library, see there
WORK_IN_STEPS = os.environ.get("STREW_NPY_WORK_IN_STEPS")  # a program, see there
BYTE_ORDER = os.environ.get("STREW_NPY_BYTE_ORDER", sys.byteorder)  # "little" or "big": that of the program
OTHER_BYTE_ORDER = "big-endian" if BYTE_ORDER == "little" else "little-endian"
IS_FOR_WINDOWS = PROGRAM.endswith(".exe")
TIMEOUT = 20  # seconds; far more than any run takes
EVERY = int(os.environ.get("STREW_NPY_EVERY", "1"))  # of many alike cases, where the program starts slowly

ELEMENT_TYPES = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
INDEX_TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]


def some(cases):
    """All cases, or every STREW_NPY_EVERY-th one."""
    if EVERY > 1:
        print(f"of many alike cases every {EVERY}th is run", flush=True)
    return itertools.islice(cases, 0, None, EVERY)


def mirrored(array):
    """The array as it is, where the program has this machine's byte order. Else the same elements in the other byte
    order, so that what is native here is native to the program, and the other way round."""
    array = np.asanyarray(array)
    return array if BYTE_ORDER == sys.byteorder else array.byteswap().view(array.dtype.newbyteorder("S"))


def with_byte_orders(codes):
    """Each type in both byte orders, or once if it has one byte."""
    for code in codes:
        if np.dtype(code).itemsize == 1:
            yield np.dtype(code)
        else:
            yield np.dtype("<" + code)
            yield np.dtype(">" + code)


def random_array(rng, shape, dtype, order="C"):
    """Random bits: every NaN payload and every sign of zero may occur."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        array = rng.integers(0, 2, shape).astype(bool)
    else:
        count = int(np.prod(shape, dtype=np.int64))
        array = np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).reshape(shape)
    return np.array(array, dtype=dtype, order=order)


def slice_scatter(data, updates, start, stop, step, axes=None):
    """The snippet of SliceScatter-15's specification."""
    out = np.copy(data, order="K")
    slices = [slice(None)] * data.ndim
    for k, axis in enumerate(range(len(start)) if axes is None else axes):
        slices[axis] = slice(start[k], stop[k], step[k])
    assert out[tuple(slices)].shape == updates.shape, "the document does not broadcast"
    out[tuple(slices)] = updates
    return out


def scatter_update(data, indices, updates, axis):
    out = np.copy(data, order="K")
    axis %= data.ndim
    for position in np.ndindex(updates.shape):
        row = int(indices[position[axis : axis + indices.ndim]])
        out[position[:axis] + (row,) + position[axis + indices.ndim :]] = updates[position]
    return out


def scatter_elements(data, indices, updates, axis):
    out = np.copy(data, order="K")
    for position in np.ndindex(indices.shape):
        target = list(position)
        target[axis] = int(indices[position])
        out[tuple(target)] = updates[position]
    return out


def header_size(path):
    """The offset of the elements of a well-formed file."""
    content = pathlib.Path(path).read_bytes()[:12]
    if content[6] == 1:
        return 10 + int.from_bytes(content[8:10], "little")
    return 12 + int.from_bytes(content[8:12], "little")


def raw_file(header, elements, version=1):
    """The bytes of a .npy file with any header."""
    header = header.encode("latin-1") if isinstance(header, str) else header
    length = len(header).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + length + header + elements


class ProgramTest(unittest.TestCase):
    """Each test runs the program in a directory of its own."""

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="strew-npy-", dir=os.getcwd()))
        self.addCleanup(shutil.rmtree, self.directory)
        self.runs = 0

    def path(self, name):
        return self.directory / name

    def save(self, name, array, version=None):
        with open(self.path(name), "wb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # NumPy warns that it writes version 2.0 or 3.0
            np.lib.format.write_array(file, mirrored(array), version=version, allow_pickle=False)

    def save_archive(self, name, write=np.savez, /, **arrays):
        write(self.path(name), **{member: mirrored(array) for member, array in arrays.items()})

    def load(self, name):
        return mirrored(np.load(self.path(name), allow_pickle=False))

    def start(self, *arguments, **options):
        """The program, running."""
        return self.start_another(PROGRAM, *arguments, **options)

    def start_another(self, program, *arguments, **options):
        return subprocess.Popen([program, *map(str, arguments)], **self.process_options(options))

    def start_and_stop(self, *arguments, **options):
        """The program, stopped just before it first writes to a file that had no disk blocks."""
        env = {**(options.pop("env", None) or os.environ), "LD_PRELOAD": STOP_BEFORE_WRITING}
        process = self.start(*arguments, env=env, **options)
        state = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        self.assertEqual(state.si_code, os.CLD_STOPPED, "the program ended without a write")
        return process

    def run_program(self, *arguments, **options):
        self.runs += 1
        command = [*EMULATOR, PROGRAM, *map(str, arguments)]
        return subprocess.run(command, timeout=TIMEOUT, **self.process_options(options))

    def process_options(self, options):
        defaults = {
            "cwd": self.directory,
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
            "errors": "replace",
        }
        return {**defaults, **options}

    def succeed(self, *arguments, **options):
        result = self.run_program(*arguments, **options)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result)
        return result.stdout

    def contents(self):
        """All files of the directory, including hidden ones, with their bytes."""
        return {entry.name: entry.read_bytes() if entry.is_file() else None for entry in self.directory.iterdir()}

    def assert_refusal(self, result, *words):
        """Expects exit code 2 and one line on stderr, which contains all the words."""
        self.assertEqual(result.returncode, 2, result)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Astrew-npy: [^\n]+\n\Z")
        for word in words:
            self.assertIn(word, result.stderr)

    def refuse(self, *arguments, words=(), **options):
        """Expects an error, with every file unchanged."""
        before = self.contents()
        result = self.run_program(*arguments, **options)
        self.assert_refusal(result, *words)
        self.assertEqual(self.contents(), before, "a refused command changed the directory")
        return result.stderr

    def assert_file_holds(self, name, expected, source_bytes):
        """Expects the header of data, byte for byte, and the expected elements, bit for bit."""
        offset = header_size(self.path(name))
        content = self.path(name).read_bytes()
        self.assertEqual(content[:offset], source_bytes[:offset])
        loaded = self.load(name)
        self.assertEqual((loaded.dtype, loaded.shape), (expected.dtype, expected.shape))
        self.assertEqual(loaded.tobytes(), expected.tobytes())

    def check(self, arguments, expected):
        """Runs the command with -o and in place on data.npy; expects the array from both."""
        before = self.path("data.npy").read_bytes()
        report = self.succeed(*arguments, "-o", "out.npy")
        self.assertRegex(report, r"\A[^\n]+\n\Z")
        self.assertEqual(self.path("data.npy").read_bytes(), before)
        self.assert_file_holds("out.npy", expected, before)
        self.assertEqual(self.succeed(*arguments, "--in-place", "-q"), "")
        self.assertEqual(self.path("data.npy").read_bytes(), self.path("out.npy").read_bytes())
        self.assertFalse([name for name in self.contents() if name.startswith(".")], "a temporary was left behind")
        self.path("out.npy").unlink()


@contextlib.contextmanager
def counting(test, what):
    """Prints how often the program was run in the block."""
    before = test.runs
    yield
    print(f"{what}: {test.runs - before} runs", flush=True)
