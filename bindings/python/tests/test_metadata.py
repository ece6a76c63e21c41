# SPDX-License-Identifier: Apache-2.0
"""What the installed package states about itself, which indexes of packages show, and which files it has."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import strew

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = metadata.distribution("strew")
STATED = PACKAGE.metadata


def test_version() -> None:
    numbers = re.findall(r"STREW_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (ROOT / "include/strew/config.hpp").read_text())
    assert PACKAGE.version == strew.__version__ == ".".join(numbers)


def test_license_is_in_the_package() -> None:
    assert STATED["License-Expression"] == "Apache-2.0"
    assert STATED.get_all("License-File") == ["LICENSE"]
    assert PACKAGE.read_text("licenses/LICENSE") == (ROOT / "LICENSE").read_text()


def test_addresses_are_of_the_repository() -> None:
    home = re.search(r'HOMEPAGE_URL "(.*)"', (ROOT / "CMakeLists.txt").read_text())
    assert home
    addresses = dict(entry.split(", ", 1) for entry in STATED.get_all("Project-URL"))
    assert set(addresses) == {"Homepage", "Documentation", "Changes", "Issues"}
    assert addresses["Homepage"] == home[1]
    for address in addresses.values():
        assert address == home[1] or address.startswith(home[1] + "/")
        page = re.fullmatch(r".*/blob/main/(.*)", address)
        # A source distribution has no other pages than the description.
        if page and (ROOT / "docs").exists():
            assert (ROOT / page[1]).exists(), address


def test_description_is_the_readme() -> None:
    readme = (ROOT / "bindings/python/README.md").read_text()
    assert STATED["Description-Content-Type"] == "text/markdown"
    assert STATED["Description"].strip() == readme.strip()
    # An index shows it without the files beside it.
    assert re.findall(r"\]\((?!https://|#)[^)]*\)", readme) == []


def test_others_find_it() -> None:
    assert STATED["Author"] == "The strew authors"
    assert "scatter" in STATED["Keywords"]
    assert "Programming Language :: Python :: 3 :: Only" in STATED.get_all("Classifier")


def test_requirements() -> None:
    assert STATED["Requires-Python"] == ">=3.11"
    assert STATED.get_all("Requires-Dist") == ["nanobind-backend>=1.0", 'numpy>=2.0; extra == "numpy"']


def test_files() -> None:
    files = {file.as_posix() for file in PACKAGE.files or []}
    assert {"strew/__init__.py", "strew/py.typed", "strew/_strew.abi3.so", "strew/_strew/__init__.pyi"} <= files
    folders = {file.split("/")[0] for file in files}
    assert folders == {"strew", f"strew-{PACKAGE.version}.dist-info"}
