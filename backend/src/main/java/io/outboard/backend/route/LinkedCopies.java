// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Copies between two other hosts over a link of theirs, one at a time: the one sends while the
 * other one receives. Links are made while the session begins.
 */
final class LinkedCopies {
  /** For so long a link that is not there may come yet. */
  private static final long MADE_NS = TimeUnit.SECONDS.toNanos(20);

  private final CudaHosts hosts;
  private final List<? extends CudaDriver> drivers;
  private final ExecutorService sender =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon(true).name("link").factory());
  private final long begun = System.nanoTime();
  // By the hosts from and to which they go; guarded by this object's monitor.
  private final State[][] states;
  private long transfer;

  private enum State {
    UNKNOWN,
    LINKED,
    NONE
  }

  LinkedCopies(CudaHosts hosts, List<? extends CudaDriver> drivers) {
    this.hosts = hosts;
    this.drivers = drivers;
    states = new State[drivers.size()][drivers.size()];
    for (State[] of : states) {
      Arrays.fill(of, State.UNKNOWN);
    }
  }

  /**
   * Copies what lies with one host to another one, in the order of a stream of that; returns when
   * it is there.
   *
   * @return whether it is; if not, the copy has to go another way
   */
  synchronized boolean copy(long destination, long source, long bytes, long stream) {
    int from = hosts.home(source);
    int to = hosts.home(destination);
    if (!isLinked(from, to)) {
      return false;
    }
    long number = ++transfer;
    CompletableFuture<Boolean> sent =
        CompletableFuture.supplyAsync(() -> send(from, to, source, bytes, number), sender);
    boolean received = receive(to, destination, bytes, stream, number);
    if (!received) {
      hosts.dropLinks(from);
    }
    boolean both = sent.join() && received;
    states[from][to] = both ? State.LINKED : State.NONE;
    return both;
  }

  private boolean isLinked(int from, int to) {
    if (from == 0 || to == 0 || from == to) {
      return false;
    }
    if (states[from][to] == State.UNKNOWN) {
      states[from][to] = find(from, to);
    }
    return states[from][to] == State.LINKED;
  }

  private State find(int from, int to) {
    CudaDriver driver = drivers.get(hosts.enter(from));
    if (driver.outboardLinkFind(hosts.owners().slot(to)) == CudaResult.SUCCESS) {
      return State.LINKED;
    }
    return System.nanoTime() - begun < MADE_NS ? State.UNKNOWN : State.NONE;
  }

  /** Where this fails, the other host is not to wait. */
  private boolean send(int from, int to, long source, long bytes, long number) {
    CudaDriver driver = drivers.get(hosts.enter(from));
    int slot = hosts.owners().slot(to);
    boolean sent = driver.outboardLinkSend(source, bytes, 0, number, slot) == CudaResult.SUCCESS;
    if (!sent) {
      hosts.dropLinks(to);
    }
    return sent;
  }

  private boolean receive(int to, long destination, long bytes, long stream, long number) {
    CudaDriver driver = drivers.get(hosts.enter(to));
    return driver.outboardLinkReceive(destination, bytes, stream, number) == CudaResult.SUCCESS;
  }
}
