// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.backend.supervision.Admitted;
import io.outboard.backend.supervision.SessionFigures;
import io.outboard.communicator.greeting.Peer;
import io.outboard.communicator.greeting.RefusedException;
import io.outboard.lease.Form;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.lease.store.LeaseStore;
import io.outboard.lease.store.StoreException;
import io.outboard.lease.store.StoreLocation;
import io.outboard.lease.testkit.Sample;
import io.outboard.patience.Patience;
import io.outboard.pool.broker.Upkeep;
import io.outboard.pool.broker.WatchedStore;
import io.outboard.wire.Hello;
import io.outboard.wire.Token;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a pool opens its store, and who waits for that. */
final class PoolStoreTest {
  private static final Hello CLIENT = RawPeer.hello(0);

  @TempDir private Path folder;

  private SqliteLocation location() {
    return SqliteLocation.in(folder);
  }

  /** The thread of somebody who wants a store, which waits for the devices. */
  private static Thread waiting(FutureTask<?> wish) throws InterruptedException {
    Thread thread = Thread.ofPlatform().start(wish);
    Patience.untilWaits(thread);
    return thread;
  }

  private static FutureTask<Boolean> refused(Pool pool) {
    return new FutureTask<>(
        () -> {
          assertThrows(RefusedException.class, pool::namesTokens);
          return true;
        });
  }

  @Test
  void nobodyHasTheStoreBeforeTheDevicesAreKnown() throws Exception {
    try (Pool pool = new Pool(location(), true)) {
      FutureTask<Boolean> wish = refused(pool);
      Thread thread = waiting(wish);
      assertFalse(Files.exists(location().file()), "it is open already");
      thread.interrupt();
      Patience.get(wish);
      pool.open(Sample.gpus(1));
      assertEquals(Optional.empty(), pool.claim(Token.random().name()), "it opened after all");
    }
  }

  /** With the monitor held, close would wait for the devices, too. */
  @Test
  void whoWaitsForTheDevicesHearsOfTheEnd() throws Exception {
    Pool pool = new Pool(location(), true);
    FutureTask<Boolean> wish = refused(pool);
    Thread thread = waiting(wish);
    pool.close();
    Patience.get(wish);
    Patience.join(thread);
    assertFalse(Files.exists(location().file()), "it was made at the end");
  }

  /** One that cannot be taken over is closed, so that another process can have it. */
  @Test
  void aStoreThatCannotBeReadIsClosed() throws Exception {
    location().open().close();
    try (Pool pool =
        new Pool(
            watched(
                method -> {
                  if (method.equals("alive")) {
                    throw new StoreException("it cannot be read");
                  }
                }),
            true)) {
      assertThrows(StoreException.class, () -> pool.open(Sample.gpus(1)));
      location().open().close();
    }
  }

  private StoreLocation watched(WatchedStore.Watch watch) {
    return new StoreLocation() {
      @Override
      public boolean isUsed() {
        return location().isUsed();
      }

      @Override
      public Optional<String> obstacle() {
        return location().obstacle();
      }

      @Override
      public LeaseStore open() {
        return WatchedStore.of(location().open(), watch);
      }
    };
  }

  /** The end of a session from before leases were used waits for the disk, and nobody with it. */
  @Test
  void aSlowDiskHindersNobodyElse() throws Exception {
    CountDownLatch disk = new CountDownLatch(1);
    CountDownLatch begun = new CountDownLatch(1);
    Thread[] slow = new Thread[1];
    StoreLocation location =
        watched(
            method -> {
              if (method.equals("settle") && Thread.currentThread() == slow[0]) {
                begun.countDown();
                await(disk);
              }
            });
    try (Pool pool = new Pool(location, false)) {
      pool.open(Sample.gpus(1));
      Admitted session = pool.admit(CLIENT, new Peer.Operator());
      pool.accounts();
      slow[0] = Thread.ofPlatform().unstarted(() -> session.ended(SessionFigures.NOTHING));
      slow[0].start();
      Patience.await(begun);
      FutureTask<Admitted> other =
          new FutureTask<>(() -> pool.admit(CLIENT, new Peer.Member(1000, "ada")));
      Thread.ofPlatform().start(other);
      Admitted admitted = Patience.get(other);
      disk.countDown();
      Patience.join(slow[0]);
      admitted.ended(SessionFigures.NOTHING);
    }
  }

  /** A full disk may be the one that the log is on. */
  @Test
  void aStoreThatGoesOnFailingIsALineInTheLog() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    AtomicInteger failed = new AtomicInteger();
    List<LogRecord> log = new CopyOnWriteArrayList<>();
    StoreLocation location =
        watched(
            method -> {
              boolean upkeep = Thread.currentThread().getName().equals("leases");
              if (method.equals("settle") && upkeep && full.get()) {
                failed.incrementAndGet();
                throw new StoreException("the disk is full");
              }
            });
    try (var _ = new LogOf(Upkeep.class, log);
        Pool pool = new Pool(location, false)) {
      pool.open(Sample.gpus(1));
      full.set(true);
      for (int times = 1; times <= 3; times++) {
        int wanted = times;
        pool.ask("lease", new Form().with("seconds", 60).with("share", 100));
        Patience.until("the store fails", () -> failed.get() >= wanted);
      }
      full.set(false);
      pool.ask("lease", new Form().with("seconds", 60).with("share", 100));
      Patience.until("it is told that the store works", () -> log.size() > 1);
    }
    assertEquals(
        List.of("leases are not kept up: the disk is full", "leases are kept up again"),
        log.stream().map(LogOf::text).toList());
    assertNull(log.getFirst().getThrown());
  }

  /** Adds what a class logs to a list. */
  private static final class LogOf extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<LogRecord> to;

    LogOf(Class<?> of, List<LogRecord> to) {
      this.logger = Logger.getLogger(of.getName());
      this.to = to;
      logger.addHandler(this);
    }

    static String text(LogRecord one) {
      return new SimpleFormatter().formatMessage(one);
    }

    @Override
    public void publish(LogRecord one) {
      to.add(one);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
      logger.removeHandler(this);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
