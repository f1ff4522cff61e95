// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.console;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.lease.LeaseException;
import io.outboard.lease.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Answers that go on for a while (server-sent events, HTML 9.2): what is looked at, again whenever
 * it has changed. A client asks anew when one is over, with its token, which may have been taken
 * back meanwhile.
 */
public final class LiveStreams {
  /** At a time, of all clients. */
  public static final int MOST = 64;

  /** At a time, of one token. */
  public static final int MOST_OF_TOKEN = 8;

  private static final Duration EVERY = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final Map<String, Integer> open = new HashMap<>();
  private final Duration every;
  private final Duration longest;

  /** Usual ones. */
  public LiveStreams() {
    this(EVERY, LONGEST);
  }

  /** Those that look so often, and end after so long. */
  LiveStreams(Duration every, Duration longest) {
    this.every = every;
    this.longest = longest;
  }

  /** The answer to look at again and again. */
  @FunctionalInterface
  public interface Look {
    /** As it is now, as JSON has it. */
    Object now() throws Problem, LeaseException;
  }

  /** An answer that goes on, to the holder of a token. */
  public Reply of(String token, Look look) {
    return Reply.of(Reply.EVENTS, sink -> run(token, look, sink));
  }

  private void run(String token, Look look, Reply.Sink sink) throws IOException {
    if (!enter(token)) {
      sink.send("event: full\ndata: {}\n\n");
      return;
    }
    try {
      follow(look, sink);
    } finally {
      leave(token);
    }
  }

  private void follow(Look look, Reply.Sink sink) throws IOException {
    long end = System.nanoTime() + longest.toNanos();
    String told = "";
    do {
      String now = event(look);
      sink.send(now.equals(told) ? ":\n\n" : now);
      told = now;
    } while (System.nanoTime() < end && !told.startsWith("event:") && pause());
  }

  private static String event(Look look) {
    try {
      return "data: " + Json.write(look.now()) + "\n\n";
    } catch (Problem | LeaseException | StoreException e) {
      return "event: problem\ndata: "
          + Json.write(Ordered.of("detail", String.valueOf(e.getMessage())))
          + "\n\n";
    }
  }

  private boolean pause() {
    try {
      TimeUnit.NANOSECONDS.sleep(every.toNanos());
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private synchronized boolean enter(String token) {
    int all = open.values().stream().mapToInt(Integer::intValue).sum();
    int own = open.getOrDefault(token, 0);
    boolean enters = all < MOST && own < MOST_OF_TOKEN;
    if (enters) {
      open.put(token, own + 1);
    }
    return enters;
  }

  private synchronized void leave(String token) {
    open.computeIfPresent(token, (_, count) -> count == 1 ? null : count - 1);
  }
}
