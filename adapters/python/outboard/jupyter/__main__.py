# SPDX-License-Identifier: Apache-2.0
"""``jupyter outboard install``: makes a kernel specification whose kernels lease GPUs."""

import argparse
import json
import os
import sys
import tempfile
from typing import Any, Dict, List, Optional

from .._command import add_options
from .._lease import size

PROVISIONER = "outboard-provisioner"


def main(words: Optional[List[str]] = None) -> None:
    options = _parser().parse_args(words)
    try:
        from jupyter_client.kernelspec import KernelSpecManager
    except ImportError:
        sys.exit("outboard: jupyter_client is not installed in this Python: pip install ipykernel")
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "kernel.json"), "w", encoding="utf-8") as file:
            json.dump(specification(options), file, indent=1)
        os.chmod(folder, 0o755)
        user = options.prefix is None
        place = KernelSpecManager().install_kernel_spec(
            folder, options.name, user=user, prefix=options.prefix
        )
    print("kernel '%s' in %s" % (options.name, place))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="jupyter outboard")
    install = parser.add_subparsers(dest="command", required=True).add_parser(
        "install", help="makes a kernel of this Python with remote GPUs"
    )
    add_options(install)
    install.add_argument("--timeout", type=float, default=60.0, help="seconds to wait for GPUs")
    install.add_argument("--name", default="outboard", help="of the kernel, for commands")
    install.add_argument("--display-name", default="", help="of the kernel, for people")
    install.add_argument("--prefix", help="in %(metavar)s/share/jupyter, for others too")
    return parser


def specification(options: argparse.Namespace) -> Dict[str, Any]:
    size(options.memory)
    settings = {
        name: getattr(options, name)
        for name in ("gpus", "memory", "share", "model", "arch", "timeout")
    }
    return {
        "argv": [
            sys.executable,
            "-m",
            "ipykernel_launcher",
            "-f",
            "{connection_file}",
            "--ext=outboard.jupyter.magic",
        ],
        "display_name": options.display_name
        or "Python 3 (%d remote GPU%s)" % (options.gpus, "" if options.gpus == 1 else "s"),
        "language": "python",
        "interrupt_mode": "signal",
        "metadata": {
            "kernel_provisioner": {"provisioner_name": PROVISIONER, "config": settings}
        },
    }


if __name__ == "__main__":
    main()
