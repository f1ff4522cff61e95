// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.COMMAND_BUFFER;
import static io.outboard.opencl.OpenClKinds.EVENT;
import static io.outboard.opencl.OpenClKinds.KERNEL;
import static io.outboard.opencl.OpenClKinds.MEMORY;
import static io.outboard.opencl.OpenClKinds.QUEUE;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Handle.Life.RELEASE;
import static io.outboard.spec.Handle.Life.RETAIN;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Async;
import io.outboard.spec.Call;
import io.outboard.spec.Complete;
import io.outboard.spec.Custom;
import io.outboard.spec.Found;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Known;
import io.outboard.spec.Local;
import io.outboard.spec.Marks;
import io.outboard.spec.Out;
import io.outboard.spec.Own;
import io.outboard.spec.Query;
import io.outboard.spec.Resource;
import io.outboard.spec.Returned;
import io.outboard.spec.Takes;
import io.outboard.spec.Within;

/**
 * Commands that are recorded once and run often; the extension cl_khr_command_buffer, versions
 * 0.9.0 to 0.9.3, which have the same functions.
 *
 * <p>A command may wait for others of its command buffer, by the numbers that recording them has
 * given (synchronization points). The queue of a command is always null, and so is the place for
 * its handle, which only other extensions have a use for.
 */
public interface OpenClCommandBuffers {
  /** The frontend's own question: whether nothing more is recorded. */
  int FINALIZED = 0xF0000004;

  /** Makes one that commands can be recorded in; the list of properties ends with 0. */
  @Call(218)
  @Takes(Resource.NOTHING)
  @Custom(value = "the queues, by which the vendor is found", frontend = false, binding = true)
  int clCreateCommandBufferKHR(
      int numQueues,
      @In(value = LONG, count = "numQueues") @Handle(QUEUE) @Known(0x1294) long queues,
      @In(value = LONG, count = "count") @Known(0x1298) long properties,
      @Found(pairs = "properties", once = true) int count,
      @Out(LONG) @Handle(value = COMMAND_BUFFER, life = CREATE) @Returned long made);

  /** Counts one more owner. */
  @Local
  default int clRetainCommandBufferKHR(
      @Handle(value = COMMAND_BUFFER, life = RETAIN) long commandBuffer) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Ends a command buffer with its last owner. */
  @Call(219)
  @Async
  @Custom(value = "its platform is forgotten with it", frontend = false, binding = true)
  int clReleaseCommandBufferKHR(@Handle(value = COMMAND_BUFFER, life = RELEASE) long commandBuffer);

  /** Nothing more is recorded: from now on it can be run. */
  @Call(220)
  @Marks(FINALIZED)
  int clFinalizeCommandBufferKHR(@Handle(COMMAND_BUFFER) long commandBuffer);

  /**
   * Runs what was recorded, on other queues of that kind than those of the recording if need be.
   */
  @Call(221)
  @Takes(value = Resource.COMPUTE, of = "commandBuffer")
  @Async
  @Custom("the choice to post")
  int clEnqueueCommandBufferKHR(
      int numQueues,
      @In(value = LONG, count = "numQueues") @Handle(QUEUE) long queues,
      @Handle(COMMAND_BUFFER) long commandBuffer,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Records that what is recorded later waits for commands, or for all before. */
  @Call(222)
  @Takes(Resource.NOTHING)
  int clCommandBarrierWithWaitListKHR(
      @Handle(COMMAND_BUFFER) long commandBuffer,
      @Handle(QUEUE) long queue,
      int points,
      @In(value = INT, count = "points") long pointList,
      @Out(INT) long point,
      @Out(LONG) long command);

  /** Records a copy between buffers. */
  @Call(223)
  @Takes(Resource.NOTHING)
  int clCommandCopyBufferKHR(
      @Handle(COMMAND_BUFFER) long commandBuffer,
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) @Own long source,
      @Handle(MEMORY) @Own long destination,
      long sourceOffset,
      long destinationOffset,
      long size,
      int points,
      @In(value = INT, count = "points") long pointList,
      @Out(INT) long point,
      @Out(LONG) long command);

