// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.node;

import io.outboard.lease.LeaseException;
import io.outboard.pool.Pool;
import io.outboard.pool.broker.OrderedLeases;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

  /** So often it is looked whether the certificate is to be renewed. */
  private static final Duration LOOK = Duration.ofMinutes(1);

  private final BrokerClient broker;
  private final String secret;
  private final Optional<NodeIdentity> identity;
  private final OrderedLeases leases;
  private final List<String> endpoints;
  private final Semaphore changes = new Semaphore(1);
  private final List<Thread> threads;
  private volatile boolean closed;
  private volatile boolean away;

  /**
   * Starts that of a node which proves itself with a secret, to a broker of the same machine.
   *
   * @param endpoints where programs connect to
   */
  public NodeAgent(BrokerClient broker, String secret, Pool pool, List<String> endpoints) {
    this(broker, secret, Optional.empty(), pool, endpoints);
  }

  /**
   * Starts that of a node which proves itself with a certificate, and renews it.
   *
   * @param identity that of the connections
   * @param endpoints where programs connect to
   */
  public NodeAgent(BrokerClient broker, NodeIdentity identity, Pool pool, List<String> endpoints) {
    this(broker, "", Optional.of(identity), pool, endpoints);
  }

  private NodeAgent(
      BrokerClient broker,
      String secret,
      Optional<NodeIdentity> identity,
      Pool pool,
      List<String> endpoints) {
    this.broker = broker;
    this.secret = secret;
    this.identity = identity;
    this.leases = pool.ordered();
    this.endpoints = List.copyOf(endpoints);
    pool.onChange(this::changed);
    this.threads =
        List.of(
            start("orders", this::follow),
            start("report", this::report),
            start("certificate", this::renew));
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

  /** A broker that does not answer is asked again in time: a third of the time is left. */
  private void renew() throws InterruptedException {
    try {
      if (identity.isPresent() && identity.get().isDue()) {
        identity.get().renewed(broker.renew());
        LOG.log(System.Logger.Level.INFO, "the certificate of this node is renewed");
      }
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the certificate of this node is not renewed yet: {0}",
          e.getMessage());
    }
    TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
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
