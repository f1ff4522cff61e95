// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.memory;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Allocations that other processes have mapped. One that its program frees keeps its place until
 * the last of them has closed it. Not safe for several threads.
 */
final class Loans {
  private final Map<Allocation, Integer> count = new HashMap<>();
  private final Set<Allocation> freed = new HashSet<>();

  void lend(Allocation allocation) {
    count.merge(allocation, 1, Integer::sum);
  }

  /** Whether an allocation that is being freed has to wait; it then is remembered. */
  boolean defers(Allocation allocation) {
    return count.containsKey(allocation) && freed.add(allocation);
  }

  /** One process less; true if the allocation is to be freed now. */
  boolean takeBack(Allocation allocation) {
    Integer left = count.computeIfPresent(allocation, (_, n) -> n > 1 ? n - 1 : null);
    return left == null && freed.remove(allocation);
  }
}
