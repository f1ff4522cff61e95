// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.trace;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.Version;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code outboard report}. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Sums up a trace: kernels and copies of devices, and calls, by time.",
      "The trace is a file of 'outboard run --trace FILE'."
    })
public final class ReportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "The trace.")
  private Path file;

  @Option(
      names = "--html",
      paramLabel = "PAGE",
      description = {
        "Writes the sums and a timeline to PAGE too, one file of HTML, which any browser shows."
      })
  private Path page;

  @Mixin private Output output;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Failure {
    Trace trace = Trace.read(file);
    if (page != null) {
      int left = new TimelinePage(trace).write(page);
      if (left > 0) {
        spec.commandLine()
            .getErr()
            .println("outboard: the page lacks the %d shortest calls".formatted(left));
      }
    }
    output.print(new TraceSums(trace).answer());
    return 0;
  }
}
