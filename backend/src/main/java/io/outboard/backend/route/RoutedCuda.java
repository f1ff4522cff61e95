// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Hosts;
import io.outboard.wire.Native;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The CUDA devices of this host and of others. A call about two hosts at once waits in its own
 * thread.
 */
public final class RoutedCuda extends RoutedLibraries {
  /** {@code CU_MEMHOSTREGISTER_PORTABLE}, which all page-locked memory of a program has. */
  private static final int PORTABLE = 1;

  private final HostCopies copies;
  // Memory of the program that no driver of this host was asked to page-lock.
  private final Set<Long> unlocked = ConcurrentHashMap.newKeySet();

  private RoutedCuda(CudaHosts hosts, List<? extends CudaDriver> drivers) {
    super(hosts, drivers);
    copies = new HostCopies(hosts, drivers);
  }

  /** Joins other hosts to this one's driver. */
  public static RoutedCuda of(CudaDriver local, List<RemoteHost> remotes) {
    List<CudaDriver> drivers =
        Stream.concat(
                Stream.of(local), remotes.stream().map(host -> new RemoteCuda(host.session())))
            .toList();
    return new RoutedCuda(new CudaHosts(remotes, drivers), drivers);
  }

  /** The host of a handle; this one where the handle says nothing. */
  int hostOf(long handle) {
    return Math.max(0, hosts.ofHandle(handle));
  }

  /** The driver of a host, for a call of this thread. */
  CudaDriver driverOf(int host) {
    return driver(hosts.enter(host));
  }

  // ---- contexts

  @Override
  public int cuDevicePrimaryCtxRetain(long context, int device) {
    return at(
        device,
        host ->
            own(
                host,
                context,
                driver(host).cuDevicePrimaryCtxRetain(context, hostOrdinal(host, device))));
  }

  /** Each handle of a host has its mark. */
  private int own(int host, long handle, int result) {
    boolean other =
        result == CudaResult.SUCCESS && hosts.ofHandle(Native.getLong(handle)) != host && host > 0;
    return other ? hosts.lied(host) : result;
  }

  private int hostOrdinal(int host, int device) {
    return hosts.hostOrdinal(host, device);
  }

  @Override
  public int cuDevicePrimaryCtxRelease_v2(int device) {
    return at(device, host -> driver(host).cuDevicePrimaryCtxRelease_v2(hostOrdinal(host, device)));
  }

  @Override
  public int cuDevicePrimaryCtxReset_v2(int device) {
    return at(device, host -> driver(host).cuDevicePrimaryCtxReset_v2(hostOrdinal(host, device)));
  }

  @Override
  public int cuDevicePrimaryCtxSetFlags_v2(int device, int flags) {
    return at(
        device,
        host -> driver(host).cuDevicePrimaryCtxSetFlags_v2(hostOrdinal(host, device), flags));
  }

  @Override
  public int cuDevicePrimaryCtxGetState(int device, long flags, long active) {
    return at(
        device,
        host -> driver(host).cuDevicePrimaryCtxGetState(hostOrdinal(host, device), flags, active));
  }

  @Override
  public int cuCtxCreate_v2(long context, int flags, int device) {
    int result =
        at(device, host -> driver(host).cuCtxCreate_v2(context, flags, hostOrdinal(host, device)));
    return result == CudaResult.SUCCESS ? all.enterContext(Native.getLong(context)) : result;
  }

  @Override
  public int cuCtxDestroy_v2(long context) {
    int host = hosts.ofHandle(context);
    if (host > 0) {
      int unused = all.enterContext(context);
    }
    int result = super.cuCtxDestroy_v2(context);
    if (result == CudaResult.SUCCESS) {
      all.ended(context);
    }
    return result;
  }

  @Override
  public int cuCtxSetCurrent(long context) {
    return all.enterContext(context);
  }

  @Override
  public int cuCtxEnablePeerAccess(long peer, int flags) {
    return Hosts.join(hosts.ofHandle(peer), all.current()) == Hosts.SEVERAL
        ? CudaResult.PEER_ACCESS_UNSUPPORTED
        : super.cuCtxEnablePeerAccess(peer, flags);
  }

