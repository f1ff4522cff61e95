// SPDX-License-Identifier: Apache-2.0
package io.outboard.communicator.posix;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceManagerTest {
  @TempDir private Path folder;

  @Test
  void itHearsWhatItIsTold() throws IOException {
    int socket = Sockets.datagramSocket();
    String path = folder.resolve("notify").toString();
    try (Arena arena = Arena.ofConfined()) {
      assertEquals(0, Sockets.bind(socket, SocketAddress.unix(arena, path)));
      assertEquals("READY=1", told(arena, socket, path));
      int other = Sockets.datagramSocket();
      MemorySegment address = SocketAddress.unix(arena, "\0" + path);
      assertEquals(0, Sockets.bind(other, address.asSlice(0, address.byteSize() - 1)));
      assertEquals("READY=1", told(arena, other, "@" + path));
      Posix.close(other);
    }
    Posix.close(socket);
  }

  private static String told(Arena arena, int socket, String name) throws IOException {
    ServiceManager.tell(ServiceManager.READY, Map.of(ServiceManager.VARIABLE, name));
    MemorySegment room = arena.allocate(100);
    int got = Sockets.receive(socket, room.address(), 100);
    return new String(room.asSlice(0, got).toArray(ValueLayout.JAVA_BYTE), UTF_8);
  }

  @Test
  void whereThereIsNoneNobodyIsTold() throws IOException {
    ServiceManager.tell(ServiceManager.READY, Map.of());
    String absent = folder.resolve("absent").toString();
    Map<String, String> gone = Map.of(ServiceManager.VARIABLE, absent);
    assertThrows(IOException.class, () -> ServiceManager.tell(ServiceManager.READY, gone));
  }
}
