// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.graph;

import java.util.HashMap;
import java.util.Map;

/** The objects of the program that a graph or an executable owns, as long as somebody uses it. */
public final class OwnedObjects {
  private final Map<UserObject, Integer> counts = new HashMap<>();
  private int users = 1;

  synchronized boolean isEmpty() {
    return counts.isEmpty();
  }

  /** Takes over owners. */
  public synchronized void add(UserObject object, int count) {
    counts.merge(object, count, Integer::sum);
  }

  /** Gives owners back, at most as many as there are. */
  public synchronized void remove(UserObject object, int count) {
    int owned = counts.getOrDefault(object, 0);
    if (count < owned) {
      counts.put(object, owned - count);
    } else {
      counts.remove(object);
    }
    if (owned > 0) {
      object.release(Math.min(count, owned));
    }
  }

  /** Becomes an owner, once each, of what another one owns. */
  void addAllOf(OwnedObjects other) {
    other.copyTo(this);
  }

  private synchronized void copyTo(OwnedObjects to) {
    counts.forEach(
        (object, count) -> {
          object.retain(count);
          to.add(object, count);
        });
  }

  /** One more user. */
  synchronized void use() {
    users++;
  }

  /** One user less; with the last one all owners are given back. */
  void end() {
    Map<UserObject, Integer> ended = takeAtEnd();
    ended.forEach((object, count) -> object.release(count));
  }

  private synchronized Map<UserObject, Integer> takeAtEnd() {
    users--;
    Map<UserObject, Integer> taken = users == 0 ? Map.copyOf(counts) : Map.of();
    if (users == 0) {
      counts.clear();
    }
    return taken;
  }
}
