// SPDX-License-Identifier: Apache-2.0
// A program that uses every operator once, in one translation unit.
#include "onnx_scatter.cpp"
#include "scatter_elements_update.cpp"
#include "scatter_update.cpp"
#include "slice_scatter.cpp"
