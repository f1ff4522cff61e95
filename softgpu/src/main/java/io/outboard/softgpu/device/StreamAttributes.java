// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Attributes of a stream ({@code CUstreamAttrID}), as a program sets them and reads them back: a
 * software GPU has no cache to keep data in and no domains of memory order.
 */
public final class StreamAttributes {
  /** Bytes of a value ({@code CUlaunchAttributeValue}). */
  public static final int BYTES = 64;

  private static final int ACCESS_POLICY_WINDOW = 1;
  private static final int SYNCHRONIZATION_POLICY = 3;
  private static final int PRIORITY = 8;
  private static final int MEMORY_DOMAINS = 9;
  private static final int MEMORY_DOMAIN = 10;

  private static final Set<Integer> READ =
      Set.of(ACCESS_POLICY_WINDOW, SYNCHRONIZATION_POLICY, PRIORITY, MEMORY_DOMAINS, MEMORY_DOMAIN);

  private final Map<Integer, byte[]> values = new HashMap<>();

  /** Whether streams have an attribute. */
  public static boolean has(int attribute) {
    return READ.contains(attribute);
  }

  /** Whether a program may set it. */
  public static boolean canBeSet(int attribute) {
    return has(attribute) && attribute != SYNCHRONIZATION_POLICY;
  }

  /** The value of an attribute: zeros until it is set. */
  public synchronized byte[] get(int attribute) {
    return values.getOrDefault(attribute, new byte[BYTES]).clone();
  }

  public synchronized void set(int attribute, byte[] value) {
    values.put(attribute, Arrays.copyOf(value, BYTES));
  }

  /** Takes over all of another stream. */
  public void copy(StreamAttributes from) {
    for (int attribute : READ) {
      set(attribute, from.get(attribute));
    }
  }
}
