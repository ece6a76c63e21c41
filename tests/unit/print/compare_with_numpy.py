# SPDX-License-Identifier: Apache-2.0
"""Compares what print.hpp writes with what NumPy writes for the same arrays: compare_with_numpy.py <print_arrays>"""

import subprocess
import sys

import numpy as np

SEED = 20240517
REAL = ["float16", "float32", "float64", "longdouble"]
COMPLEX = {"complex64": "float32", "complex128": "float64", "clongdouble": "longdouble"}
INTEGERS = [sign + bits for sign in ("int", "uint") for bits in ("8", "16", "32", "64")]
VERSION = tuple(int(part) for part in np.__version__.split(".")[:2])
# From 2.3 on NumPy goes to scientific notation earlier where a type has few digits, and compares in the type.
IS_CURRENT = VERSION >= (2, 3)
LIMITS = {"float16": 1e3, "float32": 1e6}

rng = np.random.default_rng(SEED)


def random_bits(size, dtype):
    """Any number of the type; of the 80 bits of long double only those that processors make."""
    if dtype != "longdouble":
        return np.frombuffer(rng.bytes(size * np.dtype(dtype).itemsize), dtype).copy()
    fractions = rng.integers(1 << 62, 1 << 63, size).astype(dtype)
    return np.ldexp(fractions, rng.integers(-16000, 16000, size)) * rng.choice([-1, 1], size)


def random_reals(size, dtype):
    """Numbers as they occur, and numbers that are hard to print."""
    with np.errstate(all="ignore"):
        values = [
            lambda: rng.normal(size=size),
            lambda: rng.integers(-30, 30, size),
            lambda: np.round(rng.uniform(-50, 50, size), rng.integers(0, 7)),
            lambda: np.round(rng.uniform(0, 2, size), rng.integers(0, 4)) * 10.0 ** rng.integers(-9, 16),
            lambda: rng.integers(-64, 64, size) / 2.0 ** rng.integers(0, 14),
            lambda: rng.uniform(1, 10, size) * 10.0 ** rng.integers(-6, 7, size),
            lambda: 2.0 ** rng.integers(-30, 30, size),
            lambda: np.full(size, rng.choice([0.0001, 1e8, 99999999, 1e6, 999999, 1e3, 0.1])),
            lambda: np.concatenate([[1.0], rng.choice([999, 1000, 1000.3, 1000.5, 1001], size)])[:size],
            lambda: random_bits(size, dtype),
        ]
        result = np.asarray(values[rng.integers(len(values))]()).astype(dtype)
        if rng.random() < 0.3 and size:
            special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], dtype)
            count = rng.integers(1, size + 1)
            result[rng.integers(0, size, count)] = special[rng.integers(0, rng.integers(1, 6), count)]
            if rng.random() < 0.2:
                result[:] = rng.choice(special)
    return result


def random_elements(size, dtype):
    if dtype == "bool":
        return rng.integers(0, 2, size).astype(bool)
    if dtype == "void3":
        return np.frombuffer(rng.bytes(3 * size), "V3")
    if dtype in INTEGERS:
        info = np.iinfo(dtype)
        low, high = (info.min, info.max) if rng.random() < 0.5 else (max(info.min, -20), 100)
        return rng.integers(low, high, size, dtype, endpoint=True)
    if dtype in COMPLEX:
        result = np.empty(size, dtype)
        result.real = random_reals(size, COMPLEX[dtype])
        result.imag = random_reals(size, COMPLEX[dtype])
        return result
    return random_reals(size, dtype)


