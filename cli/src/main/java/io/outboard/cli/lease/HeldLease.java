// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import io.outboard.cli.command.Failure;
import io.outboard.cli.command.Undo;
import io.outboard.lease.Form;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A lease that lives as long as this process holds it: it is short, and is renewed all the time. It
 * is given back at the end, whatever that is; after a {@code kill -9} it lapses by itself.
 */
public final class HeldLease implements AutoCloseable {
  /** How long it lives behind the end of a process that could not give it back. */
  public static final Duration LIFE = Duration.ofMinutes(3);

  private static final long BEAT_S = LIFE.toSeconds() / 6;

  /** Something that comes before a lease's end; where it fails, the lease is not given back. */
  @FunctionalInterface
  public interface Ending {
    /** Does it. */
    void end() throws Failure;
  }

  private final Leasing leasing;
  private final LeaseRow row;
  private final Undo undo;
  private final ScheduledExecutorService heart =
      Executors.newSingleThreadScheduledExecutor(
          work -> Thread.ofPlatform().daemon(true).name("lease").unstarted(work));
  private boolean told;

  private volatile Ending ending = () -> {};

  private HeldLease(Leasing leasing, LeaseRow row) {
    this.leasing = leasing;
    this.row = row;
    this.undo = Undo.atTheEnd(() -> release("its holder has ended"));
  }

  /**
   * Asks for one and waits for it.
   *
   * @param request what it is to have; its time is set here
   * @param patience how long to wait for GPUs; none: for ever
   */
  public static HeldLease take(Leasing leasing, Form request, Optional<Duration> patience)
      throws Failure {
    LeaseRow asked = leasing.ask(request.with("seconds", LIFE.toSeconds()));
    Undo undo = Undo.atTheEnd(() -> leasing.release(asked, "its holder has ended"));
    try {
      HeldLease held = new HeldLease(leasing, leasing.await(asked, patience));
      var unused = held.heart.scheduleAtFixedRate(held::beat, BEAT_S, BEAT_S, TimeUnit.SECONDS);
      return held;
    } finally {
      undo.forget();
    }
  }

  /** Has something done before the lease is given back, also when this process is interrupted. */
  public void beforeRelease(Ending first) {
    ending = first;
  }

  private void release(String why) {
    try {
      ending.end();
      leasing.release(row, why);
    } catch (Failure e) {
      leasing.tell("lease " + row.id() + " is not given back: " + e.getMessage());
    }
  }

  /** The lease as it was granted. */
  public LeaseRow row() {
    return row;
  }

  /** A backend that does not answer now may do so in time. */
  private void beat() {
    try {
      leasing.renew(row, LIFE);
      told = false;
    } catch (Failure e) {
      if (!told) {
        leasing.tell("lease " + row.id() + " is not renewed: " + e.getMessage());
      }
      told = true;
    }
  }

  @Override
  public void close() {
    heart.shutdownNow();
    undo.forget();
    release("");
  }
}
