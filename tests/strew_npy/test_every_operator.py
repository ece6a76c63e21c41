# SPDX-License-Identifier: Apache-2.0
"""Each operator of the program's help against plain loops over its definition, and what it refuses."""

import itertools
import os
import re
import unittest

import numpy as np

from driver import EVERY, OTHER_BYTE_ORDER, README, ProgramTest, counting, random_array

MOVED = ["?", "i1", ">i2", "u4", ">f4", "f8", ">c8", "c16", "f2"]
REDUCED = ["?", "i2", "u1", "i8", "f2", "f4", "f8", "c8"]
POLICIES = ["error", "error", "drop", "clip", "wrap"]

# The operators whose indices select rows, elements and slices: whether indices may be negative, and their reductions.
ROWS = {"scatter_update": False, "index_copy": False, "index_add": False, "index_reduce": False, "index_fill": True}
ELEMENTS = {"scatter_elements_update": False, "onnx_scatter": True, "scatter_elements": True,
            "onnx_scatter_elements": True, "scatter": False, "scatter_add": False, "scatter_reduce": False,
            "put_along_axis": True}  # fmt: skip
TUPLES = {"scatter_nd_update": False, "scatter_nd": True, "onnx_scatter_nd": True, "index_put": True}
REDUCTIONS = {
    "scatter_elements": ["none", "sum", "prod", "min", "max", "mean"],
    "onnx_scatter_elements": ["none", "sum", "prod", "min", "max"],
    "scatter_reduce": ["sum", "prod", "min", "max", "mean"],
    "index_reduce": ["sum", "prod", "min", "max", "mean"],
    "scatter_nd": ["none", "sum", "sub", "prod", "min", "max"],
    "onnx_scatter_nd": ["none", "sum", "prod", "min", "max"],
    "index_put": ["none", "sum"],
    "put": ["none", "sum"],
}
OMIT_INIT = ("scatter_elements", "scatter_reduce", "index_reduce")
FILLS = ("index_fill", "masked_fill")  # by one value, in a file or on the command line
WITHOUT_VALUE = ("masked_scatter", "onnx_tensor_scatter")  # whose updates have no shape that follows from the rest
AXIS = (*ROWS, *ELEMENTS, "select_scatter", "onnx_tensor_scatter")  # those with --axis


def resolved(index, extent, counts_from_end, policy):
    """The element that an index selects, or None."""
    is_legal = -extent <= index < extent if counts_from_end else 0 <= index < extent
    if policy == "wrap":
        return index % extent
    if is_legal:
        return index % extent
    return min(max(index, 0), extent - 1) if policy == "clip" else None


def combined(current, update, reduction):
    with np.errstate(all="ignore"):
        if current.dtype == bool:
            truths = {"sum": current | update, "sub": current ^ update, "prod": current & update,
                      "min": current & update, "max": current | update}  # fmt: skip
            return truths[reduction]
        functions = {"sum": np.add, "sub": np.subtract, "prod": np.multiply, "min": np.minimum, "max": np.maximum}
        return functions[reduction](current, update)


def mean(values):
    if values[0].dtype.kind in "iu":
        return sum(int(value) for value in values) // len(values)
    wide = np.complex128 if values[0].dtype.kind == "c" else np.float64
    return (wide(sum(wide(value) for value in values)) / len(values)).astype(values[0].dtype)


def scattered(data, meetings, reduction="none", without_init=False):
    """Data after updates, in this order: pairs of a target, or None, and an update."""
    out = np.copy(data, order="K")
    met = {}
    for target, update in meetings:
        if target is None:
            continue
        if reduction == "none":
            out[target] = update
        elif reduction == "mean":
            met.setdefault(target, [] if without_init else [data[target]]).append(update)
            out[target] = mean(met[target])
        else:
            is_first = without_init and target not in met
            met[target] = True
            out[target] = update if is_first else combined(out[target], update, reduction)
    return out


