// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.DEVICE;
import static io.outboard.opencl.OpenClKinds.EVENT;
import static io.outboard.opencl.OpenClKinds.KERNEL;
import static io.outboard.opencl.OpenClKinds.MEMORY;
import static io.outboard.opencl.OpenClKinds.PROGRAM;
import static io.outboard.opencl.OpenClKinds.QUEUE;
import static io.outboard.opencl.OpenClKinds.SAMPLER;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Handle.Life.RELEASE;
import static io.outboard.spec.Handle.Life.RETAIN;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Alike;
import io.outboard.spec.Async;
import io.outboard.spec.CString;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Query;
import io.outboard.spec.Resource;
import io.outboard.spec.Returned;
import io.outboard.spec.Takes;
import io.outboard.spec.Variants;
import io.outboard.spec.Within;

/** Kernels and their starts; OpenCL specification 3.0, sections 5.9 and 5.10. */
public interface OpenClKernels {
  /** Makes a kernel of a program's function. */
  @Call(140)
  @Custom("the choice to post, and what another kernel of the function has learnt")
  int clCreateKernel(
      @Handle(PROGRAM) long program,
      @CString long name,
      @Out(LONG) @Handle(value = KERNEL, life = CREATE) @Returned long made);

  /** The same, posted where the program has had a kernel of the function. */
  @Call(242)
  @Async
  @Custom(value = "a call of our own", binding = true)
  int outboardCreateKernel(
      @Handle(PROGRAM) long program,
      @CString long name,
      @Out(LONG) @Handle(value = KERNEL, life = CREATE) long made);

  /** Makes the kernels of all of a program's functions. */
  @Call(141)
  int clCreateKernelsInProgram(
      @Handle(PROGRAM) long program,
      int numKernels,
      @Out(value = LONG, count = "numKernels") @Handle(KERNEL) long kernels,
      @Out(INT) long numKernelsRet);

  /** Makes a kernel with the arguments of another one. */
  @Call(142)
  @Alike
  int clCloneKernel(
      @Handle(KERNEL) long source,
      @Out(LONG) @Handle(value = KERNEL, life = CREATE) @Returned long made);

  /** Counts one more owner. */
  @Local
  default int clRetainKernel(@Handle(value = KERNEL, life = RETAIN) long kernel) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Ends a kernel with its last owner. */
  @Call(143)
  @Async
  int clReleaseKernel(@Handle(value = KERNEL, life = RELEASE) long kernel);

  /** Sets an argument that is a value, or memory that work-items share (null). */
  @Call(144)
  @Async
  @Custom("arguments that are objects, and the choice to post")
  int clSetKernelArg(
      @Handle(KERNEL) long kernel, int index, long size, @In(bytes = "size") long value);

  /** Sets an argument that is an object. */
  @Call(145)
  @Takes(Resource.NOTHING)
  @Async
  @Custom(value = "a call of our own", binding = true)
  int outboardSetKernelObject(
      @Handle(KERNEL) long kernel, int index, @Handle({MEMORY, SAMPLER, QUEUE}) long object);

  /** Answers a question about a kernel. */
  @Call(146)
  @Query(context = 0x1193, parent = 0x1194, owners = 0x1192)
  int clGetKernelInfo(
      @Handle(KERNEL) long kernel,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** Answers a question about a kernel on a device. */
  @Call(147)
  @Custom("answers that stay while the arguments do")
  int clGetKernelWorkGroupInfo(
      @Handle(KERNEL) long kernel,
      @Handle(DEVICE) long device,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** Answers a question about a kernel's argument. */
  @Call(148)
  int clGetKernelArgInfo(
      @Handle(KERNEL) long kernel,
      int index,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** Answers a question about a kernel's sub-groups on a device. */
  @Call(149)
  @Variants("clGetKernelSubGroupInfoKHR")
  int clGetKernelSubGroupInfo(
      @Handle(KERNEL) long kernel,
      @Handle(DEVICE) long device,
      int name,
      long inputSize,
      @In(bytes = "inputSize") long input,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** Starts a kernel: posted where nothing can be wrong with it that the frontend would see. */
  @Call(150)
  @Takes(value = Resource.COMPUTE, of = "queue")
  @Async
  @Custom("the choice to post")
  int clEnqueueNDRangeKernel(
      @Handle(QUEUE) long queue,
      @Handle(KERNEL) long kernel,
      int dimensions,
      @In(value = LONG, count = "dimensions") long globalOffset,
      @In(value = LONG, count = "dimensions") long globalSize,
      @In(value = LONG, count = "dimensions") long localSize,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Starts a kernel of one work-item. */
  @Call(151)
  @Takes(value = Resource.COMPUTE, of = "queue")
  int clEnqueueTask(
      @Handle(QUEUE) long queue,
      @Handle(KERNEL) long kernel,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);
}
