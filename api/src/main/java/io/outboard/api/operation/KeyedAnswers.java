// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.operation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.Problem;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import io.outboard.wire.Sha256;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The answers to requests that bring a key of their caller's, {@code Idempotency-Key}: one that
 * comes again, as its answer was lost, is not done again and has the same answer. They are in this
 * process's memory, for a day or until a caller has had {@link #MOST_OF_CALLER} later ones.
 */
public final class KeyedAnswers {
  /** Answers of one caller that are kept. */
  public static final int MOST_OF_CALLER = 256;

  /** Answers of all callers. */
  static final int MOST = 4_096;

  /** Bytes of an answer: what has a larger one is done again, and is the same then. */
  static final int MOST_BYTES = 64 << 10;

  static final Duration KEPT = Duration.ofDays(1);

  /** For the document. */
  static final String HEADER = "Idempotency-Key";

  // A string of RFC 9651, and the same without its quotes.
  private static final Pattern KEY = Pattern.compile("\"([ !#-\\[\\]-~]{1,128})\"|([!#-~]{1,128})");

  private final LongSupplier nanos;
  // Guarded by this object's monitor; the oldest is the first.
  private final Map<Id, Kept> kept = new LinkedHashMap<>();
  private final Map<String, Integer> counts = new HashMap<>();

  private record Id(String caller, String key) {}

  /** None while it is under way. */
  private record Kept(String asked, long since, Optional<Reply> reply) {}

  /**
   * An answer.
   *
   * @param repeated whether it was given before, and nothing was done now
   */
  public record Answer(Reply reply, boolean repeated) {}

  /** Those of a server that begins. */
  public KeyedAnswers() {
    this(System::nanoTime);
  }

  KeyedAnswers(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /**
   * The key that a request brings, if it does.
   *
   * @throws Problem if it is none
   */
  public static Optional<String> key(Request request) throws Problem {
    String header = request.headers().get("idempotency-key");
    if (header == null) {
      return Optional.empty();
    }
    Matcher key = KEY.matcher(header);
    if (!key.matches()) {
      throw new Problem(
          Problem.BAD_REQUEST, HEADER + " has from 1 to 128 printable characters of ASCII");
    }
    return Optional.of(key.group(1) != null ? key.group(1) : key.group(2));
  }

  /**
   * Has a request done, unless it was done before.
   *
   * @param caller whose key it is: others may have the same
   * @throws Problem if the key is another request's, or that is under way
   */
  public Answer of(String caller, String key, Request request, Supplier<Reply> work)
      throws Problem {
    Id id = new Id(caller, key);
    Optional<Reply> before = enter(id, asked(request));
    if (before.isPresent()) {
      return new Answer(before.get(), true);
    }
    Optional<Reply> reply = Optional.empty();
    try {
      reply = Optional.of(work.get());
      return new Answer(reply.get(), false);
    } finally {
      leave(id, reply.filter(KeyedAnswers::isKept));
    }
  }

  /** A request that could not be done for now may be done later. */
  private static boolean isKept(Reply reply) {
    return reply.status() != Problem.UNAVAILABLE && reply.body().length <= MOST_BYTES;
  }

  private static String asked(Request request) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.writeBytes(
        "%s %s?%s\n".formatted(request.method(), request.path(), request.query()).getBytes(UTF_8));
    all.writeBytes(request.body());
    return Sha256.of(all.toByteArray()).hex();
  }

  private synchronized Optional<Reply> enter(Id id, String asked) throws Problem {
    forget();
    Kept known = kept.get(id);
    if (known == null) {
      makeRoom(id.caller());
      kept.put(id, new Kept(asked, nanos.getAsLong(), Optional.empty()));
      counts.merge(id.caller(), 1, Integer::sum);
      return Optional.empty();
    }
    if (!known.asked().equals(asked)) {
      throw new Problem(Problem.IMPOSSIBLE, "another request has had this key: take a new one");
    }
    if (known.reply().isEmpty()) {
      throw new Problem(Problem.CONFLICT, "the request of this key is under way");
    }
    return known.reply();
  }

  private synchronized void leave(Id id, Optional<Reply> reply) {
    Kept known = kept.get(id);
    if (reply.isEmpty()) {
      kept.remove(id);
      less(id.caller());
    } else {
      kept.put(id, new Kept(known.asked(), known.since(), reply));
    }
  }

  private void forget() {
    long now = nanos.getAsLong();
    Iterator<Map.Entry<Id, Kept>> oldest = kept.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<Id, Kept> one = oldest.next();
      if (now - one.getValue().since() < KEPT.toNanos()) {
        return;
      }
      if (one.getValue().reply().isPresent()) {
        oldest.remove();
        less(one.getKey().caller());
      }
    }
  }

  /** The oldest one goes, of the caller where it has too many. */
  private void makeRoom(String caller) throws Problem {
    boolean own = counts.getOrDefault(caller, 0) >= MOST_OF_CALLER;
    if (!own && kept.size() < MOST) {
      return;
    }
    Optional<Id> oldest =
        kept.entrySet().stream()
            .filter(one -> one.getValue().reply().isPresent())
            .map(Map.Entry::getKey)
            .filter(id -> !own || id.caller().equals(caller))
            .findFirst();
    if (oldest.isEmpty()) {
      throw new Problem(Problem.TOO_MANY, "too many requests with keys are under way");
    }
    kept.remove(oldest.get());
    less(oldest.get().caller());
  }

  private void less(String caller) {
    counts.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
  }
}
