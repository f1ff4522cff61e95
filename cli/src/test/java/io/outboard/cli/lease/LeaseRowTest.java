// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import org.junit.jupiter.api.Test;

final class LeaseRowTest {
  private static LeaseRow lease(String model, String wanted) {
    return new LeaseRow(
        new Form()
            .with("id", "0badcafe0000")
            .with("state", "released")
            .with("gpus", 2)
            .with("share", 1000)
            .with("mode", "remote")
            .with("model", model)
            .with("wanted", wanted));
  }

  @Test
  void namesTheGpusThatItHasOrElseWants() {
    assertTrue(lease("H200", "H").sentence().contains(", 2 x H200, "));
    assertTrue(lease("", "H100").sentence().contains(", 2 x H100, "));
    assertTrue(lease("", "").sentence().contains(", 2 x GPU, "));
  }
}
