// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leases a second through Placement: what Nova's scheduler, its metadata service and its end do for
 * a machine, without the machine. Nothing is given twice meanwhile.
 */
@Lengthy
final class OpenstackPaceTest {
  private static final int MACHINES_AT_ONCE = 4;
  private static final int EACH = 50;
  private static final int NO_CONTENT = 204;
  private static final int CONFLICT = 409;
  private static final String PLACEMENT = "http://127.0.0.1:28778";
  private static final String VENDORDATA = CloudPool.ADDRESS + "/v1/vendordata";
  private static final String PROJECT = "0123456789abcdef0123456789abcdef";
  private static final ObjectMapper JSON = new ObjectMapper();

  private CloudUser nova;
  private String provider;

  @Test
  void leasesASecond(@TempDir Path home) throws Exception {
    assumeTrue(SmallCloud.isHere(), SmallCloud::absent);
    SmallCloud unused = SmallCloud.start();
    CloudPool pool = new CloudPool(home);
    try {
      pool.startAdapter("1h");
      nova = new CloudUser("nova", "service");
      provider = provider();
      measure(pool);
      pool.assertNothingIsChargedTwice();
    } finally {
      pool.endAdapter();
      pool.endOffice();
      SmallCloud.stop();
    }
  }

  private void measure(CloudPool pool) throws Exception {
    Instant begun = Instant.now();
    List<Future<long[]>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(MACHINES_AT_ONCE)) {
      for (int i = 0; i < MACHINES_AT_ONCE; i++) {
        all.add(threads.submit(() -> machines(pool)));
      }
    }
    double seconds = Duration.between(begun, Instant.now()).toMillis() / 1e3;
    List<Long> grants = new ArrayList<>();
    for (Future<long[]> one : all) {
      Arrays.stream(one.get()).forEach(grants::add);
    }
    grants.sort(null);
    System.out.printf(
        "leases a second through Placement, %d machines at once: %.1f;"
            + " vendor data of one: median %d ms, most %d ms%n",
        MACHINES_AT_ONCE, grants.size() / seconds, grants.get(grants.size() / 2), grants.getLast());
  }

  /** Lives of machines, one after the other; the milliseconds until each had its lease. */
  private long[] machines(CloudPool pool) throws Exception {
    long[] grants = new long[EACH];
    for (int i = 0; i < EACH; i++) {
      String machine = UUID.randomUUID().toString();
      allocate(machine);
      Instant asked = Instant.now();
      JsonNode told = granted(machine);
      grants[i] = Duration.between(asked, Instant.now()).toMillis();
      pool.release(told.get("lease").asText());
      int freed = nova.ask("DELETE", PLACEMENT + "/allocations/" + machine, null).statusCode();
      assertEquals(NO_CONTENT, freed);
    }
    return grants;
  }

  /** As Nova's scheduler does it: again, where another one has changed the provider meanwhile. */
  private void allocate(String machine) throws Exception {
    Map<String, Object> body =
        Map.of(
            "allocations",
            Map.of(provider, Map.of("resources", Map.of("CUSTOM_REMOTE_GPU", 1))),
            "project_id",
            PROJECT,
            "user_id",
            PROJECT);
    HttpResponse<String> told;
    do {
      told = nova.ask("PUT", PLACEMENT + "/allocations/" + machine, body);
    } while (told.statusCode() == CONFLICT);
    assertEquals(NO_CONTENT, told.statusCode(), told::body);
  }

  /** As Nova's metadata service asks, for a guest that asks until it has its token. */
  private JsonNode granted(String machine) throws Exception {
    JsonNode told;
    do {
      HttpResponse<String> answer =
          nova.ask("POST", VENDORDATA, Map.of("project-id", PROJECT, "instance-id", machine));
      assertEquals(200, answer.statusCode(), answer::body);
      told = JSON.readTree(answer.body());
      assertTrue(told.has("lease"), answer::body);
    } while (told.get("token").asText().isEmpty());
    return told;
  }

  /** The pool as Placement has it. */
  private String provider() throws Exception {
    JsonNode told = nova.get(PLACEMENT + "/resource_providers");
    for (JsonNode one : told.get("resource_providers")) {
      if (one.get("name").asText().startsWith("outboard/")) {
        return one.get("uuid").asText();
      }
    }
    throw new AssertionError(told);
  }
}
