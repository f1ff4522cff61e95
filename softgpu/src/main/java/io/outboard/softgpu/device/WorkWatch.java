// SPDX-License-Identifier: Apache-2.0
package io.outboard.softgpu.device;

import io.outboard.softgpu.base.DoneWork;
import io.outboard.softgpu.base.WorkListener;

/** Has a listener hear of work: of each piece in a stream, and of those in it where it is many. */
public final class WorkWatch {
  /** The vendor's number of the default stream; others follow. */
  private static final int LEGACY = 7;

  private static final int FIRST = 12;

  private volatile WorkListener listener = WorkListener.NONE;

  @SuppressWarnings("ThreadLocalUsage") // the thread does the work of one driver at a time
  private final ThreadLocal<WorkListener.Place> place =
      ThreadLocal.withInitial(() -> WorkListener.Place.NOWHERE);

  WorkWatch() {}

  /** Has it told from here on. */
  public void tell(WorkListener those) {
    listener = those;
  }

  /** The number of who asks for work now, 0 where nobody wants to know. */
  long asker() {
    WorkListener now = listener;
    return now.isOn() ? now.asker() : 0;
  }

  /** Does an operation of a stream. */
  void execute(Operation operation, Stream stream) {
    Context context = stream.context();
    if (!listener.isOn()) {
      operation.execute(context);
      return;
    }
    WorkListener.Place outer = place.get();
    WorkListener.Place inner = place(operation, stream);
    place.set(inner);
    long begin = System.nanoTime();
    try {
      operation.execute(context);
    } finally {
      place.set(outer);
    }
    if (operation.graph() != 0) {
      listener.done(new DoneWork.Graph(), inner, begin, System.nanoTime());
    }
  }

  private static WorkListener.Place place(Operation operation, Stream stream) {
    Context context = stream.context();
    int ordinal = context.device().ordinal();
    return new WorkListener.Place(
        operation.asker(), ordinal, number(context), number(stream), operation.graph());
  }

  /** A context's number for profilers. */
  public static int number(Context context) {
    return context.device().ordinal() + 1;
  }

  /** A stream's. */
  public static int number(Stream stream) {
    boolean legacy = stream == stream.context().order().legacy();
    return legacy ? LEGACY : FIRST + (int) stream.id();
  }

  /** Does work, and tells of it. */
  void perform(Operation operation, Context context) {
    WorkListener now = listener;
    DoneWork work = now.isOn() ? operation.work() : null;
    if (work == null) {
      operation.perform(context);
      return;
    }
    long begin = System.nanoTime();
    operation.perform(context);
    now.done(work, place.get(), begin, System.nanoTime());
  }
}
