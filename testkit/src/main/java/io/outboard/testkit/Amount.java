// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

/** How much of something a test does: little in each build, much with {@code -Dlong}. */
public final class Amount {
  private static final boolean LONG = System.getProperty("long") != null;

  private Amount() {}

  /** Whether it is all that can be done. */
  public static boolean isLong() {
    return LONG;
  }

  /** One of the two. */
  public static int of(int inEachBuild, int withLong) {
    return LONG ? withLong : inEachBuild;
  }
}
