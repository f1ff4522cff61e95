// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.CONTEXT;
import static io.outboard.opencl.OpenClKinds.EVENT;
import static io.outboard.opencl.OpenClKinds.MEMORY;
import static io.outboard.opencl.OpenClKinds.QUEUE;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Found;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Returned;
import io.outboard.spec.Takes;

/**
 * Commands that move data; OpenCL specification 3.0, sections 5.2.2 to 5.2.5, 5.3.3 to 5.3.6 and
 * 5.5.
 *
 * <p>Data of a read <em>land</em> in the backend: on the wire the address of a read is a number
 * that the frontend chooses, under which {@link #outboardLand} fetches the bytes. Data of a write
 * travel with the call, and the call returns before the device has them. The program's side of a
 * rectangle or an image travels without gaps.
 */
public interface OpenClTransfers {
  /** Reads a buffer. */
  @Call(80)
  @Takes(Resource.NOTHING)
  @Async
  @Custom(
      value = "reads that arrive later",
      prototype =
          "int clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, unsigned int"
              + " blocking, size_t offset, size_t size, void *data, unsigned int waits, const"
              + " cl_event *wait_list, cl_event *event)")
  int clEnqueueReadBuffer(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      int blocking,
      long offset,
      long size,
      long landing,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Writes a buffer. */
  @Call(81)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("the choice to wait")
  int clEnqueueWriteBuffer(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      int blocking,
      long offset,
      long size,
      @In(bytes = "size") long data,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Reads a box of a buffer. */
  @Call(82)
  @Takes(Resource.NOTHING)
  @Async
  @Custom(
      value = "reads that arrive later",
      prototype =
          "int clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, unsigned int"
              + " blocking, const size_t *buffer_origin, const size_t *host_origin, const size_t"
              + " *region, size_t buffer_row_pitch, size_t buffer_slice_pitch, size_t"
              + " host_row_pitch, size_t host_slice_pitch, void *data, unsigned int waits, const"
              + " cl_event *wait_list, cl_event *event)")
  int clEnqueueReadBufferRect(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      int blocking,
      @In(value = LONG, count = "3") long bufferOrigin,
      @In(value = LONG, count = "3") long hostOrigin,
      @In(value = LONG, count = "3") long region,
      long bufferRowPitch,
      long bufferSlicePitch,
      long hostRowPitch,
      long hostSlicePitch,
      long landing,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Writes a box of a buffer. */
  @Call(83)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("packed rows of the program")
  int clEnqueueWriteBufferRect(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      int blocking,
      @In(value = LONG, count = "3") long bufferOrigin,
      @In(value = LONG, count = "3") long hostOrigin,
      @In(value = LONG, count = "3") long region,
      long bufferRowPitch,
      long bufferSlicePitch,
      long hostRowPitch,
      long hostSlicePitch,
      @In(bytes = "bytes") long data,
      @Found long bytes,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Copies between buffers: posted where nothing can be wrong with it. */
  @Call(84)
  @Takes(value = Resource.COMPUTE, of = "queue")
  @Async
  @Custom("the choice to post")
  int clEnqueueCopyBuffer(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long source,
      @Handle(MEMORY) long destination,
      long sourceOffset,
      long destinationOffset,
      long size,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Copies a box between buffers. */
  @Call(85)
  @Takes(value = Resource.COMPUTE, of = "queue")
  int clEnqueueCopyBufferRect(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long source,
      @Handle(MEMORY) long destination,
      @In(value = LONG, count = "3") long sourceOrigin,
      @In(value = LONG, count = "3") long destinationOrigin,
      @In(value = LONG, count = "3") long region,
      long sourceRowPitch,
      long sourceSlicePitch,
      long destinationRowPitch,
      long destinationSlicePitch,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Fills a buffer with a pattern. */
  @Call(86)
  @Takes(value = Resource.COMPUTE, of = "queue")
  int clEnqueueFillBuffer(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      @In(bytes = "patternSize") long pattern,
      long patternSize,
      long offset,
      long size,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Reads a box of an image. */
  @Call(87)
  @Takes(Resource.NOTHING)
  @Async
  @Custom(
      value = "reads that arrive later",
      prototype =
          "int clEnqueueReadImage(cl_command_queue queue, cl_mem image, unsigned int blocking,"
              + " const size_t *origin, const size_t *region, size_t row_pitch, size_t slice_pitch,"
              + " void *data, unsigned int waits, const cl_event *wait_list, cl_event *event)")
  int clEnqueueReadImage(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long image,
      int blocking,
      @In(value = LONG, count = "3") long origin,
      @In(value = LONG, count = "3") long region,
      long rowPitch,
      long slicePitch,
      long landing,
      @Found long bytes,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Writes a box of an image. */
  @Call(88)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("packed rows of the program")
  int clEnqueueWriteImage(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long image,
      int blocking,
      @In(value = LONG, count = "3") long origin,
      @In(value = LONG, count = "3") long region,
      long rowPitch,
      long slicePitch,
      @In(bytes = "bytes") long data,
      @Found long bytes,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Fills a box of an image; a colour is of 16 bytes whatever its format. */
  @Call(89)
  @Takes(value = Resource.COMPUTE, of = "queue")
  int clEnqueueFillImage(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long image,
      @In(bytes = "16") long color,
      @In(value = LONG, count = "3") long origin,
      @In(value = LONG, count = "3") long region,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Copies between images. */
  @Call(90)
  @Takes(value = Resource.COMPUTE, of = "queue")
  int clEnqueueCopyImage(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long source,
      @Handle(MEMORY) long destination,
      @In(value = LONG, count = "3") long sourceOrigin,
      @In(value = LONG, count = "3") long destinationOrigin,
      @In(value = LONG, count = "3") long region,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Copies from an image to a buffer. */
  @Call(91)
  @Takes(value = Resource.COMPUTE, of = "queue")
  int clEnqueueCopyImageToBuffer(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long source,
      @Handle(MEMORY) long destination,
      @In(value = LONG, count = "3") long sourceOrigin,
      @In(value = LONG, count = "3") long region,
      long destinationOffset,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Copies from a buffer to an image. */
  @Call(92)
  @Takes(value = Resource.COMPUTE, of = "queue")
  int clEnqueueCopyBufferToImage(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long source,
      @Handle(MEMORY) long destination,
      long sourceOffset,
      @In(value = LONG, count = "3") long destinationOrigin,
      @In(value = LONG, count = "3") long region,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Moves memory objects to the queue's device. */
  @Call(93)
  @Takes(value = Resource.COMPUTE, of = "queue")
  int clEnqueueMigrateMemObjects(
      @Handle(QUEUE) long queue,
      int count,
      @In(value = LONG, count = "count") @Handle(MEMORY) long objects,
      long flags,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Maps a part of a buffer: the frontend reads it to a copy in the program. */
  @Local(
      prototype =
          "void *clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, unsigned int blocking,"
              + " uint64_t flags, size_t offset, size_t size, unsigned int waits, const cl_event"
              + " *wait_list, cl_event *event, int *errcode_ret)")
  default int clEnqueueMapBuffer(
      long queue,
      long buffer,
      int blocking,
      long flags,
      long offset,
      long size,
      int waits,
      long waitList,
      long event,
      long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Maps a box of an image: the frontend reads it to a copy in the program. */
  @Local(
      prototype =
          "void *clEnqueueMapImage(cl_command_queue queue, cl_mem image, unsigned int blocking,"
              + " uint64_t flags, const size_t *origin, const size_t *region, size_t *row_pitch,"
              + " size_t *slice_pitch, unsigned int waits, const cl_event *wait_list, cl_event"
              + " *event, int *errcode_ret)")
  default int clEnqueueMapImage(
      long queue,
      long image,
      int blocking,
      long flags,
      long origin,
      long region,
      long rowPitch,
      long slicePitch,
      int waits,
      long waitList,
      long event,
      long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Ends a mapping: the frontend writes the copy back. */
  @Local(
      prototype =
          "int clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem memory, void *mapped,"
              + " unsigned int waits, const cl_event *wait_list, cl_event *event)")
  default int clEnqueueUnmapMemObject(
      long queue, long memory, long mapped, int waits, long waitList, long event) {
    return OpenClResult.INVALID_OPERATION;
  }

  /**
   * Fetches what a read has landed, in pieces; waits for it where that is asked for. With the last
   * piece the landing ends. {@link OpenClResult#NOT_READY} where the read is not over and nobody
   * waits.
   */
  @Call(94)
  @Blocking
  @Custom("a call of our own")
  int outboardLand(
      long landing,
      int waits,
      long offset,
      @Out(bytes = "bytes", advancing = "offset") long data,
      long bytes,
      long total);

  /** Reads a little of a buffer and waits for it: the data come with the answer. */
  @Call(240)
  @Takes(Resource.NOTHING)
  @Blocking
  @Custom("a call of our own")
  int outboardRead(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      long offset,
      long size,
      @Out(bytes = "size") long data,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList);

  /**
   * Writes a buffer with what the client sends over its connections for bulk data: see {@code
   * PROTOCOL.md}, "Bulk data". All of it has come, and its copies are in the queue, when the call
   * returns.
   *
   * @param transfer the number of the transfer whose pieces these are
   * @param blocking whether to wait for the device, too
   */
  @Call(243)
  @Takes(Resource.NOTHING)
  @Blocking
  @Custom(value = "not a function of the vendor: a copy over several connections", binding = true)
  default int outboardBulkWrite(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      long offset,
      long size,
      long transfer,
      int blocking,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList) {
    return OpenClResult.INVALID_OPERATION;
  }

  /**
   * Reads a buffer to the client's connections for bulk data, and waits for the device. All of it
   * is on its way when the call returns.
   */
  @Call(244)
  @Takes(Resource.NOTHING)
  @Blocking
  @Custom(value = "not a function of the vendor: a copy over several connections", binding = true)
  default int outboardBulkRead(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      long offset,
      long size,
      long transfer,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList) {
    return OpenClResult.INVALID_OPERATION;
  }

  /**
   * Brings what is too large for one call over the client's connections for bulk data, under a
   * number of the frontend's, as {@link #outboardStage} does in parts. All of it has come when the
   * call returns.
   */
  @Call(246)
  @Blocking
  @Custom(value = "not a function of the vendor: a copy over several connections", binding = true)
  default int outboardBulkStage(long number, long bytes, long transfer) {
    return OpenClResult.INVALID_OPERATION;
  }

  /**
   * Fetches what a read has landed, as {@link #outboardLand} does in pieces: it leaves over the
   * client's connections for bulk data. The landing stays, since these may be lost before the
   * client has all of it.
   */
  @Call(247)
  @Blocking
  @Custom(value = "not a function of the vendor: a copy over several connections", binding = true)
  default int outboardBulkLand(long landing, int waits, long bytes, long transfer) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** The client has what {@link #outboardBulkLand} sent, or wants it no more: the landing ends. */
  @Call(248)
  @Async
  @Custom(value = "not a function of the vendor: the end of a copy", binding = true)
  default int outboardEndLanding(long landing) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Pieces that still come of a transfer are dropped: its call has failed, or was not made. */
  @Call(245)
  @Async
  @Custom(value = "not a function of the vendor: the end of a copy that failed", binding = true)
  default int outboardBulkDrop(long transfer) {
    return OpenClResult.INVALID_OPERATION;
  }

  /**
   * Brings a part of what is too large for one call, under a number of the frontend's; the first
   * part, at offset 0, begins it. One of the calls below takes it.
   */
  @Call(212)
  @Async
  @Custom("a call of our own")
  int outboardStage(
      long number,
      long offset,
      @In(bytes = "bytes", advancing = "offset") long data,
      long bytes,
      long total);

  /** Writes a buffer with what has been brought, which is as large. */
  @Call(213)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("a call of our own")
  int outboardWriteStaged(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      long offset,
      long size,
      long number,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Writes a box of a buffer with what has been brought, which is as large and has no gaps. */
  @Call(235)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("a call of our own")
  int outboardWriteStagedRect(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      @In(value = LONG, count = "3") long origin,
      @In(value = LONG, count = "3") long region,
      long rowPitch,
      long slicePitch,
      long number,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Writes a box of an image with what has been brought, which is as large and has no gaps. */
  @Call(236)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("a call of our own")
  int outboardWriteStagedImage(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long image,
      @In(value = LONG, count = "3") long origin,
      @In(value = LONG, count = "3") long region,
      long number,
      long bytes,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Makes a buffer of what has been brought, which is as large; perhaps with properties. */
  @Call(238)
  @Takes(value = Resource.MEMORY, bytes = "size", of = "context")
  @Custom("a call of our own")
  int outboardCreateStagedBuffer(
      @Handle(CONTEXT) long context,
      @In(value = LONG, count = "count") long properties,
      int count,
      long flags,
      long size,
      long number,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);

  /**
   * Has the backend map memory of the frontend's, whose descriptor has been passed: one area of so
   * many bytes a session.
   */
  @Call(95)
  @Custom("a call of our own")
  int outboardShareArea(long bytes);

  /**
   * Page-locks a part of that area for the context of a queue, until the context ends, where its
   * device copies from and to such memory sooner. Data in that part are read, and may be written,
   * meanwhile.
   */
  @Call(241)
  @Takes(Resource.NOTHING)
  @Blocking
  @Custom("a call of our own")
  int outboardLockArea(@Handle(QUEUE) long queue, long place, long bytes);

  /** Writes a buffer with what lies in that area from a place on. */
  @Call(96)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("a call of our own")
  int outboardWriteShared(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      long offset,
      long size,
      long place,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Reads a buffer to that area from a place on. */
  @Call(97)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("a call of our own")
  int outboardReadShared(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      long offset,
      long size,
      long place,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);
}
