// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

import static io.outboard.spec.Scalar.BYTE;
import static io.outboard.spec.Scalar.DOUBLE;
import static io.outboard.spec.Scalar.FLOAT;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.spec.Scalar.SHORT;

import io.outboard.spec.CString;
import io.outboard.spec.Cached;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.In;
import io.outboard.spec.InOut;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Settles;

/** Scalars, arrays, bytes and texts. */
public interface ToyData {
  /** Does nothing. */
  @Call(1)
  @Settles
  int toyNothing();

  /** Adds scalars of every type. */
  @Call(2)
  int toyAdd(byte a, short b, int c, long d, float e, double f, @Out(DOUBLE) long sum);

  /** Writes a scalar of every type. */
  @Call(3)
  int toyWriteScalars(
      @Out(BYTE) long a,
      @Out(SHORT) long b,
      @Out(INT) long c,
      @Out(LONG) long d,
      @Out(FLOAT) long e,
      @Out(DOUBLE) long f);

  /** Adds scalars of every type that are read through pointers; null ones count as 0. */
  @Call(4)
  int toyReadScalars(
      @In(BYTE) long a,
      @In(SHORT) long b,
      @In(INT) long c,
      @In(LONG) long d,
      @In(FLOAT) long e,
      @In(DOUBLE) long f,
      @Out(DOUBLE) long sum);

  /** Doubles one number and many. */
  @Call(5)
  int toyDouble(
      @InOut(INT) long value, @InOut(value = LONG, count = "count") long values, int count);

  /** Adds numbers. */
  @Call(6)
  int toySum(@In(value = INT, count = "count") long values, int count, @Out(LONG) long sum);

  /** Writes {@code 2 × (count + 1)} numbers. */
  @Call(7)
  int toyFill(@Out(value = SHORT, count = "2 * (count + 1)") long values, int count, short value);

  /** Copies bytes and appends four that say how many; a part is not copied. */
  @Call(8)
  int toyBytes(
      @In(bytes = "length") long from,
      @Out(bytes = "length + 4 - skipped") long to,
      long length,
      int skipped);

  /** Writes at most {@code count} numbers, and how many; without room, how many there are. */
  @Call(9)
  int toyNumbers(@InOut(INT) long count, @Out(value = INT, count = "count") long numbers);

  /** Length of a text. */
  @Call(10)
  int toyLength(@CString long text, @Out(LONG) long length);

  /** Writes a text. */
  @Call(11)
  int toyName(@Out @CString long name, int room);

  /** Writes a text in capital letters, and how long it is. */
  @Call(12)
  int toyCapitals(
      @CString long text,
      @Out(bytes = "room") @CString long capitals,
      long room,
      @Out(value = INT, count = "1") long length);

  /** Changes all bytes. */
  @Call(13)
  int toyFlip(@InOut(bytes = "length") long bytes, long length);

  /** The version of the toy. */
  @Call(14)
  @Cached
  int toyVersion(@Out(INT) long version);

  /** Reads an image whose length the program does not say. */
  @Call(15)
  @Custom(
      value = "the length is found by hand",
      prototype = "toyResult toyImage(const void *image)",
      binding = true)
  int toyImage(@In(bytes = "length") long image, long length);

  /** A future call of toys: most of them lack it. */
  @Call(16)
  int toyFuture(@Out(INT) long year);

  /** The text of a result code. */
  @Local(prototype = "toyResult toyErrorText(toyResult error, const char **text)")
  default int toyErrorText(int error, @Out(LONG) long text) {
    return ToyResult.NOT_SUPPORTED;
  }

  /** Twice a number. */
  @Local
  default int toyTwice(int value, @Out(INT) long twice) {
    return ToyResult.NOT_SUPPORTED;
  }
}
