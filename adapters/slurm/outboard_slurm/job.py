# SPDX-License-Identifier: Apache-2.0
"""A job, as Slurm tells prologs and epilogs of it."""

import os
import re
import subprocess
from typing import Dict, List, NamedTuple, Optional

# A number of licences of remote GPUs, of any model or of one.
_LICENCE = re.compile(r"rgpu(?:_(?P<model>[A-Za-z0-9.-]+))?(?:[:=](?P<count>\d{1,4}))?")
# What outboard.lua writes into the comment of a job with --gres: GPUs for each node.
_FOR_EACH_NODE = re.compile(r"(?:^|\s)rgpu(?::[A-Za-z0-9.-]+)?:(\d{1,4})/node(?:\s|$)")
_TIME = re.compile(r"(?:(\d+)-)?(?:(?:(\d+):)?(\d+):)?(\d+)")


class Wanted(NamedTuple):
    """GPUs of a job, all its nodes together; an empty model is any."""

    gpus: int
    model: str


class Job:
    def __init__(self, number: str, cluster: str, user: str) -> None:
        if not re.fullmatch(r"\d{1,10}", number):
            raise ValueError("'%s' is no number of a job" % number)
        self.number = number
        self.consumer = "%s/%s" % (cluster, number)
        self.user = user


def current() -> Job:
    """That of this prolog or epilog."""
    variables = os.environ
    return Job(
        variables.get("SLURM_JOB_ID", ""),
        variables.get("SLURM_CLUSTER_NAME", "cluster"),
        variables.get("SLURM_JOB_USER", ""),
    )


def wanted(licences: str) -> Optional[Wanted]:
    """What a list of licences has of remote GPUs. Those of a model are counted in ``rgpu`` too."""
    counts: Dict[str, int] = {}
    for word in re.split("[,;]", licences):
        found = _LICENCE.fullmatch(word.strip())
        if found:
            model = found.group("model") or ""
            counts[model] = counts.get(model, 0) + int(found.group("count") or 1)
    models = sorted(model for model in counts if model)
    if len(models) > 1:
        raise ValueError("a job has remote GPUs of one model: %s" % licences)
    model = models[0] if models else ""
    gpus = max(counts.values(), default=0)
    return Wanted(gpus, model) if gpus else None


def for_each_node(comment: str) -> int:
    """How many GPUs a job has on each node; 0 where all of its nodes have all."""
    found = _FOR_EACH_NODE.search(comment)
    return int(found.group(1)) if found else 0


class Listed(NamedTuple):
    """A job in Slurm's list; ``left`` is in seconds, None without a limit."""

    number: str
    state: str
    left: Optional[int]


def listed(number: str = "") -> List[Listed]:
    """The jobs that Slurm has, or one of them and the others of its array."""
    command = ["squeue", "--noheader", "--states=all", "--format=%A|%T|%L"]
    answer = subprocess.run(
        command + (["--jobs=" + number] if number else []),
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        universal_newlines=True,
        timeout=60,
    ).stdout
    rows = (line.strip().split("|") for line in answer.splitlines() if line.strip())
    return [Listed(row[0], row[1], seconds(row[2])) for row in rows]


def seconds(text: str) -> Optional[int]:
    """A time that Slurm writes as [DAYS-][[HOURS:]MINUTES:]SECONDS; None for any other word."""
    time = _TIME.fullmatch(text)
    if not time:
        return None
    days, hours, minutes, rest = (int(part or 0) for part in time.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + rest


def limit(number: str) -> Optional[int]:
    """For how long a job that begins may run; None without a limit."""
    for each in listed(number):
        if each.number == number:
            return each.left
    raise ValueError("Slurm does not list job %s" % number)
