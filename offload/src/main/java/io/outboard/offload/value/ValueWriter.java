// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.value;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes values, little-endian and without padding. For one thread at a time. */
public final class ValueWriter {
  private static final int FIRST = 256;

  private final int head;
  private final int most;
  private byte[] bytes;
  private ByteBuffer out;
  private int depth;

  /**
   * Begins with room for a head, which its owner fills in.
   *
   * @param head bytes before the values
   * @param most bytes of values
   */
  public ValueWriter(int head, int most) {
    this.head = head;
    this.most = most;
    use(new byte[head + FIRST]);
    out.position(head);
  }

  private void use(byte[] room) {
    bytes = room;
    out = ByteBuffer.wrap(room).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Forgets what was written. */
  public void clear() {
    depth = 0;
    out.position(head);
  }

  /** The head and the values; no copy. */
  public byte[] array() {
    return bytes;
  }

  /** How many bytes of {@link #array} count, the head's among them. */
  public int end() {
    return out.position();
  }

  /** How many bytes the values have. */
  public int length() {
    return out.position() - head;
  }

  private ByteBuffer room(long count) {
    if (out.remaining() < count) {
      grow(count);
    }
    return out;
  }

  private void grow(long count) {
    long least = out.position() + count;
    if (least - head > most) {
      throw new MalformedValueException(
          "the values have more than " + most + " bytes, the most of a call");
    }
    int position = out.position();
    long twice = Math.min(2L * bytes.length, (long) head + most);
    use(Arrays.copyOf(bytes, (int) Math.max(least, twice)));
    out.position(position);
  }

  /** A record begins inside of what is written. */
  public void enter() {
    if (++depth > ValueReader.DEEPEST) {
      throw ValueReader.tooDeep();
    }
  }

  /** A record ends. */
  public void leave() {
    depth--;
  }

  /** Writes one. */
  public void u8(int value) {
    room(1).put((byte) value);
  }

  /** Writes one. */
  public void of(boolean value) {
    u8(value ? 1 : 0);
  }

  /** Writes one. */
  public void of(byte value) {
    u8(value);
  }

  /** Writes one. */
  public void of(short value) {
    room(Short.BYTES).putShort(value);
  }

  /** Writes one. */
  public void of(char value) {
    room(Character.BYTES).putChar(value);
  }

  /** Writes one. */
  public void of(int value) {
    room(Integer.BYTES).putInt(value);
  }

  /** Writes one. */
  public void of(long value) {
    room(Long.BYTES).putLong(value);
  }

  /** Writes one. */
  public void of(float value) {
    room(Float.BYTES).putFloat(value);
  }

  /** Writes one. */
  public void of(double value) {
    room(Double.BYTES).putDouble(value);
  }

  /** Writes one of at most so many bytes of UTF-8. */
  public void of(String value, int bound) {
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    length(text.length, bound);
    room(text.length).put(text);
  }

  /** Writes the length of what follows, which is at most so many. */
  public void length(int length, int bound) {
    if (length > bound) {
      throw new MalformedValueException("a length of " + length + ", at most " + bound);
    }
    of(length);
  }

  /** Writes them. */
  public void of(boolean[] values, int bound) {
    length(values.length, bound);
    for (boolean value : values) {
      of(value);
    }
  }

  /** Writes them. */
  public void of(byte[] values, int bound) {
    length(values.length, bound);
    room(values.length).put(values);
  }

  /** Writes them. */
  public void of(short[] values, int bound) {
    length(values.length, bound);
    room((long) values.length * Short.BYTES).asShortBuffer().put(values);
    skip(values.length * Short.BYTES);
  }

  /** Writes them. */
  public void of(char[] values, int bound) {
    length(values.length, bound);
    room((long) values.length * Character.BYTES).asCharBuffer().put(values);
    skip(values.length * Character.BYTES);
  }

  /** Writes them. */
  public void of(int[] values, int bound) {
    length(values.length, bound);
    room((long) values.length * Integer.BYTES).asIntBuffer().put(values);
    skip(values.length * Integer.BYTES);
  }

  /** Writes them. */
  public void of(long[] values, int bound) {
    length(values.length, bound);
    room((long) values.length * Long.BYTES).asLongBuffer().put(values);
    skip(values.length * Long.BYTES);
  }

  /** Writes them. */
  public void of(float[] values, int bound) {
    length(values.length, bound);
    room((long) values.length * Float.BYTES).asFloatBuffer().put(values);
    skip(values.length * Float.BYTES);
  }

  /** Writes them. */
  public void of(double[] values, int bound) {
    length(values.length, bound);
    room((long) values.length * Double.BYTES).asDoubleBuffer().put(values);
    skip(values.length * Double.BYTES);
  }

  private void skip(int count) {
    out.position(out.position() + count);
  }
}
