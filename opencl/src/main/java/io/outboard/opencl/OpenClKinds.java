// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

/** The kinds of handles of OpenCL; they follow those of the management library. */
public final class OpenClKinds {
  /** A platform. */
  public static final int PLATFORM = 40;

  /** A device. */
  public static final int DEVICE = 41;

  /** A context. */
  public static final int CONTEXT = 42;

  /** A command queue. */
  public static final int QUEUE = 43;

  /** A buffer, an image or a pipe. */
  public static final int MEMORY = 44;

  /** A sampler. */
  public static final int SAMPLER = 45;

  /** A program. */
  public static final int PROGRAM = 46;

  /** A kernel. */
  public static final int KERNEL = 47;

  /** An event. */
  public static final int EVENT = 48;

  /** A command buffer. */
  public static final int COMMAND_BUFFER = 49;

  private OpenClKinds() {}
}
