// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** A toy driver behind a dispatcher and a client, and memory for arguments. */
final class ToySession {
  final ToyDriver driver = new ToyDriver();
  final ToyLog log;
  final LoopbackCaller caller;
  final Toy toy;

  ToySession(BiFunction<LoopbackCaller, ToyLog, Toy> client) {
    this(client, driver -> driver);
  }

  /** With something between dispatcher and driver. */
  ToySession(BiFunction<LoopbackCaller, ToyLog, Toy> client, UnaryOperator<Toy> between) {
    log = new ToyLog(driver, between);
    caller = new LoopbackCaller(log);
    toy = client.apply(caller, log);
  }

  /** Fresh memory, filled with bytes that nobody expects. */
  static long memory(long bytes) {
    long address = Arena.global().allocate(Math.max(1, bytes), 16).address();
    Native.fill(address, bytes, (byte) 0x5a);
    return address;
  }

  static long ints(int... values) {
    long address = memory(4L * values.length);
    for (int i = 0; i < values.length; i++) {
      Native.putInt(address + 4L * i, values[i]);
    }
    return address;
  }

  static long longs(long... values) {
    long address = memory(8L * values.length);
    for (int i = 0; i < values.length; i++) {
      Native.putLong(address + 8L * i, values[i]);
    }
    return address;
  }

  static long bytes(byte... values) {
    long address = memory(values.length);
    for (int i = 0; i < values.length; i++) {
      Native.putByte(address + i, values[i]);
    }
    return address;
  }

  static long text(String text) {
    return Arena.global().allocateFrom(text).address();
  }

  static String textAt(long address) {
    return Native.MEMORY.getString(address);
  }

  long buffer(long bytes) {
    long buffer = memory(8);
    check(toy.toyBufferCreate(buffer, bytes));
    return Native.getLong(buffer);
  }

  long node(long buffer, int index) {
    long node = memory(8);
    check(toy.toyNode(node, buffer, index));
    return Native.getLong(node);
  }

  long stream() {
    long stream = memory(8);
    check(toy.toyStreamCreate(stream));
    return Native.getLong(stream);
  }

  private static void check(int result) {
    if (result != ToyResult.SUCCESS) {
      throw new IllegalStateException("result " + result);
    }
  }
}
