// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.wire.Callbacks;
import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;

/**
 * Runs functions of the client: asks it, and waits until it says that the function has returned.
 */
final class ClientCallbacks implements Callbacks {
  private final Connection connection;
  private final Set<Long> running = new HashSet<>();
  private volatile long trampoline;
  private long tickets;
  private boolean closed;

  ClientCallbacks(Connection connection) {
    this.connection = connection;
  }

  @Override
  public synchronized long trampoline() {
    if (trampoline == 0) {
      trampoline = bind();
    }
    return trampoline;
  }

  /** Whether the client has functions that may be run. */
  boolean used() {
    return trampoline != 0;
  }

  private long bind() {
    try {
      MethodHandle run =
          MethodHandles.lookup().bind(this, "run", MethodType.methodType(void.class, long.class));
      FunctionDescriptor type = FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG);
      return Linker.nativeLinker().upcallStub(run, type, Arena.global()).address();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the method is in this class", e);
    }
  }

  /** Called by the driver, on a thread of its own. */
  @SuppressWarnings("UnusedMethod")
  private void run(long number) {
    try {
      long ticket = begin();
      connection.send(
          Frame.KIND_CALLBACK,
          ByteBuffer.allocate(16)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putLong(number)
              .putLong(ticket)
              .array());
      await(ticket);
    } catch (IOException e) {
      Log.debug("a callback could not be sent: " + e.getMessage());
    }
  }

  private synchronized long begin() {
    running.add(++tickets);
    return tickets;
  }

  private synchronized void await(long ticket) {
    while (running.contains(ticket) && !closed) {
      try {
        wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** The client says that a function has returned. */
  synchronized void done(long frame) {
    if (Native.getInt(frame + Frame.LENGTH) >= Frame.HEADER + 8) {
      running.remove(Native.getLong(frame + Frame.HEADER));
      notifyAll();
    }
  }

  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
