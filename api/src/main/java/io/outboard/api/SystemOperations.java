// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import io.outboard.pool.Form;
import io.outboard.pool.LeaseException;
import io.outboard.pool.Pool;
import io.outboard.pool.Role;
import io.outboard.pool.StoreException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** What machines ask of the server itself. */
final class SystemOperations {
  private final Pool pool;

  private SystemOperations(Pool pool) {
    this.pool = pool;
  }

  /**
   * All of them.
   *
   * @param document the document of the interface
   */
  static List<Operation> of(
      Pool pool, Metrics metrics, Glue glue, Supplier<Map<String, Object>> document) {
    SystemOperations system = new SystemOperations(pool);
    return List.of(
        Operation.get("/healthz", "health")
            .says("Whether the server answers.")
            .answers(Reply.OK, state())
            .does(_ -> state("ok")),
        Operation.get("/readyz", "readiness")
            .says("Whether leases can be had: the store can be used and the devices are known.")
            .mayFail(Problem.UNAVAILABLE)
            .answers(Reply.OK, state())
            .does(_ -> system.ready()),
        Operation.get("/openapi.json", "document")
            .says("This document.")
            .does(_ -> Reply.of(document.get())),
        Operation.get("/metrics", "metrics")
            .says("Figures for Prometheus, in its text format 0.0.4.")
            .by(Role.READER)
            .answersText(Metrics.TYPE)
            .does(_ -> Reply.of(Reply.OK, Metrics.TYPE, metrics.text())),
        Operation.get("/glue.json", "glue")
            .says("What the node offers, as GLUE 2.1 has it, for information systems.")
            .mayFail(Problem.UNAVAILABLE)
            .answers(Reply.OK, new Schema.Anything())
            .does(_ -> Reply.of(glue.document())));
  }

  private static Schema state() {
    return new Schema.Fields().with("status", Schema.text(), "ok");
  }

  private static Reply state(String text) {
    return Reply.of(Map.of("status", text));
  }

  private Reply ready() throws Problem {
    try {
      if (pool.ask("devices", new Form()).isEmpty()) {
        throw new Problem(Problem.UNAVAILABLE, "there is no device that can be leased");
      }
      return state("ok");
    } catch (LeaseException | StoreException e) {
      throw new Problem(Problem.UNAVAILABLE, e.getMessage());
    }
  }
}
