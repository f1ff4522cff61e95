// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.opencl;

import io.outboard.backend.devices.DriverOutput;
import io.outboard.backend.library.HeldDevices;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.library.StatelessInstance;
import io.outboard.backend.library.WarmUpScript;
import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverDispatcher;
import io.outboard.opencl.OpenClDriverRemote;
import io.outboard.opencl.OpenClDriverTable;
import io.outboard.opencl.OpenClResult;
import io.outboard.opencl.transfer.Landings;
import io.outboard.wire.Caller;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.IntConsumer;

/** Calls of OpenCL that programs make again and again: arguments, starts, transfers and waits. */
public final class OpenClWarmUp implements WarmUpScript {
  private final Optional<OpenClWarmUpCalls> refused;
  private int opened;

  /**
   * @param host the host's library, which refuses calls without objects before it looks at any
   *     platform: the way into it is warmed up too
   */
  public OpenClWarmUp(Optional<? extends OpenClDriver> host) {
    refused = host.map(driver -> new OpenClWarmUpCalls(driver, OpenClWarmUpCalls.NOTHING));
  }

  @Override
  public int number() {
    return OpenClDriverTable.ID;
  }

  /** With those of the decorators that concern these calls. */
  @Override
  public LibraryInstance open(SessionContext context) {
    OpenClDriver host = NoOpOpenCl.driver(opened++);
    OpenClDriver served =
        OpenClService.awaited(host, new Landings(host), context, DriverOutput::silent);
    return new StatelessInstance(
        new OpenClDriverDispatcher(served), new BitSet(), false, HeldDevices.UNKNOWN);
  }

  @Override
  public Part begin(Caller caller, IntConsumer lane) {
    OpenClDriver remote = new OpenClDriverRemote(caller);
    OpenClWarmUpCalls calls = new OpenClWarmUpCalls(remote, OpenClWarmUpCalls.open(remote));
    return () -> {
      refused.ifPresent(OpenClWarmUpCalls::make);
      return calls.make() == OpenClResult.SUCCESS;
    };
  }
}
