// SPDX-License-Identifier: Apache-2.0
package io.outboard.testkit;

/** The kinds of handles of the toy library. */
public final class ToyKinds {
  /** A stream: keeps the last value that was posted to it. */
  public static final int STREAM = 1;

  /** A buffer: memory of the toy device. */
  public static final int BUFFER = 2;

  /** A node: belongs to a buffer. */
  public static final int NODE = 3;

  private ToyKinds() {}
}
