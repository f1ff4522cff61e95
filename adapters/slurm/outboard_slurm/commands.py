# SPDX-License-Identifier: Apache-2.0
"""The commands that Slurm's prologs and epilogs call, and the one that a service runs."""

import logging
import logging.handlers
import os
import subprocess
import sys

from outboard._api import ApiError

from . import job as jobs
from . import leases, node, settings
from .watch import Watch

log = logging.getLogger("outboard-slurm")


def prolog_slurmctld() -> None:
    job = jobs.current()
    wanted = jobs.wanted(os.environ.get("SLURM_JOB_LICENSES", ""))
    if wanted:
        chosen = settings.read()
        lease = leases.take(chosen.api(), chosen, job, wanted)
        log.info("job %s has lease %s", job.consumer, lease["id"])


def epilog_slurmctld() -> None:
    chosen = settings.read()
    leases.give_back(chosen.api(), chosen, jobs.current(), "the job has ended")


def prolog() -> None:
    node.prepare(jobs.current())


def watch() -> None:
    Watch(settings.read()).go_on()


def watch_once() -> None:
    Watch(settings.read()).once()


COMMANDS = {
    ("prolog-slurmctld",): prolog_slurmctld,
    ("epilog-slurmctld",): epilog_slurmctld,
    ("prolog",): prolog,
    ("watch",): watch,
    ("watch", "--once"): watch_once,
}


def main(usage: str) -> None:
    command = COMMANDS.get(tuple(sys.argv[1:]))
    if not command:
        sys.exit(usage)
    log_to_the_system()
    try:
        command()
    except (ApiError, OSError, ValueError, subprocess.SubprocessError) as error:
        log.error("job %s: %s", os.environ.get("SLURM_JOB_ID", "-"), error)
        sys.exit(1)


def log_to_the_system() -> None:
    """Slurm keeps nothing of what a prolog prints."""
    log.setLevel(logging.INFO)
    log.addHandler(logging.StreamHandler())
    if os.path.exists("/dev/log"):
        handler = logging.handlers.SysLogHandler(address="/dev/log")
        handler.setFormatter(logging.Formatter("outboard-slurm: %(message)s"))
        log.addHandler(handler)
