// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverDispatcher;
import io.outboard.cuda.CudaDriverTable;
import io.outboard.cuda.CudaKinds;
import io.outboard.wire.Dispatcher;
import io.outboard.wire.Handles;
import java.util.BitSet;

/** CUDA as a library of the backend. */
public final class CudaService implements LibraryService {
  @Override
  public String library() {
    return CudaDriverTable.LIBRARY;
  }

  @Override
  public LibraryInstance open(SessionContext context) throws DeviceException {
    return new Instance(context, CudaDevices.open(context));
  }

  private static final class Instance implements LibraryInstance {
    private final SessionContext context;
    private final CudaDevices.Opened opened;
    private final CudaDriver driver;
    private final CudaDriverDispatcher dispatcher;
    private final ThreadLocal<long[]> current = ThreadLocal.withInitial(() -> new long[1]);

    Instance(SessionContext context, CudaDevices.Opened opened) {
      this.context = context;
      this.opened = opened;
      this.driver = opened.driver();
      this.dispatcher = new CudaDriverDispatcher(driver);
    }

    @Override
    public Dispatcher dispatcher() {
      return dispatcher;
    }

    @Override
    public BitSet calls() {
      return opened.calls();
    }

    /** The lane is the index of the context's handle: makes that context current to this thread. */
    @Override
    public void enter(int lane, int thread) {
      long wanted = lane == 0 ? 0 : context.valueAt(CudaKinds.CONTEXT, lane);
      if (wanted == Handles.INVALID) {
        wanted = 0;
      }
      long[] now = current.get();
      if (now[0] != wanted) {
        int unused = driver.cuCtxSetCurrent(wanted);
        now[0] = wanted;
      }
    }

    @Override
    public void threadEnded(int thread) {}

    @Override
    public void close() {
      opened.close();
    }
  }
}
