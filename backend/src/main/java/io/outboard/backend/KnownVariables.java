// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Variables in memory of a driver, and what each goes with: its module or library, its context, and
 * what these are part of. All of them are named by the driver's own values.
 */
final class KnownVariables {
  /** Most of a session. */
  private static final int MOST = 1 << 16;

  private final TreeMap<Long, Variable> variables = new TreeMap<>();
  private final Map<Long, Long> wholes = new HashMap<>();

  private record Variable(long begin, long bytes, long owner, long context) {
    boolean contains(long address, long count) {
      return address >= begin
          && address < begin + bytes
          && count > 0
          && count <= begin + bytes - address;
    }
  }

  /** False where there are too many. */
  synchronized boolean add(long begin, long bytes, long owner, long context) {
    if (variables.size() >= MOST) {
      return false;
    }
    variables.put(begin, new Variable(begin, bytes, owner, context));
    return true;
  }

  /** Something goes with something else: a library's module with the library. */
  synchronized void isPart(long part, long whole) {
    wholes.put(part, whole);
  }

  /** Whether all these bytes lie in one variable. */
  synchronized boolean contains(long address, long bytes) {
    Map.Entry<Long, Variable> entry = variables.floorEntry(address);
    return entry != null && entry.getValue().contains(address, bytes);
  }

  /** Whether some go with it. */
  synchronized boolean anyOf(long whole) {
    return variables.values().stream().anyMatch(variable -> goesWith(variable, whole));
  }

  /** Forgets all that go with it. */
  synchronized void forget(long whole) {
    variables.values().removeIf(variable -> goesWith(variable, whole));
    wholes.values().removeIf(known -> known == whole);
  }

  private boolean goesWith(Variable variable, long whole) {
    return isPartOf(variable.owner, whole) || isPartOf(variable.context, whole);
  }

  private boolean isPartOf(long part, long whole) {
    return part == whole || wholes.getOrDefault(part, part) == whole;
  }
}
