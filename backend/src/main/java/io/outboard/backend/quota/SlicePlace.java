// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.backend.system.EventCount;
import io.outboard.communicator.posix.Futex;
import io.outboard.communicator.region.Shared;

/**
 * The words of daemon and worker about a device's time slices; in memory that both have.
 *
 * <pre>
 *    0  request  64 bits, the worker's: odd while it wants the device or has it, even when it has
 *                given it back; each is the next number
 *    8  busy     64 bits, the worker's: nanoseconds in which it had work on the device
 *   16  grant    64 bits, the daemon's: the request that may use the device
 *   24  demand   64 bits, the daemon's: {@link #NONE}, {@link #CONTENDED} or {@link #YIELD}
 *   32  events   32 bits, on which the worker sleeps ({@link EventCount})
 * </pre>
 */
public final class SlicePlace {
  /** Its size. */
  static final long BYTES = 64;

  /** Demand: nobody else wants the device. */
  public static final long NONE = 0;

  /** Demand: others wait; a worker that has nothing to do there gives it back. */
  public static final long CONTENDED = 1;

  /** Demand: nothing more may be begun; the worker gives the device back when its work is done. */
  public static final long YIELD = 2;

  private static final int REQUEST = 0;
  private static final int BUSY = 8;
  private static final int GRANT = 16;
  private static final int DEMAND = 24;
  private static final int EVENTS = 32;

  private final long address;

  SlicePlace(long address) {
    this.address = address;
  }

  private long get(int offset) {
    return Shared.get(address + offset);
  }

  private void set(int offset, long value) {
    Shared.put(address + offset, value);
  }

  /** As no worker has used it. */
  void clear() {
    for (int offset = 0; offset < EVENTS; offset += Long.BYTES) {
      set(offset, 0);
    }
  }

  public long request() {
    return get(REQUEST);
  }

  public void request(long number) {
    set(REQUEST, number);
  }

  public long busy() {
    return get(BUSY);
  }

  public void busy(long nanoseconds) {
    set(BUSY, nanoseconds);
  }

  public long grant() {
    return get(GRANT);
  }

  public void grant(long request) {
    set(GRANT, request);
  }

  public long demand() {
    return get(DEMAND);
  }

  public void demand(long demand) {
    set(DEMAND, demand);
  }

  /** Whether a request's number says that the device is wanted. */
  public static boolean wants(long request) {
    return (request & 1) != 0;
  }

  /** The events up to now, for {@link #await}. */
  public int events() {
    return EventCount.read(address + EVENTS);
  }

  /** Wakes the worker's thread. */
  public void advance() {
    EventCount.advance(address + EVENTS);
  }

  /** Sleeps until there has been an event since the count was read; for the worker's thread. */
  public void await(Futex futex, int seen, long nanoseconds) {
    boolean unused = futex.sleep(address + EVENTS, seen, nanoseconds);
  }
}
