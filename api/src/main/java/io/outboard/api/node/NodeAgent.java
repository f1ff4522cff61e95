// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.node;

import io.outboard.lease.LeaseException;
import io.outboard.pool.Pool;
import io.outboard.pool.broker.OrderedLeases;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Carries out a broker's orders on a node, and reports. While no broker answers all goes on as it
 * is, and it is asked again and again; the first report after that says what has become of it.
 */
public final class NodeAgent implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(NodeAgent.class.getName());

  /** A report at least so often: it says that the node is there. */
  private static final Duration BEAT = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final BrokerClient broker;
  private final String secret;
  private final OrderedLeases leases;
  private final List<String> endpoints;
  private final Semaphore changes = new Semaphore(1);
  private final List<Thread> threads;
  private volatile boolean closed;
  private volatile boolean away;

  /**
   * Starts it.
   *
   * @param secret that of this node
   * @param endpoints where programs connect to
   */
  public NodeAgent(BrokerClient broker, String secret, Pool pool, List<String> endpoints) {
    this.broker = broker;
    this.secret = secret;
    this.leases = pool.ordered();
    this.endpoints = List.copyOf(endpoints);
    pool.onChange(this::changed);
    this.threads = List.of(start("orders", this::follow), start("report", this::report));
  }

  private Thread start(String name, Step step) {
    return Thread.ofPlatform().daemon().name(name).start(() -> run(step));
  }

  /** The work of a thread, done again and again. */
  @FunctionalInterface
  private interface Step {
    void take() throws IOException, LeaseException, InterruptedException;
  }

  /** The next broker is asked in any case. */
  private void run(Step step) {
    while (!closed) {
      try {
        step.take();
      } catch (IOException | LeaseException | RuntimeException e) {
        tell(e);
        pause();
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void tell(Exception error) {
    if (!away && !closed) {
      away = true;
      String why = error.getMessage() == null ? "it does not answer" : error.getMessage();
      LOG.log(
          System.Logger.Level.WARNING,
          "programs go on without their broker, which is asked again: " + why,
          error instanceof RuntimeException ? error : null);
    }
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void follow() throws IOException, LeaseException {
    leases.obey(broker.orders(secret, leases.term(), leases.version()));
    if (away) {
      away = false;
      LOG.log(System.Logger.Level.INFO, "the broker answers again");
    }
  }

  private void report() throws IOException, InterruptedException {
    boolean unused = changes.tryAcquire(BEAT.toMillis(), TimeUnit.MILLISECONDS);
    changes.drainPermits();
    try {
      broker.report(secret, leases.report(endpoints));
    } catch (IOException e) {
      changed();
      throw e;
    }
  }

  private void changed() {
    changes.release();
  }

  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }
}
