# SPDX-License-Identifier: Apache-2.0
"""The file with the operator's settings: lines ``name = value``."""

import os
import re
from typing import Dict, List, Optional

from outboard._api import Api, secret

FILE = "OUTBOARD_SLURM_CONF"
USUAL_FILE = "/etc/outboard/slurm.conf"
FOLDER = "OUTBOARD_SLURM_RUN"
USUAL_FOLDER = "/run/outboard-slurm"

_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_TIMES = {"wait": "30s", "grace": "2m", "unlimited": "1d", "interval": "15s"}
_TEXTS = ("token-file", "ca", "tenant", "reservation", "programs-ca")


class Settings:
    """What an operator has set.

    ``wait`` is how long a job that begins waits for its GPUs; ``grace`` how much longer than its
    job a lease may live; ``unlimited`` how long that of a job without a time limit is good for
    before it is renewed; ``interval`` the seconds between two looks at jobs and leases.
    """

    def __init__(self, lines: List[str], file: str) -> None:
        self.servers: List[str] = []
        self._values: Dict[str, str] = {}
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if text and not text.startswith("#"):
                self._read(text, "%s:%d" % (file, number))
        self.wait = self._seconds("wait")
        self.grace = self._seconds("grace")
        self.unlimited = self._seconds("unlimited")
        self.interval = max(1, self._seconds("interval"))
        self.tenant = self._text("tenant")
        self.reservation = self._text("reservation")
        self.programs_ca = self._text("programs-ca")

    def _read(self, text: str, place: str) -> None:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not value or not (name == "api" or name in _TEXTS or name in _TIMES):
            raise ValueError("%s: '%s' is no setting" % (place, text))
        if name == "api":
            self.servers.append(value)
        else:
            self._values[name] = value

    def _text(self, name: str) -> Optional[str]:
        return self._values.get(name)

    def _seconds(self, name: str) -> int:
        text = self._values.get(name, _TIMES[name])
        time = re.fullmatch(r"(\d{1,7})([smhd]?)", text)
        if not time:
            raise ValueError("%s = %s is no time, as 30s, 2m or 1d" % (name, text))
        return int(time.group(1)) * _UNITS[time.group(2)]

    def api(self) -> Api:
        file = self._text("token-file")
        if not file:
            raise ValueError("token-file is not set")
        return Api(self.servers, secret(file), self._text("ca"))


def read() -> Settings:
    file = os.environ.get(FILE, USUAL_FILE)
    with open(file, encoding="utf-8") as lines:
        return Settings(lines.readlines(), file)


def folder() -> str:
    """Where a node has a file for each job, which its task prolog reads too."""
    return os.environ.get(FOLDER, USUAL_FOLDER)
