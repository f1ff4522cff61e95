// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.system.Log;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The steps that a beginning takes back if it fails, the latest first and whatever it fails with.
 * Not safe for several threads.
 */
final class Undo implements AutoCloseable {
  private final Deque<Runnable> steps = new ArrayDeque<>();

  /** One more step, of something that has just been done. */
  void with(Runnable step) {
    steps.push(step);
  }

  /** Nothing fails any more. */
  void keep() {
    steps.clear();
  }

  /** Takes back what is not kept; a step that fails does not stop the others. */
  @Override
  public void close() {
    while (!steps.isEmpty()) {
      try {
        steps.pop().run();
      } catch (RuntimeException e) {
        Log.failure("the beginning of a session was not taken back", e);
      }
    }
  }
}
