// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.cloud;

import io.outboard.api.json.Ordered;
import io.outboard.office.rest.Fields;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The service of virtual machines (Compute API, microversion 2.61, of Rocky and later). */
public final class Nova {
  private static final int PAGE = 1_000;

  private final CloudService service;

  public Nova(Keystone keystone) {
    service = new CloudService(keystone, "compute", "compute 2.61");
  }

  /**
   * A virtual machine.
   *
   * @param status for people and programs, as {@code ACTIVE} or {@code SHELVED_OFFLOADED}
   * @param task what is done to it now, as {@code powering-on}; empty for nothing
   */
  public record Server(String id, String name, String project, String status, String task) {}

  /** A machine of any project, if it is there. */
  public Optional<Server> server(String id) throws IOException {
    return service.find("/servers/" + id).map(answer -> server(answer.object("server")));
  }

  private static Server server(Fields fields) {
    return new Server(
        fields.text("id"),
        fields.text("name"),
        fields.text("tenant_id"),
        fields.text("status"),
        fields.text("OS-EXT-STS:task_state"));
  }

  /** The UUID of an aggregate of hosts, which Placement has for them too. */
  public String aggregate(String name) throws IOException {
    return service.get("/os-aggregates").objects("aggregates").stream()
        .filter(one -> one.text("name").equals(name))
        .map(one -> one.text("uuid"))
        .findFirst()
        .orElseThrow(
            () ->
                new IOException(
                    "Nova has no aggregate of hosts '%s': 'openstack aggregate create' makes one"
                        .formatted(name)));
  }

  /**
   * Makes a flavor; one of this name that is there already gets the extra specs.
   *
   * @param ram MiB
   * @param disk GiB
   */
  public void makeFlavor(String name, long vcpus, long ram, long disk, Map<String, String> specs)
      throws IOException {
    Optional<String> there = flavor(name);
    String id = there.isPresent() ? there.get() : newFlavor(name, vcpus, ram, disk);
    Fields unused =
        service.ask("POST", "/flavors/" + id + "/os-extra_specs", Map.of("extra_specs", specs));
  }

  /**
   * A flavor, as Nova has it.
   *
   * @param ram MiB
   * @param disk GiB
   * @param specs its extra specs
   */
  public record Kind(
      String id, String name, long vcpus, long ram, long disk, Map<String, String> specs) {
    private static Kind of(Fields fields) {
      Fields specs = fields.object("extra_specs");
      Map<String, String> texts = new TreeMap<>();
      specs.names().forEach(name -> texts.put(name, specs.text(name)));
      return new Kind(
          fields.text("id"),
          fields.text("name"),
          fields.count("vcpus"),
          fields.count("ram"),
          fields.count("disk"),
          texts);
    }
  }

  /** All flavors. */
  public List<Kind> kinds() throws IOException {
    return service.get("/flavors/detail?is_public=None&limit=1000").objects("flavors").stream()
        .map(Kind::of)
        .toList();
  }

  /** How many machines a project has, by their status. */
  public Map<String, Long> machines(String project) throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    String marker = "";
    do {
      List<Fields> page =
          service
              .get(
                  "/servers/detail?all_tenants=1&limit=%d&project_id=%s%s"
                      .formatted(PAGE, project, marker))
              .objects("servers");
      page.forEach(one -> counts.merge(one.text("status"), 1L, Long::sum));
      marker = page.size() < PAGE ? "" : "&marker=" + page.getLast().text("id");
    } while (!marker.isEmpty());
    return counts;
  }

  /** How many machines a project may have; -1 for any number. */
  public long mostMachines(String project) throws IOException {
    return service.get("/os-quota-sets/" + project).object("quota_set").count("instances");
  }

  private Optional<String> flavor(String name) throws IOException {
    return service.get("/flavors?is_public=None&limit=1000").objects("flavors").stream()
        .filter(one -> one.text("name").equals(name))
        .map(one -> one.text("id"))
        .findFirst();
  }

  private String newFlavor(String name, long vcpus, long ram, long disk) throws IOException {
    Map<String, Object> flavor = Ordered.of("name", name, "vcpus", vcpus, "ram", ram, "disk", disk);
    return service.ask("POST", "/flavors", Map.of("flavor", flavor)).object("flavor").text("id");
  }
}
