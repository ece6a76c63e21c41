// SPDX-License-Identifier: Apache-2.0
// Runs a command: everything is checked before anything is created or changed.
#include "run.hpp"

#include "elements.hpp"
#include "file_error.hpp"
#include "npy_file.hpp"
#include "output_file.hpp"
#include "progress_bar.hpp"
#include "scatter.hpp"
#include "shown_name.hpp"
#include "signals.hpp"

#include <strew/operators/reduction_kind.hpp>
#include <strew/status.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace strew_npy {
namespace {

// With less work, starting threads takes longer than the work.
constexpr std::size_t worth_threads = std::size_t{4} << 20;  // bytes

// The bytes of indices in this machine's order, for a file with the other one. Such files are rare and small, so they
// are read into memory.
std::vector<std::byte> swapped_indices(const npy_file& file) try {
  const std::span<const std::byte> from = file.element_bytes();
  std::vector<std::byte> bytes(from.begin(), from.end());
  const auto width = static_cast<std::ptrdiff_t>(file.element().width);
  for (auto at = bytes.begin(); at != bytes.end(); at += width) std::reverse(at, at + width);
  return bytes;
} catch (const std::bad_alloc&) {
  throw file_error(file.name(), "not enough memory to swap its indices");
}

// The operators convert nothing, so updates must have data's element type and byte order.
void check_types(const npy_file& data, const npy_file& updates) {
  if (updates.element() == data.element()) return;
  throw file_error(updates.name(), "is " + to_string(updates.element()) + ", but " + shown(data.name()) + " is " +
                                       to_string(data.element()) + " (elements are not converted)");
}

void check_is_integer(const npy_file& indices) {
  const element_kind kind = indices.element().kind;
  if (kind != element_kind::signed_integer && kind != element_kind::unsigned_integer) {
    throw file_error(indices.name(), "is " + to_string(indices.element()) + "; indices are integers");
  }
}

void check_is_boolean(const npy_file& mask) {
  if (mask.element().kind != element_kind::boolean) {
    throw file_error(mask.name(), "is " + to_string(mask.element()) + "; a mask is of bool");
  }
}

// Parses an element of data's type from the command line.
std::vector<std::byte> element_of_option(const char* option, const std::string& text, const npy_file& data) {
  std::optional<std::vector<std::byte>> bytes = parse_element(text, data.element());
  if (!bytes) {
    throw file_error(data.name(),
                     "is " + to_string(data.element()) + ", which has no element " + shown(text) + " (" + option + ")");
  }
  return std::move(*bytes);
}

// Two mappings of one file have different addresses, so the operators cannot find this overlap.
void check_apart(const npy_file& data, const npy_file& input) {
  if (data.file().is_same_file(input.file())) {
    throw file_error(input.name(), "is the same file as data, which --in-place changes while it is read");
  }
}

void check_output_name(const std::string& name) {
  if (name.ends_with(".npz") || array_name(name).is_member()) {
    throw file_error(name, "would be an archive: strew-npy writes .npy files only");
  }
}

// The file of the operand in an operator's error; for axes and other options that of data.
const npy_file& blamed(const strew::status& outcome, const operands& on) {
  const std::string_view operand = outcome.operand();
  const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), operand) != names.end();
  };
  if (on.updates != nullptr && is_one_of({"updates", "update", "source", "value"})) return *on.updates;
  if (!on.indices.empty() && is_one_of({"indices", "write_indices"})) return blamed_indices(on, outcome);
  if (on.mask != nullptr && operand == "mask") return *on.mask;
  return on.data;
}

void throw_if_error(const strew::status& outcome, const operands& on) {
  if (!outcome.ok()) throw file_error(blamed(outcome, on).name(), outcome.message().c_str());
}

