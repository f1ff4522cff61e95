// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The memory of this machine, read where the kernel tells it ({@code proc_meminfo(5)}). */
public final class HostSize {
  private static final String TOTAL = "MemTotal:";

  private HostSize() {}

  /** Installed bytes; 0 when it is not known. */
  public static long bytes() {
    return named(TOTAL, Path.of("/proc/meminfo"));
  }

  /** Reads a line of such a file, in bytes; 0 without such a line. */
  static long named(String name, Path file) {
    try {
      String text = Files.readString(file);
      int at = text.indexOf(name);
      return at < 0 ? 0 : kibibytes(text, at + name.length()) << 10;
    } catch (IOException unknown) {
      return 0;
    }
  }

  private static long kibibytes(String text, int from) {
    long number = 0;
    for (int i = from; i < text.length() && text.charAt(i) != 'k'; i++) {
      char digit = text.charAt(i);
      number = digit == ' ' ? number : 10 * number + (digit - '0');
    }
    return number;
  }
}
