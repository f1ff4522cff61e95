// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.cli.command.Quantities;
import io.outboard.wire.Welcome;
import java.time.Duration;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How long {@code serve} waits for programs that have lost their connections. */
final class GraceOptions {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--grace",
      paramLabel = "TIME",
      converter = Quantities.TimeOrNone.class,
      defaultValue = "60s",
      description = {
        "How long a program over a network whose connection is lost may take to come back; its",
        "session keeps its devices and memory for so long. 0: it ends at once.",
        "Default: ${DEFAULT-VALUE}"
      })
  private Duration grace;

  @Option(
      names = "--grace-limit",
      paramLabel = "TIME",
      converter = Quantities.TimeOrNone.class,
      description =
          "The longest time that 'lease --grace' may ask for. Default: what --grace says.")
  private Duration limit;

  /** Of sessions whose lease does not say. */
  int seconds() {
    return (int) checked("--grace", grace).toSeconds();
  }

  /** Of leases that say. */
  Duration limit() {
    return checked("--grace-limit", limit == null ? grace : limit);
  }

  private Duration checked(String option, Duration time) {
    if (time.toSeconds() > Welcome.MOST_GRACE) {
      throw new ParameterException(
          spec.commandLine(), "%s is at most %d seconds".formatted(option, Welcome.MOST_GRACE));
    }
    return time;
  }
}
