# SPDX-License-Identifier: Apache-2.0
"""A node's side: what a job's tasks are to know lies in a file that the job's user alone reads.

The file has lines ``name=value``, which the task prolog reads: token, endpoint, ca, visible; or
only ``error``, which the task prolog tells.
"""

import os
import re
import stat
import subprocess
import time
from typing import Dict, List, Optional

from outboard._api import LIVING, Answer, Api, ApiError

from . import job as jobs
from . import leases, settings
from .settings import Settings

# The controller has the lease before a node hears of the job; a request may be lost all the same.
ATTEMPTS = 5
PAUSE = 1.0

_TOKEN = re.compile(r"[0-9a-f]{64}")
_ENDPOINT = re.compile(r"[a-z-]+:[!-~]{1,400}")
_NAME = re.compile(r"[A-Za-z0-9._-]{1,255}")


def prepare(job: jobs.Job) -> None:
    """Writes the file of a job. What is wrong is told to the job, so that the node stays in use."""
    try:
        chosen = settings.read()
        text = _lines(_words(chosen, _find(chosen.api(), chosen, job)))
    except (ApiError, ValueError, OSError, subprocess.SubprocessError) as error:
        text = _lines({"error": " ".join(str(error).split())[:400]})
    _write(_file(job), text)


def _file(job: jobs.Job) -> str:
    node = os.environ.get("SLURMD_NODENAME", "")
    if not _NAME.fullmatch(node):
        raise ValueError("'%s' is no name of a node" % node)
    return os.path.join(settings.folder(), "%s.%s" % (job.number, node))


def _find(api: Api, chosen: Settings, job: jobs.Job) -> Answer:
    failure: Exception = ApiError(0, "no attempt was made")
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(PAUSE)
        try:
            return _living(api, chosen, job)
        except ApiError as error:
            failure = error
    raise failure


def _living(api: Api, chosen: Settings, job: jobs.Job) -> Answer:
    for lease in leases.of(api, chosen, job):
        if lease.get("state") in LIVING:
            return api.find(lease["id"])
    raise ApiError(0, "job %s has no lease of remote GPUs" % job.number)


def _words(chosen: Settings, lease: Answer) -> Dict[str, str]:
    token = lease.get("token")
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise ValueError("this node may not use the lease: its token is not of the lease's tenant")
    endpoints = [each for each in lease.get("endpoints", []) if _ENDPOINT.fullmatch(each)]
    words = {"token": token, "endpoint": _reachable(endpoints)}
    visible = _visible()
    if visible:
        words["visible"] = visible
    if chosen.programs_ca:
        words["ca"] = chosen.programs_ca
    return words


def _reachable(endpoints: List[str]) -> str:
    """The first over the network, else a socket of this machine."""
    for endpoint in endpoints:
        if not endpoint.startswith(("unix:", "shm:")):
            return endpoint
    for endpoint in endpoints:
        if os.path.exists(endpoint.partition(":")[2]):
            return endpoint
    raise ValueError("this node cannot reach the GPUs: the backend listens on sockets alone")


def _visible() -> Optional[str]:
    """The GPUs of a job with some on each node that are this node's: numbers among the lease's."""
    each = jobs.for_each_node(os.environ.get("SLURM_JOB_COMMENT", ""))
    if not each:
        return None
    names = subprocess.run(
        ["scontrol", "show", "hostnames", os.environ.get("SLURM_NODELIST", "")],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        universal_newlines=True,
        timeout=60,
    ).stdout.split()
    first = names.index(os.environ["SLURMD_NODENAME"]) * each
    return ",".join(str(number) for number in range(first, first + each))


def _lines(words: Dict[str, str]) -> str:
    return "".join("%s=%s\n" % word for word in words.items())


def _write(path: str, text: str) -> None:
    """Nobody else sees it at any moment, and its user cannot change it."""
    folder = os.path.dirname(path)
    if not os.path.lexists(folder):
        os.makedirs(folder)
        # Whatever this process's mask is, tasks have to reach their file.
        os.chmod(folder, 0o711)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o022:
        raise ValueError("%s is not a folder of this user's alone" % folder)
    owner = int(os.environ["SLURM_JOB_UID"])
    made = "%s.%d" % (path, os.getpid())
    descriptor = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o400)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            if owner != os.geteuid():
                os.fchown(descriptor, owner, -1)
        os.rename(made, path)
    except BaseException:
        os.unlink(made)
        raise
