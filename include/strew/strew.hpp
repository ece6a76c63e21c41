// SPDX-License-Identifier: Apache-2.0
// All of strew but the opt-in headers: scatter operators over strided tensor views.
#ifndef STREW_STREW_HPP
#define STREW_STREW_HPP

// First, so that its static_assert texts come early in the compiler's output.
#include <strew/detail/mistakes.hpp>

#include <strew/bound.hpp>
#include <strew/config.hpp>
#include <strew/execution/executor.hpp>
#include <strew/execution/workspace.hpp>
#include <strew/numpy.hpp>
#include <strew/onnx.hpp>
#include <strew/openvino.hpp>
#include <strew/operators/converted.hpp>
#include <strew/operators/extents.hpp>
#include <strew/operators/index_policy.hpp>
#include <strew/operators/reduction.hpp>
#include <strew/operators/reduction_kind.hpp>
#include <strew/operators/segments.hpp>
#include <strew/operators/with_positions.hpp>
#include <strew/prepare.hpp>
#include <strew/status.hpp>
#include <strew/torch.hpp>
#include <strew/view/as_view.hpp>
#include <strew/view/index.hpp>
#include <strew/view/index_list.hpp>
#include <strew/view/layout.hpp>
#include <strew/view/overlap.hpp>
#include <strew/view/slice.hpp>
#include <strew/view/tensor_view.hpp>
#include <strew/view/view_transform.hpp>

#endif  // STREW_STREW_HPP
