// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Caller;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;

/** What programs ask of CUDA most. */
final class RehearsedCuda implements RehearsalPiece {
  /** Each of a class of its own. */
  private static final List<Runnable> AFTER_WAITING = List.of(() -> {}, () -> {}, () -> {});

  private final CudaDriver vendor;
  private int opened;

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
    Runnable afterWaiting = AFTER_WAITING.get(opened++ % AFTER_WAITING.size());
    return CudaService.serve(
        context, new CudaDevices.Opened(PretendedCuda.driver(), new BitSet(), afterWaiting));
  }

  @Override
  public Part begin(Caller caller, IntConsumer lane) {
    CudaDriver client = new CudaDriverRemote(caller);
    RehearsedCalls calls = new RehearsedCalls(client, lane);
    RehearsedCalls vendors = vendor == null ? null : new RehearsedCalls(vendor, ignored -> {});
    return () -> {
      int unused = vendors == null ? 0 : vendors.make();
      return calls.make() == CudaResult.SUCCESS;
    };
  }
}
