// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import io.outboard.softgpu.launch.LaunchAttributes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Attributes of a kernel's node ({@code CUkernelNodeAttrID}), as a program sets them and reads them
 * back: they are hints for a device that has a cache, clusters or domains of memory order.
 */
public final class NodeAttributes {
  /** Bytes of a value ({@code CUlaunchAttributeValue}). */
  public static final int BYTES = 64;

  /** Window, cooperative, cluster's dimension and scheduling, priority, domains, carve-out. */
  private static final Set<Integer> READ = Set.of(1, 2, 4, 5, 8, 9, 10, 13, 14);

  /** The largest cluster, which is asked of a kernel. */
  private static final int PORTABLE_CLUSTER = 16;

  private final Map<Integer, byte[]> values = new HashMap<>();

  /** Whether nodes tell an attribute. */
  public static boolean has(int attribute) {
    return READ.contains(attribute);
  }

  /** Whether nodes take it. */
  public static boolean canBeSet(int attribute) {
    return has(attribute) || attribute == PORTABLE_CLUSTER;
  }

  /** Whether a launch with a value at an address does here what it does elsewhere. */
  public static boolean isServed(int attribute, long value) {
    return LaunchAttributes.isPossible(attribute, value)
        && !LaunchAttributes.isCooperative(attribute, value);
  }

  /** The value of an attribute: zeros until it is set. */
  public synchronized byte[] get(int attribute) {
    return values.getOrDefault(attribute, new byte[BYTES]).clone();
  }

  public synchronized void set(int attribute, byte[] value) {
    values.put(attribute, Arrays.copyOf(value, BYTES));
  }

  /** Takes over all of another node. */
  public void copy(NodeAttributes from) {
    for (int attribute : READ) {
      set(attribute, from.get(attribute));
    }
  }
}
