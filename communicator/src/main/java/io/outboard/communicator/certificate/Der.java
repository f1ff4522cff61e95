// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.certificate;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Values in the distinguished encoding of ASN.1 (ITU-T X.690), as certificates and keys have. */
final class Der {
  static final int INTEGER = 0x02;
  static final int OCTETS = 0x04;
  static final int OID = 0x06;
  static final int SEQUENCE = 0x30;

  private static final int BOOLEAN = 0x01;
  private static final int BITS = 0x03;
  private static final int NULL = 0x05;
  private static final int UTF8 = 0x0c;
  private static final int UTC_TIME = 0x17;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SET = 0x31;
  private static final int CONTEXT = 0x80;
  private static final int CONSTRUCTED = 0x20;

  /** From that year on a time has four digits of it (RFC 5280, 4.1.2.5). */
  private static final int FOUR_DIGITS = 2050;

  private static final DateTimeFormatter SHORT = DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'");
  private static final DateTimeFormatter LONG = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'");

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return value(SEQUENCE, joined(parts));
  }

  static byte[] set(byte[]... parts) {
    return value(SET, joined(parts));
  }

  static byte[] integer(BigInteger number) {
    return value(INTEGER, number.toByteArray());
  }

  static byte[] yes() {
    return value(BOOLEAN, new byte[] {(byte) 0xff});
  }

  static byte[] nothing() {
    return value(NULL, new byte[0]);
  }

  static byte[] octets(byte[] bytes) {
    return value(OCTETS, bytes);
  }

  /** Whole bytes of bits, the last {@code unused} of which say nothing. */
  static byte[] bits(int unused, byte[] bytes) {
    return value(BITS, joined(new byte[] {(byte) unused}, bytes));
  }

  static byte[] text(String text) {
    return value(UTF8, text.getBytes(UTF_8));
  }

  static byte[] time(Instant moment) {
    ZonedDateTime time = moment.atZone(ZoneOffset.UTC);
    return time.getYear() < FOUR_DIGITS
        ? value(UTC_TIME, SHORT.format(time).getBytes(US_ASCII))
        : value(GENERALIZED_TIME, LONG.format(time).getBytes(US_ASCII));
  }

  /** An object identifier, as numbers with dots between them. */
  static byte[] oid(String dotted) {
    String[] numbers = dotted.split("\\.", -1);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(40 * Integer.parseInt(numbers[0]) + Integer.parseInt(numbers[1]));
    for (int i = 2; i < numbers.length; i++) {
      base128(bytes, Integer.parseInt(numbers[i]));
    }
    return value(OID, bytes.toByteArray());
  }

  private static void base128(ByteArrayOutputStream to, int number) {
    for (int shift = 28; shift > 0; shift -= 7) {
      if (number >>> shift != 0) {
        to.write(((number >>> shift) & 0x7f) | 0x80);
      }
    }
    to.write(number & 0x7f);
  }

  /** A value whose type its place says, that number. */
  static byte[] implicit(int number, byte[] content) {
    return value(CONTEXT | number, content);
  }

  /** Values inside a mark of that number. */
  static byte[] explicit(int number, byte[]... parts) {
    return value(CONTEXT | CONSTRUCTED | number, joined(parts));
  }

  static byte[] value(int type, byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(type);
    length(bytes, content.length);
    bytes.writeBytes(content);
    return bytes.toByteArray();
  }

  private static void length(ByteArrayOutputStream to, int length) {
    if (length < 0x80) {
      to.write(length);
      return;
    }
    byte[] digits = BigInteger.valueOf(length).toByteArray();
    int from = digits[0] == 0 ? 1 : 0;
    to.write(0x80 | (digits.length - from));
    to.write(digits, from, digits.length - from);
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return bytes.toByteArray();
  }

  /**
   * Takes the next value, which has to be of that type, and returns its content.
   *
   * @throws IllegalArgumentException if it is another, or is cut
   */
  static ByteBuffer take(ByteBuffer from, int type) {
    if (from.remaining() < 2 || (from.get() & 0xff) != type) {
      throw new IllegalArgumentException("not the value that belongs there");
    }
    int length = from.get() & 0xff;
    if (length > 0x80) {
      int digits = length & 0x7f;
      length = 0;
      for (int i = 0; i < digits && from.hasRemaining() && length < 1 << 16; i++) {
        length = (length << 8) | (from.get() & 0xff);
      }
    }
    if (length > from.remaining()) {
      throw new IllegalArgumentException("the value is cut");
    }
    ByteBuffer content = from.slice(from.position(), length);
    from.position(from.position() + length);
    return content;
  }

  /** The bytes that are left. */
  static byte[] rest(ByteBuffer from) {
    byte[] bytes = new byte[from.remaining()];
    from.get(bytes);
    return bytes;
  }
}
