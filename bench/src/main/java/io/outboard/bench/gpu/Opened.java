// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.gpu;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** Closes its objects in the end, the last first. */
final class Opened implements AutoCloseable {
  private final Deque<AutoCloseable> all = new ArrayDeque<>();

  <T extends AutoCloseable> T add(T opened) {
    all.push(opened);
    return opened;
  }

  @Override
  public void close() throws IOException {
    for (AutoCloseable opened : all) {
      try {
        opened.close();
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }
}
