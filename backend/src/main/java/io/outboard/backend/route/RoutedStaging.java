// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverForwarding;
import io.outboard.cuda.CudaResult;
import io.outboard.cuda.struct.Memcpy3D;
import io.outboard.wire.Native;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * Staging buffers lie with the graph whose copy uses them, so that no byte comes here when the
 * graph runs. The client names one before it adds the copy, and names it again for a graph of
 * another host: the names are numbers of this class, and a buffer moves, empty, with its name.
 */
public final class RoutedStaging extends CudaDriverForwarding {
  /** No address of a program is as large. */
  private static final long NAMES = 1L << 60;

  private static final long PAGE = 4096;

  /** Most names of a session. */
  private static final int MOST = 1 << 16;

  private final RoutedCuda routed;
  private final TreeMap<Long, StagingBuffer> staging = new TreeMap<>();
  private long next = NAMES;

  private RoutedStaging(CudaDriver delegate, RoutedCuda routed) {
    super(delegate);
    this.routed = routed;
  }

  /** Where devices are of several hosts, before a driver with staging buffers of this process. */
  public static CudaDriver of(CudaDriver delegate, CudaDriver devices) {
    return devices instanceof RoutedCuda routed ? new RoutedStaging(delegate, routed) : delegate;
  }

  private record Place(int host, long address) {}

  private static final class StagingBuffer {
    private final long name;
    private final long bytes;
    // Null until a copy names it; changed by one thread at a time.
    private volatile Place place;

    StagingBuffer(long name, long bytes) {
      this.name = name;
      this.bytes = bytes;
    }

    boolean holds(long from, long count) {
      return count >= 0 && from - name <= bytes - count;
    }
  }

  /** The maker of a host's staging buffers: this process's driver, or that of another host. */
  private CudaDriver of(int host) {
    return host == 0 ? delegate : routed.driverOf(host);
  }

  @Override
  public synchronized int outboardStagingMake(long address, long bytes) {
    if (address == 0 || bytes <= 0) {
      return CudaResult.INVALID_VALUE;
    }
    if (bytes > NAMES - PAGE || staging.size() >= MOST || next > Long.MAX_VALUE - 2 * NAMES) {
      return CudaResult.OUT_OF_MEMORY;
    }
    staging.put(next, new StagingBuffer(next, bytes));
    Native.putLong(address, next);
    next += (bytes + PAGE - 1) & -PAGE;
    return CudaResult.SUCCESS;
  }

  /** The driver may wait for a device, and that for a function that reads another buffer. */
  @Override
  public int outboardStagingEnd(long address) {
    StagingBuffer buffer = remove(address);
    return buffer == null ? CudaResult.INVALID_VALUE : leave(buffer);
  }

  private synchronized StagingBuffer remove(long name) {
    return staging.remove(name);
  }

  private synchronized StagingBuffer find(long address) {
    Map.Entry<Long, StagingBuffer> found = staging.floorEntry(address);
    return found != null && found.getValue().holds(address, 0) ? found.getValue() : null;
  }

  private int leave(StagingBuffer buffer) {
    synchronized (buffer) {
      Place left = buffer.place;
      buffer.place = null;
      return left == null ? CudaResult.SUCCESS : of(left.host).outboardStagingEnd(left.address);
    }
  }

  /** Uses so many bytes of a staging buffer that lies somewhere. */
  private int use(long address, long bytes, Use use) {
    StagingBuffer buffer = find(address);
    Place place = buffer != null && buffer.holds(address, bytes) ? buffer.place : null;
    return place != null
        ? use.of(of(place.host), place.address + address - buffer.name)
        : CudaResult.INVALID_VALUE;
  }

  private interface Use {
    int of(CudaDriver driver, long address);
  }

  @Override
  public int outboardStagingStore(long address, long data, long bytes) {
    return use(address, bytes, (its, at) -> its.outboardStagingStore(at, data, bytes));
  }

  @Override
  public int outboardStagingLoad(long data, long address, long bytes) {
    return use(address, bytes, (its, at) -> its.outboardStagingLoad(data, at, bytes));
  }

  @Override
  public int cuGraphAddMemcpyNode(
      long node, long graph, long dependencies, long count, long copy, long context) {
    int host = routed.hostOf(graph);
    return named(
        host,
        copy,
        its ->
            to(host, its)
                .cuGraphAddMemcpyNode(node, graph, dependencies, count, its.copy, context));
  }

  @Override
  public int cuGraphMemcpyNodeSetParams(long node, long copy) {
    int host = routed.hostOf(node);
    return named(host, copy, its -> to(host, its).cuGraphMemcpyNodeSetParams(node, its.copy));
  }

  @Override
  public int cuGraphExecMemcpyNodeSetParams(long executable, long node, long copy, long context) {
    int host = routed.hostOf(executable);
    return named(
        host,
        copy,
        its -> to(host, its).cuGraphExecMemcpyNodeSetParams(executable, node, its.copy, context));
  }

  /** A copy as its host is told of it. */
  private record Told(long copy, boolean buffer) {}

  /** Another host looks itself whether a staging buffer that a copy names is one of its own. */
  private CudaDriver to(int host, Told told) {
    return host > 0 && told.buffer ? routed : delegate;
  }

  /** Makes a call with a copy that names staging buffers where they lie, with the call's host. */
  private int named(int host, long copy, ToIntFunction<Told> call) {
    if (copy == 0) {
      return call.applyAsInt(new Told(copy, false));
    }
    try (NativeBuffer buffer = new NativeBuffer(Memcpy3D.BYTES)) {
      long its = buffer.address();
      Native.copy(copy, its, Memcpy3D.BYTES);
      StagingBuffer source = stagingOf(its);
      StagingBuffer destination = stagingOf(its + Memcpy3D.SIDE_BYTES);
      int result = place(source, its, host);
      if (result == CudaResult.SUCCESS) {
        result = place(destination, its + Memcpy3D.SIDE_BYTES, host);
      }
      return result == CudaResult.SUCCESS
          ? call.applyAsInt(new Told(its, source != null || destination != null))
          : result;
    }
  }

  private StagingBuffer stagingOf(long side) {
    boolean isHost = Native.getInt(side + Memcpy3D.TYPE) == Memcpy3D.HOST;
    return isHost ? find(Native.getLong(side + Memcpy3D.HOST_ADDRESS)) : null;
  }

  /** Sees to it that a staging buffer lies with a host, and names it as that host does. */
  private int place(StagingBuffer buffer, long side, int host) {
    if (buffer == null) {
      return CudaResult.SUCCESS;
    }
    synchronized (buffer) {
      int result = move(buffer, host);
      if (result == CudaResult.SUCCESS) {
        long at = side + Memcpy3D.HOST_ADDRESS;
        Native.putLong(at, buffer.place.address + Native.getLong(at) - buffer.name);
      }
      return result;
    }
  }

  private int move(StagingBuffer buffer, int host) {
    if (buffer.place != null && buffer.place.host == host) {
      return CudaResult.SUCCESS;
    }
    int left = leave(buffer);
    return left == CudaResult.SUCCESS ? make(buffer, host) : left;
  }

  private int make(StagingBuffer buffer, int host) {
    try (NativeBuffer pointer = new NativeBuffer(Long.BYTES)) {
      int made = of(host).outboardStagingMake(pointer.address(), buffer.bytes);
      if (made == CudaResult.SUCCESS) {
        buffer.place = new Place(host, Native.getLong(pointer.address()));
      }
      return made;
    }
  }
}
