# SPDX-License-Identifier: Apache-2.0
"""Version 3 of OpenVINO's operators."""

from ._strew import scatter_elements_update, scatter_update
from ._strew.v3 import scatter_nd_update

__all__ = ["scatter_elements_update", "scatter_nd_update", "scatter_update"]
