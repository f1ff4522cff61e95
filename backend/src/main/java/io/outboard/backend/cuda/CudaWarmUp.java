// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.cuda;

import io.outboard.backend.devices.CudaDevices;
import io.outboard.backend.library.LibraryInstance;
import io.outboard.backend.library.SessionContext;
import io.outboard.backend.library.WarmUpScript;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Caller;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntConsumer;

/**
 * The calls of CUDA that programs make most. The vendor's library is left alone: before it is
 * initialised some of its functions end the process.
 */
public final class CudaWarmUp implements WarmUpScript {
  /** Each of a class of its own. */
  private static final List<IntConsumer> AFTER_WAITING = List.of(_ -> {}, _ -> {}, _ -> {});

  private final Optional<CudaWarmUpCalls> refused;
  private int opened;

  /**
   * @param vendor a driver that is not initialised, and refuses whatever it is asked: the way into
   *     it is warmed up too
   */
  public CudaWarmUp(Optional<CudaDriver> vendor) {
    refused = vendor.map(driver -> new CudaWarmUpCalls(driver, _ -> {}));
  }

  @Override
  public int number() {
    return CudaDriverTable.ID;
  }

  @Override
  public LibraryInstance open(SessionContext context) {
    int number = opened++;
    IntConsumer afterWaiting = AFTER_WAITING.get(number % AFTER_WAITING.size());
    CudaDriver driver = NoOpCuda.driver(number);
    return CudaService.serve(
        context,
        new CudaDevices.Opened(driver, new BitSet(), afterWaiting, _ -> OptionalLong.of(0)));
  }

  @Override
  public Part begin(Caller caller, IntConsumer lane) {
    CudaWarmUpCalls calls = new CudaWarmUpCalls(new CudaDriverRemote(caller), lane);
    return () -> {
      refused.ifPresent(CudaWarmUpCalls::make);
      return calls.make() == CudaResult.SUCCESS;
    };
  }
}
