// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.socket.TcpCommunicator;
import io.outboard.communicator.socket.UnixCommunicator;
import java.net.MalformedURLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
  @ParameterizedTest
  @CsvSource({
    "unix:/run/outboard.sock, unix, '', '', -1, /run/outboard.sock",
    "unix:///run/outboard.sock, unix, '', '', -1, /run/outboard.sock",
    "unix:relative.sock, unix, '', '', -1, relative.sock",
    "'unix:/with space:and@colon', unix, '', '', -1, '/with space:and@colon'",
    "shm:/run/outboard.sock, shm, '', '', -1, /run/outboard.sock",
    "tcp://gpu.example, tcp, '', gpu.example, -1, ''",
    "tcp://gpu.example:7, tcp, '', gpu.example, 7, ''",
    "tcp://gpu.example:0/, tcp, '', gpu.example, 0, ''",
    "tcp://10.0.0.7:14900, tcp, '', 10.0.0.7, 14900, ''",
    "tcp://[::1]:14900, tcp, '', ::1, 14900, ''",
    "ssh://me@gpu.example, ssh, me, gpu.example, -1, ''",
    "ssh://gpu.example:22, ssh, '', gpu.example, 22, ''",
    "vsock://3:1, vsock, '', 3, 1, ''",
    "vsock://:1, vsock, '', '', 1, ''",
    "vsock://, vsock, '', '', -1, ''",
    "vsock-uds:/run/vm/v.sock:14900, vsock-uds, '', '', -1, /run/vm/v.sock:14900",
  })
  void urisAreTakenApart(
      String uri, String scheme, String user, String host, int port, String path) {
    assertEquals(new Endpoint(scheme, user, host, port, path), Endpoint.parse(uri));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "unix:/run/x.sock",
        "tcp://h",
        "tcp://h:1",
        "tcp://[fe80::1]:2",
        "ssh://me@h",
        "vsock://",
        "vsock://:7",
        "vsock://2:7",
        "vsock-uds:/a:7",
        "shm:x"
      })
  void anEndpointIsWrittenAsItsUri(String uri) {
    assertEquals(uri, Endpoint.parse(uri).toString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unix:",
        "unix",
        "/run/x.sock",
        "tcp://h:",
        "tcp://h:x",
        "tcp://h:1:2",
        "tcp://a b",
        "TCP://h",
        "tcp://h/path",
        "://h",
        "tcp://@h",
        "tcp://[::1"
      })
  void whatIsNoUriIsRefusedWithWhatIsExpected(String uri) {
    var error = assertThrows(IllegalArgumentException.class, () -> Endpoint.parse(uri));
    assertTrue(error.getMessage().contains("'" + uri + "'"), error.getMessage());
    assertTrue(error.getMessage().contains("expected unix:PATH, tcp://HOST"), error.getMessage());
  }

  @Test
  void aPortHas16Bits() {
    assertEquals(65535, Endpoint.parse("tcp://h:65535").port());
    assertThrows(IllegalArgumentException.class, () -> Endpoint.parse("tcp://h:65536"));
  }

  @Test
  void communicatorsAreFoundByScheme() {
    assertEquals("tcp", Communicator.of(Endpoint.parse("tcp://h")).scheme());
    assertEquals("unix", Communicator.of(Endpoint.parse("unix:h")).scheme());
    Endpoint unknown = Endpoint.parse("smoke://h");
    var error = assertThrows(IllegalArgumentException.class, () -> Communicator.of(unknown));
    assertEquals(
        "'smoke://h': no communicator for this scheme; there are relay, tcp, tls, tunnel, unix, virtio, vsock,"
            + " vsock-uds; of xen:DOMID, 'outboard-connect' prints what to name instead",
        error.getMessage());
  }

  @Test
  void aSchemeSaysWhatItNeeds() {
    Endpoint tcp = Endpoint.parse("tcp:gpu");
    var host = assertThrows(MalformedURLException.class, () -> new TcpCommunicator().connect(tcp));
    assertEquals("'tcp:gpu': expected tcp://HOST", host.getMessage());
    Endpoint nobody = Endpoint.parse("tcp://:7");
    var none =
        assertThrows(MalformedURLException.class, () -> new TcpCommunicator().connect(nobody));
    assertEquals("'tcp://:7': expected tcp://HOST", none.getMessage());
    Endpoint unix = Endpoint.parse("unix://gpu");
    var path =
        assertThrows(MalformedURLException.class, () -> new UnixCommunicator().connect(unix));
    assertEquals("'unix://gpu': expected unix:PATH", path.getMessage());
  }
}
