// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;

/** The measurements of a program on the JVM, as measure.h has those of the C programs. */
public final class Samples {
  private final String what;
  private final long[] nanoseconds;
  private int taken;
  private double cpu;

  /** Room for so many samples, at least one. */
  public Samples(String what, int count) {
    this.what = what;
    nanoseconds = new long[count];
  }

  /** Says that the warm-up is over, and waits for the sign to begin. */
  public void begin() throws IOException {
    System.out.println("ready");
    awaitLine();
    cpu = CpuClock.seconds(ProcessHandle.current());
  }

  /** Takes a sample. */
  public void add(long sample) {
    nanoseconds[taken++] = sample;
  }

  /** Prints the line that {@link Figures} reads, and waits for the sign to end. */
  public void end() throws IOException {
    double used = CpuClock.seconds(ProcessHandle.current()) - cpu;
    Arrays.sort(nanoseconds);
    System.out.printf(
        Locale.ROOT,
        "{\"what\":\"%s\",\"gap_us\":0,\"count\":%d,\"p50_us\":%.2f,\"p99_us\":%.2f,\"cpu_s\":%.3f}%n",
        what,
        taken,
        nanoseconds[taken / 2] / 1e3,
        nanoseconds[(int) (taken * 99L / 100)] / 1e3,
        used);
    awaitLine();
  }

  private static void awaitLine() throws IOException {
    int read;
    do {
      read = System.in.read();
    } while (read != '\n' && read >= 0);
  }
}
