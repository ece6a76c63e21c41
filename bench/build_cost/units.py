# SPDX-License-Identifier: Apache-2.0
"""The translation units whose build cost is watched, their limits, and what a compiler makes of one."""

import json
import pathlib
import re
import resource
import shlex
import subprocess
import tempfile
from collections import namedtuple

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
INCLUDE = ROOT / "include"

# By key: KB (1000 bytes) of text and multiples of the reference's compile time, with g++ 12 and OPTIMISED.
LIMITS = json.loads((HERE / "limits.json").read_text())
OPTIMISED = ("-O2", "-DNDEBUG")
REFERENCE = "regex_match"  # its compile time is the unit of the others
EVERY_TYPE = "every_type"

# `source` is a file of units/; `limits` a key of LIMITS; `package` what it needs besides strew.
Unit = namedtuple("Unit", "title source flags limits package", defaults=((), None, None))
Package = namedtuple("Package", "pkg_config debian")
EIGEN = Package("eigen3", "libeigen3-dev")
XTENSOR = Package("xtensor", "libxtensor-dev")
JSON = Package("nlohmann_json", "nlohmann-json3-dev")

OPERATORS = {
    "slice_scatter": "slice_scatter",
    "scatter_update": "scatter_update",
    "scatter_elements_update": "scatter_elements_update",
    "onnx_scatter": "onnx::scatter",
}
COMPILED = "compiled_library"
# Calls of the others, with the compiled library.
CALLS = {
    "v12::scatter_elements_update, sum": (
        "v12::scatter_elements_update(data, indices, updates, 0, reduction::sum, output)"
    ),
    "onnx::scatter_elements, max": "onnx::scatter_elements(data, indices, updates, 0, reduction::max, output)",
    "scatter": "scatter(data, 0, indices, updates, output)",
    "scatter_add": "scatter_add(data, 0, indices, updates, output)",
    "scatter_reduce, mean": "scatter_reduce(data, 0, indices, updates, reduction::mean, output)",
    "put_along_axis": "put_along_axis(data, indices, updates, 0, output)",
    "index_copy": "index_copy(data, 0, indices, updates, output)",
    "index_add, scaled": "index_add(data, 0, indices, updates, strew::scaled_by{2.0F}, output)",
    "index_reduce, mean": "index_reduce(data, 0, indices, updates, reduction::mean, output)",
    "index_fill": "index_fill(data, 0, indices, 2.0F, output)",
    "v3::scatter_nd_update": "v3::scatter_nd_update(data, indices, updates, output)",
    "v15::scatter_nd_update, sub": "v15::scatter_nd_update(data, indices, updates, reduction::sub, output)",
    "onnx::scatter_nd, max": "onnx::scatter_nd(data, indices, updates, reduction::max, output)",
    "index_put, sum": "index_put(data, std::tuple{indices, indices}, updates, reduction::sum, output)",
    "put, sum": "put(data, indices, updates, reduction::sum, output)",
    "select_scatter": "select_scatter(data, updates, 0, 1, output)",
    "diagonal_scatter": "diagonal_scatter(data, updates, 1, 0, 1, output)",
    "masked_scatter": "masked_scatter(data, mask, updates, output)",
    "masked_fill": "masked_fill(data, mask, 2.0F, output)",
    "onnx::tensor_scatter": "onnx::tensor_scatter(data, updates, indices, {.axis = 1}, output)",
}
UNITS = (
    *(Unit(title, source, limits=source) for source, title in OPERATORS.items()),
    Unit("all four operators", "all_operators", limits="all_operators"),
    Unit("v12::scatter_elements_update, sum", "reduce_elements", limits="one_reduction"),
    Unit("onnx::scatter_nd, max", "reduce_tuples", limits="one_reduction"),
    Unit("index_reduce, mean", "reduce_rows", limits="one_reduction"),
    Unit("5 element widths x 8 index types x 4 operators", EVERY_TYPE, limits=EVERY_TYPE),
    *(
        Unit(f"{title}, compiled library", source, ("-DSTREW_COMPILED=1",), COMPILED)
        for source, title in OPERATORS.items()
    ),
    *(
        Unit(f"{title}, compiled library", "one_call", ("-DSTREW_COMPILED=1", f"-DSTREW_CALL={call}"), COMPILED)
        for title, call in CALLS.items()
    ),
    Unit("std::regex_match of a string", REFERENCE),
    Unit("std::stable_sort of floats", "stable_sort"),
    Unit("Eigen, Tensor: strided slice assignment", "eigen_slice", package=EIGEN),
    Unit("Eigen, Array: rows by index", "eigen_rows", package=EIGEN),
    Unit("xtensor: view assignment", "xtensor_view", package=XTENSOR),
    Unit("xtensor: keep assignment", "xtensor_keep", package=XTENSOR),
    Unit("nlohmann/json: include", "json_include", package=JSON),
    Unit("nlohmann/json: parse and dump", "json_parse_dump", package=JSON),
)

Cost = namedtuple("Cost", "text seconds")  # bytes; seconds of the processor in user mode


class CompileError(Exception):
    """The compiler's messages."""


def output_of(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def missing(unit):
    """Why a unit cannot be compiled here, or None."""
    if unit.limits == COMPILED and "STREW_COMPILED" not in (INCLUDE / "strew" / "config.hpp").read_text():
        return "strew has no compiled library"
    if unit.package and subprocess.run(["pkg-config", "--exists", unit.package.pkg_config]).returncode != 0:
        return f"pkg-config finds no {unit.package.pkg_config} (Debian: {unit.package.debian})"
    return None


def compile_once(unit, compiler, flags):
    """The Cost of a unit. Raises CompileError."""
    packages = shlex.split(output_of("pkg-config", "--cflags", unit.package.pkg_config)) if unit.package else []
    with tempfile.TemporaryDirectory() as directory:
        compiled = f"{directory}/unit.o"
        command = [compiler, "-std=c++20", *flags, *unit.flags, f"-I{INCLUDE}", *packages]
        command += ["-c", str(HERE / "units" / f"{unit.source}.cpp"), "-o", compiled]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        outcome = subprocess.run(command, stderr=subprocess.PIPE, text=True)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if outcome.returncode != 0:
            raise CompileError(f"{shlex.join(command)}\nexit code {outcome.returncode}\n{outcome.stderr}")
        return Cost(int(re.match(r"\s*\d+", output_of("size", compiled).splitlines()[1]).group()), seconds)