class EveryOperator(ProgramTest):
    run_operators = set()
    run_with_value = set()
    drawn, case = "", 0  # the operator of which a case is drawn, and its number

    def setUp(self):
        super().setUp()
        self.rng = np.random.default_rng(20250314)

    def listed(self):
        listed = re.search(r"\nSubcommands:\n(.*?)\n\n", self.succeed("--help"), re.DOTALL)[1]
        return [line.split()[0] for line in listed.splitlines()]

    def shape(self, least=1):
        return tuple(int(n) for n in self.rng.integers(1, 5, self.rng.integers(least, 4)))

    def array(self, shape, dtype, is_reduced=False):
        order = str(self.rng.choice(["C", "F"]))
        if not is_reduced:
            return random_array(self.rng, shape, dtype, order)
        numbers = self.rng.integers(0, 4, shape)  # of which every sum and product is exact
        if np.dtype(dtype).kind == "c":
            numbers = numbers + 1j * self.rng.integers(0, 4, shape)
        return np.array(np.asarray(numbers).astype(dtype), order=order)

    def indices(self, shape, extent, counts_from_end, policy):
        """Random ones for an axis, in a random type; with a policy some are bad."""
        low, high = (-extent if counts_from_end else 0), extent
        if policy != "error":
            low, high = -2 * extent - 1, 2 * extent + 2
        values = self.rng.integers(low, high, shape)
        codes = ["i1", ">i2", "i4", "i8", ">i8"] if low < 0 else ["u1", ">u2", "u4", "i8", ">u8"]
        return np.array(np.asarray(values).astype(str(self.rng.choice(codes))), order=str(self.rng.choice(["C", "F"])))

    def draw(self, operator, case):
        """An element type and the options other than targets: reduction, without_init, policy, arguments."""
        reductions = REDUCTIONS.get(operator, ["sum" if operator in ("index_add", "scatter_add") else "none"])
        reduction = reductions[case % len(reductions)]
        dtypes = MOVED if reduction == "none" else REDUCED
        if reduction in ("min", "max", "mean"):
            dtypes = [code for code in dtypes if code != "c8" and not (reduction == "mean" and code in ("?", "f2"))]
        if reduction == "mean":
            dtypes = [*dtypes, "c16"]
        arguments = [f"--reduction={reduction}"] if operator in REDUCTIONS and reduction != "none" else []
        without_init = operator in OMIT_INIT and reduction != "none" and bool(self.rng.integers(0, 2))
        if without_init:
            arguments.append("--without-init")
        policy = str(self.rng.choice(POLICIES))
        if policy != "error" or self.rng.integers(0, 4) == 0:
            arguments.append(f"--bad-indices={policy}")
        return str(self.rng.choice(dtypes)), reduction, without_init, policy, arguments

    def saved(self, **arrays):
        """The operands' names, in their order."""
        for name, array in arrays.items():
            self.save(f"{name}.npy", array)
        return [f"{name}.npy" for name in arrays]

    def compare(self, operator, arguments, files, expected):
        self.run_operators.add(operator)
        with self.subTest(operator=operator, arguments=arguments):
            self.check([operator, *arguments, *files], expected)

    def text_of(self, value):
        """An element as text for the command line."""
        kind = value.dtype.kind
        text = (str(value) if kind in "iu" else str(value).lower() if kind == "b" else
                f"{value.real!r},{value.imag!r}" if kind == "c" else repr(float(value)))  # fmt: skip
        return text.replace("np.float32(", "").replace("np.float64(", "").replace(")", "")

    def updates_or_value(self, shape, dtype, is_reduced=False):
        """The updates, with their options and files: a file, or one element for all."""
        if self.case != 1 and self.rng.integers(0, 3):
            updates = self.array(shape, dtype, is_reduced)
            return updates, [], self.saved(updates=updates)
        value = self.array((), dtype, is_reduced)[()]
        if value.dtype.kind in "fc" and not is_reduced:
            parts = self.rng.integers(-40, 40, 2) / 4
            value = value.dtype.type(complex(*parts) if value.dtype.kind == "c" else parts[0])
        self.run_with_value.add(self.drawn)
        return np.full(shape, value, dtype), [f"--value={self.text_of(value)}"], []

    def value_or_text(self, data, value):
        """A value as a file, or on the command line if it can be written there."""
        text = self.text_of(data.dtype.type(value))
        if self.rng.integers(0, 2) and "nan" not in text:  # whose bits are not in the text
            return [f"--value={text}"], []
        return [], self.saved(value=np.asarray(value, data.dtype))

    def rows(self, operator, case):
        dtype, reduction, without_init, policy, arguments = self.draw(operator, case)
        data = self.array(self.shape(), dtype, reduction != "none")
        axis = int(self.rng.integers(0, data.ndim))
        count = tuple(int(n) for n in self.rng.integers(0, 5, self.rng.integers(0, 3)))
        indices = self.indices(count, data.shape[axis], ROWS[operator], policy)
        shape = data.shape[:axis] + count + data.shape[axis + 1 :]
        files = self.saved(data=data, indices=indices)
        if operator == "index_fill":
            value = self.array((), dtype)[()]
            if data.dtype.kind in "fc":
                value = data.dtype.type(value.real if np.isfinite(value.real) else 1.5)
            updates = np.full(shape, value, data.dtype)
            options, more = self.value_or_text(data, value)
        else:
            updates, options, more = self.updates_or_value(shape, dtype, reduction != "none")
        arguments += options
        files += more
        if operator == "index_add" and data.dtype != bool and self.rng.integers(0, 2):
            arguments.append("--alpha=3")
            updates = np.array(updates * data.dtype.type(3), data.dtype)
        meetings = []
        for position in np.ndindex(shape):
            index = int(indices[position[axis : axis + indices.ndim]])
            row = resolved(index, data.shape[axis], ROWS[operator], policy)
            target = None if row is None else position[:axis] + (row,) + position[axis + indices.ndim :]
            meetings.append((target, updates[position]))
        if axis != 0 or self.rng.integers(0, 2):
            arguments.append(f"--axis={axis - data.ndim * int(self.rng.integers(0, 2))}")
        self.compare(operator, arguments, files, scattered(data, meetings, reduction, without_init))

    def elements(self, operator, case):
        dtype, reduction, without_init, policy, arguments = self.draw(operator, case)
        data = self.array(self.shape(), dtype, reduction != "none")
        axis = int(self.rng.integers(0, data.ndim))
        shape = tuple(int(self.rng.integers(0, n + 1)) for n in data.shape)
        indices = self.indices(shape, data.shape[axis], ELEMENTS[operator], policy)
        updates, options, more = self.updates_or_value(shape, dtype, reduction != "none")
        meetings = []
        for position in np.ndindex(shape):
            element = resolved(int(indices[position]), data.shape[axis], ELEMENTS[operator], policy)
            target = None if element is None else position[:axis] + (element,) + position[axis + 1 :]
            meetings.append((target, updates[position]))
        if axis != 0 or self.rng.integers(0, 2):
            arguments.append(f"--axis={axis - data.ndim * int(self.rng.integers(0, 2))}")
        files = self.saved(data=data, indices=indices) + more
        self.compare(operator, arguments + options, files, scattered(data, meetings, reduction, without_init))

    def tuples(self, operator, case):
        dtype, reduction, _, policy, arguments = self.draw(operator, case)
        data = self.array(self.shape(), dtype, reduction != "none")
        length = int(self.rng.integers(1 if operator == "index_put" else 0, data.ndim + 1))
        count = tuple(int(n) for n in self.rng.integers(0, 5, self.rng.integers(0, 3)))
        each = [self.indices(count, data.shape[j], TUPLES[operator], policy) for j in range(length)]
        rest = data.shape[length:]
        updates, options, more = self.updates_or_value(count + rest, dtype, reduction != "none")
        meetings = []
        for position in np.ndindex(count):
            numbers = [resolved(int(one[position]), n, TUPLES[operator], policy) for one, n in zip(each, data.shape)]
            for inner in np.ndindex(rest):
                target = None if None in numbers else tuple(numbers) + inner
                meetings.append((target, updates[position + inner]))
        files = self.saved(data=data)
        if operator == "index_put":
            files += self.saved(**{f"indices{j}": one for j, one in enumerate(each)})
        else:
            joined = np.stack([one.astype("i8") for one in each], -1) if each else np.zeros((*count, 0), "i8")
            files += self.saved(indices=joined.astype(str(self.rng.choice(["i2", ">i4", "i8"]))))
        self.compare(operator, arguments + options, files + more, scattered(data, meetings, reduction))

    def numbers(self, operator, case):
        dtype, reduction, _, policy, arguments = self.draw(operator, case)
        data = self.array(self.shape(), dtype, reduction != "none")
        indices = self.indices(tuple(self.rng.integers(0, 4, 2)), data.size, True, policy)
        updates, options, more = self.updates_or_value(indices.shape, dtype, reduction != "none")
        coordinates = list(np.ndindex(data.shape))
        meetings = []
        for position in np.ndindex(indices.shape):
            number = resolved(int(indices[position]), data.size, True, policy)
            meetings.append((None if number is None else coordinates[number], updates[position]))
        files = self.saved(data=data, indices=indices) + more
        self.compare(operator, arguments + options, files, scattered(data, meetings, reduction))

    def masks(self, operator, case):
        dtype = MOVED[case % len(MOVED)]
        data = self.array(() if case == 5 else self.shape(), dtype)
        mask = self.array(data.shape, "?")
        selected = [position for position in np.ndindex(data.shape) if mask[position]]
        files = self.saved(data=data, mask=mask)
        if operator == "masked_fill":
            value = self.array((), dtype)[()]
            if data.dtype.kind in "fc":
                value = data.dtype.type(-0.25)
            arguments, more = self.value_or_text(data, value)
            expected = scattered(data, [(target, value) for target in selected])
            return self.compare(operator, arguments, files + more, expected)
        source = self.array((2, data.size), dtype)
        expected = scattered(data, zip(selected, [source[position] for position in np.ndindex(source.shape)]))
        self.compare(operator, [], files + self.saved(updates=source), expected)
        self.assertIn(f" {len(selected)} elements from updates.npy",
                      self.succeed(operator, *files, "updates.npy", "-o", "out.npy"))  # fmt: skip

    def slices(self, operator, case):
        data = self.array(self.shape(), MOVED[case % len(MOVED)])
        axis = int(self.rng.integers(0, data.ndim))
        start, step = int(self.rng.integers(0, data.shape[axis])), int(self.rng.integers(1, 4))
        kept = list(range(start, data.shape[axis], step))
        shape = data.shape[:axis] + (len(kept),) + data.shape[axis + 1 :]
        updates, options, more = self.updates_or_value(shape, data.dtype)
        meetings = [
            (position[:axis] + (kept[position[axis]],) + position[axis + 1 :], updates[position])
            for position in np.ndindex(updates.shape)
        ]
        arguments = [f"--start={start}", "--stop=99", f"--step={step}", f"--axes={axis}"]
        self.compare(operator, arguments + options, self.saved(data=data) + more, scattered(data, meetings))

    def test_slices_of_which_some_is_left_out(self):
        """What is left out is None in Python."""
        data = self.array((4, 5, 3), "i4")
        self.save("data.npy", data)
        for axes in (None, [1], [-1, 0]):
            for left_out in itertools.product((False, True), repeat=3):
                count = len(axes) if axes else 2
                lists = {"start": [3, -2], "stop": [0, -9], "step": [-1, -2]}
                lists = {name: None if is_out else values[:count]
                         for (name, values), is_out in zip(lists.items(), left_out)}  # fmt: skip
                slices = [slice(None)] * 3
                if axes or not all(left_out):
                    for k, axis in enumerate(axes or range(count)):
                        slices[axis] = slice(*(values and values[k] for values in lists.values()))
                expected = data.copy()
                updates = self.array(expected[tuple(slices)].shape, "i4")
                expected[tuple(slices)] = updates
                self.save("data.npy", data)
                self.save("updates.npy", updates)
                arguments = [f"--{name}={','.join(map(str, values))}" for name, values in lists.items() if values]
                arguments += [f"--axes={','.join(map(str, axes))}"] if axes else []
                with self.subTest(arguments=arguments):
                    self.check(["slice_scatter", *arguments, "data.npy", "updates.npy"], expected)
        printed = self.succeed("slice_scatter", "data.npy", "data.npy", "--dry-run", "-o", "out.npy")
        self.assertTrue(printed.startswith("operator: slice_scatter\n"), printed)
        self.save("updates.npy", data[:, ::-2])
        printed = self.succeed("slice_scatter", "--step=-2", "--axes=1", "data.npy", "updates.npy", "--dry-run",
                               "-o", "out.npy")  # fmt: skip
        self.assertTrue(printed.startswith("operator: slice_scatter, step (-2,), axes (1,)\n"), printed)
        for arguments, words in (
            (["--start=0,1", "--stop=2"], "stop has length 1, expected 2 as start has"),
            (["--step=1,1", "--axes=0"], "axes has length 1, expected 2 as step has"),
            (["--stop=1,1,1,1"], "stop has length 4, expected at most 3"),
        ):
            self.refuse_both_ways("slice_scatter", *arguments, "data.npy", "updates.npy", words=[words])

    # ---- The axis

    def axis_rule(self):
        """The rule for the axis in the help, in one line."""
        rule = re.search(r"^Axis: (.*?)\n[A-Z]", self.succeed("--help"), re.DOTALL | re.MULTILINE)
        return " ".join(rule[1].split())

    def test_the_axis_that_is_left_out(self):
        self.assertEqual(self.axis_rule(), "--axis is 0 where it is left out; of onnx_tensor_scatter it is -2, as its "
                         "specification says.")  # fmt: skip
        readme = README.read_text()
        self.assertIn(self.axis_rule().replace("--axis", "`--axis`").replace("onnx_tensor_scatter",
                      "`onnx_tensor_scatter`"), " ".join(readme.split()))  # fmt: skip
        data = self.array((3, 3, 3), "f4")
        value = self.array((), "f4", is_reduced=True)[()]
        self.saved(data=data, row=self.array((1, 3, 3), "f4"), middle=self.array((3, 1, 3), "f4"),
                   plane=self.array((3, 3), "f4"), one=np.array([1]), ones=np.ones((1, 3, 3), "i8"),
                   value=value)  # fmt: skip
        operands = {**dict.fromkeys(ROWS, ["one.npy", "row.npy"]), **dict.fromkeys(ELEMENTS, ["ones.npy", "row.npy"]),
                    "index_fill": ["one.npy", "value.npy"], "select_scatter": ["plane.npy", "--index=1"],
                    "onnx_tensor_scatter": ["middle.npy"]}  # fmt: skip
        self.assertEqual(sorted(operands), sorted(AXIS))
        for operator in self.listed():
            help = self.succeed(operator, "--help")
            self.assertEqual("--axis N" in help, operator in AXIS, operator)
            if operator not in AXIS:
                continue
            default = -2 if operator == "onnx_tensor_scatter" else 0
            with self.subTest(operator=operator):
                self.assertRegex(help, rf"--axis N [^:]*, {default} if left out")
                arguments = [operator, "data.npy", *operands[operator]]
                if operator in ("index_reduce", "scatter_reduce"):
                    arguments.append("--reduction=sum")
                self.succeed(*arguments, "-o", "left_out.npy")
                self.succeed(*arguments, f"--axis={default}", "-o", "given.npy")
                self.assertEqual(self.path("left_out.npy").read_bytes(), self.path("given.npy").read_bytes())
                self.assertIn(f", axis {default}", self.succeed(*arguments, "--dry-run", "--in-place").splitlines()[0])

    def selections(self, operator, case):
        data = self.array(self.shape(), MOVED[case % len(MOVED)])
        axis = int(self.rng.integers(0, data.ndim))
        index = int(self.rng.integers(-data.shape[axis], data.shape[axis]))
        updates, options, more = self.updates_or_value(data.shape[:axis] + data.shape[axis + 1 :], data.dtype)
        meetings = [
            (position[:axis] + (index % data.shape[axis],) + position[axis:], updates[position])
            for position in np.ndindex(updates.shape)
        ]
        arguments = [f"--axis={axis - data.ndim * (case % 2)}", f"--index={index}"]
        self.compare(operator, arguments + options, self.saved(data=data) + more, scattered(data, meetings))

    def diagonals(self, operator, case):
        data = self.array(self.shape(least=2), MOVED[case % len(MOVED)])
        rows, columns = (0, 1) if case % 3 == 0 else (int(axis) for axis in self.rng.permutation(data.ndim)[:2])
        offset = 0 if case % 3 == 0 else int(self.rng.integers(-4, 5))
        others = [axis for axis in range(data.ndim) if axis not in (rows, columns)]
        diagonal = [(i, i + offset) for i in range(data.shape[rows]) if 0 <= i + offset < data.shape[columns]]
        shape = (*(data.shape[axis] for axis in others), len(diagonal))
        updates, options, more = self.updates_or_value(shape, data.dtype)
        meetings = []
        for position in np.ndindex(updates.shape):
            target = dict(zip(others, position))
            target[rows], target[columns] = diagonal[position[-1]]
            meetings.append((tuple(target[axis] for axis in range(data.ndim)), updates[position]))
        arguments = [] if case % 3 == 0 else [f"--offset={offset}", f"--axis1={rows}", f"--axis2={columns - data.ndim}"]
        self.compare(operator, arguments + options, self.saved(data=data) + more, scattered(data, meetings))

    def caches(self, operator, case):
        data = self.array(self.shape(least=2), MOVED[case % len(MOVED)])
        axis = int(self.rng.integers(1, data.ndim))
        length = data.shape[axis]
        count = int(self.rng.integers(0, length + 1))
        updates = self.array(data.shape[:axis] + (count,) + data.shape[axis + 1 :], data.dtype)
        is_circular = bool(case % 2)
        firsts = self.rng.integers(0, 3 * length if is_circular else length - count + 1, data.shape[0])
        files = self.saved(data=data, updates=updates)
        if case % 3:
            files += self.saved(write_indices=firsts.astype(str(self.rng.choice(["u1", ">i2", "i4", ">u8", "i8"]))))
        else:
            firsts[:] = 0
        meetings = []
        for position in np.ndindex(updates.shape):
            place = (int(firsts[position[0]]) + position[axis]) % length
            meetings.append((position[:axis] + (place,) + position[axis + 1 :], updates[position]))
        arguments = [] if axis == data.ndim - 2 else [f"--axis={axis}"]
        arguments += ["--mode=circular"] if is_circular else ["--mode=linear"] * (case % 4 == 0)
        self.compare(operator, arguments, files, scattered(data, meetings))

    def families(self):
        """The operators of the program, each with the function that draws a case."""
        of = {**dict.fromkeys(ROWS, self.rows), **dict.fromkeys(ELEMENTS, self.elements),
              **dict.fromkeys(TUPLES, self.tuples), "put": self.numbers, "slice_scatter": self.slices,
              "select_scatter": self.selections, "diagonal_scatter": self.diagonals, "masked_scatter": self.masks,
              "masked_fill": self.masks, "onnx_tensor_scatter": self.caches}  # fmt: skip
        self.assertEqual(sorted(of), sorted(self.listed()), "the operators of the help")
        return of

    def test_against_plain_loops(self):
        with counting(self, "random cases of every operator"):
            for place, (self.drawn, draw) in enumerate(self.families().items()):
                # Where programs start slowly, each operator once, in different cases.
                for self.case in range(9) if EVERY == 1 else [place % 9]:
                    draw(self.drawn, self.case)
        self.assertEqual(self.run_operators, set(self.listed()))
        if EVERY == 1:
            self.assertEqual(self.run_with_value, set(self.listed()) - {*FILLS, *WITHOUT_VALUE})
        print("operators run:", ", ".join(sorted(self.run_operators)), flush=True)

    # ---- Refusals

    def refuse_both_ways(self, *arguments, words):
        said = {self.refuse(*arguments, *target, words=words)
                for target in (["-o", "out.npy"], ["--in-place"])}  # fmt: skip
        self.assertEqual(len(said), 1, said)

    def test_bad_indices(self):
        self.saved(data=np.zeros((3, 4), "f4"), rows=np.ones((2, 4), "f4"), two=np.ones(2, "f4"),
                   elements=np.ones((2, 1), "f4"), bad_rows=np.array([0, 9]), bad_elements=np.array([[0], [9]]),
                   bad_tuples=np.array([[0, 0], [0, 9]]), good=np.array([0, 1]), bad_columns=np.array([0, 4], ">u4"),
                   huge=np.array([1, 2**63], "u8"), firsts=np.array([0, 0, 9], "i2"), minus=np.array([0, -1, 0]),
                   below=np.array([-4, 0]), threes=np.ones(3, "f4"), cache=np.zeros((3, 1), "f4"))  # fmt: skip
        bad = "= 9 is outside"
        for operator, counts_from_end in ROWS.items():
            updates = ["--value=1"] if operator == "index_fill" else ["rows.npy"]
            reduction = ["--reduction=sum"] if operator == "index_reduce" else []
            arguments = [operator, *reduction, "--axis=0", "data.npy"]
            self.refuse_both_ways(*arguments, "bad_rows.npy", *updates, words=["strew-npy: bad_rows.npy: ", bad])
            self.refuse_both_ways(*arguments, "below.npy", *updates,
                                  words=["strew-npy: below.npy: ", "= -4 is outside"])  # fmt: skip
        for operator in ELEMENTS:
            reduction = ["--reduction=sum"] if operator == "scatter_reduce" else []
            self.refuse_both_ways(operator, *reduction, "--axis=0", "data.npy", "bad_elements.npy", "elements.npy",
                                 words=["strew-npy: bad_elements.npy: ", "indices[1, 0] " + bad])  # fmt: skip
        for operator in ("scatter_nd_update", "scatter_nd", "onnx_scatter_nd"):
            self.refuse_both_ways(operator, "data.npy", "bad_tuples.npy", "two.npy",
                                 words=["strew-npy: bad_tuples.npy: ", "indices[1, 1] " + bad])  # fmt: skip
        for first, second, blamed in (
            ("good.npy", "bad_columns.npy", "bad_columns.npy"),
            ("bad_rows.npy", "good.npy", "bad_rows.npy"),
            ("bad_rows.npy", "bad_columns.npy", "bad_rows.npy"),
            ("good.npy", "huge.npy", "huge.npy"),
            ("huge.npy", "good.npy", "huge.npy"),
            ("below.npy", "bad_rows.npy", "below.npy"),
        ):
            self.refuse_both_ways("index_put", "data.npy", first, second, "two.npy",
                                 words=[f"strew-npy: {blamed}: index_put: indices["])  # fmt: skip
        self.refuse_both_ways("put", "data.npy", "huge.npy", "two.npy",
                              words=["strew-npy: huge.npy: ", "9223372036854775808"])  # fmt: skip
        self.refuse_both_ways("select_scatter", "--axis=0", "--index=3", "data.npy", "rows.npy",
                              words=["strew-npy: rows.npy: select_scatter: updates has rank 2"])  # fmt: skip
        self.refuse_both_ways("select_scatter", "--axis=1", "--index=-5", "data.npy", "threes.npy",
                              words=["strew-npy: data.npy: ", "index = -5 is outside [-4, 3]"])  # fmt: skip
        for firsts, message in (("firsts.npy", "[2] = 9 is outside [0, 3]"), ("minus.npy", "[1] = -1 is outside")):
            self.refuse_both_ways("onnx_tensor_scatter", "--axis=1", "data.npy", "cache.npy", firsts,
                                 words=[f"strew-npy: {firsts}: ", message])  # fmt: skip
        self.refuse_both_ways("onnx_tensor_scatter", "--axis=1", "--mode=circular", "data.npy", "cache.npy",
                              "minus.npy",
                              words=["strew-npy: minus.npy: ", "[1] = -1 is negative"])  # fmt: skip

    def test_operands_that_do_not_fit(self):
        files = dict(data=np.zeros((3, 4), "f4"), rows=np.array([0, 1]), elements=np.zeros((2, 4), "i8"),
                     tuples=np.zeros((2, 1), "i8"), mask=np.ones((3, 4), bool), part=np.ones((3, 3), bool),
                     five=np.zeros(5, "i8"), wrong=np.ones((1, 9), "f4"), type=np.ones((2, 4), "f8"),
                     one=np.ones(1, "f4"), column=np.ones((3, 1), "f4"), few=np.ones(11, "f4"),
                     swapped=np.ones((2, 4), ">f4"))  # fmt: skip
        self.saved(**files)
        axis = ["--axis=0"]
        places = {**dict.fromkeys(ROWS, [*axis, "data.npy", "rows.npy"]),
                  **dict.fromkeys(ELEMENTS, [*axis, "data.npy", "elements.npy"]),
                  **dict.fromkeys(TUPLES, ["data.npy", "tuples.npy"]), "index_put": ["data.npy", "rows.npy"],
                  "put": ["data.npy", "elements.npy"], "masked_scatter": ["data.npy", "mask.npy"],
                  "masked_fill": ["data.npy", "mask.npy"],
                  "slice_scatter": ["--start=0", "--stop=2", "--step=1", "data.npy"],
                  "select_scatter": [*axis, "--index=0", "data.npy"], "diagonal_scatter": ["data.npy"],
                  "onnx_tensor_scatter": ["--axis=1", "data.npy"]}  # fmt: skip
        self.assertEqual(sorted(places), sorted(self.listed()))
        for operator, arguments in places.items():
            reduction = ["--reduction=sum"] if operator in ("index_reduce", "scatter_reduce") else []
            with self.subTest(operator=operator):
                self.refuse_both_ways(operator, *reduction, *arguments, "wrong.npy",
                                     words=["strew-npy: wrong.npy: ", operator.removeprefix("onnx_")[:10]])  # fmt: skip
                self.refuse_both_ways(operator, *reduction, *arguments, "type.npy",
                                     words=["strew-npy: type.npy: is float64, but data.npy is float32"])  # fmt: skip
                self.refuse_both_ways(operator, *reduction, *arguments, "missing.npy",
                                     words=["strew-npy: missing.npy: cannot be opened"])  # fmt: skip
        for operator in ("masked_scatter", "masked_fill"):
            self.refuse_both_ways(operator, "data.npy", "part.npy", "one.npy",
                                 words=["strew-npy: part.npy: ", "mask has extent 3"] if operator == "masked_scatter"
                                 else ["strew-npy: one.npy: ", "value has rank 1, expected 0"])  # fmt: skip
            self.refuse_both_ways(operator, "data.npy", "elements.npy", "few.npy",
                                 words=["strew-npy: elements.npy: is int64; a mask is of bool"])  # fmt: skip
        self.refuse_both_ways("masked_fill", "data.npy", "part.npy", "--value=1", words=["strew-npy: part.npy: "])
        self.refuse_both_ways("masked_scatter", "data.npy", "mask.npy", "few.npy",
                              words=["strew-npy: few.npy: ", "has 11 elements, mask selects 12"])  # fmt: skip
        self.refuse_both_ways("index_put", "data.npy", "rows.npy", "five.npy", "few.npy",
                              words=["strew-npy: five.npy: index_put: indices has extent 5"])  # fmt: skip
        self.refuse_both_ways("index_put", "data.npy", "rows.npy", "rows.npy", "five.npy", "few.npy",
                              words=["strew-npy: five.npy: "])  # fmt: skip
        self.refuse_both_ways("index_put", "data.npy", "rows.npy", "mask.npy", "few.npy",
                              words=["strew-npy: mask.npy: is bool; indices are integers"])  # fmt: skip
        self.refuse_both_ways("onnx_tensor_scatter", "--axis=1", "data.npy", "column.npy", "five.npy",
                              words=["strew-npy: five.npy: ", "write_indices has extent 5"])  # fmt: skip
        self.refuse("index_fill", "--axis=0", "data.npy", "rows.npy", "data.npy", "--in-place",
                    words=["data.npy: is the same file"])  # fmt: skip
        self.save("other.npy", np.zeros((3, 4), ">f4"))
        for operator in ("scatter_add", "index_add"):
            self.refuse_both_ways(operator, "--axis=0", "other.npy", "elements.npy" if operator == "scatter_add" else
                                 "rows.npy", "swapped.npy",
                                 words=[f"strew-npy: other.npy: is {OTHER_BYTE_ORDER} float32, which is moved but"])  # fmt: skip
        self.refuse("index_add", "--axis=0", "--alpha=2", "other.npy", "rows.npy", "swapped.npy", "-o", "out.npy",
                    words=[f"strew-npy: other.npy: is {OTHER_BYTE_ORDER} float32, which is moved but"])  # fmt: skip

    def test_operators_refuse_options_that_are_not_theirs(self):
        self.saved(data=np.zeros((3, 4)), indices=np.array([0]), updates=np.zeros((1, 4)))
        files = ["data.npy", "indices.npy", "updates.npy", "--check"]
        for operator, option in (
            ("diagonal_scatter", "--bad-indices=drop"),
            ("onnx_tensor_scatter", "--bad-indices=drop"),
            ("masked_scatter", "--bad-indices=drop"),
            ("index_copy", "--reduction=sum"),
            ("scatter_add", "--reduction=sum"),
            ("scatter_add", "--alpha=1"),
            ("index_put", "--without-init"),
            ("onnx_scatter_elements", "--without-init"),
            ("scatter_nd_update", "--reduction=sum"),
            ("put", "--without-init"),
            ("masked_scatter", "--value=1"),
            ("onnx_tensor_scatter", "--value=1"),
        ):
            axis = ["--axis=0"] if operator in (*ROWS, *ELEMENTS, "onnx_tensor_scatter") else []
            self.refuse(operator, option, *axis, *files, words=[option.split("=")[0], "not expected", "--help"])
        self.refuse("select_scatter", "--axis=0", "data.npy", "updates.npy", "--check", words=["--index"])
        self.refuse("put", "--bad-indices=assume_valid", *files, words=["'assume_valid' is no", "--help"])
        self.refuse("onnx_tensor_scatter", "--mode=round", *files, words=["'round' is no mode", "--help"])
        for operator in ("scatter_reduce", "index_reduce"):
            self.refuse(operator, "--axis=0", *files, words=["--reduction", "required", "--help"])
        fill = ["index_fill", "--axis=0", "data.npy", "indices.npy"]
        self.refuse(*fill, "--check", words=["one of value and --value is required", "--help"])
        self.refuse(*fill, "updates.npy", "--value=1", "--check", words=["value and --value exclude each other"])
        self.refuse("index_put", "data.npy", "indices.npy", "--check", words=["one of updates and --value is required"])
        self.refuse("index_put", "data.npy", "--check", words=["indices is required"])
        self.refuse("index_put", "data.npy", "", "updates.npy", "--check", words=["the file name is empty"])

    # ---- A value in the place of updates

    PLACES = {**dict.fromkeys(ROWS, ["data.npy", "one.npy"]), **dict.fromkeys(ELEMENTS, ["data.npy", "ones.npy"]),
              **dict.fromkeys(TUPLES, ["data.npy", "one.npy"]), "put": ["data.npy", "ones.npy"],
              "slice_scatter": ["--start=1", "data.npy"], "select_scatter": ["--index=1", "data.npy"],
              "diagonal_scatter": ["data.npy"]}  # fmt: skip

    def save_for_values(self, dtype):
        self.saved(data=np.arange(12).reshape(3, 4).astype(dtype), one=np.array([1]), ones=np.ones((2, 3), "i8"),
                   updates=np.zeros(3, dtype), far=np.array([[7]]), far_row=np.array([7]),
                   long=np.zeros((9, 9, 9), "i8"))  # fmt: skip

    def with_value(self):
        """Each operator that takes --value in the place of updates, with legal operands."""
        places = {operator: words for operator, words in self.PLACES.items() if operator not in FILLS}
        self.assertEqual(sorted(places), sorted(set(self.listed()) - {*FILLS, *WITHOUT_VALUE}))
        for operator, words in places.items():
            reduction = ["--reduction=sum"] if operator in ("index_reduce", "scatter_reduce") else []
            yield operator, [operator, *reduction, *words]

    def test_a_value_or_updates(self):
        self.save_for_values("i2")
        for operator, arguments in self.with_value():
            with self.subTest(operator=operator):
                self.refuse(*arguments, "-o", "out.npy",
                            words=["one of updates and --value is required", f"{operator} --help"])  # fmt: skip
                if operator != "index_put":  # there it would be one more file of indices
                    self.refuse(*arguments, "updates.npy", "--value=1", "-o", "out.npy",
                                words=["updates and --value exclude each other", "--help"])  # fmt: skip
                for text in ("0.5", "32768"):
                    self.refuse(*arguments, "--value", text, "-o", "out.npy",
                                words=[f"data.npy: is int16, which has no element {text} (--value)"])  # fmt: skip
                self.assertEqual(self.succeed(*arguments, "--value=7", "--check"), "")
                self.assertEqual(self.succeed(*arguments, "--value=-7", "--in-place", "--check"), "")
                printed = self.succeed(*arguments, "--value=7", "--dry-run", "-o", "out.npy").splitlines()
                shape = re.fullmatch(r"value:    7, of updates of shape (\(.*\))", printed[-2])[1]
                count = int(np.prod(eval(shape), dtype=int))
                self.assertEqual(self.succeed(*arguments, "--value=7", "-o", "out.npy"),
                                 f"out.npy: int16 (3, 4), {count} elements from --value 7\n")  # fmt: skip

    def test_what_is_wrong_with_other_operands_of_a_value(self):
        self.save_for_values("f4")
        refused = [
            (["scatter_update", "data.npy", "far_row.npy"], "far_row.npy: scatter_update: indices[0] = 7 is outside"),
            (["scatter_update", "--axis=2", "data.npy", "one.npy"], "data.npy: scatter_update: axis = 2 is outside"),
            (["scatter_elements", "data.npy", "one.npy"], "one.npy: scatter_elements_update: indices has rank 1"),
            (["scatter_nd", "data.npy", "long.npy"], "long.npy: scatter_nd_update: indices has extent 9"),
            (["put", "data.npy", "one.npy", "--bad-indices=error"], None),
            (["index_put", "data.npy", "one.npy", "ones.npy"], "ones.npy: index_put: indices has rank 2"),
            (["index_put", "data.npy", "one.npy", "one.npy", "one.npy"], "index_put: indices holds 3 tensors"),
            (["slice_scatter", "--step=0", "data.npy"], "data.npy: slice_scatter: step"),
            (["slice_scatter", "--step=1,1,1", "data.npy"], "data.npy: slice_scatter: step has length 3"),
            (["select_scatter", "--index=3", "data.npy"], "data.npy: select_scatter: index = 3 is outside"),
            (["select_scatter", "--index=0", "--axis=5", "data.npy"], "data.npy: select_scatter: axis = 5 is outside"),
            (["diagonal_scatter", "--axis1=1", "data.npy"], "data.npy: diagonal_scatter: "),
            (["index_reduce", "--reduction=sum", "data.npy", "far_row.npy"], "far_row.npy: index_reduce: indices"),
        ]
        for arguments, words in refused:
            with self.subTest(arguments=arguments):
                if words is None:
                    self.succeed(*arguments, "--value=1", "--check")
                else:
                    self.refuse_both_ways(*arguments, "--value=1", words=["strew-npy: ", words])
                    self.refuse(*arguments, "--value=1", "--check", words=[words])
        self.save("other.npy", np.zeros((3, 4), ">f4"))
        self.refuse("index_add", "--alpha=2", "other.npy", "one.npy", "--value=1", "-o", "out.npy",
                    words=[f"strew-npy: other.npy: is {OTHER_BYTE_ORDER} float32, which is moved but"])  # fmt: skip

    def test_a_value_at_any_number_of_threads_and_of_an_archive(self):
        data = np.arange(3_000_000, dtype="f4").reshape(1500, 2000)
        rows = self.rng.integers(0, 1500, 900)
        self.saved(data=data, rows=rows)
        expected = data.copy()
        np.add.at(expected, rows, np.float32(1.5))
        for threads in ("--threads=1", "--threads=3"):
            self.succeed("index_add", "--alpha=3", "--value=0.5", "data.npy", "rows.npy", threads, "-o", "out.npy")
            self.assertEqual(self.load("out.npy").tobytes(), expected.tobytes())
        if os.environ.get("STREW_NPY_READS_ARCHIVES", "1") != "0":
            self.save_archive("a.npz", np.savez_compressed, data=data[:4], rows=np.array([3, 3]))
            self.succeed("index_reduce", "--reduction=prod", "a.npz:data", "a.npz:rows", "--value=2", "-o", "out.npy")
            expected = data[:4].copy()
            expected[3] *= 4
            self.assertEqual(self.load("out.npy").tobytes(), expected.tobytes())

    # ---- Elements as text

    def test_elements_on_the_command_line(self):
        self.save("mask.npy", np.array([True, False]))
        for dtype, texts in {
            "?": {"true": True, "false": False, "1": True, "0": False},
            "i1": {"-128": -128, "127": 127, "007": 7},
            "u1": {"255": 255},
            ">u2": {"65534": 65534},
            "i8": {"-9223372036854775808": -(2**63)},
            ">u8": {"18446744073709551615": 2**64 - 1},
            "f2": {"0": 0.0, "-0.0": -0.0, "0.1": 0.1, "65519": 65519, "-65519.99": -65504, "6e-8": 6e-8, "1e-9": 1e-9,
                   "2.98023223876953125e-8": 2**-25, "2049": 2049, "2051": 2051, "6.1e-5": 6.1e-5, "-inf": -np.inf, "-1e-400": -0.0},
            ">f4": {"0.1": 0.1, "1e38": 1e38, "3.4028235e38": 3.4028234e38, "inf": np.inf, "1e-50": 0.0, "-7e-46": -0.0},
            "f8": {"0.1": 0.1, "-1.5e-300": -1.5e-300, "1e-400": 0.0, "-1e-400": -0.0},
            ">c8": {"1.5": 1.5, "1,-2": 1 - 2j},
            "c16": {"0.1,0.2": 0.1 + 0.2j},
        }.items():  # fmt: skip
            for text, value in texts.items():
                with self.subTest(dtype=dtype, text=text), np.errstate(all="ignore"):
                    self.save("data.npy", np.zeros(2, dtype))
                    self.succeed("masked_fill", "data.npy", "mask.npy", "--value", text, "--in-place")
                    expected = np.array([np.array(value).astype(dtype), 0], dtype)
                    self.assertEqual(self.load("data.npy").tobytes(), expected.tobytes())
        self.save("data.npy", np.zeros(2, "f8"))
        self.succeed("masked_fill", "data.npy", "mask.npy", "--value=nan", "--in-place")
        self.assertTrue(np.isnan(self.load("data.npy")[0]))

    def test_texts_that_are_no_elements(self):
        self.save("mask.npy", np.array([True, False]))
        for dtype, texts in {
            "?": ["2", "True", "yes"],
            "i1": ["128", "-129", "1.5", "1e2", "0x1", " 1", "1 "],
            "u4": ["-1", "4294967296"],
            ">f4": ["one", "1,2", "1e999", "3.4028236e38", "1e-400x"],
            "f2": ["65520", "-70000", "1e9", "1e999"],
            "c8": ["1,2,3", ",1", "1,", "1+2j"],
        }.items():
            self.save("data.npy", np.zeros(2, dtype))
            for text in texts:
                with self.subTest(dtype=dtype, text=text):
                    self.refuse_both_ways("masked_fill", "data.npy", "mask.npy", f"--value={text}",
                                         words=["strew-npy: data.npy: is ", "(--value)"])  # fmt: skip
        self.saved(data=np.zeros(2, "i4"), indices=np.array([0]), updates=np.array([1], "i4"))
        self.refuse_both_ways("index_add", "--axis=0", "--alpha=0.5", "data.npy", "indices.npy", "updates.npy",
                              words=["data.npy: is int32, which has no element 0.5 (--alpha)"])  # fmt: skip

    # ---- Reports

    def test_dry_run_names_the_options_of_each_operator(self):
        self.saved(data=np.zeros((3, 3), "f4"), indices=np.array([0]), mask=np.eye(3, dtype=bool),
                   updates=np.ones((1, 3), "f4"), three=np.ones(3, "f4"), column=np.ones((3, 1), "f4"))  # fmt: skip
        for arguments, first in (
            (["select_scatter", "--axis=-1", "--index=2", "data.npy", "three.npy"], "select_scatter, axis -1, index 2"),
            (["diagonal_scatter", "data.npy", "three.npy"], "diagonal_scatter, offset 0, axes 0 and 1"),
            (["index_add", "--axis=0", "--alpha=2", "data.npy", "indices.npy", "updates.npy"],
             "index_add, axis 0, alpha 2"),
            (["index_copy", "--axis=0", "--bad-indices=clip", "data.npy", "indices.npy", "updates.npy"],
             "index_copy, axis 0, bad indices clip"),
            (["onnx_tensor_scatter", "--axis=1", "--mode=circular", "data.npy", "column.npy"],
             "onnx_tensor_scatter, axis 1, circular"),
            (["scatter_nd_update", "data.npy", "indices.npy", "three.npy"], "scatter_nd_update"),
        ):  # fmt: skip
            printed = self.succeed(*arguments, "--dry-run", "-o", "out.npy")
            self.assertEqual(printed.splitlines()[0], f"operator: {first}")
        self.assertEqual(
            self.succeed("masked_scatter", "data.npy", "mask.npy", "three.npy", "--dry-run", "--in-place"),
            "operator: masked_scatter\n"
            "data:     data.npy: float32 (3, 3), 36 bytes\n"
            "mask:     mask.npy: bool (3, 3), 9 bytes\n"
            "updates:  three.npy: float32 (3,), 12 bytes\n"
            "result:   data.npy would be changed in place by 12 bytes of updates\n",
        )
        fill = ["index_fill", "--axis=0", "data.npy", "indices.npy", "--value=2"]
        self.assertEqual(
            self.succeed(*fill, "--dry-run", "--in-place"),
            "operator: index_fill, axis 0\n"
            "data:     data.npy: float32 (3, 3), 36 bytes\n"
            "indices:  indices.npy: int64 (1,), 8 bytes\n"
            "value:    2\n"
            "result:   data.npy would be changed in place\n",
        )
        self.assertEqual(self.succeed(*fill, "-o", "out.npy"), "out.npy: float32 (3, 3), filled with 2\n")

    def test_long_work_is_the_same_at_any_number_of_threads(self):
        data = np.arange(3_000_000, dtype="f4").reshape(1500, 2000)
        mask = data.astype("i8") % 7 == 1
        rows = self.rng.integers(0, 1500, 900)
        updates = self.array((900, 2000), "f4", is_reduced=True)
        files = self.saved(data=data, mask=mask, rows=rows, updates=updates)
        expected = data.copy()
        np.add.at(expected, rows, updates * np.float32(3))
        masked = data.copy()
        masked[mask] = data.ravel()[: int(mask.sum())]
        for threads in ("--threads=1", "--threads=3"):
            self.succeed("index_add", "--axis=0", "--alpha=3", "data.npy", *files[2:], threads, "-o", "out.npy")
            self.assertEqual(self.load("out.npy").tobytes(), expected.tobytes())
            self.succeed("masked_scatter", "data.npy", "mask.npy", "data.npy", threads, "-o", "out.npy")
            self.assertEqual(self.load("out.npy").tobytes(), masked.tobytes())


if __name__ == "__main__":
    unittest.main(verbosity=2)
