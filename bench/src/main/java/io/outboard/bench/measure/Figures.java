// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * The line that a C program prints ({@code report} in measure.h).
 *
 * @param what the measurement
 * @param gap pause before each call, microseconds
 * @param count calls, or bursts of them
 * @param p50 median, microseconds
 * @param p99 99th percentile, microseconds
 * @param cpuSeconds CPU seconds of the program
 */
public record Figures(
    String what,
    @JsonProperty("gap_us") long gap,
    long count,
    @JsonProperty("p50_us") double p50,
    @JsonProperty("p99_us") double p99,
    @JsonProperty("cpu_s") double cpuSeconds) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static Figures parse(String line) throws IOException {
    if (line == null) {
      throw new IOException("a program of the benchmark ended without its figures");
    }
    return JSON.readValue(line, Figures.class);
  }
}
