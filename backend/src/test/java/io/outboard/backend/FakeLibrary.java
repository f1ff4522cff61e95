// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.backend.library.LibraryInstance;
import io.outboard.wire.Call;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A library of a few calls that show how a session runs them. */
public final class FakeLibrary implements LibraryInstance, Dispatcher {
  public static final int NUMBER = 7;

  /** Plain: answers with its body. */
  public static final int ECHO = 1;

  /** Asynchronous: writes down the number in its body; fails if that is negative. */
  public static final int POST = 2;

  /** Blocking: waits for a permit, then answers with its body. */
  public static final int WAIT = 3;

  /** Plain: waits for a permit although it should not, then writes down the number in its body. */
  public static final int STALL = 4;

  /** Blocking: answers with the sum and the number of its payload's bytes. */
  public static final int SUM = 5;

  /** Plain: throws. */
  public static final int BREAK = 6;

  /** Asynchronous: waits for a permit, then writes down the number in its body. */
  public static final int STALL_POST = 7;

  /** Asynchronous: does nothing. */
  public static final int SINK = 8;

  /** Plain: answers with a socket of the network's, or with the negated error. */
  public static final int NETWORK = 9;

  /** Plain: answers with as many bytes as the number in its body says, each word its place. */
  public static final int FILL = 10;

  /** Plain: is out of memory until another call has written down a number. */
  public static final int SCARCE = 11;

  public static final int NOT_SUPPORTED = 801;

  /** Its result where memory is short. */
  public static final int OUT_OF_MEMORY = 802;

  public final List<Long> noted = new CopyOnWriteArrayList<>();
  public final List<Integer> endedThreads = new CopyOnWriteArrayList<>();
  public final Semaphore permits = new Semaphore(0);

  /** How often a call was out of memory. */
  public final AtomicInteger shortages = new AtomicInteger();

  @Override
  public int answering(int number) {
    return switch (number) {
      case ECHO, STALL, BREAK, NETWORK, FILL, SCARCE -> PLAIN;
      case POST, STALL_POST, SINK -> ASYNC;
      case WAIT, SUM -> BLOCKING;
      default -> UNKNOWN;
    };
  }

  @Override
  public int level() {
    return SCARCE;
  }

  @Override
  public String name(int number) {
    return number == ECHO || number == POST ? "fake" + number : null;
  }

  @Override
  public int notSupported() {
    return NOT_SUPPORTED;
  }

  @Override
  public int outOfMemory() {
    return OUT_OF_MEMORY;
  }

  @Override
  public int dispatch(int number, Call call) {
    switch (number) {
      case ECHO -> echo(call);
      case POST -> {
        return note(call);
      }
      case WAIT -> {
        permits.acquireUninterruptibly();
        echo(call);
      }
      case STALL, STALL_POST -> {
        permits.acquireUninterruptibly();
        return note(call);
      }
      case SUM -> sum(call);
      case SINK -> {}
      case NETWORK -> Native.putLong(call.answer(Long.BYTES), network());
      case FILL -> fill(call);
      case SCARCE -> {
        return scarce();
      }
      default -> throw new ProtocolException("broken");
    }
    return 0;
  }

  private int note(Call call) {
    if (call.bodyBytes() < 8) {
      throw new ProtocolException("a short body");
    }
    long value = Native.getLong(call.body());
    noted.add(value);
    return value < 0 ? (int) -value : 0;
  }

  private int scarce() {
    if (!noted.isEmpty()) {
      return 0;
    }
    shortages.incrementAndGet();
    return OUT_OF_MEMORY;
  }

  private static void echo(Call call) {
    Native.copy(call.body(), call.answer(call.bodyBytes()), call.bodyBytes());
  }

  private static void fill(Call call) {
    int bytes = Math.toIntExact(Native.getLong(call.body()));
    long answer = call.answer(bytes);
    for (long at = 0; at < bytes; at += Long.BYTES) {
      Native.putLong(answer + at, at);
    }
  }

  private static long network() {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      return -1;
    }
  }

  private static void sum(Call call) {
    long sum = 0;
    for (long i = 0; i < call.payloadBytes(); i++) {
      sum += Native.getByte(call.payload() + i) & 0xff;
    }
    long answer = call.answer(16);
    Native.putLong(answer, sum);
    Native.putLong(answer + 8, call.payloadBytes());
  }

  @Override
  public Dispatcher dispatcher() {
    return this;
  }

  @Override
  public BitSet calls() {
    BitSet calls = new BitSet();
    calls.set(1, SCARCE + 1);
    return calls;
  }

  @Override
  public void enter(int lane, int thread) {}

  @Override
  public void threadEnded(int thread) {
    endedThreads.add(thread);
  }

  @Override
  public void close() {}
}
