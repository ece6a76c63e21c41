# SPDX-License-Identifier: Apache-2.0
"""Version 12 of OpenVINO's ScatterElementsUpdate: negative indices and reductions."""

from ._strew.v12 import scatter_elements_update

__all__ = ["scatter_elements_update"]
