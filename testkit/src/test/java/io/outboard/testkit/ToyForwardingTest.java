// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.wire.Native;
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
}
