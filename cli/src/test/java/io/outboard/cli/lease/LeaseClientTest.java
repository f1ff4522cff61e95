// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.lease;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.communicator.Endpoint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LeaseClientTest {
  @ParameterizedTest
  @CsvSource({
    "tls://broker:1, tls://node:1, true",
    "tls://broker:1, tcp://node:1, true",
    "unix:/broker, unix:/node, true",
    "tls://broker:1, unix:/var/run/docker.sock, false",
    "tls://broker:1, shm:/var/run/docker.sock, false",
    "tls://broker:1, ssh://other, false",
    "unix:/broker, virtio:outboard.0, false",
    "unix:/broker, relay:/node, false",
    "unix:/broker, plugin:/node, false",
  })
  void aBackendSendsProgramsToOtherMachines(String asked, String named, boolean may) {
    assertEquals(may, LeaseClient.maySendTo(Endpoint.parse(asked), Endpoint.parse(named)));
  }
}
