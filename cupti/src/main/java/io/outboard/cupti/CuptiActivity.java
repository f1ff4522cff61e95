// SPDX-License-Identifier: Apache-2.0
package io.outboard.cupti;

import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Local;
import io.outboard.spec.Out;

/** Records of activity; CUPTI documentation, "CUPTI Activity API" and "CUPTI Version". */
public interface CuptiActivity {
  /** The version of this library. */
  @Local(prototype = "CUptiResult cuptiGetVersion(uint32_t *version)")
  default int cuptiGetVersion(@Out(INT) long version) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The clock of records, as the program sees it: nanoseconds of the time of day. */
  @Local(prototype = "CUptiResult cuptiGetTimestamp(uint64_t *timestamp)")
  default int cuptiGetTimestamp(@Out(LONG) long timestamp) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The name of a result. */
  @Local(prototype = "CUptiResult cuptiGetResultString(CUptiResult result, const char **text)")
  default int cuptiGetResultString(int result, @Out(LONG) long text) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The meaning of a result. */
  @Local(prototype = "CUptiResult cuptiGetErrorMessage(CUptiResult result, const char **text)")
  default int cuptiGetErrorMessage(int result, @Out(LONG) long text) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Functions of the program that give buffers for records, and take those that are full. */
  @Local(
      prototype =
          "CUptiResult cuptiActivityRegisterCallbacks(void (*requested)(uint8_t **buffer, size_t *size, size_t *most), void (*completed)(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid))")
  default int cuptiActivityRegisterCallbacks(long requested, long completed) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** A clock of the program for records. */
  @Local(prototype = "CUptiResult cuptiActivityRegisterTimestampCallback(uint64_t (*clock)(void))")
  default int cuptiActivityRegisterTimestampCallback(long clock) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Records of a kind from here on. */
  @Local(prototype = "CUptiResult cuptiActivityEnable(uint32_t kind)")
  default int cuptiActivityEnable(int kind) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** No more records of a kind. */
  @Local(prototype = "CUptiResult cuptiActivityDisable(uint32_t kind)")
  default int cuptiActivityDisable(int kind) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Whether calls of a function of the runtime are recorded. */
  @Local(prototype = "CUptiResult cuptiActivityEnableRuntimeApi(uint32_t function, uint8_t enable)")
  default int cuptiActivityEnableRuntimeApi(int function, byte enable) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Whether calls of a function of the driver are recorded. */
  @Local(prototype = "CUptiResult cuptiActivityEnableDriverApi(uint32_t function, uint8_t enable)")
  default int cuptiActivityEnableDriverApi(int function, byte enable) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Whether waits that failed are recorded, too. */
  @Local(prototype = "CUptiResult cuptiActivityEnableAllSyncRecords(uint8_t enable)")
  default int cuptiActivityEnableAllSyncRecords(byte enable) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Has the ranges and marks of NVTX told. */
  @Local(prototype = "CUptiResult cuptiNvtxInitialize2(void *tables)")
  default int cuptiNvtxInitialize2(long tables) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Times of events on devices: there are none, and asking for none works. */
  @Local(prototype = "CUptiResult cuptiActivityEnableCudaEventDeviceTimestamps(uint8_t enable)")
  default int cuptiActivityEnableCudaEventDeviceTimestamps(byte enable) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Times when kernels are queued and submitted: they stay unknown. */
  @Local(prototype = "CUptiResult cuptiActivityEnableLatencyTimestamps(uint8_t enable)")
  default int cuptiActivityEnableLatencyTimestamps(byte enable) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Tracing by hardware: there is none. */
  @Local(prototype = "CUptiResult cuptiActivityEnableHWTrace(uint8_t enable)")
  default int cuptiActivityEnableHWTrace(byte enable) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** A figure of the library; what is set is kept, and changes nothing. */
  @Local(
      prototype =
          "CUptiResult cuptiActivitySetAttribute(uint32_t attribute, size_t *bytes, void *value)")
  default int cuptiActivitySetAttribute(int attribute, long bytes, long value) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** A figure of the library. */
  @Local(
      prototype =
          "CUptiResult cuptiActivityGetAttribute(uint32_t attribute, size_t *bytes, void *value)")
  default int cuptiActivityGetAttribute(int attribute, long bytes, long value) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** A number of the program, to which the thread's calls from here on belong. */
  @Local(
      prototype = "CUptiResult cuptiActivityPushExternalCorrelationId(uint32_t kind, uint64_t id)")
  default int cuptiActivityPushExternalCorrelationId(int kind, long id) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The end of that. */
  @Local(
      prototype =
          "CUptiResult cuptiActivityPopExternalCorrelationId(uint32_t kind, uint64_t *last)")
  default int cuptiActivityPopExternalCorrelationId(int kind, @Out(LONG) long last) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** Completes records and hands out the buffers. */
  @Local(prototype = "CUptiResult cuptiActivityFlushAll(uint32_t flags)")
  default int cuptiActivityFlushAll(int flags) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** How often that happens by itself: never. */
  @Local(prototype = "CUptiResult cuptiActivityFlushPeriod(uint32_t milliseconds)")
  default int cuptiActivityFlushPeriod(int milliseconds) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** The next record of a buffer. */
  @Local(
      prototype =
          "CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record)")
  default int cuptiActivityGetNextRecord(long buffer, long valid, @Out(LONG) long record) {
    return CuptiResult.NOT_SUPPORTED;
  }

  /** How many records there was no room for. */
  @Local(
      prototype =
          "CUptiResult cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *dropped)")
  default int cuptiActivityGetNumDroppedRecords(long context, int stream, @Out(LONG) long dropped) {
    return CuptiResult.NOT_SUPPORTED;
  }
}
