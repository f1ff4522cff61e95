// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.wire.Printable;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * An answer of another server, bounded in its length and its time. A request's own time limit would
 * be over once the head of the answer has come (JDK-8208693).
 */
public final class WholeAnswer {
  private WholeAnswer() {}

  /**
   * A client to ask with, in HTTP/1.1. It follows no redirection, as a token may go along.
   *
   * @param connect in which a connection is there
   */
  public static HttpClient client(TlsCaller tls, Duration connect) throws IOException {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(connect)
        .sslContext(tls.context())
        .build();
  }

  /** A connection was lost, or there was none. */
  public static final class LostException extends IOException {
    private static final long serialVersionUID = 1L;

    private LostException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * Asks, and waits for all of the answer; what goes wrong is said in words for people.
   *
   * @param most bytes of its body
   * @param limit in which it has come
   * @throws LostException if the connection was lost, or there was none
   * @throws IOException if it has not come in time, or this thread is interrupted
   */
  public static HttpResponse<String> told(
      HttpClient http, HttpRequest request, long most, Duration limit) throws IOException {
    try {
      return of(http, request, most, limit);
    } catch (TimeoutException e) {
      throw new IOException(
          "%s has not answered in %d s".formatted(request.uri(), limit.toSeconds()), e);
    } catch (ExecutionException e) {
      String why = Printable.of(String.valueOf(e.getCause().getMessage()));
      throw new LostException("%s does not answer: %s".formatted(request.uri(), why), e.getCause());
    }
  }

  /**
   * Asks, and waits for all of the answer.
   *
   * @param most bytes of its body
   * @param limit in which it has come
   * @throws TimeoutException if it has not
   * @throws ExecutionException with the cause, if the connection was lost, or there was none
   * @throws IOException if this thread is interrupted
   */
  public static HttpResponse<String> of(
      HttpClient http, HttpRequest request, long most, Duration limit)
      throws IOException, TimeoutException, ExecutionException {
    CompletableFuture<HttpResponse<String>> coming =
        http.sendAsync(request, BodyHandlers.limiting(BodyHandlers.ofString(UTF_8), most));
    try {
      return coming.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      boolean unused = coming.cancel(true);
    }
  }
}
