// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.testkit;

import io.outboard.lease.Architecture;
import io.outboard.lease.Gpu;
import io.outboard.lease.Identity;
import io.outboard.lease.IdleLimits;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseMode;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.Placement;
import io.outboard.lease.Slice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Devices and requests for tests. */
public final class Sample {
  public static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  public static final long GIB = 1L << 30;
  public static final Duration HOUR = Duration.ofHours(1);

  private Sample() {}

  /** So many devices of 80 GiB. */
  public static List<Gpu> gpus(int count) {
    List<Gpu> gpus = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      gpus.add(new Gpu(number, "GPU-" + number, "NVIDIA A100", 80 * GIB));
    }
    return gpus;
  }

  /** A GPU that is cut into slices, and a whole one. */
  public static List<Gpu> cut() {
    List<Gpu> gpus = new ArrayList<>();
    List<String> profiles = List.of("1g.10gb", "1g.10gb", "3g.40gb");
    for (int index = 0; index < profiles.size(); index++) {
      String profile = profiles.get(index);
      gpus.add(
          new Gpu(
              index,
              "MIG-" + index,
              "NVIDIA A100 MIG " + profile,
              10 * GIB,
              Optional.empty(),
              Optional.of(new Slice(profile, "GPU-0", 0, index, 7 + index, 0))));
    }
    gpus.add(new Gpu(3, "GPU-1", "NVIDIA A100", 80 * GIB));
    return gpus;
  }

  /** Whole devices. */
  public static LeaseRequest whole(String tenant, int gpus) {
    return part(tenant, gpus, LeaseRequest.WHOLE, 0);
  }

  /** Parts of devices. */
  public static LeaseRequest part(String tenant, int gpus, int share, long memory) {
    return request(tenant, gpus, share, memory, 0, Placement.PACK);
  }

  public static LeaseRequest request(
      String tenant, int gpus, int share, long memory, int priority, Placement placement) {
    return LeaseRequest.builder()
        .tenant(tenant)
        .consumer("test")
        .gpus(gpus)
        .memory(memory)
        .share(share)
        .priority(priority)
        .duration(HOUR)
        .placement(placement)
        .build();
  }

  /** A request of GPUs of a generation. */
  public static LeaseRequest of(Architecture architecture, LeaseRequest request) {
    return request.toBuilder().architecture(Optional.of(architecture)).build();
  }

  /** A request with limits of its own. */
  public static LeaseRequest idle(LeaseRequest request, IdleLimits limits) {
    return request.toBuilder().idle(limits).build();
  }

  /** A request of somebody who is known elsewhere. */
  public static LeaseRequest identified(LeaseRequest request, Identity identity) {
    return request.toBuilder().identity(identity).build();
  }

  /** Whole devices, handed over. */
  public static LeaseRequest handed(String tenant, int gpus) {
    return handed(tenant, gpus, LeaseMode.DEVICE, "");
  }

  /** A slice, handed over. */
  public static LeaseRequest slice(String tenant, String profile) {
    return handed(tenant, 1, LeaseMode.MIG, profile);
  }

  private static LeaseRequest handed(String tenant, int gpus, LeaseMode mode, String profile) {
    return whole(tenant, gpus).toBuilder().mode(mode).profile(profile).build();
  }

  /** Anything that a backend of four devices can grant. */
  public static LeaseRequest any(Random random) {
    int share = new int[] {LeaseRequest.WHOLE, 500, 250, 100}[random.nextInt(4)];
    long memory = random.nextBoolean() ? 0 : (1 + random.nextInt(79)) * GIB;
    return request(
        "tenant" + random.nextInt(4),
        1 + random.nextInt(4),
        share,
        memory,
        random.nextInt(3),
        random.nextBoolean() ? Placement.PACK : Placement.SPREAD);
  }

  /** A lease that has devices. */
  public static Lease holding(String id, LeaseRequest request, List<Gpu> gpus) {
    return new Lease(
        id, request, LeaseState.GRANTED, 1, gpus, NOON, NOON, NOON.plus(HOUR), Instant.EPOCH, "");
  }
}
