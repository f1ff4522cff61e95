// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.jvm;

import io.outboard.bench.measure.Samples;
import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.gpu.Gpu;
import io.outboard.gpu.GpuMemory;
import io.outboard.gpu.GpuModule;
import io.outboard.gpu.Grid;
import io.outboard.gpu.Kernel;
import io.outboard.wire.Handles;
import io.outboard.wire.Native;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program {@code calls.c} for the JVM: {@code ENDPOINT plain|wait|posted|launch COUNT}. A
 * launch is one of the façade's, the other calls are those of the driver's interface.
 */
public final class JvmCalls {
  private static final int WARM_UP = 20_000;
  private static final long WARM_UP_NS = TimeUnit.SECONDS.toNanos(3);
  private static final int BURST = 500;

  /** As in {@code calls.c}. */
  private static final String KERNEL =
      """
      .version 6.3
      .target sm_52
      .address_size 64
      .visible .entry nothing(.param .u64 to, .param .u32 count)
      {
      ret;
      }
      """;

  private final String what;
  private final int count;

  private JvmCalls(String what, int count) {
    this.what = what;
    this.count = count;
  }

  /** Runs it. */
  public static void main(String[] arguments) throws IOException {
    JvmCalls calls = new JvmCalls(arguments[1], Integer.parseInt(arguments[2]));
    if (calls.what.equals("launch")) {
      calls.launches(arguments[0]);
    } else {
      calls.driver(Endpoint.parse(arguments[0]));
    }
  }

  private void driver(Endpoint endpoint) throws IOException {
    try (Session session = Session.open(endpoint, List.of(ClientLibrary.CUDA));
        Arena arena = Arena.ofConfined()) {
      CudaDriver driver = new CudaDriverRemote(session);
      long word = arena.allocate(Long.BYTES, Long.BYTES).address();
      check(driver.cuInit(0));
      check(driver.cuDevicePrimaryCtxRetain(word, 0));
      session.lane(Handles.index(Native.getLong(word)));
      switch (what) {
        case "plain" -> measure(() -> check(driver.cuCtxGetStreamPriorityRange(word, word + 4)));
        case "wait" -> waits(driver, word);
        default -> posted(driver, word);
      }
    }
  }

  private void waits(CudaDriver driver, long word) throws IOException {
    check(driver.cuMemAlloc_v2(word, Integer.BYTES));
    long memory = Native.getLong(word);
    measure(
        () -> {
          check(driver.cuMemsetD32Async(memory, 1, 1, 0));
          check(driver.cuStreamSynchronize(0));
        });
  }

  private void posted(CudaDriver driver, long word) throws IOException {
    check(driver.cuEventCreate(word, 2));
    long event = Native.getLong(word);
    measureBursts(
        () -> check(driver.cuEventRecord(event, 0)), () -> check(driver.cuCtxSynchronize()));
  }

  private void launches(String endpoint) throws IOException {
    try (Gpu gpu = Gpu.connect(endpoint);
        GpuModule module = gpu.load(KERNEL);
        GpuMemory memory = gpu.allocate(Integer.BYTES)) {
      Kernel kernel = module.kernel("nothing");
      Grid one = Grid.blocks(1, 1);
      measureBursts(() -> kernel.launch(one, memory, 1), gpu::synchronize);
    }
  }

  private void measure(Runnable call) throws IOException {
    Samples samples = new Samples(what, count);
    long warm = System.nanoTime() + WARM_UP_NS;
    for (int i = 0; i < WARM_UP || System.nanoTime() < warm; i++) {
      call.run();
    }
    samples.begin();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      call.run();
      samples.add(System.nanoTime() - start);
    }
    samples.end();
  }

  /** The end of a burst is outside of the measured stretch. */
  private void measureBursts(Runnable call, Runnable synchronize) throws IOException {
    Samples samples = new Samples(what, count);
    long warm = System.nanoTime() + WARM_UP_NS;
    for (int i = 0; i < WARM_UP / BURST || System.nanoTime() < warm; i++) {
      burst(call, synchronize);
    }
    samples.begin();
    for (int i = 0; i < count; i++) {
      samples.add(burst(call, synchronize));
    }
    samples.end();
  }

  private static long burst(Runnable call, Runnable synchronize) {
    long start = System.nanoTime();
    for (int i = 0; i < BURST; i++) {
      call.run();
    }
    long mean = (System.nanoTime() - start) / BURST;
    synchronize.run();
    return mean;
  }

  private static void check(int result) {
    if (result != 0) {
      throw new IllegalStateException("error " + result);
    }
  }
}
