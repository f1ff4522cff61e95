// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.backend.library.SessionContext;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.backend.system.Pause;
import io.outboard.communicator.posix.Memory;
import io.outboard.communicator.posix.Posix;
import java.io.IOException;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DriverOutputTest {
  private static final long SELDOM_MS = 120;

  private final StringBuilder came = new StringBuilder();
  private final SessionContext context =
      (SessionContext)
          Proxy.newProxyInstance(
              SessionContext.class.getClassLoader(),
              new Class<?>[] {SessionContext.class},
              (_, method, arguments) ->
                  came.append(method.getName())
                      .append(' ')
                      .append(new String((byte[]) arguments[0], UTF_8)));
  private int output;
  private int error;
  private DriverOutput driver;

  @BeforeEach
  void capture() throws IOException {
    output = Memory.memfdCreate("output", Memory.MFD_CLOEXEC);
    error = Memory.memfdCreate("error", Memory.MFD_CLOEXEC);
    driver = new DriverOutput(CapturedStream.of(output), CapturedStream.of(error));
  }

  @AfterEach
  void close() {
    Posix.close(output);
    Posix.close(error);
  }

  private static void write(int to, String text) {
    try (NativeBuffer buffer = new NativeBuffer(64)) {
      byte[] bytes = text.getBytes(UTF_8);
      buffer.put(0, bytes, 0, bytes.length);
      assertEquals(bytes.length, Posix.write(to, buffer.address(), bytes.length));
    }
  }

  @Test
  void aFailedWaitTellsAtOnce() {
    write(error, "assertion failed");
    driver.forward(context, true);
    assertEquals("error assertion failed", came.toString());
  }

  @Test
  void whatHasWrittenOnceIsLookedAtEachTime() {
    driver.forward(context, false);
    write(output, "first ");
    driver.forward(context, true);
    write(output, "second");
    driver.forward(context, false);
    assertEquals("output first output second", came.toString());
  }

  @Test
  void whatNothingPointsToComesSoon() {
    write(error, "a warning");
    Pause.ms(SELDOM_MS);
    driver.forward(context, false);
    assertEquals("error a warning", came.toString());
  }
}
