// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaResult;

/**
 * Copies between the memories of two hosts, by way of this process, for which a stream is held and
 * no thread of the program.
 */
final class StreamCopies {
  private final CudaHosts hosts;
  private final HeldStreams held;

  StreamCopies(CudaHosts hosts, HeldStreams held) {
    this.hosts = hosts;
    this.held = held;
  }

  /** Lines of two memories; those of one have no pitch. */
  record Lines(
      long destination,
      long destinationPitch,
      long source,
      long sourcePitch,
      long width,
      long height) {
    /** Bytes without gaps. */
    static Lines of(long destination, long source, long bytes) {
      return new Lines(destination, 0, source, 0, bytes, 1);
    }
  }

  /**
   * Asks for a copy in the order of a stream.
   *
   * @param owner the host of the stream
   * @return {@link HeldStreams#NONE} where the thread has to wait
   */
  int copy(Lines lines, long stream, int owner) {
    OwnContext context = held.contextOn(owner);
    OwnContext reads = held.contextOn(hosts.home(lines.source));
    OwnContext writes = held.contextOn(hosts.home(lines.destination));
    boolean can = context != null && reads != null && writes != null;
    return can
        ? held.hold(context, stream, context, stream, () -> copy(lines, reads, writes))
        : HeldStreams.NONE;
  }

  private static int copy(Lines lines, OwnContext reads, OwnContext writes) {
    return reads.inStream(
        from -> writes.inStream(to -> new Way(reads, from, writes, to).copy(lines)));
  }

  /** The way of the bytes, with a stream of this process on either host. */
  private record Way(OwnContext reads, long from, OwnContext writes, long to) {
    int copy(Lines lines) {
      int result = CudaResult.SUCCESS;
      try (NativeBuffer buffer = new NativeBuffer(Math.min(lines.width, HostCopies.PIECE))) {
        for (long line = 0; line < lines.height && result == CudaResult.SUCCESS; line++) {
          long destination = lines.destination + line * lines.destinationPitch;
          long source = lines.source + line * lines.sourcePitch;
          result = line(destination, source, lines.width, buffer.address());
        }
      }
      return result == CudaResult.SUCCESS
          ? writes.call(its -> its.cuStreamSynchronize(to))
          : result;
    }

    private int line(long destination, long source, long bytes, long buffer) {
      int result = CudaResult.SUCCESS;
      for (long done = 0; done < bytes && result == CudaResult.SUCCESS; done += HostCopies.PIECE) {
        long part = Math.min(bytes - done, HostCopies.PIECE);
        result = piece(destination + done, source + done, part, buffer);
      }
      return result;
    }

    private int piece(long destination, long source, long bytes, long buffer) {
      int result = reads.call(its -> its.cuMemcpyDtoHAsync_v2(buffer, source, bytes, from));
      return result == CudaResult.SUCCESS
          ? writes.call(its -> its.cuMemcpyHtoDAsync_v2(destination, buffer, bytes, to))
          : result;
    }
  }
}
