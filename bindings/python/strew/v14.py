# SPDX-License-Identifier: Apache-2.0
"""Version 14 of OpenVINO's ScatterNDUpdate."""

from ._strew.v15 import scatter_nd_update

__all__ = ["scatter_nd_update"]
