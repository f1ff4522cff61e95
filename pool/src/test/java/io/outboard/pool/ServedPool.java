// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool;

import io.outboard.backend.daemon.Daemon;
import io.outboard.communicator.Endpoint;
import io.outboard.lease.Form;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.Sharing;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.lease.testkit.Sample;
import io.outboard.pool.bound.SessionLimits;
import io.outboard.wire.Token;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A daemon with leases of two GPUs, at a Unix socket and at a TCP port. */
public final class ServedPool implements AutoCloseable {
  final Token token = Token.random();
  final Pool pool;
  final Daemon daemon;

  public ServedPool(Path folder) throws IOException {
    this(folder, SessionLimits.USUAL);
  }

  /** One with so many sessions at a time. */
  public ServedPool(Path folder, SessionLimits sessions) throws IOException {
    pool =
        new Pool(
            SqliteLocation.in(folder), false, Sharing.TURNS, sessions, IdleLimits.NONE, _ -> {});
    pool.open(Sample.gpus(2));
    daemon =
        Daemon.builder()
            .listen(Endpoint.unix(folder.resolve("socket").toString()))
            .listen(Endpoint.parse("tcp://127.0.0.1:0"))
            .token(token)
            .devices("software:2")
            .spareWorkers(0)
            .admission(pool)
            .start();
  }

  Endpoint unix() {
    return daemon.endpoints().getFirst();
  }

  public Endpoint tcp() {
    return daemon.endpoints().getLast();
  }

  /** Grants a lease of half a GPU; its row has the token. */
  public Form lease(String tenant) throws LeaseException {
    return pool.ask(
            "lease",
            new Form()
                .with("tenant", tenant)
                .with("share", LeaseRequest.WHOLE / 2)
                .with("seconds", Duration.ofHours(1).toSeconds()))
        .getFirst();
  }

  public static Token token(Form lease) {
    return Token.parse(lease.get("token"));
  }

  /** Ends a lease. */
  void release(Form lease) throws LeaseException {
    pool.ask("release", new Form().with("id", lease.get("id")));
  }

  /** Waits for the end of the sessions, whose clients have gone. */
  public void awaitNoSession() throws InterruptedException {
    while (daemon.sessions() > 0) {
      Thread.sleep(10);
    }
  }

  @Override
  public void close() {
    daemon.close();
  }
}
