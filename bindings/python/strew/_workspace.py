# SPDX-License-Identifier: Apache-2.0
"""The scratch memory of calls."""

from __future__ import annotations

import operator

from ._strew import set_workspace_limit as _set_limit


def set_workspace_limit(bytes: int | None) -> None:
    """Lets each call allocate at most so many bytes of scratch memory; 0: none. The result does not depend on it.

    With None, the default, a call allocates what makes it fastest, at most four times the bytes of its operands.
    """
    if bytes is not None:
        try:
            bytes = operator.index(bytes)
        except TypeError:
            kind = type(bytes).__name__
            raise TypeError(f"set_workspace_limit: bytes is a {kind}, expected None or an integer") from None
        if not 0 <= bytes < 2**63:
            raise ValueError(f"set_workspace_limit: bytes = {bytes} is outside [0, 2**63 - 1]")
    _set_limit(bytes)
