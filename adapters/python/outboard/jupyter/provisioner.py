# SPDX-License-Identifier: Apache-2.0
"""Leases GPUs when a kernel starts, and gives them back when it ends.

The kernel's own process decides: while it lives, the server's process renews the lease; once either
of them is gone, the lease ends within three minutes.
"""

import asyncio
import os
from typing import Any, Callable, Dict, Optional, TypeVar

from jupyter_client.provisioning import LocalProvisioner
from traitlets import Float, Integer, Unicode

from .. import _lease

T = TypeVar("T")


class OutboardProvisioner(LocalProvisioner):  # type: ignore[misc] # traitlets has no types
    """A local kernel with GPUs elsewhere; a restart keeps them."""

    gpus = Integer(1, min=1, help="How many GPUs.").tag(config=True)
    memory = Unicode("", help="Of each GPU, as 20GiB; empty for the share of it.").tag(config=True)
    share = Float(1.0, help="Of each GPU.").tag(config=True)
    model = Unicode("", help="Part of the GPUs' name.").tag(config=True)
    arch = Unicode("", help="Their generation, as hopper.").tag(config=True)
    timeout = Float(60.0, help="Seconds to wait for GPUs.").tag(config=True)

    _taken: Optional[_lease.Lease] = None

    async def pre_launch(self, **kwargs: Any) -> Dict[str, Any]:
        kwargs = await super().pre_launch(**kwargs)
        if self._taken is None or self._taken.lost:
            self._taken = await _in_thread(self._take)
        variables = await _in_thread(self._taken.variables)
        environment = dict(kwargs.get("env") or os.environ)
        environment.update(variables, OUTBOARD_LEASE=self._taken.id)
        kwargs["env"] = environment
        return dict(kwargs)

    async def cleanup(self, restart: bool = False) -> None:
        if not restart:
            await self._give_back()
        await super().cleanup(restart=restart)

    def _take(self) -> _lease.Lease:
        request = _lease.wanted(self.gpus, self.model, self.arch, self.memory or 0, self.share)
        request["consumer"] = "Jupyter's kernel %s" % self.kernel_id
        return _lease.Lease(_lease.server(), request, self.timeout, self._is_used)

    async def _give_back(self) -> None:
        taken, self._taken = self._taken, None
        if taken:
            await _in_thread(taken.release)

    def _is_used(self) -> bool:
        """A server may forget a kernel that died too often, without any word to this object."""
        process = self.process
        return process is not None and process.poll() is None


async def _in_thread(task: Callable[[], T]) -> T:
    """The server answers other people meanwhile."""
    return await asyncio.get_running_loop().run_in_executor(None, task)
