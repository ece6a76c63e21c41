# SPDX-License-Identifier: Apache-2.0
"""The man page and the completions that are made from the help."""

import os
import pathlib
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
import unittest

import numpy as np

from driver import PROGRAM, README, ProgramTest

READS_ARCHIVES = os.environ.get("STREW_NPY_READS_ARCHIVES", "1") != "0"
DOCUMENTS = pathlib.Path(os.environ["STREW_NPY_DOCUMENTS"])
OPERATORS = (
    "slice_scatter", "scatter_update", "scatter_elements_update", "onnx_scatter", "scatter_elements",
    "onnx_scatter_elements", "scatter", "scatter_add", "scatter_reduce", "put_along_axis", "index_copy", "index_add",
    "index_reduce", "index_fill", "scatter_nd_update", "scatter_nd", "onnx_scatter_nd", "index_put", "put",
    "select_scatter", "diagonal_scatter", "masked_scatter", "masked_fill", "onnx_tensor_scatter",
)  # fmt: skip


class Documents(ProgramTest):
    def complete(self, *words):
        """The completions of bash for the last word, by the function that it would call."""
        # As readline does, with = and : among the characters that break words.
        broken = [part for word in words for part in re.findall(r"[=:]|[^=:]+", word) or [""]]
        if words[-1].endswith(("=", ":")):
            broken.append("")
        script = (
            f'source "{DOCUMENTS}/strew-npy.bash"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
            'complete -p strew-npy | grep -q _strew_npy && _strew_npy && printf "%s\\n" "${COMPREPLY[@]}"'
        )
        command = ["bash", "--norc", "-c", script, "bash", "strew-npy", *broken]
        result = subprocess.run(command, cwd=self.directory, capture_output=True, text=True)
        self.assertEqual(result.stderr, "")
        return sorted(line for line in result.stdout.splitlines() if line)

    def test_bash_offers_operators_and_options(self):
        self.assertEqual(self.complete(""), sorted([*OPERATORS, "-h", "--help", "--version"]))
        self.assertEqual(self.complete("scatter_e"), ["scatter_elements", "scatter_elements_update"])
        self.assertEqual(self.complete("put", "--in"), ["--in-place", "--inflate-limit"])
        self.assertEqual(self.complete("slice_scatter", "--s"), ["--start", "--step", "--stop"])
        self.assertEqual(self.complete("scatter_update", "--s"), [])
        self.assertEqual(self.complete("gather", "--"), [])

    def test_bash_offers_each_option_of_the_help_and_no_other(self):
        for operator in OPERATORS:
            options = set(
                re.findall(r"(?<![\w-])--?[a-z][\w-]*", self.succeed(operator, "--help").split("\n\nFiles:")[0])
            )
            options -= {"-npy"}
            self.assertEqual(set(self.complete(operator, "-")), options, operator)

    def test_bash_offers_values(self):
        self.assertEqual(self.complete("put", "--reduction", ""), ["none", "sum"])
        self.assertEqual(self.complete("put", "--reduction", "s"), ["sum"])
        self.assertEqual(self.complete("index_reduce", "--reduction=m"), ["max", "mean", "min"])
        self.assertEqual(self.complete("scatter_nd", "--reduction="), ["max", "min", "none", "prod", "sub", "sum"])
        self.assertEqual(self.complete("put", "--threads", ""), [])
        self.assertEqual(self.complete("put", "--bad-indices", ""), ["clip", "drop", "error", "wrap"])
        self.assertEqual(self.complete("onnx_tensor_scatter", "--mode="), ["circular", "linear"])
        self.assertEqual(self.complete("index_fill", "--value="), [])

    def test_bash_offers_files(self):
        self.save("a b.npy", np.arange(3))
        self.save("a.npy", np.arange(3))
        np.savez(self.path("a.npz"), x=np.arange(3))
        self.path("a.txt").write_text("no array")
        self.path("arrays").mkdir()
        self.assertEqual(self.complete("put", ""), ["a b.npy", "a.npy", "a.npz", "arrays"])
        self.assertEqual(self.complete("put", "a."), ["a.npy", "a.npz"])
        self.assertEqual(self.complete("put", "a.npy", "-o", ""), ["a b.npy", "a.npy", "arrays"])
        self.assertEqual(self.complete("put", "a.npy", "--output=a."), ["a.npy"])

    def test_zsh_offers_operators_options_and_values(self):
        if shutil.which("zsh") is None:
            self.skipTest("no zsh (Debian: apt-get install zsh)")
        shell, terminal = pty.fork()
        if shell == 0:
            os.chdir(self.directory)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb"})
        try:
            self.type(
                terminal, f"fpath=({DOCUMENTS} $fpath); autoload -Uz compinit; compinit -u -D; print rea''dy\n", "ready"
            )
            for line, offered in (
                ("strew-npy sl", "slice_scatter"),
                ("strew-npy slice_scatter --sta", "--start"),
                ("strew-npy put --reduction=su", "--reduction=sum"),
            ):
                self.type(terminal, f"{line}\t", offered)
                self.type(terminal, "\x15print do''ne\n", "done")
        finally:
            os.kill(shell, signal.SIGKILL)
            os.waitpid(shell, 0)
            os.close(terminal)

    def type(self, terminal, text, expected):
        """Types the text and waits for the expected output."""
        os.write(terminal, text.encode())
        shown = ""
        end = time.monotonic() + 20
        while expected not in shown:
            self.assertLess(time.monotonic(), end, f"after {text!r} zsh shows {shown!r}")
            if select.select([terminal], [], [], 0.1)[0]:
                shown += os.read(terminal, 4096).decode(errors="replace")
                shown = re.sub(r"\x1b\[[?\d;]*[a-zA-Z]|\a", "", shown)

    @unittest.skipUnless(READS_ARCHIVES, "built without zlib, so the archives of README.md cannot be read")
    def test_what_the_readme_shows_is_what_happens(self):
        readme = README.read_text()
        # Both by the names in README.md.
        programs = self.path("programs")
        programs.mkdir()
        (programs / "strew-npy").symlink_to(PROGRAM)
        (programs / "python3").symlink_to(sys.executable)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        python = ""
        commands = 0
        for language, block in re.findall(r"```(python|console)\n(.*?)```", readme, re.DOTALL):
            if language == "python":
                python += block
                subprocess.run([sys.executable, "-c", python], cwd=self.directory, check=True)
                continue
            for command, printed in re.findall(r"^\$ ([^\n]*)\n((?:[^$\n][^\n]*\n)*)", block, re.MULTILINE):
                result = subprocess.run(command, shell=True, cwd=self.directory, env=environment, text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
                self.assertEqual(result.stdout, printed, command)
                commands += 1
        self.assertGreater(commands, 6)

    def examples(self):
        """Those with which the helps end."""
        helps = [self.succeed(operator, "--help") for operator in OPERATORS]
        return [line.strip() for help in helps for line in help.split("\nExamples:\n")[1].splitlines()]

    def test_the_readme_has_the_examples_of_the_help(self):
        readme = README.read_text()
        block = re.search(r"\n## Examples\n.*?```sh\n(.*?)```", readme, re.DOTALL)[1]
        self.assertEqual(block.splitlines(), self.examples())

    def test_the_man_page_has_the_examples_of_the_help(self):
        text = (DOCUMENTS / "strew-npy.1").read_text().replace("\\-", "-").replace(" \\e\n", " ")
        listed = re.findall(r"^strew-npy [a-z_]+ .*[^\\]$", text[text.index(".SS") : text.index(".SH OPERANDS")], re.MULTILINE)
        self.assertEqual(listed, self.examples())

    def test_the_man_page_is_well_formed_and_whole(self):
        page = DOCUMENTS / "strew-npy.1"
        checkers = (["mandoc", "-T", "lint", "-W", "warning"], ["man", "--warnings", "-l"])
        available = [checker for checker in checkers if shutil.which(checker[0])]
        if not available:
            self.skipTest("neither mandoc nor man is here")
        for checker in available:
            result = subprocess.run(
                [*checker, page], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"}
            )
            self.assertEqual((result.returncode, result.stderr), (0, ""), checker)
            if checker[0] == "mandoc":
                self.assertEqual(result.stdout, "")
        text = page.read_text().replace("\\-", "-")
        for operator in OPERATORS:
            self.assertIn(f".SS {operator}\n", text)
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPERANDS", "FILES", "EXIT STATUS", "AXIS", "EXAMPLE"):
            self.assertIn(f".SH {section}\n", text)
        for option in (
            "--in-place",
            "--check",
            "--dry-run",
            "--threads",
            "--no-progress",
            "--inflate-limit",
            "--start",
            "--bad-indices",
            "--alpha",
            "--value",
            "--mode",
        ):
            self.assertIn(f"\\fB{option}\\fR", text)
        for operand in ("data", "indices", "mask", "updates", "value", "write_indices"):
            self.assertIn(f"\\fB{operand}\\fR", text[text.index(".SH OPERANDS") :])
        self.assertIn("Operands: \\fIdata\\fR \\fIindices\\fR... [\\fIupdates\\fR].\n", text)
        self.assertIn("Operands: \\fIdata\\fR \\fIupdates\\fR [\\fIwrite_indices\\fR].\n", text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
