// SPDX-License-Identifier: Apache-2.0
package io.outboard.cupti;

import static io.outboard.spec.Scalar.INT;
import static io.outboard.spec.Scalar.LONG;

import io.outboard.spec.Blocking;
import io.outboard.spec.Call;
import io.outboard.spec.Custom;
import io.outboard.spec.Out;

/**
 * The project's own calls: records of what devices have done ({@link RecordForm} has their form).
 * They name calls by the sequences of their frames.
 */
public interface CuptiRecords {
  /**
   * Records work of these kinds from here on, bit k for {@code CUpti_ActivityKind} k; none ends it.
   * Records that are there stay.
   *
   * @param version of what records; 0 for the software GPU
   * @return {@link CuptiResult#NOT_INITIALIZED} where nothing can record
   */
  @Call(1)
  @Blocking
  @Custom("a call of our own: enabling what devices record")
  int outboardActivityEnable(long kinds, @Out(INT) long version);

  /**
   * Completes the records of work that is over.
   *
   * @param bytes of the first block of records, 0 where there is none
   * @param dropped how many records there was no room for since the last time
   */
  @Call(2)
  @Blocking
  @Custom("a call of our own: records that are to be taken")
  int outboardActivityFlush(@Out(LONG) long bytes, @Out(LONG) long dropped);

  /**
   * Takes the first block of records.
   *
   * @param bytes of it, exactly
   * @param next bytes of the block behind it, 0 where there is none
   */
  @Call(3)
  @Custom("a call of our own: a block of records")
  int outboardActivityTake(@Out(bytes = "bytes") long records, long bytes, @Out(LONG) long next);

  /** The clock of the records, in nanoseconds. */
  @Call(4)
  @Custom("a call of our own: the clock of records")
  int outboardActivityClock(@Out(LONG) long nanos);

  /**
   * The number that records have for something of the program's.
   *
   * @param what {@link RecordForm#CONTEXT_NUMBER} and those beside it
   * @param context handle of the context that it is in; 0 for graphs
   * @param object its handle, or a stream that CUDA has a value for
   * @return {@link CuptiResult#INVALID_PARAMETER} where there is no such thing, or it has no number
   */
  @Call(5)
  @Custom("a call of our own: the numbers that records have")
  int outboardActivityNumber(int what, long context, long object, @Out(LONG) long number);
}
