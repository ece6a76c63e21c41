# SPDX-License-Identifier: Apache-2.0
"""A process of its own for calls that may corrupt memory: it is started again when it dies."""

import multiprocessing

import oracles

ANSWER_WITHIN_SECONDS = 60


class Died(Exception):
    """The runtime took its process down, or never answered."""


def outcome_of(oracle, case):
    """What the oracle makes of the case: its output, or the exception it raised."""
    try:
        return oracle.run(case)
    except Exception as error:  # whatever a runtime raises is its answer
        return error


def serve(connection, forgetful):
    while True:
        try:
            name, case = connection.recv()
        except EOFError:
            return
        oracle = oracles.named(name)
        if forgetful:
            oracle.forget()
        outcome = outcome_of(oracle, case)
        if isinstance(outcome, Exception) and not isinstance(outcome, oracles.Declined):
            outcome = RuntimeError(str(outcome))  # a runtime's own exception types may not travel
        connection.send(outcome)


class Worker:
    """Runs cases in another process. run() returns what outcome_of returns, or Died. A forgetful worker makes each
    model anew, so that an answer depends on its case alone."""

    def __init__(self, forgetful=False):
        self.forgetful = forgetful
        self.process = None
        self.exit_code = None

    def start(self):
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=serve, args=(theirs, self.forgetful), daemon=True)
        self.process.start()
        theirs.close()

    def run(self, oracle, case):
        if self.process is None:
            self.start()
        try:
            self.connection.send((oracle.name, case))
            if not self.connection.poll(ANSWER_WITHIN_SECONDS):
                raise EOFError("no answer")
            return self.connection.recv()
        except (EOFError, OSError):
            self.stop()
            return Died(f"exit code {self.exit_code}")

    def stop(self):
        if self.process is None:
            return
        self.connection.close()
        self.process.join(1)  # dying leaves an exit code of its own
        self.process.kill()
        self.process.join()
        self.exit_code = self.process.exitcode
        self.process = None
