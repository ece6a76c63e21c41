# SPDX-License-Identifier: Apache-2.0
"""Messages that name what to write instead."""

from __future__ import annotations

import typing
from collections.abc import Callable

import numpy as np
import pytest

import strew
from strew import _typing


class Series:
    """As that of pandas: no array, but one inside."""

    def to_numpy(self) -> np.ndarray:
        return np.zeros(1)


DATA = np.zeros(3)
MESSAGES: list[tuple[Callable[[], object], str]] = [
    (lambda: strew.index_add(DATA, 0, [0], np.zeros(1, np.float32)),
     "index_add: source holds float32, expected float64 as data does: pass source.astype('float64') or cast=True"),
    (lambda: strew.scatter_update(DATA.astype("i2"), [0], np.zeros(1), 0),
     "scatter_update: updates holds float64, expected int16 as data does: pass updates.astype('int16'), "
     "which drops fractions, or data of another type"),
    (lambda: strew.index_add(bytearray(4), 0, [0], np.zeros(1, "i8")),
     "index_add: source holds int64, expected uint8 as data does: pass source.astype('uint8') or cast=True"),
    (lambda: strew.index_add(DATA, 0, [0], 1.0, out=np.zeros(3, "f4")),
     "index_add: out holds float32, expected float64 as data does"),
    (lambda: strew.index_add(DATA, 0, [0], np.zeros(1, "M8[s]")),
     "index_add: source holds datetime64[s], expected float64 as data does: pass source.astype('float64')"),
    (lambda: strew.index_add(DATA, 0, [1, -1], 1.0),
     "index_add: index[1] = -1 is outside [0, 2] (axis 0 has extent 3): mode='wrap' takes indices modulo 3, "
     "mode='drop' leaves them out"),
    (lambda: strew.index_add(DATA, 0, [-3], 1.0),
     "index_add: index[0] = -3 is outside [0, 2] (axis 0 has extent 3): mode='wrap' takes indices modulo 3, "
     "mode='drop' leaves them out"),
    (lambda: strew.index_add(DATA, 0, [-4], 1.0), "index_add: index[0] = -4 is outside [0, 2] (axis 0 has extent 3)"),
    (lambda: strew.index_add(DATA, 0, [3], 1.0), "index_add: index[0] = 3 is outside [0, 2] (axis 0 has extent 3)"),
    (lambda: strew.put(DATA, [-4], 1.0), "put: index[0] = -4 is outside [-3, 2]"),
    (lambda: strew.index_add(DATA, 0, Series(), 1.0),
     "index_add: index is a Series, expected an array of integers, a list, a range or an integer: pass index.to_numpy()"),
    (lambda: strew.index_add(DATA, 0, object(), 1.0),
     "index_add: index is an object, expected an array of integers, a list, a range or an integer"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "text"), MESSAGES, ids=[text[:40] for _, text in MESSAGES])
def test_messages(call: Callable[[], object], text: str) -> None:
    with pytest.raises(strew.Error) as caught:
        call()
    assert str(caught.value) == text or (text.startswith("put") and str(caught.value).startswith(text))


def test_wrap_is_what_the_message_promises() -> None:
    assert strew.index_add(DATA, 0, [1, -1], 1.0, mode="wrap").tolist() == [0, 1, 1]


def test_the_names_of_reductions_are_those_of_their_type() -> None:
    for name in typing.get_args(_typing.Reduction):
        strew.v15.scatter_nd_update(DATA, np.zeros((1, 1), int), np.zeros(1), "none" if name == "mean" else name)
    for name in ("average", "amean", "SUM"):
        assert name not in typing.get_args(_typing.Reduction)
        with pytest.raises(strew.Error, match="reduction"):
            strew.v15.scatter_nd_update(DATA, np.zeros((1, 1), int), np.zeros(1), name)
