// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.SharedPage;
import io.outboard.wire.Callbacks;
import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import io.outboard.wire.Region;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs functions of the client: asks it, and waits until it says that the function has returned.
 * Over shared memory they have a ring to themselves. Then the driver's thread and the client's
 * thread that runs the functions wake each other; else those that read frames come between.
 */
final class ClientCallbacks implements Callbacks {
  /** The position of user data that have a status before them. */
  private static final int BEHIND_STATUS = 2;

  private final Connection connection;
  private final SharedPage page;
  // Of the driver's threads at the ring: the client runs one function after the other anyway.
  private final ReentrantLock turn = new ReentrantLock(true);
  // Null where functions are asked for over the first connection.
  private volatile Connection apart;
  private final Set<Long> running = new HashSet<>();
  private final long[] trampolines = new long[POSITIONS];
  private volatile boolean used;
  private long tickets;
  private boolean closed;

  ClientCallbacks(Connection connection, SharedPage page) {
    this.connection = connection;
    this.page = page;
  }

  @Override
  public synchronized long trampoline(int position) {
    if (trampolines[position] == 0) {
      trampolines[position] = bind(position);
      used = true;
    }
    return trampolines[position];
  }

  /** Whether functions may run whose end is read with the other frames. */
  boolean needReader() {
    return used && apart == null;
  }

  /** Those before the user data are passed over, but for a status: see {@link #body}. */
  private long bind(int position) {
    try {
      MethodHandle run = body(position);
      MemoryLayout[] arguments = new MemoryLayout[position + 1];
      Arrays.fill(arguments, ValueLayout.JAVA_LONG);
      FunctionDescriptor type = FunctionDescriptor.ofVoid(arguments);
      return Linker.nativeLinker().upcallStub(run, type, Arena.global()).address();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the method is in this class", e);
    }
  }

  /** Where the user data come third, the second argument is a status. */
  private MethodHandle body(int position) throws ReflectiveOperationException {
    MethodHandle run =
        MethodHandles.lookup()
            .bind(this, "run", MethodType.methodType(void.class, long.class, long.class));
    return position == BEHIND_STATUS
        ? MethodHandles.dropArguments(run, 0, long.class)
        : MethodHandles.dropArguments(
            MethodHandles.insertArguments(run, 0, 0L),
            0,
            Collections.nCopies(position, long.class));
  }

  /**
   * Called by the driver, on a thread of its own. Of the status an int counts: a narrow argument
   * leaves the rest of its word as it is.
   */
  @SuppressWarnings("UnusedMethod")
  private void run(long status, long number) {
    try {
      Connection own = apart;
      if (own != null) {
        runThrough(own, (int) status, number);
      } else {
        long ticket = begin();
        connection.send(Frame.KIND_CALLBACK, (int) status, body(number, ticket));
        await(ticket);
      }
    } catch (IOException e) {
      Log.debug("a callback could not be sent: " + e.getMessage());
    }
  }

  private static byte[] body(long number, long ticket) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(number)
        .putLong(ticket)
        .array();
  }

  private void runThrough(Connection ring, int status, long number) throws IOException {
    turn.lock();
    try {
      long ticket = ticket();
      ring.send(Frame.KIND_CALLBACK, status, body(number, ticket));
      if (!isDone(ring.next(), ticket)) {
        throw new ProtocolException("an answer to another function than the one that runs");
      }
    } catch (ProtocolException e) {
      ring.shutdown();
      throw new IOException(e.getMessage(), e);
    } finally {
      turn.unlock();
    }
  }

  private static boolean isDone(long frame, long ticket) {
    return Native.getByte(frame + Frame.KIND) == Frame.KIND_CALLBACK_DONE
        && Native.getInt(frame + Frame.LENGTH) == Frame.HEADER + Long.BYTES
        && Native.getLong(frame + Frame.HEADER) == ticket;
  }

  /**
   * Functions go through their ring from here on; false if there is none, or they do so already.
   */
  synchronized boolean goApart() {
    boolean can = apart == null && !closed && connection.further() > Region.FUNCTIONS_SLOT;
    if (can) {
      apart = new Connection(connection.further(Region.FUNCTIONS_SLOT), page);
    }
    return can;
  }

  private synchronized long ticket() {
    return ++tickets;
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

  /**
   * The client says that a function has returned. One that was not asked for is a damaged answer:
   * the driver's thread would wait for the right one for ever.
   */
  synchronized void done(long frame) {
    boolean whole = Native.getInt(frame + Frame.LENGTH) == Frame.HEADER + Long.BYTES;
    if (!whole || !running.remove(Native.getLong(frame + Frame.HEADER))) {
      throw new ProtocolException("a function has returned that was not asked for");
    }
    notifyAll();
  }

  synchronized void close() {
    closed = true;
    notifyAll();
    if (apart != null) {
      apart.shutdown();
    }
  }

  /** Frees what is left of the ring; behind {@link #close}. */
  void free() {
    turn.lock();
    try {
      if (apart != null) {
        apart.close();
      }
    } finally {
      turn.unlock();
    }
  }
}
