// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.wire.Handles;
import io.outboard.wire.Limits;
import io.outboard.wire.ProtocolException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/**
 * The handles of one session. Looking one up takes no lock; nothing here allocates but to grow.
 *
 * <p>The frontend and this side mint from index spaces of their own: bit 40 of a handle says whose
 * it is.
 */
final class HandleTable implements Handles {
  private static final int KINDS = 64;
  private static final int GENERATIONS = 1 << 14;
  private static final int GENERATION_SHIFT = 20;
  private static final int KIND_SHIFT = 34;
  private static final int TAG_SHIFT = 41;
  private static final int FOREIGN_SHIFT = 47;
  private static final long WORKER_MINTED = 1L << 40;

  private static final long RELEASE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

  private final long minted;
  private final HandleSlots[] clients = new HandleSlots[KINDS];
  private final HandleSlots[] workers = new HandleSlots[KINDS];
  private final HandlesByValue byValue = new HandlesByValue();
  // Told of handles that have ended; under the monitor, so that it must not call back.
  private volatile LongConsumer ends = _ -> {};
  private volatile int live;
  private int waiting;

  /**
   * Makes an empty table; {@code tag} are the bits of handles that say of which session they are.
   */
  HandleTable(int tag) {
    minted = (long) (tag & 63) << TAG_SHIFT | WORKER_MINTED;
    for (int kind = 0; kind < KINDS; kind++) {
      clients[kind] = new HandleSlots();
      workers[kind] = new HandleSlots();
    }
  }

  /** Has somebody told of each handle that ends, before there are any. */
  void onEnd(LongConsumer told) {
    ends = told;
  }

  @Override
  public long resolve(long handle, long kinds) {
    int kind = Handles.kind(handle);
    if (handle >>> FOREIGN_SHIFT != 0 || (kinds >>> kind & 1) == 0) {
      return INVALID;
    }
    return slots(handle).value(handle);
  }

  /** The value of the client's handle of a kind and index, whatever its generation. */
  long valueAt(int kind, int index) {
    HandleSlots slots = clients[kind];
    long handle = slots.handleAt(index);
    return handle == 0 ? INVALID : slots.value(handle);
  }

  /** The client's handle of a kind and index, 0 if none lives. */
  long handleAt(int kind, int index) {
    return clients[kind].handleAt(index);
  }

  @Override
  public synchronized boolean bind(long handle, int kind, long value, long parent) {
    boolean clients = (handle & WORKER_MINTED) == 0 && handle >>> FOREIGN_SHIFT == 0;
    int index = Handles.index(handle);
    if (!clients || Handles.kind(handle) != kind || index == 0 || value == INVALID) {
      return false;
    }
    HandleSlots slots = slots(handle);
    long before = slots.handleAt(index);
    if (before != 0 && before != handle) {
      before = awaitRelease(slots, index);
    }
    if (before != 0) {
      return before == handle && slots.value(handle) == value;
    }
    add(slots, handle, kind, value, parent);
    return true;
  }

  /**
   * The client has ended the index's last handle before it minted this one, but the call that ends
   * it may still be queued in another lane.
   */
  private long awaitRelease(HandleSlots slots, int index) {
    long deadline = System.nanoTime() + RELEASE_TIMEOUT_NS;
    long left = RELEASE_TIMEOUT_NS;
    waiting++;
    while (slots.handleAt(index) != 0 && left > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, left);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
      left = deadline - System.nanoTime();
    }
    waiting--;
    return slots.handleAt(index);
  }

  @Override
  public synchronized long adopt(int kind, long value, long parent) {
    long known = byValue.find(kind, value);
    if (known != 0) {
      return known;
    }
    HandleSlots slots = workers[kind];
    int index = slots.takeIndex();
    if (index >= Limits.HANDLES) {
      throw new ProtocolException("more than " + Limits.HANDLES + " handles of kind " + kind);
    }
    long generation = slots.nextGeneration(index) & (GENERATIONS - 1);
    long handle = minted | (long) kind << KIND_SHIFT | generation << GENERATION_SHIFT | index;
    add(slots, handle, kind, value, parent);
    return handle;
  }

  @Override
  public synchronized long known(int kind, long value) {
    return byValue.find(kind, value);
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // All writers hold the monitor.
  private void add(HandleSlots slots, long handle, int kind, long value, long parent) {
    slots.put(handle, value);
    byValue.put(kind, value, handle);
    live++;
    if (parent != 0 && parent != handle && slots(parent).value(parent) != INVALID) {
      adoptChild(slots, handle, parent);
    }
  }

  private void adoptChild(HandleSlots slots, long handle, long parent) {
    HandleSlots owners = slots(parent);
    long sibling = owners.link(parent, HandleSlots.CHILD);
    slots.link(handle, HandleSlots.OWNER, parent);
    slots.link(handle, HandleSlots.NEXT, sibling);
    owners.link(parent, HandleSlots.CHILD, handle);
    if (sibling != 0) {
      slots(sibling).link(sibling, HandleSlots.PREVIOUS, handle);
    }
  }

  /** An object that owns itself, or its owner, stays where it is. */
  @Override
  public synchronized void give(long handle, long owner) {
    boolean alive = slots(handle).value(handle) != INVALID && slots(owner).value(owner) != INVALID;
    if (alive && !owns(handle, owner)) {
      leaveOwner(handle);
      slots(handle).link(handle, HandleSlots.PREVIOUS, 0);
      adoptChild(slots(handle), handle, owner);
    }
  }

  private boolean owns(long handle, long owned) {
    long at = owned;
    while (at != 0 && at != handle) {
      at = slots(at).link(at, HandleSlots.OWNER);
    }
    return at == handle;
  }

  @Override
  public synchronized void release(long handle) {
    if (handle >>> FOREIGN_SHIFT == 0 && slots(handle).value(handle) != INVALID) {
      leaveOwner(handle);
      releaseTree(handle);
      if (waiting > 0) {
        notifyAll();
      }
    }
  }

  private void leaveOwner(long handle) {
    HandleSlots slots = slots(handle);
    long next = slots.link(handle, HandleSlots.NEXT);
    long previous = slots.link(handle, HandleSlots.PREVIOUS);
    long owner = slots.link(handle, HandleSlots.OWNER);
    if (next != 0) {
      slots(next).link(next, HandleSlots.PREVIOUS, previous);
    }
    if (previous != 0) {
      slots(previous).link(previous, HandleSlots.NEXT, next);
    } else if (owner != 0) {
      slots(owner).link(owner, HandleSlots.CHILD, next);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // All writers hold the monitor.
  private void releaseTree(long handle) {
    HandleSlots slots = slots(handle);
    for (long child = slots.link(handle, HandleSlots.CHILD); child != 0; ) {
      long next = slots(child).link(child, HandleSlots.NEXT);
      releaseTree(child);
      child = next;
    }
    ends.accept(handle);
    byValue.remove(Handles.kind(handle), slots.value(handle), handle);
    slots.clear(handle);
    live--;
    if ((handle & WORKER_MINTED) != 0) {
      slots.giveIndex(Handles.index(handle));
    }
  }

  /** Handles that are alive. */
  int live() {
    return live;
  }

  private HandleSlots slots(long handle) {
    return ((handle & WORKER_MINTED) == 0 ? clients : workers)[Handles.kind(handle)];
  }
}
