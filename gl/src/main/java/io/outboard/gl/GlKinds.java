// SPDX-License-Identifier: Apache-2.0
package io.outboard.gl;

/** The kinds of handles of EGL and OpenGL; they follow those of OpenCL. */
public final class GlKinds {
  /** A display. */
  public static final int DISPLAY = 50;

  /** A device of EGL. */
  public static final int DEVICE = 51;

  /** A configuration of a display. */
  public static final int CONFIG = 52;

  /** A context. */
  public static final int CONTEXT = 53;

  /** A surface. */
  public static final int SURFACE = 54;

  /** A fence of OpenGL. */
  public static final int SYNC = 55;

  private GlKinds() {}
}
