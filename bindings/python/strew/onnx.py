# SPDX-License-Identifier: Apache-2.0
"""The operators of ONNX."""

from ._strew.onnx import scatter, scatter_elements, scatter_nd, tensor_scatter

__all__ = ["scatter", "scatter_elements", "scatter_nd", "tensor_scatter"]
