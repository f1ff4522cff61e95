// SPDX-License-Identifier: Apache-2.0
package io.outboard.cli.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.WholeAnswer;
import io.outboard.api.json.Json;
import io.outboard.client.find.Site;
import io.outboard.communicator.certificate.Pem;
import io.outboard.communicator.certificate.TlsCaller;
import io.outboard.wire.Printable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads what sites publish, of all at the same time. A site that is silent, slow or endless is out
 * after seconds, and keeps no other one waiting.
 */
public final class OfferReader {
  /** How long an answer may take as a whole. */
  private static final Duration LIMIT = Duration.ofSeconds(15);

  /** Most bytes of a document: some thousand models. */
  private static final long MOST_ANSWER = 1 << 20;

  private static final int MOST_REASON = 160;
  private static final int OK = 200;

  private final Duration limit;

  /** One that waits for fifteen seconds at most. */
  public OfferReader() {
    this(LIMIT);
  }

  OfferReader(Duration limit) {
    this.limit = limit;
  }

  /** Reads them; in the order of the sites. */
  public List<Offered> read(List<Site> sites) {
    long end = System.nanoTime() + limit.toNanos();
    List<Coming> all = sites.stream().map(OfferReader::ask).toList();
    return all.stream().map(coming -> coming.offered(end, limit)).toList();
  }

  /** An answer that is on its way, with what is released once it has come, or does not count. */
  private record Coming(
      Site site, Optional<HttpClient> http, CompletableFuture<HttpResponse<String>> answer) {
    Offered offered(long end, Duration limit) {
      try {
        long left = Math.max(0, end - System.nanoTime());
        return read(answer.get(left, TimeUnit.NANOSECONDS));
      } catch (TimeoutException e) {
        return Offered.unread(site, "no whole answer in %d s".formatted(limit.toSeconds()));
      } catch (ExecutionException e) {
        return Offered.unread(site, reason(e.getCause()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return Offered.unread(site, "interrupted");
      } finally {
        http.ifPresent(HttpClient::shutdownNow);
      }
    }

    private Offered read(HttpResponse<String> told) {
      if (told.statusCode() != OK) {
        return Offered.unread(site, "it answers " + told.statusCode());
      }
      try {
        return Offered.of(site, PublishedOffer.of(Json.read(told.body())));
      } catch (IllegalArgumentException e) {
        return Offered.unread(site, "its offer cannot be read: " + cut(e.getMessage()));
      }
    }
  }

  private static Coming ask(Site site) {
    try {
      HttpClient http = client(site);
      URI document = site.api().resolve("/glue.json");
      HttpRequest request = HttpRequest.newBuilder(document).GET().build();
      return new Coming(
          site,
          Optional.of(http),
          http.sendAsync(
              request, BodyHandlers.limiting(BodyHandlers.ofString(UTF_8), MOST_ANSWER)));
    } catch (IOException | IllegalArgumentException e) {
      return new Coming(site, Optional.empty(), CompletableFuture.failedFuture(e));
    }
  }

  private static HttpClient client(Site site) throws IOException {
    Optional<Path> file = site.authorities();
    List<X509Certificate> authorities = file.isPresent() ? Pem.certificates(file.get()) : List.of();
    return WholeAnswer.client(new TlsCaller(authorities, Optional.empty()), LIMIT);
  }

  /** Not every failure of a connection has a message. */
  private static String reason(Throwable failure) {
    String text = failure.getMessage();
    return cut(text == null || text.isBlank() ? failure.getClass().getSimpleName() : text);
  }

  private static String cut(String text) {
    return Printable.of(text.substring(0, Math.min(text.length(), MOST_REASON)));
  }
}
