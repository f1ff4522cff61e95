// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.measure;

/** Waits for processes. */
final class Waiting {
  private Waiting() {}

  /** Returns when the process has ended or this thread is interrupted, which it then still is. */
  static void forEnd(Process process) {
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
