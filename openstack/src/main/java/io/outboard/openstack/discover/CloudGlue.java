// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.discover;

import io.outboard.api.json.Ordered;
import io.outboard.openstack.cloud.Nova;
import io.outboard.openstack.cloud.Nova.Kind;
import io.outboard.openstack.offer.GpuModel;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Flavors with remote GPUs and the shares of virtual organisations in GLUE 2.1, with the names,
 * identifiers and JSON of EGI's cloud-info-provider 1.2: what it publishes of a flavor's GPUs is
 * less, so that an entity of the same identifier is the same one and says more here.
 */
public final class CloudGlue {
  private static final Duration VALIDITY = Duration.ofHours(12);
  private static final String REQUIRED = "required";
  private static final String TRAIT = "trait:";
  private static final String SHARE = "Share";

  private final Nova nova;
  private final Collection<GpuModel> pool;
  private final String endpoint;
  private final String service;
  private final Map<String, String> organisations;

  /**
   * Makes it.
   *
   * @param pool the models that there are
   * @param identity Keystone, by which the provider names a site's services
   * @param organisations ids of projects, by the virtual organisations whose they are
   */
  public CloudGlue(
      Nova nova, Collection<GpuModel> pool, URI identity, Map<String, String> organisations) {
    this.nova = nova;
    this.pool = List.copyOf(pool);
    this.endpoint = identity + "_OpenStack_v3";
    this.service = identity + "_cloud.compute";
    this.organisations = Map.copyOf(organisations);
  }

  /** The document, as of a moment. */
  public Map<String, Object> document(Instant moment) throws IOException {
    String now = moment.truncatedTo(ChronoUnit.SECONDS).toString();
    List<Kind> kinds = nova.kinds().stream().filter(CloudGlue::hasGpus).toList();
    List<Object> types = new ArrayList<>();
    List<Object> accelerators = new ArrayList<>();
    for (Kind kind : kinds) {
      types.add(type(kind, now));
      accelerators.add(accelerator(kind, now));
    }
    List<Object> shares = new ArrayList<>();
    List<Object> policies = new ArrayList<>();
    for (String organisation : new TreeSet<>(organisations.keySet())) {
      shares.add(share(organisation, kinds, now));
      policies.add(policy(organisation, now));
    }
    return Ordered.of(
        "CloudComputingInstanceType",
        types,
        "CloudComputingVirtualAccelerator",
        accelerators,
        SHARE,
        shares,
        "MappingPolicy",
        policies);
  }

  private static boolean hasGpus(Kind kind) {
    return kind.specs().containsKey("resources:" + GpuModel.RESOURCE)
        || kind.specs().containsKey("resources:" + GpuModel.MEMORY);
  }

  private static Map<String, Object> entity(String id, String name, String now) {
    return Ordered.of(
        "ID", id, "Validity", VALIDITY.toSeconds(), "CreationTime", now, "Name", name);
  }

  private static String gpu(String of) {
    return of + "_gpu";
  }

  private Map<String, Object> type(Kind kind, String now) {
    Map<String, Object> type = entity(kind.id(), kind.name(), now);
    type.put(
        "Associations",
        Ordered.of(
            SHARE,
            organisations.keySet().stream().sorted().map(this::shareId).toList(),
            "CloudComputingEndpoint",
            List.of(endpoint),
            "CloudComputingManager",
            List.of(service + "_manager"),
            "CloudComputingVirtualAccelerator",
            List.of(gpu(kind.id()))));
    type.put("Platform", "amd64");
    type.put("CPU", kind.vcpus());
    type.put("RAM", kind.ram());
    type.put("Disk", kind.disk());
    type.put("NetworkIn", "UNKNOWN");
    type.put("NetworkOut", true);
    return type;
  }

  private Map<String, Object> accelerator(Kind kind, String now) {
    Map<String, Object> accelerator = entity(gpu(kind.id()), gpu(kind.name()), now);
    accelerator.put("Associations", Map.of("CloudComputingInstanceType", List.of(kind.id())));
    accelerator.put("Type", "GPU");
    accelerator.put("Number", figure(kind, "Accelerator:Number"));
    accelerator.put("Vendor", kind.specs().getOrDefault("Accelerator:Vendor", "UNKNOWN"));
    accelerator.put("Model", kind.specs().getOrDefault("Accelerator:Model", "UNKNOWN"));
    accelerator.put("Memory", figure(kind, "Accelerator:Memory"));
    accelerator.put("ComputeCapability", capabilities(kind));
    accelerator.put("VirtualizationType", "api-remoting");
    return accelerator;
  }

  private static long figure(Kind kind, String key) {
    String text = kind.specs().getOrDefault(key, "");
    return text.matches("\\d{1,12}") ? Long.parseLong(text) : 0;
  }

  /** The vendor's names of what the GPUs can: the generations that a machine may get. */
  private List<String> capabilities(Kind kind) {
    List<String> traits =
        kind.specs().entrySet().stream()
            .filter(one -> one.getKey().startsWith(TRAIT) && one.getValue().equals(REQUIRED))
            .map(one -> one.getKey().substring(TRAIT.length()))
            .toList();
    return pool.stream()
        .filter(model -> model.traits().containsAll(traits))
        .map(GpuModel::arch)
        .filter(arch -> !arch.isEmpty())
        .distinct()
        .sorted()
        .toList();
  }

  private String shareId(String organisation) {
    return "%s_share_%s_%s".formatted(endpoint, organisation, organisations.get(organisation));
  }

  private Map<String, Object> share(String organisation, List<Kind> kinds, String now)
      throws IOException {
    String project = organisations.get(organisation);
    Map<String, Long> machines = nova.machines(project);
    long suspended = machines.getOrDefault("SUSPENDED", 0L);
    long halted = machines.getOrDefault("SHUTOFF", 0L);
    long total = machines.values().stream().mapToLong(Long::longValue).sum();
    Map<String, Object> share =
        entity(shareId(organisation), "%s - %s share".formatted(organisation, project), now);
    share.put(
        "Associations",
        Ordered.of(
            "CloudComputingService",
            List.of(service),
            "CloudComputingEndpoint",
            List.of(endpoint)));
    share.put("InstanceMaxCPU", kinds.stream().mapToLong(Kind::vcpus).max().orElse(0));
    share.put("InstanceMaxRAM", kinds.stream().mapToLong(Kind::ram).max().orElse(0));
    share.put("TotalVM", total);
    share.put("RunningVM", total - suspended - halted);
    share.put("SuspendedVM", suspended);
    share.put("HaltedVM", halted);
    share.put("MaxVM", nova.mostMachines(project));
    share.put("ProjectID", project);
    return share;
  }

  private Map<String, Object> policy(String organisation, String now) {
    Map<String, Object> policy = entity(shareId(organisation) + "_Policy", organisation, now);
    policy.put(
        "Associations",
        Ordered.of(
            SHARE, List.of(shareId(organisation)), "PolicyUserDomain", List.of(organisation)));
    policy.put("Rule", List.of("VO:" + organisation));
    policy.put("Scheme", "org.glite.standard");
    return policy;
  }
}
