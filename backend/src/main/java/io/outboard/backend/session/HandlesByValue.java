// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

/**
 * From a library's value to its handle: open addressing with linear probing, in primitives. For who
 * holds the table's lock.
 */
final class HandlesByValue {
  private static final int FIRST_SIZE = 256;
  private static final long GOLDEN = 0x9E3779B97F4A7C15L;

  private long[] values = new long[FIRST_SIZE];
  private byte[] kinds = new byte[FIRST_SIZE];
  // 0 where the place is free.
  private long[] handles = new long[FIRST_SIZE];
  private int count;

  /** The handle of a value, 0 if it has none. */
  long find(int kind, long value) {
    return handles[place(kind, value)];
  }

  /** Gives a value its handle, in place of one that it has. */
  void put(int kind, long value, long handle) {
    if (2 * (count + 1) > handles.length) {
      grow();
    }
    int at = place(kind, value);
    count += handles[at] == 0 ? 1 : 0;
    set(at, kind, value, handle);
  }

  /** Takes a value's handle away, unless the value has another one by now. */
  void remove(int kind, long value, long handle) {
    int at = place(kind, value);
    if (handles[at] != handle) {
      return;
    }
    count--;
    handles[at] = 0;
    for (int next = after(at); handles[next] != 0; next = after(next)) {
      moveUp(next);
    }
  }

  /** Puts an entry where a search now finds it: a place before it has become free. */
  private void moveUp(int from) {
    long handle = handles[from];
    handles[from] = 0;
    set(place(kinds[from], values[from]), kinds[from], values[from], handle);
  }

  private void set(int at, int kind, long value, long handle) {
    kinds[at] = (byte) kind;
    values[at] = value;
    handles[at] = handle;
  }

  /** Where the value is, or the free place where it would be. */
  private int place(int kind, long value) {
    long hash = (value ^ (long) kind << 56) * GOLDEN;
    int at = (int) (hash >>> 32) & (handles.length - 1);
    while (handles[at] != 0 && (values[at] != value || kinds[at] != kind)) {
      at = after(at);
    }
    return at;
  }

  private int after(int place) {
    return (place + 1) & (handles.length - 1);
  }

  private void grow() {
    long[] oldValues = values;
    byte[] oldKinds = kinds;
    long[] oldHandles = handles;
    values = new long[2 * oldValues.length];
    kinds = new byte[2 * oldKinds.length];
    handles = new long[2 * oldHandles.length];
    for (int i = 0; i < oldHandles.length; i++) {
      if (oldHandles[i] != 0) {
        set(place(oldKinds[i], oldValues[i]), oldKinds[i], oldValues[i], oldHandles[i]);
      }
    }
  }
}
