// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.cuda.CudaDriverTable;
import io.outboard.wire.Frame;
import io.outboard.wire.Limits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;

/** Kinds of damage to a frame; the same seed does the same damage. */
final class Damage {
  private static final long[] LIKELY = {
    0,
    1,
    7,
    8,
    40,
    4096,
    65535,
    65536,
    Integer.MAX_VALUE,
    0xffffffffL,
    1L << 32,
    1L << 40,
    -1,
    -8,
    Long.MIN_VALUE,
    Long.MAX_VALUE,
    Long.MIN_VALUE | 8
  };

  private static final int KNOWN = 64;

  private final Random random;
  // Words of earlier frames: handles, addresses and numbers that mean something.
  private final long[] known = new long[KNOWN];

  Damage(Random random) {
    this.random = random;
  }

  /** Bytes to send in the frame's place. */
  byte[] to(byte[] frame) {
    for (int at = Frame.HEADER; at < frame.length; at += 8) {
      known[random.nextInt(KNOWN)] = words(frame).getLong(at);
    }
    return switch (random.nextInt(12)) {
      case 0 -> flipped(frame, 0, Frame.HEADER);
      case 1 -> flipped(frame, 0, frame.length);
      case 2 -> withWord(frame, 4 * random.nextInt(Frame.HEADER / 4), 4);
      case 3, 4, 5 -> withWord(frame, bodyWord(frame), 8);
      case 6 -> flipped(frame, Math.min(Frame.HEADER, frame.length - 8), frame.length);
      case 7 -> resized(frame, 8 * random.nextInt(frame.length / 8));
      case 8 -> resized(frame, frame.length + 8 * random.nextInt(100));
      case 9 -> joined(frame, frame);
      case 10 -> anyCall();
      default -> noise();
    };
  }

  /** Whether what was sent says its own length, so that frames may follow. */
  static boolean inStep(byte[] bytes) {
    int at = 0;
    while (bytes.length - at >= Frame.HEADER) {
      int length = words(bytes).getInt(at);
      if (length < Frame.HEADER || length > bytes.length - at) {
        return false;
      }
      at += length;
    }
    return at == bytes.length;
  }

  private int bodyWord(byte[] frame) {
    int words = (frame.length - Frame.HEADER) / 8;
    return words == 0 ? Frame.SEQUENCE : Frame.HEADER + 8 * random.nextInt(words);
  }

  private byte[] flipped(byte[] frame, int from, int to) {
    byte[] bytes = frame.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      bytes[from + random.nextInt(to - from)] ^= (byte) (1 << random.nextInt(8));
    }
    return bytes;
  }

  private byte[] withWord(byte[] frame, int at, int size) {
    byte[] damaged = frame.clone();
    ByteBuffer bytes = words(damaged);
    long word = random.nextBoolean() ? LIKELY[random.nextInt(LIKELY.length)] : random.nextLong();
    if (size == 8) {
      bytes.putLong(at, word);
    } else {
      bytes.putInt(at, (int) word);
    }
    return damaged;
  }

  /** Says its new length, as the protocol wants it. */
  private byte[] resized(byte[] frame, int length) {
    int actual = Math.clamp(length, Frame.HEADER, Frame.HEADER + Limits.BODY);
    byte[] bytes = Arrays.copyOf(frame, actual);
    for (int i = frame.length; i < actual; i++) {
      bytes[i] = (byte) random.nextInt();
    }
    words(bytes).putInt(Frame.LENGTH, actual);
    return bytes;
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static ByteBuffer words(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A call of any number whose body may make sense. */
  private byte[] anyCall() {
    byte[] bytes = new byte[Frame.HEADER + 8 * (1 + random.nextInt(12))];
    ByteBuffer frame = words(bytes);
    header(frame, Frame.KIND_CALL);
    frame.put(Frame.FLAGS, (byte) Frame.FLAG_ANSWER);
    frame.putLong(Frame.HEADER, random.nextInt(4) == 0 ? random.nextInt(256) : 0xffff);
    for (int at = Frame.HEADER + 8; at < bytes.length; at += 8) {
      frame.putLong(at, anyWord());
    }
    return bytes;
  }

  private long anyWord() {
    return switch (random.nextInt(4)) {
      case 0 -> LIKELY[random.nextInt(LIKELY.length)];
      case 1 -> random.nextInt(64);
      default -> known[random.nextInt(KNOWN)];
    };
  }

  private void header(ByteBuffer frame, int kind) {
    frame.putInt(Frame.LENGTH, frame.capacity());
    frame.put(Frame.KIND, (byte) kind);
    frame.putShort(Frame.CALL, (short) random.nextInt(CudaDriverTable.LEVEL + 2));
    frame.putInt(Frame.LIBRARY, CudaDriverTable.ID);
    frame.putInt(Frame.LANE, random.nextInt(4));
    frame.putInt(Frame.THREAD, random.nextInt(4));
  }

  private byte[] noise() {
    byte[] bytes = new byte[Frame.HEADER + 8 * random.nextInt(40)];
    random.nextBytes(bytes);
    header(words(bytes), random.nextInt(14));
    return bytes;
  }
}
