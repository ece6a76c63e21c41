# SPDX-License-Identifier: Apache-2.0
"""Printed names: file names may have any byte but NUL, names in archives any byte, and terminals interpret some of them
as commands. The output is lines of plain text, and names do not add lines."""

import os
import pathlib
import random
import shutil
import struct
import subprocess
import unicodedata
import unittest

import numpy as np

from driver import ProgramTest, counting, some
from raw_archive import SIZES_FOLLOW, Member, body, finished

READS_ARCHIVES = os.environ.get("STREW_NPY_READS_ARCHIVES", "1") != "0"

# Characters that move text although they are no control characters: ends of lines and paragraphs, and directions.
MARKS = {*range(0x2028, 0x202F), *range(0x2066, 0x206A)}
SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\\": r"\\", "'": r"\'"}

ORDINARY = [
    "a", "a b", "#", "-", "*", "it's", '"a"', "$'a'", "a$b", "ä", "e\u0301", "日本語", "😀", "\u00a0", "\u00ad",
    "\u07ff", "\u0800", "\u200d", "\u2027", "\u202f", "\u2065", "\u206a", "\ud7ff", "\ue000", "\uffff", "\U0010fffd",
]  # fmt: skip
SPECIAL = {
    "two\nlines": r"$'two\nlines'",
    "\r": r"$'\r'",
    "tab\t": r"$'tab\t'",
    "\x1b[31mred\x1b[m": r"$'\x1b[31mred\x1b[m'",
    "\x1b]0;title\a": r"$'\x1b]0;title\x07'",
    "\x01\x1f \x7f~": r"$'\x01\x1f \x7f~'",
    "\x1bc0ffee": r"$'\x1bc0ffee'",
    "\u0080\u009b\u009f\u00a0": "$'\\xc2\\x80\\xc2\\x9b\\xc2\\x9f\u00a0'",
    "ä\nä": r"$'ä\nä'",
    "back\\slash": r"$'back\\slash'",
    "a\\nb": r"$'a\\nb'",
    "it's\n": r"$'it\'s\n'",
    "$'a\\n'": r"$'$\'a\\n\''",
    "\u2028": r"$'\xe2\x80\xa8'",
    "\u202etxt": r"$'\xe2\x80\xaetxt'",
    "\u2066": r"$'\xe2\x81\xa6'",
}
# Bytes that are not UTF-8: continuations, overlong forms, surrogates, too large values, truncated characters.
MALFORMED = [
    b"\x80", b"\x9b31m", b"\xff", b"\xfe\xff", b"\xc0\x8a", b"\xc1\xbf", b"\xe0\x80\x8a", b"\xe0\x9f\xbf",
    b"\xf0\x80\x80\x8a", b"\xf0\x8f\xbf\xbf", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xf4\x90\x80\x80",
    b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xe2\n\x82",
    b"\xc3\xc3\xa4", b"\xe2\x82\xe2\x82\xac",
]  # fmt: skip


def shown(name):
    """The rule of README.md, by Python's decoder."""
    name = os.fsencode(name)
    text = ""
    for letter in name.decode(errors="surrogateescape"):
        bytes_of = letter.encode(errors="surrogateescape")
        if letter in SHORT:
            text += SHORT[letter]
        elif unicodedata.category(letter) in ("Cc", "Cs") or ord(letter) in MARKS:
            text += "".join(f"\\x{byte:02x}" for byte in bytes_of)
        else:
            text += letter
    is_ordinary = text and text.replace(r"\'", "'") == os.fsdecode(name)
    return os.fsdecode(name) if is_ordinary else f"$'{text}'"


