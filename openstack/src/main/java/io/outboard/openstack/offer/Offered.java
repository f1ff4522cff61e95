// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.offer;

import io.outboard.office.Lease;
import io.outboard.office.Part;
import java.util.Optional;

/**
 * A provider of the pool in Placement.
 *
 * @param model of its GPUs
 * @param byMemory whether it offers GiB of memory, and no whole GPUs
 * @param memory bytes of one of its GPUs; 0 where there are none any more
 */
public record Offered(String model, boolean byMemory, long memory) {
  private static final String BY_MEMORY = "/memory";
  private static final int GIB_BITS = 30;

  /** Whole GPUs. */
  static Offered of(GpuModel model) {
    return new Offered(model.name(), false, model.memory());
  }

  /** Memory of GPUs. */
  static Offered memoryOf(GpuModel model) {
    return new Offered(model.name(), true, model.memory());
  }

  /** The name of the provider of what a lease has. */
  public static String name(Lease lease) {
    return new Offered(lease.model(), lease.memory() > 0, 0).name();
  }

  /** That of a provider's name, without the pool's. */
  static Offered named(String name) {
    return name.endsWith(BY_MEMORY)
        ? new Offered(name.substring(0, name.length() - BY_MEMORY.length()), true, 0)
        : new Offered(name, false, 0);
  }

  /** The provider's name, without the pool's. */
  String name() {
    return byMemory ? model + BY_MEMORY : model;
  }

  /** Its class of resources. */
  public String resource() {
    return byMemory ? GpuModel.MEMORY : GpuModel.RESOURCE;
  }

  /** How much of its class one GPU is. */
  long unit() {
    return byMemory ? memory >> GIB_BITS : 1;
  }

  /** The part of the pool that so much of its class is; none for nothing. */
  public Optional<Part> part(long count) {
    if (count <= 0) {
      return Optional.empty();
    }
    return Optional.of(
        byMemory ? Part.of(model, count << GIB_BITS, memory) : Part.whole(model, count));
  }
}
