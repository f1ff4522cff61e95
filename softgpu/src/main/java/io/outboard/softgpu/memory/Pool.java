// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import io.outboard.softgpu.base.Handled;

/** A pool of memory. It has no memory of its own: it counts. */
public final class Pool extends Handled {
  private final DeviceMemory memory;
  private final long limit;
  private final int handleTypes;
  private final Label label;
  private final long[] settings = {0, 1, 1, 1, 0};
  private long used;
  private long highest;

  /** Makes a pool that holds at most {@code limit} bytes. */
  public Pool(DeviceMemory memory, long limit, int handleTypes) {
    this.memory = memory;
    this.limit = limit;
    this.handleTypes = handleTypes;
    this.label = null;
  }

  /** A pool of another process: nothing is allocated from it. */
  public Pool(DeviceMemory memory, Label label) {
    this.memory = memory;
    this.limit = 0;
    this.handleTypes = label.handleTypes();
    this.label = label;
  }

  /** How it can be shared with other processes. */
  public int handleTypes() {
    return handleTypes;
  }

  /** The label of the pool of another process; null for one of this. */
  public Label label() {
    return label;
  }

  /** The device's memory that it counts. */
  public DeviceMemory memory() {
    return memory;
  }

  /** Allocates, or returns null when there is no room. */
  public Allocation allocate(long bytes, MemoryOwner owner) {
    synchronized (this) {
      if (bytes > limit - used) {
        return null;
      }
      used += bytes;
    }
    Allocation made = memory.allocate(bytes, owner, Allocation.Kind.PLAIN, this);
    synchronized (this) {
      used -= made == null ? bytes : 0;
      highest = Math.max(highest, used);
    }
    return made;
  }

  /** Memory of the pool has been freed. */
  synchronized void released(long bytes) {
    used -= bytes;
  }

  /** Bytes that are allocated. */
  public synchronized long used() {
    return used;
  }

  /** The most there have been. */
  public synchronized long highest() {
    return highest;
  }

  /** Counts the most anew. */
  public synchronized void resetHighest() {
    highest = used;
  }

  /** One of the figures that are only kept, by its number. */
  public synchronized long setting(int attribute) {
    return settings[attribute];
  }

  public synchronized void setting(int attribute, long value) {
    settings[attribute] = value;
  }
}
