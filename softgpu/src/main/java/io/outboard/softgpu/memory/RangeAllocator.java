// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Divides a range of offsets: best fit, in O(log n) of the number of free pieces; neighbouring free
 * pieces are joined. Not safe for several threads.
 */
final class RangeAllocator {
  /** Start and size of every piece are multiples of this; the vendor's driver aligns alike. */
  static final long ALIGNMENT = 512;

  private final TreeMap<Long, Long> sizeByStart = new TreeMap<>();
  private final TreeSet<Piece> bySize = new TreeSet<>();
  private long free;

  /** Sorted by size, then by start. */
  private record Piece(long size, long start) implements Comparable<Piece> {
    @Override
    public int compareTo(Piece other) {
      int order = Long.compare(size, other.size);
      return order != 0 ? order : Long.compare(start, other.start);
    }
  }

  /** Everything from 0 to {@code size} is free. */
  RangeAllocator(long size) {
    insert(0, size / ALIGNMENT * ALIGNMENT);
  }

  /** The size of a piece for {@code bytes} bytes; negative when there is no such number. */
  static long rounded(long bytes) {
    return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** Takes a piece and returns its start, or -1. */
  long allocate(long bytes) {
    long size = rounded(bytes);
    Piece piece = size > 0 ? bySize.ceiling(new Piece(size, 0)) : null;
    if (piece == null) {
      return -1;
    }
    remove(piece);
    if (piece.size > size) {
      insert(piece.start + size, piece.size - size);
    }
    return piece.start;
  }

  /** Takes a piece that starts at a multiple of a power of two and returns its start, or -1. */
  long allocate(long bytes, long alignment) {
    long size = rounded(bytes);
    long taken = size + alignment - ALIGNMENT;
    long start = allocate(taken);
    if (start < 0) {
      return -1;
    }
    long aligned = (start + alignment - 1) & -alignment;
    giveBack(start, aligned);
    giveBack(aligned + size, start + taken);
    return aligned;
  }

  private void giveBack(long from, long to) {
    if (to > from) {
      release(from, to - from);
    }
  }

  /** Takes the piece of so many bytes at a start; false where some of it is not free. */
  boolean allocateAt(long start, long bytes) {
    long size = rounded(bytes);
    Map.Entry<Long, Long> around = sizeByStart.floorEntry(start);
    if (around == null || around.getKey() + around.getValue() - start < size) {
      return false;
    }
    Piece piece = new Piece(around.getValue(), around.getKey());
    remove(piece);
    if (start > piece.start) {
      insert(piece.start, start - piece.start);
    }
    if (piece.start + piece.size > start + size) {
      insert(start + size, piece.start + piece.size - (start + size));
    }
    return true;
  }

  /** Gives a piece back that {@link #allocate} returned for this many bytes. */
  void release(long start, long bytes) {
    long from = start;
    long size = rounded(bytes);
    Map.Entry<Long, Long> before = sizeByStart.lowerEntry(start);
    if (before != null && before.getKey() + before.getValue() == start) {
      from = before.getKey();
      size += before.getValue();
      remove(new Piece(before.getValue(), before.getKey()));
    }
    Long after = sizeByStart.get(from + size);
    if (after != null) {
      remove(new Piece(after, from + size));
      size += after;
    }
    insert(from, size);
  }

  /** Free bytes in all. */
  long free() {
    return free;
  }

  /** Number of free pieces. */
  int pieces() {
    return bySize.size();
  }

  private void insert(long start, long size) {
    sizeByStart.put(start, size);
    bySize.add(new Piece(size, start));
    free += size;
  }

  private void remove(Piece piece) {
    sizeByStart.remove(piece.start);
    bySize.remove(piece);
    free -= piece.size;
  }
}
