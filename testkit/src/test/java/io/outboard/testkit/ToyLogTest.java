// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.testkit.ToySession.bytes;
import static io.outboard.testkit.ToySession.ints;
import static io.outboard.testkit.ToySession.longs;
import static io.outboard.testkit.ToySession.memory;
import static io.outboard.testkit.ToySession.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.wire.Native;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The text of a call in the log; in the other tests of the toy both sides are compared. */
class ToyLogTest {
  private final ToySession session = ToyClient.C.session();
  private final Toy toy = session.toy;

  @AfterEach
  void bothSidesHaveTheSame() {
    session.log.check();
  }

  /** Alters an argument or an output on its way. */
  private static final class Altering extends ToyForwarding {
    private int more;
    private int later;

    Altering(Toy delegate) {
      super(delegate);
    }

    @Override
    public int toySum(long values, int count, long sum) {
      int result = delegate.toySum(values, count + more, sum);
      Native.putLong(sum, Native.getLong(sum) + later);
      return result;
    }
  }

  @Test
  void aDifferenceIsFound() {
    List<Altering> altering = new ArrayList<>();
    ToySession other =
        new ToySession(
            CToy::new,
            driver -> {
              altering.add(new Altering(driver));
              return altering.getFirst();
            });
    assertEquals(0, other.toy.toySum(ints(1, 2), 2, memory(8)));
    other.log.check();
    altering.getFirst().more = -1;
    assertEquals(0, other.toy.toySum(ints(1, 2), 2, memory(8)));
    assertThrows(AssertionError.class, other.log::check);
    other.log.forget();
    altering.getFirst().more = 0;
    altering.getFirst().later = 1;
    assertEquals(0, other.toy.toySum(ints(1, 2), 2, memory(8)));
    assertThrows(AssertionError.class, other.log::check);
  }

  private void logged(String line) {
    assertEquals(line, session.log.last());
  }

  @Test
  void scalars() {
    long sum = memory(8);
    assertEquals(0, toy.toyAdd((byte) -1, (short) 300, -70_000, 1L << 40, 0.5f, 0.25, sum));
    logged(
        "toyAdd(a=-1, b=300, c=-70000, d=1099511627776, e=0x3f000000, f=0x3fd0000000000000, sum=*)"
            + " = 0 sum=0x426fffffddf77800");
  }

  @Test
  void bytesAndTexts() {
    long to = memory(16);
    assertEquals(0, toy.toyBytes(bytes((byte) 1, (byte) 2), to, 2, 1));
    logged("toyBytes(from=2#ed74208a, to=*, length=2, skipped=1) = 0 to=5#1b95c75d");
    assertEquals(0, toy.toyCapitals(text("q\"\n"), to, 8, memory(4)));
    logged(
        "toyCapitals(text=\"q\\x22\\x0a\", capitals=*, room=8, length=*)"
            + " = 0 capitals=\"Q\\x22\\x0a\" length=[3]");
  }

  @Test
  void handles() {
    long buffer = session.buffer(8);
    logged("toyBufferCreate(buffer=*, bytes=8) = 0 buffer=buffer#1.0");
    assertEquals(0, toy.toyMeasure(longs(buffer, session.node(buffer, 1)), 2, memory(8)));
    logged("toyMeasure(objects=[buffer#1.0, node#b2.0], count=2, sum=*) = 0 sum=9");
    assertEquals(ToyResult.INVALID_STREAM, toy.toyWait(77));
    assertEquals(0, toy.toyWait(2));
    logged("toyWait(stream=#own) = 0");
  }

  @Test
  void outputsOfCallsThatFail() {
    long count = memory(4);
    assertEquals(ToyResult.TOO_LITTLE, toy.toyCountUp(count, 0));
    logged("toyCountUp(count=1515870810, numbers=null) = 6 count=3");
    assertEquals(ToyResult.INVALID_VALUE, toy.toyName(0, 4));
    logged("toyName(name=null, room=4) = 1");
  }
}
