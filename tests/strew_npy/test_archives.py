# SPDX-License-Identifier: Apache-2.0
"""Operands that are members of .npz archives: those that NumPy and zipfile write, and malicious ones."""

import dataclasses
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

from driver import (
    ELEMENT_TYPES, EMULATOR, EVERY, PROGRAM, ProgramTest, counting, mirrored, random_array, scatter_update, some,
)  # fmt: skip
from raw_archive import (
    CENTRAL, DESCRIPTOR, END, END64, LOCAL, LOCATOR64, SIZES_FOLLOW, Member, body, finished, with_checksum, with_zip64,
)  # fmt: skip

MIB = 1 << 20


def npy_bytes(array):
    file = io.BytesIO()
    np.lib.format.write_array(file, mirrored(array), allow_pickle=False)
    return file.getvalue()


class ArchiveTest(ProgramTest):
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

    def in_48_mib(self):
        """Options of a run with so much private memory; none where sanitizers or an emulator take more themselves."""
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_DATA, (48 * MIB, 48 * MIB))}
        return {} if EMULATOR or self.run_program("--version", **limit).returncode != 0 else limit

    def check_expected(self, *operands):
        self.succeed(*self.SCATTER, *operands, "-o", "out.npy")
        self.assertEqual(self.path("out.npy").read_bytes(), npy_bytes(self.expected))
        self.assertEqual(self.succeed(*self.SCATTER, *operands, "--check"), "")

    def refuse_indices(self, *words, **options):
        """Expects an error, with all the words, for member x of a.npz as indices."""
        arguments = [*self.SCATTER, "data.npy", "a.npz:x", "updates.npy", *options.pop("more", [])]
        said = self.refuse(*arguments, "-o", "out.npy", words=["strew-npy: a.npz:x: ", *words], **options)
        self.assertLess(len(said), 2000)


