// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Caller;
import io.outboard.wire.Handles;
import io.outboard.wire.Native;
import java.util.BitSet;
import java.util.function.IntConsumer;

/** What programs ask of CUDA most. */
final class RehearsedCuda implements RehearsalPiece {
  private final CudaDriver vendor;

  /**
   * Makes the piece.
   *
   * @param vendor the vendor's driver, loaded and not initialised, whose functions then all return
   *     that at once; null if there is none
   */
  RehearsedCuda(CudaDriver vendor) {
    this.vendor = vendor;
  }

  @Override
  public int number() {
    return CudaDriverTable.ID;
  }

  @Override
  public LibraryInstance open(SessionContext context) {
    return CudaService.serve(
        context, new CudaDevices.Opened(PretendedCuda.driver(), new BitSet(), () -> {}));
  }

  @Override
  public Part begin(Caller caller, IntConsumer lane) {
    Calls calls = new Calls(new CudaDriverRemote(caller));
    calls.open(lane);
    Calls vendors = vendor == null ? null : new Calls(vendor);
    return () -> {
      int unused = vendors == null ? 0 : vendors.make();
      return calls.make() == CudaResult.SUCCESS;
    };
  }

  /** Calls to one driver, in a context with one of everything. */
  private static final class Calls {
    private static final long ROOM = 64 << 10;
    private static final long ADDRESS = 1L << 40;
    private static final int PARAMETERS = 48;
    private static final int LAUNCHES = 4;

    private final CudaDriver driver;
    // For the life of the process, as the code that is compiled for it.
    private final long place = new Room(ROOM).address();
    private long stream;
    private long event;
    private long function;
    private int results;

    Calls(CudaDriver driver) {
      this.driver = driver;
    }

    void open(IntConsumer lane) {
      take(driver.cuDevicePrimaryCtxRetain(place, 0));
      lane.accept(Handles.index(Native.getLong(place)));
      take(driver.cuModuleLoadData(place, place, Long.BYTES));
      long module = Native.getLong(place);
      Native.putLong(place, 'k');
      take(driver.cuModuleGetFunction(place, module, place));
      function = Native.getLong(place);
      take(driver.cuStreamCreate(place, 0));
      stream = Native.getLong(place);
      take(driver.cuEventCreate(place, 0));
      event = Native.getLong(place);
    }

    /** Returns the results of all calls so far in one, success if all were that. */
    int make() {
      post();
      ask();
      return results;
    }

    private void post() {
      for (int i = 0; i < LAUNCHES; i++) {
        take(driver.cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, place, PARAMETERS));
      }
      take(driver.cuMemsetD32Async(ADDRESS, 0, 1, stream));
      take(driver.cuMemsetD8Async(ADDRESS, (byte) 0, 1, stream));
      take(driver.cuMemcpyDtoDAsync_v2(ADDRESS, ADDRESS, 1, stream));
      take(driver.cuMemcpyHtoDAsync_v2(ADDRESS, place, PARAMETERS, stream));
      take(driver.cuEventRecord(event, stream));
      take(driver.cuStreamWaitEvent(stream, event, 0));
    }

    private void ask() {
      take(driver.cuMemAlloc_v2(place, 1));
      take(driver.cuMemFree_v2(Native.getLong(place)));
      take(driver.cuMemcpyDtoHAsync_v2(place, ADDRESS, PARAMETERS, stream));
      take(driver.cuEventQuery(event));
      take(driver.cuStreamQuery(stream));
      take(driver.cuStreamSynchronize(stream));
      take(driver.cuCtxSynchronize());
      take(driver.cuFuncGetAttribute(place, 0, function));
      take(driver.outboardFunctionFacts(place, function));
    }

    private void take(int result) {
      results |= result;
    }
  }
}
