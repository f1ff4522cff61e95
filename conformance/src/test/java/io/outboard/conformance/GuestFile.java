// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Files that stand for memory which a guest shares with its host (ivshmem). */
final class GuestFile {
  /** The beginning of their paths. */
  static final String PREFIX = "/dev/shm/outboard-test-ivshmem";

  /** The end of the line of a program whose session goes on without that memory. */
  static final String OVER_THE_STREAM =
      " is back; bytes travel over it, and not through shared memory any more\n";

  private GuestFile() {}

  /** Makes one of so many bytes. */
  static Path make(long bytes) {
    Path prefix = Path.of(PREFIX);
    try {
      Path file = Files.createTempFile(prefix.getParent(), prefix.getFileName().toString(), "");
      try (RandomAccessFile memory = new RandomAccessFile(file.toFile(), "rw")) {
        memory.setLength(bytes);
      }
      return file;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The variables of a program that finds one in its device's place. */
  static Map<String, String> variables(Backend backend, String endpoint, Path memory)
      throws IOException {
    Map<String, String> variables = new HashMap<>(backend.variables(endpoint));
    variables.remove("OUTBOARD_SHM");
    variables.put("OUTBOARD_IVSHMEM", memory.toString());
    return variables;
  }
}
