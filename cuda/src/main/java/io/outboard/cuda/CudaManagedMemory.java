// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.cuda.struct.MemoryLocation;
import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Same;
import io.outboard.spec.Takes;
import io.outboard.spec.Variants;

/**
 * Managed memory; CUDA Driver API, sections 6.13 and 6.15. Where program and backend share memory,
 * it is one mapping at one address for the program, the backend and all devices. Elsewhere it is
 * the device's own, and the program has pages of it at the same address, which travel.
 *
 * <p>Advice and prefetches move nothing. {@link #cuMemRangeGetAttribute} answers with the program's
 * own words, for pages of 4 KiB.
 */
public interface CudaManagedMemory {
  /**
   * Outboard's own: says where managed memory of {@code bytes} bytes is to be mapped, by program
   * and backend alike.
   *
   * @param address the first address, set aside for it; 0 where any will do
   */
  @Call(184)
  @Custom(value = "not a function of the vendor: part of cuMemAllocManaged", binding = true)
  int outboardManagedPlace(@Out(LONG) @DevicePointer long address, long bytes);

  /**
   * Outboard's own: maps a memory file whose descriptor the program has passed, at the address at
   * which the program has it, and lets kernels of all devices use it there.
   */
  @Call(185)
  @Blocking
  @Custom(value = "not a function of the vendor: part of cuMemAllocManaged", binding = true)
  int outboardManagedMap(long address, long bytes);

  /** Outboard's own: ends such a mapping, once no work uses it any more. */
  @Call(186)
  @Blocking
  @Custom(value = "not a function of the vendor: cuMemFree of managed memory", binding = true)
  int outboardManagedUnmap(long address);

  /**
   * Outboard's own: whether a variable of a module is one that program and kernels are to share,
   * and has not been mapped yet with {@link #outboardManagedMap}; that moves what it holds.
   *
   * @param bytes size in whole pages; 0 where it is none
   * @param address of the variable
   */
  @Call(188)
  @Custom(value = "not a function of the vendor: part of cuModuleGetGlobal", binding = true)
  int outboardManagedVariable(@Out(LONG) long bytes, @DevicePointer long address);

