// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.util.Optional;

/**
 * A device of a node.
 *
 * @param node the name of the node; {@link #HERE} of the one that has the store
 * @param number among the node's, from 0
 * @param uuid as the vendor writes it, {@code GPU-…}, of a slice {@code MIG-…}
 * @param model its name
 * @param memory bytes
 * @param architecture its generation, where that is known
 * @param slice what it is of a GPU that is cut; none if it is a whole one
 */
public record Gpu(
    String node,
    int number,
    String uuid,
    String model,
    long memory,
    Optional<Architecture> architecture,
    Optional<Slice> slice) {
  /** The node that has the store, whatever its name is at the moment. */
  public static final String HERE = "";

  /** One of the node that has the store. */
  public Gpu(
      int number,
      String uuid,
      String model,
      long memory,
      Optional<Architecture> architecture,
      Optional<Slice> slice) {
    this(HERE, number, uuid, model, memory, architecture, slice);
  }

  /** A whole one. */
  public Gpu(
      int number, String uuid, String model, long memory, Optional<Architecture> architecture) {
    this(number, uuid, model, memory, architecture, Optional.empty());
  }

  /** One whose generation is not known. */
  public Gpu(int number, String uuid, String model, long memory) {
    this(number, uuid, model, memory, Optional.empty());
  }

  /** The same device on another node. */
  public Gpu on(String other) {
    return new Gpu(other, number, uuid, model, memory, architecture, slice);
  }

  /** What it is known by. */
  public GpuId id() {
    return new GpuId(node, uuid);
  }

  /** How much of a GPU it is; empty for a whole one. */
  public String profile() {
    return slice.map(Slice::profile).orElse("");
  }

  /** The UUID of the GPU that it is a slice of; empty for a whole one. */
  public String parent() {
    return slice.map(Slice::parent).orElse("");
  }

  /**
   * Whether a text is its UUID or its number, or the UUID of the GPU that it is a slice of; of
   * another node's with that name before it, and a slash; or the name of that node.
   */
  public boolean isNamed(String device) {
    boolean here = node.equals(HERE);
    String before = here ? "" : node + "/";
    return (!here && device.equals(node))
        || device.equals(before + uuid)
        || device.equals(before + number)
        || device.equals(before + parent());
  }

  /** Whether another one is the same device, whatever was known of it when. */
  public boolean is(Gpu other) {
    return id().equals(other.id());
  }
}