class Names(ProgramTest):
    SCATTER = ["scatter_update", "--axis=0"]
    WEIRD = "\x1b[2J\n\x7f\u009b\\\udcff'ä"  # a file name with a bit of all

    def setUp(self):
        super().setUp()
        self.save("data.npy", np.arange(15, dtype="f4").reshape(3, 5))
        self.save("indices.npy", np.array([2, 0]))
        self.save("updates.npy", np.ones((2, 5), "f4"))

    def run_and_look(self, *arguments, returns=2, lines=1, **options):
        """The output: the given number of lines of plain text, in UTF-8."""
        printed = self.run_program(*arguments, **{"text": False, "errors": None, **options})
        self.assertEqual(printed.returncode, returns, printed)
        self.assertEqual(bool(printed.stderr), returns != 0)
        text = (printed.stdout + printed.stderr).decode(errors="surrogateescape")
        self.assertTrue(text.endswith("\n"))
        self.assertEqual(len(text.splitlines()), lines, text)
        for line in text[:-1].split("\n"):
            self.assertFalse([letter for letter in line if unicodedata.category(letter) in ("Cc", "Cs")], text)
        return text

    def test_names_as_they_are_and_names_in_quotes(self):
        wanted = {name: name for name in ORDINARY} | SPECIAL
        wanted |= {os.fsdecode(name): shown(name) for name in MALFORMED}
        for name, expected in wanted.items():
            self.assertEqual(shown(name), expected)
            with self.subTest(name=name):
                text = self.run_and_look(*self.SCATTER, "--check", name, "indices.npy", "updates.npy")
                self.assertEqual(text, f"strew-npy: {expected}: cannot be opened: No such file or directory\n")

    def random_names(self, count):
        rng = random.Random(5)
        pieces = [*ORDINARY, *SPECIAL, *map(os.fsdecode, MALFORMED), *map(chr, range(1, 256)), "\u2029", "\u2069"]
        pieces = [piece.replace("/", "x") for piece in pieces]
        for _ in some(range(count)):
            yield "x" + "".join(rng.choices(pieces, k=rng.randint(1, 8)))

    def test_random_names(self):
        with counting(self, "random names"):
            for name in self.random_names(300):
                text = self.run_and_look(*self.SCATTER, "--check", name, "indices.npy", "updates.npy")
                self.assertEqual(text, f"strew-npy: {shown(name)}: cannot be opened: No such file or directory\n")

    def test_shells_read_what_is_printed(self):
        if shutil.which("bash") is None:
            self.skipTest("no bash")
        for name in [*SPECIAL, *map(os.fsdecode, MALFORMED), *self.random_names(50)]:
            if shown(name) == name:
                continue
            text = self.run_and_look(*self.SCATTER, "--check", name, "indices.npy", "updates.npy")
            quoted = text.removeprefix("strew-npy: ").removesuffix(": cannot be opened: No such file or directory\n")
            command = ["bash", "--norc", "-c", f"printf %s {quoted}"]
            read = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "LC_ALL": "C"})
            self.assertEqual(read.stdout, os.fsencode(name))

    def test_what_is_wrong_with_operands(self):
        name = self.WEIRD
        said = f"strew-npy: {shown(name)}: "

        def is_missing():
            pass

        def is_a_directory():
            os.mkdir(self.path(name))

        def is_empty():
            self.path(name).write_bytes(b"")

        def has_no_header():
            self.path(name).write_bytes(b"text")

        def has_another_type():
            self.save(name, np.ones((2, 5), "c16"))

        def has_another_shape():
            self.save(name, np.full((7,), 9))

        def remove():
            if self.path(name).is_dir():
                self.path(name).rmdir()
            self.path(name).unlink(missing_ok=True)

        for make in (is_missing, is_a_directory, is_empty, has_no_header, has_another_type, has_another_shape):
            for place in range(3):
                for target in (["-o", "out.npy"], ["--in-place"], ["--check"], ["-o", "out.npy", "--dry-run"]):
                    with self.subTest(make=make.__name__, place=place, target=target):
                        remove()
                        make()
                        operands = ["data.npy", "indices.npy", "updates.npy"]
                        operands[place] = name
                        text = self.run_and_look(*self.SCATTER, *operands, *target)
                        is_blamed = make not in (has_another_type, has_another_shape) or place == 2
                        self.assertTrue(not is_blamed or text.startswith(said), text)
        remove()
        self.save(name, np.ones((3, 5), "f8"))
        text = self.run_and_look(*self.SCATTER, name, "indices.npy", "updates.npy", "--check")
        self.assertEqual(text, f"strew-npy: updates.npy: is float32, but {shown(name)} is float64 "
                         "(elements are not converted)\n")  # fmt: skip
        os.link(self.path("data.npy"), self.path(f"{name}.npy"))
        text = self.run_and_look("scatter_elements", "data.npy", "indices.npy", f"{name}.npy", "--in-place")
        self.assertIn("is the same file", text)
        self.save(name, np.array([2, 3]))
        text = self.run_and_look(*self.SCATTER, "data.npy", name, "updates.npy", "--check")
        self.assertTrue(text.startswith(said + "scatter_update: indices[1] = 3 is outside"), text)

    def test_what_is_wrong_with_outputs(self):
        name = self.WEIRD
        operands = [*self.SCATTER, "data.npy", "indices.npy", "updates.npy"]
        os.mkdir(self.path(name))
        self.path(f"dangling{name}").symlink_to("nowhere")
        self.path(f"read_only{name}").write_bytes(b"")
        self.path(f"read_only{name}").chmod(0o444)
        self.path("link").symlink_to(f"read_only{name}")
        os.mkfifo(self.path(f"pipe{name}"))
        for output, blamed in (
            (name, name),
            (f"dangling{name}", f"dangling{name}"),
            (f"read_only{name}", f"read_only{name}"),
            ("link", str(self.path(f"read_only{name}").resolve())),
            (f"pipe{name}", f"pipe{name}"),
            (f"{name}{name}/out", f"{name}{name}/out"),
            (f"data.npy/{name}", f"data.npy/{name}"),
            (f"{name}.npz", f"{name}.npz"),
            (f"a.npz:{name}", f"a.npz:{name}"),
        ):
            for more in ([], ["--check"], ["--dry-run"]):
                with self.subTest(output=output, more=more):
                    text = self.run_and_look(*operands, "-o", output, *more)
                    self.assertTrue(text.startswith(f"strew-npy: {shown(blamed)}: "), text)

    def test_reports(self):
        name = self.WEIRD
        for file in ("data", "indices", "updates"):
            shutil.copy(self.path(f"{file}.npy"), self.path(f"{file}{name}"))
        operands = [*self.SCATTER, *(f"{file}{name}" for file in ("data", "indices", "updates"))]
        updates = shown(f"updates{name}")
        text = self.run_and_look(*operands, "-o", name, returns=0)
        self.assertEqual(text, f"{shown(name)}: float32 (3, 5), 10 elements from {updates}\n")
        text = self.run_and_look(*operands, "--in-place", returns=0)
        self.assertEqual(text, f"{shown(f'data{name}')}: float32 (3, 5), 10 elements from {updates}\n")
        for target, result in (
            (["-o", f"new{name}"], shown(f"new{name}") + ", 188 bytes, would be a new file"),
            (["-o", name], shown(name) + ", 188 bytes, would be written in the place of a file of 188 bytes"),
            (["--in-place"], shown(f"data{name}") + " would be changed in place by 40 bytes of updates"),
        ):
            text = self.run_and_look(*operands, *target, "--dry-run", returns=0, lines=5)
            self.assertEqual(
                text,
                "operator: scatter_update, axis 0\n"
                f"data:     {shown(f'data{name}')}: float32 (3, 5), 60 bytes\n"
                f"indices:  {shown(f'indices{name}')}: int64 (2,), 16 bytes\n"
                f"updates:  {updates}: float32 (2, 5), 40 bytes\n"
                f"result:   {result}\n",
            )

    def test_usage(self):
        name = self.WEIRD
        operands = ["data.npy", "indices.npy", "updates.npy"]
        text = self.run_and_look(*self.SCATTER, *operands, name, "ordinary", "--check")
        self.assertIn(f" not expected: {shown(name)} ordinary (see ", text)
        text = self.run_and_look(*self.SCATTER, *operands, f"--{name}", "--check")
        self.assertIn(f" not expected: {shown(f'--{name}')} (see ", text)
        self.run_and_look(*self.SCATTER, *operands, f"--{name}=3", "--check")
        self.run_and_look(*self.SCATTER, *operands, f"-q{name}")
        self.run_and_look(name)
        self.run_and_look("--" + name, *self.SCATTER, *operands, "--check")
        self.run_and_look(*self.SCATTER[:1], f"--axis={name}", *operands, "--check")
        self.run_and_look("slice_scatter", "--start", f"1,{name}", "--stop=1", "--step=1", "data.npy", "updates.npy")
        self.run_and_look("put", *operands, "--in-place", f"--reduction={name}")
        for option in ("--threads", "--inflate-limit"):
            self.run_and_look("put", *operands, "--in-place", f"{option}={name}")
        for option in ("--in-place", "--check", "--dry-run", "--no-progress", "--quiet", "--without-init"):
            self.run_and_look("scatter_elements", *operands, f"{option}={name}")
        text = self.run_and_look(*self.SCATTER[:1], "--axis=a\nb\\", *operands, "--check")
        self.assertIn(r"'a\nb\\' is not an integer", text)

    @unittest.skipUnless(READS_ARCHIVES, "built without zlib")
    def test_archives(self):
        content = pathlib.Path(self.path("indices.npy")).read_bytes()
        names = [*SPECIAL, "", "\0", "ä", "it's"]
        members = [Member(os.fsencode(name), content) for name in [*names[-4:], *names[:-4]]]
        self.path("a.npz").write_bytes(finished(body(members), [member.central() for member in members]))
        text = self.run_and_look(*self.SCATTER, "data.npy", "a.npz:none", "updates.npy", "--check")
        listed = [r"$''", r"$'\x00'", "ä", "it's", *list(SPECIAL.values())[:8]]
        self.assertEqual(text, f"strew-npy: a.npz:none: is not in the archive, which holds {', '.join(listed)} "
                         f"and {len(SPECIAL) - 8} more\n")  # fmt: skip
        for name in SPECIAL:
            self.assertEqual(
                self.run_program(*self.SCATTER, "data.npy", f"a.npz:{name}", "updates.npy", "--check").returncode, 0
            )
        text = self.run_and_look(*self.SCATTER, "data.npy", f"a.npz:{self.WEIRD}", "updates.npy", "--check")
        self.assertTrue(text.startswith(f"strew-npy: {shown(f'a.npz:{self.WEIRD}')}: is not in the archive"), text)
        text = self.run_and_look(*self.SCATTER, f"a.npz:{self.WEIRD}", "indices.npy", "updates.npy", "--in-place")
        self.assertTrue(text.startswith(f"strew-npy: {shown(f'a.npz:{self.WEIRD}')}: is in an archive"), text)

    @unittest.skipUnless(READS_ARCHIVES, "built without zlib")
    def test_long_names_in_archives_are_cut_between_letters(self):
        for length in range(56, 64):
            for letters in ("ä" * 40, "€" * 40, "😀" * 40, "\n" * 40):
                name = "x" * length + letters
                member = Member(name.encode(), b"")
                self.path("a.npz").write_bytes(finished(body([member]), [member.central()]))
                text = self.run_and_look(*self.SCATTER, "data.npy", "a.npz:none", "updates.npy", "--check")
                listed = text.removeprefix("strew-npy: a.npz:none: is not in the archive, which holds ")
                cut = listed.removesuffix("...\n")
                self.assertNotEqual(cut, listed)
                kept = name.encode()[:60].decode(errors="ignore")
                self.assertEqual(cut, shown(kept))

    @unittest.skipUnless(READS_ARCHIVES, "built without zlib")
    def test_damaged_members(self):
        name = os.fsencode(self.WEIRD) + b"\0"
        said = "member " + shown(self.WEIRD + "\0") + " "
        x = Member(b"x", self.path("indices.npy").read_bytes())
        weird = Member(name, b"12")
        before = body([x, weird])
        disagrees = before[: weird.at] + weird.whole(crc=1)
        no_descriptor = body([x, Member(name, b"12", flags=SIZES_FOLLOW)])
        for archive, words in (
            (finished(disagrees, [x.central(), weird.central()]), said + "has a local header that disagrees"),
            (finished(before, [x.central(), weird.central(at=1)]), said + "has no local header"),
            (finished(before, [x.central(), weird.central(at=2**31)]), said + "ends outside it"),
            (finished(before, [x.central(), weird.central(), weird.central()]), said + "overlaps " + said.strip()),
            (finished(no_descriptor, [x.central(), Member(name, b"12", flags=8, at=weird.at).central()]),
             said + "has no data descriptor"),
            (finished(before, [x.central(), weird.central(extra=struct.pack("<HH", 7, 7))]),
             said + "has an extra field that ends outside its header"),
        ):  # fmt: skip
            with self.subTest(words=words):
                self.path("a.npz").write_bytes(archive)
                text = self.run_and_look(*self.SCATTER, "data.npy", "a.npz:x", "updates.npy", "--check")
                self.assertIn(words, text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
