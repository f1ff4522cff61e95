// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.client;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A message of the greeting (PROTOCOL.md): what a client that only offloads says and hears.
 *
 * @param type of the message, which the Hello has not
 * @param body what follows the header
 */
record GreetingMessage(int type, ByteBuffer body) {
  static final int CHALLENGE = 2;
  static final int PROOF = 3;
  static final int WELCOME = 4;
  static final int REFUSAL = 5;
  static final int CODE_REQUEST = 11;
  static final int CODE_ANSWER = 12;

  /** Flags of a Hello: the client names its token; it wants code to run. */
  static final int NAMES_TOKEN = 8;

  static final int OFFLOADS = 1 << 25;

  private static final int MAGIC = 0x4454424F;
  private static final int HEADER = 8;
  private static final int MOST = 64 << 10;

  /** Begins one of so many bytes, all told. */
  static ByteBuffer begin(int bytes) {
    int length = (bytes + HEADER - 1) / HEADER * HEADER;
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN).putInt(MAGIC).putInt(length);
  }

  static void send(OutputStream out, ByteBuffer message) throws IOException {
    out.write(message.array(), message.arrayOffset(), message.capacity());
    out.flush();
  }

  static GreetingMessage receive(DataInputStream in) throws IOException {
    byte[] header = new byte[HEADER];
    in.readFully(header);
    ByteBuffer head = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
    int magic = head.getInt();
    int length = head.getInt();
    if (magic != MAGIC || length < 2 * HEADER || length > MOST || length % HEADER != 0) {
      throw new IOException("this is not Outboard's protocol");
    }
    byte[] body = new byte[length - HEADER];
    in.readFully(body);
    ByteBuffer all = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    return new GreetingMessage(all.getInt(), all);
  }

  /** Takes so many bytes. */
  byte[] bytes(int count) throws IOException {
    need(count);
    byte[] bytes = new byte[count];
    body.get(bytes);
    return bytes;
  }

  int number() throws IOException {
    need(Integer.BYTES);
    return body.getInt();
  }

  private void need(int count) throws IOException {
    if (body.remaining() < count) {
      throw new IOException("a message of the backend is cut off");
    }
  }

  /** Takes the rest, a text that ends with NUL. */
  String text() throws IOException {
    byte[] rest = bytes(body.remaining());
    int end = 0;
    while (end < rest.length && rest[end] != 0) {
      end++;
    }
    return new String(Arrays.copyOf(rest, end), StandardCharsets.UTF_8);
  }
}
