// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Handles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How often a program on the JVM waits for the backend, held against the committed table. */
final class JvmRoundTripsTest {
  private static final Path TABLE = Home.PATH.resolve("docs/conformance/round-trips-jvm.md");
  private static final Path PTX = Home.PATH.resolve("examples/cuda/kernels/vectorAdd.ptx");
  private static final String HEAD =
      """
      # Round trips of programs on the JVM

      How often a program waits for the backend, and how many calls it sends. The tests of `conformance` fail if this is not what
      they see. Written anew by `./mvnw -D%s=true verify`.

      | what | calls | round trips |
      | --- | --- | --- |
      """
          .formatted(Committed.UPDATE);
  private static final int COUNT = 1_000;
  private static final int BYTES = COUNT * Float.BYTES;
  private static final int TIMES = 100;

  @RegisterExtension static final Backend BACKEND = new Backend();

  private final StringBuilder rows = new StringBuilder();
  private CountingCaller counted;
  private CudaDriver driver;
  private Arena arena;

  @Test
  void programsOnTheJvmWaitAsOftenAsTheTableSays() throws IOException {
    try (Session session =
            Session.open(Endpoint.parse("unix:" + BACKEND.socket()), List.of(ClientLibrary.CUDA));
        Arena memory = Arena.ofConfined()) {
      arena = memory;
      counted = new CountingCaller(session);
      driver = new CudaDriverRemote(counted);
      exercise(session);
    }
    Committed.check(TABLE, HEAD + rows);
  }

  private void exercise(Session session) throws IOException {
    check(driver.cuInit(0));
    session.lane(Handles.index(made(at -> driver.cuDevicePrimaryCtxRetain(at, 0))));
    byte[] ptx = Files.readAllBytes(PTX);
    MemorySegment image = arena.allocate(ptx.length + 1L).copyFrom(MemorySegment.ofArray(ptx));
    long module = made(at -> driver.cuModuleLoadData(at, image.address(), image.byteSize()));
    long name = arena.allocateFrom("vectorAdd").address();
    long function = made(at -> driver.cuModuleGetFunction(at, module, name));
    long a = made(at -> driver.cuMemAlloc_v2(at, BYTES));
    long b = made(at -> driver.cuMemAlloc_v2(at, BYTES));
    long sum = made(at -> driver.cuMemAlloc_v2(at, BYTES));
    row("opens a device, loads a module, allocates three vectors");
    MemorySegment parameters = arena.allocate(28, Long.BYTES);
    parameters.setAtIndex(ValueLayout.JAVA_LONG, 0, a);
    parameters.setAtIndex(ValueLayout.JAVA_LONG, 1, b);
    parameters.setAtIndex(ValueLayout.JAVA_LONG, 2, sum);
    parameters.set(ValueLayout.JAVA_INT, 24, COUNT);
    adds(a, b, sum, function, parameters);
    row("fills, adds and reads %d times".formatted(TIMES));
    write();
    row("allocates 16 MiB, writes and reads them, writes elsewhere in vain, frees them");
    events(sum);
    row(
        "makes a stream, fills in it between two events %d times, waits and ends it"
            .formatted(TIMES));
  }

  private void adds(long a, long b, long sum, long function, MemorySegment parameters) {
    MemorySegment result = arena.allocate(ValueLayout.JAVA_FLOAT, COUNT);
    for (int i = 1; i <= TIMES; i++) {
      check(driver.cuMemsetD32Async(a, Float.floatToIntBits(i), COUNT, 0));
      check(driver.cuMemsetD32Async(b, Float.floatToIntBits(0.5f), COUNT, 0));
      check(driver.cuLaunchKernel(function, COUNT, 1, 1, 1, 1, 1, 0, 0, parameters.address(), 28));
      check(driver.cuMemcpyDtoH_v2(result.address(), sum, BYTES));
      assertEquals(i + 0.5f, result.getAtIndex(ValueLayout.JAVA_FLOAT, COUNT - 1));
    }
  }

  private void write() {
    int bytes = 16 << 20;
    long memory = made(at -> driver.cuMemAlloc_v2(at, bytes));
    MemorySegment there = arena.allocate(bytes);
    MemorySegment back = arena.allocate(bytes);
    for (int i = 0; i < bytes; i += Integer.BYTES) {
      there.set(ValueLayout.JAVA_INT, i, i * 31);
    }
    check(driver.cuMemcpyHtoD_v2(memory, there.address(), bytes));
    check(driver.cuMemcpyDtoH_v2(back.address(), memory, bytes));
    assertEquals(-1, there.mismatch(back));
    long nowhere = memory + (1L << 40);
    assertEquals(CudaResult.INVALID_VALUE, driver.cuMemcpyHtoD_v2(nowhere, there.address(), bytes));
    check(driver.cuMemFree_v2(memory));
  }

  private void events(long memory) {
    long stream = made(at -> driver.cuStreamCreate(at, 1));
    for (int i = 0; i < TIMES; i++) {
      long begin = made(at -> driver.cuEventCreate(at, 0));
      long end = made(at -> driver.cuEventCreate(at, 0));
      check(driver.cuEventRecord(begin, stream));
      check(driver.cuMemsetD32Async(memory, i, COUNT, stream));
      check(driver.cuEventRecord(end, stream));
      check(driver.cuEventDestroy_v2(begin));
      check(driver.cuEventDestroy_v2(end));
    }
    check(driver.cuStreamSynchronize(stream));
    check(driver.cuStreamDestroy_v2(stream));
  }

  private void row(String what) {
    rows.append("| %s | %d | %d |%n".formatted(what, counted.calls(), counted.roundTrips()));
    counted.begin();
  }

  private long made(LongToIntFunction call) {
    MemorySegment word = arena.allocate(ValueLayout.JAVA_LONG);
    check(call.applyAsInt(word.address()));
    return word.get(ValueLayout.JAVA_LONG, 0);
  }

  private static void check(int result) {
    assertEquals(0, result);
  }
}
