// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.wire.Call;
import io.outboard.wire.Callbacks;
import io.outboard.wire.Handles;
import io.outboard.wire.Meter;
import io.outboard.wire.Native;
import io.outboard.wire.ProtocolException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls that no vendor's library has, from a client that leaves out where their answers go. */
final class OwnCallsTest {
  private static final int MOST_BYTES = 512;
  private static final String OWN = " outboard";

  private final CudaDriverDispatcher dispatcher =
      new CudaDriverDispatcher(
          (CudaDriver)
              Proxy.newProxyInstance(
                  CudaDriver.class.getClassLoader(),
                  new Class<?>[] {CudaDriver.class},
                  (_, method, _) -> {
                    throw new AssertionError(method.getName() + " would write at address 0");
                  }));

  /** Lines of the lock: number, name, way, parameters. */
  private static List<String> writing() throws Exception {
    return Files.readAllLines(Path.of("cuda.lock")).stream()
        .filter(line -> line.contains(OWN) && line.matches(".*[(,]((in)?out:|in:(bytes|i64)\\[).*"))
        .toList();
  }

  @Test
  void noneIsIssuedWithoutThePlaceThatItWrites() throws Exception {
    assertTrue(writing().size() > 20, "own calls that write");
    for (String line : writing()) {
      int number = Integer.parseInt(line.substring(0, line.indexOf(' ')));
      assertEquals(CudaResult.INVALID_VALUE, result(number), line);
    }
  }

  /** Nothing is there, and all numbers are 1, also those that are lengths. */
  private int result(int number) {
    for (int bytes = Long.BYTES; bytes <= MOST_BYTES; bytes += Long.BYTES) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment body = arena.allocate(MOST_BYTES, Long.BYTES);
        for (int at = Long.BYTES; at < bytes; at += Integer.BYTES) {
          Native.putInt(body.address() + at, 1);
        }
        return dispatcher.dispatch(number, new Bare(body.address(), bytes));
      } catch (ProtocolException e) {
        // Its body has another length.
      }
    }
    throw new AssertionError("no length of a body for call " + number);
  }

  /** A call with a body and nothing else; each handle is what it names. */
  private record Bare(long body, int bodyBytes) implements Call {
    @Override
    public int flags() {
      return 0;
    }

    @Override
    public long payload() {
      return 0;
    }

    @Override
    public long payloadBytes() {
      return 0;
    }

    @Override
    public Handles handles() {
      return (Handles)
          Proxy.newProxyInstance(
              Handles.class.getClassLoader(),
              new Class<?>[] {Handles.class},
              (_, _, arguments) -> arguments[arguments.length - 1]);
    }

    @Override
    public Meter meter() {
      return Meter.FREE;
    }

    @Override
    public Callbacks callbacks() {
      throw new AssertionError("no callback");
    }

    @Override
    public long answer(int bytes) {
      throw new AssertionError("no answer");
    }

    @Override
    public void answered(int bytes) {}
  }
}
