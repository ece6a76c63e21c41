// SPDX-License-Identifier: Apache-2.0
// The rules of an operator as data: the differences between the specifications of the scatters.
#ifndef STREW_DETAIL_RULES_OPERATION_HPP
#define STREW_DETAIL_RULES_OPERATION_HPP

#include <strew/config.hpp>
#include <strew/view/index.hpp>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

// How a call addresses the targets of updates.
enum class addressing : unsigned char {
  slices,         // start, stop and step on some axes
  rows,           // an index is a coordinate on one axis and selects a row there
  elements,       // an index is a coordinate on one axis and selects an element in its own lane
  multi_indices,  // the last axis of the indices holds a coordinate for each of the first axes
  tensors,        // a tensor of coordinates for each of the first axes
  numbers,        // an index is the row-major number of an element
  mask,           // a boolean for each element selects it or not
};

// The texts of errors that depend on the addressing. out_of_bounds: {0} is the index, {1} and {2} the legal range, {3}
// its axis, {4} the extent; no_element: the same on an axis of extent 0; rank_of_updates: {0} is the rank, {1} the
// expected one, {2} and {3} the numbers of axes of the indices and of data in it.
struct scatter_texts {
  const char* out_of_bounds;
  const char* no_element;
  const char* rank_of_updates;
};
inline constexpr scatter_texts texts_of_axis{"{a} = {0} is outside [{1}, {2}] (axis {3} has extent {4})",
                                             "{a} = {0} names no element (axis {3} has extent 0)",
                                             " has rank {0}, expected {1} (rank of data + rank of indices - 1)"};
inline constexpr scatter_texts texts_of_multi_indices{
    "{a} = {0} is outside [{1}, {2}] (axis {3} of data has extent {4})",
    "{a} = {0} names no element (axis {3} of data has extent 0)",
    " has rank {0}, expected {1} ({2} axes of {o} and {3} of data)"};
inline constexpr scatter_texts texts_of_tensors{
    "{a} for axis {3} = {0} is outside [{1}, {2}] (axis {3} of data has extent {4})",
    "{a} for axis {3} = {0} names no element (axis {3} of data has extent 0)",
    " has rank {0}, expected {1} ({2} axes of {o} and {3} of data)"};
inline constexpr scatter_texts texts_of_numbers{"{a} = {0} is outside [{1}, {2}] (data has {4} elements)",
                                                "{a} = {0} names no element (data has none)", ""};
constexpr const scatter_texts& texts_of(addressing by) noexcept {
  switch (by) {
    case addressing::multi_indices:
      return texts_of_multi_indices;
    case addressing::tensors:
      return texts_of_tensors;
    case addressing::numbers:
      return texts_of_numbers;
    default:
      return texts_of_axis;
  }
}

struct operation_rules {
  const char* name;  // in messages
  addressing by;
  index_rule rule = index_rule::strict;
  bool axis_may_exceed_data = false;      // elements: whether indices may be longer than data along the axis
  bool takes_any_single_element = false;  // multi-indices: whether updates of one multi-index for one element may have
                                          // any rank; masks: whether updates are one value for all targets
  const scatter_texts& texts = texts_of(by);

  // Whether an index selects a row of the output, of one element or more, rather than an element of its own lane.
  [[nodiscard]] constexpr bool names_rows() const noexcept { return by != addressing::elements; }
};

inline constexpr operation_rules slice_scatter_rules{"slice_scatter", addressing::slices};
inline constexpr operation_rules scatter_update_rules{"scatter_update", addressing::rows};
inline constexpr operation_rules scatter_elements_update_rules{"scatter_elements_update", addressing::elements};
inline constexpr operation_rules onnx_scatter_rules{"onnx::scatter", addressing::elements, index_rule::wrapping, true};

}  // namespace strew::detail

#endif  // STREW_DETAIL_RULES_OPERATION_HPP
