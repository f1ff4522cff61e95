// SPDX-License-Identifier: Apache-2.0
package io.outboard.kubernetes.pod;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outboard.api.http.Problem;
import io.outboard.api.http.RateLimit;
import io.outboard.api.http.Reply;
import io.outboard.api.http.Request;
import io.outboard.api.http.ServiceEndpoint;
import io.outboard.api.json.Json;
import io.outboard.api.json.Ordered;
import io.outboard.office.rest.Fields;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The API server's questions to the adapter: {@code POST /v1/pods} is a mutating admission webhook
 * (admission.k8s.io/v1). The answer depends on the question alone and changes nothing, so anybody
 * may ask. {@code GET /healthz} says whether the cluster is watched.
 */
public final class PodEndpoint extends ServiceEndpoint {
  private static final String PODS = "/v1/pods";

  /** An object of the cluster has 1.5 MiB at most, and comes once. */
  private static final int MOST_BYTES = 3 << 20;

  private static final String VERSION = "admission.k8s.io/v1";

  private final PodPatch patch;
  private final BooleanSupplier health;

  /**
   * Makes one.
   *
   * @param limit of requests of an address
   */
  public PodEndpoint(PodPatch patch, RateLimit limit, BooleanSupplier health) {
    super(limit);
    this.patch = patch;
    this.health = health;
  }

  @Override
  protected Reply answer(Request request) throws Problem {
    if (!request.path().equals(PODS)) {
      throw unknown();
    }
    checkPost(request);
    return reviewed(Fields.of(request));
  }

  @Override
  protected Reply health() throws Problem {
    if (!health.getAsBoolean()) {
      throw new Problem(Problem.UNAVAILABLE, "the cluster is not watched now");
    }
    return super.health();
  }

  private Reply reviewed(Fields review) throws Problem {
    Fields asked = review.object("request");
    if (!review.text("apiVersion").equals(VERSION) || asked.uuid("uid").isEmpty()) {
      throw new Problem(Problem.BAD_REQUEST, "this takes an AdmissionReview of " + VERSION);
    }
    return Reply.of(
        Ordered.of("apiVersion", VERSION, "kind", "AdmissionReview", "response", response(asked)));
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
  public int mostBytes() {
    return MOST_BYTES;
  }
}
