// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.base;

import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;

/**
 * All objects that a program knows, by the native value of the handle:
 *
 * <pre>
 *   39         24 23       0
 *   | generation | index + 16 |
 * </pre>
 *
 * <p>An index is reused in the order it was given back, and only when {@link #REUSE_AFTER} others
 * are waiting before it, with another generation, so that a stale handle is noticed. Looking up
 * takes no lock.
 */
public final class HandleTable {
  /** Most objects at a time; a bound, not an aim. */
  static final int CAPACITY = (1 << 24) - 16;

  private static final int INDEX_BITS = 24;
  private static final int INDEX_MASK = (1 << INDEX_BITS) - 1;

  /** From here on values may be those of other hosts (see {@code Hosts}). */
  private static final long END = 1L << 40;

  /** Handles below this value are the vendor's special ones (streams 0, 1 and 2). */
  private static final int FIRST = 16;

  private static final int REUSE_AFTER = 1024;

  private final ArrayDeque<Long> returned = new ArrayDeque<>();
  private volatile AtomicReferenceArray<Handled> objects = new AtomicReferenceArray<>(256);
  private int used;

  /** Gives an object its handle; false when the table is full. */
  public synchronized boolean add(Handled object) {
    long value;
    if (returned.size() > REUSE_AFTER) {
      value = (returned.remove() + (1L << INDEX_BITS)) % END;
    } else if (used < CAPACITY) {
      value = FIRST + (long) used++;
    } else {
      return false;
    }
    object.name(value);
    roomFor(index(value)).set(index(value), object);
    return true;
  }

  /** The object of a handle if it is of this kind, else null. */
  public <T extends Handled> T get(long handle, Class<T> kind) {
    AtomicReferenceArray<Handled> table = objects;
    int index = index(handle);
    if (index < 0 || index >= table.length()) {
      return null;
    }
    Handled object = table.get(index);
    return kind.isInstance(object) && object.handle() == handle ? kind.cast(object) : null;
  }

  /** Visits the objects of a kind that live now. */
  public <T extends Handled> void forEach(Class<T> kind, Consumer<T> visitor) {
    AtomicReferenceArray<Handled> table = objects;
    for (int i = 0; i < table.length(); i++) {
      Handled object = table.get(i);
      if (kind.isInstance(object)) {
        visitor.accept(kind.cast(object));
      }
    }
  }

  /** Ends a handle; false when it has ended already. */
  public synchronized boolean remove(Handled object) {
    int index = index(object.handle());
    if (index < 0 || index >= objects.length() || objects.get(index) != object) {
      return false;
    }
    objects.set(index, null);
    returned.add(object.handle());
    return true;
  }

  private static int index(long handle) {
    return (int) (handle & INDEX_MASK) - FIRST;
  }

  private AtomicReferenceArray<Handled> roomFor(int index) {
    AtomicReferenceArray<Handled> table = objects;
    if (index >= table.length()) {
      AtomicReferenceArray<Handled> larger = new AtomicReferenceArray<>(2 * table.length());
      for (int i = 0; i < table.length(); i++) {
        larger.set(i, table.get(i));
      }
      objects = larger;
    }
    return objects;
  }
}
