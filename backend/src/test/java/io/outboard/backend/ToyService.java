// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.LibraryService;
import io.outboard.backend.library.SessionContext;
import io.outboard.testkit.ToyDispatcher;
import io.outboard.testkit.ToyDriver;
import io.outboard.testkit.ToyTable;
import io.outboard.wire.Dispatcher;
import java.util.BitSet;

/** The toy library in a worker. */
public final class ToyService implements LibraryService {
  @Override
  public String library() {
    return ToyTable.LIBRARY;
  }

  @Override
  public int number() {
    return ToyTable.ID;
  }

  @Override
  public long kinds() {
    return ToyTable.KINDS;
  }

  @Override
  public boolean runsNativeCode(String devices) {
    return false;
  }

  @Override
  public LibraryInstance open(SessionContext context) {
    return new Instance(new ToyDispatcher(new ToyDriver()));
  }

  private record Instance(Dispatcher dispatcher) implements LibraryInstance {
    @Override
    public BitSet calls() {
      BitSet calls = new BitSet();
      for (int number = 1; number <= ToyTable.LEVEL; number++) {
        calls.set(number, ToyTable.name(number) != null);
      }
      return calls;
    }

    @Override
    public void enter(int lane, int thread) {}

    @Override
    public void threadEnded(int thread) {}

    @Override
    public void close() {}
  }
}
