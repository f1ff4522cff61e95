// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import io.outboard.lease.Architecture;
import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LedgerRow;
import io.outboard.lease.account.Fqan;
import io.outboard.lease.account.MissedTarget;
import io.outboard.lease.schedule.Explanation;
import io.outboard.lease.service.LeaseUse;
import java.util.stream.Collectors;

/** Leases and rows of the ledger as rows of a control connection. */
public final class LeaseForm {
  private LeaseForm() {}

  /** A lease with what it is at. */
  public static Form of(Lease lease, LeaseUse use) {
    LeaseRequest request = lease.request();
    Form form = use.outlook().map(outlook -> outlook.into(new Form())).orElseGet(Form::new);
    return request
        .idle()
        .into(request.identity().into(form))
        .with("id", lease.id())
        .with("tenant", request.tenant())
        .with("consumer", request.consumer())
        .with("state", lease.state().label())
        .with("reason", lease.reason())
        .with("epoch", lease.epoch())
        .with("gpus", request.gpus())
        .with("mostNodes", request.mostNodes())
        .with("wanted", request.model())
        .with("arch", Architecture.label(request.architecture()))
        .with("memory", request.memory())
        .with("share", request.share())
        .with("mode", request.mode().label())
        .with("profile", request.profile())
        .with("priority", request.priority())
        .with("class", request.service().label())
        .with("begin", request.begin().toEpochMilli())
        .with("due", lease.due().map(due -> "" + due.toEpochMilli()).orElse(""))
        .with("sessions", use.sessions())
        .with("away", use.away())
        .with("grace", request.grace().map(time -> "" + time.toSeconds()).orElse(""))
        .with("requested", lease.requested().toEpochMilli())
        .with("granted", lease.granted().toEpochMilli())
        .with("expires", lease.expires().toEpochMilli())
        .with(
            "nodes",
            lease.gpus().stream().map(Gpu::node).distinct().collect(Collectors.joining(" ")))
        .with("backend", use.endpoints().stream().findFirst().orElse(""))
        .with("vo", Fqan.vo(request.identity().fqan()))
        .with("uuids", lease.gpus().stream().map(Gpu::uuid).collect(Collectors.joining(" ")))
        .with("model", lease.gpus().isEmpty() ? "" : lease.gpus().getFirst().model());
  }

  /** Why one waits, and what could be granted now; moments in milliseconds, times in seconds. */
  public static Form of(Explanation explanation) {
    return new Form()
        .with("cause", explanation.cause().map(Explanation.Cause::label).orElse(""))
        .with("why", explanation.cause().map(Explanation.Cause::words).orElse(""))
        .with("earliest", explanation.earliest().toEpochMilli())
        .with("leases", String.join(" ", explanation.leases()))
        .with(
            "devices",
            explanation.devices().stream().map(LeaseForm::name).collect(Collectors.joining(" ")))
        .with("most", explanation.most())
        .with("share", explanation.share())
        .with("longest", explanation.longest().toSeconds());
  }

  /** As commands name a device. */
  private static String name(Gpu gpu) {
    return gpu.node().equals(Gpu.HERE) ? "" + gpu.number() : gpu.node() + "/" + gpu.number();
  }

  static Form of(MissedTarget missed) {
    return new Form()
        .with("number", missed.number())
        .with("lease", missed.lease())
        .with("tenant", missed.tenant())
        .with("consumer", missed.consumer())
        .with("due", missed.due().toEpochMilli())
        .with("cause", missed.cause());
  }

  static Form of(LedgerRow row) {
    return row.identity()
        .into(new Form())
        .with("number", row.number())
        .with("lease", row.lease())
        .with("tenant", row.tenant())
        .with("consumer", row.consumer())
        .with("epoch", row.epoch())
        .with("gpu", row.gpu().uuid())
        .with("model", row.gpu().model())
        .with("arch", Architecture.label(row.gpu().architecture()))
        .with("share", row.share())
        .with("mode", row.mode().label())
        .with("from", row.from().toEpochMilli())
        .with("to", row.to().toEpochMilli())
        .with("bytesIn", row.bytesIn())
        .with("bytesOut", row.bytesOut())
        .with("busy", row.busy().map(busy -> Long.toString(busy.toMillis())).orElse(""))
        .with("energy", row.energy().isPresent() ? Long.toString(row.energy().getAsLong()) : "")
        .with("last", row.last())
        .with("vo", Fqan.vo(row.identity().fqan()));
  }
}
