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
import java.time.Instant;
import java.util.Map;
import java.util.Set;

/**
 * Who changed what, and who was turned away: lines of JSON that are only added to a file. When one
 * cannot be written, nothing is to be changed until one can.
 */
final class AuditLog implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(AuditLog.class.getName());

  private final FileChannel file;
  // Guarded by this object's monitor.
  private boolean broken;

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

  /** Adds a line, where that is possible. */
  synchronized void add(Map<String, Object> line) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap((Json.write(line) + "\n").getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        int unused = file.write(bytes);
      }
      broken = false;
    } catch (IOException e) {
      broken = true;
      LOG.log(System.Logger.Level.ERROR, "the audit log cannot be written", e);
    }
  }

  /** Whether lines can be written, as far as is known; tries, where one could not. */
  synchronized boolean works() {
    if (broken) {
      add(Ordered.of("time", Instant.now().toString(), "event", "the log can be written again"));
    }
    return !broken;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
