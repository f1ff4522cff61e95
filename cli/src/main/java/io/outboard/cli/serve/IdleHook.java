// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.serve;

import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.pool.idle.IdleEvent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Tells an address of what is done about leases that are not used: a POST of a JSON object each.
 * Nothing waits for the other side, and what it does not take in time is lost.
 */
final class IdleHook implements Consumer<IdleEvent> {
  private static final System.Logger LOG = System.getLogger(IdleHook.class.getName());
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration WHOLE = Duration.ofSeconds(10);
  private static final int MOST_UNDER_WAY = 64;
  private static final int FIRST_FAILURE = 400;

  private final URI address;
  private final Duration whole;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();
  private final Semaphore room = new Semaphore(MOST_UNDER_WAY);

  IdleHook(URI address) {
    this(address, WHOLE);
  }

  /** Gives up what the other side has not answered wholly in a time. */
  IdleHook(URI address, Duration whole) {
    this.address = address;
    this.whole = whole;
  }

  @Override
  public void accept(IdleEvent event) {
    if (!room.tryAcquire()) {
      warn("it does not take what it is told");
      return;
    }
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json(event)))
            .build();
    CompletableFuture<HttpResponse<Void>> telling =
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
    CompletableFuture<Void> unused =
        telling
            .copy()
            .orTimeout(whole.toMillis(), TimeUnit.MILLISECONDS)
            .handle((answer, failure) -> answered(telling, answer, failure));
  }

  /** A request's own time limit would be over with the head of its answer (JDK-8208693). */
  private Void answered(Future<?> telling, HttpResponse<Void> answer, Throwable failure) {
    boolean unused = telling.cancel(true);
    room.release();
    if (failure != null) {
      warn(failure instanceof TimeoutException ? "it does not answer" : failure.getMessage());
    } else if (answer.statusCode() >= FIRST_FAILURE) {
      warn("status " + answer.statusCode());
    }
    return null;
  }

  private void warn(String why) {
    LOG.log(System.Logger.Level.WARNING, "{0} could not be told: {1}", address, why);
  }

  static String json(IdleEvent event) {
    Lease lease = event.lease();
    return Json.write(
        Ordered.of(
            "event", event.step().label(),
            "lease", lease.id(),
            "tenant", lease.tenant(),
            "consumer", lease.request().consumer(),
            "gpus", lease.gpus().stream().map(Gpu::uuid).toList(),
            "idleSeconds", event.idle().toSeconds(),
            "nextStepSeconds", event.next().isZero() ? null : startedSeconds(event.next())));
  }

  /** A second that has begun counts: a step that is still to come is not at 0. */
  private static long startedSeconds(Duration time) {
    return time.plusSeconds(1).minusNanos(1).toSeconds();
  }
}
