// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import io.outboard.backend.system.Log;
import io.outboard.communicator.Endpoint;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Which joined hosts have not answered. No program waits for one of them again: it is asked beside,
 * until it answers.
 */
final class SilentHosts implements AutoCloseable {
  private final Predicate<Endpoint> answers;
  private final Duration pause;
  private final Set<Endpoint> silent = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * Makes one.
   *
   * @param answers asks a host; takes its time where it does not
   * @param pause between two questions
   */
  SilentHosts(Predicate<Endpoint> answers, Duration pause) {
    this.answers = answers;
    this.pause = pause;
  }

  boolean has(Endpoint host) {
    return silent.contains(host);
  }

  /** One has not answered. */
  void add(Endpoint host) {
    if (silent.add(host)) {
      Log.warn(host + " does not answer; programs begin without it until it does");
      Thread.ofPlatform().name("silent").daemon(true).start(() -> ask(host));
    }
  }

  private void ask(Endpoint host) {
    try {
      do {
        Thread.sleep(pause);
      } while (!closed && !answers.test(host));
      silent.remove(host);
      if (!closed) {
        Log.info(host + " answers again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
