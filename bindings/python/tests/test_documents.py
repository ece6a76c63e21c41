# SPDX-License-Identifier: Apache-2.0
"""The examples in docstrings, the stubs, and what help(strew) says."""

from __future__ import annotations

import doctest
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import strew

HERE = Path(__file__).resolve().parent
MODULES = [strew, strew.v3, strew.v12, strew.v14, strew.v15, strew.onnx, strew.numpy]


def public_objects():
    for module in MODULES:
        yield module.__name__, module
        for name in module.__all__:
            found = getattr(module, name)
            if found not in MODULES and not isinstance(found, str):
                yield f"{module.__name__}.{name}", found
    yield "strew.Prepared.bind", strew.Prepared.bind


@pytest.mark.parametrize("name, found", list(public_objects()))
def test_examples(name: str, found: object) -> None:
    assert found.__doc__, f"{name} has no docstring"
    names = vars(strew.numpy) if name.startswith("strew.numpy.") else {}
    test = doctest.DocTestParser().get_doctest(found.__doc__, dict(names), name, None, None)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test)
    assert runner.failures == 0
    is_function = callable(found) and not isinstance(found, type)
    if is_function and name not in ("strew.set_workspace_limit",):
        assert test.examples, f"{name} has no example"


@pytest.mark.parametrize("page", ["bindings/python/README.md", "docs/site/pages/python.md"])
def test_code_of_pages(page: str) -> None:
    """The blocks of a page run one after the other; an error that is shown is raised."""
    path = HERE.parents[2] / page
    if not path.exists():
        pytest.skip(f"{page} is not beside the tests")
    blocks = re.findall(r"^```python\n(.*?)^```", path.read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        shown = re.search(r"^# strew\.(\w+): (.*)$", block, re.MULTILINE)
        if shown is None:
            exec(block, names)
            continue
        with pytest.raises(getattr(strew, shown[1]), match=re.escape(shown[2])):
            exec(block, names)


def test_example() -> None:
    path = HERE.parents[2] / "examples/python/splats.py"
    if not path.exists():
        pytest.skip("the example is not beside the tests")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "points are outside" in done.stdout


def test_lines_fit_a_terminal() -> None:
    for name, found in public_objects():
        lines = found.__doc__.splitlines()
        assert all(len(line) <= 120 or line.startswith(name.rpartition(".")[2] + "(") for line in lines), name


def test_help() -> None:
    text = pydoc.render_doc(strew, renderer=pydoc.plaintext)
    for words in ("scatter_update(", "index_add(", "nothing written before an error", "class Error", "threads"):
        assert words in text


def test_stubs_are_those_of_the_module() -> None:
    pytest.importorskip("nanobind", reason="nanobind, which makes the stubs, is not installed")
    done = subprocess.run([sys.executable, "-P", HERE.parent / "make_stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_name_is_public_and_sorted() -> None:
    for module in MODULES:
        assert sorted(module.__all__) == sorted(set(module.__all__))
        assert all(hasattr(module, name) for name in module.__all__)
