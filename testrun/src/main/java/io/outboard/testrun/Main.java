// SPDX-License-Identifier: Apache-2.0
package io.outboard.testrun;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Arrays;

/** {@code outboard test}. */
final class Main {
  private static final int FAILURE = 1;
  private static final int WRONG_USAGE = 2;

  private Main() {}

  /**
   * Runs tests.
   *
   * @param arguments the folder of the repository, the columns of the terminal (0 if there is
   *     none), and what the user gave
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path root = Path.of(arguments[0]);
    int columns = Integer.parseInt(arguments[1]);
    System.exit(run(root, columns, Arrays.copyOfRange(arguments, 2, arguments.length)));
  }

  private static int run(Path root, int columns, String... given)
      throws IOException, InterruptedException {
    Plan plan;
    try {
      Options options = Options.parse(given);
      plan = Plan.of(options, Sources.read(root));
    } catch (Usage e) {
      System.err.println("outboard: " + e.getMessage());
      System.err.println("Try 'outboard test --help'.");
      return WRONG_USAGE;
    }
    Path folder = Files.createDirectories(root.resolve("target/testrun"));
    // The folders of the build are there once.
    try (FileChannel file =
            FileChannel.open(
                folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = file.tryLock()) {
      if (lock == null) {
        System.err.println("outboard: another 'outboard test' runs in " + root);
        return FAILURE;
      }
      return new Run(root, folder, plan, new Screen(System.out, columns, InstantSource.system()))
          .run();
    }
  }
}
