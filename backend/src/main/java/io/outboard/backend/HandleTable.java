// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import io.outboard.wire.ProtocolException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The handles of one session. Looking one up takes no lock and allocates nothing; making and ending
 * them does.
 *
 * <p>The frontend and this side mint from index spaces of their own: bit 40 of a handle says whose
 * it is.
 */
final class HandleTable implements Handles {
  private static final int KINDS = 64;
  private static final long WORKER_MINTED = 1L << 40;

  private final long session;
  private final Side[] client = new Side[KINDS];
  private final Side[] worker = new Side[KINDS];
  private final Map<Owned, Long> adopted = new HashMap<>();
  private final Map<Long, Children> children = new HashMap<>();
  private int live;

  private record Owned(int kind, long value) {}

  /** The handles that die with their owner. */
  private static final class Children {
    private long[] handles = new long[4];
    private int count;

    void add(long handle) {
      if (count == handles.length) {
        handles = Arrays.copyOf(handles, 2 * count);
      }
      handles[count++] = handle;
    }
  }

  /** The handles of one kind that one side mints. */
  private static final class Side {
    private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(long[].class);

    /** Two words a slot: the handle (0 if free), and the library's value. */
    private volatile long[] slots = new long[128];

    private int next = 1;

    long value(long handle) {
      long[] now = slots;
      int at = 2 * index(handle);
      if (at >= now.length || (long) SLOTS.getAcquire(now, at) != handle) {
        return INVALID;
      }
      return now[at + 1];
    }

    long valueAt(int index) {
      long[] now = slots;
      int at = 2 * index;
      return at < now.length && (long) SLOTS.getAcquire(now, at) != 0 ? now[at + 1] : INVALID;
    }

    long handleAt(int index) {
      long[] now = slots;
      return 2 * index < now.length ? now[2 * index] : 0;
    }

    void put(long handle, long value) {
      int at = 2 * index(handle);
      if (at >= slots.length) {
        slots = Arrays.copyOf(slots, Math.max(2 * slots.length, at + 2));
      }
      slots[at + 1] = value;
      SLOTS.setRelease(slots, at, handle);
    }

    void clear(long handle) {
      SLOTS.setRelease(slots, 2 * index(handle), 0L);
    }
  }

  /** Makes an empty table. */
  HandleTable(int tag) {
    session = (long) (tag & 63) << 41;
    for (int kind = 0; kind < KINDS; kind++) {
      client[kind] = new Side();
      worker[kind] = new Side();
    }
  }

  @Override
  public long resolve(long handle, long kinds) {
    int kind = Handles.kind(handle);
    if (handle >>> 47 != 0 || (kinds >>> kind & 1) == 0) {
      return INVALID;
    }
    return side(handle, kind).value(handle);
  }

  /**
   * The value of the frontend's handle of a kind and index, whatever its generation: a lane's
   * context.
   */
  long valueAt(int kind, int index) {
    return client[kind].valueAt(index);
  }

  @Override
  public synchronized boolean bind(long handle, int kind, long value, long parent) {
    int index = Handles.index(handle);
    boolean mintedThere =
        (handle & WORKER_MINTED) == 0 && handle >>> 47 == 0 && Handles.kind(handle) == kind;
    if (!mintedThere || index == 0) {
      return false;
    }
    long before = client[kind].handleAt(index);
    if (before != 0) {
      return before == handle && client[kind].value(handle) == value;
    }
    client[kind].put(handle, value);
    adopted.put(new Owned(kind, value), handle);
    remember(handle, parent);
    return true;
  }

  @Override
  public synchronized long adopt(int kind, long value, long parent) {
    Long known = adopted.get(new Owned(kind, value));
    if (known != null) {
      return known;
    }
    Side side = worker[kind];
    if (side.next >= Limits.HANDLES) {
      throw new ProtocolException("more than " + Limits.HANDLES + " handles of kind " + kind);
    }
    long handle = session | WORKER_MINTED | (long) kind << 34 | side.next++;
    side.put(handle, value);
    adopted.put(new Owned(kind, value), handle);
    remember(handle, parent);
    return handle;
  }

  private void remember(long handle, long parent) {
    live++;
    if (parent != 0) {
      children.computeIfAbsent(parent, unused -> new Children()).add(handle);
    }
  }

  @Override
  public synchronized void release(long handle) {
    int kind = Handles.kind(handle);
    Side side = side(handle, kind);
    long value = side.value(handle);
    if (value == INVALID) {
      return;
    }
    side.clear(handle);
    adopted.remove(new Owned(kind, value));
    live--;
    Children owned = children.remove(handle);
    for (int i = 0; owned != null && i < owned.count; i++) {
      release(owned.handles[i]);
    }
  }

  /** Handles that are alive. */
  synchronized int live() {
    return live;
  }

  private Side side(long handle, int kind) {
    return (handle & WORKER_MINTED) == 0 ? client[kind] : worker[kind];
  }

  private static int index(long handle) {
    return Handles.index(handle);
  }
}
