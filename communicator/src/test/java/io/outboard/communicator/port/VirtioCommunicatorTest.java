// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Communicator;
import io.outboard.communicator.Endpoint;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class VirtioCommunicatorTest {
  private static String failure(String uri) {
    Endpoint endpoint = Endpoint.parse(uri);
    return assertThrows(IOException.class, () -> Communicator.of(endpoint).connect(endpoint))
        .getMessage();
  }

  @Test
  void aPortThatNobodyServesIsSaidWithTheRemedy() {
    assertEquals(
        "no outboard-connect serves the port outboard.none: run the program with outboard-run, or"
            + " start outboard-connect virtio:outboard.none",
        failure("virtio:outboard.none"));
  }

  /** A name becomes part of a path. */
  @Test
  void whatIsNoNameOfAPortIsRefused() {
    for (String name : new String[] {"../x", "a/b", ".x", "x".repeat(65)}) {
      assertTrue(failure("virtio:" + name).endsWith("is no name of a port"), name);
    }
  }
}
