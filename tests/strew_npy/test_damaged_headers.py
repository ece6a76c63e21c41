# SPDX-License-Identifier: Apache-2.0
"""Damaged and hostile headers: truncated, flipped, overwritten, lying.

NumPy's own reader is the judge, with allow_pickle=False. Where it cannot read a file, the program must refuse it: exit
code 2, one line that names the file, no output, all files as they were. Where NumPy reads an array, the program must
read the very same one, which its result shows, or refuse it for one of the reasons in STRICTER: the few places where it
is stricter than NumPy on purpose.
"""

import collections
import itertools
import random
import unittest
import warnings

import numpy as np

from driver import ELEMENT_TYPES, ProgramTest, counting, mirrored, raw_file, some, with_byte_orders
from hostile_headers import HEADERS

SLICE = ["slice_scatter", "--start=0", "--stop=1", "--step=1"]
ROWS = ["scatter_update", "--axis=0"]
SUPPORTED = set(with_byte_orders(ELEMENT_TYPES))

# Files that NumPy reads and the program refuses: what the refusal says, and why it is right.
STRICTER = {
    "bytes after its header": "NumPy ignores what follows the array; here that is a sign of damage",
    "is not supported": "'=f4', '|f4', 'f4': the byte order of whoever reads; and types that are not numbers",
    "malformed header": "other Python for the same dictionary (0x2, 1_0, u'shape', comments): NumPy writes one form",
    "has rank 0": "the operators ask for an axis",
}


def numpy_reads(path):
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            array = np.load(path, allow_pickle=False)
    except Exception:  # whatever NumPy raises: it does not read the file
        return None
    return array if isinstance(array, np.ndarray) else None


