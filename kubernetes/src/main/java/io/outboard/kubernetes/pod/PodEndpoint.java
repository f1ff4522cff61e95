// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.pod;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.AddressBlock;
import io.outboard.api.http.HttpHandler;
import io.outboard.api.http.Origin;
import io.outboard.api.http.Problem;
import io.outboard.api.http.RateLimit;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.openstack.rest.Fields;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The API server's questions to the adapter: {@code POST /v1/pods} is a mutating admission webhook
 * (admission.k8s.io/v1). The answer depends on the question alone and changes nothing, so anybody
 * may ask. {@code GET /healthz} says whether the cluster is watched.
 */
public final class PodEndpoint implements HttpHandler {
  private static final System.Logger LOG = System.getLogger(PodEndpoint.class.getName());
  private static final String HEALTH = "/healthz";
  private static final String PODS = "/v1/pods";

  /** An object of the cluster has 1.5 MiB at most, and comes once. */
  private static final int MOST_BYTES = 3 << 20;

  private static final String VERSION = "admission.k8s.io/v1";

  private final PodPatch patch;
  private final RateLimit limit;
  private final BooleanSupplier health;

  /**
   * Makes one.
   *
   * @param limit of requests of an address
   */
  public PodEndpoint(PodPatch patch, RateLimit limit, BooleanSupplier health) {
    this.patch = patch;
    this.limit = limit;
    this.health = health;
  }

  @Override
  public Reply handle(Request request) {
    try {
      return answer(request);
    } catch (Problem e) {
      return e.reply();
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.ERROR, "a request failed", e);
      return new Problem(Problem.MISTAKE, "a mistake of the server; its log has more").reply();
    }
  }

  private Reply answer(Request request) throws Problem {
    String block = AddressBlock.of(request.address()).text();
    if (!limit.admits((isHealth(request) ? "health " : "") + block)) {
      throw new Problem(Problem.TOO_MANY, "slower, please");
    }
    return switch (request.path()) {
      case HEALTH -> health();
      case PODS -> reviewed(request);
      default -> throw new Problem(Problem.NOT_FOUND, "there is nothing of that name");
    };
  }

  private Reply health() throws Problem {
    if (!health.getAsBoolean()) {
      throw new Problem(Problem.UNAVAILABLE, "the cluster is not watched now");
    }
    return Reply.of(Map.of("status", "ok"));
  }

  private Reply reviewed(Request request) throws Problem {
    if (!request.method().equals("POST")) {
      throw new Problem(Problem.METHOD_NOT_ALLOWED, "this takes POST");
    }
    if (request.isTooLarge()) {
      throw new Problem(Problem.TOO_LARGE, "the body is too long");
    }
    Fields review = read(request);
    Fields asked = review.object("request");
    if (!review.text("apiVersion").equals(VERSION) || asked.uuid("uid").isEmpty()) {
      throw new Problem(Problem.BAD_REQUEST, "this takes an AdmissionReview of " + VERSION);
    }
    return Reply.of(
        Ordered.of("apiVersion", VERSION, "kind", "AdmissionReview", "response", response(asked)));
  }

  private static Fields read(Request request) throws Problem {
    try {
      return Fields.read(new String(request.body(), UTF_8));
    } catch (IllegalArgumentException e) {
      throw new Problem(Problem.BAD_REQUEST, e.getMessage());
    }
  }

  private Map<String, Object> response(Fields asked) {
    Map<String, Object> response = Ordered.of("uid", asked.text("uid"));
    try {
      List<Object> changes = patch.of(asked.object("object"));
      response.put("allowed", true);
      if (!changes.isEmpty()) {
        response.put("patchType", "JSONPatch");
        response.put(
            "patch", Base64.getEncoder().encodeToString(Json.write(changes).getBytes(UTF_8)));
      }
    } catch (IllegalArgumentException e) {
      response.put("allowed", false);
      response.put("status", Ordered.of("code", Problem.IMPOSSIBLE, "message", e.getMessage()));
    }
    return response;
  }

  @Override
  public Reply tooBusy() {
    return new Problem(Problem.UNAVAILABLE, "too many requests are at work").reply();
  }

  @Override
  public boolean isHealth(Request request) {
    return request.path().equals(HEALTH);
  }

  @Override
  public int mostBytes() {
    return MOST_BYTES;
  }

  @Override
  public Optional<String> known(Origin origin) {
    return Optional.empty();
  }
}
