// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.library;

import io.outboard.wire.Dispatcher;
import java.util.BitSet;

/** An opened library that keeps no state of threads, and whose driver frees all at the end. */
public record StatelessInstance(
    Dispatcher dispatcher, BitSet calls, boolean usesDevices, HeldDevices held)
    implements LibraryInstance {
  @Override
  public void enter(int lane, int thread) {}

  @Override
  public void threadEnded(int thread) {}

  @Override
  public void close() {
    // A driver frees what a process held when that ends.
  }
}
