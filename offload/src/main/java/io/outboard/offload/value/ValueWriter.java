// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.value;

import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes values, little-endian and without padding. For one thread at a time. Large arrays of bytes
 * are not copied: they stay as they are until the values were sent.
 */
public final class ValueWriter {
  private static final int FIRST = 256;

  /** From here on a copy, and room for it, cost more than another piece. */
  private static final int LARGE = 32 << 10;

  private final int head;
  private final int most;
  private final byte[] first;
  private final List<Piece> pieces = new ArrayList<>();
  private ByteBuffer out;
  private int begin;
  private long before;
  private int depth;

  /** Bytes that were written, of an array that others may have too. */
  private record Piece(byte[] bytes, int from, int length) {}

  /** Takes the pieces of what was written. */
  @FunctionalInterface
  public interface Sink {
    /** Takes some bytes of an array, which it does not keep. */
    void take(byte[] bytes, int from, int length) throws IOException;
  }

  /**
   * Begins with room for a head, which its owner fills in.
   *
   * @param head bytes before the values
   * @param most bytes of values
   */
  public ValueWriter(int head, int most) {
    this.head = head;
    this.most = most;
    first = new byte[head + FIRST];
    clear();
  }

  /** Forgets what was written. */
  public void clear() {
    depth = 0;
    pieces.clear();
    before = 0;
    begin = 0;
    use(first);
    skip(head);
  }

  private void use(byte[] room) {
    out = ByteBuffer.wrap(room).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** An array that begins with the head. */
  public byte[] head() {
    return first;
  }

  /** How many bytes the values have. */
  public int length() {
    return (int) (before + out.position() - begin - head);
  }

  /** Passes the head and the values on. */
  public void to(Sink sink) throws IOException {
    for (Piece piece : pieces) {
      sink.take(piece.bytes, piece.from, piece.length);
    }
    sink.take(out.array(), begin, out.position() - begin);
  }

  /** The head and the values, copied. */
  public byte[] toArray() {
    byte[] all = new byte[head + length()];
    ByteBuffer to = ByteBuffer.wrap(all);
    for (Piece piece : pieces) {
      to.put(piece.bytes, piece.from, piece.length);
    }
    to.put(out.array(), begin, out.position() - begin);
    return all;
  }

  private ByteBuffer room(long count) {
    if (out.remaining() < count) {
      expect(count);
      long twice = 2L * out.array().length;
      seal();
      use(new byte[(int) Math.max(count, Math.min(twice, LARGE))]);
      begin = 0;
    }
    return out;
  }

  private void expect(long count) {
    if (length() + count > most) {
      throw new MalformedValueException(
          "the values have more than " + most + " bytes, the most of a call");
    }
  }

  /** The bytes that were written since the last piece are one. */
  private void seal() {
    add(new Piece(out.array(), begin, out.position() - begin));
    begin = out.position();
  }

  private void add(Piece piece) {
    pieces.add(piece);
    before += piece.length;
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
    if (values.length < LARGE) {
      room(values.length).put(values);
    } else {
      expect(values.length);
      seal();
      add(new Piece(values, 0, values.length));
    }
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

  /** Android 13 has the method of the superclass alone. */
  private void skip(int count) {
    Buffer unused = ((Buffer) out).position(out.position() + count);
  }
}
