# SPDX-License-Identifier: Apache-2.0
"""Calls from several threads, in children of fork, and interrupted by signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import strew


def in_threads(count: int, body) -> None:
    errors: list[BaseException] = []

    def run(number: int) -> None:
        try:
            body(number)
        except BaseException as error:  # noqa: BLE001: the caller raises it
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_calls_with_all_numbers_of_threads_at_once() -> None:
    random = np.random.default_rng(1)
    data, index = np.zeros((5000, 8)), random.integers(0, 5000, 30000)
    source = random.random((30000, 8))
    expected = strew.index_add(data, 0, index, source).tobytes()
    bound = strew.prepare(strew.index_add, data, 0, index, source, threads=2).bind(index)

    def run(number: int) -> None:
        for _ in range(10):
            assert strew.index_add(data, 0, index, source, threads=number % 4).tobytes() == expected
            assert bound.run(data, source).tobytes() == expected

    in_threads(6, run)


def test_threads_that_write_to_parts_of_one_array() -> None:
    data = np.zeros((8, 4000))

    def run(number: int) -> None:
        row = data[number]
        for _ in range(200):
            strew.index_add(row, 0, np.arange(4000), 1.0, out=row, threads=1 + number % 2)

    in_threads(8, run)
    assert (data == 200).all()


def test_threads_that_share_and_resize_operands() -> None:
    """Values are undefined then; nothing crashes, and what was resized before a call is refused or served."""
    shared = {"data": np.zeros(5000), "index": np.arange(5000), "source": np.ones(5000)}
    stop = time.monotonic() + 1.5

    def resize(_: int) -> None:
        while time.monotonic() < stop:
            for name in shared:
                try:
                    shared[name].resize(4000 if len(shared[name]) == 5000 else 5000)
                except ValueError:
                    pass  # an operand of a call
                shared[name] = shared[name].copy()

    def call(number: int) -> None:
        while time.monotonic() < stop:
            try:
                strew.index_add(shared["data"], 0, shared["index"], shared["source"], threads=number % 3)
            except (strew.Error, IndexError):
                pass

    in_threads(4, lambda number: resize(number) if number == 0 else call(number))


def test_other_threads_run_during_a_call() -> None:
    """A call with the interpreter's lock would stop the counting."""
    data, index = np.zeros(1 << 20), np.random.default_rng(2).integers(0, 1 << 20, 1 << 22)
    counted = 0
    is_done = threading.Event()

    def count() -> None:
        nonlocal counted
        while not is_done.is_set():
            counted += 1

    counter = threading.Thread(target=count)
    counter.start()
    before = counted
    for _ in range(3):
        strew.index_add(data, 0, index, 1.0, out=data)
    during = counted - before
    is_done.set()
    counter.join()
    assert during > 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_child_of_fork_has_threads_of_its_own() -> None:
    data, index = np.zeros(100_000), np.arange(100_000)
    strew.index_add(data, 0, index, 1.0, out=data, threads=3)
    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            strew.index_add(data, 0, index, 1.0, out=data, threads=3)
            os._exit(0 if (data == 2).all() else 1)
        children.append(child)
    strew.index_add(data, 0, index, 1.0, out=data, threads=2)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0]
    assert (data == 2).all()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_fork_during_a_call_of_another_thread() -> None:
    data, index = np.zeros(1 << 19), np.random.default_rng(2).integers(0, 1 << 19, 1 << 21)
    is_done = threading.Event()

    def run() -> None:
        while not is_done.is_set():
            strew.index_add(data, 0, index, 1.0, out=data, threads=2)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        for _ in range(20):
            child = os.fork()
            if child == 0:
                own = np.zeros(50_000)
                strew.index_add(own, 0, np.arange(50_000), 1.0, out=own, threads=2)
                os._exit(0 if (own == 1).all() else 1)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    finally:
        is_done.set()
        thread.join()


def test_a_signal_during_a_long_call() -> None:
    """The call ends, with all of its output, and then the signal's handler runs."""
    data, index = np.zeros(1 << 20), np.random.default_rng(2).integers(0, 1 << 20, 1 << 23)
    expected = strew.index_add(data, 0, index, 1.0)
    output = np.empty_like(data)
    started = time.monotonic()

    class Alarm(Exception):
        pass

    def ring(*_: object) -> None:
        raise Alarm

    was = signal.signal(signal.SIGALRM, ring)
    try:
        with pytest.raises(Alarm):
            signal.setitimer(signal.ITIMER_REAL, 0.005)  # inside: on a busy machine it may ring at once
            for _ in range(1000):
                strew.index_add(data, 0, index, 1.0, out=output, threads=2)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, was)
    assert time.monotonic() - started < 60
    assert output.tobytes() == expected.tobytes()


def test_the_process_ends_while_threads_sleep() -> None:
    program = "import numpy as np, strew; strew.index_add(np.zeros(9**6), 0, np.arange(9**6), 1.0, threads=4)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


def test_the_process_ends_while_other_threads_call() -> None:
    program = """
import threading, time
import numpy as np
import strew
data, index = np.zeros(100_000), np.arange(100_000)
def run():
    while True:
        strew.index_add(data, 0, index, 1.0)
for _ in range(3):
    threading.Thread(target=run, daemon=True).start()
time.sleep(0.2)
"""
    for _ in range(3):
        assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


def test_the_package_needs_no_numpy() -> None:
    program = """
import sys
sys.modules["numpy"] = None
import strew
memory = memoryview(bytearray(8))
assert bytes(strew.scatter_update(memory, [1, -1 + 4], 7, 0)) == bytes([0, 7, 0, 7, 0, 0, 0, 0])
"""
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == 0


def test_a_build_without_the_interpreters_lock() -> None:
    """The module declares that it needs no lock; the tests above hammer it in a build of Python that has none."""
    if not hasattr(sys, "_is_gil_enabled"):
        pytest.skip("this build of Python always has the lock")
    assert not sys._is_gil_enabled()
