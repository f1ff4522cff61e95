// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.monitoring;

import io.outboard.api.json.Ordered;
import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.pool.Pool;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Describes the node's offer in the words of GLUE 2.1 (OGF, the entities for cloud accelerators),
 * as the JSON that the cloud information provider of EGI writes. It is made anew for each who asks,
 * so that it is never older than it says.
 */
public final class Glue {
  /** How long it may be used. */
  static final Duration VALIDITY = Duration.ofHours(1);

  private static final String TYPE = "GPU";
  private static final String NVIDIA = "NVIDIA";
  private static final String SOFTWARE = "(software)";
  private static final int MIB_BITS = 20;

  /** Shares are thousandths. */
  private static final int SHARE_DIGITS = 3;

  private final Pool pool;
  private final Node node;
  private final InstantSource clock;

  public Glue(Pool pool, Node node, InstantSource clock) {
    this.pool = pool;
    this.node = node;
    this.clock = clock;
  }

  /** The document. */
  public Map<String, Object> document() throws LeaseException {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    SortedMap<String, List<Form>> models = new TreeMap<>();
    for (Form device : pool.ask("devices", new Form())) {
      if (device.get("failed").isEmpty()) {
        models.computeIfAbsent(device.get("model"), _ -> new ArrayList<>()).add(device);
      }
    }
    List<Object> managers = new ArrayList<>();
    List<Object> kinds = new ArrayList<>();
    models.forEach(
        (model, devices) -> {
          managers.add(manager(model, devices, now));
          kinds.add(kind(model, devices.getFirst(), now));
        });
    return Ordered.of(
        "CloudComputingManagerAccelerator", managers, "CloudComputingVirtualAccelerator", kinds);
  }

  private Map<String, Object> entity(String kind, String model, Instant now) {
    return Ordered.of(
        "ID",
        "urn:outboard:%s:%s:%s".formatted(node.name(), kind, model.replace(' ', '-')),
        "CreationTime",
        now.toString(),
        "Validity",
        VALIDITY.toSeconds(),
        "Name",
        model,
        "Type",
        TYPE);
  }

  /** CloudComputingManagerAccelerator. */
  private Map<String, Object> manager(String model, List<Form> devices, Instant now) {
    Map<String, Object> manager = entity("manager", model, now);
    manager.put("TotalNumber", devices.size());
    manager.put("MinNumber", 1);
    manager.put("MaxNumber", devices.size());
    manager.put("OtherInfo", otherInfo(devices));
    manager.put(
        "Associations", Map.of("CloudComputingManager", List.of("urn:outboard:" + node.name())));
    return manager;
  }

  /**
   * The part that is free now, for which the model has no attribute: devices that nobody has, and
   * what is left of all that leases can share, where 1 is a device.
   */
  private static List<String> otherInfo(List<Form> devices) {
    List<Form> open = devices.stream().filter(Glue::takesLeases).toList();
    long free = open.stream().filter(device -> device.number("share", 0) == 0).count();
    long left =
        open.stream().mapToLong(device -> LeaseRequest.WHOLE - device.number("share", 0)).sum();
    return List.of(
        "FreeNumber=" + free,
        "FreeShare=" + BigDecimal.valueOf(left, SHARE_DIGITS).toPlainString());
  }

  /** One that is out for maintenance, or that sessions without a lease share, takes none. */
  private static boolean takesLeases(Form device) {
    return device.get("cordoned").isEmpty() && device.number("common", 0) == 0;
  }

  /** CloudComputingVirtualAccelerator; memory in MiB. */
  private Map<String, Object> kind(String model, Form device, Instant now) {
    Map<String, Object> kind = entity("accelerator", model, now);
    kind.put("Number", 1);
    kind.put("Vendor", vendor(device));
    kind.put("Model", model);
    kind.put("Memory", device.number("memory", 0) >> MIB_BITS);
    kind.put("VirtualizationType", "api-remoting");
    kind.put("Associations", Map.of("CloudComputingInstanceType", List.of()));
    return kind;
  }

  /** Of a software GPU that is called as a real one is, nobody but us is the vendor. */
  private static String vendor(Form device) {
    String model = device.get("model");
    return model.startsWith(NVIDIA) && !model.endsWith(SOFTWARE) ? NVIDIA : "Outboard";
  }
}
