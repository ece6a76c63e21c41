// SPDX-License-Identifier: Apache-2.0
// The order of things: nothing is created or changed before all that can be known beforehand is known.
#include "run.hpp"

#include "file_error.hpp"
#include "npy_file.hpp"
#include "output_file.hpp"
#include "progress_bar.hpp"
#include "scatter.hpp"
#include "shown_name.hpp"
#include "signals.hpp"

#include <strew/reduction_kind.hpp>
#include <strew/status.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace strew_npy {
namespace {

// Less is done before threads are up.
constexpr std::size_t worth_threads = std::size_t{4} << 20;  // bytes

// The bytes of the indices in this machine's order, where their file has the other one. Such files are few and seldom
// big, so they are read into memory.
std::vector<std::byte> swapped_indices(const npy_file& file) try {
  const std::span<const std::byte> from = file.element_bytes();
  std::vector<std::byte> bytes(from.begin(), from.end());
  const auto width = static_cast<std::ptrdiff_t>(file.element().width);
  for (auto at = bytes.begin(); at != bytes.end(); at += width) std::reverse(at, at + width);
  return bytes;
} catch (const std::bad_alloc&) {
  throw file_error(file.name(), "not enough memory to swap its indices");
}

// The operators convert nothing, so the updates' bits must mean what data's do, their byte order included.
void check_types(const npy_file& data, const npy_file* indices, const npy_file& updates) {
  if (updates.element() != data.element()) {
    throw file_error(updates.name(), "is " + to_string(updates.element()) + ", but " + shown(data.name()) + " is " +
                                         to_string(data.element()) + " (elements are not converted)");
  }
  if (indices == nullptr) return;
  const element_kind kind = indices->element().kind;
  if (kind != element_kind::signed_integer && kind != element_kind::unsigned_integer) {
    throw file_error(indices->name(), "is " + to_string(indices->element()) + "; indices are integers");
  }
}

// Two mappings of one file have different addresses: the operators could not see that they overlap.
void check_apart(const npy_file& data, const npy_file* input) {
  if (input != nullptr && data.file().is_same_file(input->file())) {
    throw file_error(input->name(), "is the same file as data, which --in-place changes while it is read");
  }
}

void check_output_name(const std::string& name) {
  if (name.ends_with(".npz") || array_name(name).is_member()) {
    throw file_error(name, "would be an archive: strew-npy writes .npy files only");
  }
}

// Blames the file of the operand that the operator's message is about.
void throw_if_error(const strew::status& outcome, const operands& on) {
  if (outcome.ok()) return;
  const std::string_view operand = outcome.operand();
  const npy_file& blamed = operand == "updates"                            ? on.updates
                           : operand == "indices" && on.indices != nullptr ? *on.indices
                                                                           : on.data;
  throw file_error(blamed.name(), outcome.message().c_str());
}

// Everything that the operator checks, by the operator itself: it works in place on data, which cannot be written here,
// and since it writes nothing before all is checked, an attempt to write says that all is well. (Its work out of place
// has no more to check: the output has data's layout and memory of its own.)
void check_operands(const command& what, const operands& on) {
  progress_bar no_bar(false);
  counting_pool caller(1, no_bar);  // the attempt to write must come on this thread
  const std::span<std::byte> data = on.data.element_bytes();
  strew::status outcome;
  const bool returned = returns_before_writing(data, [&] { outcome = scatter(what, on, data, data, caller); });
  if (returned) throw_if_error(outcome, on);
}

counting_pool make_pool(const command& what, std::size_t bytes, progress_bar& bar) {
  return {what.threads.value_or(bytes < worth_threads ? 1 : 0), bar};
}

void scatter_in_place(const command& what, const operands& on) {
  const std::span<std::byte> data = on.data.element_bytes();
  const std::size_t bytes = on.updates.element_bytes().size();
  progress_bar bar(!what.no_progress && !what.quiet);
  on.data.file().fill_holes();
  counting_pool pool = make_pool(what, bytes, bar);
  bar.begin(bytes);
  pool.expect(bytes);
  throw_if_error(scatter(what, on, data, data, pool), on);
}

// With a bar, data is copied first: in blocks, which can be counted. Else it is copied by the operator, in one pass
// with the updates. The output is the same.
void scatter_to_output(const command& what, const operands& on) {
  const std::span<const std::byte> header = on.data.header_bytes();
  const std::span<const std::byte> data = on.data.element_bytes();
  const std::size_t updated = on.updates.element_bytes().size();
  progress_bar bar(!what.no_progress && !what.quiet);
  if (bar.may_appear()) check_operands(what, on);
  output_file output(what.output, on.data.bytes().size());
  std::copy(header.begin(), header.end(), output.bytes().begin());
  const std::span<std::byte> elements = output.bytes().subspan(header.size());
  counting_pool pool = make_pool(what, data.size() + updated, bar);
  if (bar.may_appear()) {
    bar.begin(data.size() + updated);
    pool.copy(data, elements);
    pool.expect(updated);
    throw_if_error(scatter(what, on, elements, elements, pool), on);
  } else {
    throw_if_error(scatter(what, on, data, elements, pool), on);
  }
  output.commit();
}

std::string type_and_shape(const npy_file& file) {
  return to_string(file.element()) + ' ' + to_string(file.layout().extents());
}

std::string describe(const char* operand, const npy_file& file) {
  return std::string(operand) + shown(file.name()) + ": " + type_and_shape(file) + ", " +
         std::to_string(file.element_bytes().size()) + " bytes\n";
}

std::string describe_operator(const command& what) {
  std::string text = "operator: " + what.operator_name;
  if (what.op == operation::slice_scatter) {
    text += ", start " + to_string(what.slice.start) + ", stop " + to_string(what.slice.stop) + ", step " +
            to_string(what.slice.step);
    if (!what.slice.axes.is_leading()) text += ", axes " + to_string(what.slice.axes);
  } else if (what.op != operation::scatter_nd && what.op != operation::put) {
    text += ", axis " + std::to_string(what.axis[0]);
  }
  if (what.reduction != strew::reduction_kind::none) {
    text += std::string(", reduction ") + strew::reduction::name_of(what.reduction);
    if (what.without_init) text += " without init";
  }
  return text + '\n';
}

std::string describe_result(const command& what, const operands& on) {
  if (what.in_place) {
    return "result:   " + shown(on.data.name()) + " would be changed in place by " +
           std::to_string(on.updates.element_bytes().size()) + " bytes of updates";
  }
  const output_target target = output_target::inspect(what.output);
  return "result:   " + shown(what.output) + ", " + std::to_string(on.data.bytes().size()) + " bytes, would be " +
         (target.exists ? "written in the place of a file of " + std::to_string(target.size) + " bytes"
                        : std::string("a new file"));
}

// All that a run checks, and nothing of what it writes. Returns the report of --dry-run.
std::string rehearse(const command& what, const operands& on) {
  if (!what.output.empty()) static_cast<void>(output_target::inspect(what.output));
  check_operands(what, on);
  if (what.check) return {};
  return describe_operator(what) + describe("data:     ", on.data) +
         (on.indices != nullptr ? describe("indices:  ", *on.indices) : "") + describe("updates:  ", on.updates) +
         describe_result(what, on);
}

}  // namespace

