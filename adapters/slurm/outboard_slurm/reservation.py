# SPDX-License-Identifier: Apache-2.0
"""Licences that others than Slurm's jobs use: a reservation keeps them from jobs.

So Slurm starts a job when the pool has GPUs for it, also where virtual machines, notebooks and
people lease from the same pool, and where GPUs fail.
"""

import re
import subprocess
from typing import Dict, List

from outboard._api import LIVING, Answer, Api


def keep(api: Api, name: str, leases: List[Answer]) -> None:
    """Reserves what no job can have: neither what jobs have already, nor what is free."""
    devices = api.devices()
    wanted = {
        licence: min(max(0, total - _had(leases, licence) - _free(devices, licence)), total)
        for licence, total in _totals().items()
    }
    if wanted:
        _reserve(name, ",".join("%s:%d" % each for each in sorted(wanted.items())))


def _model(licence: str) -> str:
    return licence.partition("_")[2].lower()


def _had(leases: List[Answer], licence: str) -> int:
    """GPUs of jobs that have as many of these licences; all have those of any model."""
    model = _model(licence)
    return sum(
        int(lease["gpus"])
        for lease in leases
        if lease.get("state") in LIVING and model in ("", str(lease.get("wanted", "")).lower())
    )


def _free(devices: List[Answer], licence: str) -> int:
    """How many whole devices of a licence's model nobody has."""
    return sum(
        _model(licence) in str(device.get("model", "")).lower()
        and not device.get("share")
        and not device.get("common")
        and not device.get("failed")
        and not device.get("cordoned")
        for device in devices
    )


def _totals() -> Dict[str, int]:
    """How many licences of remote GPUs there are, by name."""
    text = _scontrol("show", "licenses")
    rows = re.findall(r"LicenseName=(rgpu(?:_[\w.-]+)?)\s+Total=(\d+)", text)
    return {name: int(total) for name, total in rows}


def _reserve(name: str, wanted: str) -> None:
    present = _scontrol("show", "reservation", "--oneliner")
    for line in present.splitlines():
        if "ReservationName=%s " % name in line:
            if "Licenses=%s " % wanted not in line:
                _scontrol("update", "ReservationName=" + name, "Licenses=" + wanted)
            return
    _scontrol(
        "create",
        "reservation",
        "ReservationName=" + name,
        "StartTime=now",
        "Duration=infinite",
        "Users=root",
        "Flags=LICENSE_ONLY,IGNORE_JOBS",
        "Licenses=" + wanted,
    )


def _scontrol(*words: str) -> str:
    return subprocess.run(
        ("scontrol",) + words,
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=60,
    ).stdout
