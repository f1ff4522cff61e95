// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LedgerCheckTest {
  private static Form row(String lease, String type, String fqan) {
    return new Form()
        .with("lease", lease)
        .with("consumerType", type)
        .with("consumerId", "7d1c")
        .with("fqan", fqan)
        .with("site", fqan.isEmpty() ? "" : "HERE");
  }

  @Test
  void whereNobodyWantsRecordsNothingIsSaid() {
    assertEquals(List.of(), LedgerCheck.of(List.of()));
    assertEquals(List.of(), LedgerCheck.of(List.of(row("one", "", ""))));
    assertEquals(List.of(), LedgerCheck.of(List.of(row("one", "vm", "/vo"))));
  }

  @Test
  void leasesWithoutWhatARecordMustHaveAreNamed() {
    Finding finding =
        LedgerCheck.of(
                List.of(
                    row("one", "vm", "/vo"),
                    row("two", "vm", ""),
                    row("two", "vm", ""),
                    row("three", "process", "/vo")))
            .getFirst();
    assertTrue(finding.line().contains("2 leases"), finding.line());
    assertTrue(finding.line().contains("two lacks the FQAN, the site;"), finding.line());
    assertTrue(finding.line().contains("three lacks a consumer that is a VM"), finding.line());
  }
}
