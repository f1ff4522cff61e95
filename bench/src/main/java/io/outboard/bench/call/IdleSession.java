// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.call;

import io.outboard.bench.measure.Backend;
import io.outboard.bench.measure.GatedProgram;
import io.outboard.bench.measure.Programs;
import java.io.IOException;
import java.util.List;

/** The cost of a session that does nothing. */
public final class IdleSession {
  private static final int SECONDS = 10;

  /** The spare worker that replaces this session's starts, and warms up. */
  private static final long SETTLING_MS = 9_000;

  private final Programs programs;
  private final Backend backend;

  public IdleSession(Programs programs, Backend backend) {
    this.programs = programs;
    this.backend = backend;
  }

  /**
   * Parts of a core that client and backend use.
   *
   * @param client the program's part
   * @param backend that of the daemon and all workers, one of them spare
   */
  record Load(double client, double backend) {}

  public Load measure() throws IOException, InterruptedException {
    List<String> arguments = List.of("idle", Integer.toString(SECONDS));
    try (GatedProgram program = programs.calls(backend.shm(), arguments, false)) {
      Thread.sleep(SETTLING_MS);
      Backend.Clocks before = backend.clocks();
      double client = program.measure().cpuSeconds();
      return new Load(client / SECONDS, backend.clocks().since(before) / SECONDS);
    }
  }
}
