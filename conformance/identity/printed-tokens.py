# SPDX-License-Identifier: Apache-2.0
"""usage: printed-tokens.py PACKAGE FOLDER

A server that takes one token at a time, and the package in the folder PACKAGE, which asks it with a
token that a command prints: anew only where the server refuses it. FOLDER is for files.
"""

import http.server
import json
import os
import sys
import threading

sys.path.insert(0, sys.argv[1])
os.chdir(sys.argv[2])

from outboard._api import Api, ApiError  # noqa: E402
from outboard._token import Printed  # noqa: E402

seen = []


def text(file):
    with open(file, encoding="ascii") as opened:
        return opened.read()


def write(file, content):
    with open(file, "w", encoding="ascii") as opened:
        opened.write(content)


class Office(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        seen.append(self.headers["Authorization"])
        good = seen[-1] == "Bearer " + text("good")
        answer = json.dumps({"devices": []} if good else {"detail": "it is over"}).encode()
        self.send_response(200 if good else 401)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *words):
        pass


def refused(api, kind):
    try:
        api.devices()
    except kind:
        return
    sys.exit("no %s" % kind.__name__)


office = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Office)
threading.Thread(target=office.serve_forever, daemon=True).start()
write("good", "first")
write("next", "echo asked >>asked; cat good\n")
api = Api(["http://127.0.0.1:%d" % office.server_port], Printed("sh next"))
api.devices()
api.devices()
assert text("asked") == "asked\n", "a good token is not printed anew"
write("good", "second")
api.devices()
assert seen == ["Bearer first"] * 3 + ["Bearer second"], seen
write("good", "third")
write("next", "echo bad\n")
refused(api, ApiError)
write("next", "exit 3\n")
refused(api, ValueError)
print("passed")
