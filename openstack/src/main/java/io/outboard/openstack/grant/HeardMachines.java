// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Looks at machines of which somebody says that something was done to them. Nobody is believed: a
 * machine that has a lease is looked at as Nova knows it, once in a second at most, and others are
 * not.
 */
public final class HeardMachines implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final MachineLeases machines;
  private final MachineWatch watch;
  private final Consumer<String> done;
  private final Set<String> waiting = new LinkedHashSet<>();
  private final Thread thread =
      Thread.ofPlatform().name("heard machines").daemon(true).unstarted(this::run);

  /**
   * Makes one.
   *
   * @param done is told what was done, for the log
   */
  public HeardMachines(MachineLeases machines, MachineWatch watch, Consumer<String> done) {
    this.machines = machines;
    this.watch = watch;
    this.done = done;
  }

  public void start() {
    thread.start();
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  /** Has a machine be looked at soon, if it has a lease: so no more wait than there are leases. */
  public synchronized void hear(String machine) {
    if (machines.isKnown(machine) && waiting.add(machine)) {
      notifyAll();
    }
  }

  private void run() {
    try {
      while (true) {
        for (String machine : heard()) {
          look(machine);
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized List<String> heard() throws InterruptedException {
    while (waiting.isEmpty()) {
      wait();
    }
    List<String> heard = List.copyOf(waiting);
    waiting.clear();
    return heard;
  }

  private void look(String machine) {
    try {
      watch.look(machine).forEach(done);
    } catch (IOException | RuntimeException e) {
      done.accept("machine %s is looked at later: %s".formatted(machine, e.getMessage()));
    }
  }
}