class Archives(ArchiveTest):
    def test_what_numpy_writes(self):
        self.save_archive("plain.npz", **self.arrays)
        self.save_archive("small.npz", np.savez_compressed, **self.arrays)
        with counting(self, "archives of NumPy"):
            for names in itertools.product(("plain.npz:", "small.npz:", ""), repeat=3):
                operands = []
                for archive, member in zip(names, self.arrays):
                    operands.append(archive + member if archive else f"{member}.npy")
                with self.subTest(operands=operands):
                    self.check_expected(*operands)
        self.check_expected("plain.npz:data.npy", "small.npz:indices.npy", "updates.npy")

    def test_in_place_with_updates_from_an_archive(self):
        self.save_archive("plain.npz", **self.arrays)
        self.succeed(*self.SCATTER, "data.npy", "plain.npz:indices", "plain.npz:updates", "--in-place")
        self.assertEqual(self.path("data.npy").read_bytes(), npy_bytes(self.expected))

    def test_archives_are_not_written(self):
        self.save_archive("a.npz", **self.arrays)
        self.refuse(*self.SCATTER, "a.npz:data", "indices.npy", "updates.npy", "--in-place", words=["is in an archive"])
        for output in ("out.npz", "a.npz", "a.npz:data"):
            self.refuse(*self.SCATTER, "data.npy", "indices.npy", "updates.npy", "-o", output,
                        words=[f"{output}: would be an archive"])  # fmt: skip

    def test_stored_members_at_every_alignment(self):
        # The length of the first member's name determines the alignment of the others.
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
                np.testing.assert_array_equal(self.load("out.npy"), sums)

    def test_every_element_type_and_both_orders(self):
        for code, order in itertools.product(ELEMENT_TYPES, "CF"):
            with self.subTest(code=code, order=order):
                data = random_array(self.rng, (4, 3), code, order)
                updates = random_array(self.rng, (2, 3), code, order)
                operands = {"data": data, "indices": self.indices.astype(">i2"), "updates": updates}
                self.save_archive("a.npz", np.savez_compressed, **operands)
                self.succeed(*self.SCATTER, "a.npz:data", "a.npz:indices", "a.npz:updates", "-o", "out.npy")
                expected = scatter_update(data, self.indices, updates, 0)
                self.assertEqual(self.load("out.npy").tobytes(), expected.tobytes())

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
        for sentinels in (True, False):
            with self.subTest("zip64", sentinels=sentinels):
                self.write("a.npz", contents)
                self.path("a.npz").write_bytes(with_zip64(self.path("a.npz").read_bytes(), sentinels))
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
                           words=["a.npz:missing: is not in the archive, which holds a b.npy, ä.npy, ", "and 1 more",
                                  r"$'new\nline.npy'", r"$'\x1b[31m.npy'", r"$'back\\slash.npy'"])  # fmt: skip
        self.assertTrue(said.rstrip("\n").isprintable())
        self.write("a.npz", {"x": npy_bytes(self.indices), "x.npy": b"not this"})
        self.check_expected("data.npy", "a.npz:x", "updates.npy")

    def test_an_archive_without_a_member(self):
        self.save_archive("a.npz", x=self.indices)
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

    def test_an_empty_member(self):
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            with self.subTest(compression=compression):
                self.write("a.npz", {"x.npy": b""}, compression)
                self.refuse_indices("is not a .npy file")

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
                (
                    "a larger packed size",
                    patched(*both(18, "I", packed + 1)),
                    "overlaps" if compression else "stored in",
                ),
                ("larger sizes", patched(*both(18, "I", packed + 1), *both(22, "I", size + 1)), "overlaps"),
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
        # Sanitizers report a read outside the archive here.
        self.write("a.npz", {"x.npy": npy_bytes(self.indices), "y": b"1"}, zipfile.ZIP_DEFLATED)
        members = [Member(b"x.npy", npy_bytes(self.indices)), Member(b"y", b"1", flags=SIZES_FOLLOW)]
        members[0].extra = struct.pack("<HHQQ", 1, 16, *[len(members[0].content)] * 2)
        members[1].after = struct.pack("<III", members[1].checksum, 1, 1)
        streamed = finished(body(members), [member.central() for member in members[::-1]])
        with counting(self, "changed bytes"):
            for archive in (with_zip64(self.path("a.npz").read_bytes()), streamed):
                for at in some(range(0, len(archive), 2)):
                    changed = bytearray(archive)
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

    def test_bombs(self):
        zeros = np.zeros(64 * MIB, "u1")
        limit = self.in_48_mib()
        self.write("a.npz", {"x.npy": npy_bytes(zeros)}, zipfile.ZIP_DEFLATED)
        size = len(npy_bytes(zeros))
        said = f"takes {size} bytes of memory to inflate, more than the limit of {63 * MIB} (see --inflate-limit)"
        self.refuse_indices(said, more=["--inflate-limit=63"], **limit)
        if limit:
            self.refuse_indices("not enough memory", **limit)
        # A header that declares too little, and one that declares more than is possible.
        whole = bytearray(self.path("a.npz").read_bytes())
        central = whole.index(CENTRAL)
        for declared, word in ((100, "inflates to more than the 100 bytes"), (0xFFFFFF00, "can hold")):
            struct.pack_into("<I", whole, 22, declared)
            struct.pack_into("<I", whole, central + 24, declared)
            self.path("a.npz").write_bytes(whole)
            self.refuse_indices(word, **limit)

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
        limit = self.in_48_mib()
        if not limit:
            self.skipTest("this build cannot be held to 48 MiB of private memory (sanitizers and emulators take more)")
        data = np.zeros((100, MIB), "u1")
        self.save_archive("a.npz", data=data, indices=self.indices, updates=data[:2] + 1)
        self.succeed(*self.SCATTER, "a.npz:data", "a.npz:indices", "a.npz:updates", "-o", "out.npy", **limit)
        self.assertEqual(np.load(self.path("out.npy"), mmap_mode="r").sum(axis=1).nonzero()[0].tolist(), [0, 2])

    def test_an_archive_that_shrinks_or_is_no_file(self):
        os.mkfifo(self.path("pipe.npz"))
        for name, word in (("pipe.npz", "not a regular file"), ("missing.npz", "No such file")):
            self.refuse(*self.SCATTER, "data.npy", f"{name}:x", "updates.npy", "--check", words=[name, word])
        self.path("a.npz").write_bytes(b"")
        self.refuse(*self.SCATTER, "data.npy", "a.npz:x", "updates.npy", "--check", words=["is empty"])


