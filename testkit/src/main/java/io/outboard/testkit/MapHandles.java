// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.wire.Handles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A session's handles in a map: slow, and easy to look into. */
public final class MapHandles implements Handles {
  private static final long SESSION = 1L << 41;
  private static final long OF_WORKER = 1L << 40;

  private final Map<Long, Entry> entries = new HashMap<>();
  private final Map<Value, Long> handles = new HashMap<>();
  private int minted;

  private record Value(int kind, long value) {}

  private record Entry(Value value, long parent) {}

  /** Creates an empty one. */
  public MapHandles() {}

  /** Mints a handle as a client does. */
  public long mint(int kind) {
    return SESSION | (long) kind << 34 | ++minted;
  }

  /** Number of live handles. */
  public int live() {
    return entries.size();
  }

  /** The owner of a handle, 0 if it has none. */
  public long parent(long handle) {
    return entries.get(handle).parent();
  }

  @Override
  public long resolve(long handle, long kinds) {
    Entry entry = entries.get(handle);
    return entry == null || (kinds >>> entry.value().kind() & 1) == 0
        ? INVALID
        : entry.value().value();
  }

  @Override
  public boolean bind(long handle, int kind, long value, long parent) {
    boolean mintable = (handle & SESSION) != 0 && Handles.kind(handle) == kind;
    Entry entry = new Entry(new Value(kind, value), parent);
    if (!mintable || !entries.getOrDefault(handle, entry).equals(entry)) {
      return false;
    }
    entries.put(handle, entry);
    handles.put(entry.value(), handle);
    return true;
  }

  @Override
  public long adopt(int kind, long value, long parent) {
    Value key = new Value(kind, value);
    Long known = handles.get(key);
    if (known != null) {
      return known;
    }
    long handle = mint(kind) | OF_WORKER;
    entries.put(handle, new Entry(key, parent));
    handles.put(key, handle);
    return handle;
  }

  @Override
  public long known(int kind, long value) {
    return handles.getOrDefault(new Value(kind, value), 0L);
  }

  @Override
  public void give(long handle, long owner) {
    entries.computeIfPresent(handle, (_, entry) -> new Entry(entry.value(), owner));
  }

  @Override
  public void release(long handle) {
    Entry entry = entries.remove(handle);
    if (entry != null) {
      handles.remove(entry.value());
      List<Long> owned =
          entries.entrySet().stream()
              .filter(e -> e.getValue().parent() == handle)
              .map(Map.Entry::getKey)
              .toList();
      owned.forEach(this::release);
    }
  }
}
