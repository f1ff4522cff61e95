# SPDX-License-Identifier: Apache-2.0
"""Keeps leases in step with jobs, whatever was lost: an epilog, a node, this program itself.

A lease ends when its job has, is suspended and resumed with its job, and lives as long as its job
may. Where Slurm does not answer nothing is changed.
"""

import logging
import subprocess
import time
from typing import Dict, Optional

from outboard._api import Answer, Api, ApiError, seconds_left

from . import job as jobs
from . import leases, reservation
from .settings import Settings

# A job in another state has no GPUs, or not yet: one that waits, was requeued, or is over.
HAS_GPUS = (
    "CONFIGURING",
    "RUNNING",
    "SUSPENDED",
    "STOPPED",
    "COMPLETING",
    "SIGNALING",
    "STAGE_OUT",
    "RESIZING",
)
SUSPENDED = "the job is suspended"
# A lease that ends this much too early is renewed.
SLACK = 30

log = logging.getLogger("outboard-slurm")


class Watch:
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._refused: Dict[str, str] = {}

    def go_on(self) -> None:
        while True:
            try:
                self.once()
            except (ApiError, OSError, ValueError, subprocess.SubprocessError) as error:
                log.warning("jobs and leases could not be compared: %s", error)
            time.sleep(self._settings.interval)

    def once(self) -> None:
        """Leases are read first: so one that is there without a job has none any more."""
        api = self._settings.api()
        cluster = cluster_name()
        found = list(leases.of_jobs(api, self._settings, cluster))
        known = {job.number: job for job in jobs.listed()}
        for lease in found:
            number = str(lease["consumerId"]).rpartition("/")[2]
            try:
                self._compare(api, lease, known.get(number))
                self._refused.pop(lease["id"], None)
            except ApiError as error:
                self._tell(lease, number, str(error))
        living = {lease["id"] for lease in found}
        self._refused = {lease: why for lease, why in self._refused.items() if lease in living}
        if self._settings.reservation:
            reservation.keep(api, self._settings.reservation, found)

    def _tell(self, lease: Answer, number: str, why: str) -> None:
        """Once, and not at each look."""
        if self._refused.get(lease["id"]) != why:
            self._refused[lease["id"]] = why
            log.warning("lease %s of job %s: %s", lease["id"], number, why)

    def _compare(self, api: Api, lease: Answer, job: Optional[jobs.Listed]) -> None:
        if job is None or job.state not in HAS_GPUS:
            state = "gone" if job is None else job.state.lower()
            log.warning("lease %s ends: job %s is %s", lease["id"], lease["consumerId"], state)
            api.release(lease["id"], "the job is " + state)
            return
        held = lease.get("state") == "held" and str(lease.get("reason")).startswith(SUSPENDED)
        if job.state == "SUSPENDED" and lease.get("state") in ("granted", "active", "idle"):
            api.suspend(lease["id"], SUSPENDED)
        elif job.state == "RUNNING" and held:
            api.resume(lease["id"])
        self._renew(api, lease, job)

    def _renew(self, api: Api, lease: Answer, job: jobs.Listed) -> None:
        wanted = leases.length(self._settings, job.left)
        left = seconds_left(lease)
        if left is None:
            return
        # One without a limit is renewed when half of its time is over.
        least = wanted // 2 if job.left is None else wanted - SLACK
        if left < least:
            api.renew(lease["id"], wanted)


def cluster_name() -> str:
    """That of this controller, as its prologs are told it."""
    answer = subprocess.run(
        ["scontrol", "show", "config"],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=60,
    ).stdout
    for line in answer.splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "ClusterName":
            return value.strip()
    raise ValueError("Slurm does not tell its cluster's name")
