# SPDX-License-Identifier: Apache-2.0
"""The client's tools, which know how a program is set up; here they are only asked."""

import os
import shutil
import subprocess
from typing import Dict, List, Mapping

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "client", "bin")
TOOLS = ("run", "where", "connect")
# What 'outboard-run' sets of a program's environment.
NAMES = ("OUTBOARD", "LD_LIBRARY_PATH", "LD_PRELOAD", "OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")
# Of a shared library that a program loads by its name, the one that is loaded already is meant.
LIBRARIES = ("libcuda.so.1", "libcuda.so", "libnvidia-ml.so.1", "libOpenCL.so.1")


class ClientError(Exception):
    """The client is not installed, or its backend would not serve a program."""


def tool(name: str) -> str:
    """The path of outboard-NAME: of the wheel, else of the machine."""
    program = "outboard-" + name
    for folder in (os.environ.get("OUTBOARD_CLIENT"), FOLDER):
        if folder and os.path.exists(os.path.join(folder, program)):
            try:
                make_executable(folder)
            except OSError as error:
                raise ClientError("%s: install the wheel again" % error)
            return os.path.join(folder, program)
    found = shutil.which(program)
    if not found:
        help_ = "install the wheel or the package outboard-client"
        raise ClientError("%s is not here: %s" % (program, help_))
    return found


def make_executable(folder: str) -> None:
    """Installers, and programs that unpack, differ in what they keep of a file's mode."""
    # The first starts the others.
    for name in TOOLS:
        program = os.path.join(folder, "outboard-" + name)
        if os.path.exists(program) and not os.access(program, os.X_OK):
            os.chmod(program, 0o755)


def environment(endpoints: List[str], token: str, process: int) -> Dict[str, str]:
    """The variables of a program that uses a lease, for as long as a process lives.

    The backend is asked whether it would serve the program.
    """
    variables = dict(os.environ, OUTBOARD_TOKEN=token)
    refusal = ClientError("the lease has no endpoint")
    for endpoint in _in_order(endpoints):
        try:
            found = _ask(_connect(endpoint, process, variables), variables)
        except ClientError as error:
            refusal = error
            continue
        found["OUTBOARD_TOKEN"] = token
        found["OUTBOARD_FROM"] = found["OUTBOARD"] + " a lease"
        return found
    raise refusal


def _in_order(endpoints: List[str]) -> List[str]:
    """Sockets of this machine first, which share memory with it."""
    here = [each for each in endpoints if each.startswith(("unix:", "shm:"))]
    there = [each for each in endpoints if each not in here]
    return [each for each in here if os.path.exists(each.partition(":")[2])] + there


def _connect(endpoint: str, process: int, variables: Mapping[str, str]) -> str:
    """Starts what encrypts, which ends with the process."""
    if not endpoint.startswith(("tls://", "virtio:")):
        return endpoint
    return _run([tool("connect"), "--for", str(process), endpoint], variables).strip()


def _ask(endpoint: str, variables: Mapping[str, str]) -> Dict[str, str]:
    command = [tool("run"), "--on", endpoint, "--", "/usr/bin/env", "-0"]
    words = _run(command, variables).split("\0")
    found = dict(word.split("=", 1) for word in words if "=" in word)
    return {name: found[name] for name in NAMES if name in found}


def _run(command: List[str], variables: Mapping[str, str]) -> str:
    try:
        ended = subprocess.run(
            command,
            env=dict(variables),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )
    except OSError as error:
        raise ClientError(str(error))
    if ended.returncode != 0:
        raise ClientError(ended.stderr.strip() or "%s: status %d" % (command[0], ended.returncode))
    return ended.stdout