def random_layout():
    """Extents, strides, and the offset of coordinate 0 in a memory that is just long enough."""
    rank = rng.choice([0, 1, 1, 1, 2, 2, 2, 3, 4, 5])
    most = [0, 40, 12, 6, 4, 3][rank]
    extents = [int(rng.integers(1, most + 1)) for _ in range(rank)]
    if rng.random() < 0.08 and rank:
        extents[rng.integers(rank)] = int(rng.choice([0, 7, 60, 1500]))
    strides, step = [0] * rank, 1
    for axis in rng.permutation(rank):
        strides[axis] = step * int(rng.choice([1, 1, 1, -1, 2, -2, 0]))
        step *= max(1, extents[axis]) * max(1, abs(strides[axis]) // step)
    reach = [stride * max(0, extent - 1) for stride, extent in zip(strides, extents)]
    offset = -sum(r for r in reach if r < 0)
    return extents, strides, offset, offset + sum(r for r in reach if r > 0) + 1


class Case:
    def __init__(self, dtype, elements, extents, strides, offset, **options):
        self.dtype, self.elements, self.extents, self.strides, self.offset = dtype, elements, extents, strides, offset
        self.options = {"precision": 8, "threshold": 1000, "edgeitems": 3, "linewidth": 75, "suppress": False, **options}

    def encoded(self):
        data = self.elements.tobytes()
        numbers = [len(self.extents), *self.extents, *self.strides, self.offset, len(data)]
        numbers += [int(value) for value in self.options.values()]
        return f"{self.dtype} {' '.join(map(str, numbers))}\n".encode() + data

    def array(self):
        size = self.elements.itemsize
        return np.lib.stride_tricks.as_strided(
            self.elements[self.offset :], self.extents, [stride * size for stride in self.strides]
        )

    def expected(self):
        with np.printoptions(**self.options), np.errstate(all="ignore"):
            return str(self.array())

    def is_printed_as_today(self):
        part = COMPLEX.get(self.dtype, self.dtype)
        if IS_CURRENT or part not in LIMITS:
            return True
        parts = self.array()
        parts = np.abs(np.concatenate([parts.real.ravel(), parts.imag.ravel()]))
        parts = parts[np.isfinite(parts)]
        return not np.any(parts >= LIMITS[part]) and not np.any(parts == np.float32(0.0001))


def row_major(dtype, elements, extents, **options):
    strides = [int(np.prod(extents[axis + 1 :])) for axis in range(len(extents))]
    return Case(dtype, elements, list(extents), strides, 0, **options)


def cases():
    types = ["bool", "void3", *INTEGERS, *REAL, *REAL, *COMPLEX]
    for _ in range(1500):
        dtype = rng.choice(types)
        extents, strides, offset, size = random_layout()
        options = {}
        if rng.random() < 0.5:
            options = {
                "precision": int(rng.choice([0, 1, 2, 3, 5, 8, 17, 30])),
                "threshold": int(rng.choice([0, 5, 20, 1000])),
                "edgeitems": int(rng.integers(1, 5)),
                "linewidth": int(rng.integers(1, 120)),
                "suppress": bool(rng.integers(2)),
            }
        yield Case(dtype, random_elements(size, dtype), extents, strides, offset, **options)
    # Each number of 16 bits in a column where its digits are seen, and some by themselves.
    halves = np.arange(0x7C00, dtype=np.uint16).view(np.float16)
    for low in (1e-4, 1e-2, 1, 31):
        column = halves[(halves >= low) & (halves < min(31 * low, 999))]
        yield row_major("float16", column, (len(column),), threshold=1 << 20)
    for bits in range(0, 1 << 16, 89):
        yield row_major("float16", np.array([bits], np.uint16).view(np.float16), ())
    for dtype in (*REAL, *COMPLEX):
        for element in random_elements(60, dtype):
            yield row_major(dtype, np.array([element]), ())
    # Larger than the limit of what is shown in full, and broadcast to a size that could not be read.
    for extents in ((1001,), (40, 40), (12, 12, 12), (7, 8, 9, 10), (2, 600), (600, 2), (7,) * 4):
        for dtype in ("int16", "float32"):
            yield row_major(dtype, random_elements(int(np.prod(extents)), dtype), extents)
    yield Case("int64", np.array([-7]), [10**6, 10**6, 10**6], [0, 0, 0], 0)


def main():
    given = list(cases())
    answers = subprocess.run(
        [sys.argv[1]], input=b"".join(case.encoded() for case in given), stdout=subprocess.PIPE, check=True
    ).stdout
    position = differences = compared = 0
    for case in given:
        end = answers.index(b"\n", position)
        length = int(answers[position:end])
        text = answers[end + 1 : end + 1 + length].decode()
        position = end + 1 + length
        if not case.is_printed_as_today():
            continue
        compared += 1
        if text != case.expected():
            differences += 1
            if differences <= 3:
                print(f"{case.dtype}, extents {case.extents}, {case.options}, {case.array().ravel()[:10].tolist()}")
                print(f"NumPy:\n{case.expected()}\nstrew:\n{text}\n")
    left_out = len(given) - compared
    print(f"NumPy {np.__version__}: {compared} arrays compared, {differences} differ; "
          f"{left_out} left out, which NumPy prints so from 2.3 on")
    return 1 if differences or compared < 1000 or position != len(answers) else 0


sys.exit(main())
