// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import io.outboard.wire.Limits;
import io.outboard.wire.ProtocolException;
import java.util.stream.Stream;

/**
 * The replies that one thread is owed. The thread asks, and takes them in that order; the one that
 * reads frames puts them in. They come in any order: a backend runs the next call of a lane while
 * it still writes the reply to the one before.
 */
final class AwaitedReplies {
  /**
   * Most calls that wait for their replies at a time: of a copy, so many MiB are on their way. A
   * backend keeps eight MiB that the client may lack, and hears of each two.
   */
  static final int MOST = 6;

  private final Reply[] ring = Stream.generate(Reply::new).limit(MOST).toArray(Reply[]::new);
  // How many so far; the thread's.
  private long asked;
  private long taken;
  // Where the bytes of the reply to the next call go; 0 for its own memory.
  private long place;
  private long placeBytes;
  // The one that the thread waits for alone; null where it waits for all.
  private volatile Reply only;
  // The reader's.
  private Reply found;

  /** One of them; its memory is used again and again. */
  static final class Reply {
    private final NativeBuffer body = new NativeBuffer();
    // The call that it is the reply to until it has come, 0 then.
    private volatile long awaited;
    // Written by the thread before awaited is set, read by the reader after.
    private long place;
    private long placeBytes;
    // Written by the reader before awaited becomes 0, read by the thread after.
    private int result;
    private int bytes;
    // Those that have come of one in several frames; the reader's.
    private int begun;

    int result() {
      return result;
    }

    /** Address of its body; 0 if it has none. */
    long address() {
      return bytes == 0 ? 0 : body.address();
    }

    int bytes() {
      return bytes;
    }
  }

  private Reply at(long index) {
    return ring[Math.floorMod(index, MOST)];
  }

  /** The one part of the reply to the next call goes there, and has at most so many bytes. */
  void place(long to, long most) {
    place = to;
    placeBytes = most;
  }

  /** A call gets its number; from here its reply may come. */
  void ask(long sequence) {
    Reply next = at(asked++);
    next.place = place;
    next.placeBytes = placeBytes;
    place = 0;
    next.awaited = sequence;
  }

  /** Whether a reply to that call is owed, which comes now; asked by the reader. */
  boolean find(long sequence) {
    for (Reply reply : ring) {
      if (sequence != 0 && reply.awaited == sequence) {
        found = reply;
        return true;
      }
    }
    return false;
  }

  /**
   * Makes room for so many bytes of the body of the one that was found, behind those that have
   * come; done by the reader.
   *
   * @throws ProtocolException if the reply is too long
   */
  long room(int bytes) {
    if (bytes > Limits.REPLY - found.begun) {
      throw new ProtocolException("a reply of more than " + Limits.REPLY + " bytes");
    }
    found.body.grow((long) found.begun + bytes, found.begun);
    return found.body.address() + found.begun;
  }

  /** Whether bytes of the one that was found have come; asked by the reader. */
  boolean isBegun() {
    return found.begun > 0;
  }

  /** So many bytes of the one that was found have come, and more follow; done by the reader. */
  void add(int bytes) {
    found.begun += bytes;
  }

  /** Where the part of the one that was found goes; 0 for its own memory; asked by the reader. */
  long place() {
    return found.place;
  }

  /** Most bytes that go there; asked by the reader. */
  long placeBytes() {
    return found.placeBytes;
  }

  /** The one that was found has come; done by the reader. */
  void answer(int result, int bytes) {
    found.result = result;
    found.bytes = found.begun + bytes;
    found.begun = 0;
    found.awaited = 0;
  }

  /** From here on the thread waits for the oldest alone. */
  void awaitOldest() {
    only = at(taken);
  }

  /** From here on the thread waits for all. */
  void awaitAll() {
    only = null;
  }

  /** Whether what the thread waits for has not come; any may ask. */
  boolean areMissing() {
    Reply one = only;
    return one == null ? areAnyMissing() : one.awaited != 0;
  }

  private boolean areAnyMissing() {
    for (Reply reply : ring) {
      if (reply.awaited != 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether there are none to be taken, come or not. */
  boolean isEmpty() {
    return taken == asked;
  }

  /** Whether the oldest has to be taken before another call. */
  boolean isFull() {
    return asked - taken == MOST;
  }

  /** The oldest, which has come. */
  Reply take() {
    return at(taken++);
  }

  /** The latest one, which has come, or will never come; those before it are dropped. */
  Reply takeLast() {
    taken = asked;
    return last();
  }

  /** The one that was taken last. */
  Reply last() {
    return at(taken - 1);
  }
}
