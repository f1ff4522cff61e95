// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.testkit.Sample;
import io.outboard.pool.broker.BrokerCase;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The requests of members of the socket's group, and the leases that they may ask about. */
final class MemberCommandsTest extends BrokerCase {
  private ControlCommands operator;
  private MemberCommands alice;

  MemberCommandsTest() {
    super(Sample.gpus(2));
  }

  @BeforeEach
  void come() {
    operator = new ControlCommands(broker);
    alice = new MemberCommands(operator, "alice");
  }

  private static Form request() {
    return new Form().with("gpus", 1).with("seconds", 60);
  }

  private static Form id(Form lease) {
    return new Form().with("id", lease.get("id"));
  }

  @Test
  void aMembersLeasesAreOfATenantOfItsName() throws Exception {
    Form lease = alice.rows("lease", request().with("tenant", "default")).getFirst();
    assertEquals("alice", lease.get("tenant"));
    assertFalse(lease.get("token").isEmpty());
    assertEquals("released", alice.rows("release", id(lease)).getFirst().get("state"));
    assertEquals(1, alice.rows("usage", new Form()).size());
  }

  @Test
  void itAsksForNoOthersAccountAndComesNotBeforeOthers() {
    for (Form wrong : List.of(request().with("tenant", "bob"), request().with("priority", 1))) {
      assertThrows(LeaseException.class, () -> alice.rows("lease", wrong));
    }
  }

  @Test
  void nobodyVouchesForItsFqan() throws Exception {
    Form claimed = request().with("fqan", "/atlas/Role=production");
    assertThrows(LeaseException.class, () -> alice.rows("lease", claimed));
    assertThrows(LeaseException.class, () -> alice.rows("explain", claimed));
    assertEquals("atlas", operator.rows("lease", claimed).getFirst().get("vo"));
  }

  @Test
  void anotherTenantsLeasesAreNotThere() throws Exception {
    Form bobs = operator.rows("lease", request().with("tenant", "bob")).getFirst();
    for (String verb :
        List.of("find", "handover", "renew", "drain", "suspend", "resume", "release")) {
      var refused =
          assertThrows(
              LeaseException.class, () -> alice.rows(verb, id(bobs).with("seconds", 60)), verb);
      assertEquals("there is no lease " + bobs.get("id"), refused.getMessage());
    }
    assertEquals(List.of(), alice.rows("leases", new Form().with("all", "yes")));
    assertEquals(List.of(), alice.rows("usage", new Form().with("tenant", "bob")));
    assertEquals(2, alice.rows("devices", new Form()).size());
  }

  @Test
  void aMemberIsToldWhyAndNotWhoseLeasesThoseAre() throws Exception {
    Form bobs = operator.rows("lease", request().with("gpus", 2).with("tenant", "bob")).getFirst();
    Form why = alice.rows("explain", request()).getFirst();
    assertEquals("room", why.get("cause"));
    assertEquals("", why.get("leases"));
    assertEquals(bobs.get("id"), operator.rows("explain", request()).getFirst().get("leases"));
    assertThrows(LeaseException.class, () -> alice.rows("explain", id(bobs)));
    Form guaranteed = request().with("class", "guaranteed");
    for (String verb : List.of("lease", "explain")) {
      assertThrows(LeaseException.class, () -> alice.rows(verb, guaranteed));
    }
  }

  @Test
  void whatIsTheOperatorsIsNoMembers() throws Exception {
    Form own = alice.rows("lease", request()).getFirst();
    for (String verb :
        List.of(
            "revoke",
            "readmit",
            "cordon",
            "uncordon",
            "token-create",
            "tokens",
            "tenant-set",
            "tenants",
            "what")) {
      assertThrows(LeaseException.class, () -> alice.rows(verb, id(own)), verb);
    }
    assertEquals("granted", now(broker.find(own.get("id"))).state().label());
  }

  @Test
  void whoIsRefusedHearsWhichLeaseHasTheGpus() throws Exception {
    Form bobs = operator.rows("lease", request().with("gpus", 2).with("tenant", "bob")).getFirst();
    String until = broker.find(bobs.get("id")).expires().toString();
    var told =
        assertThrows(LeaseException.class, () -> broker.admissions().admitWithout("program", ""));
    String holder = "until %s to tenant bob (lease %s)".formatted(until, bobs.get("id"));
    assertTrue(told.getMessage().contains(holder), told.getMessage());
    var another =
        assertThrows(
            LeaseException.class, () -> broker.admissions().admitWithout("program", "alice"));
    assertTrue(another.getMessage().contains("to another tenant:"), another.getMessage());
  }
}
