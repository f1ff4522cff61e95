// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Function;

/** Takes a message apart, in order. A missing part is the peer's fault. */
final class MessageReader {
  private final String what;
  private final ByteBuffer in;

  MessageReader(String what, byte[] message) {
    this.what = what;
    if (Message.length(message) != message.length) {
      throw malformed("its length is not " + message.length);
    }
    in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).position(Message.HEADER);
  }

  private MessageReader(String what, ByteBuffer in) {
    this.what = what;
    this.in = in;
  }

  /** Takes bytes apart that have no message's head, a frame's body say: all of them. */
  static <T> T whole(String what, byte[] body, Function<MessageReader, T> read) {
    ByteBuffer bytes = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    MessageReader in = new MessageReader(what, bytes);
    T result = read.apply(in);
    in.end();
    return result;
  }

  /** Takes the type, which must be this one. */
  void type(int expected) {
    if (u32() != expected) {
      throw malformed("it is another message");
    }
  }

  int u16() {
    return Short.toUnsignedInt(need(2).getShort());
  }

  /** Takes 32 bits of any value. */
  int word() {
    return need(4).getInt();
  }

  /** Takes a number of 32 bits; none has a use for the upper half of their range. */
  int u32() {
    int value = word();
    if (value < 0) {
      throw malformed("a number is " + Integer.toUnsignedString(value));
    }
    return value;
  }

  Bytes bytes(int count) {
    return Bytes.of(array(count));
  }

  long[] longs(int count) {
    need(8L * count);
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = in.getLong();
    }
    return values;
  }

  /** Takes a name in {@code room} bytes: printable ASCII, then at least one NUL. */
  String name(int room) {
    String name = untilNul(new String(array(room), ISO_8859_1));
    if (name.isEmpty() || name.length() == room || !name.chars().allMatch(c -> c > 32 && c < 127)) {
      throw malformed("a name is not one");
    }
    return name;
  }

  /** Takes text for people in {@code count} bytes; it ends at a NUL and cannot steer a terminal. */
  String text(int count) {
    return Printable.of(untilNul(new String(array(count), UTF_8)));
  }

  /** Takes {@code count} bytes as they are, as text. */
  String raw(int count) {
    return new String(array(count), UTF_8);
  }

  void skip(int count) {
    need(count);
    in.position(in.position() + count);
  }

  void align() {
    skip((int) (Frame.align(in.position()) - in.position()));
  }

  int remaining() {
    return in.remaining();
  }

  /** Nothing may be left. */
  void end() {
    if (in.hasRemaining()) {
      throw malformed(in.remaining() + " bytes are too many");
    }
  }

  ProtocolException malformed(String how) {
    return new ProtocolException("malformed " + what + ": " + how);
  }

  private byte[] array(int count) {
    need(count);
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }

  private ByteBuffer need(long count) {
    if (in.remaining() < count) {
      throw malformed("it is cut off");
    }
    return in;
  }

  private static String untilNul(String text) {
    int end = text.indexOf('\0');
    return end < 0 ? text : text.substring(0, end);
  }
}
