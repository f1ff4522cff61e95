// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** A fault that a {@link Proxy} commits. */
enum Fault {
  /** All bytes come, in small pieces and late. */
  DELAY,
  /** After some bytes both connections end. */
  CUT,
  /** After some bytes nothing goes on any more, and no connection ends. */
  DROP,
  /** After some bytes a bit of the client's is another one now and then. */
  DAMAGE;

  /** The faults of networks, which lose or delay bytes and change none. */
  static final List<Fault> OF_NETWORKS = List.of(DELAY, CUT, DROP);

  private static final int LONGEST_PAUSE_MS = 4;
  private static final int PIECES_A_DAMAGE = 4;

  /** Fates of connections that meet it once {@code whole} bytes have passed, each way. */
  Supplier<Proxy.Fate> after(long whole, long seed) {
    return () -> {
      Way up = new Way(new Random(seed), whole);
      Way down = new Way(new Random(~seed), whole);
      return (toBackend, bytes, count, to) ->
          (toBackend ? up : down)
              .pass(this == DAMAGE && !toBackend ? null : this, bytes, count, to);
    };
  }

  /** One direction of a connection. */
  private static final class Way {
    private final Random random;

    /** Bytes that pass before the fault. */
    private long room;

    Way(Random random, long room) {
      this.random = random;
      this.room = room;
    }

    /** With a fault, or without. */
    Proxy.How pass(Fault fault, byte[] bytes, int count, OutputStream to) throws IOException {
      long left = room;
      room -= count;
      if (fault == DELAY) {
        pause();
      } else if (fault == DAMAGE && count > left) {
        damage(bytes, count);
      } else if (fault == CUT && count > left) {
        to.write(bytes, 0, (int) left);
        return Proxy.How.END;
      }
      if (fault != DROP || count <= left) {
        to.write(bytes, 0, count);
      }
      return null;
    }

    private void damage(byte[] bytes, int count) {
      if (random.nextInt(PIECES_A_DAMAGE) == 0) {
        bytes[random.nextInt(count)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      }
    }

    private void pause() throws IOException {
      try {
        Thread.sleep(random.nextInt(LONGEST_PAUSE_MS));
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
  }
}
