// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.DEVICE;
import static io.outboard.opencl.OpenClKinds.PLATFORM;
import static io.outboard.spec.Handle.Life.RELEASE;
import static io.outboard.spec.Handle.Life.RETAIN;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Async;
import io.outboard.spec.CString;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Found;
import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Local;
import io.outboard.spec.Out;
import io.outboard.spec.Query;
import io.outboard.spec.Within;

/** Platforms and devices; OpenCL specification 3.0, sections 4.1 to 4.3. */
public interface OpenClPlatforms {
  /** The platforms that there are. */
  @Call(1)
  int clGetPlatformIDs(
      int numEntries,
      @Out(value = LONG, count = "numEntries") @Handle(PLATFORM) long platforms,
      @Out(INT) long numPlatforms);

  /** Answers a question about a platform. */
  @Call(2)
  @Query
  int clGetPlatformInfo(
      @Handle(PLATFORM) long platform,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** The devices of a platform, of the types in a mask. */
  @Call(3)
  int clGetDeviceIDs(
      @Handle(PLATFORM) long platform,
      long deviceType,
      int numEntries,
      @Out(value = LONG, count = "numEntries") @Handle(DEVICE) long devices,
      @Out(INT) long numDevices);

  /** Answers a question about a device. */
  @Call(4)
  @Query(platform = 0x1031, parent = 0x1042, owners = 0x1047)
  int clGetDeviceInfo(
      @Handle(DEVICE) long device,
      int name,
      long size,
      @Out(bytes = "size") long value,
      @Out(LONG) @Within("value") long sizeRet);

  /** Divides a device; the list of properties ends with 0. */
  @Call(5)
  @Custom("the length of the properties, and more")
  int clCreateSubDevices(
      @Handle(DEVICE) long device,
      @In(value = LONG, count = "count") long properties,
      @Found int count,
      int numDevices,
      @Out(value = LONG, count = "numDevices") @Handle(DEVICE) long devices,
      @Out(INT) long numDevicesRet);

  /** Counts one more owner. */
  @Local
  default int clRetainDevice(@Handle(value = DEVICE, life = RETAIN) long device) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** Ends a device that is a part of another one, with its last owner. */
  @Call(6)
  @Async
  int clReleaseDevice(@Handle(value = DEVICE, life = RELEASE) long device);

  /** The times of a device and its host, in nanoseconds. */
  @Call(7)
  int clGetDeviceAndHostTimer(
      @Handle(DEVICE) long device, @Out(LONG) long deviceTimestamp, @Out(LONG) long hostTimestamp);

  /** The time of a device's host, in nanoseconds. */
  @Call(8)
  int clGetHostTimer(@Handle(DEVICE) long device, @Out(LONG) long hostTimestamp);

  /** A function of an extension. */
  @Local(prototype = "void *clGetExtensionFunctionAddress(const char *name)")
  default int clGetExtensionFunctionAddress(@CString long name) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** The loader that a program calls; the extension cl_loader_info. */
  @Local
  default int clGetICDLoaderInfoOCLICD(
      int name, long size, @Out(bytes = "size") long value, @Out(LONG) long sizeRet) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** A function of an extension of a platform. */
  @Local(
      prototype =
          "void *clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char"
              + " *name)")
  default int clGetExtensionFunctionAddressForPlatform(
      @Handle(PLATFORM) long platform, @CString long name) {
    return OpenClResult.INVALID_OPERATION;
  }
}
