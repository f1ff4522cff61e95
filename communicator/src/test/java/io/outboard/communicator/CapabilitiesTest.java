// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapabilitiesTest {
  private static Capabilities of(String uri) {
    return Communicator.of(Endpoint.parse(uri)).capabilities();
  }

  @Test
  void aUnixSocketVouchesSharesAndPasses() {
    Capabilities unix = of("unix:/a");
    assertEquals(Distance.SAME_MACHINE, unix.distance());
    assertEquals(
        Set.of(Capability.REGIONS, Capability.DESCRIPTORS, Capability.VOUCHING, Capability.OWN_USE),
        unix.can());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"tcp://h", "tls://h", "relay:/a", "vsock://", "vsock-uds:/a:7", "virtio:/a"})
  void whatIsBeyondThisMachineCanNothingOfThat(String uri) {
    Capabilities network = of(uri);
    assertTrue(network.distance().silenceIsLoss());
    assertFalse(network.has(Capability.VOUCHING));
    assertFalse(network.has(Capability.REGIONS) || network.has(Capability.DESCRIPTORS));
  }

  @Test
  void aTunnelVouchesAndMayBreak() {
    Capabilities tunnel = of("tunnel:/a");
    assertEquals(Set.of(Capability.VOUCHING), tunnel.can());
    assertTrue(tunnel.distance().silenceIsLoss());
  }

  @Test
  void tlsAloneEncrypts() {
    Set<String> encrypting =
        Communicator.offers().services().stream()
            .filter(one -> one.capabilities().has(Capability.ENCRYPTION))
            .map(Communicator::scheme)
            .collect(Collectors.toSet());
    assertEquals(Set.of("tls"), encrypting);
  }

  @Test
  void aPeerThatIsNotVouchedForKeepsWhatTellsItFromOthers() {
    assertEquals(new Origin.Remote("user 7"), new Origin.Owner(7).unvouched());
    assertEquals(new Origin.Remote("user 7"), new Origin.Member(7).unvouched());
    assertEquals(new Origin.Remote("10.0.0.7"), new Origin.Remote("10.0.0.7").unvouched());
  }
}
