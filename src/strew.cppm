// SPDX-License-Identifier: Apache-2.0
// The module `strew`: all public names of the headers, including the opt-in ones. A module exports no macros: for the
// version or a switch include <strew/config.hpp>. Switches are set for the target that builds this file.
module;

#include <strew/dynamic.hpp>
#include <strew/dynamic_schedule.hpp>
#include <strew/heap_workspace.hpp>
#include <strew/print.hpp>
#include <strew/runtimes.hpp>
#include <strew/strew.hpp>
#include <strew/threads.hpp>
#include <strew/trace.hpp>

export module strew;

export namespace strew::inline STREW_ABI {

using strew::all_reductions;
using strew::as_view;
using strew::assume_valid;
using strew::axes_list;
using strew::bound;
using strew::bound_scatter;
using strew::broadcast;
using strew::clip;
using strew::converted;
using strew::converted_from;
using strew::converted_from_type;
using strew::diagonal_scatter;
using strew::drop;
using strew::element;
using strew::errc;
using strew::error_message;
using strew::executor;
using strew::executor_ref;
using strew::executor_traits;
using strew::explain;
using strew::has_distinct_elements;
using strew::heap_workspace;
using strew::index_add;
using strew::index_copy;
using strew::index_fill;
using strew::index_integer;
using strew::index_list;
using strew::index_policy;
using strew::index_put;
using strew::index_put_reductions;
using strew::index_reduce;
using strew::index_reduce_reductions;
using strew::index_rule;
using strew::index_type;
using strew::index_type_of;
using strew::indices_with_policy;
using strew::int64_max;
using strew::int64_min;
using strew::integer_range;
using strew::layouts_with_policy;
using strew::layouts_with_segments;
using strew::layouts_with_tensors;
using strew::layouts_with_tensors_and_policy;
using strew::masked_fill;
using strew::masked_scatter;
using strew::max_rank;
using strew::normalize_axis;
using strew::normalize_index;
using strew::open_ended;
using strew::operand_layouts;
using strew::optional_list;
using strew::operator<<;
using strew::out_of_bounds;
using strew::permute;
using strew::prepare;
using strew::prepared;
using strew::prepared_scatter;
using strew::print_options;
using strew::printable;
using strew::put;
using strew::put_along_axis;
using strew::reducible_by;
using strew::reduction_kind;
using strew::reduction_set;
using strew::resolve_slice;
using strew::reverse;
using strew::saturate;
using strew::scaled_by;
using strew::scatter;
using strew::scatter_add;
using strew::scatter_elements_update;
using strew::scatter_error;
using strew::scatter_reduce;
using strew::scatter_reduce_reductions;
using strew::scatter_update;
using strew::segments;
using strew::segments_by;
using strew::select_scatter;
using strew::serial;
using strew::serial_executor;
using strew::slice;
using strew::slice_range;
using strew::slice_scatter;
using strew::slice_spec;
using strew::status;
using strew::stop_list;
using strew::strided_layout;
using strew::task;
using strew::tensor_access;
using strew::tensor_view;
using strew::thread_pool;
using strew::to_string;
using strew::transpose;
using strew::try_as_view;
using strew::try_broadcast;
using strew::try_diagonal_scatter;
using strew::try_index_add;
using strew::try_index_copy;
using strew::try_index_fill;
using strew::try_index_put;
using strew::try_index_reduce;
using strew::try_masked_fill;
using strew::try_masked_scatter;
using strew::try_permute;
using strew::try_prepare;
using strew::try_put;
using strew::try_put_along_axis;
using strew::try_resolve_slice;
using strew::try_reverse;
using strew::try_scatter;
using strew::try_scatter_add;
using strew::try_scatter_elements_update;
using strew::try_scatter_reduce;
using strew::try_scatter_update;
using strew::try_select_scatter;
using strew::try_slice;
using strew::try_slice_scatter;
using strew::try_updates_extents;
using strew::updates_extents;
using strew::workspace;
using strew::workspace_bytes;
using strew::wrap;

}  // namespace strew

export namespace strew::inline STREW_ABI::reduction {

using strew::reduction::floating;
using strew::reduction::max;
using strew::reduction::max_type;
using strew::reduction::mean;
using strew::reduction::mean_type;
using strew::reduction::min;
using strew::reduction::min_type;
using strew::reduction::name_of;
using strew::reduction::none;
using strew::reduction::none_type;
using strew::reduction::parse;
using strew::reduction::prod;
using strew::reduction::prod_type;
using strew::reduction::sub;
using strew::reduction::sub_type;
using strew::reduction::sum;
using strew::reduction::sum_type;
using strew::reduction::try_visit;
using strew::reduction::try_visit_without_nan;
using strew::reduction::visit;
using strew::reduction::visit_without_nan;
using strew::reduction::with_positions;
using strew::reduction::with_positions_type;
using strew::reduction::without_init;
using strew::reduction::without_init_type;
using strew::reduction::without_nan;
using strew::reduction::without_nan_type;

}  // namespace strew::reduction

export namespace strew::inline STREW_ABI::v3 {

using strew::v3::scatter_elements_update;
using strew::v3::scatter_nd_update;
using strew::v3::scatter_update;
using strew::v3::try_scatter_elements_update;
using strew::v3::try_scatter_nd_update;
using strew::v3::try_scatter_update;

}  // namespace strew::v3

export namespace strew::inline STREW_ABI::v12 {

using strew::v12::scatter_elements_update;
using strew::v12::scatter_elements_update_reductions;
using strew::v12::try_scatter_elements_update;

}  // namespace strew::v12

export namespace strew::inline STREW_ABI::v14 {

using strew::v14::scatter_nd_update;
using strew::v14::scatter_nd_update_reductions;
using strew::v14::try_scatter_nd_update;

}  // namespace strew::v14

export namespace strew::inline STREW_ABI::v15 {

using strew::v15::scatter_nd_update;
using strew::v15::scatter_nd_update_reductions;
using strew::v15::slice_scatter;
using strew::v15::try_scatter_nd_update;
using strew::v15::try_slice_scatter;

}  // namespace strew::v15

export namespace strew::inline STREW_ABI::onnx {

using strew::onnx::cache_mode;
using strew::onnx::scatter;
using strew::onnx::scatter_elements;
using strew::onnx::scatter_elements_reductions;
using strew::onnx::scatter_nd;
using strew::onnx::scatter_nd_reductions;
using strew::onnx::tensor_scatter;
using strew::onnx::tensor_scatter_options;
using strew::onnx::try_scatter;
using strew::onnx::try_scatter_elements;
using strew::onnx::try_scatter_nd;
using strew::onnx::try_tensor_scatter;

}  // namespace strew::onnx

export namespace strew::inline STREW_ABI::dynamic {

using strew::dynamic::as_const_tensor;
using strew::dynamic::as_index_tensor;
using strew::dynamic::as_tensor;
using strew::dynamic::basic_tensor;
using strew::dynamic::bfloat16;
using strew::dynamic::const_tensor;
using strew::dynamic::element_kind;
using strew::dynamic::element_type;
using strew::dynamic::element_type_of;
using strew::dynamic::float16;
using strew::dynamic::index_tensor;
using strew::dynamic::operator<<;
using strew::dynamic::reduction;
using strew::dynamic::reduction_without_nan;
using strew::dynamic::schedule;
using strew::dynamic::size_of;
using strew::dynamic::tensor;
using strew::dynamic::to_string;
using strew::dynamic::try_as_const_tensor;
using strew::dynamic::try_as_index_tensor;
using strew::dynamic::try_as_tensor;

}  // namespace strew::dynamic