// Runs the checks of the operator by calling it in place on data that is mapped read-only. It writes nothing before all
// is checked, so an attempt to write means that there is no error. (Out of place there is nothing more to check: the
// output has data's layout and its own memory.)
void check_operands(const command& what, const operands& on) {
  progress_bar no_bar(false);
  counting_pool caller(1, no_bar);  // the attempt to write must be on this thread
  const std::span<std::byte> data = on.data.element_bytes();
  strew::status outcome;
  const bool returned = returns_before_writing(data, [&] { outcome = scatter(what, on, data, data, caller); });
  if (returned) throw_if_error(outcome, on);
}

counting_pool make_pool(const command& what, std::size_t bytes, progress_bar& bar) {
  return {what.threads.value_or(bytes < worth_threads ? 1 : 0), bar};
}

bool fills(const command& what) {
  return what.op->writes == written::value;
}

// The bytes of all updates; a single value counts once for each target.
std::size_t bytes_of_updates(const operands& on) {
  return static_cast<std::size_t>(on.update_layout.size()) * on.data.element().width;
}

// The bytes of the work in addition to the copy of data. Masks and fills may write any element.
std::size_t bytes_of_work(const command& what, const operands& on) {
  return on.mask != nullptr || fills(what) ? on.data.element_bytes().size() : bytes_of_updates(on);
}

void scatter_in_place(const command& what, const operands& on) {
  const std::span<std::byte> data = on.data.element_bytes();
  const std::size_t bytes = bytes_of_work(what, on);
  progress_bar bar(!what.no_progress && !what.quiet);
  on.data.file().fill_holes();
  counting_pool pool = make_pool(what, bytes, bar);
  bar.begin(bytes);
  pool.expect(bytes);
  throw_if_error(scatter(what, on, data, data, pool), on);
}

// With a bar, data is copied first, in blocks that can be counted. Otherwise the operator copies it, in one pass with
// the updates. The output is the same.
void scatter_to_output(const command& what, const operands& on) {
  const std::span<const std::byte> header = on.data.header_bytes();
  const std::span<const std::byte> data = on.data.element_bytes();
  const std::size_t updated = bytes_of_work(what, on);
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
  using strew_npy::to_string;
  const operator_entry& op = *what.op;
  const auto number = [](const char* name, std::int64_t value) { return name + std::to_string(value); };
  std::string text = std::string("operator: ") + op.name;
  const auto list = [](const char* name, const strew::optional_list& values) {
    return values.is_left_out() ? std::string() : name + to_string(values);
  };
  text += list(", start ", what.slice.start) + list(", stop ", what.slice.stop) + list(", step ", what.slice.step) +
          list(", axes ", what.slice.axes);
  if (op.has_axis) text += number(", axis ", what.axis);
  if (op.which == operation::select_scatter) text += number(", index ", what.index);
  if (op.which == operation::diagonal_scatter) {
    text += number(", offset ", what.offset) + number(", axes ", what.axis1) + number(" and ", what.axis2);
  }
  if (op.which == operation::onnx_tensor_scatter && what.mode == strew::onnx::cache_mode::circular)
    text += ", circular";
  if (what.alpha) text += ", alpha " + shown(*what.alpha);
  if (op.reductions != nullptr && what.reduction != strew::reduction_kind::none) {
    text += std::string(", reduction ") + strew::reduction::name_of(what.reduction);
    if (what.without_init) text += " without init";
  }
  if (what.bad_indices != strew::index_policy::error) text += std::string(", bad indices ") + name_of(what.bad_indices);
  return text + '\n';
}

// The number of elements that the mask selects: bytes other than 0.
std::size_t count_selected(const npy_file& mask) {
  const std::span<const std::byte> bytes = mask.element_bytes();
  return bytes.size() - static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), std::byte{0}));
}

// The number of updates that the operator uses.
std::size_t count_updates(const operands& on) {
  return on.mask != nullptr ? count_selected(*on.mask) : static_cast<std::size_t>(on.update_layout.size());
}

