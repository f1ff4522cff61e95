// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The namespaces of a walk, under names that no other run has. */
final class WalkNamespaces implements AfterEachCallback {
  private static final String PREFIX = "walk-";

  private final String own = PREFIX + ProcessHandle.current().pid() + "-";
  private final List<String> machines;
  private boolean typed;

  /** Those of a page, by their names behind {@code walk-}. */
  WalkNamespaces(String... machines) {
    this.machines = List.of(machines);
  }

  /** Types the walk of a page in an empty home. */
  void type(String name, Path home) throws Exception {
    type(name, home, UnaryOperator.identity());
  }

  /** Types a part of the walk of a page in an empty home. */
  void type(String name, Path home, UnaryOperator<String> part) throws Exception {
    typed = true;
    String page = part.apply(Files.readString(Home.PATH.resolve("docs").resolve(name)));
    Walk.type(Files.writeString(home.resolve(name), page.replace(PREFIX, own)), home);
  }

  /** The leavings of a walk that failed half-way. */
  @Override
  public void afterEach(ExtensionContext context) throws IOException, InterruptedException {
    for (String machine : typed ? machines : List.<String>of()) {
      String namespace = own + machine;
      String left =
          "ip netns pids %1$s && ip netns pids %1$s | xargs -r kill -9".formatted(namespace);
      Program.run(List.of("sh", "-c", left), Map.of());
      Program.run(List.of("ip", "netns", "delete", namespace), Map.of());
    }
  }
}