  @Override
  public int cuCtxDisablePeerAccess(long peer) {
    return Hosts.join(hosts.ofHandle(peer), all.current()) == Hosts.SEVERAL
        ? CudaResult.PEER_ACCESS_NOT_ENABLED
        : super.cuCtxDisablePeerAccess(peer);
  }

  // ---- copies

  private boolean isOneHosts(long one, long other, long stream) {
    int host = hosts.home(one);
    return host == hosts.home(other) && host == copies.owner(stream);
  }

  @Override
  public int cuMemcpyDtoD_v2(long destination, long source, long bytes) {
    return hosts.home(destination) == hosts.home(source)
        ? super.cuMemcpyDtoD_v2(destination, source, bytes)
        : copies.copy(destination, source, bytes, 0);
  }

  @Override
  public int cuMemcpyDtoDAsync_v2(long destination, long source, long bytes, long stream) {
    return isOneHosts(destination, source, stream)
        ? super.cuMemcpyDtoDAsync_v2(destination, source, bytes, stream)
        : copies.copy(destination, source, bytes, stream);
  }

  private boolean contextsOfOneHost(long one, long other) {
    return Hosts.join(hosts.ofHandle(one), hosts.ofHandle(other)) != Hosts.SEVERAL;
  }

  @Override
  public int cuMemcpyPeer(
      long destination, long destinationContext, long source, long sourceContext, long bytes) {
    return contextsOfOneHost(destinationContext, sourceContext)
        ? super.cuMemcpyPeer(destination, destinationContext, source, sourceContext, bytes)
        : copies.peer(destination, destinationContext, source, sourceContext, bytes);
  }

  @Override
  public int cuMemcpyPeerAsync(
      long destination,
      long destinationContext,
      long source,
      long sourceContext,
      long bytes,
      long stream) {
    boolean one =
        contextsOfOneHost(destinationContext, sourceContext)
            && isOneHosts(destination, source, stream);
    return one
        ? super.cuMemcpyPeerAsync(
            destination, destinationContext, source, sourceContext, bytes, stream)
        : copies.copy(destination, source, bytes, stream);
  }

  @Override
  public int outboardMemcpy2D(
      long destination,
      long destinationPitch,
      long source,
      long sourcePitch,
      long width,
      long height,
      long stream) {
    return isOneHosts(destination, source, stream)
        ? super.outboardMemcpy2D(
            destination, destinationPitch, source, sourcePitch, width, height, stream)
        : copies.lines(destination, destinationPitch, source, sourcePitch, width, height, stream);
  }

  @Override
  public int cuMemcpyHtoDAsync_v2(long destination, long source, long bytes, long stream) {
    if (hosts.home(destination) == copies.owner(stream)) {
      return super.cuMemcpyHtoDAsync_v2(destination, source, bytes, stream);
    }
    int result = copies.await(stream);
    return result == CudaResult.SUCCESS ? copies.write(destination, source, bytes, stream) : result;
  }

  @Override
  public int cuMemcpyDtoHAsync_v2(long destination, long source, long bytes, long stream) {
    if (hosts.home(source) == copies.owner(stream)) {
      return super.cuMemcpyDtoHAsync_v2(destination, source, bytes, stream);
    }
    int result = copies.await(stream);
    return result == CudaResult.SUCCESS ? copies.read(destination, source, bytes, stream) : result;
  }

  // ---- memory that the program shares with this process

  private boolean isHere(long address, long stream) {
    return hosts.home(address) == 0 && copies.owner(stream) == 0;
  }

  /** Waits until a stream gets to a copy to or from a device, unless both are this host's. */
  int awaitElsewhere(long address, long stream) {
    return isHere(address, stream) ? CudaResult.SUCCESS : copies.await(stream);
  }

