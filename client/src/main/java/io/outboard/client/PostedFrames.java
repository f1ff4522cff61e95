// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.wire.Frame;
import io.outboard.wire.Native;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * The frames that are not written yet, and the numbers of all. A frame gets its number when it is
 * posted, or when all that was posted is taken to be written before it.
 */
final class PostedFrames {
  private final Link link;
  // Held for moments only.
  private final ReentrantLock lock = new ReentrantLock();
  private final GatheredFrames gathered = new GatheredFrames();
  private long sequence;
  private boolean owesPong;

  PostedFrames(Link link) {
    this.link = link;
  }

  /** Frames that are to be written: one after the other from an address on. */
  record Taken(long address, int bytes) {}

  /** Posts a copy of a call; false if there is no room. */
  boolean call(ThreadRequest request, int bytes, boolean waits) {
    lock.lock();
    try {
      long at = gathered.room(bytes);
      if (at != 0) {
        Native.copy(request.frame(), at, bytes);
        number(at);
        request.issued(sequence, waits);
      }
      return at != 0;
    } finally {
      lock.unlock();
    }
  }

  /** Posts a frame that is a header only; false if there is no room. */
  boolean bare(int kind, int thread) {
    return post(kind, 0, at -> Native.putInt(at + Frame.THREAD, thread));
  }

  /** Posts a frame whose body is a number; false if there is no room. */
  boolean withNumber(int kind, long body) {
    return post(kind, Long.BYTES, at -> Native.putLong(at + Frame.HEADER, body));
  }

  private boolean post(int kind, int bodyBytes, LongConsumer rest) {
    lock.lock();
    try {
      long at = gathered.room(Frame.HEADER + bodyBytes);
      if (at != 0) {
        FrameHeader.bare(at, kind, bodyBytes);
        rest.accept(at);
        number(at);
      }
      return at != 0;
    } finally {
      lock.unlock();
    }
  }

  /** There is always room for one word to the backend. */
  void owePong() {
    lock.lock();
    try {
      owesPong = true;
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return !owesPong && gathered.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Takes everything; one thread at a time does, until it has written what it took. */
  Taken take() {
    lock.lock();
    try {
      return taken();
    } finally {
      lock.unlock();
    }
  }

  /** The same; the call that is written next gets the next number. */
  Taken takeBefore(ThreadRequest request, boolean waits) {
    lock.lock();
    try {
      Taken before = taken();
      number(request.frame());
      request.issued(sequence, waits);
      return before;
    } finally {
      lock.unlock();
    }
  }

  private Taken taken() {
    if (owesPong) {
      owesPong = false;
      long at = gathered.spareRoom();
      FrameHeader.bare(at, Frame.KIND_PONG, 0);
      number(at);
    }
    int bytes = gathered.turn();
    return new Taken(gathered.full(), bytes);
  }

  private void number(long frame) {
    FrameHeader.place(frame, ++sequence, link.tell());
  }
}
