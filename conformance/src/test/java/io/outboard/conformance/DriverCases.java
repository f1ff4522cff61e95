// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static io.outboard.conformance.DriverProgram.equal;
import static io.outboard.conformance.DriverProgram.made;
import static io.outboard.conformance.DriverProgram.memory;
import static io.outboard.conformance.DriverProgram.ok;

import io.outboard.conformance.DriverProgram.Shape;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import java.io.IOException;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.util.Random;

/**
 * The program of {@link ClientsTest}: {@code CLIENT DEVICE CASE...}. Its results are the same
 * whichever the client is; as the programs of {@link Cases} it says "ok" after each case.
 */
final class DriverCases {
  /** A kernel that waits for a word of memory to change, for some seconds, and says what it saw. */
  private static final String WAITS =
      """
      .version 6.3
      .target sm_52
      .address_size 64
      .visible .entry waits(.param .u64 word)
      {
      .reg .pred %p<3>;
      .reg .b32 %r<2>;
      .reg .b64 %rd<6>;
      ld.param.u64 %rd1, [word];
      cvta.to.global.u64 %rd2, %rd1;
      mov.u64 %rd3, %clock64;
      again:
      ld.volatile.global.u32 %r1, [%rd2];
      setp.ne.s32 %p1, %r1, 0;
      @%p1 bra done;
      mov.u64 %rd4, %clock64;
      sub.s64 %rd5, %rd4, %rd3;
      setp.lt.s64 %p2, %rd5, 10000000000;
      @%p2 bra again;
      done:
      st.global.u32 [%rd2+4], %r1;
      ret;
      }
      """;

  /** Of this thread alone, as {@code CU_STREAM_PER_THREAD}. */
  private static final long OWN = 2;

  private static final int COUNT = 1000;
  private static final long BYTES = COUNT * (long) Integer.BYTES;
  private static final int TILE = 16;

  private final DriverProgram program;
  private final CudaDriver driver;
  private final Random random = new Random(20261126);

  private DriverCases(DriverProgram program) {
    this.program = program;
    driver = program.driver();
  }

  /** Runs the cases. */
  public static void main(String[] arguments) throws Exception {
    DriverClient client = DriverClient.valueOf(arguments[0]);
    DriverProgram program = new DriverProgram(client, Integer.parseInt(arguments[1]));
    DriverCases cases = new DriverCases(program);
    for (int i = 2; i < arguments.length; i++) {
      cases.run(arguments[i]);
      System.out.println("ok");
    }
    // No thread of a client or of the device holds the program up.
    System.exit(0);
  }

  private void run(String name) throws Exception {
    switch (name) {
      case "sizes" -> sizes();
      case "fills" -> fills();
      case "streams" -> streams();
      case "own-streams" -> ownStreams();
      case "host-functions" -> hostFunctions();
      case "wrong" -> wrong();
      case "wrong-posted" -> wrongPosted();
      case "vectorAdd" -> vectorAdd();
      case "matrixMul" -> matrixMul();
      case "histogram" -> histogram();
      default -> throw new IllegalArgumentException(name);
    }
  }

