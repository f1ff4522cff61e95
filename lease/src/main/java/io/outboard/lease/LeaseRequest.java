// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * A request for a lease, made by its {@link Builder}.
 *
 * @param tenant on whose account
 * @param consumer who uses it, for the ledger
 * @param gpus how many devices
 * @param model part of their name, in any case; empty for any
 * @param architecture their generation; none for any
 * @param memory bytes of each device; 0 for the share of it
 * @param share thousandths of each device, 1 to {@link #WHOLE}; 0 only for the implicit lease of a
 *     session that has none, which has its devices together with others of that kind
 * @param priority higher ones come first
 * @param duration from the grant on
 * @param placement how devices are chosen
 * @param mostNodes on how many nodes they may be, at most
 * @param idle how long it may be idle, beside what holds for all leases
 * @param identity who uses it, for accounting elsewhere
 * @param mode how its devices are used; those that are handed over are leased whole
 * @param profile slices of this profile only, as {@code 1g.18gb}; empty for any device
 * @param grace how long a program of it that has lost its connection may take to come back; none
 *     for the backend's time
 * @param keep for how long the request, and its grant, stay while nobody asks for them: who waits
 *     for it may have gone; zero for always, as it is for a grant that somebody has got
 * @param service how firmly it has its devices
 * @param begin the moment from which on it is to have them, which are kept for it until then;
 *     {@link Instant#EPOCH} for as soon as possible
 * @param within how long after it was asked for, or after its date, it is to be granted at the
 *     latest, for guaranteed ones; zero for no such target
 */
public record LeaseRequest(
    String tenant,
    String consumer,
    int gpus,
    String model,
    Optional<Architecture> architecture,
    long memory,
    int share,
    int priority,
    Duration duration,
    Placement placement,
    int mostNodes,
    IdleLimits idle,
    Identity identity,
    LeaseMode mode,
    String profile,
    Optional<Duration> grace,
    Duration keep,
    ServiceClass service,
    Instant begin,
    Duration within) {
  /** The whole of a device, in shares. */
  public static final int WHOLE = 1000;

  /** The tenant of a lease that names none. */
  public static final String DEFAULT_TENANT = "default";

  /**
   * For how long a request stays whose asker does not say, over a connection: whoever waits for it
   * asks more often.
   */
  public static final Duration KEEP = Duration.ofMinutes(1);

  /** For how long a request stays whose asker does not say: nobody waits at hand for a date. */
  public static Duration usualKeep(Instant begin) {
    return begin.equals(Instant.EPOCH) ? KEEP : Duration.ZERO;
  }

  /** Begins one of a whole GPU of any kind, for programs; it needs a {@link Builder#duration}. */
  public static Builder builder() {
    return new Builder();
  }

  /** The same, to be changed. */
  public Builder toBuilder() {
    return builder()
        .tenant(tenant)
        .consumer(consumer)
        .gpus(gpus)
        .model(model)
        .architecture(architecture)
        .memory(memory)
        .share(share)
        .priority(priority)
        .duration(duration)
        .placement(placement)
        .mostNodes(mostNodes)
        .idle(idle)
        .identity(identity)
        .mode(mode)
        .profile(profile)
        .grace(grace)
        .keep(keep)
        .service(service)
        .begin(begin)
        .within(within);
  }

  /** Checks the figures. */
  public LeaseRequest {
    check(!tenant.isEmpty(), "a tenant has a name");
    Parameter.GPUS.check(gpus);
    Parameter.MOST_NODES.check(mostNodes);
    Parameter.MEMORY.check(memory);
    Parameter.PRIORITY.check(priority);
    Parameter.SECONDS.check(duration);
    if (share != 0) {
      Parameter.SHARE.check(share);
    }
    grace.ifPresent(Parameter.GRACE::check);
    Parameter.KEEP.check(keep);
    Parameter.BEGIN.check(begin.toEpochMilli());
    Parameter.WITHIN.check(within);
    check(
        within.isZero() || service == ServiceClass.GUARANTEED,
        "a time in which a lease is to be granted is for guaranteed ones");
    check(
        service != ServiceClass.SPARE || !mode.handsOver(),
        "GPUs that are handed over cannot be taken back for a better class: they are not spare");
    check(
        service != ServiceClass.SPARE || begin.equals(Instant.EPOCH),
        "nothing is kept for a spare lease: it has no date");
    check(
        service != ServiceClass.SPARE || mostNodes == 1,
        "programs on several nodes cannot be suspended: a spare lease has GPUs of one");
    check(
        mostNodes == 1 || !mode.handsOver(),
        "GPUs of several nodes are for programs: they are not handed over");
    Parameter.IDLE_SUSPEND.check(idle.seconds(IdleStep.SUSPEND));
    Parameter.IDLE_REVOKE.check(idle.seconds(IdleStep.REVOKE));
    check(
        !mode.handsOver() || (share == WHOLE && memory == 0),
        "GPUs that are handed over are leased whole: without a share, and all of their memory");
    check(
        !mode.handsOver() || idle.isNone(),
        "whether GPUs that are handed over are idle is not known: no limit can be put on it");
    check(
        !mode.handsOver() || grace.isEmpty(),
        "no program is served on GPUs that are handed over: they have no grace period");
    check(
        mode != LeaseMode.DEVICE || profile.isEmpty(),
        "slices have a profile, and are leased in mode mig: mode device is of whole GPUs");
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new IllegalArgumentException(what);
    }
  }

  /** Whether it is for a moment that is named, which has not come yet. */
  public boolean isAfter(Instant now) {
    return begin.isAfter(now);
  }

  /** Whether the session has its devices together with others that have no lease. */
  public boolean isCommon() {
    return share == 0;
  }

  /** Whether memory has a limit below the device's own. */
  public boolean limitsMemory() {
    return !isCommon() && (memory > 0 || share < WHOLE);
  }

  /** Its memory on a device, in bytes. */
  public long memoryOf(Gpu gpu) {
    long part = share == WHOLE ? gpu.memory() : gpu.memory() / WHOLE * share;
    return memory > 0 ? memory : part;
  }

  /** Whether a device is one that it can be of. */
  public boolean fits(Gpu gpu) {
    String name = gpu.model().toLowerCase(Locale.ROOT);
    return isOf(gpu)
        && (profile.isEmpty() || profile.equals(gpu.profile()))
        && name.contains(model.toLowerCase(Locale.ROOT))
        && (architecture.isEmpty() || architecture.equals(gpu.architecture()))
        && memoryOf(gpu) <= gpu.memory();
  }

  /**
   * Whether its mode goes with a whole device, or with a slice. A program of CUDA sees one slice at
   * most (MIG User Guide, "CUDA Device Enumeration"): more of them are no use to it.
   */
  private boolean isOf(Gpu gpu) {
    return switch (mode) {
      case REMOTE -> gpu.slice().isEmpty() || gpus == 1;
      case DEVICE -> gpu.slice().isEmpty();
      case MIG -> gpu.slice().isPresent();
    };
  }

  /**
   * Takes the parts of a request one by one; each has the meaning of the component of its name, and
   * that of a request which does not say it.
   */
  public static final class Builder {
    private String tenant = DEFAULT_TENANT;
    private String consumer = "";
    private int gpus = 1;
    private String model = "";
    private Optional<Architecture> architecture = Optional.empty();
    private long memory;
    private int share = WHOLE;
    private int priority;
    private Duration duration = Duration.ZERO;
    private Placement placement = Placement.PACK;
    private int mostNodes = 1;
    private IdleLimits idle = IdleLimits.NONE;
    private Identity identity = Identity.NONE;
    private LeaseMode mode = LeaseMode.REMOTE;
    private String profile = "";
    private Optional<Duration> grace = Optional.empty();
    private Duration keep = Duration.ZERO;
    private ServiceClass service = ServiceClass.SHARED;
    private Instant begin = Instant.EPOCH;
    private Duration within = Duration.ZERO;

    private Builder() {}

    /** By default {@link LeaseRequest#DEFAULT_TENANT}. */
    public Builder tenant(String value) {
      tenant = value;
      return this;
    }

    /** By default nobody known. */
    public Builder consumer(String value) {
      consumer = value;
      return this;
    }

    /** By default one. */
    public Builder gpus(int value) {
      gpus = value;
      return this;
    }

    /** By default any. */
    public Builder model(String value) {
      model = value;
      return this;
    }

    /** By default any. */
    public Builder architecture(Optional<Architecture> value) {
      architecture = value;
      return this;
    }

    /** By default that of the share. */
    public Builder memory(long value) {
      memory = value;
      return this;
    }

    /** By default the whole. */
    public Builder share(int value) {
      share = value;
      return this;
    }

    /** By default 0. */
    public Builder priority(int value) {
      priority = value;
      return this;
    }

    /** There is no default. */
    public Builder duration(Duration value) {
      duration = value;
      return this;
    }

    /** By default {@link Placement#PACK}. */
    public Builder placement(Placement value) {
      placement = value;
      return this;
    }

    /** By default one. */
    public Builder mostNodes(int value) {
      mostNodes = value;
      return this;
    }

    /** By default none of its own. */
    public Builder idle(IdleLimits value) {
      idle = value;
      return this;
    }

    /** By default nobody known. */
    public Builder identity(Identity value) {
      identity = value;
      return this;
    }

    /** By default {@link LeaseMode#REMOTE}. */
    public Builder mode(LeaseMode value) {
      mode = value;
      return this;
    }

    /** By default any device. */
    public Builder profile(String value) {
      profile = value;
      return this;
    }

    /** By default the backend's. */
    public Builder grace(Optional<Duration> value) {
      grace = value;
      return this;
    }

    /** By default always. */
    public Builder keep(Duration value) {
      keep = value;
      return this;
    }

    /** By default {@link ServiceClass#SHARED}. */
    public Builder service(ServiceClass value) {
      service = value;
      return this;
    }

    /** By default as soon as possible. */
    public Builder begin(Instant value) {
      begin = value;
      return this;
    }

    /** By default no target. */
    public Builder within(Duration value) {
      within = value;
      return this;
    }

    /**
     * The request.
     *
     * @throws IllegalArgumentException if a part is not permitted, or does not go with another one
     */
    public LeaseRequest build() {
      return new LeaseRequest(
          tenant,
          consumer,
          gpus,
          model,
          architecture,
          memory,
          share,
          priority,
          duration,
          placement,
          mostNodes,
          idle,
          identity,
          mode,
          profile,
          grace,
          keep,
          service,
          begin,
          within);
    }
  }
}
