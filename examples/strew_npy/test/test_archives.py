# SPDX-License-Identifier: Apache-2.0
"""Operands that are members of .npz archives: those that NumPy and zipfile write, and those that mean harm."""

import io
import itertools
import os
import pickle
import resource
import struct
import subprocess
import sys
import unittest
import zipfile
import zlib

import numpy as np

from driver import PROGRAM, ELEMENT_TYPES, ProgramTest, counting, random_array, scatter_update, some

MIB = 1 << 20
CENTRAL = b"PK\x01\x02"
LOCAL = b"PK\x03\x04"
END = b"PK\x05\x06"


def npy_bytes(array):
    file = io.BytesIO()
    np.lib.format.write_array(file, np.asanyarray(array), allow_pickle=False)
    return file.getvalue()


class Archives(ProgramTest):
    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(11)
        self.data = random_array(self.rng, (4, 3), "f8")
        self.indices = np.array([2, 0])
        self.updates = random_array(self.rng, (2, 3), "f8")
        self.expected = scatter_update(self.data, self.indices, self.updates, 0)
        for name in ("data", "indices", "updates"):
            self.save(f"{name}.npy", getattr(self, name))
        self.arrays = {"data": self.data, "indices": self.indices, "updates": self.updates}

    SCATTER = ["scatter_update", "--axis=0"]

    def write(self, name, members, compression=zipfile.ZIP_STORED, **options):
        """An archive of {member: bytes}."""
        with zipfile.ZipFile(self.path(name), "w", compression, **options) as archive:
            for member, content in members.items():
                archive.writestr(member, content)

    def check_expected(self, *operands):
        self.succeed(*self.SCATTER, *operands, "-o", "out.npy")
        self.assertEqual(self.path("out.npy").read_bytes(), npy_bytes(self.expected))
        self.assertEqual(self.succeed(*self.SCATTER, *operands, "--check"), "")

    def test_what_numpy_writes(self):
        np.savez(self.path("plain.npz"), **self.arrays)
        np.savez_compressed(self.path("small.npz"), **self.arrays)
        with counting(self, "archives of NumPy"):
            for names in itertools.product(("plain.npz:", "small.npz:", ""), repeat=3):
                operands = []
                for archive, member in zip(names, self.arrays):
                    operands.append(archive + member if archive else f"{member}.npy")
                with self.subTest(operands=operands):
                    self.check_expected(*operands)
        self.check_expected("plain.npz:data.npy", "small.npz:indices.npy", "updates.npy")

    def test_in_place_with_updates_from_an_archive(self):
        np.savez(self.path("plain.npz"), **self.arrays)
        self.succeed(*self.SCATTER, "data.npy", "plain.npz:indices", "plain.npz:updates", "--in-place")
        self.assertEqual(self.path("data.npy").read_bytes(), npy_bytes(self.expected))

    def test_archives_are_not_written(self):
        np.savez(self.path("a.npz"), **self.arrays)
        self.refuse(*self.SCATTER, "a.npz:data", "indices.npy", "updates.npy", "--in-place", words=["is in an archive"])
        for output in ("out.npz", "a.npz", "a.npz:data"):
            self.refuse(*self.SCATTER, "data.npy", "indices.npy", "updates.npy", "-o", output,
                        words=[f"{output}: would be an archive"])  # fmt: skip

    def test_stored_members_at_every_alignment(self):
        # The length of the first member's name moves the others; all lie where the archive has them.
        for shift in range(17):
            members = {"x" * (shift + 1): b""}
            members |= {f"{name}.npy": npy_bytes(array) for name, array in self.arrays.items()}
            self.write("a.npz", members)
            with self.subTest(shift=shift):
                self.check_expected("a.npz:data", "a.npz:indices", "a.npz:updates")
                sums = self.data.copy()
                np.add.at(sums, self.indices, self.updates)
                with np.errstate(all="ignore"):
                    self.succeed("index_reduce", "--reduction=sum", "a.npz:data", "a.npz:indices", "a.npz:updates",
                                 "-o", "out.npy")  # fmt: skip
                np.testing.assert_array_equal(np.load(self.path("out.npy")), sums)

    def test_every_element_type_and_both_orders(self):
        for code, order in itertools.product(ELEMENT_TYPES, "CF"):
            with self.subTest(code=code, order=order):
                data = random_array(self.rng, (4, 3), code, order)
                updates = random_array(self.rng, (2, 3), code, order)
                np.savez_compressed(self.path("a.npz"), data=data, indices=self.indices.astype(">i2"), updates=updates)
                self.succeed(*self.SCATTER, "a.npz:data", "a.npz:indices", "a.npz:updates", "-o", "out.npy")
                expected = scatter_update(data, self.indices, updates, 0)
                self.assertEqual(np.load(self.path("out.npy")).tobytes(), expected.tobytes())

    def test_writers_other_than_numpy(self):
        contents = {f"{name}.npy": npy_bytes(array) for name, array in self.arrays.items()}
        operands = ["a.npz:data", "a.npz:indices", "a.npz:updates"]
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            with self.subTest("sizes after the contents", compression=compression):
                # To a stream zipfile writes a data descriptor after each member.
                stream = subprocess.run(
                    [sys.executable, "-c",
                     "import sys, zipfile, pickle\n"
                     "members, compression = pickle.load(sys.stdin.buffer)\n"
                     "class Stream:\n"
                     "  write = sys.stdout.buffer.write\n"
                     "  flush = sys.stdout.buffer.flush\n"
                     "with zipfile.ZipFile(Stream(), 'w', compression) as archive:\n"
                     "  for name, content in members.items(): archive.writestr(name, content)\n"],
                    input=pickle.dumps((contents, compression)), capture_output=True, check=True,
                ).stdout  # fmt: skip
                self.assertTrue(stream[6] & 8, "no data descriptor")
                self.path("a.npz").write_bytes(stream)
                self.check_expected(*operands)
        with self.subTest("a comment"):
            self.write("a.npz", contents)
            with zipfile.ZipFile(self.path("a.npz"), "a") as archive:
                archive.comment = b"PK\x05\x06 is not the end" + bytes(40)
            self.check_expected(*operands)
        with self.subTest("zip64"):
            self.write("a.npz", contents)
            self.path("a.npz").write_bytes(with_zip64(self.path("a.npz").read_bytes()))
            with np.load(self.path("a.npz")) as loaded:
                np.testing.assert_array_equal(loaded["indices"], self.indices)
            self.check_expected(*operands)

    def test_names(self):
        names = [
            "a b",
            "ä",
            "../x",
            "/x",
            "x:y",
            "a.npz:b",
            "new\nline",
            "-x",
            "é/ü",
            "x" * 300,
            "\x1b[31m",
            "back\\slash",
        ]
        self.write(
            "a.npz", {f"{name}.npy": npy_bytes(self.indices) for name in names} | {"bare": npy_bytes(self.indices)}
        )
        for name in [*names, "bare"]:
            for wanted in (name, f"{name}.npy") if name != "bare" else (name,):
                with self.subTest(wanted=wanted):
                    self.check_expected("data.npy", f"a.npz:{wanted}", "updates.npy")
        said = self.refuse(*self.SCATTER, "data.npy", "a.npz:missing", "updates.npy", "--check",
                           words=["a.npz:missing: is not in the archive, which holds a b.npy, ", "and 1 more",
                                  "new\\x0aline.npy", "\\x1b[31m.npy", "back\\x5cslash.npy"])  # fmt: skip
        self.assertTrue(said.isascii())
        self.write("a.npz", {"x": npy_bytes(self.indices), "x.npy": b"not this"})
        self.check_expected("data.npy", "a.npz:x", "updates.npy")

    def test_an_archive_without_a_member(self):
        np.savez(self.path("a.npz"), x=self.indices)
        for name in ("a.npz", "a.npz:"):
            if name == "a.npz:":
                os.link(self.path("a.npz"), self.path(name))
            self.refuse(*self.SCATTER, "data.npy", name, "updates.npy", "--check", words=["name a member"])
        self.write("empty.npz", {})
        self.refuse(*self.SCATTER, "data.npy", "empty.npz:x", "updates.npy", "--check", words=["which holds nothing"])
        self.refuse(*self.SCATTER, "data.npy", "indices.npy:x", "updates.npy", "--check", words=["No such file"])
        self.path("not.npz").write_bytes(npy_bytes(self.indices))
        self.refuse(
            *self.SCATTER, "data.npy", "not.npz:x", "updates.npy", "--check", words=["not a whole .npz archive"]
        )

    def refuse_indices(self, *words, **options):
        """The member x of a.npz is refused as indices, with all the words."""
        arguments = [*self.SCATTER, "data.npy", "a.npz:x", "updates.npy", *options.pop("more", [])]
        said = self.refuse(*arguments, "-o", "out.npy", words=["strew-npy: a.npz:x: ", *words], **options)
        self.assertLess(len(said), 2000)

    def test_damage(self):
        content = npy_bytes(self.indices)
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self.write("a.npz", {"x.npy": content, "y.npy": content}, compression)
            whole = self.path("a.npz").read_bytes()
            with zipfile.ZipFile(self.path("a.npz")) as archive:
                x = archive.getinfo("x.npy")
            begin = 30 + len("x.npy")
            size, packed = x.file_size, x.compress_size
            end = begin + packed
            central = whole.index(CENTRAL)

            def patched(*changes):
                changed = bytearray(whole)
                for at, form, value in changes:
                    struct.pack_into("<" + form, changed, at, value)
                return bytes(changed)

            checksum = struct.unpack_from("<I", whole, 14)[0] ^ 1
            both = lambda offset, form, value: [
                (offset, form, value),
                (central + offset + 2, form, value),
            ]  # noqa: E731
            for reason, archive, word in (
                ("a bit", patched((end - packed // 2, "B", whole[end - packed // 2] ^ 16)), "damaged"),
                ("both checksums", patched(*both(14, "I", checksum)), "checksum"),
                ("the local checksum", patched((14, "I", checksum)), "disagrees"),
                ("the local size", patched((22, "I", size - 1)), "disagrees"),
                ("the local packed size", patched((18, "I", packed - 1)), "disagrees"),
                ("a larger size", patched(*both(22, "I", size + 1)), "damaged" if compression else "stored in"),
                ("a smaller size", patched(*both(22, "I", size - 1)), "damaged" if compression else "stored in"),
                ("no size", patched(*both(22, "I", 0)), "damaged" if compression else "stored in"),
                ("a larger packed size", patched(*both(18, "I", packed + 1)), "overlaps"),
                ("a huge packed size", patched(*both(18, "I", 0xFFFFFFF0)), "ends outside"),
                ("a zip64 size without its field", patched(*both(18, "I", 0xFFFFFFFF)), "zip64"),
                (
                    "a smaller packed size",
                    patched(*both(18, "I", packed - 1)),
                    "damaged" if compression else "stored in",
                ),
                ("encryption", patched(*both(6, "H", 1)), "encrypted"),
                ("encryption in one header", patched((6, "H", 1)), "disagrees"),
                ("strong encryption", patched((central + 8, "H", 1 << 6)), "encrypted"),
                ("another method", patched(*both(8, "H", 12)), "method 12"),
                ("a local method", patched((8, "H", 12)), "disagrees"),
                ("another local name", patched((30, "B", ord("z"))), "disagrees"),
                ("a longer local name", patched((26, "H", 6)), "disagrees"),
                ("a local name beyond the end", patched((26, "H", 0xFFFF)), "ends outside"),
                ("local fields beyond the end", patched((28, "H", 0xFFFF)), "ends outside"),
                ("no local header", patched((0, "B", 0)), "no local header"),
                ("a local header elsewhere", patched((central + 42, "I", 1)), ""),
                ("a local header outside", patched((central + 42, "I", 0xFFFFFF00)), "ends outside"),
                ("a central name beyond the end", patched((central + 28, "H", 0xFFFF)), "malformed"),
                ("central fields beyond the end", patched((central + 30, "H", 0xFFFF)), "malformed"),
                ("a central comment beyond the end", patched((central + 32, "H", 0xFFFF)), "malformed"),
                ("no central header", patched((central, "B", 0)), "malformed"),
                ("more entries", patched((len(whole) - 12, "H", 3)), "damaged"),
                ("fewer entries", patched((len(whole) - 12, "H", 1)), "more than its entries"),
                ("many entries", patched((len(whole) - 12, "H", 0xFFFE)), "central directory"),
                ("another disk", patched((len(whole) - 18, "H", 1)), "several files"),
                ("a directory elsewhere", patched((len(whole) - 6, "I", central - 1)), "central directory"),
                ("a larger directory", patched((len(whole) - 10, "I", 0xFFFFFF)), "central directory"),
                ("bytes after the end", whole + b"\0", "central directory"),
                ("bytes before the beginning", b"\0" + whole, "central directory"),
            ):
                with self.subTest(reason=reason, compression=compression):
                    self.path("a.npz").write_bytes(archive)
                    self.refuse_indices(word)

    def test_no_byte_that_changes_does_harm(self):
        # With sanitizers this is where a read outside the archive would show.
        self.write("a.npz", {"x.npy": npy_bytes(self.indices), "y": b"1"}, zipfile.ZIP_DEFLATED)
        whole = bytearray(with_zip64(self.path("a.npz").read_bytes()))
        with counting(self, "changed bytes"):
            for at in some(range(0, len(whole), 2)):
                changed = whole[:]
                changed[at] ^= int(self.rng.integers(1, 256))
                self.path("a.npz").write_bytes(changed)
                result = self.run_program(*self.SCATTER, "data.npy", "a.npz:x", "updates.npy", "--check")
                self.assertIn(result.returncode, (0, 2), (at, result))
                if result.returncode == 2:
                    self.assert_refusal(result, "strew-npy: ")

    def test_truncated_archives(self):
        self.write("a.npz", {"x.npy": npy_bytes(self.indices)}, zipfile.ZIP_DEFLATED)
        whole = self.path("a.npz").read_bytes()
        for length in some(range(1, len(whole), 3)):
            self.path("a.npz").write_bytes(whole[:length])
            result = self.run_program(*self.SCATTER, "data.npy", "a.npz:x", "updates.npy", "--check")
            self.assert_refusal(result, "strew-npy: a.npz:x: ")

    def test_members_that_overlap(self):
        self.write("a.npz", {"x.npy": npy_bytes(self.indices)})
        whole = self.path("a.npz").read_bytes()
        central = whole.index(CENTRAL)
        end = whole.index(END)
        entry = whole[central:end]
        other = entry.replace(b"x.npy", b"y.npy")
        for entries, word in (([entry, other], "overlaps"), ([entry, entry], "2 times")):
            directory = b"".join(entries)
            record = struct.pack("<4sHHHHIIH", END, 0, 0, len(entries), len(entries), len(directory), central, 0)
            self.path("a.npz").write_bytes(whole[:central] + directory + record)
            self.refuse_indices(word)

    def test_bombs(self):
        zeros = np.zeros(64 * MIB, "u1")
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_DATA, (48 * MIB, 48 * MIB))}
        can_limit = self.run_program("--version", **limit).returncode == 0
        self.write("a.npz", {"x.npy": npy_bytes(zeros)}, zipfile.ZIP_DEFLATED)
        size = len(npy_bytes(zeros))
        said = f"takes {size} bytes of memory to inflate, more than the limit of {63 * MIB} (see --inflate-limit)"
        self.refuse_indices(said, more=["--inflate-limit=63"], **(limit if can_limit else {}))
        if can_limit:
            self.refuse_indices("not enough memory", **limit)
        # A header that declares little, and one that declares more than there can be.
        whole = bytearray(self.path("a.npz").read_bytes())
        central = whole.index(CENTRAL)
        for declared, word in ((100, "inflates to more than the 100 bytes"), (0xFFFFFF00, "can hold")):
            struct.pack_into("<I", whole, 22, declared)
            struct.pack_into("<I", whole, central + 24, declared)
            self.path("a.npz").write_bytes(whole)
            self.refuse_indices(word, **(limit if can_limit else {}))

    def test_a_great_many_members_take_no_memory(self):
        entry_count = 0xFFFE
        content = npy_bytes(self.indices)
        local = struct.pack(
            "<4sHHHHHIIIHH", LOCAL, 20, 0, 0, 0, 0, zlib.crc32(content), len(content), len(content), 5, 0
        )
        body = local + b"x.npy" + content

        def entry(name, crc, size, at):
            sizes = (crc, size, size, len(name), 0, 0, 0, 0, 0, at)
            return struct.pack("<4sHHHHHHIIIHHHHHII", CENTRAL, 20, 20, 0, 0, 0, 0, *sizes) + name

        empty = struct.pack("<4sHHHHHIIIHH", LOCAL, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        directory = entry(b"x.npy", zlib.crc32(content), len(content), 0)
        directory += b"".join(entry(b"", 0, 0, len(body) + k * len(empty)) for k in range(entry_count - 1))
        body += empty * (entry_count - 1)
        record = struct.pack("<4sHHHHIIH", END, 0, 0, entry_count, entry_count, len(directory), len(body), 0)
        self.path("a.npz").write_bytes(body + directory + record)
        self.check_expected("data.npy", "a.npz:x", "updates.npy")
        self.refuse(*self.SCATTER, "data.npy", "a.npz:z", "updates.npy", "--check", words=[f"{entry_count - 12} more"])

    def test_a_stored_member_is_mapped(self):
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_DATA, (48 * MIB, 48 * MIB))}
        if self.run_program("--version", **limit).returncode != 0:
            self.skipTest("this build does not start in 48 MiB of private memory (sanitizers take more)")
        data = np.zeros((100, MIB), "u1")
        np.savez(self.path("a.npz"), data=data, indices=self.indices, updates=data[:2] + 1)
        self.succeed(*self.SCATTER, "a.npz:data", "a.npz:indices", "a.npz:updates", "-o", "out.npy", **limit)
        self.assertEqual(np.load(self.path("out.npy"), mmap_mode="r").sum(axis=1).nonzero()[0].tolist(), [0, 2])

    def test_an_archive_that_shrinks_or_is_no_file(self):
        os.mkfifo(self.path("pipe.npz"))
        for name, word in (("pipe.npz", "not a regular file"), ("missing.npz", "No such file")):
            self.refuse(*self.SCATTER, "data.npy", f"{name}:x", "updates.npy", "--check", words=[name, word])
        self.path("a.npz").write_bytes(b"")
        self.refuse(*self.SCATTER, "data.npy", "a.npz:x", "updates.npy", "--check", words=["is empty"])


def with_zip64(archive):
    """The archive, with the zip64 records that one beyond 4 GiB has."""
    end = archive.rindex(END)
    _, _, _, _, count, size, offset, _ = struct.unpack("<4sHHHHIIH", archive[end:])
    record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, count, count, size, offset)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, end, 1)
    last = struct.pack("<4sHHHHIIH", END, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    return archive[:end] + record + locator + last


if __name__ == "__main__":
    print(f"program: {PROGRAM}")
    unittest.main(verbosity=2)
