# SPDX-License-Identifier: Apache-2.0
"""Changes of the headers for which a theorem must fail. Each is made in a copy of the headers, alone, and the command that
proves the theorem is run on that copy: it has to find values for which the claim or an obligation does not hold."""

import dataclasses
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

PROOFS = pathlib.Path(__file__).with_name("proofs.py")


@dataclasses.dataclass(frozen=True)
class Mutation:
    """The theorem that must fail, the header, and a text that it has once with what replaces it."""

    theorem: str
    header: str
    before: str
    after: str


INDEX = "view/index.hpp"
POLICY = "detail/rules/policy.hpp"
TARGETS = "detail/rules/targets.hpp"
INTEGER = "view/integer.hpp"
SLICE = "view/slice.hpp"
SPEC = "view/slice_spec.hpp"
LAYOUT = "view/layout.hpp"
PLAN = "detail/plan/scatter_plan.hpp"
PARTITION = "detail/plan/partition.hpp"
SCRATCH = "detail/plan/scratch_memory.hpp"
READER = "detail/kernels/index_reader.hpp"
LOOPS = "detail/kernels/index_loops.hpp"
DIVISION = "detail/kernels/divide_numbers.hpp"
PART = "detail/rules/part_view.hpp"
DISTRIBUTION = "mpi/distribution.hpp"

