// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Distance;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.Origin;
import io.outboard.communicator.posix.Posix;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VsockFileCommunicatorTest {
  private static final int PORT = 14900;

  @TempDir private Path folder;
  private final VsockFileCommunicator communicator = new VsockFileCommunicator();

  private Endpoint endpoint() {
    return Endpoint.parse("vsock-uds:" + folder.resolve("v.sock") + ":" + PORT);
  }

  private Path socket() {
    return folder.resolve("v.sock_" + PORT);
  }

  private Listener listen() throws IOException {
    return communicator.listen(endpoint(), Listening.PLAIN);
  }

  @Test
  void theHypervisorsConnectionsAreOneGuestsWhomNobodyVouchesFor() throws IOException {
    try (Listener listener = listen()) {
      assertEquals(endpoint(), listener.endpoint());
      int hypervisor = new UnixCommunicator().connect(Endpoint.unix(socket().toString()));
      int guest = listener.accept();
      assertEquals(new Origin.Remote(endpoint().toString()), listener.origin(guest));
      assertFalse(listener.vouched(guest));
      Posix.close(hypervisor);
      Posix.close(guest);
    }
  }

  @Test
  void itVouchesSharesAndPassesNothing() {
    assertEquals(new Capabilities(Distance.HYPERVISOR), communicator.capabilities());
  }

  @Test
  void theFileIsItsUsersAndGoesWithTheListener() throws IOException {
    try (Listener _ = listen()) {
      assertEquals(
          "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket())));
      assertFalse(Files.exists(folder.resolve("v.sock")));
    }
    assertFalse(Files.exists(socket()));
  }

  @Test
  void aSocketThatNobodyListensAtIsReplacedAndAnotherIsNot() throws IOException {
    try (ServerSocketChannel killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      killed.bind(UnixDomainSocketAddress.of(socket()));
    }
    try (Listener _ = listen()) {
      var error = assertThrows(IOException.class, this::listen);
      assertTrue(error.getMessage().contains("somebody listens"), error::getMessage);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v", "/v:", "/v:0", "/v:x", "/v:65536", ":7", "/v:07"})
  void whatIsNoPathWithAPortIsRefused(String path) {
    Endpoint endpoint = new Endpoint("vsock-uds", "", "", Endpoint.UNSET, path);
    assertThrows(MalformedURLException.class, () -> communicator.listen(endpoint, Listening.PLAIN));
  }

  @Test
  void aPathMayHaveColons() throws IOException {
    assertEquals("/a:b_7", VsockFileCommunicator.socket(Endpoint.parse("vsock-uds:/a:b:7")));
  }

  @Test
  void nobodyButAHypervisorConnects() {
    var error = assertThrows(IOException.class, () -> communicator.connect(endpoint()));
    assertTrue(error.getMessage().contains("its guest says vsock://2:PORT"), error::getMessage);
  }
}
