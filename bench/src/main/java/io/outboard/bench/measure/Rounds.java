// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

import picocli.CommandLine.Option;

/** How often each measurement of a benchmark is made. */
public final class Rounds {
  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "5",
      description =
          "Runs of each measurement, alternating; the median is shown. Default: ${DEFAULT-VALUE}")
  private int count;

  /** So many. */
  public int count() {
    return count;
  }
}
