# SPDX-License-Identifier: Apache-2.0
"""NumPy's own tests of ufunc.at, put, put_along_axis and bincount, from its wheel, run against strew.numpy.

Each test runs in its module of NumPy with another ``np``: np.add.at and so on are strew's, all else is NumPy's.
"""

from __future__ import annotations

import importlib
import inspect
import itertools
import re
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
import strew.numpy

FUNCTIONS = ("put", "put_along_axis", "bincount")
UFUNCS = ("add", "subtract", "multiply", "maximum", "minimum")

# Modules of NumPy, and what the source of their tests that are run has.
CALLS_AT = r"\b(ufunc|add|subtract|multiply|maximum|minimum)\.at\b"
CALLS_FUNCTION = r"\b(np\.put|put_along_axis|np\.bincount)\("
MODULES = {
    "numpy._core.tests.test_ufunc": CALLS_AT,
    "numpy._core.tests.test_umath": CALLS_AT,
    "numpy._core.tests.test_mem_overlap": CALLS_AT,
    "numpy._core.tests.test_custom_dtypes": CALLS_AT,
    "numpy._core.tests.test_item_selection": CALLS_FUNCTION,
    "numpy._core.tests.test_multiarray": CALLS_FUNCTION,
    "numpy.lib.tests.test_function_base": CALLS_FUNCTION,
    "numpy.lib.tests.test_shape_base": CALLS_FUNCTION,
}

# Tests that fail with strew, and why.
DIFFERENCES = {
    "TestUfunc.test_ufunc_at_inner_loops[multiply,e]": "strew does not warn of overflow, here of products of float16",
}


class Ufunc:
    """A ufunc of NumPy whose ``at`` is strew's."""

    def __init__(self, name: str) -> None:
        self._ufunc = getattr(np, name)
        self._at = getattr(strew.numpy, f"{name}_at")

    def at(self, a: Any, indices: Any, *b: Any) -> Any:
        # A call without b is one of a ufunc of one operand.
        return self._at(a, indices, *b) if b else self._ufunc.at(a, indices)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._ufunc(*arguments, **options)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ufunc, name)

    def __eq__(self, other: object) -> bool:
        return other is self or other is self._ufunc

    def __hash__(self) -> int:
        return hash(self._ufunc)


class NumPy:
    """NumPy with strew's functions."""

    def __init__(self) -> None:
        for name in UFUNCS:
            setattr(self, name, Ufunc(name))
        for name in FUNCTIONS:
            setattr(self, name, getattr(strew.numpy, name))

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)


NUMPY = NumPy()


class Case(NamedTuple):
    module: Any
    owner: type | None
    function: Any
    arguments: dict[str, Any]

    @property
    def name(self) -> str:
        values = ",".join(getattr(value, "__name__", str(value)) for value in self.arguments.values())
        return f"{self.function.__qualname__}[{values}]" if values else str(self.function.__qualname__)


def replaced(value: Any) -> Any:
    """A parameter of a test, in which ufuncs have strew's ``at``."""
    return getattr(NUMPY, value.__name__) if isinstance(value, np.ufunc) and value.__name__ in UFUNCS else value


def parametrised(function: Any) -> Iterator[dict[str, Any]]:
    """The arguments that pytest would pass to a test."""
    choices = []
    for mark in getattr(function, "pytestmark", []):
        if mark.name == "parametrize":
            names, values = mark.args[:2]
            names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
            rows = [value.values if hasattr(value, "values") else value for value in values]
            choices.append([dict(zip(names, row if len(names) > 1 else (row,))) for row in rows])
    for combination in itertools.product(*choices):
        yield {name: value for part in combination for name, value in part.items()}


def is_skipped(function: Any) -> bool:
    marks = getattr(function, "pytestmark", [])
    return any(mark.name == "skip" or (mark.name == "skipif" and any(mark.args)) for mark in marks)


def import_tests(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)


def cases_of(name: str, pattern: str) -> Iterator[Case]:
    module = import_tests(name)
    scopes = [module, *(item for item in vars(module).values() if inspect.isclass(item) and item.__module__ == name)]
    for scope in scopes:
        for function in vars(scope).values():
            is_test = inspect.isfunction(function) and function.__name__.startswith("test")
            if not is_test or is_skipped(function) or not re.search(pattern, inspect.getsource(function)):
                continue
            for arguments in parametrised(function):
                # Tests of all ufuncs: those of the others concern NumPy alone.
                ufuncs = [value for value in arguments.values() if isinstance(value, np.ufunc)]
                if all(ufunc.__name__ in UFUNCS for ufunc in ufuncs):
                    yield Case(module, scope if inspect.isclass(scope) else None, function, arguments)


def all_cases() -> list[Case]:
    cases: list[Case] = []
    for name, pattern in MODULES.items():
        try:
            cases += cases_of(name, pattern)
        except ImportError:
            pass  # reported by test_numpy_has_its_tests
    return cases


CASES = all_cases()


def test_numpy_has_its_tests() -> None:
    missing = []
    for name in MODULES:
        try:
            import_tests(name)
        except ImportError as error:
            missing.append(f"{name}: {error}")
    if missing:
        pytest.skip("NumPy is installed without its tests: " + "; ".join(missing))
    tests = {(case.module, case.owner, case.function) for case in CASES}
    print(f"{len(CASES)} cases of {len(tests)} tests of NumPy {np.__version__}")
    assert len(tests) >= 38 and len(CASES) >= 400


def test_each_difference_is_that_of_a_test() -> None:
    if not CASES:
        pytest.skip("NumPy is installed without its tests")
    assert set(DIFFERENCES) <= {case.name for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_of_numpy(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case.module, "np", NUMPY)
    if hasattr(case.module, "put_along_axis"):
        monkeypatch.setattr(case.module, "put_along_axis", strew.numpy.put_along_axis)
    np.random.seed(0)
    arguments = {name: replaced(value) for name, value in case.arguments.items()}
    test = getattr(case.owner(), case.function.__name__) if case.owner else case.function
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", strew.numpy.FallbackWarning)
        if case.name in DIFFERENCES:
            with pytest.raises((Exception, pytest.fail.Exception)):
                test(**arguments)
        else:
            test(**arguments)
