// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.testkit.ToySession.bytes;
import static io.outboard.testkit.ToySession.ints;
import static io.outboard.testkit.ToySession.longs;
import static io.outboard.testkit.ToySession.memory;
import static io.outboard.testkit.ToySession.text;
import static io.outboard.testkit.ToySession.textAt;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.wire.Limits;
import io.outboard.wire.Native;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Scalars, arrays, bytes and texts through client, dispatcher and driver. */
@ParameterizedClass
@EnumSource(ToyClient.class)
class ToyDataTest {
  private final ToySession session;
  private final Toy toy;

  ToyDataTest(ToyClient client) {
    session = client.session();
    toy = session.toy;
  }

  @AfterEach
  void bothLogsAreEqual() {
    session.log.check();
  }

  @Test
  void nothing() {
    assertEquals(ToyResult.SUCCESS, toy.toyNothing());
    assertEquals(0, session.caller.lastBody().length);
  }

  @Test
  void scalarsOfEveryType() {
    long sum = memory(8);
    assertEquals(0, toy.toyAdd((byte) -1, (short) 300, -70_000, 1L << 40, 0.5f, 0.25, sum));
    assertEquals(-1 + 300 - 70_000 + 0x1p40 + 0.75, Native.getDouble(sum));
  }

  @Test
  void scalarsOfEveryTypeWritten() {
    long a = memory(48);
    assertEquals(0, toy.toyWriteScalars(a, a + 8, a + 16, a + 24, a + 32, a + 40));
    assertEquals(-1, Native.getByte(a));
    assertEquals(0x5a, Native.getByte(a + 1));
    assertEquals(-2, Native.getShort(a + 8));
    assertEquals(-3, Native.getInt(a + 16));
    assertEquals(-4, Native.getLong(a + 24));
    assertEquals(-5.5f, Native.getFloat(a + 32));
    assertEquals(-6.25, Native.getDouble(a + 40));
  }

  @Test
  void nullOutputsReachTheDriver() {
    long a = memory(48);
    assertEquals(ToyResult.INVALID_VALUE, toy.toyWriteScalars(a, a + 8, 0, a + 24, a + 32, a + 40));
    assertEquals(0x5a, Native.getByte(a));
  }

  @Test
  void scalarsOfEveryTypeRead() {
    long a = memory(48);
    Native.putByte(a, (byte) 1);
    Native.putShort(a + 8, (short) 2);
    Native.putInt(a + 16, 3);
    Native.putLong(a + 24, 4);
    Native.putFloat(a + 32, 5);
    Native.putDouble(a + 40, 6);
    long sum = memory(8);
    assertEquals(0, toy.toyReadScalars(a, a + 8, a + 16, a + 24, a + 32, a + 40, sum));
    assertEquals(21, Native.getDouble(sum));
    assertEquals(0, toy.toyReadScalars(0, a + 8, 0, a + 24, 0, a + 40, sum));
    assertEquals(12, Native.getDouble(sum));
  }

  @Test
  void bothWays() {
    long value = ints(21);
    long values = longs(1, -2, 3);
    assertEquals(0, toy.toyDouble(value, values, 3));
    assertEquals(42, Native.getInt(value));
    assertEquals(-4, Native.getLong(values + 8));
    assertEquals(6, Native.getLong(values + 16));
    assertEquals(0, toy.toyDouble(0, values, 1));
    assertEquals(4, Native.getLong(values));
    assertEquals(0, toy.toyDouble(value, 0, 7));
    assertEquals(84, Native.getInt(value));
  }

  @Test
  void arrays() {
    long sum = memory(8);
    assertEquals(0, toy.toySum(ints(1, 2, -7), 3, sum));
    assertEquals(-4, Native.getLong(sum));
    assertEquals(0, toy.toySum(ints(), 0, sum));
    assertEquals(0, Native.getLong(sum));
    assertEquals(ToyResult.INVALID_VALUE, toy.toySum(0, 3, sum));
    assertEquals(ToyResult.INVALID_VALUE, toy.toySum(ints(1), -1, sum));
  }

  @Test
  void lengthExpressions() {
    long values = memory(20);
    assertEquals(0, toy.toyFill(values, 3, (short) 9));
    assertEquals(9, Native.getShort(values + 14));
    assertEquals(0x5a5a, Native.getShort(values + 16));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyFill(values, -2, (short) 9));
    int calls = session.caller.calls();
    assertEquals(ToyResult.INVALID_VALUE, toy.toyFill(values, Integer.MAX_VALUE, (short) 9));
    assertEquals(calls, session.caller.calls());
  }

  @Test
  void bytesBothWays() {
    long to = memory(16);
    assertEquals(0, toy.toyBytes(bytes((byte) 1, (byte) 2, (byte) 3), to, 3, 1));
    assertEquals(2, Native.getByte(to + 1));
    assertEquals(2, Native.getInt(to + 2));
    assertEquals(0x5a, Native.getByte(to + 6));
    long flipped = bytes((byte) 0, (byte) -1, (byte) 3);
    assertEquals(0, toy.toyFlip(flipped, 2));
    assertEquals(-1, Native.getByte(flipped));
    assertEquals(0, Native.getByte(flipped + 1));
    assertEquals(3, Native.getByte(flipped + 2));
  }

  @Test
  void aLengthBehindAPointer() {
    long count = ints(2);
    long numbers = ints(-1, -1, -1);
    assertEquals(0, toy.toyNumbers(count, numbers));
    assertEquals(2, Native.getInt(count));
    assertEquals(0, toy.toyNumbers(count, 0));
    assertEquals(ToyDriver.NODES, Native.getInt(count));
    assertEquals(10, Native.getInt(numbers + 4));
    assertEquals(-1, Native.getInt(numbers + 8));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyNumbers(0, numbers));
  }

  @Test
  void texts() {
    long length = memory(8);
    assertEquals(0, toy.toyLength(text("abc"), length));
    assertEquals(3, Native.getLong(length));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyLength(0, length));
    long name = memory(64);
    assertEquals(0, toy.toyName(name, 64));
    assertEquals(ToyDriver.NAME, textAt(name));
    assertEquals(0x5a, Native.getByte(name + ToyDriver.NAME.length() + 1));
    assertEquals(0, toy.toyName(name, 4));
    assertEquals("toy", textAt(name));
    long capitals = memory(16);
    assertEquals(0, toy.toyCapitals(text("shout"), capitals, 16, length));
    assertEquals("SHOUT", textAt(capitals));
    assertEquals(5, Native.getInt(length));
  }

  @Test
  void aLargePartIsAPayload() {
    session.caller.setLargestPart(16);
    long length = memory(8);
    assertEquals(0, toy.toyLength(text("a text of more than sixteen"), length));
    assertEquals(27, Native.getLong(length));
    assertEquals(28, session.caller.lastPayload().length);
    session.caller.setLargestPart(Limits.CHUNK);
    long image = memory(5 << 20);
    Native.fill(image, 5 << 20, (byte) 0);
    assertEquals(0, toy.toyImage(image, 5 << 20));
    assertEquals(5 << 20, session.caller.lastPayload().length);
    Native.putByte(image + (5 << 20) - 1, (byte) 1);
    assertEquals(ToyResult.INVALID_VALUE, toy.toyImage(image, 5 << 20));
  }

  @Test
  void localFunctionsDoNotTravel() {
    int calls = session.caller.calls();
    assertEquals(ToyResult.NOT_SUPPORTED, toy.toyTwice(1, memory(4)));
    assertEquals(calls, session.caller.calls());
  }
}
