# SPDX-License-Identifier: Apache-2.0
"""Calls that are made again and again: with the same options, or with the same indices too."""

from __future__ import annotations

from typing import Any


class Prepared: ...


class Bound: ...


def prepare(*args: Any) -> Prepared:
    raise NotImplementedError
