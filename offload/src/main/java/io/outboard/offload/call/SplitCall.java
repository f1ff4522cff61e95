// SPDX-License-Identifier: Apache-2.0
package io.outboard.offload.call;

import io.outboard.offload.OffloadException;
import io.outboard.offload.Range;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;

/**
 * One call over a range, made by several workers. Each takes the next part when it has done one, so
 * that a fast worker does more. A part that is lost goes to who is free; a worker that loses
 * several in a row gets no more.
 */
public final class SplitCall<W, R> {
  /** So many a worker, so that the last one to end is not long alone. */
  private static final int PARTS = 4;

  private static final int STRIKES = 3;

  private final Part<W, R> part;
  private final List<Range> ranges;
  private final List<Thread> threads = new ArrayList<>();
  // These are guarded by this object's monitor.
  private final Deque<Integer> free = new ArrayDeque<>();
  private final TreeMap<Integer, R> results = new TreeMap<>();
  private int running;
  private Throwable failure;
  private OffloadException lost;

  private SplitCall(Part<W, R> part, List<Range> ranges) {
    this.part = part;
    this.ranges = ranges;
    for (int i = 0; i < ranges.size(); i++) {
      free.add(i);
    }
  }

  /** The call of a worker over a part of the range. */
  @FunctionalInterface
  public interface Part<W, R> {
    /** Makes it. */
    R call(W worker, Range range) throws Exception;
  }

  /**
   * Makes it.
   *
   * @return the results of the parts, in their order
   * @throws OffloadException if no worker is left, or the calling thread was interrupted
   * @throws Exception that a part has thrown
   */
  public static <W, R> List<R> over(List<W> workers, Range range, Part<W, R> part)
      throws Exception {
    if (workers.isEmpty()) {
      throw new IllegalArgumentException("there are no workers");
    }
    return new SplitCall<>(part, range.parts(PARTS * workers.size())).made(workers);
  }

  private List<R> made(List<W> workers) throws Exception {
    for (int i = 0; i < workers.size(); i++) {
      W worker = workers.get(i);
      Thread thread = new Thread(() -> work(worker), "offload-part-" + i);
      thread.setDaemon(true);
      threads.add(thread);
    }
    threads.forEach(Thread::start);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      fail(new OffloadException(OffloadException.Kind.CANCELLED, "interrupted", e));
      Thread.currentThread().interrupt();
    }
    return results();
  }

  private synchronized List<R> results() throws Exception {
    if (failure instanceof Exception) {
      throw (Exception) failure;
    }
    if (failure instanceof Error) {
      throw (Error) failure;
    }
    if (results.size() < ranges.size()) {
      throw lost;
    }
    return new ArrayList<>(results.values());
  }

  private void work(W worker) {
    int strikes = 0;
    for (int next = take();
        next >= 0 && strikes < STRIKES;
        next = strikes < STRIKES ? take() : -1) {
      try {
        done(next, part.call(worker, ranges.get(next)));
        strikes = 0;
      } catch (OffloadException e) {
        strikes += giveBack(next, e) ? 1 : STRIKES;
      } catch (Exception | Error e) {
        fail(e);
        return;
      }
    }
  }

  /** The number of a part that is to be done; below 0 if there is none any more. */
  private synchronized int take() {
    try {
      // One that runs may come back.
      while (failure == null && free.isEmpty() && running > 0) {
        wait();
      }
    } catch (InterruptedException e) {
      return -1;
    }
    if (failure != null || free.isEmpty()) {
      return -1;
    }
    running++;
    return free.removeFirst();
  }

  private synchronized void done(int number, R result) {
    results.put(number, result);
    running--;
    notifyAll();
  }

  /** Whether somebody may repeat it; otherwise all is over. */
  private boolean giveBack(int number, OffloadException why) {
    boolean gone =
        why.kind() == OffloadException.Kind.LOST || why.kind() == OffloadException.Kind.NOT_BEGUN;
    if (!gone) {
      fail(why);
      return false;
    }
    synchronized (this) {
      lost = why;
      running--;
      free.addFirst(number);
      notifyAll();
    }
    return true;
  }

  /** The first failure is the call's; an interrupt cancels the other parts. */
  private synchronized void fail(Throwable why) {
    if (failure == null) {
      failure = why;
      threads.forEach(Thread::interrupt);
      notifyAll();
    }
  }
}
