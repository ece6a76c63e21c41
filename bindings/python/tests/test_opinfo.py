# SPDX-License-Identifier: Apache-2.0
"""PyTorch's own samples of its 21 scatter operators (OpInfo), run with strew and compared with torch's results.

An adapter per operator makes torch's call one of strew: it narrows sources, broadcasts masks and values, turns masks
into indices and gives tensors of rank 0 an axis. Each sample is run into a new tensor, in place on two threads and on
non-contiguous tensors. What still differs is in DIFFERENCES, each with its reason; a listed difference that is gone
fails the test, too.
"""

from __future__ import annotations

import collections
import concurrent.futures
import dataclasses
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

import strew

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("expecttest", reason="expecttest, which torch.testing._internal imports, is not installed")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    invocations = pytest.importorskip(
        "torch.testing._internal.common_methods_invocations", reason="no OpInfo in this PyTorch", exc_type=ImportError
    )

Tensor = torch.Tensor
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:torch")  # of what is in beta, or deprecated

# ---- torch's calls as calls of strew

REDUCTIONS = {"add": "sum", "multiply": "prod", "amax": "max", "amin": "min"}  # the others have strew's names
REDUCING = {"index_add", "index_reduce", "scatter_add", "scatter_reduce"}


@dataclasses.dataclass
class Call:
    function: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any] = dataclasses.field(default_factory=dict)

    def run(self, **more: Any) -> Tensor:
        return self.function(*self.args, **self.options, **more)

    @property
    def combines(self) -> bool:
        return self.function.__name__ in REDUCING or "sum" in self.args


def line(tensor: Tensor) -> Tensor:
    """torch lets a tensor of rank 0 be indexed along axis 0; strew requires that axis."""
    return tensor.reshape(1) if tensor.ndim == 0 else tensor


def narrow(source: Any, index: Tensor) -> Any:
    """torch lets the source be longer than the index on any axis."""
    if not isinstance(source, Tensor):
        return source
    source = line(source)
    for axis, (length, used) in enumerate(zip(source.shape, index.shape)):
        source = source.narrow(axis, 0, min(length, used))
    return source


def scatter(data, dim, index, source, reduce=None, include_self=True) -> Call:
    args = (line(data), dim, line(index), narrow(source, line(index)))
    if reduce is None:
        return Call(strew.scatter, args)
    reduction = REDUCTIONS.get(reduce, reduce)
    return Call(strew.scatter_reduce, (*args, reduction), {"include_init": include_self})


def scatter_add(data, dim, index, source) -> Call:
    return Call(strew.scatter_add, (line(data), dim, line(index), narrow(source, line(index))))


def index_copy(data, dim, index, source) -> Call:
    return Call(strew.index_copy, (line(data), dim, index, line(source)))


def index_add(data, dim, index, source, alpha=1) -> Call:
    return Call(strew.index_add, (line(data), dim, index, line(source)), {"alpha": alpha})


def index_reduce(data, dim, index, source, reduce, include_self=True) -> Call:
    args = (line(data), dim, index, line(source), REDUCTIONS.get(reduce, reduce))
    return Call(strew.index_reduce, args, {"include_init": include_self})


def index_fill(data, dim, index, value) -> Call:
    return Call(strew.index_fill, (line(data), dim, index, value))


def index_put(data, indices, values, accumulate=False) -> Call:
    # A mask stands for the coordinates of what it selects.
    tensors = [one for k in indices for one in (k.nonzero(as_tuple=True) if k.dtype == torch.bool else (k,))]
    tensors = torch.broadcast_tensors(*tensors)
    values = values.expand(*tensors[0].shape, *data.shape[len(tensors) :])
    return Call(strew.index_put, (data, tensors, values, "sum" if accumulate else "none"))


def put(data, index, source, accumulate=False) -> Call:
    # Only the numbers of elements must agree in torch.
    return Call(strew.put, (line(data), index, source.reshape(index.shape), "sum" if accumulate else "none"))


def masked(function: Callable[..., Any], data, mask, source) -> Call:
    shape = torch.broadcast_shapes(data.shape, mask.shape)
    return Call(function, (data.expand(shape), mask.expand(shape), source))


def select_scatter(data, source, dim, index) -> Call:
    return Call(strew.select_scatter, (data, source, dim, index))