  private MemorySegment randomBytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return memory(count).copyFrom(MemorySegment.ofArray(bytes));
  }

  /** More than a call carries, and less. */
  private void sizes() {
    for (int bytes : new int[] {1, 4095, 1 << 20, (1 << 20) + 1, (7 << 20) + 5}) {
      MemorySegment there = randomBytes(bytes);
      long memory = program.copyOf(there);
      equal(-1, there.mismatch(program.read(memory, bytes)));
      ok(driver.cuMemFree_v2(memory));
    }
  }

  private void fills() {
    long memory = program.allocate(BYTES);
    ok(driver.cuMemsetD32Async(memory, 5, COUNT, 0));
    ok(driver.cuMemsetD8_v2(memory, (byte) 1, Integer.BYTES));
    MemorySegment back = program.read(memory, BYTES);
    equal(0x01010101, back.getAtIndex(ValueLayout.JAVA_INT, 0));
    equal(5, back.getAtIndex(ValueLayout.JAVA_INT, COUNT - 1));
    ok(driver.cuMemFree_v2(memory));
  }

  /** One waits for the other's event. */
  private void streams() {
    long from = program.allocate(BYTES);
    long to = program.allocate(BYTES);
    long first = made(at -> driver.cuStreamCreate(at, 1));
    long second = made(at -> driver.cuStreamCreate(at, 1));
    long event = made(at -> driver.cuEventCreate(at, 2));
    for (int i = 0; i < 50; i++) {
      ok(driver.cuMemsetD32Async(from, i, COUNT, first));
      ok(driver.cuEventRecord(event, first));
      ok(driver.cuStreamWaitEvent(second, event, 0));
      ok(driver.cuMemcpyDtoDAsync_v2(to, from, BYTES, second));
      ok(driver.cuStreamSynchronize(second));
      equal(i, program.read(to, BYTES).getAtIndex(ValueLayout.JAVA_INT, COUNT - 1));
    }
    ok(driver.cuEventQuery(event));
    ok(driver.cuEventDestroy_v2(event));
    ok(driver.cuStreamDestroy_v2(first));
    ok(driver.cuStreamDestroy_v2(second));
  }

  /** A kernel in this thread's goes on only once another thread's copy, in that one's, is made. */
  private void ownStreams() throws InterruptedException {
    long kernel = program.kernel(WAITS, "waits");
    MemorySegment one = memory(Integer.BYTES);
    one.set(ValueLayout.JAVA_INT, 0, 1);
    long word = program.copyOf(memory(2L * Integer.BYTES));
    program.launch(kernel, new Shape(1, 1, 1, 1), OWN, word);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  program.enter();
                  ok(driver.cuMemcpyHtoDAsync_v2(word, one.address(), Integer.BYTES, OWN));
                  ok(driver.cuStreamSynchronize(OWN));
                });
    ok(driver.cuStreamSynchronize(OWN));
    other.join();
    equal(1, program.read(word, 2L * Integer.BYTES).getAtIndex(ValueLayout.JAVA_INT, 1));
    ok(driver.cuMemFree_v2(word));
  }

  /** The C library's semaphore, of zeros, counts how often its function ran. */
  private void hostFunctions() {
    MemorySegment semaphore = memory(64);
    long post = Linker.nativeLinker().defaultLookup().findOrThrow("sem_post").address();
    long stream = made(at -> driver.cuStreamCreate(at, 1));
    for (int i = 1; i <= 20; i++) {
      ok(driver.cuLaunchHostFunc(stream, post, semaphore.address()));
      ok(driver.cuStreamSynchronize(stream));
      equal(i, semaphore.get(ValueLayout.JAVA_INT, 0));
    }
    ok(driver.cuStreamDestroy_v2(stream));
  }

  private void wrong() {
    MemorySegment some = memory(2L << 20);
    long memory = program.allocate(1 << 20);
    long nowhere = memory + (1L << 40);
    int invalid = CudaResult.INVALID_VALUE;
    equal(invalid, driver.cuMemcpyHtoD_v2(nowhere, some.address(), some.byteSize()));
    equal(invalid, driver.cuMemcpyDtoH_v2(some.address(), nowhere, some.byteSize()));
    long image = memory(8).address();
    equal(CudaResult.INVALID_IMAGE, driver.cuModuleLoadData(some.address(), image, 8));
    ok(driver.cuCtxSynchronize());
    ok(driver.cuMemFree_v2(memory));
  }

  /** The call says so, or the next one that is waited for; once. */
  private void wrongPosted() {
    long memory = program.allocate(BYTES);
    int result = driver.cuMemsetD32Async(memory + (1L << 40), 1, COUNT, 0);
    equal(CudaResult.INVALID_VALUE, result == 0 ? driver.cuCtxSynchronize() : result);
    ok(driver.cuCtxSynchronize());
    ok(driver.cuMemFree_v2(memory));
  }

  // ---- kernels of the examples, each compared with the processor's result

  private long kernel(String file, String name) throws IOException {
    String ptx = Files.readString(Home.PATH.resolve("examples/cuda/kernels/" + file + ".ptx"));
    return program.kernel(ptx, name);
  }

  private MemorySegment floats(int count) {
    MemorySegment values = memory(count * (long) Float.BYTES);
    for (int i = 0; i < count; i++) {
      values.setAtIndex(ValueLayout.JAVA_FLOAT, i, random.nextInt(-8, 8));
    }
    return values;
  }

  private static float at(MemorySegment floats, int index) {
    return floats.getAtIndex(ValueLayout.JAVA_FLOAT, index);
  }

  private void vectorAdd() throws IOException {
    MemorySegment a = floats(COUNT);
    MemorySegment b = floats(COUNT);
    long sum = program.allocate(BYTES);
    Shape shape = new Shape(Math.ceilDiv(COUNT, 256), 1, 256, 1);
    long kernel = kernel("vectorAdd", "vectorAdd");
    program.launch(kernel, shape, 0, program.copyOf(a), program.copyOf(b), sum, COUNT);
    MemorySegment back = program.read(sum, BYTES);
    for (int i = 0; i < COUNT; i++) {
      equal((long) (at(a, i) + at(b, i)), (long) at(back, i));
    }
  }

  private void matrixMul() throws IOException {
    int edge = 3 * TILE;
    MemorySegment a = floats(edge * edge);
    MemorySegment b = floats(edge * edge);
    long product = program.allocate(a.byteSize());
    long kernel = kernel("matrixMul", "matrixMul");
    Shape shape = new Shape(edge / TILE, edge / TILE, TILE, TILE);
    program.launch(kernel, shape, 0, program.copyOf(a), program.copyOf(b), product, edge, edge);
    MemorySegment back = program.read(product, a.byteSize());
    for (int i = 0; i < edge * edge; i++) {
      float expected = 0;
      for (int k = 0; k < edge; k++) {
        expected += at(a, i / edge * edge + k) * at(b, k * edge + i % edge);
      }
      equal((long) expected, (long) at(back, i));
    }
  }

  private void histogram() throws IOException {
    MemorySegment data = randomBytes(100_000);
    long[] expected = new long[256];
    for (byte value : data.toArray(ValueLayout.JAVA_BYTE)) {
      expected[Byte.toUnsignedInt(value)]++;
    }
    long bins = program.copyOf(memory(256L * Integer.BYTES));
    long kernel = kernel("histogram", "histogram256");
    int count = Math.toIntExact(data.byteSize());
    program.launch(kernel, new Shape(4, 1, 128, 1), 0, program.copyOf(data), count, bins);
    MemorySegment back = program.read(bins, 256L * Integer.BYTES);
    for (int i = 0; i < expected.length; i++) {
      equal(expected[i], back.getAtIndex(ValueLayout.JAVA_INT, i));
    }
  }
}
