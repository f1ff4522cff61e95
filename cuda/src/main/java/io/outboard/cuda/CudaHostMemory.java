// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Scalar.LONG;
import static io.outboard.spec.Work.COPY;

import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.DeviceWork;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Out;
import io.outboard.spec.Touches;

/**
 * Outboard's own: host memory that the program and its backend share on one machine, mapped at the
 * same address by both. Page-locked memory is such memory, and so is what copies of pageable memory
 * pass through.
 */
public interface CudaHostMemory {
  /**
   * Maps a memory file whose descriptor the program has passed, at the address at which the program
   * has it, and page-locks it for the device.
   *
   * @param device where kernels find it, 0 where they cannot use it
   * @param flags those of {@code cuMemHostRegister}
   */
  @Call(180)
  @Blocking
  @Custom(value = "not a function of the vendor: the frontend passes a descriptor", binding = true)
  int outboardHostMap(@Out(LONG) @DevicePointer long device, long address, long bytes, int flags);

  /**
   * Maps a part of a file that the program has mapped to share it with other processes, as {@link
   * #outboardHostMap}: memory that it registers. Nothing keeps the file from being shortened, which
   * would end the program too that reads there.
   *
   * @param offset where the part begins in the file; a multiple of the size of a page, as are
   *     {@code address} and {@code bytes}
   */
  @Call(187)
  @Blocking
  @Custom(value = "not a function of the vendor: the frontend passes a descriptor", binding = true)
  default int outboardHostRegister(
      @Out(LONG) @DevicePointer long device, long address, long bytes, long offset, int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Assigns a range of the memory that a hypervisor shares between the program's machine and the
   * backend's, in which the program's next {@link #outboardHostMap} of so many bytes lies: in the
   * place of a descriptor. An earlier range that has not been mapped is given up. {@link
   * #outboardHostUnmap} ends it. A driver knows nothing of such memory: the backend does this.
   *
   * @param offset in that memory; never 0
   * @param bytes a multiple of the size of a page; 0 assigns none
   */
  @Call(646)
  @Custom(value = "not a function of the vendor: memory that a hypervisor shares", binding = true)
  default int outboardHostRoom(@Out(LONG) long offset, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Makes a staging buffer: page-locked memory of the backend that copies in graphs use in the
   * place of memory that only the program has. The frontend fills it before the graph is launched,
   * or reads it in a function of the graph.
   *
   * @param address where it is; means something to copies in graphs and to the functions below
   */
  @Call(517)
  @Blocking
  @Custom(value = "not a function of the vendor: memory for copies in graphs", binding = true)
  default int outboardStagingMake(@Out(LONG) long address, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Ends a staging buffer, once no copy uses it any more. */
  @Call(518)
  @Blocking
  @Custom(value = "not a function of the vendor: memory for copies in graphs", binding = true)
  default int outboardStagingEnd(long address) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Writes to a staging buffer, with the processor and at once. */
  @Call(519)
  @Async
  @Custom(value = "not a function of the vendor: memory for copies in graphs", binding = true)
  default int outboardStagingStore(long address, @In(bytes = "bytes") long data, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Reads from a staging buffer, with the processor and at once. */
  @Call(520)
  @Custom(value = "not a function of the vendor: memory for copies in graphs", binding = true)
  default int outboardStagingLoad(@Out(bytes = "bytes") long data, long address, long bytes) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Ends a mapping, once no copy uses it any more. */
  @Call(181)
  @Blocking
  @Custom(value = "not a function of the vendor: cuMemFreeHost of shared memory", binding = true)
  int outboardHostUnmap(long address);

  /**
   * Copies from shared memory to the device in the order of a stream. The source is read when the
   * stream gets there.
   *
   * @param done a 64-bit word of shared memory, or 0. With one, the copy is complete when the call
   *     returns, and the word then is 1 plus the call's result, which the caller takes from there
   *     and from nowhere else
   */
  @Call(182)
  @Async
  @DeviceWork(COPY)
  @Custom(value = "not a function of the vendor: a copy whose source is shared", binding = true)
  int outboardCopyFromHost(
      @DevicePointer long destination,
      long source,
      long bytes,
      @Handle(STREAM) @Touches long stream,
      long done);

  /** Copies from the device to shared memory; as {@link #outboardCopyFromHost}. */
  @Call(183)
  @Async
  @DeviceWork(COPY)
  @Custom(value = "not a function of the vendor: a copy whose target is shared", binding = true)
  int outboardCopyToHost(
      long destination,
      @DevicePointer long source,
      long bytes,
      @Handle(STREAM) @Touches long stream,
      long done);

  /**
   * Copies to the device, in the order of a stream, what the client sends over its connections for
   * bulk data: see {@code PROTOCOL.md}, "Bulk data". All of it has come, and its copies are asked
   * for, when the call returns. A driver knows nothing of connections: the backend does this.
   *
   * @param transfer the number of the transfer whose pieces these are
   */
  @Call(503)
  @Blocking
  @DeviceWork(COPY)
  @Custom(value = "not a function of the vendor: a copy over several connections", binding = true)
  default int outboardBulkUp(
      @DevicePointer long destination, long bytes, @Handle(STREAM) long stream, long transfer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Copies from the device to the client's connections for bulk data. All of it has been copied
   * from the device, and is on its way, when the call returns.
   */
  @Call(504)
  @Blocking
  @DeviceWork(COPY)
  @Custom(value = "not a function of the vendor: a copy over several connections", binding = true)
  default int outboardBulkDown(
      @DevicePointer long source, long bytes, @Handle(STREAM) long stream, long transfer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Pieces that still come of a transfer are dropped: its call has failed, or was not made. */
  @Call(505)
  @Async
  @Custom(value = "not a function of the vendor: the end of a copy that failed", binding = true)
  default int outboardBulkDrop(long transfer) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Succeeds if there is a link to the host that has a slot: see {@code PROTOCOL.md}, "Several
   * hosts". A driver knows nothing of links: the backend does this.
   */
  @Call(643)
  @Custom(value = "not a function of the vendor: a copy between two other hosts", binding = true)
  default int outboardLinkFind(int slot) {
    return CudaResult.NOT_SUPPORTED;
  }

  /**
   * Copies from the device to the link to another host. All of it has been copied from the device,
   * and is on its way, when the call returns.
   *
   * @param transfer the number of the transfer whose pieces these are
   * @param slot of the other host
   */
  @Call(644)
  @Blocking
  @DeviceWork(COPY)
  @Custom(value = "not a function of the vendor: a copy between two other hosts", binding = true)
  default int outboardLinkSend(
      @DevicePointer long source,
      long bytes,
      @Handle(STREAM) long stream,
      long transfer,
      int slot) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Copies to the device, in the order of a stream, what another host sends, and waits for it. */
  @Call(645)
  @Blocking
  @DeviceWork(COPY)
  @Custom(value = "not a function of the vendor: a copy between two other hosts", binding = true)
  default int outboardLinkReceive(
      @DevicePointer long destination, long bytes, @Handle(STREAM) long stream, long transfer) {
    return CudaResult.NOT_SUPPORTED;
  }
}
