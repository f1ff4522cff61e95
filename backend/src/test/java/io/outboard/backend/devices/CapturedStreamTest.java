// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Posix;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CapturedStreamTest {
  private final NativeBuffer buffer = new NativeBuffer(1 << 20);
  private int descriptor;
  private CapturedStream stream;

  @BeforeEach
  void capture() throws IOException {
    descriptor = Memory.memfdCreate("stream", Memory.MFD_CLOEXEC);
    assertTrue(descriptor >= 0);
    stream = CapturedStream.of(descriptor);
  }

  @AfterEach
  void close() {
    Posix.close(descriptor);
    buffer.close();
  }

  private void write(byte[] bytes) {
    buffer.put(0, bytes, 0, bytes.length);
    assertEquals(bytes.length, Posix.write(descriptor, buffer.address(), bytes.length));
  }

  @Test
  void whatIsWrittenIsTakenOnce() {
    assertEquals(0, stream.take().length);
    write("first, ".getBytes(UTF_8));
    write("second".getBytes(UTF_8));
    assertEquals("first, second", new String(stream.take(), UTF_8));
    assertEquals(0, stream.take().length);
    write("third".getBytes(UTF_8));
    assertEquals("third", new String(stream.take(), UTF_8));
  }

  @Test
  void muchIsTakenWhole() {
    byte[] much = new byte[1 << 20];
    Arrays.fill(much, (byte) 0xE9);
    for (int i = 0; i < 5; i++) {
      write(much);
      assertTrue(Arrays.equals(much, stream.take()));
    }
  }
}
