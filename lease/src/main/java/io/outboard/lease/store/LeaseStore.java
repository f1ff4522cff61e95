// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.store;

import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.GpuUse;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseQuery;
import io.outboard.lease.LeaseState;
import io.outboard.lease.LedgerQuery;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.account.AccountStore;
import io.outboard.lease.account.MissedTarget;
import io.outboard.lease.node.Closing;
import io.outboard.lease.node.NodeStore;
import io.outboard.wire.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The leases and the ledger. A change survives the end of this process once its method has
 * returned, and the end of the store's machine once {@link #settle} has returned too; nobody may
 * hear of it before. Of what is not settled a power cut may lose the last changes, never one and
 * not those after it. A method that throws has done nothing.
 *
 * <p>A store has one writer: methods may be called from several threads, one after the other.
 *
 * <p>All methods throw {@link StoreException} where the store cannot be used.
 */
public interface LeaseStore extends AutoCloseable {
  /** The secret that the leases' tokens are made from; made with the store. */
  Token secret();

  /** Adds a lease that is asked for. */
  void request(Lease lease);

  /**
   * Gives a lease that waits its devices, with the next epoch.
   *
   * @throws StoreException also if it does not wait, or a device has not the room
   */
  Lease grant(String id, List<Gpu> gpus, Instant now, Instant expires);

  /**
   * Takes a lease with the grant that another store has made, with its epoch.
   *
   * @param grant one that has devices
   * @throws StoreException also if it is known already, a device has not the room, or this store
   *     has given or taken a grant of the same or of a later epoch: it may be a grant of the past
   */
  Lease take(Lease grant);

  /**
   * Changes a lease's state. With an end it gives back its devices, and a last row for each goes to
   * the ledger. A suspended lease keeps its devices' names, and others may have the devices: with
   * that it gets a row too, and there is none for the time until it is something else, for which
   * its devices must have room again.
   *
   * @throws StoreException also if it is over already, or may not become that
   */
  Lease move(String id, LeaseState to, Instant now, String reason);

  /**
   * Gives a suspended lease other devices, as many as it has, in their order; rows of the time
   * before went to the ledger when it was suspended.
   *
   * @throws StoreException also if it is not suspended
   */
  Lease replace(String id, List<Gpu> gpus);

  /**
   * A lease gives back its devices of one node, whose last rows go to the ledger; it keeps those of
   * others.
   *
   * @throws StoreException also if it has no others, or no devices
   */
  Lease leave(String id, String node, Instant now);

  /**
   * Changes when a lease ends.
   *
   * @throws StoreException also if it has no devices
   */
  Lease renew(String id, Instant expires);

  /** Why devices are out for maintenance. */
  Map<GpuId, String> cordons();

  /** A device is out for maintenance. */
  void cordon(GpuId device, String why);

  /** The devices that are to be out for maintenance. */
  Map<GpuId, Closing> closings();

  /** A device is to be out for maintenance; in place of a moment that was said before. */
  void closes(GpuId device, Closing when);

  /** It is back, and not to be out any more; nothing where neither was so. */
  void uncordon(GpuId device);

  /** Somebody has got a grant, which stays from now on whether anybody asks for it or not. */
  Lease fetched(String id);

  /**
   * Changes how much of its devices a lease has, and fixes its memory; rows of what it had before
   * go to the ledger.
   *
   * @param share thousandths
   * @param memory bytes of each device
   * @throws StoreException also if it has no devices, or one of them has not the room
   */
  Lease share(String id, int share, long memory, Instant now);

  /** Counts bytes that a lease's programs have sent and received since the last time. */
  void count(String id, long bytesIn, long bytesOut);

  /**
   * Counts nanoseconds in which a lease's devices, in their order, were busy with its programs
   * since the last time.
   */
  void countBusy(String id, List<Long> nanoseconds);

  /**
   * Counts nanoseconds in which one of a lease's devices was busy.
   *
   * @param place of the device in the lease
   * @param nanoseconds since the last time
   */
  void countBusy(String id, int place, long nanoseconds);

  /**
   * Counts energy of one of a lease's devices.
   *
   * @param place of the device in the lease
   * @param millijoules on the lease's account since the last time
   */
  void countEnergy(String id, int place, long millijoules);

  /** A lease's use of each of its devices since its grant, also of one that is over. */
  List<GpuUse> used(String id);

  /**
   * Counts what is missing until a lease has had so much of its devices since its grant. So it is
   * no matter how often somebody says the same.
   */
  void countUpTo(String id, List<GpuUse> use);

  /** Writes rows of the leases' use up to now; later use is in later rows. */
  void roll(Instant now);

  /** Moves all moments of leases that are not over, as the clock was set to another time. */
  void shift(Duration by);

  /** Remembers that the store's owner lives. */
  void seen(Instant now);

  /** When the owner lived last, {@link Instant#EPOCH} if never. */
  Instant seen();

  /** A lease, also one that is over. */
  Optional<Lease> find(String id);

  /** The leases that are not over, the oldest first. */
  List<Lease> alive();

  /**
   * Leases that are over, of those that are wanted; those that are not over are not among them.
   *
   * @param most so many at most, whatever the query says
   */
  List<Lease> over(LeaseQuery wanted, int most);

  /** Rows of the ledger, in their order. */
  List<LedgerRow> ledger(LedgerQuery wanted);

  /** The ledger's rows that end after a moment, in their order. */
  default List<LedgerRow> ledger(Instant after) {
    return ledger(LedgerQuery.since(after));
  }

  /** Adds a row about a lease that was not granted in time, unless there is one of it. */
  void missed(Lease lease, Instant due, String cause);

  /** Rows about leases that were not granted in time, in their order. */
  List<MissedTarget> missed(LedgerQuery wanted);

  /** Returns when all that has been done before survives the end of the machine. */
  void settle();

  /** The tenants, and the tokens of the HTTP interface. */
  AccountStore accounts();

  /** The nodes of the pool. */
  NodeStore nodes();

  @Override
  void close();

  /** The highest epoch of a grant of another store that was taken here; 0 for none. */
  long taken();

  /** Has later grants have higher epochs than this one, which nodes have taken. */
  void grantsAbove(long epoch);
}
