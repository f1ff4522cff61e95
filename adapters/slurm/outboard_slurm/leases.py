# SPDX-License-Identifier: Apache-2.0
"""Leases of jobs, on the controller's side: taken before a job begins, given back at its end."""

import time
from typing import Any, Dict, Iterator, Optional

from outboard._api import LIVING, OVER, Answer, Api, ApiError

from . import job as jobs
from .settings import Settings

PAUSE = 0.5


def of_jobs(api: Api, settings: Settings, cluster: str) -> Iterator[Answer]:
    """Those of a cluster's jobs that are not over."""
    for lease in api.leases():
        if (
            lease.get("consumerType") == "job"
            and str(lease.get("consumerId", "")).startswith(cluster + "/")
            and settings.tenant in (None, lease.get("tenant"))
        ):
            yield lease


def of(api: Api, settings: Settings, job: jobs.Job) -> Iterator[Answer]:
    """Those of a job that are not over: one, or none."""
    cluster = job.consumer.rpartition("/")[0]
    for lease in of_jobs(api, settings, cluster):
        if lease["consumerId"] == job.consumer:
            yield lease


def take(api: Api, settings: Settings, job: jobs.Job, wanted: jobs.Wanted) -> Answer:
    """Waits until the job has its GPUs. A lease of an earlier start of the job ends first."""
    give_back(api, settings, job, "the job begins anew")
    lease = api.request(_request(settings, job, wanted))
    deadline = time.monotonic() + settings.wait
    while lease["state"] not in LIVING:
        if lease["state"] in OVER:
            raise ApiError(0, "the lease is %s: %s" % (lease["state"], lease.get("reason")))
        if time.monotonic() > deadline:
            api.release(lease["id"], "the job waited for %d s" % settings.wait)
            raise ApiError(0, "the GPUs are not free after %d s" % settings.wait)
        time.sleep(PAUSE)
        lease = api.find(lease["id"])
    return lease


def _request(settings: Settings, job: jobs.Job, wanted: jobs.Wanted) -> Dict[str, Any]:
    request: Dict[str, Any] = {
        "gpus": wanted.gpus,
        "seconds": length(settings, jobs.limit(job.number)),
        "consumerType": "job",
        "consumerId": job.consumer,
        "user": job.user[:256],
        "consumer": "job " + job.consumer,
    }
    if wanted.model:
        request["model"] = wanted.model
    if settings.tenant:
        request["tenant"] = settings.tenant
    return request


def length(settings: Settings, left: Optional[int]) -> int:
    """Seconds of a lease whose job may run so long."""
    return (settings.unlimited if left is None else left) + settings.grace


def give_back(api: Api, settings: Settings, job: jobs.Job, reason: str) -> None:
    for lease in of(api, settings, job):
        api.release(lease["id"], reason)
