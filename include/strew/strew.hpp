// SPDX-License-Identifier: Apache-2.0
// All of strew: scatter operators over strided tensor views.
#ifndef STREW_STREW_HPP
#define STREW_STREW_HPP

#include <strew/bound.hpp>
#include <strew/config.hpp>
#include <strew/executor.hpp>
#include <strew/index.hpp>
#include <strew/index_list.hpp>
#include <strew/layout.hpp>
#include <strew/onnx/scatter.hpp>
#include <strew/overlap.hpp>
#include <strew/prepare.hpp>
#include <strew/scatter_elements_update.hpp>
#include <strew/scatter_update.hpp>
#include <strew/slice.hpp>
#include <strew/slice_scatter.hpp>
#include <strew/status.hpp>
#include <strew/tensor_view.hpp>
#include <strew/view_transform.hpp>
#include <strew/workspace.hpp>

#endif  // STREW_STREW_HPP
