// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.outboard.api.http.Origin;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CallTest {
  @Test
  void aCallOfNobodyKnownCoversNoTenant() {
    Call call =
        new Call(
            Map.of(),
            Map.of(),
            Map.of(),
            Optional.empty(),
            "",
            Origin.clear(InetAddress.getLoopbackAddress()));
    assertFalse(call.covers("alice"));
    assertFalse(call.isOperator());
    assertFalse(call.mayUse());
  }
}
