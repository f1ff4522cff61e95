// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The mirrored variables of a session, and what each goes with: its module or library, its context,
 * and what these are part of. All of them are named by the driver's own values.
 */
final class KnownVariables {
  /** Most of a session. */
  private static final int MOST = 1 << 16;

  private final TreeMap<Long, MirroredVariable> variables = new TreeMap<>();
  private final Map<Long, Long> wholes = new HashMap<>();

  /** False where there are too many. Known ones stay. */
  synchronized boolean add(MirroredVariable added) {
    MirroredVariable known = variables.get(added.begin());
    if (known != null && known.isSame(added)) {
      added.close();
      return true;
    }
    if (variables.size() >= MOST) {
      added.close();
      return false;
    }
    if (known != null) {
      known.close();
    }
    variables.put(added.begin(), added);
    return true;
  }

  /** Something goes with something else: a library's module with the library. */
  synchronized void isPart(long part, long whole) {
    wholes.put(part, whole);
  }

  /** The variable in which all these bytes lie, or null. */
  synchronized MirroredVariable find(long address, long bytes) {
    Map.Entry<Long, MirroredVariable> entry = variables.floorEntry(address);
    return entry != null && entry.getValue().contains(address, bytes) ? entry.getValue() : null;
  }

  /** Whether some go with it. */
  synchronized boolean anyOf(long whole) {
    return variables.values().stream().anyMatch(variable -> goesWith(variable, whole));
  }

  /** Forgets all that go with it. */
  synchronized void forget(long whole) {
    variables.values().removeIf(variable -> goesWith(variable, whole) && end(variable));
    wholes.values().removeIf(known -> known == whole);
  }

  private static boolean end(MirroredVariable variable) {
    variable.close();
    return true;
  }

  private boolean goesWith(MirroredVariable variable, long whole) {
    return isPartOf(variable.owner(), whole) || isPartOf(variable.context(), whole);
  }

  private boolean isPartOf(long part, long whole) {
    return part == whole || wholes.getOrDefault(part, part) == whole;
  }
}
