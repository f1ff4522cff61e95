// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

/** The kinds of handles of the CUDA driver interface. */
public final class CudaKinds {
  /** A context; its index is the lane of the calls made in it. */
  public static final int CONTEXT = 1;

  /** A module. */
  public static final int MODULE = 2;

  /** A function of a module. */
  public static final int FUNCTION = 3;

  /** A library: a module that is loaded into each context when it is first used there. */
  public static final int LIBRARY = 4;

  /**
   * A kernel of a library; valid wherever a function is (CUDA Driver API, "Library Management").
   */
  public static final int KERNEL = 5;

  /** A stream. */
  public static final int STREAM = 6;

  /** An event. */
  public static final int EVENT = 7;

  private CudaKinds() {}
}