MUTATIONS = [
    # Axes, indices and policies.
    Mutation("saturate", INTEGER, "value > static_cast<Integer>(int64_max) ? int64_max :", "false ? int64_max :"),
    Mutation("magnitude", INTEGER, "std::uint64_t{0} - static_cast<std::uint64_t>(value)", "static_cast<std::uint64_t>(-value)"),
    Mutation("normalize_axis", INDEX, "value < -rank || value >= rank", "value < -rank || value > rank"),
    Mutation("normalize_index", INDEX, "if (value >= extent) return", "if (value > extent) return"),
    Mutation("normalize_index", INDEX, "strict || value < -extent)", "strict || value <= -extent)"),
    Mutation("element_of", INDEX, "    return value < 0 ? value + extent : value;", "    return value;"),
    Mutation("resolve_index", POLICY, "counted < extent ? counted", "counted <= extent ? counted"),
    Mutation("resolve_index", POLICY, "return rest < 0 ? rest + extent : rest;", "return rest;"),
    Mutation("resolve_index", POLICY, "const bool is_huge = is_unsigned && bits < 0;", "const bool is_huge = false;"),
    Mutation("accepted_indices", TARGETS, "return demand.extent(j) == 0;", "return false;"),
    Mutation("accepted_indices", TARGETS, "index.is_unsigned && index.bits < 0 ? int64_max : index.bits", "index.bits"),
    Mutation("wrap_targets", READER, "targets[i] < 0 ? extent : 0", "targets[i] <= 0 ? extent : 0"),
    # Slices.
    Mutation("clamp_slice", SLICE, "forward ? extent : extent - 1", "extent"),
    Mutation("clamp_slice", SLICE, "if (bound < 0) bound += extent;", "if (bound < -1) bound += extent;"),
    Mutation("clamp_slice", SLICE, "(distance - 1) / magnitude(step)", "(distance) / magnitude(step)"),
    Mutation("clamp_slice", SLICE, "distance <= 0", "distance < 0"),
    Mutation("resolve_slice", SLICE, "sizeof(Stop) == 4", "sizeof(Stop) == 2"),
    Mutation("slice_of_axis", SPEC, "last = step > 0 ? int64_max : int64_min", "last = step > 0 ? int64_max : -1"),
    Mutation("elements_within", SLICE, "(coordinate - low - 1) / stride", "(coordinate - low) / stride"),
    Mutation("sliced_stride", SLICE, "range.count > 1 ? stride * range.step : stride", "stride * range.step"),
    # Sizes, spans and offsets.
    Mutation("saturating_add", INTEGER, "sum < a ?", "sum < a && b != a ?"),
    Mutation("saturating_multiply", INTEGER, "b > most / a", "b > most / a + 1"),
    Mutation("scaled", "detail/plan/loop_nest.hpp", "static_cast<std::uint64_t>(stride) *", "static_cast<std::uint64_t>(stride) +"),
    Mutation("refusals", "status.hpp", "text, numbers, coordinate, other);\n  return false;", "text, numbers, coordinate, other);\n  return true;"),
    Mutation("make_layout", LAYOUT, "saturating_add(saturating_add(below, above), 1)", "saturating_add(below, above)"),
    Mutation("make_layout", LAYOUT, "if (count > limit || saturating", "if (saturating"),
    Mutation("make_layout", LAYOUT, "if (extent < 0) {", "if (extent < -1) {"),
    Mutation("make_layout_of_any_rank", LAYOUT, "side = saturating_add(side, ", "side = (side + "),
    Mutation("row_major", LAYOUT, "(factors >> 31) != 0", "(factors >> 33) != 0"),
    Mutation("offset", LAYOUT, "coordinate[k] >= extents_[k]", "coordinate[k] > extents_[k]"),
    Mutation("offset_of_any_rank", LAYOUT, "result += coordinate[k] * strides_[k];", "result -= coordinate[k] * strides_[k];"),
    Mutation("offset_of_number", PLAN, "number % layout.extent(k) * layout.stride(k)", "number * layout.stride(k)"),
    Mutation("offset_of_number_of_any_rank", PLAN, "number /= layout.extent(k);", "number /= layout.extent(k) + 1;"),
    # Boxes and parts.
    Mutation("contains", "detail/box.hpp", "static_cast<std::uint64_t>(begin) <\n", "static_cast<std::uint64_t>(begin) <=\n"),
    Mutation("cut", PARTITION, "most = extents_[k] / grain_[k]", "most = extents_[k]"),
    Mutation("cut_position", PARTITION, "if (i == cuts_[k]) return extent;", ""),
    Mutation("cut_position", PARTITION, "return position - position % grain_[k];", "return position + position % grain_[k];"),
    Mutation("boxes", PARTITION, "      part /= cuts_[k];\n", ""),
    Mutation("boxes", PARTITION, "cut_position(k, i + 1) - begin", "cut_position(k, i) - begin"),
    Mutation("partition", PARTITION, "threads < 2 || most < 2", "threads < 2"),
    Mutation("scratch_memory", SCRATCH, "size_ / n / alignment * alignment", "(size_ / n + alignment - 1) / alignment * alignment"),
    # From multi-indices and numbers to offsets.
    Mutation("check_contiguous", LOOPS, "extent - 1 < largest ? extent - 1 : largest", "extent < largest ? extent : largest"),
    Mutation("check_contiguous", LOOPS, "bad | index | static_cast", "bad | static_cast"),
    Mutation("check_contiguous", LOOPS, "index < 0 ? ~index : index", "index"),
    Mutation("add_terms", LOOPS, "index += static_cast<std::int32_t>(index) < 0 ? wrapped : 0;", ""),
    Mutation("add_terms", LOOPS, "static_cast<std::int32_t>(index * step)", "index * step"),
    Mutation("add_terms", LOOPS, "load<Index>(indices + i * stride)", "load<Index>(indices + stride)"),
    Mutation("add_terms", LOOPS, "limit = (std::numeric_limits<std::int32_t>", "limit = (std::numeric_limits<std::uint32_t>"),
    Mutation("add_terms", LOOPS, "return extent <= limit && ", "return "),
    Mutation("add_terms", LOOPS, " &&\n           magnitude(scaled(stride, extent)) <= static_cast<std::uint64_t>(limit);", ";"),
    Mutation("multi_index_offset", READER, "extent}) & bad_index) != 0", "extent}) & negative_index) != 0"),
    Mutation("multi_index_offset", READER, "offset_[i] += scaled(values[i], axis.stride)", "offset_[i] = scaled(values[i], axis.stride)"),
    Mutation("multi_index_offset", READER, "axis.wraps && !from.loops->is_unsigned ? axis.extent : 0", "0"),
    Mutation("multi_index_offset", READER, "offset_term::fits(axis.extent, axis.stride) &&\n", "offset_term::fits(axis.extent, step) &&\n"),
    Mutation("multi_index_offset", READER, "if (!keeps_some_) return true;", "return true;"),
    Mutation("multi_index_offset", READER, "value_, is_term, of.count", "value_, false, of.count"),
    Mutation("multi_index_offset", READER, "std::memset(is_kept_, 1,", "std::memset(is_kept_, 0,"),
    Mutation("number_offset", READER, "by_numbers ? call_->output.layout->size() : axis.extent", "axis.extent"),
    Mutation("number_offset", READER, "if (axis.wraps && !is_unsigned) wrap_targets", "if (axis.wraps && is_unsigned) wrap_targets"),
    Mutation("number_offset", READER, "{0, axis.stride}, offset_);", "{0, axis_[0].stride}, offset_);"),
    Mutation("number_offset", READER, "fits(axis.extent, axis.stride) && !plan_", "fits(axis_[k].extent, axis.stride) && !plan_"),
    Mutation("number_offset", READER, "if (axis_[k - 1].stride != scaled(axis.stride, axis.extent)) break;", ""),
    Mutation("number_offset", READER, "axis.is_whole() && axis_[k - 1].is_whole()", "axis.is_whole()"),
    Mutation("number_offset", READER, "if (k > 0 && axis.extent == 1) continue;", "if (k > 0 && axis.extent <= 2) continue;"),
    Mutation("number_offset", READER, "size <= tuning::limits()", "axis.extent <= tuning::limits()"),
    Mutation("divide", DIVISION, "~std::uint64_t{0} / divisor + 1;", "~std::uint64_t{0} / divisor;"),
    Mutation("divide", DIVISION, "number * high + (number * low >> 32)", "number * high"),
    Mutation("divide", DIVISION, "(number / divisor)", "(number / divisor + 1)"),
    # Parts of tensors that are views.
    Mutation("diagonal", PART, "rows - row < columns - column", "rows - row > columns - column"),
    Mutation("selected_part", PART, "spec.number.bits, extent, index_rule::wrapping)", "spec.number.bits, extent, index_rule::strict)"),
    Mutation("diagonal_part", PART, "on.length < 2 ? 0 : steps", "on.length == 1 ? 0 : steps"),
    # Distributions of an axis.
    Mutation("divisor", DISTRIBUTION, "(std::uint64_t{1} << shift_) < by_", "(std::uint64_t{2} << shift_) < by_"),
    Mutation("block_places", DISTRIBUTION, "return {larger_ + rank, beyond", "return {rank, beyond"),
    Mutation("block_coordinates", DISTRIBUTION, "if (made.larger_ == 0) return made;", ""),
    Mutation("block_cyclic_places", DISTRIBUTION, "rank < rest ? 1 : 0", "rank <= rest ? 1 : 0"),
    Mutation("block_cyclic_coordinates", DISTRIBUTION, "(local - round * cycle_)", "local"),
    Mutation("valid_blocks", DISTRIBUTION, "offsets_[r] > offsets_[r + 1]", "offsets_[r + 1] - offsets_[r] < 0"),
    Mutation("blocks_coordinates", DISTRIBUTION, "return offsets_[rank] + local;", "return offsets_[rank + 1] - local;"),
    Mutation("blocks_places", DISTRIBUTION, "offsets_[middle] <= coordinate", "offsets_[middle] < coordinate"),
]  # fmt: skip


