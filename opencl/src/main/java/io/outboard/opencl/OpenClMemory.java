// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.CONTEXT;
import static io.outboard.opencl.OpenClKinds.EVENT;
import static io.outboard.opencl.OpenClKinds.MEMORY;
import static io.outboard.opencl.OpenClKinds.QUEUE;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Handle.Life.RELEASE;
import static io.outboard.spec.Handle.Life.RETAIN;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.opencl.struct.BufferRegion;
import io.outboard.spec.Async;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Found;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Query;
import io.outboard.spec.Resource;
import io.outboard.spec.Returned;
import io.outboard.spec.Takes;
import io.outboard.spec.Within;

/**
 * Buffers, pipes and memory objects in general; OpenCL specification 3.0, sections 5.2, 5.4, 5.5.
 */
public interface OpenClMemory {
  /** Makes a buffer; its first contents travel along. */
  @Call(50)
  @Takes(value = Resource.MEMORY, bytes = "size", of = "context")
  @Custom("memory that stays the program's")
  int clCreateBuffer(
      @Handle(CONTEXT) long context,
      long flags,
      long size,
      @In(bytes = "size") long hostPtr,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);

  /** Makes a buffer whose memory is the frontend's too: a file whose descriptor has been passed. */
  @Call(215)
  @Takes(value = Resource.MEMORY, bytes = "size", of = "context")
  @Custom("a call of our own")
  int outboardCreateSharedBuffer(
      @Handle(CONTEXT) long context,
      long flags,
      long size,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);

  /** Lets the frontend at a part of such a buffer, as soon as its event is over. */
  @Call(216)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("a call of our own")
  int outboardMapShared(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      long flags,
      long offset,
      long size,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Gives the part that begins there back to the devices. */
  @Call(217)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("a call of our own")
  int outboardUnmapShared(
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) long buffer,
      long offset,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Makes a buffer; the list of properties ends with 0. */
  @Call(51)
  @Takes(value = Resource.MEMORY, bytes = "size", of = "context")
  @Custom("memory that stays the program's")
  int clCreateBufferWithProperties(
      @Handle(CONTEXT) long context,
      @In(value = LONG, count = "count") long properties,
      @Found int count,
      long flags,
      long size,
      @In(bytes = "size") long hostPtr,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);

  /** Makes a buffer of a part of another one. */
  @Call(52)
  @Takes(Resource.NOTHING)
  @Custom("a part of memory that stays the program's")
  int clCreateSubBuffer(
      @Handle(MEMORY) long buffer,
      long flags,
      int type,
      @In(struct = BufferRegion.class) long region,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);

  /** Makes a pipe. */
  @Call(53)
  @Takes(value = Resource.MEMORY, bytes = "packetSize * maxPackets", of = "context")
  int clCreatePipe(
      @Handle(CONTEXT) long context,
      long flags,
      int packetSize,
      int maxPackets,
      @In(LONG) long properties,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);

  /** Counts one more owner. */
  @Local
  default int clRetainMemObject(@Handle(value = MEMORY, life = RETAIN) long memory) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Ends a memory object with its last owner. */
  @Call(54)
  @Async
  int clReleaseMemObject(@Handle(value = MEMORY, life = RELEASE) long memory);

  /** Answers a question about a memory object. */
  @Call(55)
  @Query(
      context = 0x1106,
      parent = 0x1107,
      owners = 0x1105,
      own = {0x1104, 0x1109})
  int clGetMemObjectInfo(
      @Handle(MEMORY) long memory,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /**
   * Has a buffer hold how many bytes of another one there are to be moved; the extension
   * cl_pocl_content_size.
   */
  @Call(232)
  @Custom(value = "the vendor is found by hand", frontend = false, binding = true)
  int clSetContentSizeBufferPoCL(@Handle(MEMORY) long buffer, @Handle(MEMORY) long contentSize);

  /** Answers a question about a pipe. */
  @Call(56)
  int clGetPipeInfo(
      @Handle(MEMORY) long pipe,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** A function of the program that is told of a memory object's end. */
  @Local(
      prototype =
          "int clSetMemObjectDestructorCallback(cl_mem memory, void (*notify)(cl_mem, void *), void"
              + " *data)")
  default int clSetMemObjectDestructorCallback(
      @Handle(MEMORY) long memory, long notify, long data) {
    return OpenClResult.INVALID_OPERATION;
  }
}
