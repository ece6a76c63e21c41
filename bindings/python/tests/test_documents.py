# SPDX-License-Identifier: Apache-2.0
"""The examples in docstrings, the stubs, and what help(strew) says."""

from __future__ import annotations

import ast
import doctest
import inspect
import pydoc
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import strew
from strew import _strew

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
    done = subprocess.run([sys.executable, "-P", HERE.parent / "make_stubs.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def stubs() -> Iterator[tuple[ModuleType, str, list[ast.stmt]]]:
    """Each compiled module, each name in its stub, and what stands there: of a function one definition or overloads."""
    for path in sorted((HERE.parent / "strew/_strew").glob("*.pyi")):
        module = _strew if path.stem == "__init__" else getattr(_strew, path.stem)
        found: dict[str, list[ast.stmt]] = {}
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                found.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.AnnAssign):
                found[node.target.id] = [node]  # type: ignore[union-attr]
        assert set(found) == {name for name, value in vars(module).items() if name[0] != "_" and not inspect.ismodule(value)}
        yield from ((module, name, nodes) for name, nodes in found.items())


def parameters_of(node: ast.FunctionDef) -> list[tuple[str, Any, Any]]:
    """The name, the kind and the default of each parameter."""
    names = node.args.args
    presets = [inspect.Parameter.empty] * (len(names) - len(node.args.defaults)) + [*map(ast.literal_eval, node.args.defaults)]
    named = [(each.arg, inspect.Parameter.POSITIONAL_OR_KEYWORD, preset) for each, preset in zip(names, presets, strict=True)]
    for each, preset in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
        value = inspect.Parameter.empty if preset is None else ast.literal_eval(preset)
        named.append((each.arg, inspect.Parameter.KEYWORD_ONLY, value))
    return named


def test_stubs_and_the_module_have_the_same_names_and_parameters() -> None:
    count = 0
    for module, name, nodes in stubs():
        operator = getattr(module, name)
        if f"{getattr(operator, '__module__', '')}.{name}" not in _strew.signatures:
            continue
        count += 1
        signature = inspect.signature(operator).parameters.values()
        assert parameters_of(nodes[0]) == [(each.name, each.kind, each.default) for each in signature], name
        for overload in nodes[1:]:  # with the names of PyTorch, which stand for the same
            given = {each: object() for each, *_ in parameters_of(overload)}
            _, arguments, is_in_place = _strew.arguments_of(operator, (), given)
            if is_in_place:
                assert arguments.pop("out") is arguments["data"]
            order = [*inspect.signature(operator).parameters]
            assert [arguments[each] for each in order] == [*given.values()], name
    assert count == len(_strew.signatures) == 36


@pytest.mark.parametrize("name", sorted(_strew.signatures))
def test_help_describes_every_argument(name: str) -> None:
    """The arguments are described in lines that begin with their names."""
    module, _, operator = name.rpartition(".")
    found = getattr(sys.modules[module], operator)
    block = (inspect.getdoc(found) or "").split("\n\n")[1]
    named = {each for line in block.splitlines() if line[0] != " " for each in re.match(r"\w+(, \w+)*", line)[0].split(", ")}
    assert set(inspect.signature(found).parameters) == named
    assert found.__module__ == module


def test_every_name_is_public_and_sorted() -> None:
    for module in MODULES:
        assert sorted(module.__all__) == sorted(set(module.__all__))
        assert all(hasattr(module, name) for name in module.__all__)
