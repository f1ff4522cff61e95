// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Distance;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.posix.Errno;
import io.outboard.communicator.posix.Posix;
import io.outboard.communicator.posix.Sockets;
import io.outboard.patience.KernelThread;
import io.outboard.patience.Patience;
import java.io.IOException;
import java.net.MalformedURLException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nothing here connects over vsock: the peer would be the hypervisor of the machine that runs the
 * tests. A guest that a test boots does.
 */
class VsockCommunicatorTest {
  private static final int HOST = 2;
  private final VsockCommunicator vsock = new VsockCommunicator();

  @Test
  void aGuestReachesItsHostWhereNoCidIsSaid() throws IOException {
    assertEquals(HOST, VsockCommunicator.cid(Endpoint.parse("vsock://"), HOST));
    assertEquals(HOST, VsockCommunicator.cid(Endpoint.parse("vsock://:7"), HOST));
    assertEquals(3, VsockCommunicator.cid(Endpoint.parse("vsock://3"), HOST));
    assertEquals(-1, VsockCommunicator.cid(Endpoint.parse("vsock://4294967295:7"), HOST));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"vsock://host", "vsock://4294967296", "vsock://-1", "vsock:3", "vsock:/path"})
  void whatIsNoCidIsRefused(String uri) {
    Endpoint endpoint = Endpoint.parse(uri);
    var error = assertThrows(MalformedURLException.class, () -> vsock.connect(endpoint));
    assertEquals(
        "'" + uri + "': expected vsock://[CID][:PORT], a CID is a number", error.getMessage());
  }

  @Test
  void aMachineWithoutVsockIsToldWhatHelps() {
    for (int error : new int[] {Errno.EAFNOSUPPORT, Errno.ENODEV}) {
      var none = assertThrows(IOException.class, () -> VsockCommunicator.checkDevice(-error));
      assertTrue(
          none.getMessage()
              .startsWith("this machine has no vsock (AF_VSOCK): " + Errno.text(error)),
          none::getMessage);
      assertTrue(none.getMessage().contains("vmw_vsock_virtio_transport"), none::getMessage);
    }
  }

  @Test
  void itVouchesSharesAndPassesNothing() {
    assertEquals(new Capabilities(Distance.HYPERVISOR), vsock.capabilities());
  }

  /** On a machine without vsock it says so. */
  @Test
  void aListenerEndsWhileItWaits() throws Exception {
    Endpoint any = new Endpoint("vsock", "", "", -1, "");
    int socket = Sockets.socket(Sockets.AF_VSOCK);
    if (socket < 0) {
      assertThrows(IOException.class, () -> vsock.listen(any, Listening.PLAIN));
      return;
    }
    Posix.close(socket);
    Listener listener = vsock.listen(Endpoint.parse("vsock://:14977"), Listening.PLAIN);
    assertEquals("vsock://:14977", listener.endpoint().toString());
    var taken =
        assertThrows(IOException.class, () -> vsock.listen(listener.endpoint(), Listening.PLAIN));
    assertTrue(taken.getMessage().contains("--listen names another place"), taken::getMessage);
    CompletableFuture<KernelThread> waits = new CompletableFuture<>();
    CompletableFuture<Integer> accepted =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                waits.complete(KernelThread.current());
                return listener.accept();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            });
    Patience.get(waits).untilSleeps();
    listener.close();
    assertEquals(Listener.CLOSED, Patience.get(accepted));
  }
}
