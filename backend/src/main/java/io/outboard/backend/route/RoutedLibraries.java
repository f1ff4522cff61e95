// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.route;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaResult;
import io.outboard.wire.Native;
import java.util.List;

/** Calls about libraries, which this host has and others may have too. */
abstract class RoutedLibraries extends RoutedDevices {
  /** The longest name of a kernel that a library lists, in bytes. */
  private static final int LONGEST_NAME = 64 << 10;

  private final HostLibraries libraries;

  RoutedLibraries(CudaHosts hosts, List<? extends CudaDriver> drivers) {
    super(hosts, drivers);
    this.libraries = hosts.libraries();
  }

  @Override
  public int cuLibraryLoadData(long library, long code, long bytes) {
    int result = driver(0).cuLibraryLoadData(library, code, bytes);
    if (result == CudaResult.SUCCESS) {
      libraries.loaded(Native.getLong(library), code, bytes);
    }
    return result;
  }

  @Override
  public int cuLibraryUnload(long library) {
    int result = driver(0).cuLibraryUnload(library);
    if (result == CudaResult.SUCCESS) {
      libraries.unloaded(library);
    }
    return result;
  }

  @Override
  public int cuLibraryGetKernel(long kernel, long library, long name) {
    int result = driver(0).cuLibraryGetKernel(kernel, library, name);
    if (result == CudaResult.SUCCESS) {
      libraries.found(Native.getLong(kernel), library, name);
    }
    return result;
  }

  /** A kernel whose name the driver does not tell has no other host. */
  @Override
  public int cuLibraryEnumerateKernels(long kernels, int count, long library) {
    int result = driver(0).cuLibraryEnumerateKernels(kernels, count, library);
    try (NativeBuffer name = new NativeBuffer(LONGEST_NAME)) {
      for (int i = 0; i < count && result == CudaResult.SUCCESS; i++) {
        long kernel = Native.getLong(kernels + (long) i * Long.BYTES);
        int told = driver(0).outboardFunctionName(name.address(), LONGEST_NAME, kernel);
        if (told == CudaResult.SUCCESS) {
          libraries.found(kernel, library, name.address());
        }
      }
    }
    return result;
  }

  @Override
  public int cuKernelGetLibrary(long library, long kernel) {
    return driver(0).cuKernelGetLibrary(library, kernel);
  }

  /** The kernel is this host's, what is told of it that of the device's host. */
  @Override
  public int outboardLibraryKernel(
      long kernel, long facts, long attributes, long library, long name, int device) {
    int host = Math.max(0, hosts.ofOrdinal(device));
    int ordinal = hosts.hostOrdinal(host, device);
    if (host == 0) {
      int result =
          driver(0).outboardLibraryKernel(kernel, facts, attributes, library, name, ordinal);
      if (result == CudaResult.SUCCESS) {
        libraries.found(Native.getLong(kernel), library, name);
      }
      return result;
    }
    int result = cuLibraryGetKernel(kernel, library, name);
    return result == CudaResult.SUCCESS
        ? elsewhere(
            hosts.enter(host), Native.getLong(kernel), facts, attributes, library, name, ordinal)
        : result;
  }

  private int elsewhere(
      int host, long kernel, long facts, long attributes, long library, long name, int ordinal) {
    try (NativeBuffer found = new NativeBuffer(Long.BYTES)) {
      int result =
          driver(host)
              .outboardLibraryKernel(
                  found.address(),
                  facts,
                  attributes,
                  libraries.valueAt(host, library),
                  name,
                  ordinal);
      if (result == CudaResult.SUCCESS) {
        libraries.found(kernel, host, Native.getLong(found.address()));
      }
      return result;
    }
  }
}
