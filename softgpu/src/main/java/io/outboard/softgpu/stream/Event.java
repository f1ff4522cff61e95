// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.stream;

import io.outboard.cuda.CudaResult;
import io.outboard.softgpu.base.Handled;
import io.outboard.softgpu.device.Context;
import io.outboard.softgpu.device.Operation;
import io.outboard.softgpu.device.Stream;
import io.outboard.softgpu.device.StreamCapture;
import io.outboard.softgpu.share.SharedMark;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** A mark in a stream's work. An event that was never recorded counts as complete. */
public final class Event extends Handled {
  /** {@code CU_EVENT_BLOCKING_SYNC}: changes nothing here, waiting never spins. */
  static final int BLOCKING_SYNC = 1;

  /** {@code CU_EVENT_DISABLE_TIMING}. */
  static final int DISABLE_TIMING = 2;

  /** {@code CU_EVENT_INTERPROCESS}. */
  static final int INTERPROCESS = 4;

  private final Context context;
  private final int flags;

  /** Its state where other processes may have it too, else null. */
  private final SharedMark mark;

  /** Where it was last recorded, if that was in a capture, else null. */
  private volatile StreamCapture.Point captured;

  private volatile boolean recorded;

  /** When the work was done, if there was none to wait for at the latest recording. */
  private volatile long nanoTime;

  /** The latest recording that stands in a stream; null if it was done at once. */
  private volatile Recording queued;

  private static final long PAUSE_NANOS = 20_000;

  /**
   * One recording that has to wait: the operation that stands in the stream, or in a graph that is
   * launched in none that is known here.
   */
  private static final class Recording extends Operation {
    private Stream stream;
    private long sequence;
    private volatile long nanoTime;
    private volatile boolean done;

    @Override
    public boolean always() {
      return true;
    }

    @Override
    public void perform(Context context) {
      nanoTime = System.nanoTime();
      done = true;
    }

    void await(Context context) {
      if (stream != null) {
        stream.await(sequence);
      }
      while (!done && !context.isOver()) {
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  /** Waits for a recording in a graph. */
  private static final class RecordingWait extends Operation {
    private final Recording awaited;

    RecordingWait(Recording awaited) {
      this.awaited = awaited;
    }

    @Override
    public void perform(Context context) {
      awaited.await(context);
    }
  }

  /** A recording that is asked for now, and done when the operation is. */
  Operation ask() {
    if (mark != null) {
      return new MarkRecord(mark);
    }
    Recording recording = new Recording();
    captured = null;
    queued = recording;
    recorded = true;
    return recording;
  }

  public Event(Context context, int flags) {
    this.context = context;
    this.flags = flags & ~INTERPROCESS;
    this.mark = (flags & INTERPROCESS) != 0 ? SharedMark.create() : null;
  }

  /** An event of another process. */
  public Event(Context context, SharedMark mark) {
    this.context = context;
    this.flags = DISABLE_TIMING;
    this.mark = mark;
  }

  /** The mark that other processes share, or null. */
  public SharedMark mark() {
    return mark;
  }

  /** Whether there are events of these flags; other processes cannot be told times. */
  public static boolean isPossible(int flags) {
    boolean untimed = (flags & INTERPROCESS) == 0 || (flags & DISABLE_TIMING) != 0;
    return untimed && (flags & ~(BLOCKING_SYNC | DISABLE_TIMING | INTERPROCESS)) == 0;
  }

  public Context context() {
    return context;
  }

  boolean isTimed() {
    return (flags & DISABLE_TIMING) == 0;
  }

  /** Marks the end of the work that is now in a stream. */
  public void record(Stream stream) {
    StreamCapture recording = stream.capture();
    captured = recording == null ? null : recording.at(stream);
    if (recording != null) {
      return;
    }
    if (mark != null) {
      stream.context().order().submit(stream, new MarkRecord(mark));
      stream.wake();
      return;
    }
    mark(stream);
  }

  /** Marks the end of the work that is now in some streams of its context. */
  public void record(List<Stream> streams, Stream marks) {
    captured = null;
    Operation operation = mark != null ? new MarkRecord(mark) : new Recording();
    for (Stream stream : streams) {
      stream.markEnd(operation);
    }
    long sequence = marks.context().order().submit(marks, operation);
    if (operation instanceof Recording recording) {
      recording.stream = marks;
      recording.sequence = sequence;
      queued = recording;
      recorded = true;
    }
    marks.wake();
  }

  /** The capture that it was last recorded in, or null. */
  public StreamCapture capture() {
    StreamCapture.Point point = captured;
    return point == null ? null : point.capture();
  }

  /** The point of that capture that it stands for, or null. */
  public StreamCapture.Point captured() {
    return captured;
  }

  private void mark(Stream stream) {
    if (stream.context().order().isClear(stream)) {
      nanoTime = System.nanoTime();
      queued = null;
    } else {
      queued = enqueue(stream);
    }
    recorded = true;
  }

  private static Recording enqueue(Stream stream) {
    Recording recording = new Recording();
    recording.stream = stream;
    recording.sequence = stream.context().order().submit(stream, recording);
    stream.wake();
    return recording;
  }

  /** Whether it marks any work; what other processes share may be recorded by them. */
  public boolean isRecorded() {
    return recorded || mark != null;
  }

  /** Whether the work before the latest recording is done. */
  public boolean isComplete() {
    Recording recording = queued;
    return mark != null ? mark.isComplete() : recording == null || recording.done;
  }

  /** Waits until the work before the latest recording is done. */
  public void await() {
    Recording recording = queued;
    if (mark != null) {
      mark.await(mark.latest(), context::isOver);
    } else if (recording != null) {
      recording.await(context);
    }
  }

  /** Work that waits for the latest recording. */
  public Operation waiting() {
    if (mark != null) {
      return new MarkWait(mark);
    }
    Recording recording = queued;
    if (recording != null && recording.stream == null) {
      return new RecordingWait(recording);
    }
    Operation operation = new EmptyOperation();
    if (recording != null) {
      operation.dependOn(recording.stream, recording.sequence);
    }
    return operation;
  }

  /** Nanoseconds from the recording of another event to that of this one; both are complete. */
  public long nanosSince(Event start) {
    return doneAt() - start.doneAt();
  }

  private long doneAt() {
    Recording recording = queued;
    return recording == null ? nanoTime : recording.nanoTime;
  }

  /** Whether the time between two events can be told now, as a result code. */
  public static int measurable(Event start, Event end) {
    if (!start.isTimed() || !end.isTimed() || !start.isRecorded() || !end.isRecorded()) {
      return CudaResult.INVALID_HANDLE;
    }
    return start.isComplete() && end.isComplete() ? CudaResult.SUCCESS : CudaResult.NOT_READY;
  }
}
