// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A message of the kubelet's interface (Protocol Buffers, "Encoding"). A plug-in says and hears
 * texts and messages alone, so that fields of other types are passed over.
 */
final class Message {
  /** How gRPC writes and reads one. */
  static final Marshaller<Message> MARSHALLER =
      new Marshaller<>() {
        @Override
        public InputStream stream(Message message) {
          return new ByteArrayInputStream(message.bytes.toByteArray());
        }

        @Override
        public Message parse(InputStream stream) {
          return Message.read(stream);
        }
      };

  private static final int TYPE_BITS = 3;
  private static final int VARINT = 0;
  private static final int EIGHT_BYTES = 1;
  private static final int BYTES = 2;
  private static final int FOUR_BYTES = 5;
  private static final int LONGEST_VARINT = 10;

  private record Part(int field, byte[] value) {}

  private final List<Part> parts = new ArrayList<>();
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /** Adds a text; an empty one is as none. */
  Message with(int field, String text) {
    return text.isEmpty() ? this : with(field, text.getBytes(UTF_8));
  }

  /** Adds a message. */
  Message with(int field, Message message) {
    return with(field, message.bytes.toByteArray());
  }

  /** Adds a flag that is set. */
  Message withTrue(int field) {
    varint((field << TYPE_BITS) | VARINT);
    varint(1);
    return this;
  }

  private Message with(int field, byte[] value) {
    parts.add(new Part(field, value));
    varint((field << TYPE_BITS) | BYTES);
    varint(value.length);
    bytes.writeBytes(value);
    return this;
  }

  private void varint(int value) {
    int left = value;
    while (left > Byte.MAX_VALUE) {
      bytes.write((left & Byte.MAX_VALUE) | Byte.MIN_VALUE);
      left >>>= Byte.SIZE - 1;
    }
    bytes.write(left);
  }

  /** The texts of a field. */
  List<String> texts(int field) {
    return values(field).stream().map(value -> new String(value, UTF_8)).toList();
  }

  /** The messages of a field. */
  List<Message> messages(int field) {
    return values(field).stream().map(value -> read(ByteBuffer.wrap(value))).toList();
  }

  private List<byte[]> values(int field) {
    return parts.stream().filter(part -> part.field() == field).map(Part::value).toList();
  }

  /** Reads one; gRPC has bounded its length. */
  private static Message read(InputStream stream) {
    try {
      return read(ByteBuffer.wrap(stream.readAllBytes()));
    } catch (IOException | BufferUnderflowException | IllegalArgumentException e) {
      throw Status.INTERNAL.withDescription("this is no message").withCause(e).asRuntimeException();
    }
  }

  private static Message read(ByteBuffer in) {
    Message message = new Message();
    while (in.hasRemaining()) {
      long tag = varint(in);
      int field = (int) (tag >>> TYPE_BITS);
      switch ((int) (tag & ((1 << TYPE_BITS) - 1))) {
        case VARINT -> {
          long unused = varint(in);
        }
        case EIGHT_BYTES -> in.position(in.position() + Long.BYTES);
        case FOUR_BYTES -> in.position(in.position() + Integer.BYTES);
        case BYTES -> message.with(field, taken(in));
        default -> throw new IllegalArgumentException("no type of a field");
      }
    }
    return message;
  }

  private static byte[] taken(ByteBuffer in) {
    long length = varint(in);
    if (length < 0 || length > in.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] value = new byte[(int) length];
    in.get(value);
    return value;
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int i = 0; i < LONGEST_VARINT; i++) {
      byte next = in.get();
      value |= (long) (next & Byte.MAX_VALUE) << ((Byte.SIZE - 1) * i);
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number has no end");
  }
}
