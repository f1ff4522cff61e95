# SPDX-License-Identifier: Apache-2.0
"""A lease for this process and those that it starts.

A lease of three minutes is renewed all the while. So it ends within three minutes after the end of
a process that could not give it back (``kill -9``, a machine that vanished). OUTBOARD_LEASE_SECONDS
is another time than that.
"""

import atexit
import ctypes
import os
import re
import sys
import threading
import time
from types import TracebackType
from typing import Callable, Dict, List, NamedTuple, Optional, Type, Union

from . import _client
from ._api import LIVING, OVER, Answer, Api, ApiError
from ._token import Printed

LIFE = "OUTBOARD_LEASE_SECONDS"
USUAL_LIFE = "180"
# A renewal that is lost does not end the lease.
HEARTBEATS = 4
PAUSE = 0.5

_UNITS = {"": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}


class TooLate(RuntimeError):
    """CUDA or OpenCL was loaded before the lease: this process keeps the library that it has."""


class LeaseLost(RuntimeError):
    """The lease is over though nobody gave it back: it was revoked, or could not be renewed."""


class Device(NamedTuple):
    """A GPU of the pool; ``free`` is the part of it that no lease has, of 1."""

    number: int
    uuid: str
    model: str
    memory: int
    free: float
    failed: str


def server(
    api: Optional[str] = None, token: Optional[str] = None, ca: Optional[str] = None
) -> Api:
    """The pool that arguments name, else OUTBOARD_API, OUTBOARD_API_TOKEN and OUTBOARD_API_CA.

    OUTBOARD_API_TOKEN_COMMAND is a command that prints the token, where that is no variable.
    """
    uris = api or os.environ.get("OUTBOARD_API", "")
    secret = token or os.environ.get("OUTBOARD_API_TOKEN", "")
    command = os.environ.get("OUTBOARD_API_TOKEN_COMMAND", "")
    if not uris or not (secret or command):
        raise ValueError("set OUTBOARD_API (https://HOST:PORT) and OUTBOARD_API_TOKEN")
    authority = ca or os.environ.get("OUTBOARD_API_CA")
    return Api(uris.split(), secret or Printed(command), authority)


def devices(
    api: Optional[str] = None, token: Optional[str] = None, ca: Optional[str] = None
) -> List[Device]:
    """The GPUs of the pool."""
    return [
        Device(
            int(row["number"]),
            str(row["uuid"]),
            str(row["model"]),
            int(row["memory"]),
            0.0 if row["cordoned"] or row["common"] else round(1.0 - float(row["share"]), 3),
            str(row["failed"]),
        )
        for row in server(api, token, ca).devices()
    ]


def lease(
    gpus: int = 1,
    *,
    model: str = "",
    arch: str = "",
    memory: Union[int, str] = 0,
    share: float = 1.0,
    priority: int = 0,
    wait: Optional[float] = None,
    here: bool = True,
    api: Optional[str] = None,
    token: Optional[str] = None,
    ca: Optional[str] = None
) -> "Lease":
    """Leases GPUs until the block, or the process, ends.

    :param memory: of each GPU, bytes or as ``"20GiB"``; 0 for the share of it
    :param wait: seconds after which a request is given up (``TimeoutError``); None waits for ever
    :param here: this process uses the GPUs, and what it starts too; False for others alone, which
        are started with :meth:`Lease.environment`
    :raises TooLate: CUDA or OpenCL is loaded already
    :raises ApiError: the pool refuses, or cannot be reached
    """
    if here:
        refuse_if_late()
    request = wanted(gpus, model, arch, memory, share)
    request["priority"] = priority
    made = Lease(server(api, token, ca), request, wait)
    try:
        if here:
            made.use_here()
    except BaseException:
        made.release()
        raise
    return made


def wanted(gpus: int, model: str, arch: str, memory: Union[int, str], share: float) -> Answer:
    """A request as the interface has it."""
    request: Answer = {"gpus": gpus, "share": share, "memory": size(memory)}
    request.update({name: text for name, text in (("model", model), ("arch", arch)) if text})
    request.update(consumerType="process", consumerId=str(os.getpid()))
    return request


