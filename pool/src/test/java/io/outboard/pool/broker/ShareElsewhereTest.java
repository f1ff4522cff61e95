// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseException;
import io.outboard.lease.LeaseRequest;
import io.outboard.lease.LeaseState;
import io.outboard.lease.service.Renewal;
import io.outboard.lease.testkit.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A broker gives leases of nodes' devices another share, and knows the programs of nodes. */
final class ShareElsewhereTest extends NodesCase {
  private BrokerLeases leases;
  private Lease lease;

  ShareElsewhereTest() {
    super(1);
  }

  @BeforeEach
  void takeHalf() throws LeaseException {
    leases = new BrokerLeases(broker, () -> {});
    lease = broker.request(part(500));
    exchangeAll();
    lease = now(lease);
  }

  private static LeaseRequest part(int share) {
    return Sample.part("a", 1, share, Sample.GIB);
  }

  private Lease ask(int share) throws LeaseException {
    return leases.renew(lease.id(), new Renewal(Optional.empty(), OptionalInt.of(share)));
  }

  private Lease share(int share) throws Exception {
    return asked(() -> ask(share));
  }

  private int onNode() throws LeaseException {
    return on(lease).find(lease.id()).request().share();
  }

  @Test
  void moreAndLessIsWhatItsNodeGives() throws Exception {
    assertEquals(750, share(750).request().share());
    assertEquals(750, onNode());
    assertEquals(250, share(250).request().share());
    assertEquals(250, onNode());
    restart();
    exchangeAll();
    assertEquals(250, now(lease).request().share());
  }

  @Test
  void anotherEndComesWithIt() throws Exception {
    Lease renewed =
        asked(
            () ->
                leases.renew(
                    lease.id(), new Renewal(Optional.of(Duration.ofDays(2)), OptionalInt.of(300))));
    assertEquals(300, renewed.request().share());
    assertTrue(renewed.expires().isAfter(lease.expires()));
    exchangeAll();
    assertEquals(renewed.expires(), on(lease).find(lease.id()).expires());
  }

  @Test
  void othersHaveWhatItGivesAwayAndNotMore() throws Exception {
    Lease half = broker.request(part(500));
    Lease whole = broker.request(Sample.whole("b", 1));
    exchangeAll();
    assertEquals(node(lease), node(now(half)));
    LeaseException tooMuch = assertThrows(LeaseException.class, () -> share(750));
    assertTrue(tooMuch.getMessage().contains("are free"), tooMuch::getMessage);
    Lease waits = broker.request(part(250));
    exchangeAll();
    assertEquals(LeaseState.REQUESTED, now(waits).state());
    assertEquals(250, share(250).request().share());
    exchangeAll();
    assertEquals(node(lease), node(now(waits)));
    assertEquals(LeaseState.GRANTED, now(whole).state());
  }

  /** Its program was started with the whole GPU, which has no slices. */
  @Test
  void whatItsNodeRefusesIsSaidAndNothingIsChanged() throws Exception {
    release(lease);
    lease = granted();
    TestSession session = TestSession.start(on(lease).admissions().admit(holder(lease)));
    exchangeAll();
    LeaseException refused = assertThrows(LeaseException.class, () -> share(500));
    assertTrue(refused.getMessage().contains("were started with"), refused::getMessage);
    exchangeAll();
    assertEquals(1000, now(lease).request().share());
    assertEquals(1000, onNode());
    assertEquals(LeaseState.ACTIVE, state(lease));
    session.stop("");
    exchangeAll();
    assertEquals(500, share(500).request().share());
  }

  @Test
  void aSilentNodeChangesNothing() throws LeaseException {
    clock.pass(SILENT);
    LeaseException silent = assertThrows(LeaseException.class, () -> ask(250));
    assertTrue(silent.getMessage().contains("does not report"), silent::getMessage);
    assertEquals(500, now(lease).request().share());
  }

  @Test
  void theBrokerKnowsWhatProgramsOfItsNodesDo() throws Exception {
    TestSession session = TestSession.start(on(lease).admissions().admit(holder(lease)));
    session.called("cuLaunchKernel 40 cuMemAlloc_v2 2");
    exchangeAll();
    List<Form> programs = broker.running();
    assertEquals(1, programs.size());
    Form program = programs.getFirst();
    assertEquals(node(lease), program.get("node"));
    assertEquals(lease.id(), program.get("lease"));
    assertEquals("a", program.get("tenant"));
    assertEquals("shared", program.get("class"));
    assertEquals("cuLaunchKernel 40 cuMemAlloc_v2 2", program.get("functions"));
    assertEquals(0, program.number("idleSeconds", -1));
    session.stop("");
    exchangeAll();
    assertEquals(List.of(), broker.running());
  }
}
