// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

import java.util.concurrent.Executor;

/** The surroundings of a running kernel. Every method may be called from any worker. */
public interface PtxHost {
  /** Takes the text of one {@code vprintf} call. */
  void print(String text);

  /** Runs the workers of a grid. */
  Executor executor();

  /** How many workers a grid may use; at least one. */
  int parallelism();

  /** Whether the grid shall stop; asked now and then, also inside loops. */
  boolean cancelled();

  /** Sets the value of a condition of a graph; false if there is none of this number. */
  default boolean condition(long number, int value) {
    return false;
  }

  /** Returns the texture of an object; null if it is none. */
  default PtxTexture texture(long object) {
    return null;
  }

  /** Returns the image of a surface object; null if it is none. */
  default PtxImage surface(long object) {
    return null;
  }
}
