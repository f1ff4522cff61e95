// SPDX-License-Identifier: Apache-2.0
package io.outboard.bench.lease;

import io.outboard.backend.quota.QuotaPage;
import io.outboard.backend.slices.ComputeShare;
import io.outboard.backend.slices.SliceKeeper;
import io.outboard.backend.slices.SliceMeter;
import io.outboard.backend.system.EventCount;
import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.wire.Native;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of a launch for a lease with a share of the time: the decorator and its meter before a
 * driver that answers at once, and before one whose launches take as long as a real one's, and
 * compete with the meter's questions. The smallest times are of a machine that does nothing else.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ShareBenchmark {
  private static final int LAUNCHES = 1_000;

  /** Whether there is a share. */
  @Param({"false", "true"})
  public boolean shared;

  /** At once: nothing takes any time. Real: launches 4 µs, kernels 2, questions 0.7. */
  @Param({"false", "true"})
  public boolean real;

  private TimedGpu gpu;
  private CudaDriver driver;
  private SliceKeeper keeper;
  private SliceKeeper.Tenancy tenancy;
  private QuotaPage page;
  private SliceMeter meter;

  @Setup(Level.Trial)
  public void open() throws IOException {
    gpu = real ? new TimedGpu(700, 4_000, 2_000) : new TimedGpu(0, 0, 0);
    keeper = SliceKeeper.start();
    page = QuotaPage.create(List.of(1L));
    tenancy = keeper.lend(List.of(0), 500, page);
    tenancy.join(0);
    meter = new SliceMeter(gpu, page.slice(0, 0), EventCount.map(keeper.events()));
    driver = shared ? new ComputeShare(gpu, List.of(meter)) : gpu;
    try (NativeBuffer buffer = new NativeBuffer(Long.BYTES)) {
      int unused = driver.cuDevicePrimaryCtxRetain(buffer.address(), 0);
      unused = driver.cuCtxSetCurrent(Native.getLong(buffer.address()));
    }
  }

  /** Launches one after the other. */
  @Benchmark
  @OperationsPerInvocation(LAUNCHES)
  public int launch() {
    int result = driver.cuCtxSetCurrent(TimedGpu.CONTEXT);
    for (int i = 0; i < LAUNCHES; i++) {
      result |= driver.cuLaunchKernel(0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0);
    }
    return result;
  }

  /** Events behind launches up to now. */
  long records() {
    return gpu.records();
  }

  @TearDown(Level.Trial)
  public void close() throws InterruptedException {
    meter.close();
    tenancy.close();
    page.close();
    keeper.close();
  }
}
