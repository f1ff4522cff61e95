// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.backend.library.DeviceChoice;
import io.outboard.cli.command.Quantities;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** For how long a kernel of a software GPU may run; without, until it ends. */
final class KernelLimit {
  /** Says so where there is no option. */
  static final String VARIABLE = "OUTBOARD_KERNEL_LIMIT";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--kernel-limit",
      paramLabel = "TIME",
      converter = Quantities.Time.class,
      description = {
        "Stops a kernel of a software GPU that has run for so long (60s, say), and its program's",
        "context with it: CUDA_ERROR_LAUNCH_TIMEOUT. Default: $OUTBOARD_KERNEL_LIMIT, else none."
      })
  private Duration limit;

  /**
   * Returns the option's limit, else the environment's; refuses the option for devices that have no
   * such limit.
   */
  Optional<Duration> wanted(DeviceChoice devices, Map<String, String> environment) {
    if (limit != null
        && devices.kind() != DeviceChoice.Kind.SOFTWARE
        && devices.kind() != DeviceChoice.Kind.AUTO) {
      throw new ParameterException(spec.commandLine(), "--kernel-limit is for software GPUs");
    }
    try {
      return limit != null ? Optional.of(limit) : of(environment);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  /**
   * Returns the environment's limit.
   *
   * @throws IllegalArgumentException if that is no time
   */
  static Optional<Duration> of(Map<String, String> environment) {
    String text = environment.getOrDefault(VARIABLE, "");
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(new Quantities.Time().convert(text));
    } catch (TypeConversionException e) {
      throw new IllegalArgumentException(VARIABLE + ": " + e.getMessage(), e);
    }
  }
}
