// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.testkit.ToySession.ints;
import static io.outboard.testkit.ToySession.longs;
import static io.outboard.testkit.ToySession.memory;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.wire.Native;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Structures through client, dispatcher and driver. */
@ParameterizedClass
@EnumSource(ToyClient.class)
class ToyStructuresTest {
  private final ToySession session;
  private final Toy toy;
  private final long out = memory(8);

  private static long point(double x, double y, int tag) {
    long point = memory(24);
    Native.putDouble(point, x);
    Native.putDouble(point + 8, y);
    Native.putInt(point + 16, tag);
    return point;
  }

  ToyStructuresTest(ToyClient client) {
    session = client.session();
    toy = session.toy;
  }

  /** Bytes behind the program's structure are not touched. */
  @AfterEach
  void bothLogsAreEqual() {
    session.log.check();
  }

  @Test
  void aStructureThatSaysItsSize() {
    long value = memory(16);
    Native.putInt(value, 1 << 24 | 8);
    Native.putInt(value + 4, 5);
    Native.putLong(value + 8, 40);
    assertEquals(0, toy.toyVersioned(value));
    assertEquals(6, Native.getInt(value + 4));
    assertEquals(40, Native.getLong(value + 8));
    Native.putInt(value, 2 << 24 | 16);
    assertEquals(0, toy.toyVersioned(value));
    assertEquals(7, Native.getInt(value + 4));
    assertEquals(41, Native.getLong(value + 8));
    Native.putInt(value, 3 << 24 | 24);
    assertEquals(ToyResult.VERSION_MISMATCH, toy.toyVersioned(value));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyVersioned(0));
  }

  /** The one that the client sends is not believed. */
  @Test
  void aLyingSizeIsRefusedByTheBackend() {
    byte[] body = new byte[24];
    body[0] = 1;
    body[8] = 24;
    assertEquals(ToyResult.VERSION_MISMATCH, session.caller.send(59, body, new byte[0]));
  }

  @Test
  void outputsThatComeWithAnotherResult() {
    long count = ints(2);
    long numbers = ints(-1, -1, -1);
    assertEquals(ToyResult.TOO_LITTLE, toy.toyCountUp(count, numbers));
    assertEquals(3, Native.getInt(count));
    assertEquals(0, toy.toyCountUp(count, numbers));
    assertEquals(3, Native.getInt(numbers + 8));
    Native.putInt(count, 0);
    assertEquals(ToyResult.TOO_LITTLE, toy.toyCountUp(count, 0));
    assertEquals(3, Native.getInt(count));
  }

  @Test
  void byValue() {
    assertEquals(0, toy.toyPointSum(point(1, 2.5, 3), out));
    assertEquals(6.5, Native.getDouble(out));
  }

  @Test
  void arraysOfStructures() {
    long from = memory(48);
    Native.copy(point(1, 2, 3), from, 24);
    Native.copy(point(4, 5, 6), from + 24, 24);
    long to = memory(48);
    assertEquals(0, toy.toyPoints(from, to, 2));
    assertEquals(8, Native.getDouble(to + 24));
    assertEquals(6, Native.getInt(to + 40));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyPoints(0, to, 2));
  }

  @Test
  void nestedStructuresAndArrays() {
    long box = memory(120);
    Native.fill(box, 120, (byte) 0);
    Native.putInt(box + 96, 41);
    Native.putFloat(box + 116, 1.5f);
    assertEquals(0, toy.toyBox(box));
    assertEquals(1, Native.getByte(box));
    assertEquals(42, Native.getInt(box + 96));
    assertEquals(2.5f, Native.getFloat(box + 116));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyBox(0));
  }

  @Test
  void handlesInStructures() {
    long buffer = session.buffer(100);
    long object = memory(40);
    assertEquals(0, toy.toyDescribe(object, buffer));
    assertEquals(buffer, Native.getLong(object + 8));
    assertEquals(session.node(buffer, 1), Native.getLong(object + 32));
    assertEquals(0, toy.toyObjectSum(object, out));
    assertEquals(101, Native.getLong(out));
    Native.putLong(object + 32, buffer);
    assertEquals(ToyResult.INVALID_NODE, toy.toyObjectSum(object, out));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyObjectSum(0, out));
  }

  @Test
  void unionsByTag() {
    long buffer = session.buffer(100);
    long action = memory(48);
    Native.putInt(action, 1);
    Native.putLong(action + 8, buffer);
    Native.putInt(action + 16, 5);
    assertEquals(0, toy.toyAct(action, out));
    assertEquals(105, Native.getLong(out));
    assertEquals(buffer, Native.getLong(action + 8));

    Native.putInt(action, 3);
    Native.putLong(action + 8, session.node(buffer, 1));
    Native.putLong(action + 16, session.node(buffer, 2));
    Native.putLong(action + 24, 30);
    assertEquals(0, toy.toyAct(action, out));
    assertEquals(33, Native.getLong(out));
    assertEquals(session.node(buffer, 2), Native.getLong(action + 8));
    assertEquals(session.node(buffer, 3), Native.getLong(action + 16));
    Native.putLong(action + 16, buffer);
    assertEquals(ToyResult.INVALID_NODE, toy.toyAct(action, out));

    Native.putInt(action, 9);
    Native.putLong(action + 40, 77);
    assertEquals(0, toy.toyAct(action, out));
    assertEquals(77, Native.getLong(out));
  }

  private static long batch(long values, int count, long buffers, long groups, int groupCount) {
    long batch = memory(48);
    Native.putInt(batch, count);
    Native.putLong(batch + 8, values);
    Native.putLong(batch + 16, buffers == 0 ? 0 : 2);
    Native.putLong(batch + 24, buffers);
    Native.putInt(batch + 32, groupCount);
    Native.putLong(batch + 40, groups);
    return batch;
  }

  private static void group(long at, long values, int count, long buffer) {
    Native.putLong(at, values);
    Native.putInt(at + 8, count);
    Native.putLong(at + 16, buffer);
  }

  @Test
  void countedPointers() {
    long a = session.buffer(100);
    long b = session.buffer(1000);
    long groups = memory(48);
    group(groups, ints(1, 2), 2, a);
    group(groups + 24, 0, 5, b);
    long batch = batch(ints(10, 20, 30), 3, longs(a, b), groups, 2);
    assertEquals(0, toy.toyBatch(batch, out));
    assertEquals(60 + 1100 + 3 + 1100, Native.getLong(out));
    assertEquals(groups, Native.getLong(batch + 40));

    assertEquals(0, toy.toyBatch(batch(0, 3, 0, 0, 0), out));
    assertEquals(0, Native.getLong(out));
    assertEquals(ToyResult.INVALID_VALUE, toy.toyBatch(batch(ints(1), -1, 0, 0, 0), out));
    group(groups + 24, 0, 5, session.stream());
    assertEquals(ToyResult.INVALID_BUFFER, toy.toyBatch(batch, out));
  }

  @Test
  void countedPointersInArrays() {
    long a = session.buffer(100);
    long b = session.buffer(1000);
    long groups = memory(24);
    group(groups, ints(1, 2, 3), 3, b);
    long batches = memory(96);
    Native.copy(batch(ints(10), 1, longs(a, a), groups, 1), batches, 48);
    Native.copy(batch(ints(20, 30), 2, 0, 0, 0), batches + 48, 48);
    assertEquals(0, toy.toyBatches(batches, 2, out));
    assertEquals(10 + 200 + 6 + 1000 + 50, Native.getLong(out));
    assertEquals(0, toy.toyBatches(0, 2, out));
    assertEquals(0, Native.getLong(out));
  }

  @Test
  void roomOnTheWire() {
    long config = memory(24);
    Native.putInt(config, 1);
    Native.putLong(config + 8, 2);
    assertEquals(0, toy.toyConfigure(config));
    assertEquals(8 + 64, session.caller.lastBody().length);
    assertEquals(2, Native.getInt(config));
    assertEquals(3, Native.getLong(config + 8));
    assertEquals(0x5a, Native.getByte(config + 16));
  }
}
