// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;

/**
 * The end of a connection that a {@link Proxy} makes.
 *
 * @param toBackend whether the bytes of the client are counted, or the backend's
 * @param bytes that still pass in that direction; where a connection ends before, the next one has
 *     the cut
 */
record Cut(Proxy.How how, boolean toBackend, long bytes) {
  /** Fates of connections that are cut one after the other, and of others that are not. */
  static Supplier<Proxy.Fate> each(Collection<Cut> cuts) {
    Deque<Cut> left = new ConcurrentLinkedDeque<>(cuts);
    return () -> new Coming(left.poll(), left);
  }

  /** The cut that one connection gets. */
  private static final class Coming implements Proxy.Fate {
    private final Cut cut;
    private final Deque<Cut> others;

    /** Of the thread of the direction that is counted. */
    private long room;

    Coming(Cut cut, Deque<Cut> others) {
      this.cut = cut;
      this.others = others;
      room = cut == null ? 0 : cut.bytes;
    }

    @Override
    public Proxy.How pass(boolean toBackend, byte[] bytes, int count, OutputStream to)
        throws IOException {
      if (cut == null || cut.toBackend != toBackend) {
        to.write(bytes, 0, count);
        return null;
      }
      to.write(bytes, 0, (int) Math.min(count, room));
      room -= count;
      return room > 0 ? null : cut.how;
    }

    @Override
    public void outlived() {
      if (cut != null) {
        others.addFirst(cut);
      }
    }
  }
}
