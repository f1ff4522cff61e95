// SPDX-License-Identifier: Apache-2.0
package io.outboard.cuda;

import static io.outboard.cuda.CudaKinds.CONTEXT;
import static io.outboard.cuda.CudaKinds.EVENT;
import static io.outboard.cuda.CudaKinds.GREEN_CONTEXT;
import static io.outboard.cuda.CudaKinds.RESOURCES;
import static io.outboard.cuda.CudaKinds.STREAM;
import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.cuda.struct.DeviceResource;
import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Handle;
import io.outboard.spec.Handle.Life;
import io.outboard.spec.In;
import io.outboard.spec.InOut;
import io.outboard.spec.OrderedBy;
import io.outboard.spec.Ordinal;
import io.outboard.spec.Out;
import io.outboard.spec.Resource;
import io.outboard.spec.Takes;

/** Contexts that have a share of a device's multiprocessors; CUDA Driver API, section 6.34. */
public interface CudaGreenContexts {
  /** A resource of a device. */
  @Call(490)
  default int cuDeviceGetDevResource(
      @Ordinal int device, @Out(struct = DeviceResource.class) long resource, int type) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A resource of a context. */
  @Call(491)
  default int cuCtxGetDevResource(
      @Handle(CONTEXT) long context, @Out(struct = DeviceResource.class) long resource, int type) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A resource of a green context. */
  @Call(492)
  default int cuGreenCtxGetDevResource(
      @Handle(GREEN_CONTEXT) long context,
      @Out(struct = DeviceResource.class) long resource,
      int type) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Divides multiprocessors into groups; without room for them it says how many there would be. */
  @Call(493)
  default int cuDevSmResourceSplitByCount(
      @Out(struct = DeviceResource.class, count = "count") long groups,
      @InOut(INT) long count,
      @In(struct = DeviceResource.class) long whole,
      @Out(struct = DeviceResource.class) long rest,
      int flags,
      int least) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Puts resources together for a context. */
  @Call(494)
  default int cuDevResourceGenerateDesc(
      @Out(LONG) @Handle(RESOURCES) long description,
      @In(struct = DeviceResource.class, count = "count") long resources,
      int count) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes a green context. */
  @Call(495)
  @Takes(Resource.NOTHING)
  @Custom("the table of contexts by device")
  default int cuGreenCtxCreate(
      @Out(LONG) @Handle(value = GREEN_CONTEXT, life = Life.CREATE) long context,
      @Handle(RESOURCES) long description,
      @Ordinal int device,
      int flags) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Ends a green context. */
  @Call(496)
  @Blocking
  @Custom("the uses of the primary context")
  default int cuGreenCtxDestroy(@Handle(value = GREEN_CONTEXT, life = Life.DESTROY) long context) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The context that a green context is used by. */
  @Call(497)
  @Takes(Resource.NOTHING)
  @Custom("the table of contexts by device")
  default int cuCtxFromGreenCtx(
      @Out(LONG) @Handle(value = CONTEXT, life = Life.CREATE, parent = "green") long context,
      @Handle(GREEN_CONTEXT) long green) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Makes a stream of a green context. */
  @Call(498)
  default int cuGreenCtxStreamCreate(
      @Out(LONG) @Handle(value = STREAM, life = Life.CREATE, parent = "context") long stream,
      @Handle(GREEN_CONTEXT) long context,
      int flags,
      int priority) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Records an event behind all work of a green context. */
  @Call(499)
  default int cuGreenCtxRecordEvent(
      @Handle(GREEN_CONTEXT) long context, @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** Lets all later work of a green context wait for an event. */
  @Call(500)
  default int cuGreenCtxWaitEvent(
      @Handle(GREEN_CONTEXT) long context, @Handle(EVENT) @OrderedBy long event) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** A number that no other green context of the process has. */
  @Call(501)
  default int cuGreenCtxGetId(@Handle(GREEN_CONTEXT) long context, @Out(LONG) long id) {
    return CudaResult.NOT_SUPPORTED;
  }

  /** The green context of a stream, or null. */
  @Call(502)
  @Takes(Resource.NOTHING)
  default int cuStreamGetGreenCtx(
      @Handle(STREAM) long stream, @Out(LONG) @Handle(GREEN_CONTEXT) long context) {
    return CudaResult.NOT_SUPPORTED;
  }
}
