// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeasePage;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.schedule.Explanation;
import io.outboard.lease.service.LeaseService;
import io.outboard.lease.service.LeaseUse;
import io.outboard.lease.service.Renewal;
import io.outboard.lease.service.Until;
import io.outboard.wire.Token;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The leases of a broker, told once they survive the end of the machine. */
public final class BrokerLeases implements LeaseService {
  /** Less than a client waits for a message. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Broker broker;
  private final Runnable changed;

  /**
   * Makes them.
   *
   * @param changed runs when something may have changed
   */
  public BrokerLeases(Broker broker, Runnable changed) {
    this.broker = broker;
    this.changed = changed;
  }

  /** The broker's state is read before this waits for the disk. */
  private <T> T settled(T answer) {
    broker.settle();
    changed.run();
    return answer;
  }

  @Override
  public Lease request(LeaseRequest request) throws LeaseException {
    return settled(broker.nodes().taken(broker.request(request)));
  }

  @Override
  public Lease find(String id) throws LeaseException {
    return settled(broker.find(id));
  }

  @Override
  public Lease fetch(String id) throws LeaseException {
    return settled(broker.nodes().taken(broker.fetch(id)));
  }

  @Override
  public Lease renew(String id, Renewal change) throws LeaseException {
    return settled(changed(id, change));
  }

  private Lease changed(String id, Renewal change) throws LeaseException {
    if (change.share().isPresent() && isElsewhere(id)) {
      return changedElsewhere(id, change.share().getAsInt(), change.time());
    }
    if (change.time().isEmpty()) {
      return broker.share(id, change.share().getAsInt());
    }
    Duration time = change.time().get();
    return change.share().isEmpty()
        ? broker.renew(id, time)
        : broker.renew(id, change.share().getAsInt(), time);
  }

  private Lease changedElsewhere(String id, int share, Optional<Duration> time)
      throws LeaseException {
    if (time.isPresent()) {
      broker.checkRenewal(broker.find(id), share, time.get());
    }
    Lease shared = broker.nodes().share(id, share, PATIENCE);
    return time.isEmpty() ? shared : broker.renew(id, time.get());
  }

  @Override
  public Lease release(String id, String reason) throws LeaseException {
    return settled(broker.end(id, LeaseState.RELEASED, reason));
  }

  @Override
  public Lease revoke(String id, String reason) throws LeaseException {
    return settled(broker.end(id, LeaseState.REVOKED, reason));
  }

  @Override
  public Lease drain(String id, String reason) throws LeaseException {
    return settled(broker.drain(id, reason));
  }

  @Override
  public Lease suspend(String id, Until until, String reason) throws LeaseException {
    if (isElsewhere(id)) {
      return settled(suspendElsewhere(id, until, reason));
    }
    Suspensions suspensions = broker.suspensions();
    return settled(
        switch (until) {
          case CALL -> suspensions.suspend(id, PATIENCE, reason);
          case RESUMED -> suspensions.hold(id, PATIENCE, reason);
        });
  }

  @Override
  public Lease resume(String id) throws LeaseException {
    return settled(
        isElsewhere(id)
            ? broker.nodes().resume(id, PATIENCE)
            : broker.suspensions().resume(id, PATIENCE));
  }

  private boolean isElsewhere(String id) throws LeaseException {
    return NodeLeases.isElsewhere(broker.find(id));
  }

  /** Calls come to the node, and would have devices that are others' at the broker. */
  private Lease suspendElsewhere(String id, Until until, String reason) throws LeaseException {
    if (until == Until.CALL) {
      throw new LeaseException(
          "a lease of another node's GPUs is suspended until it is resumed, and not until a call");
    }
    return broker.nodes().suspend(id, PATIENCE, reason);
  }

  @Override
  public LeasePage page(LeaseQuery wanted) {
    return settled(broker.page(wanted));
  }

  @Override
  public Explanation explain(String id) throws LeaseException {
    return settled(broker.explain(id));
  }

  @Override
  public Explanation explain(LeaseRequest request) throws LeaseException {
    return broker.explain(request);
  }

  @Override
  public LeaseUse use(Lease lease) {
    boolean waits = lease.state() == LeaseState.REQUESTED;
    return new LeaseUse(
        broker.sessions(lease),
        broker.away(lease),
        waits ? Optional.of(broker.outlook(lease)) : Optional.empty(),
        NodeLeases.isElsewhere(lease) ? broker.nodes().endpoints(lease) : List.of());
  }

  @Override
  public Optional<Token> token(Lease lease) {
    return broker.token(lease);
  }
}
