// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.node;

import io.outboard.lease.Gpu;
import io.outboard.lease.GpuUse;
import io.outboard.lease.LeaseState;
import io.outboard.wire.Token;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The GPUs and leases that a node has, and the programs that really run there.
 *
 * @param term of the broker whose orders it obeys; 0 for none yet
 * @param version of the last orders that it has carried out
 * @param taken the highest epoch of a grant that it has taken; 0 for none
 * @param endpoints where programs connect to
 * @param gpus its devices
 * @param held the leases that it has, and the ended ones that the broker still orders it to have
 * @param figures the present state of its devices, by their UUIDs: what is known of {@link
 *     #FIGURES}
 */
public record NodeReport(
    long term,
    long version,
    long taken,
    List<String> endpoints,
    List<Gpu> gpus,
    List<Held> held,
    Map<String, Map<String, Long>> figures) {
  /** The fields of a device's present state, as rows of devices name it. */
  public static final List<String> FIGURES =
      List.of(
          "utilization",
          "memoryUsed",
          "memoryTotal",
          "temperature",
          "power",
          "busy",
          "leasesMemory",
          "leasesBusy");

  /** One that says nothing of the present state of its devices, as older nodes do. */
  public NodeReport(
      long term,
      long version,
      long taken,
      List<String> endpoints,
      List<Gpu> gpus,
      List<Held> held) {
    this(term, version, taken, endpoints, gpus, held, Map.of());
  }

  /** Copies the lists; a device or a lease is not in them twice. */
  public NodeReport {
    endpoints = List.copyOf(endpoints);
    gpus = List.copyOf(gpus);
    held = List.copyOf(held);
    figures = Map.copyOf(figures);
    checkOnce("GPU", gpus.stream().map(Gpu::uuid));
    checkOnce("GPU", gpus.stream().map(Gpu::number));
    checkOnce("lease", held.stream().map(Held::id));
  }

  private static void checkOnce(String what, Stream<?> names) {
    Set<Object> seen = new HashSet<>();
    names.forEach(
        name -> {
          if (!seen.add(name)) {
            throw new IllegalArgumentException("%s %s is there twice".formatted(what, name));
          }
        });
  }

  /**
   * A lease as it is at the node.
   *
   * @param id the lease's id
   * @param epoch of the grant
   * @param state at the node; {@link LeaseState#REVOKED} too for one that the node refuses
   * @param reason why it is in its state
   * @param token with which programs use it; none where they do not
   * @param sessions programs that use it
   * @param away of these, those that have lost their connection
   * @param use what it has had of its devices since its grant
   * @param share thousandths that it has of each device; none where an older node does not say
   * @param programs that use it, or some of them
   */
  public record Held(
      String id,
      long epoch,
      LeaseState state,
      String reason,
      Optional<Token> token,
      int sessions,
      long away,
      List<GpuUse> use,
      OptionalInt share,
      List<NodeProgram> programs) {
    /** Copies the lists. */
    public Held {
      use = List.copyOf(use);
      programs = List.copyOf(programs);
    }

    /** One that says neither its share nor its programs, as older nodes do. */
    public Held(
        String id,
        long epoch,
        LeaseState state,
        String reason,
        Optional<Token> token,
        int sessions,
        long away,
        List<GpuUse> use) {
      this(id, epoch, state, reason, token, sessions, away, use, OptionalInt.empty(), List.of());
    }
  }
}
