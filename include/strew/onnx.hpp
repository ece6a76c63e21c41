// SPDX-License-Identifier: Apache-2.0
// The operators by their names in ONNX. One function implements all versions of an operator.
//
//   Scatter-9, -11                        onnx::scatter
//   ScatterElements-11, -13, -16, -18     onnx::scatter_elements
//   ScatterND-11, -13, -16, -18           onnx::scatter_nd
//   TensorScatter-24                      onnx::tensor_scatter
//
// The attribute reduction is strew::reduction::{none, sum (add), prod (mul), max, min}; strew::reduction::parse reads
// the names of ONNX.
#ifndef STREW_ONNX_HPP
#define STREW_ONNX_HPP

#include <strew/operators/onnx_scatter.hpp>
#include <strew/operators/scatter_elements.hpp>
#include <strew/operators/scatter_nd.hpp>
#include <strew/operators/tensor_scatter.hpp>

#endif  // STREW_ONNX_HPP
