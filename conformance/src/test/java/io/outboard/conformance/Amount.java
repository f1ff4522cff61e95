// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

/** How much of something a test does: little in each build, much with {@code -Dlong}. */
final class Amount {
  private static final boolean LONG = System.getProperty("long") != null;

  private Amount() {}

  static int of(int inEachBuild, int withLong) {
    return LONG ? withLong : inEachBuild;
  }
}
