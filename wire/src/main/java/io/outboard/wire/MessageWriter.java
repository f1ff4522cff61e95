// SPDX-License-Identifier: Apache-2.0
package io.outboard.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;

/** Puts a message together, in order. */
final class MessageWriter {
  private final ByteBuffer out =
      ByteBuffer.allocate(Limits.HANDSHAKE).order(ByteOrder.LITTLE_ENDIAN);

  MessageWriter() {
    u32(Message.MAGIC).u32(0);
  }

  MessageWriter u16(int value) {
    room(2).putShort((short) value);
    return this;
  }

  MessageWriter u32(int value) {
    room(4).putInt(value);
    return this;
  }

  MessageWriter u64(long value) {
    room(8).putLong(value);
    return this;
  }

  MessageWriter bytes(Bytes value) {
    return bytes(value.toArray());
  }

  MessageWriter bytes(byte[] value) {
    room(value.length).put(value);
    return this;
  }

  /** Writes a name of fewer than {@code room} characters. */
  MessageWriter name(String name, int room) {
    byte[] bytes = name.getBytes(US_ASCII);
    if (bytes.length == 0 || bytes.length >= room) {
      throw new IllegalArgumentException("a name has 1 to " + (room - 1) + " bytes: " + name);
    }
    return bytes(Arrays.copyOf(bytes, room));
  }

  MessageWriter zeros(int count) {
    return bytes(new byte[count]);
  }

  MessageWriter align() {
    return zeros((int) (Frame.align(out.position()) - out.position()));
  }

  /** The whole message. */
  byte[] message() {
    out.putInt(4, out.position());
    return Arrays.copyOf(out.array(), out.position());
  }

  /** The bytes so far, without a message's head: a frame's body say. */
  static byte[] body(Consumer<MessageWriter> write) {
    MessageWriter to = new MessageWriter();
    write.accept(to);
    return Arrays.copyOfRange(to.out.array(), Message.HEADER, to.out.position());
  }

  private ByteBuffer room(int count) {
    if (out.remaining() < count) {
      throw new IllegalArgumentException("a message has at most " + Limits.HANDSHAKE + " bytes");
    }
    return out;
  }
}
