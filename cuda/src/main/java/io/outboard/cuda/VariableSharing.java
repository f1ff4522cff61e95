// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

/** How a program uses a variable of a module. */
public final class VariableSharing {
  /** Not at all: kernels alone do. */
  public static final long NONE = 0;

  /** It has a mirror of it: memory of its own at the same address. */
  public static final long MIRRORED = -1;

  /** What the client has of a variable of so many bytes is known to the backend. */
  public static final int LARGE = 64 << 10;

  /** Bytes whose changes are told together. */
  public static final int PART = 4096;

  private VariableSharing() {}
}
