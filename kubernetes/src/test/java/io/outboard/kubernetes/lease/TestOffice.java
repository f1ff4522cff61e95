// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.lease;

import io.outboard.api.ApiAddress;
import io.outboard.api.ApiServer;
import io.outboard.api.monitoring.Node;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.lease.Gpu;
import io.outboard.lease.account.Role;
import io.outboard.lease.account.Standing;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.openstack.office.LeaseOffice;
import io.outboard.openstack.rest.RestClient;
import io.outboard.patience.Patience;
import io.outboard.pool.Pool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A lease office with its real HTTP interface, and two GPUs that nobody computes on. */
final class TestOffice implements AutoCloseable {
  private static final String MODEL = "NVIDIA H200";
  private static final int FAST = 100_000;

  private final Pool pool;
  private final ApiServer server;

  TestOffice(Path folder) throws IOException {
    pool = new Pool(SqliteLocation.in(folder), false);
    pool.open(
        List.of(new Gpu(0, "GPU-0", MODEL, 141L << 30), new Gpu(1, "GPU-1", MODEL, 141L << 30)));
    server =
        ApiServer.at(ApiAddress.parse("http://127.0.0.1:0"))
            .rate(FAST)
            .start(
                pool,
                new Node(
                    "node",
                    "1.0",
                    List.of("unix:/run/socket", "tcp://gpu-node:14900"),
                    Instant.now()),
                folder);
  }

  /** As an operator's adapter asks it. */
  LeaseOffice client() throws IOException {
    String token =
        pool.accounts().issue(new Standing(Role.OPERATOR, ""), "", Duration.ofHours(1)).secret();
    RestClient rest = new RestClient(new TlsCaller(List.of(), Optional.empty()), Patience.LIMIT);
    return new LeaseOffice(List.of(server.uri()), token, rest);
  }

  @Override
  public void close() {
    server.close();
    pool.close();
  }
}
