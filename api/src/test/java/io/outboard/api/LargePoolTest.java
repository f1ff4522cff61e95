// SPDX-License-Identifier: Apache-2.0
package io.outboard.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.outboard.lease.Gpu;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.account.Role;
import io.outboard.lease.sqlite.SqliteLocation;
import io.outboard.lease.store.LeaseStore;
import io.outboard.pool.Pool;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console's pages of 10,000 GPUs and 100,000 leases, of which 40,000 are not over. */
@Tag("long")
final class LargePoolTest {
  private static final int GPUS = 10_000;
  private static final int LEASES = 100_000;
  private static final int HOLDING = 40_000;
  private static final int WAITING = 100;
  private static final int OF_A_GPU = 4;

  @TempDir private Path folder;
  private final List<Gpu> gpus =
      IntStream.range(0, GPUS)
          .mapToObj(number -> new Gpu(number, "GPU-" + number, "NVIDIA H200", 80L << 30))
          .toList();

  private static LeaseRequest request(int number, int share) {
    return LeaseRequest.builder()
        .tenant("t" + number % 50)
        .consumer("job " + number)
        .share(share)
        .duration(Duration.ofHours(9))
        .keep(Duration.ZERO)
        .build();
  }

  private void fill() throws Exception {
    Instant now = Instant.now();
    try (LeaseStore store = SqliteLocation.in(folder).open()) {
      for (int number = 0; number < LEASES; number++) {
        String id = "%012x".formatted(number);
        boolean waits = number >= LEASES - WAITING;
        int share = waits ? LeaseRequest.WHOLE : LeaseRequest.WHOLE / OF_A_GPU;
        store.request(Lease.requested(id, request(number, share), now));
        if (!waits) {
          Gpu gpu = gpus.get(number / OF_A_GPU % GPUS);
          Lease unused = store.grant(id, List.of(gpu), now, now.plus(Duration.ofHours(9)));
          if (number < LEASES - WAITING - HOLDING) {
            Lease unusedEnd = store.move(id, LeaseState.RELEASED, now, "");
          }
        }
      }
    }
  }

  @Test
  void pagesOfALargePoolAreAnswered() throws Exception {
    fill();
    Pool pool = new Pool(SqliteLocation.in(folder), false);
    pool.open(gpus);
    try (TestServer server = new TestServer(folder, pool)) {
      String token = server.token(Role.OPERATOR, "");
      assertEquals(GPUS, total(server, "/v1/views/gpus?sort=load&descending=true", token));
      assertEquals(HOLDING, total(server, "/v1/views/leases?sort=idle&descending=true", token));
      assertEquals(HOLDING, total(server, "/v1/views/leases?offset=39975&limit=25", token));
      assertEquals(800, total(server, "/v1/views/leases?search=t49", token));
      assertEquals(WAITING, total(server, "/v1/views/queue", token));
      assertEquals(1, total(server, "/v1/views/nodes", token));
      JsonNode overview = answer(server, "/v1/views/overview", token);
      assertEquals(HOLDING, overview.get("granted").asInt());
      assertTrue(answer(server, "/v1/views/usage?days=1", token).get("series").size() > 0);
      String figures = server.get("/metrics", token).body();
      assertTrue(figures.contains("outboard_lease_series_left_out 38000\n"), "bounded");
    }
  }

  private static int total(TestServer server, String path, String token) throws Exception {
    return answer(server, path, token).get("total").asInt();
  }

  private static JsonNode answer(TestServer server, String path, String token) throws Exception {
    long begin = System.nanoTime();
    TestServer.Answer answer = server.get(path, token);
    assertEquals(200, answer.status(), answer::body);
    System.out.printf(
        "%6d ms, %7d bytes: %s%n",
        Duration.ofNanos(System.nanoTime() - begin).toMillis(), answer.body().length(), path);
    return answer.json();
  }
}
