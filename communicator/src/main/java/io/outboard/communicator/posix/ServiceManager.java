// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;

/** The manager that started this process as a service: sd_notify(3). */
public final class ServiceManager {
  /** The variable that names its socket; a name that begins with {@code @} is abstract. */
  static final String VARIABLE = "NOTIFY_SOCKET";

  /** The service can be used. */
  public static final String READY = "READY=1";

  /** The service is about to end. */
  public static final String STOPPING = "STOPPING=1";

  private ServiceManager() {}

  /**
   * Tells it, if there is one.
   *
   * @param environment where it is looked for
   * @throws IOException if there is one that cannot be told
   */
  public static void tell(String state, Map<String, String> environment) throws IOException {
    String socket = environment.getOrDefault(VARIABLE, "");
    if (!socket.isEmpty()) {
      send(socket, state);
    }
  }

  private static void send(String path, String state) throws IOException {
    int socket = Errno.check(Sockets.datagramSocket(), "cannot make a socket");
    try (Arena arena = Arena.ofConfined()) {
      Errno.check(
          Sockets.connect(socket, address(arena, path)),
          "cannot reach the service manager at " + path);
      byte[] text = state.getBytes(UTF_8);
      MemorySegment memory = arena.allocate(text.length);
      memory.copyFrom(MemorySegment.ofArray(text));
      Errno.check(
          Sockets.send(socket, memory.address(), text.length), "cannot tell the service manager");
    } finally {
      Posix.close(socket);
    }
  }

  /** The name of an abstract socket begins with a NUL and does not end with one. */
  private static MemorySegment address(Arena arena, String path) {
    if (!path.startsWith("@")) {
      return SocketAddress.unix(arena, path);
    }
    MemorySegment address = SocketAddress.unix(arena, "\0" + path.substring(1));
    return address.asSlice(0, address.byteSize() - 1);
  }
}
