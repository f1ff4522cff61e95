// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.POOL;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Need.CURRENT_CONTEXT;
import static io.outboard.spec.Range.Use.RESERVE;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.cuda.struct.AccessDescription;
import io.outboard.cuda.struct.MemoryLocation;
import io.outboard.cuda.struct.PoolProperties;
import io.outboard.spec.Async;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.Narrow;
import io.outboard.spec.Ordinal;
import io.outboard.spec.Out;
import io.outboard.spec.Range;
import io.outboard.spec.Ready;
import io.outboard.spec.Resource;
import io.outboard.spec.Takes;
import io.outboard.spec.Touches;
import io.outboard.spec.Variants;

/**
 * Memory in the order of streams, and the pools that it comes from; CUDA Driver API, section 6.15.
 */
public interface CudaPools {
  /** Allocates from the device's current pool, in the order of a stream. */
  @Call(330)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Variants("cuMemAllocAsync_ptsz")
  @Custom("memory that a stream frees and allocates again")
  int cuMemAllocAsync(
      @Out(LONG) @DevicePointer long pointer, long bytes, @Handle(STREAM) @Touches long stream);

  /** Allocates from a pool, in the order of a stream. */
  @Call(331)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Variants("cuMemAllocFromPoolAsync_ptsz")
  @Custom("memory that a stream frees and allocates again")
  int cuMemAllocFromPoolAsync(
      @Out(LONG) @DevicePointer long pointer,
      long bytes,
      @Handle(POOL) @Touches long pool,
      @Handle(STREAM) @Touches long stream);

  /** Frees in the order of a stream. */
  @Call(332)
  @Takes(Resource.NOTHING)
  @Async
  @Variants("cuMemFreeAsync_ptsz")
  @Custom("memory that a stream frees and allocates again")
  int cuMemFreeAsync(@DevicePointer @Touches long pointer, @Handle(STREAM) @Touches long stream);

  /** Makes a pool. */
  @Call(333)
  @Takes(Resource.NOTHING)
  @Custom("types of handles for other processes")
  int cuMemPoolCreate(
      @Out(LONG) @Handle(value = POOL, life = Life.CREATE) long pool,
      @In(struct = PoolProperties.class) long properties);

  /** Ends a pool, once its memory is freed. */
  @Call(334)
  int cuMemPoolDestroy(@Handle(value = POOL, life = Life.DESTROY) long pool);

  /** Gives unused memory back, down to so many bytes. */
  @Call(335)
  int cuMemPoolTrimTo(@Handle(POOL) long pool, long bytes);

  /** Sets a figure of a pool (CUmemPool_attribute). */
  @Call(336)
  int cuMemPoolSetAttribute(
      @Handle(POOL) long pool,
      int attribute,
      @In(LONG) @Narrow(by = "attribute", upTo = 3) long value);

  /** A figure of a pool. */
  @Call(337)
  int cuMemPoolGetAttribute(
      @Handle(POOL) long pool,
      int attribute,
      @Out(LONG) @Narrow(by = "attribute", upTo = 3) long value);

  /** Says which devices may use a pool's memory. */
  @Call(338)
  int cuMemPoolSetAccess(
      @Handle(POOL) long pool,
      @In(struct = AccessDescription.class, count = "count") long access,
      long count);

  /** How a device may use a pool's memory. */
  @Call(339)
  int cuMemPoolGetAccess(
      @Out(INT) long flags,
      @Handle(POOL) long pool,
      @In(struct = MemoryLocation.class) long location);

  /** The pool that a device has from the start. */
  @Call(340)
  int cuDeviceGetDefaultMemPool(@Out(LONG) @Handle(POOL) long pool, @Ordinal int device);

  /** The current pool of a device. */
  @Call(341)
  int cuDeviceGetMemPool(@Out(LONG) @Handle(POOL) long pool, @Ordinal int device);

  /** Makes a pool the current one of a device. */
  @Call(342)
  int cuDeviceSetMemPool(@Ordinal int device, @Handle(POOL) long pool);

  /** The pool that a place has from the start. */
  @Call(343)
  default int cuMemGetDefaultMemPool(
      @Out(LONG) @Handle(POOL) long pool,
      @In(struct = MemoryLocation.class) long location,
      int type) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The current pool of a place. */
  @Call(344)
  default int cuMemGetMemPool(
      @Out(LONG) @Handle(POOL) long pool,
      @In(struct = MemoryLocation.class) long location,
      int type) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes a pool the current one of a place. */
  @Call(345)
  default int cuMemSetMemPool(
      @In(struct = MemoryLocation.class) long location, int type, @Handle(POOL) long pool) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A figure of the memory that graphs have on a device. */
  @Call(346)
  default int cuDeviceGetGraphMemAttribute(
      @Ordinal int device, int attribute, @Out(LONG) long value) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Sets such a figure back. */
  @Call(347)
  default int cuDeviceSetGraphMemAttribute(
      @Ordinal int device, int attribute, @In(LONG) long value) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Gives back what graphs do not use. */
  @Call(348)
  default int cuDeviceGraphMemTrim(@Ordinal int device) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * A descriptor of a pool, for other processes.
   *
   * @param handle where a driver writes an int, and a session a ticket, see {@link
   *     CudaVirtualMemory}
   */
  @Call(349)
  @Custom("a descriptor of the program's own, which holds the ticket")
  int cuMemPoolExportToShareableHandle(
      @Out(bytes = "64") long handle, @Handle(POOL) long pool, int type, long flags);

  /**
   * The pool of a descriptor. Nothing can be allocated from it.
   *
   * @param handle the descriptor itself for a driver, where a ticket lies for a session
   */
  @Call(350)
  @Takes(Resource.NOTHING)
  @Custom("the ticket in the descriptor")
  int cuMemPoolImportFromShareableHandle(
      @Out(LONG) @Handle(value = POOL, life = Life.CREATE) long pool,
      @In(bytes = "64") long handle,
      int type,
      long flags);

  /** A name for memory of a pool, for processes that have the pool. */
  @Call(351)
  int cuMemPoolExportPointer(@Out(bytes = "64") long data, @DevicePointer long pointer);

  /** The memory of a name. It is freed here before its own process frees it. */
  @Call(352)
  @Takes(Resource.NOTHING)
  @Ready(CURRENT_CONTEXT)
  int cuMemPoolImportPointer(
      @Out(LONG) @DevicePointer @Range(value = RESERVE, undo = "cuMemFree_v2") long pointer,
      @Handle(POOL) long pool,
      @In(bytes = "64") long data);
}
