// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.quota;

import io.outboard.cuda.CudaDriver;

/** The context that is current to a thread, as far as is known; changed only where it must be. */
public final class CurrentContext {
  private final CudaDriver driver;
  private long context;

  public CurrentContext(CudaDriver driver) {
    this.driver = driver;
  }

  /** Makes one current. */
  public void enter(long wanted) {
    if (wanted != context) {
      int unused = driver.cuCtxSetCurrent(wanted);
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
