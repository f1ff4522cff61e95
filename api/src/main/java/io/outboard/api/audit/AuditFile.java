// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.communicator.posix.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Lines that are added to a file, readable by its user alone, and to older ones beside it, {@code
 * NAME.1} the youngest: a full one is renamed, and the oldest one goes. A line that cannot be
 * written is the caller's to count; the next one opens the file anew. Not safe for threads.
 */
final class AuditFile implements AutoCloseable {
  private static final FileAttribute<?> OWN =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private final Path path;
  private final long mostBytes;
  private final int files;
  // None after a failure, and before the first line.
  private FileChannel file;

  /**
   * Opens one.
   *
   * @param mostBytes of each file; more than a line has
   * @param files how many there are at most, this one and older ones
   */
  AuditFile(Path path, long mostBytes, int files) throws IOException {
    this.path = path;
    this.mostBytes = mostBytes;
    this.files = files;
    PrivateFiles.own(path.getParent());
    open();
  }

  /** Adds a line, which has no end of line in it. */
  void add(String line) throws IOException {
    try {
      ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
      if (file == null) {
        open();
      }
      if (file.position() + bytes.remaining() > mostBytes) {
        rotate();
      }
      write(bytes);
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  private void open() throws IOException {
    file =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
            OWN);
    if (!Files.isSymbolicLink(path)) {
      PrivateFiles.ownFile(path);
    }
    file.position(file.size());
    if (endsWithin()) {
      write(ByteBuffer.wrap(new byte[] {'\n'}));
    }
  }

  /** Whether it ends in the midst of a line, as after a full disk. */
  private boolean endsWithin() throws IOException {
    ByteBuffer last = ByteBuffer.allocate(1);
    return file.size() > 0 && file.read(last, file.size() - 1) == 1 && last.get(0) != '\n';
  }

  private void write(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      int unused = file.write(bytes);
    }
  }

  private void rotate() throws IOException {
    close();
    for (int i = files - 1; i > 0; i--) {
      Path from = i == 1 ? path : older(i - 1);
      if (Files.exists(from)) {
        Files.move(from, older(i), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    open();
  }

  private Path older(int number) {
    return path.resolveSibling(path.getFileName() + "." + number);
  }

  @Override
  public void close() throws IOException {
    if (file != null) {
      FileChannel open = file;
      file = null;
      open.close();
    }
  }
}
