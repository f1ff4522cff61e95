// SPDX-License-Identifier: Apache-2.0
package io.outboard.client;

import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads that have issued a call, by their numbers. */
final class ClientThreads {
  private final FrameWriter writer;
  private final ClientFunctions functions;
  private final Lead lead;
  private final LostLane lost = new LostLane();
  private final Map<Integer, ThreadRequest> byNumber = new ConcurrentHashMap<>();
  private final AtomicInteger last = new AtomicInteger();
  private final ThreadLocal<ThreadRequest> own = ThreadLocal.withInitial(this::register);

  ClientThreads(FrameWriter writer, ClientFunctions functions, Lead lead) {
    this.writer = writer;
    this.functions = functions;
    this.lead = lead;
  }

  /** The calling thread's. */
  ThreadRequest own() {
    return own.get();
  }

  /** That of a number, or null if no such thread is known. */
  ThreadRequest find(int number) {
    return byNumber.get(number);
  }

  /** Whether any thread waits for a reply. */
  boolean anyWaits() {
    return byNumber.values().stream().anyMatch(ThreadRequest::waits);
  }

  /** Wakes all that wait. */
  void wake() {
    byNumber.values().forEach(ThreadRequest::wake);
  }

  private ThreadRequest register() {
    endDead();
    int number = last.incrementAndGet();
    Backlog backlog = new Backlog(functions, byNumber::size);
    ThreadRequest request =
        new ThreadRequest(writer, Thread.currentThread(), number, backlog, lost, lead);
    byNumber.put(number, request);
    return request;
  }

  /** Java does not tell when a thread ends, so a new one looks after those before it. */
  private void endDead() {
    for (Iterator<ThreadRequest> all = byNumber.values().iterator(); all.hasNext(); ) {
      ThreadRequest request = all.next();
      if (!request.thread().isAlive() && byNumber.remove(request.number(), request)) {
        writer.threadEnd(request.number());
      }
    }
  }
}
