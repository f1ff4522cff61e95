// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda.vendor;

import io.outboard.cuda.CudaResult;
import io.outboard.cuda.PageRuns;
import io.outboard.wire.Native;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongToIntFunction;

/**
 * Copies between pages of managed memory and memory of this process. The device copies where a
 * context is current to the thread, and the pages stay with it; the processor would draw them to
 * the host, and the next kernel back. Where none is, or the device refuses, the processor copies.
 */
final class PageCopies {
  /** {@code CU_STREAM_NON_BLOCKING}: it waits for no other stream, and none is captured by it. */
  private static final int NON_BLOCKING = 1;

  private final VendorCudaDriver driver;
  private final Map<Long, Long> streams = new ConcurrentHashMap<>();

  PageCopies(VendorCudaDriver driver) {
    this.driver = driver;
  }

  /** Copies runs of pages to memory of this process, one behind the other. */
  void load(long data, PageRuns runs) {
    if (!copied(stream -> load(data, runs, stream))) {
      loadByProcessor(data, runs);
    }
  }

  private int load(long data, PageRuns runs, long stream) {
    int result = CudaResult.SUCCESS;
    long to = data;
    for (int run = 0; run < runs.count() && result == CudaResult.SUCCESS; run++) {
      result = driver.cuMemcpyDtoHAsync_v2(to, runs.address(run), runs.size(run), stream);
      to += runs.size(run);
    }
    return result;
  }

  static void loadByProcessor(long data, PageRuns runs) {
    long to = data;
    for (int run = 0; run < runs.count(); run++) {
      Native.copy(runs.address(run), to, runs.size(run));
      to += runs.size(run);
    }
  }

  void store(long address, long data, long bytes) {
    if (!copied(stream -> driver.cuMemcpyHtoDAsync_v2(address, data, bytes, stream))) {
      Native.copy(data, address, bytes);
    }
  }

  /** Whether the device has made a copy, which this waits for. */
  private boolean copied(LongToIntFunction copy) {
    long stream = stream();
    return stream != 0
        && copy.applyAsInt(stream) == CudaResult.SUCCESS
        && driver.cuStreamSynchronize(stream) == CudaResult.SUCCESS;
  }

  /** The stream of the current context; 0 if there is none. */
  private long stream() {
    long context = driver.currentContext();
    Long stream = context == 0 ? null : streams.computeIfAbsent(context, unused -> make());
    return stream == null ? 0 : stream;
  }

  private Long make() {
    long stream = driver.newStream(NON_BLOCKING);
    return stream == 0 ? null : stream;
  }

  /** While nothing is copied: a context takes its streams with it, and its number comes again. */
  void end() {
    for (long stream : streams.values()) {
      int unused = driver.cuStreamDestroy_v2(stream);
    }
    streams.clear();
  }
}
