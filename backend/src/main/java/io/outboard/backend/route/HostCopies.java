// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Hosts;
import java.util.List;

/**
 * Copies between the memories of two hosts, over a link of theirs, else by way of this process. The
 * thread of the call waits until the stream gets there, reads, and writes in the order of the
 * stream.
 */
final class HostCopies {
  private static final long PIECE = 4L << 20;

  private final CudaHosts hosts;
  private final List<? extends CudaDriver> drivers;
  private final LinkedCopies links;

  HostCopies(CudaHosts hosts, List<? extends CudaDriver> drivers) {
    this.hosts = hosts;
    this.drivers = drivers;
    this.links = new LinkedCopies(hosts, drivers);
  }

  /** Whose a handle is; that of the thread's context where its value says nothing. */
  int owner(long handle) {
    int host = hosts.ofHandle(handle);
    return host == Hosts.ANY ? hosts.current() : host;
  }

  /** Waits for a stream; one that captures says that this cannot be. */
  int await(long stream) {
    return drivers.get(hosts.enter(owner(stream))).cuStreamSynchronize(stream);
  }

  /** Copies between two hosts, after the work of a stream. */
  int copy(long destination, long source, long bytes, long stream) {
    int result = await(stream);
    if (result != CudaResult.SUCCESS || bytes <= 0) {
      return bytes < 0 ? CudaResult.INVALID_VALUE : result;
    }
    if (links.copy(destination, source, bytes, streamAt(hosts.home(destination), stream))) {
      return result;
    }
    try (NativeBuffer buffer = new NativeBuffer(Math.min(bytes, PIECE))) {
      for (long done = 0; done < bytes && result == CudaResult.SUCCESS; done += PIECE) {
        long part = Math.min(bytes - done, PIECE);
        result = read(buffer.address(), source + done, part);
        if (result == CudaResult.SUCCESS) {
          result = write(destination + done, buffer.address(), part, stream);
        }
      }
    }
    return result;
  }

  /** The stream, or the default one where it is another host's. */
  private long streamAt(int host, long stream) {
    return host == owner(stream) ? stream : 0;
  }

  /** Copies between contexts of two hosts, in order with all their work and the current one's. */
  int peer(long destination, long destinationContext, long source, long sourceContext, long bytes) {
    int result = CudaResult.SUCCESS;
    for (long context : new long[] {destinationContext, sourceContext, hosts.currentContext()}) {
      result = result == CudaResult.SUCCESS ? awaitWork(context) : result;
    }
    if (result == CudaResult.SUCCESS) {
      result = copy(destination, source, bytes, 0);
    }
    return result == CudaResult.SUCCESS ? await(0) : result;
  }

  private int awaitWork(long context) {
    return hosts.in(context, host -> drivers.get(host).cuCtxSynchronize());
  }

  /** Copies lines between two hosts. */
  int lines(
      long destination,
      long destinationPitch,
      long source,
      long sourcePitch,
      long width,
      long height,
      long stream) {
    int result = await(stream);
    for (long line = 0; line < height && result == CudaResult.SUCCESS; line++) {
      long to = destination + line * destinationPitch;
      result = copy(to, source + line * sourcePitch, width, stream);
    }
    return result;
  }

  private int read(long destination, long source, long bytes) {
    int host = hosts.enter(hosts.home(source));
    return drivers.get(host).cuMemcpyDtoH_v2(destination, source, bytes);
  }

  /** Writes in a stream, or at once where the stream is another host's. */
  int write(long destination, long source, long bytes, long stream) {
    int host = hosts.home(destination);
    CudaDriver driver = drivers.get(hosts.enter(host));
    return host == owner(stream)
        ? driver.cuMemcpyHtoDAsync_v2(destination, source, bytes, stream)
        : driver.cuMemcpyHtoD_v2(destination, source, bytes);
  }

  /** Reads in a stream, or at once where the stream is another host's. */
  int read(long destination, long source, long bytes, long stream) {
    int host = hosts.home(source);
    CudaDriver driver = drivers.get(hosts.enter(host));
    return host == owner(stream)
        ? driver.cuMemcpyDtoHAsync_v2(destination, source, bytes, stream)
        : driver.cuMemcpyDtoH_v2(destination, source, bytes);
  }
}
