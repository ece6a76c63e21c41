# SPDX-License-Identifier: Apache-2.0
"""Writes the headers of another commit as a library of another name, so that a program can have both.

    python old_headers.py --ref COMMIT --output DIRECTORY      # DIRECTORY/strew_old/strew.hpp and so on

The namespace strew, the include directory and the macros STREW_* become strew_old and STREW_OLD_*.
"""

import argparse
import io
import pathlib
import re
import shutil
import subprocess
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = "include/strew"


def renamed(text):
    return re.sub(r"\bstrew\b(?!\.hpp)", "strew_old", re.sub(r"\bSTREW_", "STREW_OLD_", text))


def headers(ref):
    """{path below include/strew: text} in a commit."""
    command = ["git", "-C", str(ROOT), "archive", ref, HEADERS]
    archive = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        return {
            pathlib.Path(member.name).relative_to(HEADERS): files.extractfile(member).read().decode()
            for member in files
            if member.isfile()
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ref", required=True)
    parser.add_argument("--output", type=pathlib.Path, required=True)
    options = parser.parse_args()

    directory = options.output / "strew_old"
    # What is there already is left alone, so that nothing is compiled again.
    written = {directory / path: renamed(text) for path, text in headers(options.ref).items()}
    current = {path: path.read_text() for path in directory.rglob("*") if path.is_file()}
    if written == current:
        return
    shutil.rmtree(directory, ignore_errors=True)
    for path, text in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


if __name__ == "__main__":
    main()
