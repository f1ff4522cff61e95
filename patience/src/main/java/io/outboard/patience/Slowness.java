// SPDX-License-Identifier: Apache-2.0
package io.outboard.patience;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * How much slower this machine is, with all that it does besides, than a quiet one of the usual
 * size. Measured once a virtual machine, by how long another one takes to start: what tests wait
 * for are mostly processes.
 */
final class Slowness {
  /** Of a virtual machine's start, on two quiet cores: 40 to 60 ms. */
  private static final Duration USUAL = Duration.ofMillis(100);

  /** A limit of some use is left. */
  private static final long MOST = 10;

  /** Names a factor that somebody has measured already; a longer one counts. */
  private static final String VARIABLE = "OUTBOARD_PATIENCE";

  private static final Duration START = start();

  /** At least one. */
  static final long FACTOR = Math.max(factor(START), given());

  private Slowness() {}

  /** The start of a virtual machine and the factor, in one line. */
  static String words() {
    return "outboard: patience of tests: %d times the usual; a JVM started in %d ms"
        .formatted(FACTOR, START.toMillis());
  }

  /** So many times the usual, rounded up. */
  static long factor(Duration start) {
    long times = (start.toNanos() + USUAL.toNanos() - 1) / USUAL.toNanos();
    return Math.clamp(times, 1, MOST);
  }

  private static long given() {
    String value = System.getenv(VARIABLE);
    return value == null ? 1 : Math.clamp(Long.parseLong(value), 1, MOST);
  }

  private static Duration start() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    long begin = System.nanoTime();
    try {
      new ProcessBuilder(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-version")
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new ExceptionInInitializerError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return Duration.ofNanos(System.nanoTime() - begin);
  }
}