class Layout(ArchiveTest):
    """The positions of members: no two members, used or not, share a byte from local header to data descriptor."""

    def setUp(self):
        super().setUp()
        self.content = npy_bytes(self.indices)

    def members(self, *names, **options):
        return [Member(name.encode(), self.content, **options) for name in names]

    def put(self, archive):
        self.path("a.npz").write_bytes(archive)

    TARGETS = (["-o", "out.npy"], ["--in-place"], ["--check"])

    def refuse_archive(self, archive, *words, names="xyz"):
        """Expects an error for each member, for every use."""
        self.put(archive)
        for name, target in zip(names, self.TARGETS):
            operands = ["data.npy", f"a.npz:{name}", "updates.npy", *target]
            self.refuse(*self.SCATTER, *operands, words=[f"strew-npy: a.npz:{name}: ", *words])

    def entries(self, members):
        return [member.central() for member in members]

    def hidden_members(self):
        """x, whose elements are an .npy file: the offset of that in the contents of x, and x itself."""
        content = npy_bytes(np.frombuffer(self.content, "u1"))
        at = content.index(self.content, 1)
        self.assertEqual(content[at:], self.content)
        return Member(b"x.npy", content), at

    def test_a_local_extra_field_that_leads_into_another_member(self):
        # By the central directory y ends before x; its extra field overlaps the header of x.
        x, inner = self.hidden_members()
        (y, z) = self.members("y.npy", "z.npy")
        covered = bytes(len(y.content)) + x.whole()[: len(x.local()) + inner]
        y.extra = struct.pack("<HH", 0xCAFE, len(covered)) + covered
        before = y.local() + y.content
        y.at = 0
        x.at = before.index(x.local())
        z.at = len(before)
        self.assertLess(y.at + 30 + len(y.name) + len(y.content), x.at)
        for order, names in zip(itertools.permutations((x, y, z)), itertools.permutations("yxz")):
            with self.subTest(order=[member.name for member in order]):
                self.refuse_archive(finished(before + z.whole(), self.entries(order)), "overlaps", names=names)

    def test_a_local_extra_field_over_other_members(self):
        # y has no contents and is not used, so only its position is wrong.
        y, x, z = Member(b"y.npy", b""), *self.members("x.npy", "z.npy")
        rest = x.whole() + z.whole()
        for reach, word in (
            (10, "overlaps"),
            (len(x.whole()), "overlaps"),
            (len(rest), "overlaps"),
            (len(rest) + 1, "ends outside"),
            (len(rest) + 50, "ends outside"),
        ):
            with self.subTest(reach=reach):
                header = y.local(extra=struct.pack("<HH", 0xCAFE, reach))
                header = header[:28] + struct.pack("<H", 4 + reach) + header[30:]
                y.at, x.at, z.at = 0, len(header), len(header) + len(x.whole())
                self.refuse_archive(finished(header + rest, self.entries([y, x, z])), word, names="xz")

    def test_a_member_within_the_contents_of_another(self):
        x = Member(b"x.npy", npy_bytes(np.frombuffer(self.members("y.npy")[0].whole(), "u1")))
        y, z = self.members("y.npy", "z.npy")
        before = body([x, z])
        y.at = before.index(y.local())
        self.refuse_archive(finished(before, self.entries([x, y, z])), "y.npy overlaps member x.npy")
        self.refuse_archive(finished(before, self.entries([y, z, x])), "overlaps")

    def test_two_entries_of_one_member(self):
        x, z = self.members("x.npy", "z.npy")
        before = body([x, z])
        self.refuse_archive(finished(before, self.entries([x, x, z])), "overlaps", names="xz")
        other = x.central(name=b"y.npy")
        self.refuse_archive(finished(before, [x.central(), other, z.central()]), "disagrees")
        x, same, z = self.members("x.npy", "x.npy", "z.npy")
        self.put(finished(body([x, same, z]), self.entries([x, same, z])))
        self.refuse_indices("is in the archive 2 times")
        self.check_expected("data.npy", "a.npz:z", "updates.npy")

    def test_a_data_descriptor_that_is_not_there(self):
        # It would be the header of the next member, or the central directory.
        for names in ("xyz", "xzy"):
            members = self.members(*(f"{name}.npy" for name in names))
            for member in members:
                if member.name == b"y.npy":
                    member.flags = SIZES_FOLLOW
            self.refuse_archive(finished(body(members), self.entries(members)), "member y.npy has no data descriptor")

    def test_a_data_descriptor_that_is_a_header(self):
        # A descriptor is a checksum and two sizes. The next member begins with those of y.
        y = Member(b"y", with_checksum(b"0123456789abcdef", int.from_bytes(LOCAL, "little")), flags=SIZES_FOLLOW)
        following = Member(b"w", b"", version=len(y.content), method=len(y.content))
        x, z = self.members("x.npy", "z.npy")
        members = [y, following, x, z]
        before = body(members)
        self.assertEqual(before[following.at :][:12], struct.pack("<III", y.checksum, *[len(y.content)] * 2))
        for order in (members, members[::-1]):
            self.refuse_archive(finished(before, self.entries(order)), "w overlaps member y", names="xz")

    def test_data_descriptors_of_all_forms(self):
        for signature, number, content in itertools.product((DESCRIPTOR, b""), "IQ", (self.content, b"")):
            members = [Member(b"e", content, flags=SIZES_FOLLOW), *self.members("x.npy", flags=SIZES_FOLLOW)]
            for member in members:
                sizes = struct.pack("<" + 2 * number, *[len(member.content)] * 2)
                member.after = signature + struct.pack("<I", member.checksum) + sizes
            with self.subTest(signature=signature, number=number, length=len(content)):
                self.put(finished(body(members), self.entries(members)))
                self.check_expected("data.npy", "a.npz:x", "updates.npy")
                for at in some(range(len(signature) + 12)):
                    changed = [dataclasses.replace(members[0]), members[1]]
                    after = bytearray(members[0].after)
                    after[at] ^= 1
                    changed[0].after = bytes(after)
                    self.put(finished(body(changed), self.entries(changed)))
                    self.refuse_indices("member e has no data descriptor")

    def test_sizes_that_follow_and_stand_in_the_header_too(self):
        x, y = self.members("x.npy", "y.npy")
        y.flags = SIZES_FOLLOW
        y.after = DESCRIPTOR + struct.pack("<III", y.checksum, *[len(y.content)] * 2)
        before = body([x, y])
        zip64 = lambda size, packed: {  # noqa: E731
            "size": 0xFFFFFFFF, "packed": 0xFFFFFFFF, "extra": struct.pack("<HHQQ", 1, 16, size, packed)
        }  # fmt: skip
        length = len(y.content)
        for said, right in (
            ({}, True),
            ({"size": length}, True),
            ({"packed": length}, True),
            ({"crc": y.checksum}, True),
            (zip64(0, 0), True),
            (zip64(length, length), True),
            ({"size": length + 1}, False),
            ({"packed": length - 1}, False),
            ({"crc": 1}, False),
            (zip64(length - 1, 0), False),
            (zip64(0, length + 1), False),
        ):
            with self.subTest(said=said):
                archive = finished(before[: y.at] + y.whole(**said), self.entries([x, y]))
                if right:
                    self.put(archive)
                    self.check_expected("data.npy", "a.npz:x", "updates.npy")
                    self.check_expected("data.npy", "a.npz:y", "updates.npy")
                else:
                    self.refuse_archive(archive, "member y.npy has a local header that disagrees", names="xy")

    def test_local_headers_of_others_that_disagree(self):
        x, y = self.members("x.npy", "y.npy")
        length = len(y.content)
        zip64 = lambda *sizes: struct.pack(f"<HH{len(sizes)}Q", 1, 8 * len(sizes), *sizes)  # noqa: E731
        wide = {"size": 0xFFFFFFFF, "packed": 0xFFFFFFFF}
        for said, word in (
            ({"name": b"w.npy"}, "disagrees"),
            ({"name": b"Y.npy"}, "disagrees"),
            ({"name": b"y.np"}, "disagrees"),
            ({"size": length - 1}, "disagrees"),
            ({"size": 0}, "disagrees"),
            ({"packed": length - 1}, "disagrees"),
            ({"packed": length + 1}, "disagrees"),
            ({"crc": 1}, "disagrees"),
            ({"method": 8}, "disagrees"),
            ({"flags": 1}, "disagrees"),
            ({"flags": SIZES_FOLLOW}, "disagrees"),
            ({"extra": zip64(length, length - 1), **wide}, "disagrees"),
            ({"extra": zip64(length), **wide}, "zip64"),
            (wide, "zip64"),
            ({"extra": zip64(length, length) * 2, **wide}, "two zip64 fields"),
            ({"extra": zip64() + zip64(length, length), **wide}, "two zip64 fields"),
            ({"extra": b"\xfe\xca\x01\x00"}, "extra field"),
        ):
            with self.subTest(said=said):
                before = body([x, y])[: y.at] + y.whole(**said)
                archive = finished(before + bytes(40), self.entries([x, y]))
                self.refuse_archive(archive, "member y.npy ", word, names="xy")
        before = body([x, y])
        headless = before[: y.at] + b"PK\x03\x05" + before[y.at + 4 :]
        self.refuse_archive(finished(headless, self.entries([x, y])), "member y.npy has no local header", names="xy")
        self.refuse_archive(finished(before, [x.central(), y.central(extra=zip64(1) * 2)]), "zip64", names="xy")
        y.size = length + 30  # what a reader that goes by it would take from the next member
        archive = finished(body([x, y]), self.entries([x, y]))
        self.refuse_archive(archive, f"member y.npy is stored in {length} bytes, but declares", names="xy")

    def test_two_directories(self):
        # A reader that always uses zip64 records finds another directory than one that only does if necessary.
        x, y = self.members("x.npy", "y.npy")
        before = body([x, y])
        directory = len(before) + len(x.central())
        hidden = y.central() + struct.pack(
            "<4sQHHIIQQQQ", END64, 44, 45, 45, 0, 0, 1, 1, len(y.central()), directory
        )  # fmt: skip
        hidden += struct.pack("<4sIQI", LOCATOR64, 0, directory + len(y.central()), 1)
        entry = x.central()
        entry = entry[:32] + struct.pack("<H", len(hidden)) + entry[34:]  # as its comment
        self.refuse_archive(finished(before, [entry + hidden]), "central directory", names="xy")
        whole = with_zip64(finished(before, self.entries([x, y])), sentinels=False)
        for at, form in ((10, "H"), (12, "I"), (16, "I")):
            archive = bytearray(whole)
            struct.pack_into("<" + form, archive, archive.rindex(END) + at, 1)
            self.refuse_archive(bytes(archive), "central directory", names="xy")

    def test_members_in_any_order_with_gaps_and_extra_fields(self):
        fields = struct.pack("<HH", 0xCAFE, 300) + b"PK\x03\x04" * 75
        members = self.members("x.npy", "y.npy", "z.npy", extra=fields)
        before = b"gap" + body(members, gap=b"PK\x01\x02" + bytes(13))
        for member in members:
            member.at += len("gap")
        for order in itertools.permutations(members):
            self.put(finished(before, self.entries(order)))
            for name in "xyz":
                self.check_expected("data.npy", f"a.npz:{name}", "updates.npy")

    def test_members_that_are_not_read_may_be_of_any_kind(self):
        x = self.members("x.npy")[0]
        for said, word in (
            ({"flags": 1, "size": len(x.content) - 12}, "is encrypted"),
            ({"flags": 1, "method": 99}, "is encrypted"),
            ({"method": 14, "size": 7}, "is compressed by method 14"),
        ):
            with self.subTest(said=said):
                other = Member(b"other", self.content, **said)
                self.put(finished(body([other, x]), self.entries([other, x])))
                self.check_expected("data.npy", "a.npz:x", "updates.npy")
                self.refuse(*self.SCATTER, "data.npy", "a.npz:other", "updates.npy", "--check", words=[word])

    def entries_at(self, member, places):
        """An entry of the member for each position."""
        table = np.tile(np.frombuffer(member.central(at=0), "u1"), (len(places), 1))
        table[:, 42:46] = np.asarray(places, "<u4").view("u1").reshape(-1, 4)
        return table.tobytes()

    def finished_large(self, before, first, rest, count):
        """As finished(), of one entry and of a great many."""
        archive = finished(before, [first, rest])
        record = archive.rindex(END)
        archive = with_zip64(archive)
        return archive[: record + 24] + struct.pack("<QQ", count + 1, count + 1) + archive[record + 40 :]

    def test_a_great_many_members(self):
        # In order they take no memory, otherwise little for each; checking takes no time in both cases.
        count = 200_000 // EVERY
        options = self.in_48_mib()
        x = self.members("x.npy")[0]
        empty = Member(b"", b"")
        before = body([x]) + empty.local() * count
        places = np.arange(count) * len(empty.local()) + len(x.whole())
        operands = [*self.SCATTER, "data.npy", "a.npz:x", "updates.npy", "--check"]
        for order in (places, places[::-1], self.rng.permutation(places)):
            self.put(self.finished_large(before, x.central(), self.entries_at(empty, order), count))
            self.assertEqual(self.succeed(*operands, **options), "")
        for order in (np.full(count, places[7]), np.append(places[1:], places[-1]), np.append(places[1:], places[9])):
            self.put(self.finished_large(before, x.central(), self.entries_at(empty, order), count))
            self.refuse(*operands, words=["member $'' overlaps member $''"], **options)

    def test_a_great_many_entries_of_two_long_headers(self):
        # Such a header takes long to read, and an entry for it is small.
        count = 500_000
        x = self.members("x.npy")[0]
        long = Member(b"", b"", extra=struct.pack("<HH", 0xCAFE, 0) * 16_000)
        before = body([x]) + long.whole() * 2
        places = np.tile([len(x.whole()), len(x.whole()) + len(long.whole())], count // 2)
        self.put(self.finished_large(before, x.central(), self.entries_at(long, places), count))
        self.refuse(*self.SCATTER, "data.npy", "a.npz:x", "updates.npy", "--check", words=["overlaps"])


if __name__ == "__main__":
    print(f"program: {PROGRAM}")
    unittest.main(verbosity=2)
