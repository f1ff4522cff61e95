// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease.schedule;

import io.outboard.lease.Gpu;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Why a request waits, and what could be granted now, as things are.
 *
 * @param cause why it waits; none where it would be granted now
 * @param earliest when it has its devices at the latest, if all leases end when they are to, and no
 *     better request comes; {@link Instant#EPOCH} where that is not known
 * @param leases the ids of those on whose end, or turn, it waits; some of them where there are many
 * @param devices that it would be given now; empty while it waits
 * @param most so many devices of that kind, on as many nodes as it may have, could be had now for
 *     its time
 * @param share so many thousandths of as many devices as it wants could be had now, for its time; 0
 *     if none
 * @param longest for so long its devices could be had now; zero if for no time at all
 */
public record Explanation(
    Optional<Cause> cause,
    Instant earliest,
    List<String> leases,
    List<Gpu> devices,
    int most,
    int share,
    Duration longest) {
  /** Copies the lists. */
  public Explanation {
    leases = List.copyOf(leases);
    devices = List.copyOf(devices);
  }

  /** Why a request waits. */
  public enum Cause {
    /** It is for a moment that has not come. */
    DATE("its time has not come"),
    /** Others have the devices. */
    ROOM("others have the GPUs"),
    /** Devices are free, and kept for somebody who comes first, or has a date. */
    KEPT("free GPUs are kept for others until then"),
    /** Others come first who want the same. */
    TURN("others come first who want the same"),
    /** Spare leases are being put aside for it. */
    SPARE("spare leases are put aside for it"),
    /** Devices are out for maintenance, have failed, or their node is silent. */
    ABSENT("GPUs are out for maintenance, have failed, or their node does not report");

    private final String words;

    Cause(String words) {
      this.words = words;
    }

    /** For people. */
    public String words() {
      return words;
    }

    /** For machines. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
