// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.region;

import io.outboard.communicator.posix.Futex;

/** The doorbell that the kernel has for a word: futex(2). */
final class FutexDoorbell implements Doorbell {
  private final long word;
  private final Futex futex;

  FutexDoorbell(long word, long leastMs, long mostMs) {
    this.word = word;
    this.futex = new Futex(leastMs, mostMs);
  }

  @Override
  public void sleep(int expected) {
    boolean unused = futex.sleep(word, expected);
  }

  @Override
  public void ring() {
    Futex.wake(word);
  }
}
