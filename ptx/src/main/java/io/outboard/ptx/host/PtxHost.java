// SPDX-License-Identifier: Apache-2.0
package io.outboard.ptx.host;

import java.util.concurrent.Executor;

/** What a running kernel asks of its surroundings. Every method may be called from any worker. */
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

  /** What a texture object stands for; null if it is none. */
  default PtxTexture texture(long object) {
    return null;
  }

  /** What a surface object stands for; null if it is none. */
  default PtxImage surface(long object) {
    return null;
  }
}
