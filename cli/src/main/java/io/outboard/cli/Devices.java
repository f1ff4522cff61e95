// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import io.outboard.client.Backends;
import io.outboard.client.Found;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code outboard devices}. */
@Command(
    name = "devices",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Prints which devices the backend has.")
final class Devices implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--on", paramLabel = "URI", description = "The backend to ask.")
  private String on;

  @Override
  public Integer call() throws Failure {
    PrintWriter out = spec.commandLine().getOut();
    try {
      Found backend = find();
      out.println("backend " + backend.endpoint() + " (from " + backend.where() + ")");
      out.println(Device.heading());
      DeviceList.of(backend.endpoint()).forEach(device -> out.println(device.row()));
      out.flush();
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private Found find() throws IOException, Failure {
    try {
      return new Backends()
          .find(Optional.ofNullable(on))
          .orElseThrow(
              () -> new Failure("no backend found; start one with 'outboard serve', or say --on"));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
