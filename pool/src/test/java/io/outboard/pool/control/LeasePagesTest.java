// SPDX-License-Identifier: Apache-2.0
package io.outboard.pool.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.outboard.lease.Form;
import io.outboard.lease.LeaseException;
import io.outboard.lease.testkit.Sample;
import io.outboard.pool.broker.BrokerCase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of leases, of all tenants and of one. */
final class LeasePagesTest extends BrokerCase {
  private ControlCommands operator;
  private MemberCommands alice;

  LeasePagesTest() {
    super(Sample.gpus(1));
  }

  @BeforeEach
  void commands() {
    operator = new ControlCommands(broker);
    alice = new MemberCommands(operator, "alice");
  }

  private String asked(String tenant) throws LeaseException {
    clock.pass(Duration.ofSeconds(1));
    return broker.request(Sample.whole(tenant, 1)).id();
  }

  private String over(String tenant) throws LeaseException {
    String id = asked(tenant);
    operator.rows("release", new Form().with("id", id));
    return id;
  }

  private static Form all(int limit) {
    return new Form().with("all", "yes").with("limit", limit);
  }

  private static List<String> ids(List<Form> rows) {
    return rows.stream().map(row -> row.get("id")).toList();
  }

  /** However many others have ended since. */
  @Test
  void aMembersPastIsItsOwn() throws Exception {
    String mine = over("alice");
    for (int i = 0; i < 3; i++) {
      over("bob");
    }
    assertEquals(List.of(mine), ids(alice.rows("leases", all(2))));
    assertEquals(List.of(mine), ids(alice.rows("leases", all(2).with("tenant", "bob"))));
  }

  @Test
  void pagesFollowEachOtherAndHaveAll() throws Exception {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      expected.addFirst(over(i % 2 == 0 ? "alice" : "bob"));
    }
    expected.addFirst(asked("bob"));
    expected.addFirst(asked("alice"));
    expected.set(0, expected.set(1, expected.getFirst()));
    List<String> found = new ArrayList<>();
    String cursor = "";
    int pages = 0;
    do {
      List<Form> page = operator.rows("leases", all(2).with("cursor", cursor));
      found.addAll(ids(page));
      cursor = page.getLast().get("next");
      pages++;
    } while (!cursor.isEmpty());
    assertEquals(expected, found);
    assertEquals(3, pages);
    assertEquals(expected.subList(0, 2), ids(operator.rows("leases", new Form())));
  }

  @Test
  void whatIsNoCursorIsRefused() {
    Form wrong = new Form().with("cursor", "what");
    assertThrows(IllegalArgumentException.class, () -> operator.rows("leases", wrong));
  }
}
