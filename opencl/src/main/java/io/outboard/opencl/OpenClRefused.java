// SPDX-License-Identifier: Apache-2.0
package io.outboard.opencl;

import static io.outboard.opencl.OpenClKinds.CONTEXT;
import static io.outboard.opencl.OpenClKinds.EVENT;
import static io.outboard.opencl.OpenClKinds.MEMORY;
import static io.outboard.spec.Handle.Life.CREATE;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Handle;
import io.outboard.spec.In;
import io.outboard.spec.Out;
import io.outboard.spec.Refused;
import io.outboard.spec.Returned;

/** Functions that are not implemented, where their shape is not that of other functions. */
public interface OpenClRefused {
  /** A buffer of OpenGL's. */
  @Refused
  default int clCreateFromGLBuffer(
      @Handle(CONTEXT) long context,
      long flags,
      int name,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** A texture of OpenGL's. */
  @Refused
  default int clCreateFromGLTexture(
      @Handle(CONTEXT) long context,
      long flags,
      int target,
      int level,
      int texture,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** A texture of OpenGL's. */
  @Refused
  default int clCreateFromGLTexture2D(
      @Handle(CONTEXT) long context,
      long flags,
      int target,
      int level,
      int texture,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** A texture of OpenGL's. */
  @Refused
  default int clCreateFromGLTexture3D(
      @Handle(CONTEXT) long context,
      long flags,
      int target,
      int level,
      int texture,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** A render buffer of OpenGL's. */
  @Refused
  default int clCreateFromGLRenderbuffer(
      @Handle(CONTEXT) long context,
      long flags,
      int name,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** An image of EGL's. */
  @Refused
  default int clCreateFromEGLImageKHR(
      @Handle(CONTEXT) long context,
      long display,
      long image,
      long flags,
      @In(LONG) long properties,
      @Out(LONG) @Handle(value = MEMORY, life = CREATE) @Returned long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** An event of OpenGL's. */
  @Refused
  default int clCreateEventFromGLsyncKHR(
      @Handle(CONTEXT) long context,
      long sync,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) @Returned long made) {
    return OpenClResult.INVALID_OPERATION;
  }

  /** An event of EGL's. */
  @Refused
  default int clCreateEventFromEGLSyncKHR(
      @Handle(CONTEXT) long context,
      long sync,
      long display,
      @Out(LONG) @Handle(value = EVENT, life = CREATE) @Returned long made) {
    return OpenClResult.INVALID_OPERATION;
  }
}
