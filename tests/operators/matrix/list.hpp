// SPDX-License-Identifier: Apache-2.0
// The list of operators and the forms of their calls. Tests walk it, one for each form, and the table of the site is
// printed from it; so it needs nothing of the library. In calls.hpp each row has the calls themselves.
//
// A cell is a tick, or one word that says why the operator does not have the form.
#ifndef STREW_TESTS_OPERATORS_MATRIX_LIST_HPP
#define STREW_TESTS_OPERATORS_MATRIX_LIST_HPP

#include <cstddef>
#include <iterator>
#include <string_view>

namespace strew::test::matrix {

// How the places of updates are named.
enum class places { slice, coordinate, diagonal, rows, elements, tuples, tensors, numbers, mask, starts };

// How an operator combines: not at all, always by a sum, or by a reduction that the call names.
enum class combining { none, sums, named };

struct operator_row {
  const char* name;  // in namespace strew
  const char* document;
  places by;
  combining how = combining::none;
  bool takes_value = false;   // one element in the place of updates
  const char* npy = nullptr;  // its name in strew-npy, where that is another
};

inline constexpr operator_row operators[] = {
    {.name = "slice_scatter", .document = "SliceScatter-15, OpenVINO", .by = places::slice},
    {.name = "select_scatter", .document = "torch.select_scatter", .by = places::coordinate},
    {.name = "diagonal_scatter", .document = "torch.diagonal_scatter", .by = places::diagonal},
    {.name = "scatter_update", .document = "ScatterUpdate-3, OpenVINO", .by = places::rows},
    {.name = "index_copy", .document = "torch.Tensor.index_copy_", .by = places::rows},
    {.name = "index_add", .document = "torch.Tensor.index_add_", .by = places::rows, .how = combining::sums},
    {.name = "index_reduce", .document = "torch.Tensor.index_reduce_", .by = places::rows, .how = combining::named},
    {.name = "index_fill", .document = "torch.Tensor.index_fill_", .by = places::rows, .takes_value = true},
    {.name = "scatter_elements_update", .document = "ScatterElementsUpdate-3, OpenVINO", .by = places::elements},
    {.name = "v12::scatter_elements_update",
     .document = "ScatterElementsUpdate-12, OpenVINO",
     .by = places::elements,
     .how = combining::named,
     .npy = "scatter_elements"},
    {.name = "onnx::scatter", .document = "Scatter-11, ONNX", .by = places::elements, .npy = "onnx_scatter"},
    {.name = "onnx::scatter_elements",
     .document = "ScatterElements-18, ONNX",
     .by = places::elements,
     .how = combining::named,
     .npy = "onnx_scatter_elements"},
    {.name = "scatter", .document = "torch.Tensor.scatter_", .by = places::elements},
    {.name = "scatter_add", .document = "torch.Tensor.scatter_add_", .by = places::elements, .how = combining::sums},
    {.name = "scatter_reduce",
     .document = "torch.Tensor.scatter_reduce_",
     .by = places::elements,
     .how = combining::named},
    {.name = "put_along_axis", .document = "numpy.put_along_axis", .by = places::elements},
    {.name = "v3::scatter_nd_update",
     .document = "ScatterNDUpdate-3, OpenVINO",
     .by = places::tuples,
     .npy = "scatter_nd_update"},
    {.name = "v14::scatter_nd_update",
     .document = "ScatterNDUpdate-14, OpenVINO",
     .by = places::tuples,
     .how = combining::named,
     .npy = "scatter_nd"},
    {.name = "v15::scatter_nd_update",
     .document = "ScatterNDUpdate-15, OpenVINO",
     .by = places::tuples,
     .how = combining::named,
     .npy = "scatter_nd"},
    {.name = "onnx::scatter_nd",
     .document = "ScatterND-18, ONNX",
     .by = places::tuples,
     .how = combining::named,
     .npy = "onnx_scatter_nd"},
    {.name = "index_put", .document = "torch.Tensor.index_put_", .by = places::tensors, .how = combining::named},
    {.name = "put", .document = "torch.Tensor.put_, numpy.put", .by = places::numbers, .how = combining::named},
    {.name = "masked_scatter", .document = "torch.Tensor.masked_scatter_", .by = places::mask},
    {.name = "masked_fill", .document = "torch.Tensor.masked_fill_", .by = places::mask, .takes_value = true},
    {.name = "onnx::tensor_scatter",
     .document = "TensorScatter-24, ONNX",
     .by = places::starts,
     .npy = "onnx_tensor_scatter"},
};

enum class form {
  throwing,
  attempted,
  in_place,
  executor,
  workspace,
  heap_workspace,
  prepared,
  bound,
  drop,
  clip,
  wrap,
  assume_valid,
  plain_value,
  converted,
  positions,
  segments,
  without_nan,
  run_time_types,
  other_tensors,
  constant_evaluation,
  compiled,
  updates_extents,
  workspace_bytes,
  strew_npy,
};

struct form_column {
  form which;
  const char* name;
  const char* group;
  const char* page;  // of the site, where it is explained
};
inline constexpr form_column forms[] = {
    {form::throwing, "throws", "Calls", "errors.md"},
    {form::attempted, "try_", "Calls", "errors.md"},
    {form::in_place, "in place", "Calls", "quickstart.md"},
    {form::executor, "executor", "Calls", "executors.md"},
    {form::workspace, "workspace", "Calls", "workspaces.md"},
    {form::heap_workspace, "heap workspace", "Calls", "workspaces.md"},
    {form::prepared, "prepared", "Calls", "prepared.md"},
    {form::bound, "bound", "Calls", "prepared.md"},
    {form::drop, "drop", "Policies", "operators/policies.md"},
    {form::clip, "clip", "Policies", "operators/policies.md"},
    {form::wrap, "wrap", "Policies", "operators/policies.md"},
    {form::assume_valid, "assume_valid", "Policies", "operators/policies.md"},
    {form::plain_value, "value", "Calls", "quickstart.md"},
    {form::converted, "converted", "Extensions", "extensions.md"},
    {form::positions, "with_positions", "Extensions", "extensions.md"},
    {form::segments, "segments", "Extensions", "extensions.md"},
    {form::without_nan, "without_nan", "Extensions", "extensions.md"},
    {form::run_time_types, "run-time types", "Types and builds", "dynamic.md"},
    {form::other_tensors, "other tensors", "Types and builds", "interop.md"},
    {form::constant_evaluation, "constexpr", "Types and builds", "reliability.md"},
    {form::compiled, "compiled", "Types and builds", "compiled.md"},
    {form::updates_extents, "updates_extents", "Beside calls", "workspaces.md"},
    {form::workspace_bytes, "workspace_bytes", "Beside calls", "workspaces.md"},
    {form::strew_npy, "strew-npy", "Beside calls", "strew-npy.md"},
};

// The words of cells without a tick.
struct word {
  const char* text;
  const char* meaning;
};
inline constexpr word words[] = {
    {"unindexed", "the operator has neither indices nor a mask"},
    {"mask", "a mask is true or false: there are no bad indices in it"},
    {"refused", "does not compile: a position that a cache does not have is always an error"},
    {"value", "one element takes the place of updates, and it has rank 0"},
    {"free", "the extents of updates do not follow from those of other operands"},
    {"distinct", "no element has two updates"},
    {"rows", "segments are in the place of indices that select rows"},
    {"assigns", "the operator has no reduction"},
    {"sums", "the operator always sums: it has no reduction"},
};

// Empty for a tick.
constexpr std::string_view cell(const operator_row& of, form which) {
  const bool is_unindexed = of.by == places::slice || of.by == places::coordinate || of.by == places::diagonal;
  switch (which) {
    case form::bound:
      return is_unindexed ? "unindexed" : "";
    case form::drop:
    case form::clip:
    case form::wrap:
    case form::assume_valid:
      return is_unindexed ? "unindexed" : of.by == places::mask ? "mask" : of.by == places::starts ? "refused" : "";
    case form::plain_value:
      return !of.takes_value && (of.by == places::mask || of.by == places::starts) ? "free" : "";
    case form::converted:
      return of.takes_value ? "value" : "";
    case form::positions:
      if (is_unindexed) return "unindexed";
      if (of.takes_value) return "value";
      if (of.by == places::mask || of.by == places::starts) return "distinct";
      return of.how == combining::sums ? "sums" : "";
    case form::segments:
      if (is_unindexed) return "unindexed";
      return of.takes_value ? "value" : of.by != places::rows ? "rows" : "";
    case form::without_nan:
      return of.how == combining::none ? "assigns" : of.how == combining::sums ? "sums" : "";
    case form::updates_extents:
      if (of.takes_value) return "value";
      return of.by == places::mask || of.by == places::starts ? "free" : "";
    default:
      return "";
  }
}

constexpr bool is_listed_word(std::string_view text) {
  for (const word& each : words) {
    if (text == each.text) return true;
  }
  return false;
}

constexpr bool is_sound() {
  std::size_t number = 0;
  for (const form_column& column : forms) {
    if (static_cast<std::size_t>(column.which) != number++) return false;
    for (const operator_row& row : operators) {
      if (!cell(row, column.which).empty() && !is_listed_word(cell(row, column.which))) return false;
    }
  }
  return number == static_cast<std::size_t>(form::strew_npy) + 1;
}
static_assert(is_sound(), "each form has a column, each cell a tick or one of the words");

}  // namespace strew::test::matrix

#endif  // STREW_TESTS_OPERATORS_MATRIX_LIST_HPP
