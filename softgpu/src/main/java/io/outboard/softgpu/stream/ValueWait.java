// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.stream;

import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.NodeType;
import io.outboard.softgpu.device.Operation;
import io.outboard.wire.Native;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/** Waits until 4 or 8 bytes of memory are as they should; looks again and again. */
public final class ValueWait extends Operation {
  private static final int GREATER_OR_EQUAL = 0;
  private static final int EQUAL = 1;
  private static final int AND = 2;
  private static final int NOR = 3;

  /** {@code CU_STREAM_WAIT_VALUE_FLUSH}: there are no other PCI devices whose writes to flush. */
  private static final int FLUSH = 1 << 30;

  private static final long PAUSE_NANOS = 20_000;

  private final long address;
  private final long value;
  private final int bytes;
  private final int condition;

  public ValueWait(long address, long value, int bytes, int flags) {
    this.address = address;
    this.value = value;
    this.bytes = bytes;
    this.condition = flags & ~FLUSH;
  }

  /** Whether the flags name a condition. */
  public static boolean knows(int flags) {
    int condition = flags & ~FLUSH;
    return condition >= GREATER_OR_EQUAL && condition <= NOR;
  }

  @Override
  public int nodeType() {
    return NodeType.BATCH_MEM_OP;
  }

  @Override
  public void perform(Context context) {
    while (!holds() && context.isActive() && context.error() == 0) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  private boolean holds() {
    VarHandle.fullFence();
    if (bytes == Integer.BYTES) {
      int found = Native.getInt(address);
      int wanted = (int) value;
      return holds(found, wanted, found - wanted);
    }
    long found = Native.getLong(address);
    return holds(found, value, found - value);
  }

  private boolean holds(long found, long wanted, long difference) {
    return switch (condition) {
      case GREATER_OR_EQUAL -> difference >= 0;
      case EQUAL -> found == wanted;
      case AND -> (found & wanted) != 0;
      default -> ~(found | wanted) != 0;
    };
  }
}
