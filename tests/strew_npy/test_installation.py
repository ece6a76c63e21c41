# SPDX-License-Identifier: Apache-2.0
"""The default installation: the program, its man page and its completions, in the standard directories."""

import os
import pathlib
import shutil
import subprocess
import unittest

from driver import ProgramTest

BUILD = os.environ["STREW_NPY_BUILD"]
CMAKE = os.environ["STREW_NPY_CMAKE"]
DOCUMENTS = pathlib.Path(os.environ["STREW_NPY_DOCUMENTS"])
WHERE = {
    "strew-npy.1": "share/man/man1/strew-npy.1",
    "strew-npy.bash": "share/bash-completion/completions/strew-npy",
    "_strew-npy": "share/zsh/site-functions/_strew-npy",
}


class Installation(ProgramTest):
    def setUp(self):
        super().setUp()
        subprocess.run([CMAKE, "--install", BUILD, "--prefix", self.directory], check=True, capture_output=True)

    def run_command(self, *command):
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def test_everything_is_where_it_is_looked_for(self):
        self.assertEqual(self.run_command(self.path("bin/strew-npy"), "--version"), self.succeed("--version"))
        for made, installed in WHERE.items():
            with self.subTest(installed=installed):
                content = self.path(installed).read_text()
                self.assertEqual(content, (DOCUMENTS / made).read_text())
                self.assertIn("onnx_tensor_scatter", content)
        if shutil.which("man"):
            page = self.run_command("man", "-M", self.path("share/man"), "-w", "strew-npy").strip()
            self.assertTrue(os.path.samefile(page, self.path("share/man/man1/strew-npy.1")))
        if shutil.which("bash"):
            script = f'source "{self.path(WHERE["strew-npy.bash"])}"; complete -p strew-npy'
            self.assertIn("-F _strew_npy strew-npy", self.run_command("bash", "--norc", "-c", script))


if __name__ == "__main__":
    unittest.main(verbosity=2)
