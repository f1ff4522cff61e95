// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.port;

import io.outboard.communicator.Capabilities;
import io.outboard.communicator.Communicator;
import io.outboard.communicator.Distance;
import io.outboard.communicator.Endpoint;
import io.outboard.communicator.Listener;
import io.outboard.communicator.Listening;
import io.outboard.communicator.posix.Processes;
import io.outboard.communicator.socket.UnixCommunicator;
import java.io.IOException;
import java.net.MalformedURLException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * {@code virtio:}, a virtio-serial port. On the host {@code virtio:PATH} is the Unix socket where
 * the hypervisor shows the port of one guest; a backend connects to it whenever it is there, so
 * both may begin in any order. In the guest {@code virtio:NAME} is the port's name; {@code
 * outboard-connect} has it open there and serves the programs. Nobody vouches for these.
 */
public final class VirtioCommunicator implements Communicator {
  /** The scheme. */
  public static final String SCHEME = "virtio";

  private static final Capabilities CAPABILITIES = new Capabilities(Distance.HYPERVISOR);

  private final UnixCommunicator unix = new UnixCommunicator();

  @Override
  public String scheme() {
    return SCHEME;
  }

  @Override
  public Capabilities capabilities() {
    return CAPABILITIES;
  }

  @Override
  public Listener listen(Endpoint endpoint, Listening how) throws IOException {
    String path = endpoint.requirePath();
    if (!path.startsWith("/")) {
      throw new MalformedURLException(
          "'" + endpoint + "': expected virtio:PATH, the socket of the hypervisor's port");
    }
    return new PortListener(endpoint, () -> UnixCommunicator.tryConnect(path), how.told()).start();
  }

  /** Through the socket of the companion: this user's, or the one for all users. */
  @Override
  public int connect(Endpoint endpoint) throws IOException {
    String name = endpoint.requirePath();
    if (!VirtioPort.isName(name)) {
      throw new MalformedURLException("'" + endpoint + "': '" + name + "' is no name of a port");
    }
    String socket = "virtio-" + name + ".sock";
    return connectToCompanion(
        name,
        ownFolder(System.getenv())
            .map(folder -> folder.resolve(socket))
            .filter(path -> UnixCommunicator.answers(path.toString()))
            .orElse(Path.of("/run/outboard", socket)));
  }

  /** Where the companion has its socket (virtio.c). What root starts without one is for all. */
  static Optional<Path> ownFolder(Map<String, String> environment) {
    String runtime = environment.getOrDefault("XDG_RUNTIME_DIR", "");
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    String home = environment.getOrDefault("HOME", "");
    if (!runtime.isEmpty()) {
      return Optional.of(Path.of(runtime, "outboard"));
    }
    if (Processes.getuid() == 0 || (state.isEmpty() && home.isEmpty())) {
      return Optional.empty();
    }
    Path base = state.isEmpty() ? Path.of(home, ".local", "state") : Path.of(state);
    return Optional.of(base.resolve("outboard/run"));
  }

  private int connectToCompanion(String name, Path socket) throws IOException {
    if (Files.notExists(socket)) {
      throw new IOException(
          "no outboard-connect serves the port "
              + name
              + ": run the program with outboard-run, or start outboard-connect virtio:"
              + name);
    }
    return unix.connect(Endpoint.unix(socket.toString()));
  }
}
