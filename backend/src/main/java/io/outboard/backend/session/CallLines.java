// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.session;

import io.outboard.wire.Frame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** The lines of a session's log on their way to the client that wants them. */
final class CallLines {
  private static final int ENOUGH = 64 << 10;

  private final Connection connection;
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream();

  CallLines(Connection connection) {
    this.connection = connection;
  }

  /** Takes a line; it is sent with others. */
  synchronized void add(byte[] line) throws IOException {
    lines.writeBytes(line);
    if (lines.size() > ENOUGH) {
      flush();
    }
  }

  /** Sends what is there. */
  synchronized void flush() throws IOException {
    connection.text(Frame.KIND_LOG, lines.toByteArray());
    lines.reset();
  }
}
