#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The sums of distributed.cpp by mpi4py and NumPy: mpirun -n 2 python3 with_mpi4py.py"""

import statistics
import time

import numpy as np
from mpi4py import MPI


def measure(title, rows, width, updates):
    comm = MPI.COMM_WORLD
    rank, ranks = comm.rank, comm.size
    begins = np.array([rows * r // ranks for r in range(ranks + 1)])
    count = updates // ranks
    random = np.random.default_rng(rank)
    indices = random.integers(0, rows, count)
    values = np.full((count, width), 1.5, np.float64)
    table = np.zeros((begins[rank + 1] - begins[rank], width), np.float64)

    def run():
        owners = np.searchsorted(begins, indices, side="right") - 1
        order = np.argsort(owners, kind="stable")
        sent = np.bincount(owners, minlength=ranks)
        received = np.empty_like(sent)
        comm.Alltoall(sent, received)
        targets = np.empty(received.sum(), np.int64)
        arrived = np.empty((received.sum(), width), np.float64)
        comm.Alltoallv([indices[order], sent], [targets, received])
        comm.Alltoallv([values[order], sent * width], [arrived, received * width])
        np.add.at(table, targets - begins[rank], arrived)

    times = []
    for _ in range(6):
        comm.Barrier()
        start = time.perf_counter()
        run()
        times.append(comm.allreduce(time.perf_counter() - start, MPI.MAX))
    if rank == 0:
        print(f"| {title} | {ranks} | mpi4py, np.add.at {1e3 * statistics.median(times[1:]):.3f} ms |", flush=True)


MI = 1 << 20
measure("100 elements of 1 Ki, uniform", 1024, 1, 100)
measure("10 Ki elements of 64 Ki, uniform", 65536, 1, 10240)
measure("2 Mi elements of 4 Mi, uniform", 4 * MI, 1, 2 * MI)
measure("128 Ki rows of 16 of 256 Ki, uniform", MI // 4, 16, MI // 8)
measure("32 Ki rows of 128 of 64 Ki, uniform", MI // 16, 128, MI // 32)
