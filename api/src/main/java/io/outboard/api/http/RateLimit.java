// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Lets each asker through so many times a second on the average, and twice as many in a burst. Of
 * the askers those that asked last are remembered, so that many addresses cannot use up memory.
 */
public final class RateLimit {
  private static final int MOST_ASKERS = 10_000;
  private static final double SECOND = 1e9;

  private final double perSecond;
  private final LongSupplier nanos;
  private final Map<String, Bucket> buckets =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
          return size() > MOST_ASKERS;
        }
      };

  private record Bucket(double left, long at) {}

  public RateLimit(int perSecond, LongSupplier nanos) {
    this.perSecond = perSecond;
    this.nanos = nanos;
  }

  /** Whether the asker may ask now; counts it if so. */
  public synchronized boolean admits(String asker) {
    long now = nanos.getAsLong();
    double most = 2 * perSecond;
    Bucket before = buckets.getOrDefault(asker, new Bucket(most, now));
    double left = Math.min(most, before.left() + (now - before.at()) / SECOND * perSecond);
    boolean admitted = left >= 1;
    buckets.put(asker, new Bucket(admitted ? left - 1 : left, now));
    return admitted;
  }
}
