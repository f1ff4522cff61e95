// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.kubernetes;

import io.outboard.cli.command.Failure;
import io.outboard.kubernetes.manifest.Chart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code outboard kubernetes chart}. */
@Command(
    name = "chart",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the Helm chart of the service.",
      "It has the objects that 'outboard kubernetes manifests' prints; values.yaml says what they",
      "take."
    })
final class WriteChart implements Callable<Integer> {
  @Parameters(paramLabel = "FOLDER", description = "Where the chart is to be; it is made.")
  private Path folder;

  @Override
  public Integer call() throws Failure {
    try {
      Chart.write(folder);
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }
}
