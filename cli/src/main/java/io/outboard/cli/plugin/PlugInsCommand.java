// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.plugin;

import io.outboard.api.json.Ordered;
import io.outboard.cli.command.Answer;
import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Output;
import io.outboard.cli.command.Version;
import io.outboard.plugin.PlugIns;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
  @Mixin private Output output;

  @Override
  public Integer call() throws Failure {
    try {
      List<PlugInList.Row> rows = PlugInList.installed();
      output.print(Answer.of(json(rows), PlugInList.table(rows).toList()));
      return 0;
    } catch (IOException e) {
      throw new Failure(e);
    }
  }

  private static Map<String, Object> json(List<PlugInList.Row> rows) {
    return Ordered.of(
        "folder", PlugIns.folder().map(Object::toString).orElse(""),
        "here", rows.stream().map(PlugInList::json).toList());
  }
}
