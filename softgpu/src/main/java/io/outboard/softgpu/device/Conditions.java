// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The conditions of a machine, by the number that kernels name them with. One lives as long as a
 * graph, an executable or a launch has it, which the garbage collector knows.
 */
public final class Conditions {
  private static final int MOST = 1 << 20;

  private final AtomicLong latest = new AtomicLong();
  private final Map<Long, WeakReference<Condition>> byNumber = new ConcurrentHashMap<>();

  /** Returns the number of a new one; 0 if there are too many. */
  public long add(Condition made) {
    byNumber.values().removeIf(known -> known.refersTo(null));
    if (byNumber.size() >= MOST) {
      return 0;
    }
    long number = latest.incrementAndGet();
    byNumber.put(number, new WeakReference<>(made));
    return number;
  }

  /** Returns the one of a number; null if there is none. */
  public Condition get(long number) {
    WeakReference<Condition> known = byNumber.get(number);
    return known == null ? null : known.get();
  }
}
