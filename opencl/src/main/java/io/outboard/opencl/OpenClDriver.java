// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.COMMAND_BUFFER;
import static io.outboard.opencl.OpenClKinds.CONTEXT;
import static io.outboard.opencl.OpenClKinds.DEVICE;
import static io.outboard.opencl.OpenClKinds.EVENT;
import static io.outboard.opencl.OpenClKinds.KERNEL;
import static io.outboard.opencl.OpenClKinds.MEMORY;
import static io.outboard.opencl.OpenClKinds.PLATFORM;
import static io.outboard.opencl.OpenClKinds.PROGRAM;
import static io.outboard.opencl.OpenClKinds.QUEUE;
import static io.outboard.opencl.OpenClKinds.SAMPLER;

import io.outboard.spec.Holds;
import io.outboard.spec.Kind;
import io.outboard.spec.Library;
import io.outboard.spec.Results;

/**
 * OpenCL ({@code libOpenCL.so.1}), after the OpenCL specification 3.0. Everything that serves it is
 * an {@code OpenClDriver}: the host's library, the client of a remote one.
 *
 * <p>Methods have the vendor's names, order of parameters and result codes; the last parameter
 * takes the object that a function makes and returns. Pointers are addresses in this process. A
 * null handle goes to the host's library, which knows its code for it.
 */
@Library(
    name = "opencl",
    id = 3,
    soname = "libOpenCL.so.1",
    addressType = "void *",
    versionNodes = "OPENCL_",
    objects = true,
    kinds = {
      @Kind(
          id = PLATFORM,
          name = "platform",
          type = "cl_platform_id",
          holds = Holds.NOTHING,
          invalid = OpenClResult.INVALID_PLATFORM,
          specials = 0),
      @Kind(
          id = DEVICE,
          name = "device",
          type = "cl_device_id",
          holds = Holds.NOTHING,
          invalid = OpenClResult.INVALID_DEVICE,
          specials = 0),
      @Kind(
          id = CONTEXT,
          name = "context",
          type = "cl_context",
          holds = Holds.NOTHING,
          invalid = OpenClResult.INVALID_CONTEXT,
          specials = 0),
      @Kind(
          id = QUEUE,
          name = "queue",
          type = "cl_command_queue",
          holds = Holds.WORK,
          invalid = OpenClResult.INVALID_COMMAND_QUEUE,
          specials = 0),
      @Kind(
          id = MEMORY,
          name = "memory",
          type = "cl_mem",
          holds = Holds.MEMORY,
          invalid = OpenClResult.INVALID_MEM_OBJECT,
          specials = 0),
      @Kind(
          id = SAMPLER,
          name = "sampler",
          type = "cl_sampler",
          holds = Holds.NOTHING,
          invalid = OpenClResult.INVALID_SAMPLER,
          specials = 0),
      @Kind(
          id = PROGRAM,
          name = "program",
          type = "cl_program",
          holds = Holds.NOTHING,
          invalid = OpenClResult.INVALID_PROGRAM,
          specials = 0),
      @Kind(
          id = KERNEL,
          name = "kernel",
          type = "cl_kernel",
          holds = Holds.NOTHING,
          invalid = OpenClResult.INVALID_KERNEL,
          specials = 0),
      @Kind(
          id = EVENT,
          name = "event",
          type = "cl_event",
          holds = Holds.NOTHING,
          invalid = OpenClResult.INVALID_EVENT,
          specials = 0),
      @Kind(
          id = COMMAND_BUFFER,
          name = "commandbuffer",
          type = "cl_command_buffer_khr",
          holds = Holds.NOTHING,
          invalid = OpenClResult.INVALID_COMMAND_BUFFER)
    },
    results =
        @Results(
            invalidValue = OpenClResult.INVALID_VALUE,
            notSupported = OpenClResult.INVALID_OPERATION,
            notInitialized = OpenClResult.DEVICE_NOT_AVAILABLE,
            unavailable = OpenClResult.DEVICE_NOT_AVAILABLE,
            outOfMemory = OpenClResult.OUT_OF_HOST_MEMORY,
            outOfDeviceMemory = OpenClResult.MEM_OBJECT_ALLOCATION_FAILURE))
public interface OpenClDriver
    extends OpenClPlatforms,
        OpenClContexts,
        OpenClQueues,
        OpenClMemory,
        OpenClImages,
        OpenClTransfers,
        OpenClPrograms,
        OpenClKernels,
        OpenClEvents,
        OpenClSvm,
        OpenClCommandBuffers,
        OpenClRefused {}
