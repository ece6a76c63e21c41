# SPDX-License-Identifier: Apache-2.0
"""The page "From NumPy, PyTorch, JAX, TensorFlow": each line of docs/site/translations.toml gives what the file says.

Python's lines run here, strew's in the program that translations_program.py writes. TensorFlow's do not run.
"""

import ast
import importlib
import os
import subprocess

import numpy as np
import pytest

from translations_program import ROOT, translations

ROWS = [row for group in translations.read(ROOT) for row in group["row"]]


def cases(*libraries):
    return [
        pytest.param(row, library, id=f"{row['task']}-{library}")
        for row in ROWS
        for library in libraries
        if library in row
    ]


def arrays_of(row):
    return {
        name: np.array(values, dtype) for name, operand in row["operands"].items() for dtype, values in operand.items()
    }


def expected(row, library):
    """What a line gives: an array, the name or the message of an error, or None where that is left open."""
    given = row.get("gives", {}).get(library, row["result"])
    if given == translations.UNSPECIFIED:
        return None
    if isinstance(given, dict):
        return given["error"]
    return np.array(given, next(iter(row["operands"]["a"])))


def same(result, wanted):
    """In type, shape and bits; a NaN is a NaN."""
    if result.dtype != wanted.dtype or result.shape != wanted.shape:
        return False
    signs = np.array_equal(np.signbit(result), np.signbit(wanted)) if result.dtype.kind == "f" else True
    return signs and np.array_equal(result, wanted, equal_nan=result.dtype.kind == "f")


def names_of(library):
    """What Python's lines see, and what makes an operand of an array."""
    if library == "numpy":
        return {"np": np}, np.copy
    if library == "torch":
        torch = importlib.import_module("torch")
        return {"torch": torch}, lambda array: torch.from_numpy(array.copy())
    jax = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    return {"jax": jax, "jnp": jax.numpy}, jax.numpy.asarray


def run(line, names):
    """The value of a line; where it has none, out, where the line defines it, else a."""
    *before, last = ast.parse(line).body
    exec(compile(ast.Module(before, []), line, "exec"), names)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), line, "eval"), names)
        if value is not None:
            return value
    else:
        exec(compile(ast.Module([last], []), line, "exec"), names)
    return names.get("out", names["a"])


@pytest.mark.parametrize("row, library", cases("numpy", "torch", "jax"))
def test_lines_of_python(row, library):
    modules, convert = names_of(library)
    arrays = arrays_of(row)
    arrays.pop("out", None)
    operands = {name: convert(array) for name, array in arrays.items()}
    wanted = expected(row, library)
    if isinstance(wanted, str):
        with pytest.raises(Exception) as error:
            run(row[library], modules | operands)
        assert error.type.__name__ == wanted
        return
    result = run(row[library], modules | operands)
    if wanted is not None:
        assert same(np.asarray(result), wanted), f"{row[library]} gives {result}, expected {wanted}"
    if "out" in row["operands"]:
        assert same(np.asarray(operands["a"]), arrays["a"]), f"{row[library]} changed a"


@pytest.fixture(scope="session")
def printed():
    """What the program printed for each task and key: tensors by name, and the error."""
    result = subprocess.run([os.environ["STREW_TRANSLATIONS"]], capture_output=True, text=True, timeout=60, check=True)
    found = {}
    for line in result.stdout.splitlines():
        task, library, given = line.split("\t")
        name, _, text = given.partition(" ")
        found.setdefault((task, library), {})[name] = text
    return found


@pytest.mark.parametrize("row, library", cases("strew", "also"))
def test_lines_of_strew(row, library, printed):
    arrays = arrays_of(row)
    given = printed[row["task"], library]

    def tensor(name):
        parse = float.fromhex if arrays["a"].dtype.kind == "f" else int
        elements = [parse(text) for text in given[name].split()]
        return np.array(elements, arrays["a"].dtype).reshape(arrays["a"].shape)

    wanted = expected(row, library)
    if isinstance(wanted, str):
        assert given.get("error") == wanted
        assert same(tensor("a"), arrays["a"]), "data changed, although the call was refused"
        return
    assert "error" not in given, given["error"]
    result = tensor("out" if "out" in arrays else "a")
    assert same(result, wanted), f"{row[library]} gives {result}, expected {wanted}"
    if "out" in arrays:
        assert same(tensor("a"), arrays["a"]), f"{row[library]} changed a"


def test_the_page():
    page = translations.page(ROOT)
    for row in ROWS:
        assert f"### {row['task']} " in page
        assert all(f"`{row[library]}`" in page for library in translations.LIBRARIES if library in row)