class Lease:
    """GPUs that are this process's until :meth:`release`; a context manager that releases."""

    def __init__(
        self,
        api: Api,
        wanted: Answer,
        wait: Optional[float] = None,
        used: Optional[Callable[[], bool]] = None,
    ) -> None:
        """:param used: asked before each renewal; the lease ends by itself once it is false"""
        self._api = api
        self._owner = os.getpid()
        self._used = used
        self._ended = threading.Event()
        self._before: Dict[str, Optional[str]] = {}
        #: Why the lease is over though nobody gave it back; empty while it is not.
        self.lost = ""
        self._life = max(HEARTBEATS, int(os.environ.get(LIFE, USUAL_LIFE)))
        self._answer = _granted(api, dict(wanted, seconds=self._life), wait)
        atexit.register(self.release)
        threading.Thread(target=self._renew, name="outboard-lease", daemon=True).start()

    @property
    def id(self) -> str:
        return str(self._answer["id"])

    @property
    def gpus(self) -> int:
        return int(self._answer["gpus"])

    @property
    def model(self) -> str:
        return str(self._answer["model"])

    @property
    def memory(self) -> int:
        """Bytes of each GPU; 0 for the share of it."""
        return int(self._answer["memory"])

    def environment(self) -> Dict[str, str]:
        """The variables with which a program that is started uses the GPUs, in place of
        ``os.environ``; for as long as this process lives."""
        return dict(os.environ, **self.variables())

    def variables(self) -> Dict[str, str]:
        """Those alone that are about the lease."""
        self._check()
        token = str(self._answer["token"])
        return _client.environment(self._answer["endpoints"], token, self._owner)

    def use_here(self) -> None:
        """Has this process, and what it starts, use the GPUs."""
        refuse_if_late()
        variables = self.variables()
        self._before = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        # The loader of libraries has read its variables when this process began.
        for folder in variables["LD_LIBRARY_PATH"].split(":"):
            for name in _client.LIBRARIES:
                path = os.path.join(folder, name)
                if os.path.dirname(path) and os.path.exists(path):
                    ctypes.CDLL(path)

    def release(self) -> None:
        """Gives the GPUs back. Calls of programs that still use them fail from then on."""
        if self._ended.is_set() or os.getpid() != self._owner:
            return
        self._ended.set()
        atexit.unregister(self.release)
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        try:
            self._api.release(self.id, "given back")
        except ApiError as error:
            sys.stderr.write("outboard: the lease ends in %d s: %s\n" % (self._life, error))

    def _check(self) -> None:
        if self.lost:
            raise LeaseLost(self.lost)
        if self._ended.is_set():
            raise LeaseLost("the lease was given back")

    def _renew(self) -> None:
        while not self._ended.wait(self._life / HEARTBEATS):
            if self._used and not self._used():
                continue
            try:
                self._api.renew(self.id, self._life)
            except ApiError as error:
                if error.status in (403, 404, 409) and not self._ended.is_set():
                    self.lost = "lease %s is over: %s" % (self.id, error)
                    sys.stderr.write("outboard: %s\n" % self.lost)
                    return

    def __enter__(self) -> "Lease":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.release()


def _granted(api: Api, wanted: Answer, wait: Optional[float]) -> Answer:
    answer = api.request(wanted)
    deadline = None if wait is None else time.monotonic() + wait
    try:
        while answer["state"] not in LIVING:
            if answer["state"] in OVER:
                raise LeaseLost("the request is over: %s" % answer.get("reason"))
            if deadline is not None and time.monotonic() >= deadline:
                raise TimeoutError("the GPUs are not free after %s s" % wait)
            time.sleep(PAUSE)
            answer = api.find(answer["id"])
    except BaseException:
        # Also where a person interrupts the wait.
        api.release(answer["id"], "nobody waits any more")
        raise
    return answer


def size(memory: Union[int, str]) -> int:
    """Bytes, of a number or of a text as 20GiB."""
    if isinstance(memory, int):
        return memory
    words = re.fullmatch(r"(\d+)\s*([KMGT]iB|)", memory)
    if not words:
        raise ValueError("'%s' is no amount of memory, as 20GiB" % memory)
    return int(words.group(1)) * _UNITS[words.group(2)]


def refuse_if_late() -> None:
    loaded = _loaded()
    if loaded:
        raise TooLate(
            "%s is loaded in this process already: lease before the first use of the GPU, as the"
            " first lines of the program; a process has GPUs of one lease. Others are started with"
            " lease(here=False).environment()" % loaded
        )


def _loaded() -> str:
    """A library that a lease would have to come before; empty where there is none."""
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            name = line.rstrip("\n").rpartition("/")[2]
            if re.match(r"lib(cuda|nvidia-ml|OpenCL|outboard)\.so", name):
                return name
    return ""
