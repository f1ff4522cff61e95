// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.pool.Pool;
import java.time.Instant;
import java.util.List;

/**
 * The node that is served.
 *
 * @param name of the host
 * @param version of the program
 * @param endpoints where programs connect to
 * @param since when its backend began
 */
public record Node(String name, String version, List<String> endpoints, Instant since) {
  /** Copies the list. */
  public Node {
    endpoints = List.copyOf(endpoints);
  }

  /** As a row of a control connection. */
  public Form row(Pool pool) throws LeaseException {
    List<Form> leases = pool.ask("leases", new Form());
    return new Form()
        .with("name", name)
        .with("devices", pool.ask("devices", new Form()).size())
        .with("leases", leases.size())
        .with("waiting", leases.stream().filter(Node::waits).count())
        .with("sessions", pool.ask("sessions", new Form()).size())
        .with("endpoints", String.join(" ", endpoints))
        .with("since", since.toEpochMilli());
  }

  private static boolean waits(Form lease) {
    return lease.get("state").equals("requested");
  }
}
