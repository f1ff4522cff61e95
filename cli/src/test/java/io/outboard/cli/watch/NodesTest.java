// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.lease.Form;
import java.util.List;
import org.junit.jupiter.api.Test;

final class NodesTest {
  @Test
  void whoIsGivenToNobodyIsNamed() {
    Form works = new Form().with("number", 0).with("uuid", "GPU-0").with("failed", "");
    Form lost = new Form().with("number", 1).with("uuid", "GPU-1").with("failed", "it is lost");
    assertEquals(List.of("GPU 1 (GPU-1): it is lost"), Nodes.failures(List.of(works, lost)));
  }

  @Test
  void whatIsOutForMaintenanceIsNamedWithItsUsers() {
    Form in = new Form().with("number", 0).with("uuid", "GPU-0").with("cordoned", "");
    Form out = new Form().with("number", 1).with("uuid", "GPU-1").with("cordoned", "a fan");
    assertEquals(
        List.of("GPU 1 (GPU-1) is given to nobody: a fan; nobody has it"),
        Nodes.cordons(List.of(in, out)));
    assertEquals(
        List.of("GPU 1 (GPU-1) is given to nobody: a fan; 1 user still there"),
        Nodes.cordons(List.of(out.with("leases", 1))));
  }
}