  /**
   * Outboard's own: writes to a variable of which the program has a mirror, with the processor and
   * at once. The data are words of 8 bytes, from an address that is a multiple of 8; a mask says
   * which of their bytes are written, and these lie in one variable. The backend does this, and
   * only for variables that {@link CudaModules#outboardModuleVariable} has called mirrored.
   *
   * @param mask a byte a word, bit n for byte n
   */
  @Call(513)
  @Async
  @Custom(value = "not a function of the vendor: the program writes to a variable", binding = true)
  default int outboardMirrorStore(
      @DevicePointer long address,
      @In(value = LONG, count = "words") long data,
      @In(bytes = "words") long mask,
      long words) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Outboard's own: reads from such variables, with the processor and at once.
   *
   * @param data the words of 8 bytes in which each range lies, range by range; bytes that are not
   *     the range's are 0
   * @param words of all ranges
   * @param ranges of each its address and its bytes
   * @param count twice as many as there are ranges
   */
  @Call(514)
  @Custom(value = "not a function of the vendor: the program reads from a variable", binding = true)
  default int outboardMirrorLoad(
      @Out(value = LONG, count = "words") long data,
      long words,
      @In(value = LONG, count = "count") long ranges,
      int count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Outboard's own: which parts of such a variable are not what the client has read or written
   * last. It is only worth while for a large one, {@code VariableSharing.LARGE}: of others all has
   * changed.
   *
   * @param changed a byte a part, 0 where nothing has changed
   * @param parts of {@code VariableSharing.PART} bytes of the words of 8 bytes in which the bytes
   *     lie
   * @param address of a part of the variable, or all of it
   */
  @Call(515)
  @Custom(value = "not a function of the vendor: the program reads from a variable", binding = true)
  default int outboardMirrorChanges(
      @Out(bytes = "parts") long changed, long parts, @DevicePointer long address, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Outboard's own: maps zeros where the program has page-locked memory that the backend does not
   * share, and lets kernels of all devices use them there. Their pages travel as those of {@link
   * #outboardPagesAllocate}.
   *
   * @param address of the first page
   * @param bytes whole pages
   */
  @Call(521)
  @Blocking
  @Custom(value = "not a function of the vendor: part of cuLaunchKernel", binding = true)
  default int outboardPagesMap(@DevicePointer long address, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Outboard's own: ends that, once no work uses it any more. */
  @Call(522)
  @Blocking
  @Custom(value = "not a function of the vendor: part of cuMemFreeHost", binding = true)
  default int outboardPagesUnmap(@DevicePointer long address) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Outboard's own: allocates managed memory of the driver's, of which the program has pages at the
   * same address. {@link CudaMemory#cuMemFree_v2} frees it.
   *
   * @param address the first address, of a page
   */
  @Call(640)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Custom(value = "not a function of the vendor: part of cuMemAllocManaged", binding = true)
  default int outboardPagesAllocate(@Out(LONG) @DevicePointer long address, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Outboard's own: reads pages of such memory.
   *
   * @param data where their bytes go, run behind run
   * @param bytes of all runs
   * @param addresses of the first page of each run
   * @param sizes of each run, in bytes
   * @param count of runs
   * @param context the one whose work is waited for first; 0 waits for none
   */
  @Call(641)
  @Blocking
  @Custom(value = "not a function of the vendor: the program touches a page", binding = true)
  default int outboardPagesLoad(
      @Out(bytes = "bytes") long data,
      long bytes,
      @In(value = LONG, count = "count") @DevicePointer long addresses,
      @In(value = LONG, count = "count") long sizes,
      int count,
      @Handle(CONTEXT) long context) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Outboard's own: writes pages of such memory, at once. */
  @Call(642)
  @Async
  @Custom(value = "not a function of the vendor: the program has changed a page", binding = true)
  default int outboardPagesStore(
      @DevicePointer long address, @In(bytes = "bytes") long data, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Allocates managed memory. */
  @Local(
      prototype =
          "CUresult cuMemAllocManaged(CUdeviceptr *pointer, size_t bytes, unsigned int flags)")
  default int cuMemAllocManaged(@Out(LONG) @DevicePointer long pointer, long bytes, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Says how managed memory will be used ({@code CUmem_advise}). */
  @Local(
      prototype =
          "CUresult cuMemAdvise_v2(CUdeviceptr pointer, size_t bytes, int advice, CUmemLocation location)")
  default int cuMemAdvise_v2(
      @DevicePointer long pointer,
      long bytes,
      int advice,
      @In(struct = MemoryLocation.class, byValue = true) long location) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemAdvise_v2}; −1 is the processor. */
  @Local(
      prototype = "CUresult cuMemAdvise(CUdeviceptr pointer, size_t bytes, int advice, int device)")
  default int cuMemAdvise(@DevicePointer long pointer, long bytes, int advice, int device) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Asks for managed memory to be moved to a place. */
  @Local(
      prototype =
          "CUresult cuMemPrefetchAsync_v2(CUdeviceptr pointer, size_t bytes, CUmemLocation location, unsigned int flags, CUstream stream)")
  @Variants("cuMemPrefetchAsync_v2_ptsz")
  default int cuMemPrefetchAsync_v2(
      @DevicePointer long pointer,
      long bytes,
      @In(struct = MemoryLocation.class, byValue = true) long location,
      int flags,
      @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** As {@link #cuMemPrefetchAsync_v2}; −1 is the processor. */
  @Local(
      prototype =
          "CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t bytes, int device, CUstream stream)")
  @Variants("cuMemPrefetchAsync_ptsz")
  default int cuMemPrefetchAsync(
      @DevicePointer long pointer, long bytes, int device, @Handle(STREAM) long stream) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * The advice and the prefetches that a range of managed memory has had ({@code
   * CUmem_range_attribute}).
   */
  @Same(
      as = "cuMemRangeGetAttributes",
      with = {"&data", "&size", "&attribute", "1", "pointer", "bytes"},
      prototype =
          "CUresult cuMemRangeGetAttribute(void *data, size_t size, int attribute, CUdeviceptr pointer, size_t bytes)")
  default int cuMemRangeGetAttribute(
      @Out(bytes = "size") long data,
      long size,
      int attribute,
      @DevicePointer long pointer,
      long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Several answers of {@link #cuMemRangeGetAttribute}. */
  @Local(
      prototype =
          "CUresult cuMemRangeGetAttributes(void **data, size_t *sizes, int *attributes, size_t count, CUdeviceptr pointer, size_t bytes)")
  default int cuMemRangeGetAttributes(
      @In(value = LONG, count = "count") long data,
      @In(value = LONG, count = "count") long sizes,
      @In(value = INT, count = "count") long attributes,
      long count,
      @DevicePointer long pointer,
      long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Says which stream uses managed memory; all may, at the same time as the program. */
  @Local(
      prototype =
          "CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr pointer, size_t bytes, unsigned int flags)")
  @Variants("cuStreamAttachMemAsync_ptsz")
  default int cuStreamAttachMemAsync(
      @Handle(STREAM) long stream, @DevicePointer long pointer, long bytes, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }
}