std::string run(const command& what) {
  const bool rehearses = what.check || what.dry_run;
  check_output_name(what.output);
  const access mode = !what.in_place ? access::read : rehearses ? access::rehearse : access::read_write;
  const npy_file data(what.data, mode, what.inflate_limit);
  std::optional<npy_file> indices;
  if (what.op != operation::slice_scatter) indices.emplace(what.indices, access::read, what.inflate_limit);
  const npy_file updates(what.updates, access::read, what.inflate_limit);
  operands on{data, indices ? &*indices : nullptr, updates, {}};
  check_types(data, on.indices, updates);
  if (what.in_place) {
    check_apart(data, on.indices);
    check_apart(data, &updates);
  }
  std::vector<std::byte> swapped;
  if (on.indices != nullptr) {
    if (indices->element().order != std::endian::native) swapped = swapped_indices(*indices);
    on.index_elements = indices->element().order == std::endian::native ? indices->element_bytes() : swapped;
  }

  if (rehearses) return rehearse(what, on);
  if (what.in_place) {
    scatter_in_place(what, on);
  } else {
    scatter_to_output(what, on);
  }
  return shown(what.in_place ? what.data : what.output) + ": " + type_and_shape(data) + ", " +
         std::to_string(updates.layout().size()) + " elements from " + shown(what.updates);
}

}  // namespace strew_npy
