// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import io.outboard.api.audit.AuditLog;
import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Ordered;
import io.outboard.api.json.Schema;
import io.outboard.api.monitoring.Glue;
import io.outboard.api.monitoring.Metrics;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.account.Role;
import io.outboard.lease.store.StoreException;
import io.outboard.pool.Pool;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Operations by which other programs query the server itself. */
public final class SystemOperations {
  private static final String ISOLATION =
      "where kernels of some devices can reach all memory of their worker: which ones, and why";

  private static final String NATIVE_CODE =
      "where libraries are served that run native code on processors: to whom, and why not to others";

  private final Pool pool;
  private final AuditLog audit;

  private SystemOperations(Pool pool, AuditLog audit) {
    this.pool = pool;
    this.audit = audit;
  }

  /**
   * All of them.
   *
   * @param document the document of the interface
   */
  public static List<Operation> of(
      Pool pool,
      AuditLog audit,
      Metrics metrics,
      Glue glue,
      Supplier<Map<String, Object>> document) {
    SystemOperations system = new SystemOperations(pool, audit);
    return List.of(
        Operation.get("/healthz", "health")
            .says("Whether the server answers.")
            .answers(Reply.OK, state())
            .does(_ -> Reply.of(Map.of("status", "ok"))),
        Operation.get("/readyz", "readiness")
            .says("Whether leases can be had: the store can be used and the devices are known.")
            .mayFail(Problem.UNAVAILABLE)
            .answers(
                Reply.OK,
                state()
                    .with(
                        "audit",
                        Schema.text(),
                        "ok, or that the audit log cannot be written; leases can be had all the"
                            + " same")
                    .may("isolation", Schema.text(), ISOLATION)
                    .may("nativeCode", Schema.text(), NATIVE_CODE))
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

  private static Schema.Fields state() {
    return new Schema.Fields().with("status", Schema.text(), "ok");
  }

  private Reply ready() throws Problem {
    String exposure = pool.exposure();
    try {
      if (pool.ask("devices", new Form()).isEmpty()) {
        throw new Problem(Problem.UNAVAILABLE, "there is no device that can be leased");
      }
      Map<String, Object> answer = Ordered.of("status", "ok", "audit", auditState());
      if (!exposure.isEmpty()) {
        answer.put("isolation", exposure);
      }
      if (!pool.nativeCode().isEmpty()) {
        answer.put("nativeCode", pool.nativeCode());
      }
      return Reply.of(answer);
    } catch (LeaseException | StoreException e) {
      throw new Problem(Problem.UNAVAILABLE, e.getMessage());
    }
  }

  private String auditState() {
    return audit.works()
        ? "ok"
        : "it cannot be written; %d lines are lost; is the disk full?".formatted(audit.lost());
  }
}
