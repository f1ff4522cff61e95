# SPDX-License-Identifier: Apache-2.0
"""usage: kernel.py NAME

Has a kernel as a Jupyter server has one. Reads lines from standard input, each a command, and
answers each with one line:

    run CODE    runs a cell (its line feeds are written \\n); answers with what the cell prints
    restart     starts it anew, as the server's restarter does
    kill        kills the kernel's process with SIGKILL
    shutdown    as a person or the culler does
"""

import json
import os
import signal
import sys

from jupyter_client.manager import KernelManager


def run(client, code):
    said = []

    def hear(message):
        content = message["content"]
        if message["msg_type"] == "stream":
            said.append(content["text"])
        elif message["msg_type"] == "error":
            said.append("%s: %s" % (content["ename"], content["evalue"]))

    client.execute_interactive(code.replace("\\n", "\n"), output_hook=hear, timeout=600)
    return "".join(said).strip()


def connected(manager):
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=600)
    return client


def main(name):
    manager = KernelManager(kernel_name=name)
    manager.start_kernel()
    client = connected(manager)
    print("ready", flush=True)
    for line in sys.stdin:
        command, _, rest = line.rstrip("\n").partition(" ")
        answer = "done"
        if command == "run":
            answer = run(client, rest)
        elif command == "restart":
            client.stop_channels()
            manager.restart_kernel(now=True)
            client = connected(manager)
        elif command == "kill":
            os.kill(manager.provisioner.pid, signal.SIGKILL)
        elif command == "shutdown":
            client.stop_channels()
            manager.shutdown_kernel()
        print(json.dumps(answer), flush=True)


main(sys.argv[1])