class DamagedHeaders(ProgramTest):
    def setUp(self):
        super().setUp()
        self.outcomes = collections.Counter()

    def judge_data(self, content):
        self.path("data.npy").write_bytes(content)
        array = numpy_reads(self.path("data.npy"))
        usable = array is not None and array.dtype in SUPPORTED and array.ndim > 0
        updates = np.zeros_like(array[:1]) if usable else np.zeros((1, 3), "f4")
        self.save("updates.npy", mirrored(updates))  # of the very type that data.npy has
        before = self.contents()
        result = self.run_program(*SLICE, "data.npy", "updates.npy", "-o", "out.npy")
        if result.returncode == 0:
            self.assertTrue(usable, f"accepted what NumPy refuses: {content!r}")
            array = array.copy(order="K")
            array[:1] = updates
            output = mirrored(self.load("out.npy"))
            self.assertEqual((output.dtype, output.shape), (array.dtype, array.shape))
            self.assertEqual(output.tobytes(), array.tobytes())
            self.path("out.npy").unlink()
            self.outcomes["read as NumPy reads it"] += 1
        else:
            self.assert_refusal(result, "strew-npy: data.npy: ")
            self.assertEqual(self.contents(), before)
            if array is None:
                self.outcomes["refused as by NumPy"] += 1
            else:
                self.assertTrue(any(reason in result.stderr for reason in STRICTER), (result.stderr, content))
                self.outcomes["refused though NumPy reads it"] += 1
        return result

    def base_files(self):
        for version in ((1, 0), (2, 0), (3, 0)):
            self.save("base.npy", np.asfortranarray(np.arange(6, dtype="f4").reshape(2, 3)), version)
            content = self.path("base.npy").read_bytes()
            self.path("base.npy").unlink()
            yield version, content

    def print_outcomes(self):
        print(dict(self.outcomes), flush=True)

    def test_truncated_at_every_byte(self):
        with counting(self, "truncations"):
            for version, content in self.base_files():
                # All of version 1.0; of the others the part that differs.
                for size in range(len(content) if version == (1, 0) else 14):
                    result = self.judge_data(content[:size])
                    if size >= 8:
                        in_header = size < len(content) - 24
                        words = "ends inside its header" if in_header else "bytes after its header"
                        self.assertIn(words, result.stderr)
        self.print_outcomes()

    def test_every_bit_flipped(self):
        with counting(self, "flipped bits"):
            for version, content in self.base_files():
                # Of the blanks that pad the dictionary a few.
                positions = range(content.index(b"}") + 5 if version == (1, 0) else 12)
                for at, bit in some(itertools.product(positions, range(8))):
                    damaged = bytearray(content)
                    damaged[at] ^= 1 << bit
                    self.judge_data(bytes(damaged))
        self.print_outcomes()

    def test_random_bytes_overwritten_inserted_and_removed(self):
        rng = random.Random(15)
        letters = b"\0\t\n\r #'\"()[]{},:+-_.*0123456789<>=|?LTFNabefiucxU\\\x7f\x80\x93\xc3\xff"
        with counting(self, "random damage"):
            contents = [content for _, content in self.base_files()]
            for _ in some(range(400)):
                content = rng.choice(contents)
                damaged = bytearray(content)
                for _ in range(rng.randint(1, 3)):
                    at = rng.randrange(6, 80)
                    kind = rng.choice(["overwrite", "insert", "remove"])
                    if kind == "overwrite":
                        damaged[at] = rng.choice(letters)
                    elif kind == "insert":
                        damaged.insert(at, rng.choice(letters))
                        damaged[8] = (damaged[8] + 1) % 256  # so that the length stays true
                    else:
                        del damaged[at]
                        damaged[8] = (damaged[8] - 1) % 256
                self.judge_data(bytes(damaged))
        self.print_outcomes()

    def test_hostile_headers(self):
        elements = np.arange(6, dtype="<f4").tobytes()
        with counting(self, "hostile headers"):
            for text in HEADERS:
                for version in (1, 3):
                    with self.subTest(header=text[:200], version=version):
                        self.judge_data(raw_file(text, elements, version))
        self.assertNotIn("hacked", self.contents())
        self.print_outcomes()

    def test_lengths_that_lie(self):
        with counting(self, "lengths"):
            for version, content in self.base_files():
                width = 2 if version == (1, 0) else 4
                text_size = int.from_bytes(content[8 : 8 + width], "little")
                for size in [
                    *some(range(0, 160, 4)),
                    text_size - 1,
                    text_size + 1,
                    9_999,
                    10_000,
                    10_001,
                    2**15,
                    2**16 - 1,
                    2**31 - 1,
                    2**31,
                    2**32 - 13,
                    2**32 - 1,
                ]:
                    if size < 256**width and size != text_size:
                        self.judge_data(content[:8] + size.to_bytes(width, "little") + content[8 + width :])
        self.print_outcomes()

    def test_every_version_but_the_known_ones(self):
        _, content = next(iter(self.base_files()))
        with counting(self, "versions"):
            for major, minor in (
                [(v, 0) for v in (0, 4, 5, 10, 16, 127, 128, 255)] + [(v, 1) for v in (1, 2, 3)] + [(1, 255)]
            ):
                damaged = content[:6] + bytes([major, minor]) + content[8:]
                self.assertIn("format version", self.judge_data(damaged).stderr)

    def test_other_kinds_of_file(self):
        np.savez(self.path("archive.npz"), a=np.arange(3))
        archive = self.path("archive.npz").read_bytes()
        self.path("archive.npz").unlink()
        for content in (
            b"",
            b"\n",
            b"\x93",
            b"\x93NUMPY",
            b"\x93NUMPZ" + bytes(200),
            archive,
            b"\x80\x04N.",
            bytes(4096),
            "1,2,3\n4,5,6\n".encode(),
            bytes(range(256)) * 16,
        ):
            self.assertEqual(self.judge_data(content).returncode, 2)

    def test_damage_in_indices_and_updates_is_blamed_on_them(self):
        self.save("data.npy", np.zeros((4, 3), "f4"))
        good = {}
        for name, array in (("indices", np.array([1, 2])), ("updates", np.ones((2, 3), "f4"))):
            self.save(f"{name}.npy", array)
            good[name] = self.path(f"{name}.npy").read_bytes()
        with counting(self, "indices and updates"):
            for name, content in good.items():
                damaged_files = [content[:size] for size in range(0, len(content), 7)]
                damaged_files += [content[:at] + b"!" + content[at + 1 :] for at in range(0, 64, 2)]
                damaged_files.append(content + b"\0")
                for damaged in damaged_files:
                    self.path(f"{name}.npy").write_bytes(damaged)
                    for result in (["-o", "out.npy"], ["--in-place"]):
                        self.refuse(*ROWS, "data.npy", "indices.npy", "updates.npy", *result, words=[f": {name}.npy: "])
                self.path(f"{name}.npy").write_bytes(content)
        self.succeed(*ROWS, "data.npy", "indices.npy", "updates.npy", "--in-place")

    def test_damage_in_data_that_is_to_change_in_place(self):
        _, content = next(iter(self.base_files()))
        self.save("updates.npy", np.zeros((1, 3), "f4"))
        with counting(self, "in place"):
            for size in range(0, len(content), 3):
                self.path("data.npy").write_bytes(content[:size])
                self.refuse(*SLICE, "data.npy", "updates.npy", "--in-place", words=[": data.npy: "])


if __name__ == "__main__":
    unittest.main(verbosity=2)
