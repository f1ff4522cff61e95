// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * How much time the machine's processors have left for what is not urgent.
 *
 * <p>Source: proc_stat(5), the line {@code cpu}: the time of all processors by what they did, in
 * ticks since the machine started.
 */
final class IdleProcessors {
  private static final int IDLE = 3;
  private static final int WAITING_FOR_DISK = 4;
  // user, nice, system, idle, iowait, irq, softirq, steal; what guests take is within user.
  private static final int KINDS = 8;
  private static final Ticks UNKNOWN = new Ticks(0, 0);

  private final Path statistics;
  private Ticks before;

  IdleProcessors() {
    this(Path.of("/proc/stat"));
  }

  /** {@code statistics} are those of a test. */
  IdleProcessors(Path statistics) {
    this.statistics = statistics;
    this.before = read();
  }

  private record Ticks(long idle, long all) {}

  /**
   * The share of all processors' time that has been idle since the last question, from 0 to 1; 1
   * where the system does not tell.
   */
  double shareSinceLast() {
    Ticks now = read();
    double passed = now.all - before.all;
    double share = (now.idle - before.idle) / passed;
    before = now;
    return now.equals(UNKNOWN) ? 1 : passed > 0 ? share : 0;
  }

  private Ticks read() {
    try (Stream<String> lines = Files.lines(statistics)) {
      String[] words = lines.findFirst().orElse("").split(" +");
      long[] ticks = Stream.of(words).skip(1).limit(KINDS).mapToLong(Long::parseLong).toArray();
      return new Ticks(ticks[IDLE] + ticks[WAITING_FOR_DISK], Arrays.stream(ticks).sum());
    } catch (IOException | NumberFormatException | ArrayIndexOutOfBoundsException e) {
      Log.debug("how busy the processors are is not known: " + e.getMessage());
      return UNKNOWN;
    }
  }
}
