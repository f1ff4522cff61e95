// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.Quantities;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Option;

/** For how long a command waits for GPUs. */
public final class PatienceOption {
  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = "Gives the request up when nothing is free for so long. Default: never.")
  private Duration patience;

  /** How long; none: for ever. */
  public Optional<Duration> patience() {
    return Optional.ofNullable(patience);
  }
}
