// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.cloud;

import io.outboard.api.json.Ordered;
import io.outboard.openstack.rest.Fields;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** The service of virtual machines (Compute API, microversion 2.61, of Rocky and later). */
public final class Nova {
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
