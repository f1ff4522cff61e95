// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;

/**
 * Copies of memory that the program shares with this process to devices of other hosts. The program
 * may write there until the stream gets to the copy, and only this process can read there: the
 * thread of the call waits.
 */
public final class SharedSources extends CudaDriverForwarding {
  private final RoutedCuda routed;

  private SharedSources(CudaDriver delegate, RoutedCuda routed) {
    super(delegate);
    this.routed = routed;
  }

  /** Before a driver whose calls end in {@code devices}, where these are of several hosts. */
  public static CudaDriver of(CudaDriver delegate, CudaDriver devices) {
    return devices instanceof RoutedCuda routed ? new SharedSources(delegate, routed) : delegate;
  }

  @Override
  public int outboardCopyFromHost(
      long destination, long source, long bytes, long stream, long done) {
    int result = routed.awaitElsewhere(destination, stream);
    return result == CudaResult.SUCCESS
        ? delegate.outboardCopyFromHost(destination, source, bytes, stream, done)
        : result;
  }
}
