// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

/**
 * Results of OpenCL, as far as something here returns or asks for them; specification 3.0, appendix
 * F.
 */
public final class OpenClResult {
  /** The call did what was asked. */
  public static final int SUCCESS = 0;

  /** The platform has no such device. */
  public static final int DEVICE_NOT_FOUND = -1;

  /** The device cannot be used: the backend is lost, for example. */
  public static final int DEVICE_NOT_AVAILABLE = -2;

  /** There is no memory for a memory object: the device has no more, or the session's lease. */
  public static final int MEM_OBJECT_ALLOCATION_FAILURE = -4;

  /** The device has not what it takes. */
  public static final int OUT_OF_RESOURCES = -5;

  /** Memory ran out on the way. */
  public static final int OUT_OF_HOST_MEMORY = -6;

  /** An argument is out of its range. */
  public static final int INVALID_VALUE = -30;

  /** Not a platform. */
  public static final int INVALID_PLATFORM = -32;

  /** Not a device. */
  public static final int INVALID_DEVICE = -33;

  /** Not a context. */
  public static final int INVALID_CONTEXT = -34;

  /** Not a queue. */
  public static final int INVALID_COMMAND_QUEUE = -36;

  /** The memory that a memory object is to be made of is not there, or not asked for. */
  public static final int INVALID_HOST_PTR = -37;

  /** Not a memory object. */
  public static final int INVALID_MEM_OBJECT = -38;

  /** Not a sampler. */
  public static final int INVALID_SAMPLER = -41;

  /** Not a binary for the device. */
  public static final int INVALID_BINARY = -42;

  /** Not a program. */
  public static final int INVALID_PROGRAM = -44;

  /** Not a kernel. */
  public static final int INVALID_KERNEL = -48;

  /** A list of events that has none, or something else. */
  public static final int INVALID_EVENT_WAIT_LIST = -57;

  /** Not an event. */
  public static final int INVALID_EVENT = -58;

  /** The device, or Outboard, has no such thing. */
  public static final int INVALID_OPERATION = -59;

  /** Not a command buffer; extension cl_khr_command_buffer. */
  public static final int INVALID_COMMAND_BUFFER = -1138;

  /** Of Outboard's own calls: not yet. */
  public static final int NOT_READY = 1;

  private OpenClResult() {}
}