def slice_scatter(data, source, dim=0, start=None, end=None, step=1) -> Call:
    return Call(strew.slice_scatter, (data, source), {"start": start, "stop": end, "step": step, "axes": dim})


def diagonal_scatter(data, source, offset=0, dim1=0, dim2=1) -> Call:
    return Call(strew.diagonal_scatter, (data, source, offset, dim1, dim2))


ADAPTERS: dict[str, Callable[..., Call]] = {
    "diagonal_scatter": diagonal_scatter,
    "index_add": index_add,
    "index_copy": index_copy,
    "index_fill": index_fill,
    "index_put": index_put,
    "index_reduce": index_reduce,
    "masked_fill": lambda *args: masked(strew.masked_fill, *args),
    "masked_scatter": lambda *args: masked(strew.masked_scatter, *args),
    "put": put,
    "scatter": scatter,
    "scatter_add": scatter_add,
    "scatter_reduce": scatter,
    "select_scatter": select_scatter,
    "slice_scatter": slice_scatter,
}
ENTRIES = [entry for entry in invocations.op_db if entry.name in ADAPTERS]


def name_of(entry: Any) -> str:
    return f"{entry.name}.{entry.variant_test_name}" if entry.variant_test_name else entry.name


# ---- What differs

# How a result relates to torch's:
#   equal      the same; bit for bit, if elements are only moved
#   converts   strew refuses a number that torch converts silently; with the converted number the results are equal
#   refused    strew refuses the call
#   in_order   other values; they are those of the naive loop below
INTEGERS = "uint8 int8 int16 int32 int64"
HALVES = "float16 bfloat16"
NUMBER_MUST_FIT = "a number must be one of the element type, never rounded or wrapped: torch makes 2.5 into 2"
ALPHA_MUST_FIT = "alpha, too, must be one of the element type: torch makes -1 into 255"
NO_COMPLEX_HALF = "complex elements of 16-bit floats are moved, but have no arithmetic and take no number"
ROUNDED_ONCE = "a mean of 16-bit floats is summed in float and rounded once: torch rounds each step"
ROUNDED_EACH = "a sum or a product of 16-bit floats is rounded at each step: torch accumulates in float"


def listed(*rows: tuple[str, str, str, str]) -> dict[tuple[str, str], tuple[str, str]]:
    return {
        (name, dtype): (outcome, reason)
        for names, dtypes, outcome, reason in rows
        for name in names.split()
        for dtype in dtypes.split()
    }


DIFFERENCES = listed(
    ("masked_fill", "bool", "converts", NUMBER_MUST_FIT),
    ("scatter", "bool " + INTEGERS, "converts", NUMBER_MUST_FIT),
    ("index_add", "uint8", "converts", ALPHA_MUST_FIT),
    ("masked_fill index_fill", "complex32", "converts", NO_COMPLEX_HALF),
    ("index_add index_put", "complex32", "refused", NO_COMPLEX_HALF),
    ("index_reduce.mean", HALVES, "in_order", ROUNDED_ONCE),
)
# Of the same samples with indices that repeat, which OpInfo avoids.
DIFFERENCES_OF_REPEATED = listed(
    ("scatter", "bool " + INTEGERS, "converts", NUMBER_MUST_FIT),
    ("index_add", "uint8", "converts", ALPHA_MUST_FIT),
    ("index_add index_put", "complex32", "refused", NO_COMPLEX_HALF),
    ("scatter scatter_add scatter_reduce.sum scatter_reduce.prod", HALVES, "in_order", ROUNDED_EACH),
    ("scatter_reduce.mean index_reduce.mean", HALVES, "in_order", ROUNDED_ONCE),
)


