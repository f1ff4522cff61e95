// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

import java.util.List;

/** Options of the virtual machine that workers are to have too. */
final class WorkerOptions {
  /** A property with the options, separated by spaces; the launcher sets it. */
  static final String PROPERTY = "outboard.worker.options";

  private WorkerOptions() {}

  static List<String> ofThisProcess() {
    String options = System.getProperty(PROPERTY, "").strip();
    return options.isEmpty() ? List.of() : List.of(options.split(" +"));
  }
}
