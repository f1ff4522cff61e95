# SPDX-License-Identifier: Apache-2.0
"""Answers Nova in Neutron's place, for machines that have no network: with empty lists."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlparse


class Empty(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        name = urlparse(self.path).path.rstrip("/").rpartition("/")[2].split(".")[0]
        body = json.dumps({name.replace("-", "_"): []} if name else {"versions": []}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Empty).serve_forever()
