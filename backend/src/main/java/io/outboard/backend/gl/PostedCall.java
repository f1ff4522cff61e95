// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.gl;

import io.outboard.backend.library.LoggedCall;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.wire.Callbacks;
import io.outboard.wire.Handles;
import io.outboard.wire.Meter;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;

/** A posted call that has been handed over, with a copy of its request; reused. */
final class PostedCall implements LoggedCall {
  /** A larger request is not copied: its call is awaited. */
  static final int MOST_BYTES = 16 << 10;

  private static final int USUAL_BYTES = 256;

  private final NativeBuffer copy = new NativeBuffer(USUAL_BYTES);
  private int number;
  private int bytes;
  private int flags;
  private long sequence;
  private int thread;
  private Handles handles;
  private Callbacks callbacks;
  private Meter meter;

  /** Whether a call can be handed over. */
  static boolean fits(LoggedCall call) {
    return call.bodyBytes() <= MOST_BYTES && call.payloadBytes() == 0;
  }

  /** Takes one. */
  void take(int its, LoggedCall call) {
    number = its;
    bytes = call.bodyBytes();
    flags = call.flags();
    sequence = call.sequence();
    thread = call.thread();
    handles = call.handles();
    callbacks = call.callbacks();
    meter = call.meter();
    copy.grow(bytes, 0);
    if (bytes > 0) {
      Native.copy(call.body(), copy.address(), bytes);
    }
  }

  /** Gives back its memory. */
  void free() {
    copy.close();
  }

  int number() {
    return number;
  }

  @Override
  public long body() {
    return copy.address();
  }

  @Override
  public int bodyBytes() {
    return bytes;
  }

  @Override
  public int flags() {
    return flags;
  }

  @Override
  public long payload() {
    return 0;
  }

  @Override
  public long payloadBytes() {
    return 0;
  }

  @Override
  public Handles handles() {
    return handles;
  }

  @Override
  public Meter meter() {
    return meter;
  }

  @Override
  public Callbacks callbacks() {
    return callbacks;
  }

  @Override
  public long sequence() {
    return sequence;
  }

  @Override
  public int thread() {
    return thread;
  }

  @Override
  public long own() {
    return 0;
  }

  @Override
  public long answer(int room) {
    throw new ProtocolException("a posted call has no answer");
  }

  @Override
  public void answered(int room) {}
}