def in_order(call: Call) -> Tensor:
    """The updates of each target one after the other, each step rounded to the element type; a mean once."""
    data, axis, index, source = call.args[:4]
    reduction = call.args[4] if len(call.args) > 4 else "sum"
    numbers = torch.arange(data.numel()).reshape(data.shape)
    of_rows = call.function.__name__.startswith("index")
    targets = numbers.index_select(axis, index) if of_rows else numbers.gather(axis, index.long())
    starts_from_data = call.options.get("include_init", True)
    result = data.reshape(-1).clone()
    values: dict[int, list[Tensor]] = {}
    for target, update in zip(targets.reshape(-1).tolist(), source.reshape(-1)):
        values.setdefault(target, [result[target].clone()] if starts_from_data else []).append(update)
    for target, (first, *rest) in values.items():
        first = first.float() if reduction == "mean" else first
        for update in rest:
            first = first * update if reduction == "prod" else first + update
        result[target] = first / (1 + len(rest)) if reduction == "mean" else first
    return result.reshape(data.shape)


# ---- Comparing


def bits(tensor: Tensor) -> Tensor:
    return tensor.clone(memory_format=torch.contiguous_format).reshape(-1).view(torch.uint8)


def is_equal(result: Tensor, expected: Tensor, bit_for_bit: bool) -> bool:
    if bit_for_bit:
        return torch.equal(bits(result), bits(expected.contiguous()))
    return bool(((result == expected) | ((result != result) & (expected != expected))).all())


def converted(argument: Any, dtype: torch.dtype) -> Any:
    """A number as torch converts it; elements without a number of Python remain a tensor."""
    if not isinstance(argument, (int, float, complex)):
        return argument
    number = torch.tensor(argument).to(dtype)
    return number if dtype == torch.complex32 else number.item()


def with_converted_number(call: Call, dtype: torch.dtype) -> Call:
    # A number is the last argument, if there is one; those before are axes.
    options = {key: converted(value, dtype) if key == "alpha" else value for key, value in call.options.items()}
    at = 2 if call.function is strew.masked_fill else 3
    args = [converted(value, dtype) if k == at else value for k, value in enumerate(call.args)]
    return Call(call.function, tuple(args), options)


def compare(adapter: Callable[..., Call], sample: Any, expected: Tensor) -> str:
    call = adapter(sample.input, *sample.args, **sample.kwargs)
    data = call.args[0]
    before = bits(data.contiguous()).clone()
    outcome = "equal"
    try:
        result = call.run()
    except strew.Error:
        outcome = "converts"
        call = with_converted_number(call, data.dtype)
        try:
            result = call.run()
        except strew.Error:
            return "refused"
    assert type(result) is Tensor and result.dtype == expected.dtype
    assert result.stride() == torch.empty_like(data).stride()
    assert torch.equal(bits(data.contiguous()), before), "data was changed"

    in_place = data.contiguous().clone()
    assert Call(call.function, (in_place, *call.args[1:]), call.options).run(out=in_place, threads=2) is in_place
    assert torch.equal(bits(in_place), bits(result)), "in place on two threads"
    scattered = sample.noncontiguous()
    strided = adapter(scattered.input, *scattered.args, **scattered.kwargs)
    if outcome == "converts":
        strided = with_converted_number(strided, data.dtype)
    assert torch.equal(bits(strided.run()), bits(result)), "of non-contiguous tensors"

    result = result.reshape(expected.shape)
    if is_equal(result, expected, bit_for_bit=not call.combines):
        return outcome
    assert is_equal(result, in_order(call).reshape(expected.shape), bit_for_bit=False), f"{call} gives {result}"
    return "in_order"


def samples_of(entry: Any, dtype: torch.dtype) -> Iterator[Any]:
    return entry.sample_inputs("cpu", dtype, requires_grad=False)


def repeated_samples_of(entry: Any, dtype: torch.dtype) -> Iterator[Any]:
    return (sample for sample in map(partial(repeated, entry), samples_of(entry, dtype)) if sample is not None)


def repeated(entry: Any, sample: Any) -> Any:
    """The sample with indices of which some are equal, if its updates are combined: None if they are not."""
    sample = sample.transform(lambda argument: argument)  # a copy
    args, kwargs = list(sample.args), sample.kwargs

    def halve(index: Tensor) -> Tensor:
        return index.div(2, rounding_mode="floor").to(index.dtype)

    if entry.name in REDUCING or kwargs.get("reduce"):
        args[1] = halve(args[1])
    elif entry.name == "put" and args[2]:
        args[0] = halve(args[0])
    elif entry.name == "index_put" and kwargs["accumulate"]:
        args[0] = tuple(halve(k) if k.dtype != torch.bool else k for k in args[0])
    else:
        return None
    sample.args = tuple(args)
    return sample


