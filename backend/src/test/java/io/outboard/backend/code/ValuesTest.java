// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.code.Everything.FirstException;
import io.outboard.backend.code.Everything.Leaf;
import io.outboard.backend.code.Everything.Node;
import io.outboard.backend.code.Everything.SecondException;
import io.outboard.backend.code.Everything.Tree;
import io.outboard.backend.code.Everything.Whole;
import io.outboard.offload.OffloadException;
import io.outboard.offload.value.MalformedValueException;
import io.outboard.offload.value.ValueReader;
import io.outboard.offload.value.ValueWriter;
import io.outboard.testkit.Amount;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Generated codecs carry each kind of value, and believe no bytes. */
final class ValuesTest {
  private static final long SEED = 59;
  private static final int MOST = 1 << 20;

  private final EverythingDispatcher dispatcher = new EverythingDispatcher(new EverythingHere());
  private final Loopback loopback = new Loopback(dispatcher);
  private final Everything remote = EverythingRemote.of(loopback);

  @Test
  void eachKindOfValueArrives() {
    for (int i = 0; i < Amount.of(300, 30_000); i++) {
      Whole whole = new SomeValues(SEED + i).whole();
      SomeValues.assertSame(whole, remote.same(whole));
    }
  }

  @Test
  void scalarsArrive() {
    assertArrayEquals(
        new long[] {
          1 - 2 - 3 + 'x' + Integer.MIN_VALUE + Long.MAX_VALUE,
          Float.floatToRawIntBits(-0.0f),
          Double.doubleToRawLongBits(Double.NaN),
          7,
          3
        },
        remote.sums(
            true,
            (byte) -2,
            (short) -3,
            'x',
            Integer.MIN_VALUE,
            Long.MAX_VALUE,
            -0.0f,
            Double.NaN,
            7,
            List.of(1L, 2L)));
  }

  @Test
  void declaredExceptionsArriveAsSuch() {
    assertEquals(
        "one", assertThrows(FirstException.class, () -> remote.fail("one", 0)).getMessage());
    assertEquals(
        "two", assertThrows(SecondException.class, () -> remote.fail("two", 1)).getMessage());
    assertEquals("null", assertThrows(FirstException.class, () -> remote.fail("", 3)).getMessage());
  }

  @Test
  void boundsHoldOnBothSides() {
    String tooLong = "x".repeat(101);
    assertThrows(MalformedValueException.class, () -> remote.fail(tooLong, 0));
    ValueWriter out = new ValueWriter(0, MOST);
    out.of(tooLong, MOST);
    out.of(0);
    assertThrows(MalformedValueException.class, () -> call(2, out.toArray(), out.toArray().length));
    assertEquals(List.of((byte) 1, (byte) 1, (byte) 1), remote.list(3));
    assertThrows(IllegalStateException.class, () -> remote.list(4));
  }

  @Test
  void valuesAreNotTooDeep() {
    Tree tree = new Leaf(1);
    for (int i = 0; i < 100; i++) {
      tree = new Node(tree, new Leaf(i));
    }
    Tree deep = tree;
    Whole whole = new SomeValues(SEED).whole();
    Whole nested =
        new Whole(
            whole.booleans(),
            whole.bytes(),
            whole.shorts(),
            whole.chars(),
            whole.ints(),
            whole.longs(),
            whole.floats(),
            whole.doubles(),
            whole.text(),
            whole.texts(),
            whole.nested(),
            whole.colour(),
            whole.nothing(),
            whole.even(),
            deep,
            whole.list(),
            whole.map(),
            whole.optional());
    assertThrows(MalformedValueException.class, () -> remote.same(nested));
  }

  @Test
  void anUnknownMethodIsNotCalled() {
    assertThrows(MalformedValueException.class, () -> call(6, new byte[0], 0));
    assertThrows(MalformedValueException.class, () -> call(-1, new byte[0], 0));
  }

  /** Bytes that were changed are another value, or are refused: nothing else ever happens. */
  @Test
  void changedBytesAreAValueOrRefused() throws Exception {
    Random random = new Random(SEED);
    int refused = 0;
    int amount = Amount.of(20_000, 1_000_000);
    for (int i = 0; i < amount; i++) {
      if (i % 100 == 0) {
        Whole unused = remote.same(new SomeValues(SEED + i).whole());
      }
      byte[] changed = changed(random, loopback.lastArguments());
      try {
        call(loopback.lastMethod(), changed, changed.length);
      } catch (MalformedValueException e) {
        refused++;
      }
    }
    assertTrue(refused > amount / 10 && refused < amount, "refused: " + refused);
  }

  private static byte[] changed(Random random, byte[] bytes) {
    byte[] changed = java.util.Arrays.copyOf(bytes, bytes.length + random.nextInt(5) / 4);
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(changed.length);
      changed[at] = random.nextBoolean() ? (byte) random.nextInt() : (byte) (changed[at] ^ 1);
    }
    return random.nextInt(4) == 0
        ? java.util.Arrays.copyOf(changed, random.nextInt(changed.length + 1))
        : changed;
  }

  private void call(int method, byte[] bytes, int length) throws Exception {
    int unused =
        dispatcher.call(method, new ValueReader(bytes, 0, length), new ValueWriter(0, MOST));
  }

  @Test
  void theChooserRunsWhatHasNotBegunHere() {
    EverythingHere here = new EverythingHere();
    Everything chosen = EverythingChooser.of(new Away(OffloadException.Kind.NOT_BEGUN), here);
    assertEquals(1, chosen.count());
    assertEquals(1, here.counted());
  }

  @Test
  void itRepeatsOnlyWhatMayBeRepeated() {
    EverythingHere here = new EverythingHere();
    Everything chosen = EverythingChooser.of(new Away(OffloadException.Kind.LOST), here);
    assertThrows(OffloadException.class, chosen::count);
    assertEquals(0, here.counted());
    Whole whole = new SomeValues(SEED).whole();
    assertEquals(whole, chosen.same(whole));
  }

  @Test
  void itRepeatsNothingThatHasFailed() {
    EverythingHere here = new EverythingHere();
    Everything chosen = EverythingChooser.of(new Away(OffloadException.Kind.FAILED), here);
    assertThrows(OffloadException.class, () -> chosen.same(new SomeValues(SEED).whole()));
  }
}
