// SPDX-License-Identifier: Apache-2.0
package io.outboard.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LeaseRequestTest {
  /** Each part differs from what it is by default, so that one that is dropped shows. */
  private static final LeaseRequest ALL =
      LeaseRequest.builder()
          .tenant("physics")
          .consumer("job 7")
          .gpus(1)
          .model("H100")
          .architecture(Optional.of(Architecture.HOPPER))
          .memory(Sample.GIB)
          .share(500)
          .priority(3)
          .duration(Sample.HOUR)
          .placement(Placement.SPREAD)
          .mostNodes(2)
          .idle(IdleLimits.NONE.with(IdleStep.SUSPEND, Duration.ofMinutes(5)))
          .identity(new Identity(Identity.VM, "id", "user", "fqan", "site"))
          .profile("1g.10gb")
          .grace(Optional.of(Duration.ofSeconds(9)))
          .keep(Duration.ofMinutes(1))
          .build();

  @Test
  void aCopyIsEqual() {
    assertEquals(ALL, ALL.toBuilder().build());
    LeaseRequest handed = Sample.handed("a", 3);
    assertEquals(handed, handed.toBuilder().build());
  }

  @Test
  void oneThatSaysLittleIsForAWholeGpuOfAnyKind() {
    LeaseRequest request = LeaseRequest.builder().duration(Sample.HOUR).build();
    assertEquals(
        Sample.part(LeaseRequest.DEFAULT_TENANT, 1, LeaseRequest.WHOLE, 0), consumed(request));
    assertTrue(Sample.gpus(1).stream().allMatch(request::fits));
  }

  private static LeaseRequest consumed(LeaseRequest request) {
    return request.toBuilder().consumer("test").build();
  }

  @Test
  void oneWithoutADurationIsRefused() {
    var refused =
        assertThrows(IllegalArgumentException.class, () -> LeaseRequest.builder().build());
    assertTrue(refused.getMessage().startsWith("seconds "), refused::toString);
  }
}
