// SPDX-License-Identifier: Apache-2.0
package io.outboard.backend.launch;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Workers of one kind that wait for a client, and those who wait for one. Its owner locks it. */
final class WorkerQueue {
  private final Deque<WorkerProcess> ready = new ArrayDeque<>();
  private final Deque<CompletableFuture<WorkerProcess>> waiting = new ArrayDeque<>();
  private boolean wanted;

  /** Clients want some, or will. */
  void want() {
    wanted = true;
  }

  /** Whether clients want some. */
  boolean isWanted() {
    return wanted;
  }

  void await(CompletableFuture<WorkerProcess> one) {
    want();
    waiting.add(one);
  }

  void withdraw(CompletableFuture<WorkerProcess> given) {
    waiting.removeIf(one -> one == given);
  }

  boolean isAwaited() {
    return !waiting.isEmpty();
  }

  /** One waits for its client from here on. */
  void add(WorkerProcess worker) {
    ready.add(worker);
  }

  /** Whether one waits for its client. */
  boolean isReady(WorkerProcess worker) {
    return ready.contains(worker);
  }

  /** Whether one that has ended was waiting. */
  boolean remove(WorkerProcess worker) {
    return ready.remove(worker);
  }

  /** Gives one that is ready to somebody who waits; none where either is missing. */
  Optional<WorkerProcess> match() {
    if (ready.isEmpty() || waiting.isEmpty()) {
      return Optional.empty();
    }
    WorkerProcess worker = ready.remove();
    waiting.remove().complete(worker);
    return Optional.of(worker);
  }

  /** Tells one who waits that none comes; false where nobody waits. */
  boolean fail(String why) {
    CompletableFuture<WorkerProcess> one = waiting.poll();
    return one != null && one.completeExceptionally(new IOException(why));
  }

  /** So many more are waited for than there are, or fewer. */
  int missing(long starting) {
    return (int) (waiting.size() - starting - ready.size());
  }

  void stop() {
    ready.forEach(WorkerProcess::stop);
    while (isAwaited()) {
      fail("the backend ends");
    }
  }
}
