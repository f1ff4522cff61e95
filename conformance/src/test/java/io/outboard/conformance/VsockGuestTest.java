// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.outboard.wire.Token;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * vsock in a virtual machine that is client and server at once, over the loopback of its own
 * kernel: a Debian guest with both tarballs, under emulation. A host with vhost-vsock is not part
 * of it.
 */
@Lengthy
final class VsockGuestTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int NOT_POSSIBLE_HERE = 2;

  @Test
  void aProgramReachesABackendOverVsock() throws Exception {
    assumeTrue(Tarballs.canMakeServer(), "no jar of the command: run the build's package phase");
    Program.Ended ended =
        Program.run(
            List.of(
                "nice",
                "-n5",
                Home.PATH.resolve("conformance/guest/run-guest").toString(),
                "--client",
                Tarballs.client().toString(),
                "--server",
                Tarballs.server().toString(),
                "--on",
                "vsock://1:14900",
                "--token",
                Token.random().digits(),
                Home.VECTOR_ADD.toString()),
            Program.guestWithin(LIMIT),
            LIMIT);
    assumeTrue(ended.status() != NOT_POSSIBLE_HERE, ended::errors);
    assertEquals(0, ended.status(), ended::toString);
    assertTrue(ended.output().contains(" at vsock://:14900"), ended::toString);
    assertTrue(
        ended.output().contains("the backend is vsock://1:14900 (from the variable OUTBOARD)"),
        ended::toString);
    assertTrue(ended.output().contains(Home.VECTOR_ADD_PASSED), ended::toString);
  }
}
