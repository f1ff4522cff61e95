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

  /** A graph. */
  public static final int GRAPH = 8;

  /** A node of a graph. */
  public static final int NODE = 9;

  /** An executable graph. */
  public static final int EXECUTABLE = 10;

  /** A pool of memory. */
  public static final int POOL = 11;

  /** Memory without an address. */
  public static final int ALLOCATION = 12;

  /** A link in the making. */
  public static final int LINK = 13;

  /** An array. */
  public static final int ARRAY = 14;

  /** An array of several levels. */
  public static final int MIPMAPPED_ARRAY = 15;

  /** An object of the program that graphs own. */
  public static final int USER_OBJECT = 16;

  /** A green context. */
  public static final int GREEN_CONTEXT = 17;

  /** Resources for a green context. */
  public static final int RESOURCES = 18;

  /** A texture that a module names. */
  public static final int TEXTURE_REFERENCE = 19;

  /** A surface that a module names. */
  public static final int SURFACE_REFERENCE = 20;

  /** A buffer or image of OpenGL. */
  public static final int GRAPHICS = 21;

  private CudaKinds() {}
}
