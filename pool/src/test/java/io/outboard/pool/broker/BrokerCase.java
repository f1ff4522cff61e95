// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import io.outboard.communicator.greeting.Peer;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseState;
import io.outboard.lease.Sharing;
import io.outboard.lease.sqlite.SqliteLeaseStore;
import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.testkit.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a broker with a store of its own and a clock that they set. */
public abstract class BrokerCase {
  /** How long what is under way may still take when a lease is suspended. */
  static final Duration PATIENCE = Duration.ofSeconds(1);

  /** The longest grace period that a lease may have. */
  static final Duration MOST_GRACE = Duration.ofMinutes(10);

  public final TestClock clock = new TestClock();
  public final List<Gpu> gpus;
  private final Sharing sharing;
  @TempDir Path folder;
  public Broker broker;

  public BrokerCase(List<Gpu> gpus) {
    this(gpus, Sharing.TURNS);
  }

  public BrokerCase(List<Gpu> gpus, Sharing sharing) {
    this.gpus = gpus;
    this.sharing = sharing;
  }

  @BeforeEach
  public final void open() {
    open(gpus);
  }

  /** With other devices. */
  public final void open(List<Gpu> there) {
    broker =
        new Broker(
            store(SqliteLeaseStore.open(folder.resolve("leases.db"))),
            there,
            clock,
            sharing,
            MOST_GRACE,
            List.of());
  }

  /** The store that the broker has. */
  LeaseStore store(LeaseStore file) {
    return file;
  }

  @AfterEach
  public final void close() {
    broker.close();
  }

  /** In a process that follows another. */
  public final void restart() {
    close();
    open();
  }

  /** A holder of a lease's token. */
  public static Peer.Holder holder(Lease lease) {
    return new Peer.Holder(lease.id(), lease.epoch(), lease.tenant());
  }

  /** A session of a lease begins. */
  public final TestSession use(Lease lease) throws LeaseException {
    return TestSession.start(broker.admissions().admit(holder(lease)));
  }

  /** Puts aside the state of a lease's sessions. */
  public final void suspend(Lease lease) throws LeaseException {
    broker.suspensions().suspend(lease.id(), PATIENCE, "");
  }

  /** As it is now. */
  public final Lease now(Lease lease) throws LeaseException {
    return broker.find(lease.id());
  }

  public final LeaseState state(Lease lease) throws LeaseException {
    return now(lease).state();
  }
}
