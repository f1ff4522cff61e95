// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import static java.util.function.Predicate.not;

import java.util.Arrays;
import java.util.List;

/** Options of the virtual machine that workers are to have too. */
final class WorkerOptions {
  /** A property with the options, one a line so that paths keep spaces; the launcher sets it. */
  static final String PROPERTY = "outboard.worker.options";

  private WorkerOptions() {}

  static List<String> ofThisProcess() {
    return Arrays.stream(System.getProperty(PROPERTY, "").split("\n", -1))
        .filter(not(String::isEmpty))
        .toList();
  }
}
