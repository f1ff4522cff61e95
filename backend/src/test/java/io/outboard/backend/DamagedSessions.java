// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.backend.cuda.CudaService;
import io.outboard.backend.devices.CudaDevices;
import io.outboard.backend.devices.SilentConsole;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.WorkerLibraries;
import io.outboard.backend.session.Connection;
import io.outboard.backend.session.WorkerSession;
import io.outboard.backend.system.SharedPage;
import io.outboard.backend.warmup.StreamPair;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaResult;
import io.outboard.patience.Patience;
import io.outboard.softgpu.SoftGpu;
import io.outboard.wire.ProtocolException;
import java.io.IOException;
import java.util.BitSet;
import java.util.Random;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Sessions on a software GPU in this process, some of whose client's frames are damaged. */
final class DamagedSessions {
  private static final long MEMORY = 32 << 20;
  private static final int STEPS = 400;
  private static final int ONE_IN = 3;
  private static final int TAG = 9;
  private static final long HANG_SECONDS = Patience.LIMIT.toSeconds();

  private final Medium medium;
  private final Random random;
  private final ScheduledExecutorService watch;
  private final CudaDevices.Opened device;

  /** All of them share a device, as a real one is shared. */
  DamagedSessions(Medium medium, Random random, ScheduledExecutorService watch) {
    this.medium = medium;
    this.random = random;
    this.watch = watch;
    SoftGpu gpu = SoftGpu.builder(new SilentConsole()).memoryBytes(MEMORY).build();
    BitSet calls = new BitSet();
    calls.set(1, CudaDriverTable.LEVEL + 1);
    device = new CudaDevices.Opened(new SmallGrids(gpu), calls, _ -> {});
  }

  /** Runs one to its end; returns how many frames were damaged. */
  int one() throws IOException, InterruptedException {
    StreamPair ends = medium.open();
    try (SharedPage page = SharedPage.create();
        DamagedCaller caller = new DamagedCaller(ends.client(), random, ONE_IN);
        CudaExercise exercise = new CudaExercise(caller, random)) {
      WorkerSession session =
          new WorkerSession(new Connection(ends.backend(), page), TAG, "software", page);
      LibraryInstance library = CudaService.serve(session.context(), device);
      session.serve(WorkerLibraries.of(CudaDriverTable.LIBRARY, CudaDriverTable.ID, library));
      ScheduledFuture<?> hang = watch.schedule(caller::end, HANG_SECONDS, TimeUnit.SECONDS);
      boolean fits = repliesFit(exercise, caller, session);
      String cause = session.await().cause();
      session.free();
      library.close();
      assertTrue(hang.cancel(false), "the session hung");
      assertFalse(cause.startsWith("internal"), cause);
      assertTrue(fits || caller.damaged() > 0, "a call that was not damaged has a wrong reply");
      device.driver().cuDevicePrimaryCtxReset_v2(0);
      return caller.damaged();
    }
  }

  /**
   * A call may be damaged into one with the number of a later one, which then gets its reply. The
   * session is ended here, before what it uses is freed.
   */
  private static boolean repliesFit(
      CudaExercise exercise, DamagedCaller caller, WorkerSession session)
      throws InterruptedException {
    try {
      exercise.run(STEPS);
      caller.goodbye();
      return true;
    } catch (ProtocolException e) {
      caller.end();
      return false;
    } catch (RuntimeException | Error e) {
      // Its threads use memory that the caller of this method unmaps.
      session.end("the test failed", true);
      session.free();
      throw e;
    }
  }

  /** A grid may be damaged into one that a CPU takes hours for. */
  private static final class SmallGrids extends CudaDriverForwarding {
    private static final long MOST = 1 << 12;

    SmallGrids(CudaDriver driver) {
      super(driver);
    }

    private static boolean small(int... sizes) {
      long product = 1;
      for (int size : sizes) {
        product = Math.min(product * Integer.toUnsignedLong(size), MOST + 1);
      }
      return product <= MOST;
    }

    @Override
    public int cuLaunchKernel(
        long function,
        int gridX,
        int gridY,
        int gridZ,
        int blockX,
        int blockY,
        int blockZ,
        int sharedBytes,
        long stream,
        long parameters,
        int parameterBytes) {
      return small(gridX, gridY, gridZ)
          ? super.cuLaunchKernel(
              function,
              gridX,
              gridY,
              gridZ,
              blockX,
              blockY,
              blockZ,
              sharedBytes,
              stream,
              parameters,
              parameterBytes)
          : CudaResult.INVALID_VALUE;
    }

    @Override
    public int cuLaunchCooperativeKernel(
        long function,
        int gridX,
        int gridY,
        int gridZ,
        int blockX,
        int blockY,
        int blockZ,
        int sharedBytes,
        long stream,
        long parameters,
        int parameterBytes) {
      return small(gridX, gridY, gridZ)
          ? super.cuLaunchCooperativeKernel(
              function,
              gridX,
              gridY,
              gridZ,
              blockX,
              blockY,
              blockZ,
              sharedBytes,
              stream,
              parameters,
              parameterBytes)
          : CudaResult.INVALID_VALUE;
    }
  }
}
