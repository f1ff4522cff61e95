// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.CONTEXT;
import static io.outboard.opencl.OpenClKinds.EVENT;
import static io.outboard.opencl.OpenClKinds.KERNEL;
import static io.outboard.opencl.OpenClKinds.MEMORY;
import static io.outboard.opencl.OpenClKinds.QUEUE;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Async;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.DevicePointer;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Returned;
import io.outboard.spec.Takes;

/**
 * Shared virtual memory, coarse-grained: OpenCL specification 3.0, section 5.6. Program and device
 * have it at one address, each its own pages. The frontend reads the parts that the program maps,
 * and writes those that it unmaps. Finer sharing needs one memory, which there is not.
 */
public interface OpenClSvm {
  /** Allocates it on both sides. */
  @Local(
      prototype =
          "void *clSVMAlloc(cl_context context, uint64_t flags, size_t size, unsigned int"
              + " alignment)")
  default int clSVMAlloc(@Handle(CONTEXT) long context, long flags, long size, int alignment) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Frees it on both sides. */
  @Local(prototype = "void clSVMFree(cl_context context, void *pointer)")
  default int clSVMFree(@Handle(CONTEXT) long context, long pointer) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Frees some of it when commands are over. */
  @Local(
      prototype =
          "int clEnqueueSVMFree(cl_command_queue queue, unsigned int count, void *pointers[], void"
              + " (*free_function)(cl_command_queue, unsigned int, void **, void *), void *data,"
              + " unsigned int waits, const cl_event *wait_list, cl_event *event)")
  default int clEnqueueSVMFree(
      long queue,
      int count,
      long pointers,
      long function,
      long data,
      int waits,
      long waitList,
      long event) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Has the program see what the device has. */
  @Local(
      prototype =
          "int clEnqueueSVMMap(cl_command_queue queue, unsigned int blocking, uint64_t flags, void"
              + " *pointer, size_t size, unsigned int waits, const cl_event *wait_list, cl_event"
              + " *event)")
  default int clEnqueueSVMMap(
      long queue,
      int blocking,
      long flags,
      long pointer,
      long size,
      int waits,
      long waitList,
      long event) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Has the device see what the program has. */
  @Local(
      prototype =
          "int clEnqueueSVMUnmap(cl_command_queue queue, void *pointer, unsigned int waits, const"
              + " cl_event *wait_list, cl_event *event)")
  default int clEnqueueSVMUnmap(long queue, long pointer, int waits, long waitList, long event) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Copies, where either place may be the program's other memory. */
  @Local(
      prototype =
          "int clEnqueueSVMMemcpy(cl_command_queue queue, unsigned int blocking, void *to, const"
              + " void *from, size_t size, unsigned int waits, const cl_event *wait_list, cl_event"
              + " *event)")
  default int clEnqueueSVMMemcpy(
      long queue,
      int blocking,
      long to,
      long from,
      long size,
      int waits,
      long waitList,
      long event) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Allocates whole pages of it on the device's side; says where. */
  @Call(200)
  @Takes(value = Resource.MEMORY, bytes = "size", of = "context", at = "address")
  @Custom("a call of our own")
  int outboardSvmAllocate(@Handle(CONTEXT) long context, long size, @Out(LONG) long address);

  /** Frees what was allocated at an address. */
  @Call(201)
  @Takes(value = Resource.MEMORY, ends = "address")
  @Async
  @Custom("a call of our own")
  int outboardSvmFree(@Handle(CONTEXT) long context, long address);

  /** Gives a kernel an address as an argument. */
  @Call(202)
  @Custom(
      value = "arguments that are set",
      prototype =
          "int clSetKernelArgSVMPointer(cl_kernel kernel, unsigned int index, const void *value)")
  int clSetKernelArgSVMPointer(@Handle(KERNEL) long kernel, int index, long value);

  /** Names the memory that a kernel uses beside its arguments. */
  @Call(203)
  int clSetKernelExecInfo(
      @Handle(KERNEL) long kernel, int name, long size, @In(bytes = "size") long value);

  /** Reads; the data land ({@link OpenClTransfers#outboardLand}). */
  @Call(204)
  @Takes(Resource.NOTHING)
  @Async
  @Custom("a call of our own")
  int outboardSvmRead(
      @Handle(QUEUE) long queue,
      long from,
      long size,
      long landing,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Writes. */
  @Call(205)
  @Takes(Resource.NOTHING)
  @Custom("a call of our own")
  int outboardSvmWrite(
      @Handle(QUEUE) long queue,
      long to,
      long size,
      @In(bytes = "size") long data,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Copies from one place of it to another. */
  @Call(206)
  @Takes(value = Resource.COMPUTE, of = "queue")
  @Custom("a call of our own")
  int outboardSvmCopy(
      @Handle(QUEUE) long queue,
      long to,
      long from,
      long size,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Fills with a pattern. */
  @Call(207)
  @Takes(value = Resource.COMPUTE, of = "queue")
  int clEnqueueSVMMemFill(
      @Handle(QUEUE) long queue,
      @DevicePointer long to,
      @In(bytes = "patternSize") long pattern,
      long patternSize,
      long size,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Has memory be where it is wanted next. */
  @Call(208)
  @Takes(value = Resource.COMPUTE, of = "queue")
  int clEnqueueSVMMigrateMem(
      @Handle(QUEUE) long queue,
      int count,
      @In(value = LONG, count = "count") @DevicePointer long pointers,
      @In(value = LONG, count = "count") long sizes,
      long flags,
      int waits,
      @In(value = LONG, count = "waits")
          @Handle(value = EVENT, invalid = OpenClResult.INVALID_EVENT_WAIT_LIST)
          long waitList,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) long event);

  /** Makes a buffer whose memory is a part of it. */
  @Call(209)
  @Takes(Resource.NOTHING)
  @Custom("a call of our own")
  int outboardSvmBuffer(
      @Handle(CONTEXT) long context,
      long flags,
      long size,
      long address,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made);
}
