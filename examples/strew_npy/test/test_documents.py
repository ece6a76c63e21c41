# SPDX-License-Identifier: Apache-2.0
"""The man page and the completions that are made from the help."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import numpy as np

from driver import ProgramTest

DOCUMENTS = pathlib.Path(os.environ["STREW_NPY_DOCUMENTS"])
OPERATORS = ("slice_scatter", "scatter_update", "scatter_elements_update", "onnx_scatter", "scatter_elements",
             "scatter_nd", "index_reduce", "put")  # fmt: skip


class Documents(ProgramTest):
    def complete(self, *words):
        """What bash offers for the last word, by the function that it would call."""
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
            options = set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", self.succeed(operator, "--help").split("\n\nFiles:")[0]))
            options -= {"-npy"}
            self.assertEqual(set(self.complete(operator, "-")), options, operator)

    def test_bash_offers_values(self):
        self.assertEqual(self.complete("put", "--reduction", ""), ["none", "sum"])
        self.assertEqual(self.complete("put", "--reduction", "s"), ["sum"])
        self.assertEqual(self.complete("index_reduce", "--reduction=m"), ["max", "mean", "min"])
        self.assertEqual(self.complete("scatter_nd", "--reduction="), ["max", "min", "none", "prod", "sub", "sum"])
        self.assertEqual(self.complete("put", "--threads", ""), [])

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
        script = r"""
          zmodload zsh/zpty
          zpty shell zsh -f -i
          zpty -w shell 'PROMPT=; fpath=('"$1"' $fpath); autoload -Uz compinit; compinit -u -D; stty columns 200'
          zpty -w shell 'print -r rea''dy'
          zpty -r shell out '*ready*'
          for line in "${@:2}"; do
            zpty -n -w shell "$line"$'\t\t'
            sleep 0.3
            zpty -n -w shell $'\x15print -r do''ne\n'
            zpty -r shell out '*done*done*' && print -r -- "$out"
          done
        """
        lines = ["strew-npy sl", "strew-npy slice_scatter --sta", "strew-npy put --reduction=su"]
        result = subprocess.run(["timeout", "30", "zsh", "-f", "-c", script, "zsh", str(DOCUMENTS), *lines],
                                cwd=self.directory, capture_output=True, text=True)  # fmt: skip
        for offered in ("slice_scatter", "--start=", "--reduction=sum"):
            self.assertIn(offered, result.stdout, result.stdout + result.stderr)

    def test_the_man_page_is_well_formed_and_whole(self):
        page = DOCUMENTS / "strew-npy.1"
        checkers = (["mandoc", "-T", "lint", "-W", "warning"], ["man", "--warnings", "-l"])
        available = [checker for checker in checkers if shutil.which(checker[0])]
        if not available:
            self.skipTest("neither mandoc nor man is here")
        for checker in available:
            result = subprocess.run([*checker, page], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
            self.assertEqual((result.returncode, result.stderr), (0, ""), checker)
            if checker[0] == "mandoc":
                self.assertEqual(result.stdout, "")
        text = page.read_text().replace("\\-", "-")
        for operator in OPERATORS:
            self.assertIn(f".SS {operator}\n", text)
        for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPERANDS", "FILES", "EXIT STATUS", "EXAMPLE"):
            self.assertIn(f".SH {section}\n", text)
        for option in ("--in-place", "--check", "--dry-run", "--threads", "--no-progress", "--inflate-limit", "--start"):
            self.assertIn(f"\\fB{option}\\fR", text)


if __name__ == "__main__":
    unittest.main(verbosity=2)
