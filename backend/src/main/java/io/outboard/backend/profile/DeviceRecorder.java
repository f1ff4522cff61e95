// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.profile;

/** The part of a profiler that sees what devices do. */
interface DeviceRecorder {
  /**
   * Records work of these kinds from here on, bit k for {@code CUpti_ActivityKind} k.
   *
   * @return a result ({@link io.outboard.cupti.CuptiResult})
   */
  int enable(long kinds);

  /** The version of what records; 0 for the software GPU. */
  int version();

  /** The thread issues the call of this sequence. */
  void issues(long sequence);

  /** Completes the records of work that is over. */
  void flush();

  /** Completes a block of records before it is handed out. */
  void complete(long block, long bytes);

  /**
   * The number that records have for an object, by its native value.
   *
   * @param what as in {@link io.outboard.cupti.RecordForm#CONTEXT_NUMBER} and those beside it
   * @param context of streams
   * @return 0 where it has none
   */
  long number(int what, long context, long object);
}