# A sample of OpInfo formats the stack on which it was made, which is long under pytest and short in a new thread.
in_short_stack = concurrent.futures.ThreadPoolExecutor(1)
Outcomes = dict[tuple[str, str], collections.Counter]


def run_all(samples_of: Callable[[Any, torch.dtype], Iterator[Any]]) -> Outcomes:
    torch.manual_seed(20)
    outcomes: Outcomes = collections.defaultdict(collections.Counter)
    for entry in ENTRIES:
        for dtype in sorted(entry.supported_dtypes("cpu"), key=str):
            key = name_of(entry), str(dtype).removeprefix("torch.")
            for sample in samples_of(entry, dtype):
                expected = entry(sample.input, *sample.args, **sample.kwargs)
                outcomes[key][compare(ADAPTERS[entry.name], sample, expected)] += 1
    return outcomes


@pytest.fixture(scope="module")
def outcomes() -> Outcomes:
    return in_short_stack.submit(run_all, samples_of).result()


@pytest.fixture(scope="module")
def outcomes_of_repeated() -> Outcomes:
    return in_short_stack.submit(run_all, repeated_samples_of).result()


# ---- The tests


def require_listed(name: str, outcomes: Outcomes, listed: dict[tuple[str, str], tuple[str, str]]) -> None:
    for (of, dtype), counts in outcomes.items():
        if of == name:
            expected = listed.get((of, dtype), ("equal", ""))[0]
            seen = {outcome for outcome in counts if outcome != "equal"} or {"equal"}
            assert seen == {expected}, f"{name}[{dtype}]: {dict(counts)}, expected {expected}"


def test_counts(outcomes: Outcomes, outcomes_of_repeated: Outcomes) -> None:
    assert len(ENTRIES) == 21 and {entry.name for entry in ENTRIES} == set(ADAPTERS)
    compared = sum(counts.total() - counts["refused"] for counts in outcomes.values())
    of_repeated = sum(counts.total() - counts["refused"] for counts in outcomes_of_repeated.values())
    print(f"{compared} samples compared, {of_repeated} with repeated indices")
    assert compared >= 2700 and of_repeated >= 1300
    assert set(DIFFERENCES) <= set(outcomes) and set(DIFFERENCES_OF_REPEATED) <= set(outcomes_of_repeated)


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_samples(entry: Any, outcomes: Outcomes) -> None:
    assert any(of == name_of(entry) for of, _ in outcomes)
    require_listed(name_of(entry), outcomes, DIFFERENCES)


@pytest.mark.parametrize("entry", ENTRIES, ids=name_of)
def test_samples_with_repeated_indices(entry: Any, outcomes_of_repeated: Outcomes) -> None:
    require_listed(name_of(entry), outcomes_of_repeated, DIFFERENCES_OF_REPEATED)


ERRORS = [
    pytest.param(entry, error.sample_input, id=f"{name_of(entry)}-{k}")
    for entry in ENTRIES
    if entry.error_inputs_func is not None
    for k, error in enumerate(entry.error_inputs("cpu"))
]


def test_count_of_errors() -> None:
    assert len(ERRORS) >= 14


# Masks are of one byte, whatever its type: only PyTorch refuses uint8.
def is_byte_mask(entry: Any, sample: Any) -> bool:
    return entry.name == "masked_scatter" and sample.args[0].dtype == torch.uint8


@pytest.mark.parametrize(("entry", "sample"), ERRORS)
def test_errors_of_torch_are_errors(entry: Any, sample: Any) -> None:
    if is_byte_mask(entry, sample):
        mask, source = sample.args
        expected = sample.input.masked_scatter(mask.bool(), source)
        assert torch.equal(ADAPTERS[entry.name](sample.input, mask, source).run(), expected)
        return
    call = ADAPTERS[entry.name](sample.input, *sample.args, **sample.kwargs)
    in_place = call.args[0].contiguous().clone()
    before = bits(in_place).clone()
    with pytest.raises(strew.Error):
        call.run()
    with pytest.raises(strew.Error):
        Call(call.function, (in_place, *call.args[1:]), call.options).run(out=in_place)
    assert torch.equal(bits(in_place), before), "written before the error"
