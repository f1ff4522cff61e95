// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import io.outboard.testkit.Amount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Options with which the virtual machines of the tests' backends start as soon as the launcher's.
 * Each build compiles workers with the quick compiler alone, and nothing ahead of its use, since a
 * session of a test is short; {@code -Dlong} has the whole compiler, as users have.
 */
final class StartUp {
  /** Where the build's training run puts what virtual machines remember. */
  static final Path CACHE = Home.PATH.resolve("conformance/target/cache");

  static final String QUICK = "-XX:TieredStopAtLevel=1";

  /** The code that the training run found much used is otherwise compiled in each worker. */
  private static final List<String> ON_DEMAND =
      List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTReplayTraining");

  /** A worker that waits for its program is otherwise busy for a second and more. */
  private static final String COLD = "-Doutboard.warm.up=false";

  private StartUp() {}

  /** Those of the command. */
  static List<String> ofCommand() {
    return Stream.concat(Stream.of(QUICK), cached("command")).toList();
  }

  /** Those of its workers, as the property that hands them on has them. */
  static String ofWorkers() {
    List<String> options = new ArrayList<>(cached("worker").toList());
    options.addAll(ofShortSessions());
    return "-Doutboard.worker.options=" + String.join("\n", options);
  }

  /** Those of workers whose sessions are short: none with {@code -Dlong}. */
  static List<String> ofShortSessions() {
    return Amount.isLong()
        ? List.of()
        : Stream.of(Stream.of(QUICK), ON_DEMAND.stream(), Stream.of(COLD))
            .flatMap(each -> each)
            .toList();
  }

  private static Stream<String> cached(String name) {
    Path file = CACHE.resolve(name + ".aot");
    return Files.exists(file)
        ? Stream.of("-XX:AOTCache=" + file, "-XX:AOTMode=auto", "-Xlog:aot=off", "-Xlog:cds=off")
        : Stream.empty();
  }
}
