// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.outboard.backend.system.Log;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cupti.CuptiResult;
import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/**
 * The buffers that the host's CUPTI writes records to, on threads of its own. There are so many;
 * without one CUPTI drops records and counts them.
 */
final class VendorBuffers {
  private static final int BYTES = 1 << 20;
  private static final int MOST = 32;

  private final VendorCupti cupti;
  private final LongConsumer records;
  private final Deque<NativeBuffer> free = new ArrayDeque<>();
  private final Map<Long, NativeBuffer> out = new HashMap<>();
  private final NativeBuffer place = new NativeBuffer(Long.BYTES);

  /** {@code records} takes the address of each record while it is there, one at a time. */
  VendorBuffers(VendorCupti cupti, LongConsumer records) {
    this.cupti = cupti;
    this.records = records;
  }

  /** Has CUPTI use them; for good. */
  int register() {
    return cupti.register(
        stub("requested", JAVA_LONG, JAVA_LONG, JAVA_LONG),
        stub("completed", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  }

  private long stub(String name, ValueLayout... arguments) {
    FunctionDescriptor type = FunctionDescriptor.ofVoid(arguments);
    MethodType method = type.toMethodType();
    try {
      MethodHandle body = MethodHandles.lookup().bind(this, name, method);
      return Linker.nativeLinker().upcallStub(body, type, Arena.global()).address();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the method is in this class", e);
    }
  }

  @SuppressWarnings("UnusedMethod") // CUPTI calls it
  private void requested(long buffer, long size, long most) {
    NativeBuffer given = give();
    Native.putLong(buffer, given == null ? 0 : given.address());
    Native.putLong(size, given == null ? 0 : BYTES);
    Native.putLong(most, 0);
  }

  private synchronized NativeBuffer give() {
    NativeBuffer given = free.pollLast();
    if (given == null && out.size() < MOST) {
      given = new NativeBuffer(BYTES);
    }
    if (given != null) {
      out.put(given.address(), given);
    }
    return given;
  }

  @SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // CUPTI calls it
  private void completed(long context, int stream, long buffer, long size, long valid) {
    try {
      read(buffer, Math.min(valid, BYTES));
    } catch (RuntimeException e) {
      Log.warn("records of a device could not be read: " + e);
    } finally {
      takeBack(buffer);
    }
  }

  private synchronized void read(long buffer, long valid) {
    Native.putLong(place.address(), 0);
    while (valid > 0 && cupti.next(buffer, valid, place.address()) == CuptiResult.SUCCESS) {
      records.accept(Native.getLong(place.address()));
    }
  }

  private synchronized void takeBack(long buffer) {
    NativeBuffer back = out.remove(buffer);
    if (back != null) {
      free.addLast(back);
    }
  }
}
