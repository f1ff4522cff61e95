// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.node.NodeOrders;
import io.outboard.lease.node.NodeReport;
import io.outboard.lease.sqlite.SqliteLeaseStore;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A broker without devices, and nodes that have some; each with a store of its own. */
abstract class NodesCase extends BrokerCase {
  /** Longer than a node that is there is silent. */
  static final Duration SILENT = Duration.ofMinutes(1);

  final Map<String, Broker> nodes = new HashMap<>();

  private final int each;

  /** Nodes with so many GPUs each. */
  NodesCase(int gpus) {
    super(List.of());
    each = gpus;
  }

  @BeforeEach
  final void joinNodes() throws LeaseException {
    for (String name : List.of("n1", "n2")) {
      broker.members().join(name, broker.members().invite(name));
      start(name, Sample.gpus(each));
      exchange(name);
    }
  }

  @AfterEach
  final void closeNodes() {
    nodes.values().forEach(Broker::close);
  }

  final void start(String name, List<Gpu> gpus) {
    Broker node = new Broker(SqliteLeaseStore.open(folder.resolve(name + ".db")), gpus, clock);
    node.ordered().are("http://broker");
    nodes.put(name, node);
  }

  /** A node's process ends, and another one begins. */
  final void restart(String name) {
    nodes.get(name).close();
    start(name, Sample.gpus(each));
  }

  /** A node asks for orders, carries them out and reports. */
  final void exchange(String name) throws LeaseException {
    obey(name);
    report(name);
  }

  final void obey(String name) throws LeaseException {
    nodes.get(name).ordered().obey(orders(name));
  }

  final NodeOrders orders(String name) {
    OrderedLeases known = nodes.get(name).ordered();
    return broker.nodes().orders(name, known.term(), known.version(), Duration.ZERO);
  }

  final void report(String name) {
    NodeReport report = nodes.get(name).ordered().report(List.of("tcp://" + name));
    broker.nodes().report(name, report);
  }

  final void exchangeAll() throws LeaseException {
    for (String name : nodes.keySet()) {
      exchange(name);
    }
  }

  /** A lease, which its node has taken. */
  final Lease granted() throws LeaseException {
    Lease lease = broker.request(Sample.whole("a", 1));
    exchangeAll();
    return now(lease);
  }

  static String node(Lease lease) {
    return lease.gpus().getFirst().node();
  }

  final Broker on(Lease lease) {
    return nodes.get(node(lease));
  }

  /** Ends a lease, while its node goes on. */
  final Lease release(Lease lease) throws LeaseException {
    CompletableFuture<Lease> over =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return broker.end(lease.id(), LeaseState.RELEASED, "enough");
              } catch (LeaseException e) {
                throw new CompletionException(e);
              }
            });
    while (!over.isDone()) {
      exchangeAll();
    }
    return over.join();
  }

  /** Asks for something, while the nodes go on. */
  final Lease asked(Callable<Lease> what) throws Exception {
    FutureTask<Lease> task = new FutureTask<>(what);
    Thread.ofPlatform().daemon(true).start(task);
    while (!task.isDone()) {
      exchangeAll();
      Thread.sleep(1);
    }
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof LeaseException failed ? failed : e;
    }
  }
}
