# SPDX-License-Identifier: Apache-2.0
"""The HTTP interface of leases, as docs/openapi.json has it.

Several servers of one pool may be named: the next one is asked where one does not answer. A server
whose answer is an error has answered. Nothing here follows redirections or uses a proxy, as the
token goes along with each request.
"""

import datetime
import http.client
import json
import os
import ssl
import stat
import urllib.parse
from typing import Any, Dict, Iterator, List, Optional, Sequence, Union

from ._token import Printed

# A grant is on the server's disk before it is answered.
TIMEOUT = 30.0
MOST_BYTES = 16 << 20
# States of a lease that has GPUs, or is waiting to have its own back.
LIVING = ("granted", "active", "idle", "suspended", "held", "draining")
OVER = ("released", "revoked", "expired")

Answer = Dict[str, Any]


class ApiError(Exception):
    """The server refuses a request (``status`` is HTTP's), or none answers (``status`` is 0)."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status


def secret(file: str) -> str:
    """The token in a file, which is its owner's alone."""
    with open(file, encoding="ascii") as opened:
        mode = os.fstat(opened.fileno()).st_mode
        if mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise ValueError("%s can be read by others than its owner: chmod 600 %s" % (file, file))
        return opened.read(4096).strip()


def _check(token: str) -> None:
    if not token or not all(33 <= ord(letter) <= 126 for letter in token):
        raise ValueError("the token of the HTTP interface is none: 'outboard token create'")


def seconds_left(lease: Answer) -> Optional[float]:
    """Until a lease ends; None for one that waits for its GPUs."""
    expires = lease.get("expires")
    if not expires:
        return None
    moment = datetime.datetime.strptime(str(expires)[:19] + "+0000", "%Y-%m-%dT%H:%M:%S%z")
    return (moment - datetime.datetime.now(datetime.timezone.utc)).total_seconds()


class Api:
    """A pool, asked with a token."""

    def __init__(
        self, servers: Sequence[str], token: Union[str, Printed], ca: Optional[str] = None
    ) -> None:
        if not servers:
            raise ValueError("no server of the HTTP interface is named, as https://HOST:8471")
        if isinstance(token, str):
            _check(token)
        self._servers = [_server(uri) for uri in servers]
        self._token = token
        self._ca = ca

    def ask(self, method: str, path: str, body: Optional[Answer] = None) -> Answer:
        """Sends a request to the first server that answers, with the next token if one is over."""
        if isinstance(self._token, str):
            return self._ask(method, path, body, self._token)
        try:
            return self._ask(method, path, body, self._token.current())
        except ApiError as error:
            if error.status != 401:
                raise
        return self._ask(method, path, body, self._token.renewed())

    def _ask(self, method: str, path: str, body: Optional[Answer], token: str) -> Answer:
        _check(token)
        failure: Optional[Exception] = None
        for number, server in enumerate(self._servers):
            try:
                answer = self._send(server, method, path, body, token)
                # The next request begins with the one that answered this one.
                self._servers = self._servers[number:] + self._servers[:number]
                return answer
            except ApiError as error:
                if error.status != 503:
                    raise
                failure = error
            except (OSError, http.client.HTTPException, ValueError) as error:
                failure = ApiError(0, "%s does not answer: %s" % (server.geturl(), error))
        assert failure is not None
        raise failure

    def _send(
        self,
        server: urllib.parse.SplitResult,
        method: str,
        path: str,
        body: Optional[Answer],
        token: str,
    ) -> Answer:
        connection = self._connection(server)
        try:
            headers = {"Authorization": "Bearer " + token, "Accept": "application/json"}
            if body is not None:
                headers["Content-Type"] = "application/json"
            text = None if body is None else json.dumps(body).encode()
            connection.request(method, path, text, headers)
            response = connection.getresponse()
            answer = json.loads(response.read(MOST_BYTES) or b"{}")
        finally:
            connection.close()
        if not isinstance(answer, dict):
            raise ValueError("its answer is no object")
        if response.status >= 300:
            raise ApiError(response.status, str(answer.get("detail", response.reason)))
        return answer

    def _connection(self, server: urllib.parse.SplitResult) -> http.client.HTTPConnection:
        host = str(server.hostname)
        if server.scheme == "http":
            return http.client.HTTPConnection(host, server.port or 80, timeout=TIMEOUT)
        trusted = ssl.create_default_context(cafile=self._ca)
        port = server.port or 443
        return http.client.HTTPSConnection(host, port, timeout=TIMEOUT, context=trusted)

    def request(self, wanted: Answer) -> Answer:
        """Asks for a lease, which may have to wait."""
        return self.ask("POST", "/v1/leases", wanted)

    def find(self, lease: str) -> Answer:
        return self.ask("GET", _path(lease))

    def leases(self) -> Iterator[Answer]:
        """Those that are not over."""
        cursor = ""
        while True:
            page = self.ask("GET", "/v1/leases?limit=500" + cursor)
            yield from _list(page, "leases")
            if not page.get("next"):
                return
            cursor = "&cursor=" + urllib.parse.quote(str(page["next"]), safe="")

    def devices(self) -> List[Answer]:
        return _list(self.ask("GET", "/v1/devices"), "devices")

    def renew(self, lease: str, seconds: int) -> Answer:
        return self.ask("POST", _path(lease, "renew"), {"seconds": seconds})

    def release(self, lease: str, reason: str) -> None:
        """Ends a lease; one that is over already stays so."""
        self._change(lease, "release", reason)

    def suspend(self, lease: str, reason: str) -> None:
        self._change(lease, "suspend", reason)

    def resume(self, lease: str) -> None:
        self._change(lease, "resume", "")

    def _change(self, lease: str, verb: str, reason: str) -> None:
        try:
            self.ask("POST", _path(lease, verb), {"reason": reason[:256]})
        except ApiError as error:
            if verb != "release" or error.status not in (404, 409):
                raise


def _server(uri: str) -> urllib.parse.SplitResult:
    server = urllib.parse.urlsplit(uri)
    known = server.scheme in ("http", "https") and server.path in ("", "/")
    if not known or not server.hostname:
        raise ValueError("'%s' is not https://HOST:PORT" % uri)
    if server.scheme == "http" and server.hostname not in ("127.0.0.1", "::1", "localhost"):
        raise ValueError("'%s' would send the token without encryption: https is wanted" % uri)
    return server


def _path(lease: str, verb: str = "") -> str:
    return "/v1/leases/" + urllib.parse.quote(lease, safe="") + (verb and "/" + verb)


def _list(answer: Answer, name: str) -> List[Answer]:
    found = answer.get(name)
    if not isinstance(found, list):
        raise ApiError(0, "the server's answer has no %s" % name)
    return found
