// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import io.outboard.lease.Form;
import java.util.List;

/**
 * Where a device is on this host.
 *
 * @param pci its address, {@code 0000:18:00.0}; empty for what is on no bus, as software GPUs
 * @param group of the IOMMU; empty where it is not in use
 * @param neighbours the addresses of the others in that group, which one virtual machine has with
 *     it
 * @param nodes what has to be there in a container
 */
public record HostDevice(String pci, String group, List<String> neighbours, List<String> nodes) {
  /** One that is nowhere. */
  static final HostDevice NONE = new HostDevice("", "", List.of(), List.of());

  public HostDevice {
    neighbours = List.copyOf(neighbours);
    nodes = List.copyOf(nodes);
  }

  /** As fields of a row of a control connection. */
  Form into(Form form) {
    return form.with("pci", pci)
        .with("iommuGroup", group)
        .with("neighbours", String.join(" ", neighbours))
        .with("nodes", String.join(" ", nodes));
  }
}
