// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.library.JoinedHost;
import io.outboard.wire.Bytes;
import io.outboard.wire.Message;
import io.outboard.wire.Slot;
import io.outboard.wire.Welcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which links a host asks those for that it has joined. */
final class LinkRequestsTest {
  private static JoinedHost host(int slot, boolean links) {
    Bytes none = Bytes.zero(Message.IDENTITY);
    Bytes proof = Bytes.zero(Message.NONCE);
    Welcome welcome =
        new Welcome(Message.VERSION, none, none, proof, 0, false, false, links, List.of());
    return new JoinedHost(new Slot(slot), "host " + slot, -1, welcome);
  }

  @Test
  void aHostThatConnectsToNobodyIsNotAsked() {
    JoinedHost one = host(1, false);
    JoinedHost two = host(2, true);
    JoinedHost three = host(3, false);
    assertEquals(
        List.of(new LinkRequests.Pair(two, one), new LinkRequests.Pair(two, three)),
        LinkRequests.possible(List.of(one, two, three)));
    assertEquals(List.of(), LinkRequests.possible(List.of(one, three)));
    assertEquals(List.of(), LinkRequests.possible(List.of(two)));
  }
}
