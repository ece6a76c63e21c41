# SPDX-License-Identifier: Apache-2.0
"""Modules of other libraries, which a benchmark leaves out where they are not installed."""

from __future__ import annotations

import importlib
from typing import Any


def optional(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"{name} is left out: {error}")
        return None
