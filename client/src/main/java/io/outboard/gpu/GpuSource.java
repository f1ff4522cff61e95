// SPDX-License-Identifier: Apache-2.0
package io.outboard.gpu;

import java.io.IOException;
import java.util.Optional;

/**
 * The GPU of an offloaded implementation, whose constructor may take one. On a backend it is the
 * GPU of the lease whose token the caller has: the lease's quota and share hold for it, and its
 * ledger counts it.
 */
@FunctionalInterface
public interface GpuSource {
  /**
   * Returns the GPU: the same one each time, used by any number of threads. It is opened when it is
   * first wanted, and its owner closes it after the last call.
   *
   * @return nothing where there is no GPU
   * @throws IOException if there is one that cannot be had, or was lost; the message says why
   */
  Optional<Gpu> gpu() throws IOException;

  /** A place without a GPU. */
  static GpuSource none() {
    return Optional::empty;
  }
}
