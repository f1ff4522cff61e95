// SPDX-License-Identifier: Apache-2.0
package io.outboard.client.find;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.socket.UnixCommunicator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackendsTest {
  @TempDir private Path root;
  private final Map<String, String> environment = new HashMap<>();

  private Backends backends() {
    environment.put("HOME", root.resolve("home").toString());
    environment.put("XDG_RUNTIME_DIR", root.resolve("user").toString());
    return new Backends(environment, root.resolve("here"), root);
  }

  private Found found() throws IOException {
    return backends().find(Optional.empty()).orElseThrow();
  }

  private Path properties(String folder, String uri) throws IOException {
    Path file = root.resolve(folder).resolve(Backends.FILE);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, "# where\nbackend = " + uri + "\n");
  }

  private static Listener listen(Path socket) throws IOException {
    return new UnixCommunicator().listen(Endpoint.unix(socket.toString()), Listening.PLAIN);
  }

  @Test
  void nothingIsFoundWhereNothingIs() throws Exception {
    assertEquals(Optional.empty(), backends().find(Optional.empty()));
  }

  /** As that of another user in a folder of everybody's. */
  @Test
  void aFileThatEverybodyWritesIsPassedOver() throws Exception {
    Path file = properties("here", "tcp://here");
    assertEquals("tcp://here", found().endpoint().toString());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertEquals(Optional.empty(), backends().find(Optional.empty()));
  }

  @Test
  void theFirstInTheOrderIsTaken() throws Exception {
    Path system = backends().systemSocket();
    assertEquals(root.resolve("run/outboard/outboard.sock"), system);
    Path user = backends().userSocket();
    try (Listener one = listen(system)) {
      assertEquals(new Found(one.endpoint(), system.toString()), found());
      try (Listener two = listen(user)) {
        assertEquals(new Found(two.endpoint(), user.toString()), found());
        for (String folder : new String[] {"etc/outboard", "home/.config/outboard", "here"}) {
          Path file = properties(folder, "tcp://" + folder.replace('/', '-'));
          Endpoint expected = Endpoint.parse("tcp://" + folder.replace('/', '-'));
          assertEquals(new Found(expected, file.toString()), found());
        }
      }
    }
    environment.put(Backends.VARIABLE, "tcp://variable");
    assertEquals(new Found(Endpoint.parse("tcp://variable"), "OUTBOARD"), found());
    Found named = backends().find(Optional.of("tcp://named")).orElseThrow();
    assertEquals(new Found(Endpoint.parse("tcp://named"), "the command line"), named);
  }

  @Test
  void filesOfGvirtusAreUnderstood() throws Exception {
    Path installed = root.resolve("gvirtus/etc/gvirtus.properties");
    Files.createDirectories(installed.getParent());
    Files.writeString(installed, "communicator : afunix:///tmp/gvirtus:0666\nplugins : cudart\n");
    assertEquals(Optional.empty(), backends().find(Optional.empty()));
    environment.put("GVIRTUS_HOME", root.resolve("gvirtus").toString());
    assertEquals(new Found(Endpoint.unix("/tmp/gvirtus"), installed.toString()), found());
    Path here = root.resolve("here/gvirtus.properties");
    Files.createDirectories(here.getParent());
    Files.writeString(here, "communicator: tcp://gpu:2222");
    assertEquals(new Found(Endpoint.parse("tcp://gpu:2222"), here.toString()), found());
    properties("here", "tcp://first");
    assertEquals("first", found().endpoint().host());
  }

  @Test
  void theConfigurationFolderMayBeElsewhere() throws Exception {
    environment.put("XDG_CONFIG_HOME", root.resolve("conf").toString());
    properties("home/.config/outboard", "tcp://home");
    assertEquals(Optional.empty(), backends().find(Optional.empty()));
    properties("conf/outboard", "tcp://conf");
    assertEquals("conf", found().endpoint().host());
  }

  @Test
  void aSocketThatNobodyAnswersAtIsPassedOver() throws Exception {
    Path user = backends().userSocket();
    Files.createDirectories(user.getParent());
    Files.writeString(user, "");
    assertEquals(Optional.empty(), backends().find(Optional.empty()));
    environment.put("XDG_RUNTIME_DIR", "/" + "x".repeat(200));
    assertEquals(
        Optional.empty(),
        new Backends(environment, root, root).find(Optional.empty()),
        "a path that no socket can have");
  }

  private Path port(String device, String name) throws IOException {
    Path folder = Files.createDirectories(root.resolve("sys/class/virtio-ports/" + device));
    Files.writeString(folder.resolve("name"), name + "\n");
    return folder;
  }

  @Test
  void aGuestWithATokenFindsThePortThatIsOutboards() throws Exception {
    port("vport1p1", "org.qemu.guest_agent.0");
    port("vport1p2", "outboard.../passwd");
    Files.createDirectories(root.resolve("sys/class/virtio-ports/vport1p3"));
    Path folder = port("vport1p4", "outboard.0");
    assertEquals(Optional.empty(), backends().find(Optional.empty()), "without a token");
    environment.put("OUTBOARD_TOKEN", "0".repeat(64));
    String where = folder + ": a port of this virtual machine; no backend was found over vsock";
    assertEquals(new Found(Endpoint.parse("virtio:outboard.0"), where), found());
    try (Listener system = listen(backends().systemSocket())) {
      assertEquals(system.endpoint(), found().endpoint());
    }
    environment.put("OUTBOARD_VIRTIO", "0");
    assertEquals(Optional.empty(), backends().find(Optional.empty()));
  }

  @Test
  void whatIsNoEndpointIsSaidWithItsPlace() throws Exception {
    Path file = properties("here", "gpu");
    environment.put(Backends.VARIABLE, " ");
    var error = assertThrows(IllegalArgumentException.class, this::found);
    assertTrue(error.getMessage().startsWith(file + ": "), error.getMessage());
    assertThrows(IllegalArgumentException.class, () -> backends().find(Optional.of("/run/x.sock")));
  }

  @Test
  void aFileWithoutTheKeyIsPassedOver() throws Exception {
    Path file = properties("here", "");
    assertEquals(Optional.empty(), backends().find(Optional.empty()));
    Files.delete(file);
    Files.createDirectory(file);
    assertThrows(IOException.class, this::found);
  }
}
