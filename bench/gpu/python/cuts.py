# SPDX-License-Identifier: Apache-2.0
"""Runs a program over TCP while its connections are cut again and again.

usage: OUTBOARD=tcp://HOST:PORT cuts.py SEED SECONDS COMMAND...

Every connection of the program goes through this process. At random moments, SECONDS apart on the
average, all of them end, and for up to a second none is accepted. The same seed gives the
same moments. Prints how often that was and exits with the program's status.
"""

import os
import random
import socket
import subprocess
import sys
import threading
import time
import urllib.parse

LONGEST_AWAY = 1.0


class Proxy:
    """Forwards connections, and cuts them."""

    def __init__(self, host, port):
        self._to = (host, port)
        self._lock = threading.Lock()
        self._open = []
        self._away = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            near, _ = self._listener.accept()
            with self._lock:
                if self._away:
                    near.close()
                    continue
                far = socket.create_connection(self._to)
                self._open += [near, far]
            for one in (near, far):
                one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=self._forward, args=(source, target), daemon=True).start()

    @staticmethod
    def _forward(source, target):
        try:
            while data := source.recv(1 << 20):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # The connection was cut.

    @staticmethod
    def _end(connection):
        try:
            connection.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # The peer was first.

    def cut(self, seconds):
        with self._lock:
            self._away = True
            for one in self._open:
                self._end(one)
            self._open.clear()
        time.sleep(seconds)
        with self._lock:
            self._away = False


def main(seed, mean, command):
    url = urllib.parse.urlsplit(os.environ["OUTBOARD"])
    proxy = Proxy(url.hostname, url.port)
    user = url.netloc.rpartition("@")[0]
    place = f"{user}@127.0.0.1:{proxy.port}" if user else f"127.0.0.1:{proxy.port}"
    environment = dict(os.environ, OUTBOARD=urllib.parse.urlunsplit(url._replace(netloc=place)))
    moments = random.Random(seed)
    program = subprocess.Popen(command, env=environment)
    cuts = 0
    while program.poll() is None:
        try:
            program.wait(moments.uniform(0.5, 1.5) * mean)
        except subprocess.TimeoutExpired:
            proxy.cut(moments.uniform(0, LONGEST_AWAY))
            cuts += 1
    print(f"{cuts} cuts", file=sys.stderr)
    return program.returncode


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main(int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]))
