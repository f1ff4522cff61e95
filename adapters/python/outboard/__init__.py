# SPDX-License-Identifier: Apache-2.0
"""Runs unmodified CUDA and OpenCL programs on GPUs that are somewhere else.

::

    import outboard

    with outboard.lease(gpus=1, memory="20GiB"):
        import torch
        ...

The pool is that of OUTBOARD_API and OUTBOARD_API_TOKEN (docs/jupyter.md). Nothing but Python's
standard library is needed.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._api import ApiError
    from ._client import ClientError
    from ._lease import Device, Lease, LeaseLost, TooLate, devices, lease

__all__ = [
    "ApiError",
    "ClientError",
    "Device",
    "Lease",
    "LeaseLost",
    "TooLate",
    "devices",
    "lease",
]

_PLACES = {"ApiError": "._api", "ClientError": "._client"}


def __getattr__(name: str) -> Any:
    """Loads what is asked for: the client's commands and hooks of Slurm begin here, too."""
    if name not in __all__:
        raise AttributeError("module 'outboard' has no attribute '%s'" % name)
    import importlib

    return getattr(importlib.import_module(_PLACES.get(name, "._lease"), __name__), name)
