// SPDX-License-Identifier: Apache-2.0
package io.outboard.api.http;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * The requests to a service of its own beside a backend, by their paths. {@code GET /healthz} is
 * answered however busy it is.
 */
public abstract class ServiceEndpoint implements HttpHandler {
  private static final String HEALTH = "/healthz";

  private final System.Logger log = System.getLogger(getClass().getName());
  private final RateLimit limit;

  /**
   * Makes one.
   *
   * @param limit of requests of an address
   */
  protected ServiceEndpoint(RateLimit limit) {
    this.limit = limit;
  }

  @Override
  public final Reply handle(Request request) {
    try {
      String block = AddressBlock.of(request.address()).text();
      if (!limit.admits((isHealth(request) ? "health " : "") + block)) {
        throw new Problem(Problem.TOO_MANY, "slower, please");
      }
      return isHealth(request) ? health() : answer(request);
    } catch (Problem e) {
      return e.reply();
    } catch (IOException e) {
      log.log(System.Logger.Level.WARNING, "a request is not answered: " + e.getMessage());
      return new Problem(Problem.UNAVAILABLE, "a service does not answer; the log has more")
          .reply();
    } catch (RuntimeException e) {
      log.log(System.Logger.Level.ERROR, "a request failed", e);
      return new Problem(Problem.MISTAKE, "a mistake of the server; its log has more").reply();
    }
  }

  /**
   * Answers one that is not about the service's state.
   *
   * @throws IOException if a service that is needed for it does not answer
   */
  protected abstract Reply answer(Request request) throws Problem, IOException;

  /** Says that the service is well. */
  protected Reply health() throws Problem {
    return Reply.of(Map.of("status", "ok"));
  }

  /** There is nothing at a request's path. */
  protected static Problem unknown() {
    return new Problem(Problem.NOT_FOUND, "there is nothing of that name");
  }

  /** Refuses a request that is no POST. */
  protected static void checkPost(Request request) throws Problem {
    if (!request.method().equals("POST")) {
      throw new Problem(Problem.METHOD_NOT_ALLOWED, "this takes POST");
    }
  }

  @Override
  public final Reply tooBusy() {
    return new Problem(Problem.UNAVAILABLE, "too many requests are at work").reply();
  }

  @Override
  public final boolean isHealth(Request request) {
    return request.path().equals(HEALTH);
  }

  @Override
  public final Optional<String> known(Origin origin) {
    return Optional.empty();
  }
}
