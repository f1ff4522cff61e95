// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The files of a jar in memory: so many, and so many bytes together, whatever their headers say.
 */
final class BoundedJar {
  private static final int MOST_FILES = 10_000;
  private static final int MOST_BYTES = 128 << 20;
  private static final int MOST_NAME = 1024;

  private final Map<String, byte[]> files = new HashMap<>();
  private int left = MOST_BYTES;

  private BoundedJar() {}

  /**
   * Unpacks one.
   *
   * @throws IOException if it is none, or too large
   */
  static Map<String, byte[]> unpack(byte[] jar) throws IOException {
    BoundedJar unpacked = new BoundedJar();
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(jar))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        unpacked.add(entry, in);
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("a name in the jar is none", e);
    }
    return unpacked.files;
  }

  private void add(ZipEntry entry, ZipInputStream in) throws IOException {
    byte[] bytes = in.readNBytes(left + 1);
    left -= bytes.length;
    if (left < 0 || files.size() == MOST_FILES || entry.getName().length() > MOST_NAME) {
      throw new IOException(
          "the jar has more than %d files or %d bytes".formatted(MOST_FILES, MOST_BYTES));
    }
    if (!entry.isDirectory()) {
      files.put(entry.getName(), bytes);
    }
  }
}
