# SPDX-License-Identifier: Apache-2.0
"""Tokens of the HTTP interface that end before the program does: a command prints the next one."""

import shlex
import subprocess

TIMEOUT = 60.0


class Printed:
    """The token that a command prints, as ``outboard login --token``; kept until it is refused."""

    def __init__(self, command: str) -> None:
        self._words = shlex.split(command)
        if not self._words:
            raise ValueError("the command that prints the token is empty")
        self._token = ""

    def current(self) -> str:
        """The one that was printed last."""
        return self._token or self.renewed()

    def renewed(self) -> str:
        """The next one."""
        try:
            printed = subprocess.run(
                self._words,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                timeout=TIMEOUT,
                check=True,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise ValueError("no token is printed: %s" % error)
        self._token = printed.stdout.decode("ascii", "replace").strip()
        return self._token