def mutate(mutation, folder):
    """Changes a header in a folder. Returns its text before."""
    path = folder / "strew" / mutation.header
    text = path.read_text()
    if text.count(mutation.before) != 1:
        raise SystemExit(f"{mutation.header} has {text.count(mutation.before)} times: {mutation.before}")
    path.write_text(text.replace(mutation.before, mutation.after))
    return text


def outcome(mutation, folder):
    """Whether the proof finds values that contradict it, and the line that says so."""
    command = [sys.executable, str(PROOFS), "quick", mutation.theorem, "--include", str(folder)]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    problems = [line.strip() for line in output.splitlines() if line.lstrip().startswith("NOT ")]
    line = problems[0] if problems else "proven"
    return "counterexample" in line or "not so" in line, line


def run(names, include):
    """Runs the mutations of some theorems. Returns 1 if one of them is not found, or a theorem has none."""
    # Of `bitwise`, the claim is about Z3's own operations.
    untested = set(names) - {mutation.theorem for mutation in MUTATIONS} - {"bitwise"}
    for name in sorted(untested):
        print(f"no mutation contradicts {name}")
    chosen = [mutation for mutation in MUTATIONS if mutation.theorem in names]
    found = 0
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary).resolve() / "include"
        shutil.copytree(include, folder)
        for mutation in chosen:
            text = mutate(mutation, folder)
            is_found, line = outcome(mutation, folder)
            (folder / "strew" / mutation.header).write_text(text)
            found += is_found
            before = " ".join(mutation.before.split())
            print(f"{'found ' if is_found else 'MISSED'} {mutation.theorem}: {mutation.header}: {before}\n         {line}", flush=True)
    print(f"{found} of {len(chosen)} mutations contradict their theorem, {time.monotonic() - started:.0f} s")
    return 1 if found < len(chosen) or untested else 0
