// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import io.outboard.lease.Lease;
import io.outboard.lease.LeaseState;
import io.outboard.lease.testkit.Sample;
import io.outboard.pool.control.ControlCommands;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Requests whose people have gone. */
final class UnfetchedTest extends BrokerCase {
  private static final Duration PART = Duration.ofSeconds(40);

  UnfetchedTest() {
    super(Sample.gpus(1));
  }

  private Form ask(String verb, Form form) throws Exception {
    return new ControlCommands(broker).rows(verb, form).getFirst();
  }

  /** Each later than the one before. */
  private Form request(String tenant) throws Exception {
    clock.pass(Duration.ofMillis(1));
    return ask("lease", new Form().with("tenant", tenant).with("seconds", 3_600));
  }

  private Form find(Form lease) throws Exception {
    return ask("find", new Form().with("id", lease.get("id")));
  }

  private LeaseState state(Form lease) throws Exception {
    return broker.find(lease.get("id")).state();
  }

  private void pass(Duration time) {
    clock.pass(time);
    broker.tick();
  }

  @Test
  void aRequestStaysWhileSomebodyAsksForIt() throws Exception {
    Form first = request("a");
    assertEquals("granted", first.get("state"));
    Form waiting = request("b");
    assertEquals("1", waiting.get("place"));
    Form behind = request("c");
    assertEquals("2", behind.get("place"));
    assertEquals(first.get("expires"), behind.get("free"));
    pass(PART);
    assertEquals("requested", find(waiting).get("state"));
    pass(PART);
    assertEquals(LeaseState.REQUESTED, state(waiting));
    assertEquals(LeaseState.RELEASED, state(behind));
    assertEquals("nobody waits for it any more", find(behind).get("reason"));
    assertEquals(LeaseState.GRANTED, state(first), "who has a lease need not ask");
  }

  @Test
  void aGrantThatNobodyFetchesGoesToTheNext() throws Exception {
    Form first = request("a");
    Form gone = request("b");
    clock.pass(Duration.ofMillis(1));
    Lease detached = broker.request(Sample.whole("c", 1));
    broker.end(first.get("id"), LeaseState.RELEASED, "");
    assertEquals(LeaseState.GRANTED, state(gone));
    assertTrue(broker.next().orElseThrow().isBefore(clock.instant().plus(Duration.ofMinutes(2))));
    pass(PART.plus(PART));
    assertEquals(LeaseState.RELEASED, state(gone));
    assertEquals(LeaseState.GRANTED, state(detached));
    pass(PART.plus(PART));
    assertEquals(LeaseState.GRANTED, state(detached), "it outlives who asked for it");
  }

  @Test
  void whatSomebodyHasGotStays() throws Exception {
    Form first = request("a");
    Form waiting = request("b");
    broker.end(first.get("id"), LeaseState.RELEASED, "");
    assertEquals("granted", find(waiting).get("state"));
    restart();
    pass(PART.plus(PART));
    assertEquals(LeaseState.GRANTED, state(waiting));
  }

  @Test
  void aRestartIsNoAnswerToSomebodyWhoHasGone() throws Exception {
    Form first = request("a");
    Form gone = request("b");
    restart();
    pass(PART);
    assertEquals(LeaseState.REQUESTED, state(gone), "he may not have come back yet");
    pass(PART);
    assertEquals(LeaseState.RELEASED, state(gone));
    assertEquals(LeaseState.GRANTED, state(first));
  }
}
