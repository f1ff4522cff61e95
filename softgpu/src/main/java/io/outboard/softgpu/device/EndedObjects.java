// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.softgpu.base.Handled;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Objects that the program has ended while work of the context was not done. That work still finds
 * them: a kernel names textures and surfaces in its parameters, which nobody looks at before it
 * runs. Handles are not used again so soon that two objects could have the same.
 */
final class EndedObjects {
  /** Most that are kept; a bound, as each is an object that the program thinks is gone. */
  static final int MOST = 4096;

  private final ArrayDeque<Ended> inOrder = new ArrayDeque<>();
  private final Map<Long, Handled> byHandle = new ConcurrentHashMap<>();

  /** An object, and the work that may use it. */
  private record Ended(Handled object, Dependency work) {}

  /** Keeps an object until work is done; there is none where it is null. */
  void keep(Handled object, Dependency work) {
    Dependency oldest = add(object, work);
    while (oldest != null) {
      oldest.await();
      oldest = forgetUnused();
    }
  }

  private synchronized Dependency add(Handled object, Dependency work) {
    if (work != null) {
      inOrder.add(new Ended(object, work));
      byHandle.put(object.handle(), object);
    }
    return forgetUnused();
  }

  /** Returns the work of the oldest where there are too many, else null. */
  private synchronized Dependency forgetUnused() {
    while (!inOrder.isEmpty() && inOrder.peek().work().isReached()) {
      byHandle.remove(inOrder.remove().object().handle());
    }
    return inOrder.size() > MOST ? inOrder.peek().work() : null;
  }

  /** The object of a handle if it is of this kind, else null. */
  <T extends Handled> T get(long handle, Class<T> kind) {
    Handled object = byHandle.get(handle);
    return kind.isInstance(object) ? kind.cast(object) : null;
  }

  /** Forgets all; their work is done. */
  synchronized void clear() {
    inOrder.clear();
    byHandle.clear();
  }
}
