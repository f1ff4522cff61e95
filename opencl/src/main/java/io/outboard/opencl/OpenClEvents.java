// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.CONTEXT;
import static io.outboard.opencl.OpenClKinds.EVENT;
import static io.outboard.opencl.OpenClKinds.QUEUE;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Handle.Life.RELEASE;
import static io.outboard.spec.Handle.Life.RETAIN;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Async;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Callback;
import io.outboard.spec.Custom;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Query;
import io.outboard.spec.Resource;
import io.outboard.spec.Returned;
import io.outboard.spec.Takes;
import io.outboard.spec.Within;

/** Events, markers and barriers; OpenCL specification 3.0, sections 5.11 to 5.14. */
public interface OpenClEvents {
  /** Waits for events. */
  @Call(170)
  @Blocking
  @Custom("reads that arrive with the end of a wait")
  int clWaitForEvents(int count, @In(value = LONG, count = "count") @Handle(EVENT) long events);

  /**
   * Waits for an event, and says when its command was queued, given to the device, begun, ended and
   * complete, in nanoseconds of the device; 0 for what there is none of.
   */
  @Call(239)
  @Blocking
  @Custom("a call of our own")
  int outboardWaitTimed(@Handle(EVENT) long event, @Out(value = LONG, count = "5") long times);

  /** Answers a question about an event. */
  @Call(171)
  @Query(context = 0x11D4, parent = 0x11D0, owners = 0x11D2, ends = 0x11D3)
  int clGetEventInfo(
      @Handle(EVENT) long event,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** Makes an event that the program completes. */
  @Call(172)
  int clCreateUserEvent(
      @Handle(CONTEXT) long context,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) @Returned long made);

  /** Completes an event of the program's. */
  @Call(173)
  int clSetUserEventStatus(@Handle(EVENT) long event, int status);

  /** Counts one more owner. */
  @Local
  default int clRetainEvent(@Handle(value = EVENT, life = RETAIN) long event) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Ends an event with its last owner. */
  @Call(174)
  @Async
  int clReleaseEvent(@Handle(value = EVENT, life = RELEASE) long event);

  /**
   * Has a function of the program run once an event has come so far; before the call returns where
   * it has already, and the function may make calls.
   */
  @Call(175)
  @Blocking
  @Custom(
      value = "a function of the program with more arguments",
      prototype =
          "int clSetEventCallback(cl_event event, int status, void (*notify)(cl_event, int, void"
              + " *), void *data)")
  int clSetEventCallback(
      @Handle(EVENT) long event,
      int status,
      @Callback(userData = "data", position = 2) long notify,
      long data);

  /** When an event's command was queued, begun and ended, in nanoseconds of the device. */
  @Call(176)
  @Custom("times that come with the end of a wait")
  int clGetEventProfilingInfo(
      @Handle(EVENT) long event,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** An event for all that was enqueued before. */
  @Call(177)
  @Takes(Resource.NOTHING)
  int clEnqueueMarker(
      @Handle(QUEUE) long queue, @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Has later commands wait for events. */
  @Call(178)
  @Takes(Resource.NOTHING)
  int clEnqueueWaitForEvents(
      @Handle(QUEUE) long queue,
      int count,
      @In(value = LONG, count = "count") @Handle(EVENT) long events);

  /** Has later commands wait for all that was enqueued before. */
  @Call(179)
  @Takes(Resource.NOTHING)
  int clEnqueueBarrier(@Handle(QUEUE) long queue);

  /** An event for other events, or for all that was enqueued before. */
  @Call(180)
  @Takes(Resource.NOTHING)
  int clEnqueueMarkerWithWaitList(
      @Handle(QUEUE) long queue,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Has later commands wait for events, or for all that was enqueued before. */
  @Call(181)
  @Takes(Resource.NOTHING)
  int clEnqueueBarrierWithWaitList(
      @Handle(QUEUE) long queue,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);
}
