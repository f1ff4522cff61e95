// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.opencl;

import io.outboard.backend.system.NativeBuffer;
import io.outboard.opencl.OpenClDriver;
import io.outboard.opencl.OpenClResult;
import io.outboard.wire.Limits;
import io.outboard.wire.Native;

/** Steps of a program that has built its kernels: each sets arguments, starts, waits and reads. */
final class OpenClWarmUpCalls {
  /** No objects: a library refuses whatever is to be done with them. */
  static final Objects NOTHING = new Objects(0, 0, 0);

  private static final long ROOM = 64 << 10;
  private static final long ALL_DEVICES = 0xFFFFFFFFL;
  private static final long PROFILING = 2;
  private static final int COMMAND_ENDED = 0x1283;
  private static final int EXECUTION_STATUS = 0x11D3;
  private static final int ARGUMENTS = 8;
  private static final int STARTS = 2;
  private static final int BYTES = 64;
  private static final int WAITS = 1;

  /** More than what lies in the rings of a warm-up; one step of so many brings as much. */
  private static final int LARGE = Limits.CHUNK / 2;

  private static final int STEPS_TO_LARGE = 32;

  private final OpenClDriver driver;
  private final Objects objects;
  // For the life of the process, as the code that is compiled for it.
  private final long place = new NativeBuffer(ROOM).address();
  private final long sizes = place + BYTES;
  private final long answer = sizes + BYTES;
  private final long event = answer + BYTES;
  private final long data = event + BYTES;
  private final long large = new NativeBuffer(LARGE).address();
  private long landings;
  private int steps;
  private int results;

  /** The objects of a step. */
  record Objects(long queue, long kernel, long buffer) {}

  OpenClWarmUpCalls(OpenClDriver driver, Objects objects) {
    this.driver = driver;
    this.objects = objects;
    Native.putLong(sizes, 1);
  }

  /** Makes the objects of a step. */
  static Objects open(OpenClDriver driver) {
    try (NativeBuffer room = new NativeBuffer(BYTES)) {
      long made = room.address();
      long platform = made(driver.clGetPlatformIDs(1, made, 0), made);
      long device = made(driver.clGetDeviceIDs(platform, ALL_DEVICES, 1, made, 0), made);
      long context = made(driver.clCreateContext(platform, 1, made, made), made);
      long queue = made(driver.clCreateCommandQueue(context, device, PROFILING, made), made);
      long program = made(driver.clCreateProgramWithSource(context, made, BYTES, made), made);
      Native.putLong(made, 'k');
      long kernel = made(driver.clCreateKernel(program, made, made), made);
      long buffer = made(driver.clCreateBuffer(context, 0, BYTES, 0, made), made);
      return new Objects(queue, kernel, buffer);
    }
  }

  private static long made(int result, long at) {
    return result == OpenClResult.SUCCESS ? Native.getLong(at) : 0;
  }

  /** Returns the results of all calls so far in one, success if all were that. */
  int make() {
    for (int i = 0; i < STARTS; i++) {
      set();
      start();
    }
    move();
    await();
    read();
    return results;
  }

  private void set() {
    for (int i = 0; i < ARGUMENTS; i++) {
      take(driver.clSetKernelArg(objects.kernel(), i, Integer.BYTES, place));
    }
    take(driver.outboardSetKernelObject(objects.kernel(), ARGUMENTS, objects.buffer()));
    take(driver.clSetKernelArg(objects.kernel(), ARGUMENTS + 1, BYTES, 0));
  }

  private void start() {
    take(driver.clReleaseEvent(startWithEvent()));
    take(driver.clEnqueueNDRangeKernel(objects.queue(), objects.kernel(), 1, 0, sizes, 0, 0, 0, 0));
  }

  /** Returns the event, 0 where there is none. */
  private long startWithEvent() {
    Native.putLong(event, 0);
    take(
        driver.clEnqueueNDRangeKernel(
            objects.queue(), objects.kernel(), 1, 0, sizes, sizes, 0, 0, event));
    return Native.getLong(event);
  }

  private void move() {
    long queue = objects.queue();
    long buffer = objects.buffer();
    take(driver.clEnqueueCopyBuffer(queue, buffer, buffer, 0, 0, BYTES, 0, 0, 0));
    take(driver.clEnqueueWriteBuffer(queue, buffer, 0, 0, BYTES, data, 0, 0, 0));
    take(driver.clEnqueueFillBuffer(queue, buffer, place, Integer.BYTES, 0, BYTES, 0, 0, 0));
    if (steps++ % STEPS_TO_LARGE == 0) {
      take(driver.clEnqueueWriteBuffer(queue, buffer, 0, 0, LARGE, large, 0, 0, 0));
    }
  }

  /** For the event of a last command, if there is one. */
  private void await() {
    long last = startWithEvent();
    take(driver.clFlush(objects.queue()));
    if (last != 0) {
      take(driver.outboardWaitTimed(last, answer));
    }
    take(driver.clWaitForEvents(last == 0 ? 0 : 1, last == 0 ? 0 : event));
    take(driver.clGetEventInfo(last, EXECUTION_STATUS, Integer.BYTES, answer, 0));
    take(driver.clGetEventProfilingInfo(last, COMMAND_ENDED, Long.BYTES, answer, 0));
    take(driver.clReleaseEvent(last));
  }

  private void read() {
    readLanding(0);
    readLanding(event);
    take(driver.clReleaseEvent(Native.getLong(event)));
    take(driver.outboardRead(objects.queue(), objects.buffer(), 0, BYTES, data, 0, 0));
    take(driver.clFinish(objects.queue()));
  }

  /** With an event of its own if it has a place for one. */
  private void readLanding(long own) {
    long landing = ++landings;
    take(
        driver.clEnqueueReadBuffer(
            objects.queue(), objects.buffer(), 0, 0, BYTES, landing, 0, 0, own));
    take(driver.outboardLand(landing, WAITS, 0, data, BYTES, BYTES));
  }

  private void take(int result) {
    results |= result;
  }
}
