// SPDX-License-Identifier: Apache-2.0
// All of strew: scatter operators over strided tensor views.
#ifndef STREW_STREW_HPP
#define STREW_STREW_HPP

#include <strew/as_view.hpp>
#include <strew/bound.hpp>
#include <strew/config.hpp>
#include <strew/executor.hpp>
#include <strew/extents.hpp>
#include <strew/index.hpp>
#include <strew/index_add.hpp>
#include <strew/index_list.hpp>
#include <strew/index_policy.hpp>
#include <strew/index_put.hpp>
#include <strew/layout.hpp>
#include <strew/masked_scatter.hpp>
#include <strew/onnx/scatter.hpp>
#include <strew/onnx/scatter_elements.hpp>
#include <strew/onnx/scatter_nd.hpp>
#include <strew/onnx/tensor_scatter.hpp>
#include <strew/openvino/scatter_elements_update.hpp>
#include <strew/openvino/scatter_nd_update.hpp>
#include <strew/overlap.hpp>
#include <strew/prepare.hpp>
#include <strew/reduction.hpp>
#include <strew/reduction_kind.hpp>
#include <strew/scatter_elements_update.hpp>
#include <strew/scatter_reduce.hpp>
#include <strew/scatter_update.hpp>
#include <strew/select_scatter.hpp>
#include <strew/slice.hpp>
#include <strew/slice_scatter.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>
#include <strew/view_transform.hpp>
#include <strew/workspace.hpp>

#endif  // STREW_STREW_HPP
