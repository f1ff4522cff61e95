// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.plugin;

import io.outboard.api.json.Json;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Version;
import io.outboard.plugin.PlugIns;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code outboard plugins}. */
@Command(
    name = "plugins",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = {
      "Prints the libraries, communicators and kinds of devices that are here.",
      "Those of plug-ins are among them, and why a plug-in is not used. Plug-ins are the files in",
      "the folder plugins beside the launcher, or in that of the variable OUTBOARD_PLUGINS."
    })
public final class PlugInsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "JSON instead of a table.")
  private boolean json;

  @Override
  public Integer call() throws Failure {
    PrintWriter out = spec.commandLine().getOut();
    try {
      List<PlugInList.Row> rows = PlugInList.installed();
      if (json) {
        out.println(json(rows));
      } else {
        PlugInList.table(rows).forEach(out::println);
      }
      out.flush();
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private static String json(List<PlugInList.Row> rows) {
    String folder = PlugIns.folder().map(Object::toString).orElse("");
    return """
        {
          "folder": %s,
          "here": [%s]
        }"""
        .formatted(
            Json.text(folder),
            rows.stream()
                .map(row -> "\n    " + Json.write(PlugInList.json(row)))
                .collect(Collectors.joining(",", "", "\n  ")));
  }
}
