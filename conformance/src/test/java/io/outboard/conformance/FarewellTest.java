// SPDX-License-Identifier: Apache-2.0
package io.outboard.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.client.ClientLibrary;
import io.outboard.client.Session;
import io.outboard.communicator.Endpoint;
import io.outboard.cuda.CudaDriver;
import io.outboard.cuda.CudaDriverRemote;
import io.outboard.lease.Form;
import io.outboard.patience.Patience;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A session that ends with its connection: the program learns why it ended, in one line, over each
 * communicator.
 */
final class FarewellTest {
  @RegisterExtension static final Backend BACKEND = new Backend("software:2", "--grace=0");

  private final Leases leases = new Leases(BACKEND);

  @AfterEach
  void release() throws Exception {
    Patience.until("nobody has devices", leases::releaseAll);
  }

  private static String endpoint(int which) {
    return BACKEND.endpoints().get(which);
  }

  private interface End {
    void of(Form lease, Steady program) throws Exception;
  }

  private void isTold(int which, String why, End end) throws Exception {
    Form lease = leases.request(new Form());
    try (Steady program = Steady.start(leases.variables(endpoint(which), lease))) {
      program.awaitProgress();
      end.of(lease, program);
      program.awaitLoss();
      program.awaitGone(why);
    }
  }

  private void revoke(Form lease, Steady program) throws Exception {
    leases.ask("revoke", new Form().with("id", lease.get("id")).with("reason", "maintenance"));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aRevocationIsSaidWithItsReason(int which) throws Exception {
    isTold(which, "its lease is revoked: maintenance", this::revoke);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theEndOfALeasesTimeIsSaid(int which) throws Exception {
    isTold(
        which,
        "its lease is expired",
        (lease, _) ->
            leases.ask("renew", new Form().with("id", lease.get("id")).with("seconds", 1)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theDeathOfAWorkerIsSaid(int which) throws Exception {
    isTold(
        which,
        "its worker ended, killed by signal 9",
        (_, program) -> BACKEND.worker(program.process()).destroyForcibly());
  }

  /** Its connection ends in the middle of a call, or before the next one. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aProgramOnTheJvmIsToldToo(int which) throws Exception {
    Form lease = leases.request(new Form());
    try (Session session =
        Session.open(
            Endpoint.parse(endpoint(which)),
            List.of(ClientLibrary.CUDA),
            leases.variables(endpoint(which), lease))) {
      CudaDriver driver = new CudaDriverRemote(session);
      assertEquals(0, driver.cuInit(0));
      leases.ask("revoke", new Form().with("id", lease.get("id")).with("reason", "maintenance"));
      Patience.until(
          "it is lost", () -> driver.cuCtxSynchronize() != 0 && session.lostBecause().isPresent());
      String why = session.lostBecause().orElseThrow();
      assertTrue(why.endsWith("it has ended: its lease is revoked: maintenance"), why);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void nothingIsSaidToWhoWantsQuiet(int which) throws Exception {
    Form lease = leases.request(new Form());
    Map<String, String> variables = new HashMap<>(leases.variables(endpoint(which), lease));
    variables.put("OUTBOARD_QUIET", "1");
    try (Steady program = Steady.start(variables)) {
      program.awaitProgress();
      revoke(lease, program);
      program.awaitSilentLoss();
    }
  }
}
