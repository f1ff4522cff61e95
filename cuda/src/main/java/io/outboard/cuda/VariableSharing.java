// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

/** How a program uses a variable of a module. */
public final class VariableSharing {
  /** Not at all: kernels alone do. */
  public static final long NONE = 0;

  /** It has a mirror of it: memory of its own at the same address. */
  public static final long MIRRORED = -1;

  private VariableSharing() {}
}
