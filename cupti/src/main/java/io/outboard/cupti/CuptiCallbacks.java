// SPDX-License-Identifier: Apache-2.0
package io.outboard.cupti;

import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Local;
import io.outboard.spec.Out;

/** Functions of the program that are called; CUPTI documentation, "CUPTI Callback API". */
public interface CuptiCallbacks {
  /** Has a function of the program called. */
  @Local(
      prototype =
          "CUptiResult cuptiSubscribe(void **subscriber, void (*callback)(void *user, uint32_t domain, uint32_t function, const void *data), void *user)")
  default int cuptiSubscribe(@Out(LONG) long subscriber, long callback, long user) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The end of that. */
  @Local(prototype = "CUptiResult cuptiUnsubscribe(void *subscriber)")
  default int cuptiUnsubscribe(long subscriber) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Calls it at a point, or no more. */
  @Local(
      prototype =
          "CUptiResult cuptiEnableCallback(uint32_t enable, void *subscriber, uint32_t domain, uint32_t function)")
  default int cuptiEnableCallback(int enable, long subscriber, int domain, int function) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Calls it at each point of a domain, or no more. */
  @Local(
      prototype =
          "CUptiResult cuptiEnableDomain(uint32_t enable, void *subscriber, uint32_t domain)")
  default int cuptiEnableDomain(int enable, long subscriber, int domain) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Calls it everywhere, or no more. */
  @Local(prototype = "CUptiResult cuptiEnableAllDomains(uint32_t enable, void *subscriber)")
  default int cuptiEnableAllDomains(int enable, long subscriber) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Whether it is called at a point. */
  @Local(
      prototype =
          "CUptiResult cuptiGetCallbackState(uint32_t *enable, void *subscriber, uint32_t domain, uint32_t function)")
  default int cuptiGetCallbackState(
      @Out(INT) long enable, long subscriber, int domain, int function) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The name of a point. */
  @Local(
      prototype =
          "CUptiResult cuptiGetCallbackName(uint32_t domain, uint32_t function, const char **name)")
  default int cuptiGetCallbackName(int domain, int function, @Out(LONG) long name) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Which numbers threads have in records. */
  @Local(prototype = "CUptiResult cuptiSetThreadIdType(uint32_t type)")
  default int cuptiSetThreadIdType(int type) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The same. */
  @Local(prototype = "CUptiResult cuptiGetThreadIdType(uint32_t *type)")
  default int cuptiGetThreadIdType(@Out(INT) long type) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The end of all records and callbacks; names in records stay. */
  @Local(prototype = "CUptiResult cuptiFinalize(void)")
  default int cuptiFinalize() {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The device of a context. */
  @Local(prototype = "CUptiResult cuptiGetDeviceId(void *context, uint32_t *device)")
  default int cuptiGetDeviceId(long context, @Out(INT) long device) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The number of a context, as records have it. */
  @Local(prototype = "CUptiResult cuptiGetContextId(void *context, uint32_t *number)")
  default int cuptiGetContextId(long context, @Out(INT) long number) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The number of a stream, as records have it. */
  @Local(prototype = "CUptiResult cuptiGetStreamId(void *context, void *stream, uint32_t *number)")
  default int cuptiGetStreamId(long context, long stream, @Out(INT) long number) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The same. */
  @Local(
      prototype =
          "CUptiResult cuptiGetStreamIdEx(void *context, void *stream, uint8_t perThread, uint32_t *number)")
  default int cuptiGetStreamIdEx(long context, long stream, byte perThread, @Out(INT) long number) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The number of a graph. */
  @Local(prototype = "CUptiResult cuptiGetGraphId(void *graph, uint32_t *number)")
  default int cuptiGetGraphId(long graph, @Out(INT) long number) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The number of a graph that can be launched, as records have it. */
  @Local(prototype = "CUptiResult cuptiGetGraphExecId(void *executable, uint32_t *number)")
  default int cuptiGetGraphExecId(long executable, @Out(INT) long number) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The number of a node. */
  @Local(prototype = "CUptiResult cuptiGetGraphNodeId(void *node, uint64_t *number)")
  default int cuptiGetGraphNodeId(long node, @Out(LONG) long number) {
    return CuptiResult.NOT_SUPPORTED;
  }
}
