// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * CPU time of a process to the nanosecond, from its threads' {@code schedstat} (the kernel's
 * scheduler statistics); {@code stat} counts in hundredths of a second, too coarse for an idle
 * session.
 */
final class CpuClock {
  private CpuClock() {}

  static double seconds(ProcessHandle process) {
    try (DirectoryStream<Path> threads =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(process.pid()), "task"))) {
      double sum = 0;
      for (Path thread : threads) {
        sum += ofThread(thread);
      }
      return sum;
    } catch (NoSuchFileException ended) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static double ofThread(Path thread) throws IOException {
    try {
      String nanoseconds = Files.readString(thread.resolve("schedstat")).split(" ", 2)[0];
      return Long.parseLong(nanoseconds) / 1e9;
    } catch (NoSuchFileException ended) {
      return 0;
    }
  }
}
