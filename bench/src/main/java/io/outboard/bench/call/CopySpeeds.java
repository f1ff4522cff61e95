// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.call;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.Medium;
import io.outboard.bench.measure.Programs;
import java.io.IOException;
import java.util.List;

/** Copies beside memcpy, over one medium. */
public final class CopySpeeds {
  private static final int MEGABYTES = 64;
  private static final int REPETITIONS = 9;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Programs programs;
  private final Backend backend;
  private final Medium medium;

  public CopySpeeds(Programs programs, Backend backend, Medium medium) {
    this.programs = programs;
    this.backend = backend;
    this.medium = medium;
  }

  /** A line of the program. */
  private record Line(String what, @JsonProperty("gb_s") double speed) {}

  public List<CopySpeed> measure() throws IOException, InterruptedException {
    String endpoint = medium.endpoint(backend);
    List<String> lines = programs.copies(endpoint, MEGABYTES, REPETITIONS);
    double memcpy = parse(lines.getFirst()).speed();
    return lines.stream()
        .skip(1)
        .map(CopySpeeds::parse)
        .map(line -> new CopySpeed(medium, line.what(), line.speed(), memcpy))
        .toList();
  }

  private static Line parse(String line) {
    try {
      return JSON.readValue(line, Line.class);
    } catch (IOException e) {
      throw new IllegalStateException("the copying program printed '" + line + "'", e);
    }
  }
}
