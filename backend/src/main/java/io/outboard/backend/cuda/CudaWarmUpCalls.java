// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaModules;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.FunctionFacts;
import io.outboard.wire.Handles;
import io.outboard.wire.Native;
import java.util.function.IntConsumer;

/** Calls that programs make again and again, in a context with one of everything. */
final class CudaWarmUpCalls {
  private static final long ROOM = 256 << 10;

  /** More than lies within a frame. */
  private static final long LARGE = 100_000;

  private static final long ADDRESS = 1L << 40;
  private static final int PARAMETERS = 48;
  private static final int LAUNCHES = 4;

  /** The special value for the default stream of the calling thread. */
  private static final long PER_THREAD = 2;

  /** A lane without a context, as it is before its first call. */
  private static final int EMPTY_LANE = 99;

  private static final int TIMES_A_PAYLOAD = 64;

  /** So often that the first act has the virtual machine compile what a first launch takes. */
  private static final int TIMES_A_LOAD = 2;

  private final CudaDriver driver;
  private final IntConsumer lane;
  // For the life of the process, as the code that is compiled for it.
  private final long place = new NativeBuffer(ROOM).address();
  private final long context;
  private final int own;
  private final long[] streams;
  private final long event;
  private final long function;
  private int times;
  private int results;

  /** Opens a context; {@code use} takes the lane of all later calls. */
  CudaWarmUpCalls(CudaDriver driver, IntConsumer use) {
    this.driver = driver;
    this.lane = use;
    context = made(driver.cuDevicePrimaryCtxRetain(place, 0));
    own = Handles.index(context);
    lane.accept(own);
    long module = made(driver.cuModuleLoadData(place, place, Long.BYTES));
    Native.putLong(place, 'k');
    function = made(driver.cuModuleGetFunction(place, module, place));
    streams = new long[] {made(driver.cuStreamCreate(place, 0)), 0, PER_THREAD};
    event = made(driver.cuEventCreate(place, 0));
  }

  /**
   * The handle that a call wrote; null where it was refused, as a driver may look behind others.
   */
  private long made(int result) {
    take(result);
    return result == CudaResult.SUCCESS ? Native.getLong(place) : 0;
  }

  /** Returns the results of all calls so far in one, success if all were that. */
  int make() {
    long stream = streams[times % streams.length];
    lane.accept(own);
    launch(stream);
    post(stream);
    ask(stream);
    takeTurns();
    if (times % TIMES_A_PAYLOAD == 0) {
      take(driver.cuMemcpyHtoDAsync_v2(ADDRESS, place, LARGE, stream));
    }
    if (times % TIMES_A_LOAD == 0) {
      load();
    }
    times++;
    askElsewhere();
    return results;
  }

  /** A kernel's first launch: the runtime loads its image only then. */
  private void load() {
    long library = made(driver.cuLibraryLoadData(place, place, Long.BYTES));
    long name = place + Long.BYTES;
    Native.putLong(name, 'k');
    long facts = name + Long.BYTES;
    long attributes = facts + FunctionFacts.BYTES;
    long kernel = made(driver.outboardLibraryKernel(place, facts, attributes, library, name, 0));
    CudaModules.describe(driver, kernel, facts, attributes, 0);
    long loaded = made(driver.cuKernelGetFunction(place, kernel));
    take(driver.cuFuncLoad(loaded));
    take(driver.cuLibraryUnload(library));
  }

  private void launch(long stream) {
    for (int i = 0; i < LAUNCHES; i++) {
      take(driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, place, PARAMETERS));
    }
    take(driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, 0, 0));
  }

  private void post(long stream) {
    take(driver.cuMemsetD32Async(ADDRESS, 0, 1, stream));
    take(driver.cuMemsetD8Async(ADDRESS, (byte) 0, 1, stream));
    take(driver.cuMemcpyDtoDAsync_v2(ADDRESS, ADDRESS, 1, stream));
    take(driver.cuMemcpyHtoDAsync_v2(ADDRESS, place, PARAMETERS, stream));
    take(driver.cuEventRecord(event, stream));
    take(driver.cuStreamWaitEvent(stream, event, 0));
  }

  private void ask(long stream) {
    take(driver.cuMemFree_v2(made(driver.cuMemAlloc_v2(place, 1))));
    take(driver.cuMemcpyDtoHAsync_v2(place, ADDRESS, PARAMETERS, stream));
    take(driver.cuEventQuery(event));
    take(driver.cuStreamQuery(stream));
    take(driver.cuStreamSynchronize(stream));
    take(driver.cuCtxSynchronize());
    take(driver.cuFuncGetAttribute(place, 0, function));
    take(driver.outboardFunctionFacts(place, function));
  }

  /** The program has changed a page of managed memory, and touches one that the device has. */
  private void takeTurns() {
    long size = place + Long.BYTES;
    Native.putLong(place, ADDRESS);
    Native.putLong(size, PARAMETERS);
    take(driver.outboardPagesStore(ADDRESS, place, PARAMETERS));
    take(driver.outboardPagesLoad(size + Long.BYTES, PARAMETERS, place, size, 1, context));
  }

  private void askElsewhere() {
    lane.accept(0);
    take(driver.cuDriverGetVersion(place));
    lane.accept(EMPTY_LANE);
    take(driver.cuDriverGetVersion(place));
    lane.accept(own);
  }

  private void take(int result) {
    results |= result;
  }
}
