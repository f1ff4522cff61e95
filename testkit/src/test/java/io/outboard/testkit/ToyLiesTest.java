// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.wire.Caller;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;

/**
 * Replies that no backend of ours sends, to the client for the JVM. Each output lies in memory of
 * exactly its length, which ends at a page that kills the process when it is touched.
 */
class ToyLiesTest {
  private static final int ROUNDS = Amount.of(10_000, 1_000_000);

  private final GuardedMemory first = new GuardedMemory(1 << 20);
  private final GuardedMemory second = new GuardedMemory(1 << 20);
  private final ToySession honest = ToyClient.JVM.session();
  private final Liar liar = new Liar(honest.caller);
  private final Toy toy = new ToyRemote(liar);
  private final long buffer = honest.buffer(64);

  /** Hands calls on, and changes what comes back. */
  private static final class Liar implements Caller, Caller.Request {
    private final LoopbackCaller honest;
    private final GuardedMemory replies = new GuardedMemory(1 << 20);
    private byte[] last = {};
    private byte[] told;
    private int result;
    private long reply;

    Liar(LoopbackCaller honest) {
      this.honest = honest;
    }

    /** The next call is answered so. */
    void tell(int code, byte[] bytes) {
      result = code;
      told = bytes;
    }

    @Override
    public Request begin(int library, int number, int fixed) {
      honest.begin(library, number, fixed);
      return this;
    }

    @Override
    public long mint(int kind) {
      return honest.mint(kind);
    }

    @Override
    public void retire(long handle) {}

    @Override
    public long body() {
      return honest.body();
    }

    @Override
    public void append(long address, long bytes) {
      honest.append(address, bytes);
    }

    @Override
    public int send(int flags) {
      if (told == null) {
        int code = honest.send(flags);
        last = LoopbackCaller.read(honest.reply(), honest.replyBytes());
        take(last);
        return code;
      }
      take(told);
      return result;
    }

    private void take(byte[] bytes) {
      last = bytes;
      reply = replies.place(bytes.length);
      for (int i = 0; i < bytes.length; i++) {
        Native.putByte(reply + i, bytes[i]);
      }
    }

    @Override
    public long reply() {
      return last.length == 0 ? 0 : reply;
    }

    @Override
    public int replyBytes() {
      return last.length;
    }
  }

  /** A call whose outputs end where they should. */
  private record Sample(String name, ToIntFunction<Toy> call) {}

  private long text(String text) {
    return ToySession.text(text);
  }

  private final List<Sample> samples =
      List.of(
          new Sample("toyDouble", t -> t.toyDouble(first.place(4), second.place(8 * 5), 5)),
          new Sample("toyFill", t -> t.toyFill(first.place(2 * 2 * (3 + 1)), 3, (short) 4)),
          new Sample("toyName", t -> t.toyName(first.place(20), 20)),
          new Sample(
              "toyCapitals", t -> t.toyCapitals(text("word"), first.place(9), 9, second.place(4))),
          new Sample("toyFlip", t -> t.toyFlip(first.place(9), 9)),
          new Sample("toyBufferCreate", t -> t.toyBufferCreate(first.place(8), 16)),
          new Sample("toyBufferSize", t -> t.toyBufferSize(buffer, first.place(8))),
          new Sample("toyNodes", t -> t.toyNodes(first.place(8 * 4), 4, buffer)),
          new Sample("toyLength", t -> t.toyLength(text("four"), first.place(8))),
          new Sample(
              "toyPointSum", t -> t.toyPointSum(text("a point of 24 bytes and"), first.place(8))));

  private int call(Sample sample) {
    return sample.call().applyAsInt(toy);
  }

  @Test
  void theHonestAnswerIsTaken() {
    for (Sample sample : samples) {
      liar.tell(0, null);
      assertEquals(ToyResult.SUCCESS, call(sample), sample.name());
      liar.tell(0, liar.last);
      assertEquals(ToyResult.SUCCESS, call(sample), sample.name());
    }
  }

  @Test
  void shorterAndLongerAnswersAreRefused() {
    for (Sample sample : samples) {
      liar.tell(0, null);
      call(sample);
      byte[] whole = liar.last;
      for (int bytes = 0; bytes <= whole.length + 8; bytes += 8) {
        liar.tell(0, Arrays.copyOf(whole, bytes));
        if (bytes != whole.length) {
          assertThrows(ProtocolException.class, () -> call(sample), sample.name() + " of " + bytes);
        }
      }
    }
  }

  @Test
  void changedAnswersStayWithinTheirMemory() {
    Random random = new Random(20_261_127);
    int taken = 0;
    int refused = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Sample sample = samples.get(random.nextInt(samples.size()));
      liar.tell(0, null);
      call(sample);
      liar.tell(random.nextInt(10) == 0 ? random.nextInt() : 0, change(liar.last, random));
      try {
        call(sample);
        taken++;
      } catch (ProtocolException e) {
        refused++;
      }
    }
    assertTrue(taken > ROUNDS / 20 && refused > ROUNDS / 20, taken + " and " + refused);
  }

  private static byte[] change(byte[] bytes, Random random) {
    int words = bytes.length / 8;
    byte[] changed =
        Arrays.copyOf(bytes, random.nextInt(3) == 0 ? 8 * random.nextInt(words + 3) : bytes.length);
    long[] edges = {
      0, 1, 7, 8, 9, 20, 21, -1, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, -16
    };
    for (int i = random.nextInt(3); i > 0 && changed.length > 0; i--) {
      long word = edges[random.nextInt(edges.length)];
      int at = 8 * random.nextInt(changed.length / 8);
      for (int b = 0; b < 8; b++) {
        changed[at + b] = (byte) (word >>> (8 * b));
      }
    }
    return changed;
  }
}
