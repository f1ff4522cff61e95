// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.code;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
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
   * @param signatures those that each of its files has to have; none where it may be unsigned
   * @throws IOException if it is none, is not signed so, or too large
   */
  static Map<String, byte[]> unpack(byte[] jar, Optional<Signatures> signatures)
      throws IOException {
    BoundedJar unpacked = new BoundedJar();
    try (InputStream in = new ByteArrayInputStream(jar)) {
      if (signatures.isPresent()) {
        unpacked.fill(in, signatures.get());
      } else {
        unpacked.fill(in);
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("a name in the jar is none", e);
    } catch (SecurityException e) {
      throw new IOException("the jar's signature is wrong: " + e.getMessage(), e);
    }
    return unpacked.files;
  }

  private void fill(InputStream jar) throws IOException {
    try (ZipInputStream in = new ZipInputStream(jar)) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        add(entry, read(entry, in));
      }
    }
  }

  /** Bytes of a file that no signer vouches for are not kept. */
  private void fill(InputStream jar, Signatures signatures) throws IOException {
    try (JarInputStream in = new JarInputStream(jar, true)) {
      for (JarEntry entry = in.getNextJarEntry(); entry != null; entry = in.getNextJarEntry()) {
        byte[] bytes = read(entry, in);
        if (signatures.vouchFor(entry)) {
          add(entry, bytes);
        }
      }
    }
  }

  private byte[] read(ZipEntry entry, ZipInputStream in) throws IOException {
    byte[] bytes = in.readNBytes(left + 1);
    left -= bytes.length;
    if (left < 0 || files.size() == MOST_FILES || entry.getName().length() > MOST_NAME) {
      throw new IOException(
          "the jar has more than %d files or %d bytes".formatted(MOST_FILES, MOST_BYTES));
    }
    return bytes;
  }

  private void add(ZipEntry entry, byte[] bytes) {
    if (!entry.isDirectory()) {
      files.put(entry.getName(), bytes);
    }
  }
}
