// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl.vendor;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClDriverForwarding;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Native;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The errors that the host's library tells contexts' functions of, until the client has asked for
 * them. The client's function runs on a thread of its own here: the library tells of an error
 * within a call, which holds up the client's next ones.
 */
public final class ContextErrors extends OpenClDriverForwarding {
  /** Most errors of a context that wait; later ones are not told of. */
  private static final int MOST = 1024;

  private static final int MOST_BYTES = 64 << 10;

  private static final FunctionDescriptor CLIENTS = FunctionDescriptor.ofVoid(JAVA_LONG);

  /** Of {@code clCreateContext}'s function: text, two of the vendor's, and what it was given. */
  private static final int WORDS = 4;

  private final VendorOpenCl vendor;
  private final Map<Long, Watcher> watchers = new ConcurrentHashMap<>();
  private final HostCallback callback = new HostCallback(WORDS, this::report);

  /** Whether what the library tells of is nothing that the client has asked for. */
  private final ThreadLocal<Boolean> unasked = ThreadLocal.withInitial(() -> false);

  /**
   * The function to tell.
   *
   * @param function the client's function, as it is called here
   * @param data what it is given
   */
  private record Watcher(long function, long data, Queue<byte[]> errors) {}

  /** Adds it to what serves a session's calls. */
  public ContextErrors(VendorOpenCl vendor, OpenClDriver served) {
    super(served);
    this.vendor = vendor;
  }

  @Override
  public int outboardCreateWatchedContext(
      long platform,
      int numDevices,
      long devices,
      long watcher,
      long notify,
      long data,
      long made) {
    Watcher its = new Watcher(notify, data, new LinkedBlockingQueue<>(MOST));
    if (notify == 0 || watchers.putIfAbsent(watcher, its) != null) {
      return OpenClResult.INVALID_VALUE;
    }
    int result =
        vendor.createContext(platform, numDevices, devices, callback.address(), watcher, made);
    if (result != OpenClResult.SUCCESS) {
      watchers.remove(watcher);
    }
    return result;
  }

  @Override
  public int outboardContextError(long watcher, long size, long text) {
    Watcher its = watchers.get(watcher);
    if (its == null || size < 1 || text == 0) {
      return OpenClResult.INVALID_VALUE;
    }
    byte[] error = its.errors().poll();
    if (error == null) {
      return OpenClResult.NOT_READY;
    }
    int bytes = (int) Math.min(error.length, size - 1);
    MemorySegment.copy(error, 0, Native.MEMORY, JAVA_BYTE, text, bytes);
    Native.putByte(text + bytes, (byte) 0);
    return OpenClResult.SUCCESS;
  }

  @Override
  public int outboardLockArea(long queue, long place, long bytes) {
    unasked.set(true);
    try {
      return super.outboardLockArea(queue, place, bytes);
    } finally {
      unasked.set(false);
    }
  }

  /** Called by the library, on any thread. */
  private void report(long text, long watcher) {
    Watcher its = unasked.get() ? null : watchers.get(watcher);
    if (its != null && its.errors().offer(bytes(text))) {
      Thread.ofPlatform().daemon().name("context error").start(() -> run(its));
    }
  }

  private static byte[] bytes(long text) {
    int length = 0;
    while (text != 0 && length < MOST_BYTES && Native.getByte(text + length) != 0) {
      length++;
    }
    byte[] copy = new byte[length];
    MemorySegment.copy(Native.MEMORY, JAVA_BYTE, text, copy, 0, length);
    return copy;
  }

  private static void run(Watcher watcher) {
    try {
      Linker.nativeLinker()
          .downcallHandle(MemorySegment.ofAddress(watcher.function()), CLIENTS)
          .invokeExact(watcher.data());
    } catch (Throwable e) {
      throw new AssertionError("a native function does not throw", e);
    }
  }
}
