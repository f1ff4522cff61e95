// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.system;

/** Counts for people. */
public final class Count {
  private Count() {}

  /** So many of something whose plural ends with an s: {@code 1 GPU}, {@code 2 GPUs}. */
  public static String of(long count, String one) {
    return count + " " + one + (count == 1 ? "" : "s");
  }
}
