// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import io.outboard.lease.Architecture;
import io.outboard.lease.Form;
import io.outboard.lease.Gpu;
import io.outboard.lease.GpuId;
import io.outboard.lease.Lease;
import io.outboard.lease.Load;
import io.outboard.lease.node.Closing;
import io.outboard.lease.schedule.Scheduling;
import io.outboard.pool.broker.Broker;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Answers how devices, sessions and leases are at the moment. */
final class Overview {
  private final Broker broker;

  Overview(Broker broker) {
    this.broker = broker;
  }

  /** Each device with what is given away of it. */
  Stream<Form> devices() {
    List<Lease> alive = broker.alive();
    Map<GpuId, Load> loads = Scheduling.loads(alive);
    Map<GpuId, Long> leases = leases(alive);
    return broker.known().stream()
        .map(gpu -> device(gpu, Load.of(loads, gpu), leases.getOrDefault(gpu.id(), 0L)));
  }

  /** How many leases have a part of each device. */
  private static Map<GpuId, Long> leases(List<Lease> alive) {
    return alive.stream()
        .filter(lease -> !lease.request().isCommon())
        .flatMap(lease -> lease.gpus().stream().map(Gpu::id).distinct())
        .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
  }

  private Form device(Gpu gpu, Load load, long leases) {
    Form row =
        new Form()
            .with("number", gpu.number())
            .with("node", gpu.node())
            .with("uuid", gpu.uuid())
            .with("model", gpu.model())
            .with("arch", Architecture.label(gpu.architecture()))
            .with("profile", gpu.profile())
            .with("parent", gpu.parent())
            .with("memory", gpu.memory())
            .with("share", load.share())
            .with("leasedMemory", load.memory())
            .with("leases", leases)
            .with("common", load.common())
            .with("failed", broker.failure(gpu).orElse(""))
            .with("closing", broker.closing(gpu).map(Overview::moment).orElse(""))
            .with(
                "closingWhy",
                broker.closing(gpu).map(Closing::why).map(Overview::reason).orElse(""))
            .with("cordoned", broker.cordon(gpu).map(Overview::reason).orElse(""));
    return broker.reading(row, gpu);
  }

  private static String moment(Closing when) {
    return Long.toString(when.from().toEpochMilli());
  }

  /** Not empty, which means that it is not out. */
  private static String reason(String why) {
    return why.isEmpty() ? "out for maintenance" : why;
  }

  /** Each session with what it has done. */
  Stream<Form> sessions() {
    broker.look();
    return broker.running().stream();
  }

  /** Figures of all sessions since the backend began, and the number of leases by their end. */
  Stream<Form> figures() {
    return Stream.of(broker.figures());
  }
}
