// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli;

/**
 * A device of a backend.
 *
 * @param uuid as the vendor writes it
 * @param major of the compute capability
 * @param minor of the compute capability
 * @param memory in bytes
 */
record Device(
    int number, String name, String uuid, int major, int minor, int multiprocessors, long memory) {
  private static final String ROW = "%-3s %-40s %-10s %-15s %s";

  static String heading() {
    return ROW.formatted("", "name", "capability", "multiprocessors", "memory");
  }

  /** The row of a table. */
  String row() {
    return ROW.formatted(
        number, name, major + "." + minor, multiprocessors, (memory >> 20) + " MiB");
  }

  /** A JSON object; memory in bytes. */
  String json() {
    return """

            {"number": %d, "name": %s, "uuid": %s, "computeCapability": "%d.%d", "multiprocessors": %d, "memory": %d}"""
        .formatted(number, Json.text(name), Json.text(uuid), major, minor, multiprocessors, memory);
  }
}
