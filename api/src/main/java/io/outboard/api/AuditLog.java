// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;

/** Who changed what, and who was turned away: lines of JSON that are only added to a file. */
final class AuditLog implements AutoCloseable {
  private final FileChannel file;

  /** Adds to a file, which is made readable by its user alone. */
  AuditLog(Path path) throws IOException {
    FileAttribute<?> own =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Files.createDirectories(path.getParent());
    file =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
            own);
  }

  /** Adds a line. */
  synchronized void add(Map<String, Object> line) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap((Json.write(line) + "\n").getBytes(UTF_8));
    while (bytes.hasRemaining()) {
      int unused = file.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
