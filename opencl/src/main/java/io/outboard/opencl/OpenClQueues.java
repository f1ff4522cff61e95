// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.CONTEXT;
import static io.outboard.opencl.OpenClKinds.DEVICE;
import static io.outboard.opencl.OpenClKinds.QUEUE;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Handle.Life.RELEASE;
import static io.outboard.spec.Handle.Life.RETAIN;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Found;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Known;
import io.outboard.spec.Learns;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Query;
import io.outboard.spec.Resource;
import io.outboard.spec.Returned;
import io.outboard.spec.Takes;
import io.outboard.spec.Within;

/** Command queues; OpenCL specification 3.0, sections 5.1 and 5.15. */
public interface OpenClQueues {
  /** Makes a queue. */
  @Call(30)
  int clCreateCommandQueue(
      @Handle(CONTEXT) long context,
      @Handle(DEVICE) @Known(0x1091) long device,
      long properties,
      @Out(LONG) @Handle(value = QUEUE, life = CREATE) @Returned long made);

  /** Makes a queue; the list of properties ends with 0. */
  @Call(31)
  int clCreateCommandQueueWithProperties(
      @Handle(CONTEXT) long context,
      @Handle(DEVICE) @Known(0x1091) long device,
      @In(value = LONG, count = "count") long properties,
      @Found(pairs = "properties") int count,
      @Out(LONG) @Handle(value = QUEUE, life = CREATE) @Returned long made);

  /** Counts one more owner. */
  @Local
  default int clRetainCommandQueue(@Handle(value = QUEUE, life = RETAIN) long queue) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Ends a queue with its last owner. */
  @Call(32)
  @Async
  int clReleaseCommandQueue(@Handle(value = QUEUE, life = RELEASE) long queue);

  /** Answers a question about a queue. */
  @Call(33)
  @Takes(Resource.NOTHING)
  @Query(context = 0x1090, none = 0x1095, owners = 0x1092, varies = 0x1093)
  int clGetCommandQueueInfo(
      @Handle(QUEUE) long queue,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** Changes a property of a queue, which devices of version 1.0 allow. */
  @Call(34)
  @Takes(Resource.NOTHING)
  int clSetCommandQueueProperty(
      @Handle(QUEUE) long queue, long properties, int enable, @Out(LONG) long oldProperties);

  /** Makes a queue the one that kernels enqueue to. */
  @Call(35)
  @Takes(Resource.NOTHING)
  int clSetDefaultDeviceCommandQueue(
      @Handle(CONTEXT) long context, @Handle(DEVICE) long device, @Handle(QUEUE) long queue);

  /** Has the device begin what was enqueued. */
  @Call(36)
  @Takes(Resource.NOTHING)
  @Async
  int clFlush(@Handle(QUEUE) long queue);

  /** Waits for all that was enqueued. */
  @Call(37)
  @Takes(Resource.NOTHING)
  @Blocking
  @Learns
  int clFinish(@Handle(QUEUE) long queue);
}
