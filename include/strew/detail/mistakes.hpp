// SPDX-License-Identifier: Apache-2.0
// The static_assert texts for mistakes in calls. strew.hpp includes this header before all others, and calls check for
// mistakes first, so that the text is in the first lines of a compiler's output.
#ifndef STREW_DETAIL_MISTAKES_HPP
#define STREW_DETAIL_MISTAKES_HPP

#include <strew/config.hpp>

namespace strew::inline STREW_ABI::detail::inline STREW_CODE {

enum class mistake : unsigned char {
  none,
  // Operands.
  no_executor,
  braces,
  array_of_arrays,
  unassignable_elements,
  bits,
  no_data,
  no_indices,
  no_tuple,
  index_type,
  swapped,
  no_mask,
  no_policy,
  no_segments,
  policy_of_segments,
  value_of_segments,
  one_index,
  expression,
  no_updates,
  no_updates_or_value,
  no_value,
  fraction,
  no_output,
  const_data,
  const_output,
  element_types,
  no_conversion,
  no_combination,
  nothing_to_convert,
  // Reductions.
  string_as_reduction,
  reduction_behind_output,
  no_such_option,
  missing_reduction,
  not_offered,
  not_reducible,
  unnamed_reduction,
  factor,
  positions_of_reduction,
  positions_as_reduction,
  numbers_of_positions,
  positions_of_distributed,
  // The order of arguments, and what is missing.
  no_axis,
  missing_axis,
  output_or_axis,
  order_with_axis_last,
  order_with_axis_and_reduction,
  order_with_axis_first,
  order_of_assignment,
  order_of_multi_indices,
  order_of_put_along_axis,
  order_of_index_add,
  order_of_index_fill,
  order_of_index_put,
  order_of_put,
  order_of_select_scatter,
  order_of_diagonal_scatter,
  order_of_masked_scatter,
  order_of_masked_fill,
  missing_slice,
  missing_options,
  // Views and prepared calls.
  bare_extents,
  const_of_prepared,
  types_of_prepared,
  layouts_of_prepared,
  addresses_of_prepared,
  address_of_data,
  address_of_indices,
  address_of_mask,
  addresses_of_tensors,
  address_of_updates,
  address_of_output,
  missing_argument_of_prepared,
  nothing_to_bind,
  // Extents and bytes.
  no_updates_extents,
  no_reduction_of_bytes,
  not_reducible_bytes,
  no_integer,
  // Tensors of other libraries.
  temporary_elements,
  no_tensor,
  no_tensor_of_type,
  other_element_type,
  element_type_of_type,
};

constexpr mistake none_if(bool is_right, mistake otherwise) noexcept {
  return is_right ? mistake::none : otherwise;
}

// True if there is no mistake; otherwise the call does not compile.
template <mistake Is>
constexpr bool explain() noexcept {
  using enum mistake;
  static_assert(Is != no_executor,
                "strew: an executor must be callable as ex(n, body), and not be const unless it is so too; a number of "
                "threads and std::execution::par are none: strew::thread_pool is one, in <strew/threads.hpp>");
  static_assert(Is != braces,
                "strew: braces have no type: a tensor is a strew::tensor_view{pointer, {2, 3}}, or one that "
                "strew::as_view takes, an axis of this operator an integer, several tensors of indices a std::tuple");
  static_assert(Is != array_of_arrays,
                "strew: an array of arrays is no tensor: give as_view a pointer and extents, "
                "strew::tensor_view{&array[0][0], {rows, columns}}, where all of it is one object");
  static_assert(Is != unassignable_elements, "strew: the elements of this tensor cannot be assigned by copy");
  static_assert(
      Is != bits,
      "strew: std::vector<bool> holds bits, to which no view can point: take std::vector<char> or an array of "
      "bool");
  static_assert(Is != no_data,
                "strew: data must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that "
                "strew::as_view takes; for one whose type is known at run time include strew/runtimes.hpp or "
                "strew/dynamic.hpp. What stands before it must be an executor, callable as ex(n, body)");
  static_assert(Is != no_indices,
                "strew: indices must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that "
                "strew::as_view takes; for one whose type is known at run time include strew/runtimes.hpp or "
                "strew/dynamic.hpp");
  static_assert(Is != no_tuple,
                "strew: the indices of index_put are a std::tuple of strew::tensor_view of integers, or of tensors "
                "that strew::as_view takes, one for each axis from the first on; of tensors whose types are known at "
                "run time only a std::span");
  static_assert(Is != index_type,
                "strew: indices must be integers of 8 to 64 bits, signed or unsigned: not bool, char or floating "
                "point");
  static_assert(Is != swapped, "strew: indices and updates are swapped: indices stand before updates");
  static_assert(Is != no_mask,
                "strew: a mask is a strew::tensor_view of bool, char, signed char, unsigned char or std::byte, or a "
                "tensor of these that strew::as_view takes");
  static_assert(Is != one_index, "strew: indices are a tensor: one index is std::array{3}");
  static_assert(Is != expression, "strew: an expression has no memory: pass (expression).eval()");
  static_assert(Is != no_policy,
                "strew: drop, clip, wrap and assume_valid are for indices; a mask and the positions of a cache take "
                "no policy");
  static_assert(Is != no_segments,
                "strew: only index_add, index_copy, index_reduce and scatter_update take strew::segments in the place "
                "of indices");
  static_assert(Is != policy_of_segments,
                "strew: segments take no policy: drop, clip, wrap and assume_valid are for indices");
  static_assert(Is != value_of_segments,
                "strew: segments need a tensor of updates: one value in their place says not how many there are");
  static_assert(Is != no_updates,
                "strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that "
                "strew::as_view takes; for one whose type is known at run time include strew/runtimes.hpp or "
                "strew/dynamic.hpp");
  static_assert(Is != no_updates_or_value,
                "strew: updates must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that "
                "strew::as_view takes, or one value for all targets, which converts to the element type; for a tensor "
                "whose type is known at run time include strew/runtimes.hpp or strew/dynamic.hpp");
  static_assert(Is != no_value,
                "strew: the value must convert to the element type, or be a view of one element, of rank 0");
  static_assert(Is != fraction,
                "strew: a floating-point value does not go into elements that are integers: convert it yourself");
  static_assert(Is != no_output,
                "strew: output must be a strew::tensor_view: strew::tensor_view{pointer, {2, 3}}, or a tensor that "
                "strew::as_view takes; for one whose type is known at run time include strew/runtimes.hpp or "
                "strew/dynamic.hpp");
  static_assert(Is != const_data,
                "strew: without an output data is written, so its elements must not be const, nor be owned by a "
                "temporary; an output is the last argument");
  static_assert(Is != const_output,
                "strew: output is written, so its elements must not be const, nor be owned by a temporary");
  static_assert(
      Is != element_types,
      "strew: data, updates and output must have one element type: strew::converted(updates) converts updates as they "
      "are combined; data and one value in the place of updates are converted first");
  static_assert(Is != no_conversion,
                "strew: these updates become no elements of data: floating-point numbers are not converted to "
                "integers, nor complex numbers to real ones, nor what is no number");
  static_assert(Is != no_combination,
                "strew: one call takes one of strew::converted, strew::segments and strew::reduction::with_positions");
  static_assert(Is != nothing_to_convert,
                "strew: strew::converted takes a tensor of updates; one value in their place is converted without it");

  static_assert(Is != string_as_reduction,
                "strew: a reduction is an object, as strew::reduction::sum, or a callable f(current, update); a name "
                "that is known at run time only becomes one by strew::reduction::parse and strew::reduction::visit");
  static_assert(Is != reduction_behind_output,
                "strew: a reduction stands before the output, which is the last argument");
  static_assert(Is != no_such_option,
                "strew: this operator takes no reduction: what follows its operands is the output");
  static_assert(Is != missing_reduction, "strew: a reduction is missing: it stands after the source");
  static_assert(Is != not_offered,
                "strew: this operator's specification does not have this reduction; a callable f(current, update) "
                "may be passed in its place");
  static_assert(Is != not_reducible,
                "strew: this element type lacks the operation of this reduction (mean of bool, min of complex, sum "
                "without +), or "
                "what stands in the reduction's place is not callable as f(current, update)");
  static_assert(Is != unnamed_reduction,
                "strew: elements whose type is known at run time only take reductions by name, or "
                "strew::dynamic::reduction");
  static_assert(Is != positions_of_reduction,
                "strew: with_positions is for none, min and max: of no other reduction, callable or without_init does "
                "an element hold one of the updates");
  static_assert(Is != positions_as_reduction,
                "strew: this operator assigns: what may follow its operands is with_positions of none");
  static_assert(Is != numbers_of_positions,
                "strew: the numbers of with_positions are a writable strew::tensor_view of integers of 8 to 64 bits, "
                "or a tensor that strew::as_view takes; of tensors whose types are known at run time only a "
                "strew::dynamic::tensor");
  static_assert(Is != positions_of_distributed,
                "strew: the numbers of with_positions are a distributed tensor if data is one, and not otherwise");
  static_assert(Is != factor, "strew: the factor of index_add has the element type: integers take no fraction");

  static_assert(Is != no_axis,
                "strew: axis must be an integer or a list of one integer; the order is executor (if any), data, "
                "indices, updates, axis, output (if any)");
  static_assert(Is != missing_axis,
                "strew: no axis in its place; the order is executor (if any), data, indices, updates, axis, output (if "
                "any)");
  static_assert(Is != output_or_axis,
                "strew: is this the output or a list of axes? Say strew::as_view(output) or an integer for the axis");
  static_assert(Is != order_with_axis_last,
                "strew: the order is executor (if any), data, indices, updates, axis, output (if any)");
  static_assert(Is != order_with_axis_and_reduction,
                "strew: the order is executor (if any), data, indices, updates, axis (an integer), reduction (if any), "
                "output (if any)");
  static_assert(Is != order_with_axis_first,
                "strew: the order is executor (if any), data, axis (an integer), index, source, reduction (where the "
                "operator takes one), output (if any)");
  static_assert(Is != order_of_assignment,
                "strew: the order is executor (if any), data, axis (an integer), index, source, output (if any)");
  static_assert(Is != order_of_multi_indices,
                "strew: the order is executor (if any), data, indices, updates, reduction (if any), output (if any)");
  static_assert(Is != order_of_put_along_axis,
                "strew: the order is executor (if any), data, indices, values, axis (an integer), output (if any)");
  static_assert(Is != order_of_index_add,
                "strew: the order is executor (if any), data, axis (an integer), index, source, "
                "strew::scaled_by{alpha} (if any), output (if any)");
  static_assert(Is != order_of_index_fill,
                "strew: the order is executor (if any), data, axis (an integer), index, value (an element, or a view "
                "of one, of rank 0), output (if any)");
  static_assert(Is != order_of_index_put,
                "strew: the order is executor (if any), data, std::tuple of indices, values, reduction (if any), "
                "output (if any)");
  static_assert(Is != order_of_put,
                "strew: the order is executor (if any), data, index, source, reduction (if any), output (if any)");
  static_assert(Is != order_of_select_scatter,
                "strew: the order is executor (if any), data, source, axis, index (integers), output (if any)");
  static_assert(Is != order_of_diagonal_scatter,
                "strew: the order is executor (if any), data, source, offset, axis1, axis2 (integers), output (if "
                "any)");
  static_assert(Is != order_of_masked_scatter,
                "strew: the order is executor (if any), data, mask, source, output (if any)");
  static_assert(Is != order_of_masked_fill,
                "strew: the order is executor (if any), data, mask, value (an element, or a view of one, of rank 0), "
                "output (if any)");
  static_assert(Is != missing_slice,
                "strew: a slice is missing; the order is executor (if any), data, updates, {.start = .., .stop = .., "
                ".step = ..}, output (if any)");
  static_assert(Is != missing_options,
                "strew: options are missing, which may be {}; the order is executor (if any), past_cache, update, "
                "write_indices (if any), {.mode = .., .axis = ..}, output (if any)");

  static_assert(Is != bare_extents,
                "strew: extents stand in braces, strew::tensor_view{pointer, {3, 4}}, and so do strides, which follow "
                "them");
  static_assert(Is != const_of_prepared, "strew: a call is prepared for element and index types without const");
  static_assert(
      Is != types_of_prepared,
      "strew: a call is prepared for types: strew::prepare<float, std::int64_t>(..), those of the elements and "
      "of the indices or the mask, if the operator has any");
  static_assert(Is != layouts_of_prepared,
                "strew: the layouts of a prepared call are those of data, indices (or a mask, if the operator has "
                "any), updates (if it has any), output (or none: in place)");
  static_assert(Is != addresses_of_prepared,
                "strew: a prepared call is run on an executor (if any) and the addresses of data, indices (if the "
                "operator has any and they are not bound), updates (if any), output (or none: in place)");
  static_assert(
      Is != address_of_data,
      "strew: the address of data is a pointer to elements of the type for which the call was prepared, which "
      "follows an executor (if any)");
  static_assert(Is != address_of_indices,
                "strew: the address of indices is a pointer to integers of the type for which the call was prepared");
  static_assert(Is != address_of_mask,
                "strew: the address of a mask is a pointer to elements of the type for which the call was prepared");
  static_assert(
      Is != addresses_of_tensors,
      "strew: the addresses of several tensors of indices are a std::span of pointers to integers of the type "
      "for which the call was prepared");
  static_assert(Is != address_of_updates,
                "strew: the address of updates is a pointer to elements of the type for which the call was prepared");
  static_assert(Is != address_of_output,
                "strew: the address of output is a pointer to elements of the type for which the call was prepared");
  static_assert(Is != missing_argument_of_prepared,
                "strew: behind the layouts stands what a call has beside its tensors: axis, reduction, slice, options");
  static_assert(Is != nothing_to_bind, "strew: this operator has no indices or mask to bind");

  static_assert(Is != no_updates_extents,
                "strew: this operator has no updates whose extents follow from other operands: masked_scatter, "
                "masked_fill, index_fill and onnx::tensor_scatter have none");
  static_assert(Is != no_reduction_of_bytes,
                "strew: this operator takes no reduction, so its workspace_bytes does not either");
  static_assert(Is != not_reducible_bytes,
                "strew: this element type lacks the operation of this reduction (mean of bool, min of complex)");
  static_assert(Is != no_integer,
                "strew: an integer (axis, offset, number of tensors) is expected here; see "
                "strew/operators/extents.hpp for the order of arguments");

  static_assert(Is != temporary_elements,
                "strew: this temporary owns its elements: give the tensor a name, and view that");
  static_assert(Is != no_tensor,
                "strew: as_view knows no such tensor: specialise strew::tensor_access for it, or make a "
                "strew::tensor_view{pointer, extents, strides}; tensors that know their element type at run time only "
                "are viewed by as_view<T>(tensor)");
  static_assert(Is != no_tensor_of_type,
                "strew: as_view<T> knows no such tensor: include strew/runtimes.hpp for those of DLPack, PyTorch, "
                "OpenVINO, ONNX Runtime, OpenCV and nanobind, or specialise strew::tensor_access");
  static_assert(Is != other_element_type,
                "strew: the view's element type is not the tensor's, const where the tensor is");
  static_assert(Is != element_type_of_type,
                "strew: the element type of a C++ type is strew::dynamic::element_type_of<T>, a constant, that of an "
                "index strew::index_type_of<T>");
  return Is == none;
}

}  // namespace strew::detail

#endif  // STREW_DETAIL_MISTAKES_HPP
