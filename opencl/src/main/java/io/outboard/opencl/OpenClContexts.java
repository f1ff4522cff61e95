// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.CONTEXT;
import static io.outboard.opencl.OpenClKinds.DEVICE;
import static io.outboard.opencl.OpenClKinds.PLATFORM;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Handle.Life.RELEASE;
import static io.outboard.spec.Handle.Life.RETAIN;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Async;
import io.outboard.spec.Call;
import io.outboard.spec.Callback;
import io.outboard.spec.Custom;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Query;
import io.outboard.spec.Returned;
import io.outboard.spec.Within;

/** Contexts; OpenCL specification 3.0, section 4.4. */
public interface OpenClContexts {
  /**
   * Makes a context of some devices. Of its properties only the platform travels: things that a
   * program shares with a window system are not on the backend's machine.
   */
  @Call(20)
  @Custom(
      value = "objects in the properties",
      prototype =
          "cl_context clCreateContext(const intptr_t *properties, unsigned int count, const"
              + " cl_device_id *devices, void (*notify)(const char *, const void *, size_t, void"
              + " *), void *data, int *errcode_ret)",
      binding = true)
  int clCreateContext(
      @Handle(PLATFORM) long platform,
      int numDevices,
      @In(value = LONG, count = "numDevices") @Handle(DEVICE) long devices,
      @Out(LONG) @Handle(value = CONTEXT, life = CREATE) @Returned long made);

  /**
   * Makes a context whose program has a function for errors: it is run for each, and asks {@link
   * #outboardContextError} what there is.
   *
   * @param watcher a number of the frontend's for the function that is told
   */
  @Call(210)
  @Custom("a call of our own")
  int outboardCreateWatchedContext(
      @Handle(PLATFORM) long platform,
      int numDevices,
      @In(value = LONG, count = "numDevices") @Handle(DEVICE) long devices,
      long watcher,
      @Callback(userData = "data", repeated = true) long notify,
      long data,
      @Out(LONG) @Handle(value = CONTEXT, life = CREATE) @Returned long made);

  /**
   * Takes the next error that a watcher is to be told of, its text cut where there is less room;
   * {@link OpenClResult#NOT_READY} where there is none. The vendor's data that come with an error
   * stay here: there is no telling what they mean.
   */
  @Call(211)
  @Custom("a call of our own")
  int outboardContextError(long watcher, long size, @Out(bytes = "size") long text);

  /** Makes a context of the devices of a type: the frontend asks which these are. */
  @Local(
      prototype =
          "cl_context clCreateContextFromType(const intptr_t *properties, uint64_t type, void"
              + " (*notify)(const char *, const void *, size_t, void *), void *data, int"
              + " *errcode_ret)")
  default int clCreateContextFromType(
      long properties, long deviceType, long notify, long data, long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Counts one more owner. */
  @Local
  default int clRetainContext(@Handle(value = CONTEXT, life = RETAIN) long context) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Ends a context with its last owner. */
  @Call(21)
  @Async
  int clReleaseContext(@Handle(value = CONTEXT, life = RELEASE) long context);

  /** Answers a question about a context. */
  @Call(22)
  @Query(owners = 0x1080)
  int clGetContextInfo(
      @Handle(CONTEXT) long context,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** A function of the program that is told of a context's end. */
  @Local(
      prototype =
          "int clSetContextDestructorCallback(cl_context context, void (*notify)(cl_context, void"
              + " *), void *data)")
  default int clSetContextDestructorCallback(
      @Handle(CONTEXT) long context, long notify, long data) {
    return OpenClResult.INVALID_OPERATION;
  }
}