std::string describe_result(const command& what, const operands& on) {
  if (what.in_place) {
    const std::size_t bytes = count_updates(on) * on.data.element().width;
    return "result:   " + shown(on.data.name()) + " would be changed in place" +
           (fills(what) ? "" : " by " + std::to_string(bytes) + " bytes of updates");
  }
  const output_target target = output_target::inspect(what.output);
  return "result:   " + shown(what.output) + ", " + std::to_string(on.data.bytes().size()) + " bytes, would be " +
         (target.exists ? "written in the place of a file of " + std::to_string(target.size) + " bytes"
                        : std::string("a new file"));
}

// Checks everything that a run checks and writes nothing. Returns the report of --dry-run.
std::string rehearse(const command& what, const operands& on) {
  if (!what.output.empty()) static_cast<void>(output_target::inspect(what.output));
  check_operands(what, on);
  if (what.check) return {};
  std::string text = describe_operator(what) + describe("data:     ", on.data);
  for (const index_operand& one : on.indices) text += describe("indices:  ", one.file);
  if (on.mask != nullptr) text += describe("mask:     ", *on.mask);
  if (what.value) {
    text += "value:    " + shown(*what.value);
    if (!fills(what)) text += ", of updates of shape " + to_string(on.update_layout.extents());
    text += '\n';
  }
  if (on.updates != nullptr) text += describe(fills(what) ? "value:    " : "updates:  ", *on.updates);
  return text + describe_result(what, on);
}

std::string report(const command& what, const operands& on) {
  const std::string done = shown(what.in_place ? what.data : what.output) + ": " + type_and_shape(on.data);
  const std::string from = what.value ? shown(*what.value) : shown(what.updates);
  if (fills(what)) return done + (what.value ? ", filled with " : ", filled from ") + from;
  return done + ", " + std::to_string(count_updates(on)) + " elements from " + (what.value ? "--value " : "") + from;
}

}  // namespace

std::string run(const command& what) {
  const bool rehearses = what.check || what.dry_run;
  check_output_name(what.output);
  const access mode = !what.in_place ? access::read : rehearses ? access::rehearse : access::read_write;
  std::deque<npy_file> inputs;  // a deque does not move its elements
  const auto open = [&](const std::string& name) -> const npy_file* {
    return name.empty() ? nullptr : &inputs.emplace_back(name, access::read, what.inflate_limit);
  };
  const npy_file data(what.data, mode, what.inflate_limit);
  std::vector<const npy_file*> indices;
  for (const std::string& name : what.indices) indices.push_back(open(name));
  operands on{data, {}, open(what.mask), open(what.updates), {}, {}};
  std::vector<std::byte> value;
  if (on.updates != nullptr) {
    check_types(data, *on.updates);
    on.update_elements = on.updates->element_bytes();
    on.update_layout = on.updates->layout();
  } else {
    value = element_of_option("--value", *what.value, data);
    on.update_elements = value;
    static_cast<void>(strew::strided_layout::try_make({}, data.element().width, on.update_layout));  // as a scalar
  }
  for (const npy_file* const file : indices) check_is_integer(*file);
  if (on.mask != nullptr) check_is_boolean(*on.mask);
  if (what.in_place) {
    for (const npy_file& input : inputs) check_apart(data, input);
  }
  std::deque<std::vector<std::byte>> swapped;
  for (const npy_file* const file : indices) {
    const bool is_native = file->element().order == std::endian::native;
    on.indices.push_back({*file, is_native ? file->element_bytes() : swapped.emplace_back(swapped_indices(*file))});
  }
  std::vector<std::byte> scaled;
  if (what.alpha) {
    const std::vector<std::byte> alpha = element_of_option("--alpha", *what.alpha, data);
    if (!rehearses) {
      progress_bar no_bar(false);
      counting_pool pool = make_pool(what, on.update_elements.size(), no_bar);
      scaled = scaled_updates(what, on, alpha, pool);
      on.update_elements = scaled;
    }
  }

  if (what.value) on.update_layout = layout_of_value(what, on);
  if (rehearses) return rehearse(what, on);
  if (what.in_place) {
    scatter_in_place(what, on);
  } else {
    scatter_to_output(what, on);
  }
  return report(what, on);
}

}  // namespace strew_npy
