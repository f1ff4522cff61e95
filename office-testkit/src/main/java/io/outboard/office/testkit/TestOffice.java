// SPDX-License-Identifier: Apache-2.0
package io.outboard.office.testkit;

import io.outboard.api.ApiAddress;
import io.outboard.api.ApiServer;
import io.outboard.api.monitoring.Node;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.lease.Gpu;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.office.Lease;
import io.outboard.office.LeaseOffice;
import io.outboard.office.rest.RestClient;
import io.outboard.patience.Patience;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A lease office with its real HTTP interface, and GPUs that nobody computes on. */
public final class TestOffice implements AutoCloseable {
  /** The model of each GPU. */
  public static final String MODEL = "NVIDIA H200";

  private static final int FAST = 100_000;

  private final Pool pool;
  private final ApiServer server;

  /** Starts one with so many GPUs, whose leases are kept in a folder. */
  public TestOffice(Path folder, int gpus) throws IOException {
    pool = new Pool(SqliteLocation.in(folder), false);
    pool.open(
        IntStream.range(0, gpus)
            .mapToObj(number -> new Gpu(number, "GPU-" + number, MODEL, 141L << 30))
            .toList());
    List<String> endpoints = List.of("unix:/run/socket", "tcp://gpu-node:14900");
    server =
        ApiServer.at(ApiAddress.parse("http://127.0.0.1:0"))
            .rate(FAST)
            .start(pool, new Node("node", "1.0", endpoints, Instant.now()), folder);
  }

  /** Where it answers. */
  public URI uri() {
    return server.uri();
  }

  /** As an operator's adapter asks it. */
  public LeaseOffice client() throws IOException {
    return client(token(Role.OPERATOR, ""));
  }

  /** As somebody else does. */
  public LeaseOffice client(String token) throws IOException {
    return new LeaseOffice(List.of(uri()), token, rest());
  }

  /** Requests that wait as long as a slow machine takes. */
  public static RestClient rest() throws IOException {
    return new RestClient(new TlsCaller(List.of(), Optional.empty()), Patience.LIMIT);
  }

  /** A token for an hour. */
  public String token(Role role, String tenant) {
    return pool.accounts().issue(new Standing(role, tenant), "", Duration.ofHours(1)).secret();
  }

  /** The leases that are not over. */
  public List<Lease> leases() throws IOException {
    return client().leases();
  }

  /** The leases, as the office's own machine has them. */
  public Pool pool() {
    return pool;
  }

  @Override
  public void close() {
    server.close();
    pool.close();
  }
}
