// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.wire.Dispatcher;
import java.util.BitSet;

/** An opened library that keeps no state of threads, and whose driver frees all at the end. */
public record StatelessInstance(
    Dispatcher dispatcher,
    BitSet calls,
    boolean usesDevices,
    HeldDevices held,
    LeasedObjects leased)
    implements LibraryInstance {
  /** One whose objects a lease need not know more of. */
  public StatelessInstance(
      Dispatcher dispatcher, BitSet calls, boolean usesDevices, HeldDevices held) {
    this(dispatcher, calls, usesDevices, held, LeasedObjects.PLAIN);
  }

  @Override
  public void enter(int lane, int thread) {}

  @Override
  public void threadEnded(int thread) {}

  @Override
  public void close() {
    // A driver frees what a process held when that ends.
  }
}
