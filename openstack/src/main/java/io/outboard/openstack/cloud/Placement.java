// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.cloud;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.json.Ordered;
import io.outboard.office.rest.Fields;
import io.outboard.office.rest.RestException;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The service that counts resources (Placement API 1.36, of Train and later). */
public final class Placement {
  /** How often a change is tried whose provider others change meanwhile. */
  private static final int TRIES = 20;

  private static final String PROVIDERS = "/resource_providers";

  private final CloudService service;

  public Placement(Keystone keystone) {
    service = new CloudService(keystone, "placement", "placement 1.36");
  }

  /**
   * A resource provider.
   *
   * @param generation that a change has to name: another one was made meanwhile where it is older
   */
  public record Provider(String uuid, String name, long generation) {}

  /**
   * How much of a class a provider has.
   *
   * @param reserved what is not for the cloud at present
   * @param most that one consumer can have
   * @param ratio how much can be allocated for each that is not reserved
   */
  public record Inventory(long total, long reserved, long most, BigDecimal ratio) {
    /** One of which a consumer can have all, each once. */
    public Inventory(long total, long reserved) {
      this(total, reserved, total, BigDecimal.ONE);
    }

    private Map<String, Object> body() {
      return Ordered.of(
          "total",
          total,
          "reserved",
          reserved,
          "min_unit",
          1,
          "max_unit",
          most,
          "step_size",
          1,
          "allocation_ratio",
          ratio);
    }
  }

  /**
   * The resources of a consumer, a virtual machine for instance.
   *
   * @param project id of the consumer's
   * @param user id of the consumer's
   * @param counts by provider and class
   */
  public record Allocation(String project, String user, Map<String, Map<String, Long>> counts) {
    /** How much of a class it has of a provider. */
    public long of(String provider, String resourceClass) {
      return counts.getOrDefault(provider, Map.of()).getOrDefault(resourceClass, 0L);
    }
  }

  /** Makes a class of resources known. */
  public void makeClass(String name) throws IOException {
    Fields unused = service.ask("PUT", "/resource_classes/" + name, null);
  }

  /** Makes a trait known. */
  public void makeTrait(String name) throws IOException {
    Fields unused = service.ask("PUT", "/traits/" + name, null);
  }

  /** All providers whose names begin so. */
  public List<Provider> providers(String prefix) throws IOException {
    return service.get(PROVIDERS).objects("resource_providers").stream()
        .map(Placement::provider)
        .filter(one -> one.name().startsWith(prefix))
        .toList();
  }

  /** The provider of a name, which is made where there is none. */
  public Provider provider(String name) throws IOException {
    Optional<Provider> there = named(name);
    if (there.isPresent()) {
      return there.get();
    }
    try {
      return provider(service.ask("POST", PROVIDERS, Map.of("name", name)));
    } catch (RestException e) {
      if (e.status() != RestException.CONFLICT) {
        throw e;
      }
      // Another one has made it meanwhile.
      return named(name).orElseThrow(() -> e);
    }
  }

  private Optional<Provider> named(String name) throws IOException {
    String query = "?name=" + URLEncoder.encode(name, UTF_8);
    return service.get(PROVIDERS + query).objects("resource_providers").stream()
        .map(Placement::provider)
        .findFirst();
  }

  private static Provider provider(Fields fields) {
    return new Provider(fields.text("uuid"), fields.text("name"), fields.count("generation"));
  }

  /** Sets how much of a class a provider has; returns whether it had something else. */
  public boolean setInventory(String provider, String resourceClass, Inventory wanted)
      throws IOException {
    return change(
        provider,
        "/inventories",
        there -> isSame(there.object("inventories"), resourceClass, wanted),
        Map.of("inventories", Map.of(resourceClass, wanted.body())));
  }

  private static boolean isSame(Fields inventories, String resourceClass, Inventory wanted) {
    Fields there = inventories.object(resourceClass);
    return inventories.names().equals(List.of(resourceClass))
        && there.count("total") == wanted.total()
        && there.count("max_unit") == wanted.most()
        && there.count("reserved") == wanted.reserved()
        && there.decimal("allocation_ratio").compareTo(wanted.ratio()) == 0;
  }

  /** Sets the traits of a provider; returns whether it had others. */
  public boolean setTraits(String provider, Collection<String> wanted) throws IOException {
    return setNames(provider, "traits", wanted);
  }

  /** Sets the aggregates of a provider; returns whether it had others. */
  public boolean setAggregates(String provider, Collection<String> wanted) throws IOException {
    return setNames(provider, "aggregates", wanted);
  }

  private boolean setNames(String provider, String what, Collection<String> wanted)
      throws IOException {
    return change(
        provider,
        "/" + what,
        there -> new TreeSet<>(there.texts(what)).equals(new TreeSet<>(wanted)),
        Map.of(what, List.copyOf(new TreeSet<>(wanted))));
  }

  @FunctionalInterface
  private interface Check {
    boolean isDone(Fields there);
  }

  /**
   * Looks, and changes what is not as it should be. Where somebody changes the provider in between,
   * as Nova does with each machine, Placement refuses the change (409), and all begins anew.
   */
  private boolean change(String provider, String what, Check check, Map<String, Object> wanted)
      throws IOException {
    String path = PROVIDERS + "/" + provider + what;
    for (int left = TRIES; ; left--) {
      Fields there = service.get(path);
      if (check.isDone(there)) {
        return false;
      }
      Map<String, Object> body = new LinkedHashMap<>(wanted);
      body.put("resource_provider_generation", there.count("resource_provider_generation"));
      try {
        Fields unused = service.ask("PUT", path, body);
        return true;
      } catch (RestException e) {
        if (e.status() != RestException.CONFLICT || left <= 1) {
          throw e;
        }
      }
    }
  }

  /** The consumers that have something of a provider, by UUID. */
  public List<String> consumers(String provider) throws IOException {
    return service.get(PROVIDERS + "/" + provider + "/allocations").object("allocations").names();
  }

  /** The resources of a consumer; none of one that is not known. */
  public Allocation allocation(String consumer) throws IOException {
    Fields answer = service.get("/allocations/" + consumer);
    Map<String, Map<String, Long>> counts = new LinkedHashMap<>();
    Fields providers = answer.object("allocations");
    for (String provider : providers.names()) {
      counts.put(provider, counts(providers.object(provider).object("resources")));
    }
    return new Allocation(answer.text("project_id"), answer.text("user_id"), counts);
  }

  private static Map<String, Long> counts(Fields resources) {
    Map<String, Long> counts = new LinkedHashMap<>();
    resources.names().forEach(name -> counts.put(name, resources.count(name)));
    return counts;
  }
}
