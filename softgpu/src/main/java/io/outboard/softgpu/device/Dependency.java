// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

/**
 * A point in a stream's work that must be reached first. Dependencies only ever name work that was
 * submitted earlier, so that they form no circle.
 *
 * @param sequence number of the operation in its stream
 * @param next the next one, or null
 */
record Dependency(Stream stream, long sequence, Dependency next) {
  /** Waits for it and for all next ones. */
  void await() {
    for (Dependency point = this; point != null; point = point.next) {
      point.stream.await(point.sequence);
    }
  }

  /** Whether it and all next ones have been reached. */
  boolean isReached() {
    for (Dependency point = this; point != null; point = point.next) {
      if (!point.stream.isDone(point.sequence)) {
        return false;
      }
    }
    return true;
  }
}