  /** The source is taken at the call where the device is another host's. */
  @Override
  public int outboardCopyFromHost(
      long destination, long source, long bytes, long stream, long done) {
    if (isHere(destination, stream)) {
      return driver(hosts.enter(0)).outboardCopyFromHost(destination, source, bytes, stream, done);
    }
    int result = cuMemcpyHtoDAsync_v2(destination, source, bytes, stream);
    return result == CudaResult.SUCCESS && done != 0 ? copies.await(stream) : result;
  }

  @Override
  public int outboardCopyToHost(long destination, long source, long bytes, long stream, long done) {
    if (isHere(source, stream)) {
      return driver(hosts.enter(0)).outboardCopyToHost(destination, source, bytes, stream, done);
    }
    int result = copies.await(stream);
    return result == CudaResult.SUCCESS ? copies.read(destination, source, bytes, stream) : result;
  }

  /**
   * Page-locked memory of a context of another host is the program's alone: a copy would hold up
   * the thread until the stream gets there, and the stream may wait for what that thread does next.
   * Memory without the flag serves copies that are complete when they return. It is shared, but no
   * driver page-locks it here.
   */
  @Override
  public int outboardHostMap(long device, long address, long bytes, int flags) {
    if (all.current() == 0) {
      return driver(0).outboardHostMap(device, address, bytes, flags);
    }
    if ((flags & PORTABLE) != 0) {
      return CudaResult.NOT_SUPPORTED;
    }
    if (device == 0) {
      return CudaResult.INVALID_VALUE;
    }
    Native.putLong(device, 0);
    unlocked.add(address);
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardHostUnmap(long address) {
    return unlocked.remove(address)
        ? CudaResult.SUCCESS
        : driver(hosts.enter(0)).outboardHostUnmap(address);
  }

  @Override
  public int outboardManagedPlace(long address, long bytes) {
    if (all.current() == 0) {
      return driver(0).outboardManagedPlace(address, bytes);
    }
    Native.putLong(address, 0);
    return CudaResult.SUCCESS;
  }

  @Override
  public int outboardManagedMap(long address, long bytes) {
    return all.current() == 0
        ? driver(0).outboardManagedMap(address, bytes)
        : CudaResult.NOT_SUPPORTED;
  }

  @Override
  public int outboardManagedUnmap(long address) {
    return driver(hosts.enter(0)).outboardManagedUnmap(address);
  }

  @Override
  public int outboardModuleVariable(
      long pointer, long bytes, long sharing, long module, long name) {
    int result = super.outboardModuleVariable(pointer, bytes, sharing, module, name);
    return unshared(module, sharing, result);
  }

  @Override
  public int outboardLibraryVariable(
      long pointer, long bytes, long sharing, long library, long name, int managed) {
    int result = super.outboardLibraryVariable(pointer, bytes, sharing, library, name, managed);
    return unshared(library, sharing, result);
  }

  /** The program and another host share no variable. */
  private int unshared(long owner, long sharing, int result) {
    if (result == CudaResult.SUCCESS && copies.owner(owner) > 0) {
      Native.putLong(sharing, 0);
    }
    return result;
  }

  // ---- streams

  @Override
  public int cuStreamWaitEvent(long stream, long event, int flags) {
    int whose = hosts.ofHandle(event);
    if (whose == Hosts.ANY || whose == copies.owner(stream)) {
      return super.cuStreamWaitEvent(stream, event, flags);
    }
    int result = uncaptured(stream);
    return result == CudaResult.SUCCESS
        ? driver(hosts.enter(whose)).cuEventSynchronize(event)
        : result;
  }

  /** A graph has work of one host: no event of another one comes into a capture. */
  private int uncaptured(long stream) {
    int host = copies.owner(stream);
    try (NativeBuffer buffer = new NativeBuffer(Integer.BYTES)) {
      int result = driver(hosts.enter(host)).cuStreamIsCapturing(stream, buffer.address());
      boolean captures = result == CudaResult.SUCCESS && Native.getInt(buffer.address()) != 0;
      return captures ? CudaResult.STREAM_CAPTURE_ISOLATION : result;
    }
  }
}
