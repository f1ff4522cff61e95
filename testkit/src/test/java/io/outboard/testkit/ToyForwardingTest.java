// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.outboard.wire.Native;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The base of decorators hands on what it does not override. */
class ToyForwardingTest {
  private final Toy decorated =
      new ToyForwarding(new ToyDriver()) {
        @Override
        public int toyVersion(long version) {
          int result = delegate.toyVersion(version);
          Native.putInt(version, Native.getInt(version) + 1);
          return result;
        }
      };

  @Test
  void overridesAndForwards() {
    long version = ToySession.memory(4);
    assertEquals(0, decorated.toyVersion(version));
    assertEquals(ToyDriver.VERSION + 1, Native.getInt(version));
    assertEquals(0, decorated.toyFuture(version));
    assertEquals(ToyDriver.FUTURE, Native.getInt(version));
    assertEquals(ToyResult.NOT_SUPPORTED, decorated.toyTwice(1, version));
  }

  @Test
  void aCallPassesByWhoOnlyHandsItOn() {
    Toy outer = new Named(decorated);
    Toy[] firsts = ToyForwarding.firsts(outer);
    assertSame(decorated, first(firsts, "toyVersion"));
    assertSame(outer, first(firsts, "toyFuture"));
    assertInstanceOf(ToyDriver.class, first(firsts, "toyNothing"));
  }

  private static Toy first(Toy[] firsts, String name) {
    return IntStream.rangeClosed(1, ToyTable.LEVEL)
        .filter(number -> name.equals(ToyTable.name(number)))
        .mapToObj(number -> firsts[number])
        .findFirst()
        .orElseThrow();
  }

  /** Overrides in a class between itself and the base. */
  private static final class Named extends Answering {
    Named(Toy delegate) {
      super(delegate);
    }
  }

  private static class Answering extends ToyForwarding {
    Answering(Toy delegate) {
      super(delegate);
    }

    @Override
    public int toyFuture(long version) {
      return ToyResult.NOT_SUPPORTED;
    }
  }
}