  /** Records a copy of a box between buffers. */
  @Call(224)
  @Takes(Resource.NOTHING)
  int clCommandCopyBufferRectKHR(
      @Handle(COMMAND_BUFFER) long commandBuffer,
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) @Own long source,
      @Handle(MEMORY) @Own long destination,
      @In(value = LONG, count = "3") long sourceOrigin,
      @In(value = LONG, count = "3") long destinationOrigin,
      @In(value = LONG, count = "3") long region,
      long sourceRowPitch,
      long sourceSlicePitch,
      long destinationRowPitch,
      long destinationSlicePitch,
      int points,
      @In(value = INT, count = "points") long pointList,
      @Out(INT) long point,
      @Out(LONG) long command);

  /** Records a copy from a buffer to an image. */
  @Call(225)
  @Takes(Resource.NOTHING)
  int clCommandCopyBufferToImageKHR(
      @Handle(COMMAND_BUFFER) long commandBuffer,
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) @Own long source,
      @Handle(MEMORY) @Own long destination,
      long sourceOffset,
      @In(value = LONG, count = "3") long destinationOrigin,
      @In(value = LONG, count = "3") long region,
      int points,
      @In(value = INT, count = "points") long pointList,
      @Out(INT) long point,
      @Out(LONG) long command);

  /** Records a copy between images. */
  @Call(226)
  @Takes(Resource.NOTHING)
  int clCommandCopyImageKHR(
      @Handle(COMMAND_BUFFER) long commandBuffer,
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) @Own long source,
      @Handle(MEMORY) @Own long destination,
      @In(value = LONG, count = "3") long sourceOrigin,
      @In(value = LONG, count = "3") long destinationOrigin,
      @In(value = LONG, count = "3") long region,
      int points,
      @In(value = INT, count = "points") long pointList,
      @Out(INT) long point,
      @Out(LONG) long command);

  /** Records a copy from an image to a buffer. */
  @Call(227)
  @Takes(Resource.NOTHING)
  int clCommandCopyImageToBufferKHR(
      @Handle(COMMAND_BUFFER) long commandBuffer,
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) @Own long source,
      @Handle(MEMORY) @Own long destination,
      @In(value = LONG, count = "3") long sourceOrigin,
      @In(value = LONG, count = "3") long region,
      long destinationOffset,
      int points,
      @In(value = INT, count = "points") long pointList,
      @Out(INT) long point,
      @Out(LONG) long command);

  /** Records that a buffer is filled with a pattern. */
  @Call(228)
  @Takes(Resource.NOTHING)
  int clCommandFillBufferKHR(
      @Handle(COMMAND_BUFFER) long commandBuffer,
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) @Own long buffer,
      @In(bytes = "patternSize") long pattern,
      long patternSize,
      long offset,
      long size,
      int points,
      @In(value = INT, count = "points") long pointList,
      @Out(INT) long point,
      @Out(LONG) long command);

  /** Records that a box of an image is filled; a colour is of 16 bytes whatever its format. */
  @Call(229)
  @Takes(Resource.NOTHING)
  int clCommandFillImageKHR(
      @Handle(COMMAND_BUFFER) long commandBuffer,
      @Handle(QUEUE) long queue,
      @Handle(MEMORY) @Own long image,
      @In(bytes = "16") long color,
      @In(value = LONG, count = "3") long origin,
      @In(value = LONG, count = "3") long region,
      int points,
      @In(value = INT, count = "points") long pointList,
      @Out(INT) long point,
      @Out(LONG) long command);

  /**
   * Records the start of a kernel, with the arguments that it has now; the list of properties ends
   * with 0.
   */
  @Call(230)
  @Takes(Resource.NOTHING)
  int clCommandNDRangeKernelKHR(
      @Handle(COMMAND_BUFFER) long commandBuffer,
      @Handle(QUEUE) long queue,
      @In(value = LONG, count = "count") long properties,
      @Found(pairs = "properties") int count,
      @Handle(KERNEL) @Own @Complete long kernel,
      int dimensions,
      @In(value = LONG, count = "dimensions") long globalOffset,
      @In(value = LONG, count = "dimensions") long globalSize,
      @In(value = LONG, count = "dimensions") long localSize,
      int points,
      @In(value = INT, count = "points") long pointList,
      @Out(INT) long point,
      @Out(LONG) long command);

  /** Answers a question about a command buffer. */
  @Call(231)
  @Query(owners = 0x1296, late = 0x1299, varies = 0x1297)
  int clGetCommandBufferInfoKHR(
      @Handle(COMMAND_BUFFER) long commandBuffer,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);
}
