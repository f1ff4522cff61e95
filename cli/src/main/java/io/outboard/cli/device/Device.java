// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.device;

import io.outboard.api.json.Ordered;
import io.outboard.lease.Architecture;
import io.outboard.lease.Form;
import io.outboard.lease.Slice;
import io.outboard.wire.Printable;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A device of a backend.
 *
 * @param uuid as the vendor writes it; empty for a device of OpenCL
 * @param capability the compute capability, or the version of OpenCL
 * @param multiprocessors 0 where it is not known
 * @param memory in bytes
 * @param slice what it is of a GPU that is cut; none if it is a whole one
 * @param reach what its kernels can reach of their worker
 * @param host where the backend is that has it; empty for the backend's own
 */
public record Device(
    int number,
    String name,
    String uuid,
    String capability,
    int multiprocessors,
    long memory,
    Optional<Slice> slice,
    HostReach reach,
    String host) {
  private static final String ROW = "%-3s %-40s %-10s %-15s %-12s %s";
  private static final String OWN = "";

  /** Begins what a device of OpenCL says in the place of a compute capability. */
  private static final String OPENCL = "OpenCL";

  /** Its texts are a backend's, or another host's, and steer no terminal. */
  public Device {
    name = Printable.of(name);
    capability = Printable.of(capability);
    host = Printable.of(host);
  }

  /** A whole one. */
  Device(
      int number, String name, String uuid, String capability, int multiprocessors, long memory) {
    this(number, name, uuid, capability, multiprocessors, memory, Optional.empty());
  }

  /** One of the backend's own. */
  Device(
      int number,
      String name,
      String uuid,
      String capability,
      int multiprocessors,
      long memory,
      Optional<Slice> slice) {
    this(number, name, uuid, capability, multiprocessors, memory, slice, HostReach.NONE, OWN);
  }

  /** The same as another one of the backend's. */
  Device numbered(int other) {
    return new Device(other, name, uuid, capability, multiprocessors, memory, slice, reach, host);
  }

  /** The same, whose kernels reach this. */
  Device reaching(HostReach what) {
    return new Device(number, name, uuid, capability, multiprocessors, memory, slice, what, host);
  }

  /** The same, of another host. */
  Device of(String otherHost) {
    return new Device(
        number, name, uuid, capability, multiprocessors, memory, slice, reach, otherHost);
  }

  /** Whether OpenCL serves it, and not CUDA. */
  private boolean isOpenCl() {
    return capability.startsWith(OPENCL);
  }

  /**
   * Leases are of what has a name of its own. Devices of OpenCL have none where CUDA serves devices
   * too: one GPU would be in two leases.
   */
  public boolean canBeLeased() {
    return !uuid.isEmpty();
  }

  /** Its generation, where its compute capability says one. */
  public Optional<Architecture> architecture() {
    if (!canBeLeased() || isOpenCl()) {
      return Optional.empty();
    }
    int dot = capability.indexOf('.');
    return Architecture.of(
        Integer.parseInt(capability.substring(0, dot)),
        Integer.parseInt(capability.substring(dot + 1)));
  }

  /** Its name; of OpenCL too, where one GPU may be served in both ways. */
  public String title() {
    return isOpenCl() ? name + " (OpenCL)" : name;
  }

  /** Whether another backend has it, which the session's has joined. */
  public boolean isJoined() {
    return !host.equals(OWN);
  }

  /** As the pool tells people of one of another host. */
  public Form form() {
    return new Form()
        .with("number", number)
        .with("model", name)
        .with("memory", memory)
        .with("host", host);
  }

  /** The heading of a table; hosts have a column where there are several. */
  static String heading(List<Device> devices) {
    boolean several = devices.stream().anyMatch(device -> !device.host.equals(OWN));
    return ROW.formatted(
            "", "name", "capability", "multiprocessors", "memory", several ? "host" : "")
        .stripTrailing();
  }

  /** The row of a table. */
  public String row() {
    return ROW.formatted(number, name, capability, multiprocessors, (memory >> 20) + " MiB", host)
        .stripTrailing();
  }

  /** An object of JSON; memory in bytes. */
  Map<String, Object> json() {
    return Ordered.of(
        "number", number,
        "name", name,
        "uuid", uuid,
        "computeCapability", capability,
        "multiprocessors", multiprocessors,
        "memory", memory,
        "host", host,
        "profile", slice.map(Slice::profile).orElse(""),
        "parent", slice.map(Slice::parent).orElse(""));
  }
}
