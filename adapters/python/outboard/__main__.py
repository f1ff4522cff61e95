# SPDX-License-Identifier: Apache-2.0
"""The client's tools as commands of a Python environment: each of them takes this process's place.

    python -m outboard [run] [OPTION]... PROGRAM [ARGUMENT]...
    python -m outboard where|connect [ARGUMENT]...

A program with a lease, which this process holds until the program has ended:

    python -m outboard lease [OPTION]... -- PROGRAM [ARGUMENT]...
"""

import os
import signal
import sys
from typing import List, NoReturn

from . import _client

CANNOT_BE_RUN = 126


def run() -> NoReturn:
    become("run", sys.argv[1:])


def where() -> NoReturn:
    become("where", sys.argv[1:])


def connect() -> NoReturn:
    become("connect", sys.argv[1:])


def main() -> None:
    words = sys.argv[1:]
    if words and words[0] == "lease":
        # Only it wants what leases are made with.
        from . import _command

        put_this_environment_first()
        restore_signals()
        _command.main(words[1:])
    if words and words[0] in _client.TOOLS:
        become(words[0], words[1:])
    become("run", words)


def become(tool: str, arguments: List[str]) -> NoReturn:
    put_this_environment_first()
    restore_signals()
    program = os.path.join(_client.FOLDER, "outboard-" + tool)
    try:
        _client.make_executable(_client.FOLDER)
        os.execv(program, [program] + arguments)
    except OSError as error:
        sys.stderr.write("outboard: %s: install the wheel again\n" % error)
        sys.exit(CANNOT_BE_RUN)


def put_this_environment_first() -> None:
    """A program is looked for in this environment also where it has not been activated."""
    own = os.path.join(sys.prefix, "bin")
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if sys.prefix != sys.base_prefix and own not in folders:
        os.environ["PATH"] = os.pathsep.join([own] + folders)


def restore_signals() -> None:
    """Python ignores these, and what is ignored stays so in the program."""
    for name in ("SIGPIPE", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)


if __name__ == "__main__":
    main()
