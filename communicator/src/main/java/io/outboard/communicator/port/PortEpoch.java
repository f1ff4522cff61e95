// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.port;

import io.outboard.wire.Native;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;

/**
 * Frames over a port, whose bytes may begin or be cut anywhere. An epoch is a pair of nonces, one
 * of each side. Frames are taken only in an epoch, and each ends with its taker's nonce, so that
 * bytes of another epoch never complete one. Does no input or output.
 */
final class PortEpoch {
  private static final byte[] MARK = "outboard's port\0".getBytes(StandardCharsets.US_ASCII);
  private static final int GREETING = 48;
  private static final int VERSION = 1;
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long MARK_LOW = word(0);
  private static final long MARK_HIGH = word(Long.BYTES);

  private final PortBytes in;
  private final PortBytes out;
  private long own;
  // 0: there is no epoch yet.
  private long other;
  private boolean over;

  PortEpoch(Arena arena) {
    in = new PortBytes(arena);
    out = new PortBytes(arena);
  }

  private static long word(int at) {
    return ByteBuffer.wrap(MARK).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
  }

  /** Bytes that have come. */
  PortBytes in() {
    return in;
  }

  /** Bytes that are to go. */
  PortBytes out() {
    return out;
  }

  boolean stands() {
    return other != 0;
  }

  /** Whether there is room for two more frames of any kind. */
  boolean hasRoom() {
    return out.room() >= 2 * PortFrame.MOST;
  }

  /** On a port that has just been opened: nothing of before counts. */
  void begin() {
    in.clear();
    renewAloud();
  }

  /**
   * The other side broke the rules. It may be in the middle of a frame that will never be whole:
   * zeros complete it, and no seal is zero.
   */
  private void renewAloud() {
    renew();
    out.putZeros(PortFrame.MOST);
    greet(0);
  }

  private void renew() {
    other = 0;
    out.clear();
    do {
      own = RANDOM.nextLong();
    } while (own == 0);
  }

  /** The other side broke the rules in a frame. */
  void fail() {
    renewAloud();
  }

  /** Whether the epoch is over since this was asked last: all its channels are. */
  boolean tookEnd() {
    boolean ended = over;
    over = false;
    return ended;
  }

  /** The next frame; none if there is none yet, or the epoch is over. */
  Optional<PortFrame> take() {
    while (!stands() || (in.held() >= MARK.length && isMark())) {
      if (!findGreeting() || out.room() < GREETING) {
        return Optional.empty();
      }
      takeGreeting();
      if (over) {
        return Optional.empty();
      }
    }
    return in.held() >= PortFrame.HEADER ? takeFrame() : Optional.empty();
  }

  // ---- greetings

  private boolean isMark() {
    return Native.getLong(in.first()) == MARK_LOW
        && Native.getLong(in.first() + Long.BYTES) == MARK_HIGH;
  }

  /** Drops what comes before a greeting. */
  private boolean findGreeting() {
    while (in.held() >= MARK.length && !isMark()) {
      do {
        in.dropped(1);
      } while (in.held() > 0 && Native.getByte(in.first()) != MARK[0]);
    }
    return in.held() >= GREETING;
  }

  /**
   * Another nonce is another process at the other side, or one that has begun anew; it looks for a
   * greeting, and needs no zeros.
   */
  private void takeGreeting() {
    long from = in.first();
    boolean known = Native.getInt(from + 16) == VERSION && Native.getLong(from + 24) != 0;
    long its = Native.getLong(from + 24);
    long heard = Native.getLong(from + 32);
    in.dropped(GREETING);
    if (stands()) {
      takeAgain(known, its, heard);
    } else if (known) {
      other = heard == own ? its : 0;
      greet(its);
    }
  }

  private void takeAgain(boolean known, long its, long heard) {
    if (known && its == other && heard == own) {
      return;
    }
    over = true;
    if (known) {
      renew();
      greet(its);
    } else {
      renewAloud();
    }
  }

  /** A greeting says the sender's nonce, and the last that it has heard of the other side. */
  private void greet(long heard) {
    out.putLong(MARK_LOW);
    out.putLong(MARK_HIGH);
    out.putInt(VERSION);
    out.putInt(0);
    out.putLong(own);
    out.putLong(heard);
    out.putLong(0);
  }

  // ---- frames

  private Optional<PortFrame> takeFrame() {
    long from = in.first();
    PortFrame frame =
        new PortFrame(
            Native.getInt(from),
            Native.getInt(from + 4),
            Native.getInt(from + 8),
            from + PortFrame.HEADER);
    boolean sound = frame.isSound() && Native.getInt(from + 12) == 0;
    int body = sound ? PortFrame.padded(frame.kind(), frame.bytes()) : 0;
    int whole = PortFrame.HEADER + body + PortFrame.SEAL;
    if (sound && in.held() < whole) {
      return Optional.empty();
    }
    if (!sound || Native.getLong(from + PortFrame.HEADER + body) != own) {
      over = true;
      renewAloud();
      return Optional.empty();
    }
    in.dropped(whole);
    return Optional.of(frame);
  }

  /** Where the body of the next frame is to lie. */
  long body() {
    return out.next() + PortFrame.HEADER;
  }

  /** Adds a frame, whose body lies there already. */
  void put(int kind, int channel, int bytes) {
    out.putInt(kind);
    out.putInt(channel);
    out.putInt(bytes);
    out.putInt(0);
    int padded = PortFrame.padded(kind, bytes);
    if (padded > 0) {
      out.added(bytes);
      out.putZeros(padded - bytes);
    }
    out.putLong(other);
  }
}
