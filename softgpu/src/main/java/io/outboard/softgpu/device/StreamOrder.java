// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.cuda.CudaResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The order between the streams of a context (CUDA C++ Programming Guide, "Default Stream"): work
 * in the legacy default stream waits for all earlier work of the blocking streams, and their later
 * work waits for it. Non-blocking streams know no order but their own.
 */
public final class StreamOrder {
  private final Context context;
  private final Stream legacy;
  private final CopyOnWriteArrayList<Stream> streams = new CopyOnWriteArrayList<>();
  private final List<Stream> ended = new ArrayList<>();

  /** What streams that are made from now on do first; null if nothing. */
  private volatile Supplier<Operation> first;

  /** Where marks behind the work of several streams stand; null before there is one. */
  private Stream marks;

  @SuppressWarnings("ThreadLocalUsage") // the threads' streams are a part of the context
  private ThreadLocal<Stream> perThread = new ThreadLocal<>();

  StreamOrder(Context context) {
    this.context = context;
    this.legacy = new Stream(context, 0);
    streams.add(legacy);
  }

  /** The legacy default stream. */
  public Stream legacy() {
    return legacy;
  }

  /** The calling thread's default stream. */
  Stream perThread() {
    Stream stream = perThread.get();
    if (stream == null) {
      stream = create(0);
      perThread.set(stream);
    }
    return stream;
  }

  /** A new stream of these flags. */
  public Stream create(int flags) {
    Stream stream = new Stream(context, flags);
    streams.add(stream);
    Supplier<Operation> delay = first;
    Operation operation = delay == null ? null : delay.get();
    if (operation != null) {
      submit(stream, operation);
      stream.wake();
    } else {
      first = null;
    }
    return stream;
  }

  /** All streams there are. */
  public List<Stream> streams() {
    return streams;
  }

  /** A stream that the program does not know, for marks behind the work of several others. */
  public synchronized Stream marks() {
    if (marks == null) {
      marks = new Stream(context, Stream.NON_BLOCKING);
      streams.add(marks);
    }
    return marks;
  }

  /** What is submitted later to these streams waits; captures are left alone. */
  public void delay(List<Stream> which, Supplier<Operation> wait) {
    for (Stream stream : which) {
      if (stream.capture() == null) {
        submit(stream, wait.get());
        stream.wake();
      }
    }
  }

  /** What is submitted later to any stream waits, until {@code wait} makes nothing any more. */
  public void delayAll(Supplier<Operation> wait) {
    first = wait;
    for (Stream stream : streams) {
      Operation operation = stream.capture() == null ? wait.get() : null;
      if (operation != null) {
        submit(stream, operation);
        stream.wake();
      }
    }
  }

  /** Takes a stream out of the order, once its work is done. */
  public void end(Stream stream) {
    stream.capture(null);
    synchronized (this) {
      ended.add(stream);
    }
    forgetEnded();
  }

  private synchronized void forgetEnded() {
    for (int i = ended.size() - 1; i >= 0; i--) {
      if (ended.get(i).pending() == 0) {
        streams.remove(ended.remove(i));
      }
    }
  }

  /** Appends an operation to a stream, after what it has to wait for; nobody is woken. */
  public long submit(Stream stream, Operation operation) {
    operation.asker(context.machine().workWatch().asker());
    stream.awaitRoom();
    synchronized (this) {
      if (stream == legacy) {
        afterBlocking(operation);
      } else if (stream.isBlocking()) {
        after(legacy, operation);
      }
      return stream.add(operation);
    }
  }

  /** Submits an operation that is done in its turn, or captures it. */
  public int start(Stream stream, Operation operation) {
    StreamCapture capture = stream.capture();
    if (capture != null) {
      return capture.add(stream, operation);
    }
    int broken = breakCapturesBefore(stream);
    if (broken == CudaResult.SUCCESS) {
      submit(stream, operation);
      stream.wake();
    }
    return broken;
  }

  /** Submits an operation and waits for it, or does it; returns the context's report. */
  public int finish(Stream stream, Operation operation) {
    StreamCapture capture = stream.capture();
    if (capture != null) {
      return capture.invalidate(CudaResult.STREAM_CAPTURE_UNSUPPORTED);
    }
    int broken = breakCapturesBefore(stream);
    if (broken != CudaResult.SUCCESS) {
      return broken;
    }
    stream.await(submit(stream, operation));
    return context.error();
  }

  /**
   * Waits for all work of the context and returns its report. Work that is captured never runs, so
   * the vendor's driver refuses to wait for it and ends the captures.
   */
  public int finishAll() {
    int broken = breakCaptures(stream -> true, CudaResult.STREAM_CAPTURE_UNSUPPORTED);
    if (broken != CudaResult.SUCCESS) {
      return broken;
    }
    awaitAll();
    return context.error();
  }

  /** Work in the legacy stream would have to wait for captures of blocking streams. */
  private int breakCapturesBefore(Stream stream) {
    return stream == legacy
        ? breakCaptures(Stream::isBlocking, CudaResult.STREAM_CAPTURE_IMPLICIT)
        : CudaResult.SUCCESS;
  }

  /** Invalidates the captures of some streams; returns the error where there was one. */
  private int breakCaptures(Predicate<Stream> which, int error) {
    int result = CudaResult.SUCCESS;
    for (Stream other : streams) {
      StreamCapture capture = which.test(other) ? other.capture() : null;
      if (capture != null) {
        result = capture.invalidate(error);
      }
    }
    return result;
  }

  private void afterBlocking(Operation operation) {
    for (Stream other : streams) {
      if (other != legacy && other.isBlocking()) {
        after(other, operation);
      }
    }
  }

  private static void after(Stream stream, Operation operation) {
    long sequence = stream.pending();
    if (sequence > 0) {
      operation.dependOn(stream, sequence);
    }
  }

  /** Whether an operation that is submitted now could be done at once. */
  public boolean isClear(Stream stream) {
    return stream.capture() == null
        && isIdle(stream)
        && (stream == legacy || !stream.isBlocking() || legacy.pending() == 0);
  }

  /** Whether some stream has work that is not done. */
  boolean isWorking() {
    return streams.stream().anyMatch(stream -> stream.pending() != 0);
  }

  /** What is submitted and not done, in all streams; null where there is nothing. */
  Dependency unfinished() {
    Dependency all = null;
    for (Stream stream : streams) {
      long sequence = stream.pending();
      all = sequence > 0 ? new Dependency(stream, sequence, all) : all;
    }
    return all;
  }

  private boolean blockingAreIdle() {
    for (Stream other : streams) {
      if (other.isBlocking() && other.pending() != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether there is no work in a stream, as {@link #await} understands it. */
  public boolean isIdle(Stream stream) {
    return stream == legacy ? blockingAreIdle() : stream.pending() == 0;
  }

  /**
   * Waits for a stream. For the legacy one this includes the blocking streams, as for work in it.
   */
  public void await(Stream stream) {
    if (stream == legacy) {
      for (Stream other : streams) {
        if (other.isBlocking()) {
          other.awaitAll();
        }
      }
    } else {
      stream.awaitAll();
    }
  }

  /** Waits for all work of all streams that was submitted up to now. */
  public void awaitAll() {
    for (Stream stream : streams) {
      stream.awaitAll();
    }
    if (!ended.isEmpty()) {
      forgetEnded();
    }
  }

  /** Forgets all streams but the legacy one; their work is done. */
  synchronized void clear() {
    streams.clear();
    ended.clear();
    streams.add(legacy);
    marks = null;
    first = null;
    perThread = new ThreadLocal<>();
  }
}
