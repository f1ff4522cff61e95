// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.cuda.CudaDriver;
import java.util.function.Supplier;

/** The context that is current to a thread, as far as is known; changed only where it must be. */
public final class CurrentContext {
  private final Supplier<CudaDriver> driver;
  private long context;

  /** {@code driver} is asked for once a context is to be made current. */
  public CurrentContext(Supplier<CudaDriver> driver) {
    this.driver = driver;
  }

  /** Makes one current. */
  public void enter(long wanted) {
    if (wanted != context) {
      int unused = driver.get().cuCtxSetCurrent(wanted);
      context = wanted;
    }
  }

  /** One is current, as somebody else has made it so. */
  public void is(long current) {
    context = current;
  }

  /** It may end, and its handle be another's. */
  public void forget() {
    context = 0;
  }
}
