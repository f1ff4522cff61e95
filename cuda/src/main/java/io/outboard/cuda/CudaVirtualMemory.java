// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.ALLOCATION;
import static io.outboard.spec.Need.INITIALIZED;
import static io.outboard.spec.Range.Use.RELEASE;
import static io.outboard.spec.Range.Use.RESERVE;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.cuda.struct.AccessDescription;
import io.outboard.cuda.struct.AllocationProperties;
import io.outboard.cuda.struct.MemoryLocation;
import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.Out;
import io.outboard.spec.Range;
import io.outboard.spec.Ready;
import io.outboard.spec.Resource;
import io.outboard.spec.Takes;

/**
 * Addresses and memory, each by itself; CUDA Driver API, section 6.14. Multicast is not there.
 *
 * <p>Memory and pools that other processes are to have are descriptors to a driver. A descriptor
 * does not travel: a session keeps it, and what travels is its {@linkplain #TICKET_BYTES ticket},
 * in the place where the driver has the descriptor.
 */
public interface CudaVirtualMemory {
  /** {@code CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR}, the only type there is. */
  int FILE_DESCRIPTOR = 1;

  /** Bytes of a ticket, which stands for a descriptor: a name that nobody can guess. */
  int TICKET_BYTES = 64;

  /** Reserves addresses. */
  @Call(360)
  @Takes(Resource.NOTHING)
  @Ready(INITIALIZED)
  int cuMemAddressReserve(
      @Out(LONG) @DevicePointer @Range(value = RESERVE, bytes = "bytes", undo = "cuMemAddressFree")
          long pointer,
      long bytes,
      long alignment,
      @DevicePointer long wished,
      long flags);

  /** Ends a reservation. */
  @Call(361)
  @Ready(INITIALIZED)
  int cuMemAddressFree(@DevicePointer @Range(RELEASE) long pointer, long bytes);

  /** Makes memory that has no address yet. */
  @Call(362)
  @Takes(value = Resource.MEMORY, decorated = true)
  @Custom("the count of holders, and types of handles for other processes")
  int cuMemCreate(
      @Out(LONG) @Handle(value = ALLOCATION, life = Life.CREATE) long allocation,
      long bytes,
      @In(struct = AllocationProperties.class) long properties,
      long flags);

  /** Gives memory up; it goes when it is mapped nowhere. */
  @Call(363)
  @Custom("the count of holders, of which the last ends it")
  int cuMemRelease(@Handle(value = ALLOCATION, life = Life.DESTROY) long allocation);

  /** Gives memory up that is held more than once. */
  @Call(364)
  @Custom(value = "cuMemRelease of memory that somebody else still holds", binding = true)
  int outboardMemRelease(@Handle(ALLOCATION) long allocation);

  /** Maps memory at reserved addresses. */
  @Call(365)
  int cuMemMap(
      @DevicePointer long pointer,
      long bytes,
      long offset,
      @Handle(ALLOCATION) long allocation,
      long flags);

  /** Takes memory away from addresses. */
  @Call(366)
  @Blocking
  int cuMemUnmap(@DevicePointer long pointer, long bytes);

  /** Says which devices may use addresses. */
  @Call(367)
  int cuMemSetAccess(
      @DevicePointer long pointer,
      long bytes,
      @In(struct = AccessDescription.class, count = "count") long access,
      long count);

  /** How a device may use an address. */
  @Call(368)
  int cuMemGetAccess(
      @Out(LONG) long flags,
      @In(struct = MemoryLocation.class) long location,
      @DevicePointer long pointer);

  /** The granularity of sizes and addresses. */
  @Call(369)
  int cuMemGetAllocationGranularity(
      @Out(LONG) long bytes, @In(struct = AllocationProperties.class) long properties, int option);

  /** The properties that memory was made with. */
  @Call(370)
  int cuMemGetAllocationPropertiesFromHandle(
      @Out(struct = AllocationProperties.class) long properties,
      @Handle(ALLOCATION) long allocation);

  /** The memory at an address; the caller holds it too. */
  @Call(371)
  @Custom("the count of holders")
  int cuMemRetainAllocationHandle(
      @Out(LONG) @Handle(ALLOCATION) long allocation, @DevicePointer long pointer);

  /**
   * A descriptor of memory, for other processes.
   *
   * @param handle where a driver writes an int, and a session a ticket
   */
  @Call(372)
  @Custom("a descriptor of the program's own, which holds the ticket")
  int cuMemExportToShareableHandle(
      @Out(bytes = "64") long handle, @Handle(ALLOCATION) long allocation, int type, long flags);

  /**
   * The memory of a descriptor.
   *
   * @param handle the descriptor itself for a driver, where a ticket lies for a session
   */
  @Call(373)
  @Takes(Resource.NOTHING)
  @Custom("the ticket in the descriptor")
  int cuMemImportFromShareableHandle(
      @Out(LONG) @Handle(value = ALLOCATION, life = Life.CREATE) long allocation,
      @In(bytes = "64") long handle,
      int type);

  /**
   * Outboard's own: the program has closed all its descriptors of memory or of a pool. Imported
   * memory stays.
   *
   * @param handle the descriptor itself for a driver, which does not close it; where a ticket lies
   *     for a session
   */
  @Call(374)
  @Async
  @Custom(value = "not a function of the vendor", binding = true)
  int outboardShareEnd(@In(bytes = "64") long handle);
}
