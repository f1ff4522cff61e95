// SPDX-License-Identifier: Apache-2.0
package io.outboard.openstack.grant;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.office.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The cost of leases that nobody uses. */
final class UnusedLeasesTest {
  private static final Instant BEGIN = Instant.parse("2026-11-28T00:00:00Z");

  private final UnusedLeases unused = new UnusedLeases();

  private static Lease lease(String state) {
    return new Lease(
        "1",
        "t",
        "m",
        "",
        "nova vm",
        state,
        "",
        2,
        0,
        "gpu",
        "gpu",
        "",
        List.of(),
        Optional.of(BEGIN),
        Optional.empty());
  }

  private UnusedLeases.Unused look(String state, int minute) {
    unused.look(List.of(lease(state)), BEGIN.plus(Duration.ofMinutes(minute)));
    return unused.of(lease(state)).orElse(null);
  }

  @Test
  void eachGpuCostsWhileNobodyElseCanHaveIt() {
    UnusedLeases.Unused first = look("granted", 10);
    assertEquals(BEGIN, first.since(), "it was never used");
    assertEquals(Duration.ofMinutes(20), first.wasted());
    assertEquals(null, look("active", 20));
    UnusedLeases.Unused idle = look("idle", 30);
    assertEquals(Duration.ZERO, idle.wasted(), "it was used until then, as far as is known");
    assertEquals(Duration.ofMinutes(20), look("idle", 40).wasted());
    UnusedLeases.Unused aside = look("suspended", 50);
    assertEquals(Duration.ofMinutes(20), aside.wasted(), "its GPUs are others'");
    assertEquals(BEGIN.plus(Duration.ofMinutes(30)), aside.since());
    assertEquals(Duration.ofMinutes(20), look("suspended", 60).wasted());
    unused.look(List.of(), BEGIN.plus(Duration.ofMinutes(70)));
    assertEquals(Optional.empty(), unused.of(lease("suspended")), "it is over");
  }
}
