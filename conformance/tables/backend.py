# SPDX-License-Identifier: Apache-2.0
"""A backend of the table's own, and the modes in which a program runs."""

import os
import re
import subprocess
import tempfile
import time

START_SECONDS = 60
NATIVE, SHM, TCP = "native", "shm", "tcp"
MODES = (NATIVE, SHM, TCP)


class Backend:
    """Serves a device over a Unix socket (with shared memory) and TCP of this host until closed."""

    def __init__(self, outboard, device, reference=None):
        """With a reference, another backend stands in for the machine's own driver."""
        self.outboard = outboard
        self._reference = reference
        self._folder = tempfile.TemporaryDirectory(prefix="outboard-table")
        self.log = os.path.join(self._folder.name, "log")
        self.socket = "unix:" + os.path.join(self._folder.name, "socket")
        self._environment = {k: v for k, v in os.environ.items() if k != "OUTBOARD_TOKEN"}
        with open(self.log, "wb") as log:
            self._process = subprocess.Popen(
                [outboard, "serve", "--device", device, "--listen", self.socket]
                + ["--listen", "tcp://127.0.0.1:0", "--state", os.path.join(self._folder.name, "state")],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=self._environment,
            )
        try:
            self._tcp = self._address()
        except BaseException:
            self.close()
            raise

    def _address(self):
        end = time.monotonic() + START_SECONDS
        while time.monotonic() < end and self._process.poll() is None:
            said = self.said()
            found = re.search(r" at (tcp://\S+)", said)
            if found and " at unix:" in said:
                return found.group(1)
            time.sleep(0.1)
        raise RuntimeError("the backend did not start: " + self.said())

    def said(self):
        with open(self.log, errors="replace") as log:
            return log.read()

    def command(self, mode, words, variables=None):
        """The words and the environment of a program that runs in a mode."""
        environment = dict(self._environment, **(variables or {}))
        if mode == NATIVE and not self._reference:
            return list(words), environment
        environment["OUTBOARD"] = {NATIVE: self._reference, SHM: self.socket, TCP: self._tcp}[mode]
        return [self.outboard, "run", "--", *words], environment

    def close(self):
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._folder.cleanup()
