# SPDX-License-Identifier: Apache-2.0
"""Version 15 of OpenVINO's operators."""

from ._strew import slice_scatter
from ._strew.v15 import scatter_nd_update

__all__ = ["scatter_nd_update", "slice_scatter"]
