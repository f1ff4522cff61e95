// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;

/**
 * Result codes ({@code CUresult}) that the project itself returns or looks at; CUDA Driver API,
 * "Data types used by CUDA driver".
 */
public final class CudaResult {
  /** The call did what was asked. */
  public static final int SUCCESS = 0;

  /** A parameter is out of its range. */
  public static final int INVALID_VALUE = 1;

  /** The device or the backend has not enough memory. */
  public static final int OUT_OF_MEMORY = 2;

  /** {@code cuInit} was not called, or this is the child of a forked process. */
  public static final int NOT_INITIALIZED = 3;

  /** The device cannot be used now: the backend is lost or was never there. */
  public static final int DEVICE_UNAVAILABLE = 46;

  /** There is no device. */
  public static final int NO_DEVICE = 100;

  /** There is no device of this ordinal. */
  public static final int INVALID_DEVICE = 101;

  /** The image is neither PTX nor a container that holds something usable. */
  public static final int INVALID_IMAGE = 200;

  /** There is no such context, or none is current. */
  public static final int INVALID_CONTEXT = 201;

  /** The memory or the resource cannot be mapped. */
  public static final int MAP_FAILED = 205;

  /** The resource is mapped. */
  public static final int ALREADY_MAPPED = 208;

  /** The container holds no image for this device. */
  public static final int NO_BINARY_FOR_GPU = 209;

  /** The resource is not mapped. */
  public static final int NOT_MAPPED = 211;

  /** The resource is mapped, and has no array. */
  public static final int NOT_MAPPED_AS_ARRAY = 212;

  /** The resource is mapped, and has no address. */
  public static final int NOT_MAPPED_AS_POINTER = 213;

  /** The PTX text cannot be compiled. */
  public static final int INVALID_PTX = 218;

  /** No OpenGL context is current to the thread. */
  public static final int INVALID_GRAPHICS_CONTEXT = 219;

  /** The PTX text is of a version that came after this driver. */
  public static final int UNSUPPORTED_PTX_VERSION = 222;

  /** The file does not exist or cannot be read. */
  public static final int FILE_NOT_FOUND = 301;

  /** A handle is wrong. */
  public static final int INVALID_HANDLE = 400;

  /** The code to compile or link is wrong, or lacks something. */
  public static final int INVALID_SOURCE = 300;

  /** No device can use the memory of that one. */
  public static final int PEER_ACCESS_UNSUPPORTED = 217;

  /** The object is in a state in which this cannot be done. */
  public static final int ILLEGAL_STATE = 401;

  /** No function or variable has this name. */
  public static final int NOT_FOUND = 500;

  /** Work is still under way; not an error. */
  public static final int NOT_READY = 600;

  /** A kernel touched memory that is not its own; the context is lost. */
  public static final int ILLEGAL_ADDRESS = 700;

  /** The launch asks for more than the device or the function has. */
  public static final int LAUNCH_OUT_OF_RESOURCES = 701;

  /** A kernel ran for longer than it may; the context is lost. */
  public static final int LAUNCH_TIMEOUT = 702;

  /** The memory of that context can be used already. */
  public static final int PEER_ACCESS_ALREADY_ENABLED = 704;

  /** The memory of that context cannot be used. */
  public static final int PEER_ACCESS_NOT_ENABLED = 705;

  /** The primary context is active already with other flags. */
  public static final int PRIMARY_CONTEXT_ACTIVE = 708;

  /** The context has been destroyed. */
  public static final int CONTEXT_IS_DESTROYED = 709;

  /** A device-side assert failed; the context is lost. */
  public static final int ASSERT = 710;

  /** The host range is registered already. */
  public static final int HOST_MEMORY_ALREADY_REGISTERED = 712;

  /** The host range is not registered. */
  public static final int HOST_MEMORY_NOT_REGISTERED = 713;

  /** A kernel overflowed its stack. */
  public static final int HARDWARE_STACK_ERROR = 714;

  /** A kernel hit an illegal instruction or a trap; the context is lost. */
  public static final int ILLEGAL_INSTRUCTION = 715;

  /** A kernel made a misaligned access; the context is lost. */
  public static final int MISALIGNED_ADDRESS = 716;

  /** A kernel used an address of another space than its instruction allows; the context is lost. */
  public static final int INVALID_ADDRESS_SPACE = 717;

  /** A kernel's program counter left its code; the context is lost. */
  public static final int INVALID_PC = 718;

  /** A kernel failed otherwise; the context is lost. */
  public static final int LAUNCH_FAILED = 719;

  /** The call is not permitted: in a function that the driver runs for the program, say. */
  public static final int COOPERATIVE_LAUNCH_TOO_LARGE = 720;

  public static final int NOT_PERMITTED = 800;

  /** The function is not implemented. */
  public static final int NOT_SUPPORTED = 801;

  /** The operation is not permitted while a stream captures. */
  public static final int STREAM_CAPTURE_UNSUPPORTED = 900;

  /** An error has ended the capture. */
  public static final int STREAM_CAPTURE_INVALIDATED = 901;

  /** The operation would merge two captures. */
  public static final int STREAM_CAPTURE_MERGE = 902;

  /** The capture did not begin in this stream. */
  public static final int STREAM_CAPTURE_UNMATCHED = 903;

  /** A stream that joined the capture did not come back to it. */
  public static final int STREAM_CAPTURE_UNJOINED = 904;

  /** The operation would make the capture depend on work outside of it. */
  public static final int STREAM_CAPTURE_ISOLATION = 905;

  /** The capture would depend on the legacy stream. */
  public static final int STREAM_CAPTURE_IMPLICIT = 906;

  /** The event was last recorded in a capture. */
  public static final int CAPTURED_EVENT = 907;

  /** An executable graph could not be updated. */
  public static final int GRAPH_EXEC_UPDATE_FAILURE = 910;

  /** The function that is asked about has not been loaded yet. */
  public static final int FUNCTION_NOT_LOADED = 913;

  /** A resource is not of the type that the call takes. */
  public static final int INVALID_RESOURCE_TYPE = 914;

  /** A resource cannot be divided like this. */
  public static final int INVALID_RESOURCE_CONFIGURATION = 915;

  /** Something else went wrong. */
  public static final int UNKNOWN = 999;

  /** The vendor's name of a result that has a constant here, else {@code CUDA_ERROR_UNKNOWN}. */
  public static String name(int result) {
    return NAMES.getOrDefault(result, "CUDA_ERROR_UNKNOWN");
  }

  private static final Map<Integer, String> NAMES = names();

  private static Map<Integer, String> names() {
    Map<Integer, String> names = new HashMap<>();
    for (Field constant : CudaResult.class.getFields()) {
      try {
        names.put(constant.getInt(null), "CUDA_ERROR_" + constant.getName());
      } catch (IllegalAccessException e) {
        throw new AssertionError("public fields can be read", e);
      }
    }
    names.put(SUCCESS, "CUDA_SUCCESS");
    return names;
  }

  private CudaResult() {}
}
