// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.value;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads values that a stranger may have written. Nothing is allocated for a length that the bytes
 * left cannot have. For one thread at a time.
 */
public final class ValueReader {
  /** How deep records may lie in each other. */
  static final int DEEPEST = 64;

  private final ByteBuffer in;
  private int depth;

  /** Reads these bytes, from a place on. */
  public ValueReader(byte[] bytes, int offset, int length) {
    in = ByteBuffer.wrap(bytes, offset, length).order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer need(long count) {
    if (in.remaining() < count) {
      throw new MalformedValueException("the values are cut off");
    }
    return in;
  }

  /** Nothing may be left. */
  public void end() {
    if (in.hasRemaining()) {
      throw new MalformedValueException(in.remaining() + " bytes are too many");
    }
  }

  /** A record begins inside of what is read. */
  public void enter() {
    if (++depth > DEEPEST) {
      throw tooDeep();
    }
  }

  static MalformedValueException tooDeep() {
    return new MalformedValueException("values lie deeper than " + DEEPEST + " in each other");
  }

  /** A record ends. */
  public void leave() {
    depth--;
  }

  /** Reads a number below a limit. */
  public int u8(int limit) {
    int value = Byte.toUnsignedInt(need(1).get());
    if (value >= limit) {
      throw new MalformedValueException("a number is " + value + ", not below " + limit);
    }
    return value;
  }

  /** Reads one. */
  public boolean ofBoolean() {
    return u8(2) == 1;
  }

  /** Reads one. */
  public byte ofByte() {
    return need(1).get();
  }

  /** Reads one. */
  public short ofShort() {
    return need(Short.BYTES).getShort();
  }

  /** Reads one. */
  public char ofChar() {
    return need(Character.BYTES).getChar();
  }

  /** Reads one. */
  public int ofInt() {
    return need(Integer.BYTES).getInt();
  }

  /** Reads one. */
  public long ofLong() {
    return need(Long.BYTES).getLong();
  }

  /** Reads one. */
  public float ofFloat() {
    return need(Float.BYTES).getFloat();
  }

  /** Reads one. */
  public double ofDouble() {
    return need(Double.BYTES).getDouble();
  }

  /** Reads a string of at most so many bytes of UTF-8. */
  public String ofString(int bound) {
    int length = length(bound, 1);
    try {
      ByteBuffer text = ByteBuffer.wrap(in.array(), in.arrayOffset() + in.position(), length);
      skip(length);
      return StandardCharsets.UTF_8.newDecoder().decode(text).toString();
    } catch (CharacterCodingException e) {
      throw new MalformedValueException("a text is not UTF-8");
    }
  }

  /** Reads a length of things that have so many bytes each, or more. */
  public int length(int bound, int each) {
    int length = need(Integer.BYTES).getInt();
    if (length < 0 || length > bound || (long) length * each > in.remaining()) {
      throw new MalformedValueException("a length is " + length);
    }
    return length;
  }

  /** Reads them. */
  public boolean[] ofBooleans(int bound) {
    boolean[] values = new boolean[length(bound, 1)];
    for (int i = 0; i < values.length; i++) {
      values[i] = ofBoolean();
    }
    return values;
  }

  /** Reads them. */
  public byte[] ofBytes(int bound) {
    byte[] values = new byte[length(bound, 1)];
    in.get(values);
    return values;
  }

  /** Reads them. */
  public short[] ofShorts(int bound) {
    short[] values = new short[length(bound, Short.BYTES)];
    in.asShortBuffer().get(values);
    skip(values.length * Short.BYTES);
    return values;
  }

  /** Reads them. */
  public char[] ofChars(int bound) {
    char[] values = new char[length(bound, Character.BYTES)];
    in.asCharBuffer().get(values);
    skip(values.length * Character.BYTES);
    return values;
  }

  /** Reads them. */
  public int[] ofInts(int bound) {
    int[] values = new int[length(bound, Integer.BYTES)];
    in.asIntBuffer().get(values);
    skip(values.length * Integer.BYTES);
    return values;
  }

  /** Reads them. */
  public long[] ofLongs(int bound) {
    long[] values = new long[length(bound, Long.BYTES)];
    in.asLongBuffer().get(values);
    skip(values.length * Long.BYTES);
    return values;
  }

  /** Reads them. */
  public float[] ofFloats(int bound) {
    float[] values = new float[length(bound, Float.BYTES)];
    in.asFloatBuffer().get(values);
    skip(values.length * Float.BYTES);
    return values;
  }

  /** Reads them. */
  public double[] ofDoubles(int bound) {
    double[] values = new double[length(bound, Double.BYTES)];
    in.asDoubleBuffer().get(values);
    skip(values.length * Double.BYTES);
    return values;
  }

  /** Android 13 has the method of the superclass alone. */
  private void skip(int count) {
    Buffer unused = ((Buffer) in).position(in.position() + count);
  }
}
